//! The events of a server: folders that commands may write to at the same time.

use crate::answering::blocking;
use crate::error::HttpError;
use crate::folder_lock;
use crate::store::{OpenFile, closed};
use decklaw_ask::{JudgeOptions, Library};
use decklaw_event::{About, EntryId, Event, EventError, Late};
use decklaw_judge::judge::Judge;
use decklaw_text::text::sentence;
use decklaw_text::{Problem, ProblemKind};
use jiff::civil::DateTime;
use jiff::{Timestamp, Zoned};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fs::File;
use std::io::ErrorKind;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError, RwLock};

/// What is wrong where another server has an event, and what to do.
const TAKEN: (&str, &str) = ("another server has this event", "end that one first");

/// The most deck checks, and judges of one, whose ticks are kept.
const MOST_CHECKS: usize = 50;
const MOST_JUDGES: usize = 8;

/// An event of this server.
#[derive(Debug)]
pub(crate) struct EventHandle {
    pub(crate) id: String,
    event: Mutex<Event>,
    /// The same event for what takes long, so that hand-ins do not wait for it.
    reader: Mutex<Event>,
    /// Answers the builder by the event's lock alone.
    pub(crate) library: Arc<Library>,
    /// Ticks and notes of deck checks that are under way, by the judges who made them.
    ticks: Mutex<BTreeMap<EntryId, BTreeMap<String, Value>>>,
    /// The file of its rows.
    rows: OpenFile,
    /// The lock of its folder; none of a copy that is only read.
    lock: Option<File>,
}

/// Every event of a server, by its id.
#[derive(Debug, Default)]
pub(crate) struct Events(RwLock<BTreeMap<String, Arc<EventHandle>>>);

impl From<EventError> for HttpError {
    fn from(error: EventError) -> HttpError {
        match error {
            EventError::Rows(error) => error.into(),
            EventError::Io(_, error) if is_of_the_disk(error.kind()) => closed(&error),
            EventError::Refused(why) => HttpError::new(409, sentence(&why), ""),
            error @ (EventError::Conflict(..) | EventError::Rests(_)) => {
                HttpError::new(409, sentence(&error.to_string()), "")
            }
            EventError::Judge(error) => error.into(),
            EventError::About(error) => HttpError::wrong(sentence(&error.message)),
            other => HttpError::new(
                500,
                format!("The folder of this event cannot be used. ({other})"),
                "The host of this server must check it.",
            ),
        }
    }
}

/// Whether a file could not be written since there is no room or no right to.
fn is_of_the_disk(kind: ErrorKind) -> bool {
    use ErrorKind::{PermissionDenied, QuotaExceeded, ReadOnlyFilesystem, StorageFull};
    matches!(kind, PermissionDenied | QuotaExceeded | ReadOnlyFilesystem | StorageFull)
}

impl EventHandle {
    /// Opens an event's folder for a server at an address.
    ///
    /// # Errors
    /// A folder that is not an event, or that another server holds; for people.
    pub(crate) fn open(folder: &Path, id: &str, address: &str) -> Result<EventHandle, String> {
        let name = folder.display();
        let open = || {
            Event::open(folder).map_err(|error| match error {
                error @ EventError::NoEvent(_) => error.to_string(),
                error => format!("{name}: {error}"),
            })
        };
        let (event, reader) = (open()?, open()?);
        let lock = event.judge().lock().cloned();
        let judges = move |_: &JudgeOptions| match lock.clone().map(Judge::of_lock) {
            Some(Ok(judge)) => Ok(judge),
            Some(Err(error)) => Err(Problem::new(ProblemKind::Game, error.to_string())),
            None => Err(Problem::new(ProblemKind::Game, "this event has no lock")),
        };
        let full = folder.canonicalize();
        let full = full.map_err(|error| format!("{name}: {error}"))?;
        Ok(EventHandle {
            id: id.to_owned(),
            event: Mutex::new(event),
            reader: Mutex::new(reader),
            library: Arc::new(Library::new(Box::new(judges), || Zoned::now().date())),
            ticks: Mutex::default(),
            rows: OpenFile::of(&full.join(Event::ROWS)),
            lock: folder_lock::lock_or_read(folder, address, TAKEN)?,
        })
    }

    /// The ticks of each judge on an entry.
    pub(crate) fn ticks(&self, entry: EntryId) -> Value {
        let ticks = self.ticks.lock().unwrap_or_else(PoisonError::into_inner);
        json!(ticks.get(&entry))
    }

    /// Keeps the ticks of a judge, while the server runs.
    pub(crate) fn set_ticks(&self, entry: EntryId, by: &str, own: Value) {
        let mut ticks = self.ticks.lock().unwrap_or_else(PoisonError::into_inner);
        while ticks.len() >= MOST_CHECKS && !ticks.contains_key(&entry) {
            ticks.pop_first();
        }
        let judges = ticks.entry(entry).or_default();
        if judges.len() < MOST_JUDGES || judges.contains_key(by) {
            judges.insert(by.to_owned(), own);
        }
    }

    /// Reads the event as it is now; it may take its time.
    ///
    /// # Errors
    /// Those of the work, and a folder that cannot be used.
    pub(crate) fn read<T>(
        &self,
        work: impl FnOnce(&Event) -> Result<T, HttpError>,
    ) -> Result<T, HttpError> {
        let mut event = self.reader.lock().unwrap_or_else(PoisonError::into_inner);
        event.refresh()?;
        work(&event)
    }

