//! The server's side: the workers that there are, and the lines in which questions wait for them.
//!
//! A client has one question at a time; an address may have all workers of a lane but one, so that
//! one address never keeps another waiting. Questions are answered first come, first served. What
//! the quick lane does not answer within [`QUICK`] goes on in the slow one, whose [`SLOW`] ends it: a
//! machine that is slow for a moment costs an honest question nothing, and a question that hangs
//! holds none of the quick workers.
//!
//! A worker that is late, or whose pipe breaks, is ended, and its pipe never used again. What broke
//! one is asked once more of a new one: the worker may have been full of what came before.

use super::Games;
use super::frame::{Asked, Outcome, Reply, head, length};
use super::questions::Any;
use super::{Call, Lane, Question};
use crate::health::Used;
use crate::keys;
use crate::trouble::Trouble;
use serde::Serialize;
use std::collections::HashMap;
use std::io;
use std::net::{IpAddr, Ipv4Addr};
use std::process::Stdio;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::process::{Child, ChildStdin, ChildStdout, Command};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;

/// How long a question of the quick lane may take there.
const QUICK: Duration = Duration::from_millis(250);
/// How long any question may take.
const SLOW: Duration = Duration::from_secs(20);
/// How long a question may wait for its turn.
const PATIENCE: Duration = Duration::from_secs(10);
/// The most questions that wait.
const WAITING: usize = 512;
/// The fewest quick workers.
const FEWEST: usize = 4;

/// Whose question it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Client {
    /// The browser.
    pub(crate) browser: keys::Kept,
    /// From where.
    pub(crate) address: IpAddr,
}

/// Who has a turn: a client, or an address in a lane.
#[derive(Debug, PartialEq, Eq, Hash)]
enum Line {
    Client(Client),
    Address(IpAddr, Lane),
}

/// The workers of a server.
#[derive(Debug)]
pub(crate) struct Workers {
    call: Call,
    quick: Places,
    slow: Places,
    organisers: Places,
    lines: Mutex<HashMap<Line, Weak<Semaphore>>>,
    waiting: AtomicUsize,
    next: AtomicU64,
    /// Counts the changes of what workers know: those that were started before one are ended.
    knowledge: AtomicU64,
    late: AtomicU64,
    broken: AtomicU64,
}

/// The workers of a lane.
#[derive(Debug)]
struct Places {
    number: usize,
    free: Semaphore,
    idle: Mutex<Vec<Worker>>,
}

/// A process that waits for a question.
#[derive(Debug)]
struct Worker {
    child: Child,
    questions: ChildStdin,
    answers: ChildStdout,
    knowledge: u64,
}

/// What the workers are at, for whoever watches the server.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct Load {
    /// Workers of each lane that answer a question now.
    pub(crate) quick: Used,
    pub(crate) slow: Used,
    pub(crate) organisers: Used,
    /// Questions that wait, and those that are being answered.
    pub(crate) asked: Used,
    /// Workers that were ended since the start because they took too long.
    pub(crate) late: u64,
    /// Workers that ended at a question.
    pub(crate) broken: u64,
}

/// A question that waits or is answered.
struct Waiting<'w>(&'w AtomicUsize);

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

/// Asks a worker one question before there is a server, and waits.
///
/// # Errors
/// As for [`Workers::ask`].
pub(crate) fn ask_one<Q>(call: &Call, question: Q) -> Result<Q::Answer, Trouble>
where
    Q: Question + Send,
    Q::Answer: Send,
{
    let asked = || {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build();
        let runtime = runtime.map_err(|_| Trouble::busy())?;
        let client = Client {
            browser: [0; 32],
            address: IpAddr::V4(Ipv4Addr::LOCALHOST),
        };
        let workers = Arc::new(Workers::new(call.clone(), 1));
        runtime.block_on(workers.ask(client, question))
    };
    // Whoever calls may be on a runtime, which cannot wait for another.
    let answered = std::thread::scope(|scope| scope.spawn(asked).join());
    answered.unwrap_or_else(|_| Err(Trouble::defect()))
}

impl Places {
    fn new(number: usize) -> Places {
        Places {
            number,
            free: Semaphore::new(number),
            idle: Mutex::default(),
        }
    }

    fn is_bare(&self) -> bool {
        let idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        idle.is_empty()
    }

    fn used(&self) -> Used {
        let free = self.free.available_permits();
        Used::counted(self.number.saturating_sub(free), self.number)
    }

    /// Keeps a worker for the next question. One more than there are places is ended.
    fn put(&self, worker: Worker) {
        let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        if idle.len() < self.number {
            idle.push(worker);
        }
    }
}

