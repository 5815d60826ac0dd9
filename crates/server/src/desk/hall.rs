//! The events of a server: each is a folder, which commands may write to at the same time.

use super::super::Shared;
use super::super::guard::Who;
use super::super::held::{Busy, hold};
use super::super::store::{Fault, Place};
use super::super::trouble::Trouble;
use super::super::worker::{Judged, Verdicts};
use decklaw_event::{
    About, Came, Counting, Entry, EntryId, Event, EventError, Late, Player, PlayerId, Standing,
    StoreError,
};
use jiff::Timestamp;
use std::collections::BTreeMap;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError, RwLock};

/// What is said of an event that another server holds.
const HELD: Busy = Busy {
    what: "another server is the desk of this event",
    help: "end that one first",
};

/// An event that this server holds.
#[derive(Debug)]
pub(in super::super) struct Hall {
    pub(in super::super) id: String,
    /// The event's folder, as questions find it.
    folder: PathBuf,
    event: Mutex<Event>,
    /// Its records are still in the file that was opened.
    place: Place,
    /// No other server holds it while this one does.
    _held: File,
}

/// Every event of a server, by its id.
#[derive(Debug, Default)]
pub(in super::super) struct Halls(RwLock<BTreeMap<String, Arc<Hall>>>);

impl From<EventError> for Trouble {
    fn from(error: EventError) -> Trouble {
        match error {
            EventError::Store(StoreError::Sql(error)) => Fault::Sql(error).into(),
            EventError::Said(said) => Trouble::new(409, said, ""),
            EventError::Judge(error) => Trouble::from(&error),
            other => Trouble::new(
                500,
                format!("The folder of this event cannot be used. ({other})"),
                "Whoever runs this machine must look at it.",
            ),
        }
    }
}

impl Hall {
    /// Opens an event's folder for a server at an address.
    ///
    /// # Errors
    /// A folder that is no event's, or that another server holds; for people.
    pub(in super::super) fn open(folder: &Path, id: &str, address: &str) -> Result<Hall, String> {
        let name = folder.display();
        let event = Event::open(folder).map_err(|error| match error {
            error @ EventError::NoEvent(_) => error.to_string(),
            error => format!("{name}: {error}"),
        })?;
        let held = hold(folder, address, HELD)?;
        Ok(Hall {
            id: id.to_owned(),
            folder: folder
                .canonicalize()
                .map_err(|error| format!("{name}: {error}"))?,
            event: Mutex::new(event),
            place: Place::of(&folder.join(Event::RECORDS)),
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
    /// Those of the work, and an event's folder that cannot be used.
    pub(in super::super) async fn with<T: Send + 'static>(
        self: &Arc<Self>,
        work: impl FnOnce(&mut Event) -> Result<T, Trouble> + Send + 'static,
    ) -> Result<T, Trouble> {
        let hall = Arc::clone(self);
        let done = tokio::task::spawn_blocking(move || hall.now(work));
        done.await.unwrap_or_else(|_| Err(Trouble::defect()))
    }

    /// The same on this thread.
    ///
    /// # Errors
    /// As for [`with`](Hall::with).
    pub(in super::super) fn now<T>(
        &self,
        work: impl FnOnce(&mut Event) -> Result<T, Trouble>,
    ) -> Result<T, Trouble> {
        let mut event = self.event.lock().unwrap_or_else(PoisonError::into_inner);
        // What is written to a file that was moved away is not kept.
        self.place.holds()?;
        // Commands write to the same folder.
        event.refresh()?;
        let done = work(&mut event)?;
        self.place.holds()?;
        Ok(done)
    }
}

impl Halls {
    pub(in super::super) fn add(&self, hall: Hall) {
        let mut halls = self.0.write().unwrap_or_else(PoisonError::into_inner);
        halls.insert(hall.id.clone(), Arc::new(hall));
    }

    pub(in super::super) fn find(&self, id: &str) -> Option<Arc<Hall>> {
        let halls = self.0.read().unwrap_or_else(PoisonError::into_inner);
        halls.get(id).map(Arc::clone)
    }

    pub(in super::super) fn all(&self) -> Vec<Arc<Hall>> {
        let halls = self.0.read().unwrap_or_else(PoisonError::into_inner);
        halls.values().map(Arc::clone).collect()
    }
}

/// What pages say of an event.
#[derive(Debug, Clone)]
pub(in super::super) struct View {
    pub(in super::super) id: String,
    pub(in super::super) title: String,
    pub(in super::super) format: String,
    pub(super) about: About,
    pub(super) due: Option<Timestamp>,
    /// Whether nobody changes a deck any more.
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
        let due = event.about.due().map_err(EventError::from)?;
        Ok(View {
            id: id.to_owned(),
            title: event.about.name.clone(),
            due,
            closed: event.roster().closed,
            list: list.map(|list| list.id.clone()),
            settings: lock
                .map(|lock| lock.covered.settings.clone())
                .unwrap_or_default(),
            seal: event.seal().to_owned(),
            about: event.about.clone(),
            format,
        })
    }

    /// Whether the deadline is over.
    pub(super) fn is_late(&self) -> bool {
        self.due.is_some_and(|due| Timestamp::now() > due)
    }

    /// Whether a player may hand in now; otherwise why not.
    pub(super) fn may_hand_in(&self, locked: bool) -> Result<(), Trouble> {
        let ask = "Ask the organiser.";
        if self.closed {
            return Err(Trouble::new(409, "This event takes no more decks.", ask));
        }
        if locked {
            let message = "Your deck is locked: it cannot be changed any more.";
            return Err(Trouble::new(409, message, ask));
        }
        if self.is_late() && self.about.late == Late::Refuse {
            let message = "The deadline is over, and this event takes nothing late.";
            return Err(Trouble::new(409, message, ask));
        }
        Ok(())
    }
}

/// A deck as it came; with what the lock says of it, once that is told.
#[derive(Debug, Clone)]
pub(super) struct Version<J = Judged> {
    pub(super) entry: EntryId,
    pub(super) number: usize,
    /// When it came; when it was taken in, where that is not known.
    pub(super) at: String,
    pub(super) late: bool,
    pub(super) who: String,
    pub(super) place: String,
    pub(super) deck: String,
    /// Whether a person read it otherwise than it came.
    pub(super) read_as: Option<String>,
    pub(super) judged: J,
}

impl Version<()> {
    /// A version of a player's deck, before it is judged.
    fn of(standing: &Standing, entry: &Entry, number: usize) -> Version<()> {
        Version {
            entry: entry.id,
            number,
            at: entry
                .at
                .map_or_else(|| entry.taken.clone(), |at| format!("{at:.3}")),
            late: standing.came(entry) == Came::Late,
            who: entry.who.clone(),
            place: entry.place(),
            deck: String::from_utf8_lossy(&entry.deck).into_owned(),
            read_as: entry.read_as.clone(),
            judged: (),
        }
    }

