//! The worker's side: what it knows, its own limits, and its loop.

use super::frame::{Asked, Outcome, Reply, head, length};
use super::questions::Any;
use crate::clock;
use crate::trouble::Trouble;
use decklaw_builder::{Builder, MakeJudge, Site, remedies};
use decklaw_event::Event;
use std::collections::BTreeMap;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

/// The most memory of a worker: addresses, of which a fraction is used.
#[cfg(unix)]
const MEMORY: u64 = 512 << 20;

/// The most processor time of one question, in seconds: twice what the server waits for any. It
/// ends a worker whose server is gone.
#[cfg(unix)]
const SECONDS: u64 = 40;

/// The most events that are kept open.
const EVENTS: usize = 16;

/// What a worker answers from.
pub(crate) struct Bench {
    pub(super) builder: Builder,
    /// The events that it was asked about, by their folders.
    events: BTreeMap<PathBuf, Event>,
}

impl Bench {
    /// An event as it is now.
    ///
    /// # Errors
    /// A folder that is none, or that was changed.
    pub(super) fn event(&mut self, folder: &Path) -> Result<&mut Event, Trouble> {
        if !self.events.contains_key(folder) {
            if self.events.len() >= EVENTS {
                self.events.clear();
            }
            let event = Event::open(folder, remedies::text)?;
            self.events.insert(folder.to_owned(), event);
        }
        let event = self.events.get_mut(folder).ok_or_else(Trouble::defect)?;
        event.refresh()?;
        Ok(event)
    }
}

/// Answers the questions of a server, one after another, until the pipe is closed. Before the first
/// it limits itself: its memory, no image of it when it ends, and at each question its processor
/// time. A system that knows no such limits gives none.
///
/// # Errors
/// A pipe that breaks, or that something else than a server writes to.
pub fn answer_questions(
    judges: Box<MakeJudge>,
    mut questions: impl Read,
    mut answers: impl Write,
) -> io::Result<()> {
    let mut bench = Bench {
        builder: Builder::new(Site::new(judges, clock::today)),
        events: BTreeMap::new(),
    };
    limit_once();
    loop {
        let mut start = [0; 4];
        match questions.read_exact(&mut start) {
            // The server has no more.
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => return Ok(()),
            read => read?,
        }
        let mut frame = vec![0; length(start)?];
        questions.read_exact(&mut frame)?;
        limit_time();
        let Asked { id, question }: Asked<Any> = serde_json::from_slice(&frame)?;
        drop(frame);
        let outcome = match question.answer(&mut bench) {
            Ok(answer) => Outcome::Answer(answer),
            Err(trouble) => Outcome::Trouble(trouble),
        };
        let reply = serde_json::to_vec(&Reply { id, outcome })?;
        answers.write_all(&head(reply.len())?)?;
        answers.write_all(&reply)?;
        answers.flush()?;
    }
}

#[cfg(unix)]
fn limit_once() {
    use rustix::process::{Resource, getrlimit};
    // A system that does not know a limit goes on without it.
    for (resource, most) in [(Resource::As, MEMORY), (Resource::Core, 0)] {
        let now = getrlimit(resource);
        lower(
            resource,
            now.maximum.map_or(most, |maximum| maximum.min(most)),
        );
    }
}

#[cfg(unix)]
fn lower(resource: rustix::process::Resource, most: u64) {
    use rustix::process::{Rlimit, setrlimit};
    let limit = Rlimit {
        current: Some(most),
        maximum: Some(most),
    };
    let _ = setrlimit(resource, limit);
}

/// Gives the next question its processor time.
#[cfg(unix)]
fn limit_time() {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    use rustix::time::{ClockId, clock_gettime};
    let used = clock_gettime(ClockId::ProcessCPUTime).tv_sec;
    let most = u64::try_from(used).unwrap_or(0) + SECONDS;
    let Rlimit { maximum, .. } = getrlimit(Resource::Cpu);
    let current = Some(maximum.map_or(most, |maximum| maximum.min(most)));
    let _ = setrlimit(Resource::Cpu, Rlimit { current, maximum });
}

#[cfg(not(unix))]
fn limit_once() {}

#[cfg(not(unix))]
fn limit_time() {}
