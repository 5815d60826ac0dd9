//! The events of a server: each is a folder, which commands may write to at the same time.

use super::super::clock;
use super::super::held::{Busy, hold};
use super::super::store::{Fault, Place};
use super::super::trouble::Trouble;
use decklaw_ask::{JudgeOptions, Library};
use decklaw_core::judge::Judge;
use decklaw_core::text::sentence;
use decklaw_core::{Problem, ProblemKind};
use decklaw_event::{About, Event, EventError, Late, StoreError};
use jiff::Timestamp;
use jiff::civil::DateTime;
use std::collections::BTreeMap;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError, RwLock};

const HELD: Busy = Busy {
    what: "another server is the desk of this event",
    help: "end that one first",
};

/// An event that this server holds.
#[derive(Debug)]
pub(in super::super) struct EventHandle {
    pub(in super::super) id: String,
    folder: PathBuf,
    event: Mutex<Event>,
    /// What the builder asks for this event: its lock alone answers.
    pub(super) library: Arc<Library>,
    /// Its rows are still in the file that was opened.
    place: Place,
    /// No other server holds it while this one does.
    _held: File,
}

/// Every event of a server, by its id.
#[derive(Debug, Default)]
pub(in super::super) struct Events(RwLock<BTreeMap<String, Arc<EventHandle>>>);

impl From<EventError> for Trouble {
    fn from(error: EventError) -> Trouble {
        match error {
            EventError::Store(StoreError::Sql(error)) => Fault::Sql(error).into(),
            EventError::Refused(why) => Trouble::new(409, sentence(&why), ""),
            EventError::Judge(error) => Trouble::from(&error),
            other => Trouble::new(
                500,
                format!("The folder of this event cannot be used. ({other})"),
                "Whoever runs this machine must look at it.",
            ),
        }
    }
}

impl EventHandle {
    /// Opens an event's folder for a server at an address.
    ///
    /// # Errors
    /// A folder that is not an event, or that another server holds; for people.
    pub(in super::super) fn open(
        folder: &Path,
        id: &str,
        address: &str,
    ) -> Result<EventHandle, String> {
        let name = folder.display();
        let event = Event::open(folder).map_err(|error| match error {
            error @ EventError::NoEvent(_) => error.to_string(),
            error => format!("{name}: {error}"),
        })?;
        let held = hold(folder, address, HELD)?;
        let lock = event.judge().lock().cloned();
        let judges = move |_: &JudgeOptions| match lock.clone().map(Judge::of_lock) {
            Some(Ok(judge)) => Ok(judge),
            Some(Err(error)) => Err(Problem::new(ProblemKind::Game, error.to_string())),
            None => Err(Problem::new(ProblemKind::Game, "this event has no lock")),
        };
        let folder = folder.canonicalize();
        let folder = folder.map_err(|error| format!("{name}: {error}"))?;
        Ok(EventHandle {
            id: id.to_owned(),
            place: Place::of(&folder.join(Event::ROWS)),
            folder,
            event: Mutex::new(event),
            library: Arc::new(Library::new(Box::new(judges), clock::today)),
            _held: held,
        })
    }

    /// The event's folder, as questions find it.
    pub(super) fn folder(&self) -> PathBuf {
        self.folder.clone()
    }

    /// Does something with the event as it is now, off the threads of the runtime, to its end
    /// whether or not anybody waits for it.
    ///
    /// # Errors
    /// Those of the work, and a folder that cannot be used.
    pub(in super::super) async fn with<T: Send + 'static>(
        self: &Arc<Self>,
        work: impl FnOnce(&mut Event) -> Result<T, Trouble> + Send + 'static,
    ) -> Result<T, Trouble> {
        let handle = Arc::clone(self);
        let done = tokio::task::spawn_blocking(move || {
            let mut event = handle.event.lock().unwrap_or_else(PoisonError::into_inner);
            // What is written to a file that was moved away is not kept.
            handle.place.holds()?;
            event.refresh()?;
            let done = work(&mut event)?;
            handle.place.holds()?;
            Ok(done)
        });
        done.await.unwrap_or_else(|_| Err(Trouble::defect()))
    }
}