impl Worker {
    fn start(call: &Call, knowledge: u64) -> io::Result<Worker> {
        let mut child = Command::new(&call.program)
            .args(&call.arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .kill_on_drop(true)
            .spawn()?;
        match (child.stdin.take(), child.stdout.take()) {
            (Some(questions), Some(answers)) => Ok(Worker {
                child,
                questions,
                answers,
                knowledge,
            }),
            _ => Err(io::ErrorKind::BrokenPipe.into()),
        }
    }

    /// What comes of a question.
    ///
    /// # Errors
    /// A pipe that broke, or another answer than that of the question: it is not used again.
    async fn ask(&mut self, id: u64, question: &[u8]) -> io::Result<Outcome> {
        self.questions.write_all(&head(question.len())?).await?;
        self.questions.write_all(question).await?;
        self.questions.flush().await?;
        let mut start = [0; 4];
        self.answers.read_exact(&mut start).await?;
        // No more than comes is made room for.
        let (mut frame, length) = (Vec::new(), length(start)?);
        let whole = u64::try_from(length).unwrap_or(u64::MAX);
        (&mut self.answers)
            .take(whole)
            .read_to_end(&mut frame)
            .await?;
        let reply: Reply = serde_json::from_slice(&frame)?;
        if frame.len() == length && reply.id == id {
            Ok(reply.outcome)
        } else {
            Err(io::ErrorKind::InvalidData.into())
        }
    }

    /// Ends it and waits until it is gone.
    async fn end(mut self) {
        // One that ended by itself needs no end.
        let _ = self.child.kill().await;
    }
}

impl Workers {
    /// Workers for a machine with so many processors, none of which is started yet.
    pub(crate) fn new(call: Call, processors: usize) -> Workers {
        Workers {
            call,
            quick: Places::new(processors.max(FEWEST)),
            slow: Places::new(processors.max(2)),
            organisers: Places::new(2),
            lines: Mutex::default(),
            waiting: AtomicUsize::new(0),
            next: AtomicU64::new(0),
            knowledge: AtomicU64::new(0),
            late: AtomicU64::new(0),
            broken: AtomicU64::new(0),
        }
    }

    fn places(&self, lane: Lane) -> &Places {
        match lane {
            Lane::Quick => &self.quick,
            Lane::Slow => &self.slow,
            Lane::Organisers => &self.organisers,
        }
    }

    /// What they are at.
    pub(crate) fn load(&self) -> Load {
        Load {
            quick: self.quick.used(),
            slow: self.slow.used(),
            organisers: self.organisers.used(),
            asked: Used::counted(self.waiting.load(Ordering::Relaxed), WAITING),
            late: self.late.load(Ordering::Relaxed),
            broken: self.broken.load(Ordering::Relaxed),
        }
    }

    /// Says that what workers know has changed: from now on others answer.
    pub(crate) fn renew(&self) {
        self.knowledge.fetch_add(1, Ordering::Relaxed);
    }

    /// Starts a worker that waits in the quick lane.
    pub(crate) fn warm(self: &Arc<Self>) {
        let workers = Arc::clone(self);
        tokio::spawn(async move {
            let places = &workers.quick;
            if let Ok(_place) = places.free.acquire().await
                && places.is_bare()
                && let Ok(worker) = workers.started().await
            {
                places.put(worker);
            }
        });
    }

    /// A new worker, which has read the games: that time is no question's.
    async fn started(&self) -> Result<Worker, Trouble> {
        let knowledge = self.knowledge.load(Ordering::Relaxed);
        let worker = Worker::start(&self.call, knowledge);
        let mut worker = worker.map_err(|error| {
            Trouble::new(
                503,
                format!("This machine starts no more of this program. ({error})"),
                "Whoever runs this machine must look at what else it runs; try again in a minute.",
            )
        })?;
        let (id, question) = self.frame(Games)?;
        match timeout(SLOW, worker.ask(id, &question)).await {
            Ok(Ok(_)) => Ok(worker),
            _ => Err(Trouble::busy()),
        }
    }

    /// An idle worker that knows what is known now.
    fn idle(&self, places: &Places) -> Option<Worker> {
        let knowledge = self.knowledge.load(Ordering::Relaxed);
        let mut idle = places.idle.lock().unwrap_or_else(PoisonError::into_inner);
        idle.retain(|worker| worker.knowledge == knowledge);
        idle.pop()
    }