    fn with(self, judged: Judged) -> Version {
        Version {
            entry: self.entry,
            number: self.number,
            at: self.at,
            late: self.late,
            who: self.who,
            place: self.place,
            deck: self.deck,
            read_as: self.read_as,
            judged,
        }
    }
}

/// Every version of a player, the newest first, before they are judged.
pub(super) fn versions(event: &Event, player: PlayerId) -> Result<Vec<Version<()>>, Trouble> {
    let standing = event.standing()?;
    let own = event.roster().of(player).zip(1..);
    let mut all: Vec<Version<()>> = own
        .map(|(entry, number)| Version::of(&standing, entry, number))
        .collect();
    all.reverse();
    Ok(all)
}

/// Judges versions.
///
/// # Errors
/// Those of the asking.
pub(super) async fn judged(
    app: &Shared,
    who: &Who,
    hall: &Hall,
    versions: Vec<Version<()>>,
) -> Result<Vec<Version>, Trouble> {
    let verdicts = Verdicts {
        event: hall.folder(),
        entries: versions.iter().map(|version| version.entry).collect(),
    };
    let verdicts = app.workers.ask(who.address, verdicts).await?;
    let both = versions.into_iter().zip(verdicts);
    Ok(both.map(|(version, judged)| version.with(judged)).collect())
}

/// A player with the deck that counts, or else the one that is to be shown.
#[derive(Debug, Clone)]
pub(super) struct Row<J = Judged> {
    pub(super) player: Player,
    pub(super) counting: Counting,
    pub(super) last: Option<Version<J>>,
    /// A late deck beside the one that counts.
    pub(super) beside: Option<EntryId>,
}

/// Every player by name, before the decks are judged.
pub(super) fn rows(event: &Event, standing: &Standing) -> Vec<Row<()>> {
    let roster = event.roster();
    let players = event.by_name().into_iter();
    let players = players.filter_map(|id| roster.players.get(&id));
    let row = |player: &Player| {
        let counting = standing.players.get(&player.id).copied();
        let counting = counting.unwrap_or(Counting::Missing);
        let entry = counting.entry();
        let entry = entry.and_then(|entry| roster.entries.get(&entry));
        let own = standing.entries.get(&player.id).map_or(0, Vec::len);
        Row {
            player: player.clone(),
            counting,
            last: entry.map(|entry| Version::of(standing, entry, own)),
            beside: standing.beside.get(&player.id).copied(),
        }
    };
    players.map(row).collect()
}

/// Has a worker judge the decks of rows.
///
/// # Errors
/// Those of the asking.
pub(super) async fn judged_rows(
    app: &Shared,
    who: &Who,
    hall: &Hall,
    mut rows: Vec<Row<()>>,
) -> Result<Vec<Row>, Trouble> {
    let decks = rows.iter_mut().filter_map(|row| row.last.take()).collect();
    let decks = judged(app, who, hall, decks).await?;
    let mut decks: BTreeMap<EntryId, Version> =
        decks.into_iter().map(|deck| (deck.entry, deck)).collect();
    let row = |row: Row<()>| Row {
        last: row.counting.entry().and_then(|entry| decks.remove(&entry)),
        player: row.player,
        counting: row.counting,
        beside: row.beside,
    };
    Ok(rows.into_iter().map(row).collect())
}