impl Events {
    pub(in super::super) fn add(&self, event: EventHandle) {
        let mut events = self.0.write().unwrap_or_else(PoisonError::into_inner);
        events.insert(event.id.clone(), Arc::new(event));
    }

    pub(in super::super) fn find(&self, id: &str) -> Option<Arc<EventHandle>> {
        let events = self.0.read().unwrap_or_else(PoisonError::into_inner);
        events.get(id).map(Arc::clone)
    }

    pub(in super::super) fn all(&self) -> Vec<Arc<EventHandle>> {
        let events = self.0.read().unwrap_or_else(PoisonError::into_inner);
        events.values().map(Arc::clone).collect()
    }
}

/// What pages say of an event.
#[derive(Debug, Clone)]
pub(in super::super) struct View {
    pub(in super::super) id: String,
    pub(in super::super) title: String,
    pub(in super::super) format: String,
    /// The format's name.
    pub(super) format_name: String,
    pub(super) about: About,
    pub(super) due: Option<Timestamp>,
    /// Whether nobody may change a deck any more.
    pub(super) closed: bool,
    /// The banlist's id.
    pub(super) list: Option<String>,
    pub(super) settings: BTreeMap<String, String>,
    pub(super) seal: String,
}

impl View {
    pub(super) fn of(id: &str, event: &Event) -> Result<View, Trouble> {
        let lock = event.judge().lock();
        let format = event.about.format.clone().unwrap_or_default();
        let known = event.judge().catalogue().format(&format).ok();
        let game = known.as_ref().map_or("", |format| format.game().id());
        let list = lock.and_then(|lock| lock.chosen(game, Some(&format)));
        Ok(View {
            id: id.to_owned(),
            title: event.about.name.clone(),
            due: event.about.due().map_err(EventError::from)?,
            closed: event.roster().closed,
            list: list.map(|list| list.id.clone()),
            settings: lock
                .map(|lock| lock.covered.settings.clone())
                .unwrap_or_default(),
            seal: event.seal().to_owned(),
            about: event.about.clone(),
            format_name: known.map_or_else(String::new, |format| format.entry().name.clone()),
            format,
        })
    }

    /// Whether the deadline has passed.
    pub(super) fn is_late(&self) -> bool {
        self.due.is_some_and(|due| Timestamp::now() > due)
    }

    /// A time as clocks at the event show it.
    pub(super) fn local(&self, at: Timestamp) -> DateTime {
        let zone = self.about.clock().unwrap_or(jiff::tz::TimeZone::UTC);
        at.to_zoned(zone).datetime()
    }

    /// A time in words: `Friday 27 November 2026 at 18:00`.
    pub(super) fn in_words(&self, at: Timestamp) -> String {
        let local = self.local(at).strftime("%A %-d %B %Y at %H:%M");
        local.to_string()
    }

    /// The event's zone: `Vienna`, `UTC+01:00`.
    pub(super) fn zone_name(&self) -> String {
        let zone = self.about.zone.as_str();
        match zone.rsplit_once('/') {
            Some((_, city)) => city.replace('_', " "),
            None if zone.starts_with(['+', '-']) => format!("UTC{zone}"),
            None => zone.to_owned(),
        }
    }

    /// The event's zone in words: `Vienna time`.
    pub(super) fn zone(&self) -> String {
        match self.about.zone.contains('/') {
            true => format!("{} time", self.zone_name()),
            false => self.zone_name(),
        }
    }

    /// Whether a player may hand in now; otherwise why not.
    pub(super) fn may_hand_in(&self, locked: bool) -> Result<(), Trouble> {
        let ask = "Ask the organiser.";
        if self.closed {
            return Err(Trouble::new(409, "This event takes no more decks.", ask));
        }
        if locked {
            let message = "The organiser locked your deck: you cannot change it any more.";
            return Err(Trouble::new(409, message, ask));
        }
        if self.is_late() && self.about.late == Late::Refuse {
            let message = "The deadline has passed, and this event takes nothing late.";
            return Err(Trouble::new(409, message, ask));
        }
        Ok(())
    }
}