    /// The line in which somebody's questions stand.
    fn line(&self, line: Line, turns: usize) -> Arc<Semaphore> {
        let mut lines = self.lines.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = lines.get(&line).and_then(Weak::upgrade) {
            return known;
        }
        lines.retain(|_, known| known.strong_count() > 0);
        let made = Arc::new(Semaphore::new(turns));
        lines.insert(line, Arc::downgrade(&made));
        made
    }

    /// The turn of a client in a lane.
    async fn turn(&self, client: Client, lane: Lane) -> Option<[OwnedSemaphorePermit; 2]> {
        let most = self.places(lane).number.saturating_sub(1).max(1);
        let own = self.line(Line::Client(client), 1);
        let all = self.line(Line::Address(client.address, lane), most);
        let own = own.acquire_owned().await.ok()?;
        Some([own, all.acquire_owned().await.ok()?])
    }

    fn frame(&self, question: impl Question) -> Result<(u64, Vec<u8>), Trouble> {
        let id = self.next.fetch_add(1, Ordering::Relaxed);
        let question: Any = question.into();
        let frame = serde_json::to_vec(&Asked { id, question });
        Ok((id, frame.map_err(|_| Trouble::defect())?))
    }

    /// Asks a question and waits for its answer. Once it is being answered it is answered to its end,
    /// or until it is late, whether or not anybody waits.
    ///
    /// # Errors
    /// What is wrong with the question; that it takes too long, or that there is more to do than can
    /// be done.
    pub(crate) async fn ask<Q: Question>(
        self: &Arc<Self>,
        client: Client,
        question: Q,
    ) -> Result<Q::Answer, Trouble> {
        let before = self.waiting.fetch_add(1, Ordering::Relaxed);
        let _waiting = Waiting(&self.waiting);
        if before >= WAITING {
            return Err(Trouble::busy());
        }
        // Who leaves before it is their turn leaves nothing behind.
        let turn = timeout(PATIENCE, self.turn(client, Q::LANE)).await;
        let Ok(Some(turn)) = turn else {
            return Err(Trouble::busy());
        };
        let asked = self.frame(question)?;
        let workers = Arc::clone(self);
        let answered = tokio::spawn(async move {
            let _turn = turn;
            workers.answered(Q::LANE, asked).await
        });
        let outcome = answered.await.unwrap_or_else(|_| Err(Trouble::defect()))?;
        match outcome {
            Outcome::Answer(answer) => {
                serde_json::from_str(answer.get()).map_err(|_| Trouble::defect())
            }
            Outcome::Trouble(trouble) => Err(trouble),
        }
    }

    /// What a worker answers. What is late in the quick lane goes on in the slow one, with its worker
    /// where that has a place; else it is asked anew there when its turn comes.
    async fn answered(
        self: &Arc<Self>,
        mut lane: Lane,
        (id, question): (u64, Vec<u8>),
    ) -> Result<Outcome, Trouble> {
        let mut broke = false;
        loop {
            let places = self.places(lane);
            let place = timeout(PATIENCE, places.free.acquire()).await;
            let Ok(Ok(place)) = place else {
                return Err(Trouble::busy());
            };
            // After one broke, only a new one tells whether it is the question that breaks them.
            let idle = if broke { None } else { self.idle(places) };
            let mut worker = match idle {
                Some(worker) => worker,
                None => self.started().await?,
            };
            let outcome = {
                let asking = worker.ask(id, &question);
                tokio::pin!(asking);
                match lane {
                    Lane::Quick => match timeout(QUICK, &mut asking).await {
                        Ok(outcome) => Some(outcome),
                        Err(_) => match self.slow.free.try_acquire() {
                            Ok(_slow) => {
                                drop(place);
                                lane = Lane::Slow;
                                self.warm();
                                timeout(SLOW, asking).await.ok()
                            }
                            Err(_) => None,
                        },
                    },
                    Lane::Slow | Lane::Organisers => timeout(SLOW, asking).await.ok(),
                }
            };
            match outcome {
                Some(Ok(outcome)) => {
                    places.put(worker);
                    return Ok(outcome);
                }
                Some(Err(_)) => {
                    worker.end().await;
                    self.broken.fetch_add(1, Ordering::Relaxed);
                    if broke {
                        return Err(Trouble::too_much());
                    }
                    broke = true;
                }
                None => {
                    worker.end().await;
                    self.late.fetch_add(1, Ordering::Relaxed);
                    if lane != Lane::Quick {
                        return Err(Trouble::too_much());
                    }
                    self.warm();
                    lane = Lane::Slow;
                }
            }
        }
    }
}