    /// Does something with the event as it is now, off the threads that serve, to its end whether
    /// or not the client waits.
    ///
    /// # Errors
    /// Those of the work, and a folder that cannot be used.
    pub(crate) async fn with<T: Send + 'static>(
        self: &Arc<Self>,
        work: impl FnOnce(&mut Event) -> Result<T, HttpError> + Send + 'static,
    ) -> Result<T, HttpError> {
        let handle = Arc::clone(self);
        let done = blocking(move || {
            let mut event = handle.event.lock().unwrap_or_else(PoisonError::into_inner);
            // What is written to a file that was moved away is lost.
            let is_kept = || if handle.lock.is_some() { handle.rows.check() } else { Ok(()) };
            is_kept()?;
            event.refresh()?;
            let done = work(&mut event)?;
            is_kept()?;
            Ok(done)
        });
        done.await
    }
}

impl Events {
    pub(crate) fn add(&self, event: EventHandle) {
        let mut events = self.0.write().unwrap_or_else(PoisonError::into_inner);
        events.insert(event.id.clone(), Arc::new(event));
    }

    pub(crate) fn find(&self, id: &str) -> Option<Arc<EventHandle>> {
        let events = self.0.read().unwrap_or_else(PoisonError::into_inner);
        events.get(id).map(Arc::clone)
    }

    pub(crate) fn all(&self) -> Vec<Arc<EventHandle>> {
        let events = self.0.read().unwrap_or_else(PoisonError::into_inner);
        events.values().map(Arc::clone).collect()
    }
}

/// What pages say of an event.
#[derive(Debug, Clone)]
pub(crate) struct View {
    pub(crate) id: String,
    pub(crate) title: String,
    pub(crate) format: String,
    /// The format's name.
    pub(crate) format_name: String,
    pub(crate) about: About,
    pub(crate) due: Option<Timestamp>,
    /// Whether decks may no longer be changed.
    pub(crate) closed: bool,
    /// Whether everyone may read the decks.
    pub(crate) published: bool,
    /// The banlist's id.
    pub(crate) list: Option<String>,
    pub(crate) settings: BTreeMap<String, String>,
    pub(crate) seal: String,
}

impl View {
    pub(crate) fn of(id: &str, event: &Event) -> Result<View, HttpError> {
        let lock = event.judge().lock();
        let format = event.about.format.clone().unwrap_or_default();
        let known = event.judge().catalogue().format(&format).ok();
        let game = known.as_ref().map_or("", |format| format.game().id());
        let list = lock.and_then(|lock| lock.chosen(game, Some(&format)));
        Ok(View {
            id: id.to_owned(),
            title: event.about.name.clone(),
            due: event.about.due().map_err(EventError::About)?,
            closed: event.roster().closed,
            published: event.roster().published,
            list: list.map(|list| list.id.clone()),
            settings: lock.map(|lock| lock.settings.clone()).unwrap_or_default(),
            seal: event.seal().to_owned(),
            about: event.about.clone(),
            format_name: known.map_or_else(String::new, |format| format.entry().name.clone()),
            format,
        })
    }

    /// Whether the deadline has passed.
    pub(crate) fn is_late(&self) -> bool {
        self.due.is_some_and(|due| Timestamp::now() > due)
    }

    /// A time as clocks at the event show it.
    pub(crate) fn local(&self, at: Timestamp) -> DateTime {
        let zone = self.about.clock().unwrap_or(jiff::tz::TimeZone::UTC);
        at.to_zoned(zone).datetime()
    }

    /// A time in words: `Friday 27 November 2026 at 18:00`.
    pub(crate) fn in_words(&self, at: Timestamp) -> String {
        let local = self.local(at).strftime("%A %-d %B %Y at %H:%M");
        local.to_string()
    }

    /// The event's zone: `Vienna`, `UTC+01:00`.
    pub(crate) fn zone_name(&self) -> String {
        let zone = self.about.zone.as_str();
        match zone.rsplit_once('/') {
            Some((_, city)) => city.replace('_', " "),
            None if zone.starts_with(['+', '-']) => format!("UTC{zone}"),
            None => zone.to_owned(),
        }
    }

    /// The event's zone in words: `Vienna time`.
    pub(crate) fn zone(&self) -> String {
        if self.about.zone.contains('/') {
            format!("{} time", self.zone_name())
        } else {
            self.zone_name()
        }
    }

    /// Whether a player may withdraw or come back; otherwise why not.
    pub(crate) fn may_withdraw(&self, locked: bool) -> Result<(), HttpError> {
        if self.is_late() || self.closed || locked {
            let message = "Hand-in is over: you cannot withdraw or come back by yourself any more.";
            return Err(HttpError::new(409, message, "Ask the organiser."));
        }
        Ok(())
    }

    /// Whether a player may hand in now; otherwise why not.
    pub(crate) fn may_hand_in(&self, locked: bool) -> Result<(), HttpError> {
        let ask = "Ask the organiser.";
        if self.closed {
            return Err(HttpError::new(409, "This event takes no more decks.", ask));
        }
        if locked {
            let message = "The organiser locked your deck: you cannot change it any more.";
            return Err(HttpError::new(409, message, ask));
        }
        if self.is_late() && self.about.late == Late::Refuse {
            let message = "The deadline has passed, and this event takes no late decks.";
            return Err(HttpError::new(409, message, ask));
        }
        Ok(())
    }
}
