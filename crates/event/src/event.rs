//! An event's folder: opened by one command after another, and by the desk.

use crate::about::{About, AboutError};
use crate::import::{self, Form, Preview};
use crate::record::{By, Decision, EntryId, Fact, Happening, Personal, PlayerId, Record, Whose};
use crate::roster::{Entry, Person, Roster};
use crate::standing::Standing;
use crate::store::{Store, StoreError};
use crate::verdict::{self, Checked};
use decklaw_core::banlist::lock::{Lock, LockFileError};
use decklaw_core::deck::Input;
use decklaw_core::judge::{Judge, JudgeError, Report};
use decklaw_core::text::listed;
use decklaw_core::yaml::FileError;
use std::path::{Path, PathBuf};

/// The files of an event's folder.
const ABOUT: &str = "event.yaml";
const LOCK: &str = "lock";
const ENTRIES: &str = Event::RECORDS;

/// The source of decks that were handed in at the desk.
pub(crate) const DESK: &str = "desk";

/// Why an event cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum EventError {
    /// A file cannot be read or written.
    #[error("{0}: {1}")]
    Io(String, std::io::Error),
    /// It is no event.
    #[error("{0}: this is no event's folder; `decklaw event new` makes one")]
    NoEvent(String),
    /// There is one already.
    #[error("{0}: this folder is not empty; name another one for the event")]
    NotEmpty(String),
    /// `event.yaml` is wrong.
    #[error("{ABOUT}: {0}")]
    About(#[from] AboutError),
    /// The lock is wrong.
    #[error("{LOCK}: {0}")]
    Lock(#[from] LockFileError),
    /// A list in the lock is wrong.
    #[error("{LOCK}: {0}")]
    List(#[from] Box<FileError>),
    /// The records are wrong.
    #[error("{ENTRIES}: {0}")]
    Store(#[from] StoreError),
    /// The lock judges nothing of the kind.
    #[error(transparent)]
    Judge(#[from] JudgeError),
    /// Something is said that is not so.
    #[error("{0}")]
    Said(String),
}

impl From<String> for EventError {
    fn from(said: String) -> EventError {
        EventError::Said(said)
    }
}

/// An event.
#[derive(Debug)]
pub struct Event {
    folder: PathBuf,
    /// What it is.
    pub about: About,
    judge: Judge,
    store: Store,
    roster: Roster,
    number: i64,
}

impl Event {
    /// The file of the records in the folder.
    pub const RECORDS: &'static str = "entries.db";

    /// Whether a folder says that it is an event's.
    pub fn is_in(folder: &Path) -> bool {
        folder.join(ABOUT).is_file()
    }

    /// Makes an event's folder: its lock is all that decides from now on.
    ///
    /// # Errors
    /// A folder that is not empty or cannot be written, and an `about` whose times are none.
    pub fn create(folder: &Path, about: &About, lock: &str) -> Result<Event, EventError> {
        about.check()?;
        Lock::read(lock.as_bytes())?;
        let name = folder.display().to_string();
        let io = |error| EventError::Io(name.clone(), error);
        std::fs::create_dir_all(folder).map_err(io)?;
        if std::fs::read_dir(folder).map_err(io)?.next().is_some() {
            return Err(EventError::NotEmpty(name));
        }
        let write = |file: &str, text: &str| std::fs::write(folder.join(file), text).map_err(io);
        write(LOCK, lock)?;
        drop(Store::create(&folder.join(ENTRIES))?);
        // By this file a folder is an event: whoever finds it finds the rest.
        write(ABOUT, &about.text())?;
        Event::open(folder)
    }

    /// Opens an event's folder.
    ///
    /// # Errors
    /// A folder that is none, and files in it that cannot be read.
    pub fn open(folder: &Path) -> Result<Event, EventError> {
        let name = folder.display().to_string();
        if !Event::is_in(folder) || !folder.join(ENTRIES).is_file() {
            return Err(EventError::NoEvent(name));
        }
        let read = |file: &str| {
            let path = folder.join(file);
            std::fs::read(&path).map_err(|error| EventError::Io(path.display().to_string(), error))
        };
        let about = About::read(&String::from_utf8_lossy(&read(ABOUT)?))?;
        let lock = Lock::read(&read(LOCK)?)?;
        let judge = Judge::of_lock(lock).map_err(Box::new)?;
        let store = Store::open(&folder.join(ENTRIES))?;
        let mut event = Event {
            folder: folder.to_owned(),
            about,
            judge,
            store,
            roster: Roster::default(),
            number: 0,
        };
        let records = event.store.since(0)?;
        event.take(&records);
        Ok(event)
    }

    /// Takes records in.
    fn take(&mut self, records: &[Record]) {
        for record in records {
            self.roster.take(record);
        }
        if let Some(last) = records.last() {
            self.number = last.number;
        }
    }

    /// Takes in what others have written since, and `event.yaml` as it is now.
    ///
    /// # Errors
    /// Files that cannot be read.
    pub fn refresh(&mut self) -> Result<(), EventError> {
        let records = self.store.since(self.number)?;
        let removed =
            |record: &Record| matches!(record.fact, Fact::Decided(Decision::Forgotten { .. }));
        if records.iter().any(removed) {
            self.read_anew()?;
        } else {
            self.take(&records);
        }
        let path = self.folder.join(ABOUT);
        if let Ok(text) = std::fs::read_to_string(&path) {
            self.about = About::read(&text)?;
        }
        Ok(())
    }

    /// Knows no more than the records say now: what was removed from them leaves memory, too.
    fn read_anew(&mut self) -> Result<(), EventError> {
        let records = self.store.since(0)?;
        self.roster = Roster::default();
        self.take(&records);
        Ok(())
    }

    /// The folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Who is there and what came.
    pub fn roster(&self) -> &Roster {
        &self.roster
    }

    /// What decks are judged by.
    pub fn judge(&self) -> &Judge {
        &self.judge
    }

    /// The number of the last record: another one tells that something happened since.
    pub fn number(&self) -> i64 {
        self.number
    }

    /// The seal of the lock.
    pub fn seal(&self) -> &str {
        self.judge.lock().map_or("", |lock| &lock.seal)
    }

    /// Copies the event's folder, while others may write to it, to one that is not there yet.
    ///
    /// # Errors
    /// A folder that is there or cannot be written.
    pub fn back_up(&self, to: &Path) -> Result<(), EventError> {
        let name = to.display().to_string();
        let io = |error| EventError::Io(name.clone(), error);
        std::fs::create_dir(to).map_err(io)?;
        for file in [ABOUT, LOCK] {
            std::fs::copy(self.folder.join(file), to.join(file)).map_err(io)?;
        }
        Ok(self.store.back_up(&to.join(ENTRIES))?)
    }

    /// Writes what happens down, all of it or nothing, and waits until it is on the disk.
    /// `happens` sees the roster as it is by then, whoever has written meanwhile. What was sent by
    /// the same form before does not happen again: then nothing is written.
    ///
    /// # Errors
    /// What `happens` refuses, and records that cannot be written.
    pub fn commit(
        &mut self,
        by: impl Into<By>,
        happens: impl FnOnce(&Roster) -> Result<Vec<Happening>, EventError>,
    ) -> Result<Vec<Record>, EventError> {
        let by = by.into();
        let roster = &mut self.roster;
        let mut met = None;
        let written = self.store.append(self.number, &by, |missed| {
            for record in &missed {
                roster.take(record);
            }
            met = missed.last().map(|last| last.number);
            if roster.has_done(&by) {
                return Ok(Vec::new());
            }
            happens(roster)
        });
        self.number = met.unwrap_or(self.number);
        let written = written?;
        self.take(&written);
        Ok(written)
    }

    /// What importing some forms, one after another, would come to.
    pub fn preview(&self, forms: &[Form]) -> Vec<Preview> {
        let mut grown = self.roster.clone();
        let each = forms.iter();
        each.map(|form| form.happenings(&mut grown).1).collect()
    }

    /// Takes the rows of a form in that were not taken in before.
    ///
    /// # Errors
    /// Records that cannot be written.
    pub fn import(&mut self, form: &Form) -> Result<Preview, EventError> {
        let mut preview = Preview::default();
        self.commit("import", |roster| {
            let (all, seen) = form.happenings(&mut roster.clone());
            preview = seen;
            Ok(all)
        })?;
        Ok(preview)
    }

    /// Expects the players of a list; the sentences say what is to be known of it.
    ///
    /// # Errors
    /// Records that cannot be written.
    pub fn expect(&mut self, list: &[Personal]) -> Result<(usize, Vec<String>), EventError> {
        let mut notes = Vec::new();
        let written = self.commit("import", |roster| {
            let (all, told) = import::people(list, roster);
            notes = told;
            Ok(all)
        })?;
        Ok((written.len(), notes))
    }

    /// Writes a decision of an organiser down; `deck` goes with those that have one.
    ///
    /// # Errors
    /// A player or an entry that is not there, and records that cannot be written.
    pub fn decide(
        &mut self,
        by: impl Into<By>,
        decision: Decision,
        personal: Personal,
        deck: Option<Vec<u8>>,
    ) -> Result<(), EventError> {
        self.commit(by, |roster| {
            fits(roster, &decision)?;
            Ok(vec![Happening {
                fact: Fact::Decided(decision),
                personal,
                deck,
            }])
        })?;
        Ok(())
    }

    /// Says whose an entry is: a player's, or somebody's who is new where that is `None`.
    ///
    /// # Errors
    /// An entry that is not there, and records that cannot be written.
    pub fn assign(
        &mut self,
        by: impl Into<By>,
        entry: EntryId,
        player: Option<PlayerId>,
        words: Option<String>,
    ) -> Result<PlayerId, EventError> {
        let mut whose = PlayerId(0);
        self.commit(by, |roster| {
            let Some(known) = roster.entries.get(&entry) else {
                return Err(no_entry(entry));
            };
            let mut all = Vec::new();
            whose = match player {
                Some(player) if roster.players.contains_key(&player) => player,
                Some(player) => return Err(no_player(player)),
                None => {
                    let player = roster.next_player();
                    let name = known.person.name.clone();
                    let name = name.or_else(|| known.person.addresses.first().cloned());
                    all.push(Happening {
                        fact: Fact::Player {
                            player,
                            expected: false,
                        },
                        personal: Personal {
                            name: name.or_else(|| Some(known.place())),
                            ..Personal::default()
                        },
                        deck: None,
                    });
                    player
                }
            };
            let decision = Decision::Is {
                entry,
                player: whose,
            };
            all.push(Happening::from(decision).saying(words));
            Ok(all)
        })?;
        Ok(whose)
    }

    /// Answers every open question about whose an entry is with the likeliest answer; those that
    /// were answered. A question about a time has none.
    ///
    /// # Errors
    /// Records that cannot be written.
    pub fn answer_all(
        &mut self,
        by: impl Into<By>,
    ) -> Result<Vec<(EntryId, PlayerId)>, EventError> {
        let (by, mut answered) = (by.into(), Vec::new());
        loop {
            // An answer may make another question another one.
            let open = self.roster.entries.values().find_map(|entry| {
                let question = Roster::question(entry)?;
                (entry.counts != Some(false)).then_some((entry.id, question.likely))
            });
            let Some((entry, _)) = open else {
                return Ok(answered);
            };
            let likely = self.likely(entry);
            let player = self.assign(&by.who, entry, likely, None)?;
            answered.push((entry, player));
        }
    }

    /// Whose an entry most likely is, by what is known now.
    pub fn likely(&self, entry: EntryId) -> Option<PlayerId> {
        let entry = self.roster.entries.get(&entry)?;
        let Whose::Asked(question) = &entry.whose else {
            return None;
        };
        match self.roster.whose(&entry.person) {
            Whose::Player(player) if player.0 > 0 => Some(player),
            Whose::Player(_) => None,
            Whose::Asked(now) if now.why == question.why => now.likely,
            Whose::Asked(_) => question.likely,
        }
    }

    /// Draws players for a deck check by chance, from those whose deck counts and who were not
    /// drawn before. Fewer than `number` where there are no more.
    ///
    /// # Errors
    /// Records that cannot be written.
    pub fn draw(&mut self, by: impl Into<By>, number: usize) -> Result<Vec<PlayerId>, EventError> {
        self.refresh()?;
        let standing = self.standing()?;
        let mut drawn = Vec::new();
        self.commit(by, |roster| {
            let fresh =
                |player: &PlayerId| roster.players.get(player).is_some_and(|own| !own.drawn);
            let mut left: Vec<PlayerId> = standing.counting().map(|(player, _)| player).collect();
            left.retain(fresh);
            while drawn.len() < number && !left.is_empty() {
                let at = crate::store::below(left.len()).map_err(StoreError::from)?;
                drawn.push(left.swap_remove(at));
            }
            let players = drawn.clone();
            Ok(match players.is_empty() {
                true => Vec::new(),
                false => vec![Decision::Drawn { players }.into()],
            })
        })?;
        Ok(drawn)
    }

    /// Removes what is known of a player at their wish: names, addresses, decks and free text. Their
    /// key opens nothing any more. That it was done is written down.
    ///
    /// # Errors
    /// A player who is not there, and records that cannot be written.
    pub fn forget(&mut self, by: impl Into<By>, player: PlayerId) -> Result<usize, EventError> {
        let mut removed = 0;
        // Of all records, as they are by then: what is written down and what is removed are one.
        let by = by.into();
        self.store.append_and_remove(0, &by, |all| {
            let mut roster = Roster::default();
            for record in &all {
                roster.take(record);
            }
            if roster.has_done(&by) {
                return Ok((Vec::new(), Vec::new()));
            }
            if !roster.players.contains_key(&player) {
                return Err(no_player(player));
            }
            let player = roster.real(player);
            let own = all
                .iter()
                .filter(|record| tells_of(&roster, player, &record.fact));
            let own: Vec<i64> = own.map(|record| record.number).collect();
            removed = own.len();
            Ok((vec![Decision::Forgotten { player }.into()], own))
        })?;
        self.store.clean()?;
        self.read_anew()?;
        Ok(removed)
    }

    /// Hands a deck in at the desk, for the player that `may` finds, or for somebody new. `key` is
    /// the digest of the key that opens the player's deck from now on. The answer is the player
    /// and the entry.
    ///
    /// # Errors
    /// What `may` says against it, and records that cannot be written.
    pub fn hand_in(
        &mut self,
        by: impl Into<By>,
        person: &Person,
        deck: &[u8],
        file: Option<String>,
        key: Option<String>,
        may: impl FnOnce(&Roster) -> Result<Option<PlayerId>, EventError>,
    ) -> Result<(PlayerId, EntryId), EventError> {
        let at = crate::store::now();
        let (mut whose, mut id) = (PlayerId(0), EntryId(0));
        self.commit(by, |roster| {
            let mut all = Vec::new();
            whose = match may(roster)? {
                Some(player) => player,
                None => {
                    let player = roster.next_player();
                    all.push(Happening {
                        fact: Fact::Player {
                            player,
                            expected: false,
                        },
                        personal: Personal {
                            name: person.name.clone(),
                            addresses: person.addresses.clone(),
                            ..Personal::default()
                        },
                        deck: None,
                    });
                    player
                }
            };
            if let Some(key) = key {
                let decision = Decision::Key {
                    player: Some(whose),
                    key,
                };
                all.push(decision.into());
            }
            // The same deck again is the one that is there.
            let last = roster.of(roster.real(whose)).last();
            if let Some(last) = last.filter(|last| last.deck == deck && last.source == DESK) {
                id = last.id;
                return Ok(all);
            }
            id = roster.next_entry();
            all.push(Happening {
                fact: Fact::Entry {
                    entry: id,
                    source: DESK.to_owned(),
                    row: None,
                    at: Some(at),
                    whose: Whose::Player(whose),
                    mark: id.to_string(),
                },
                personal: Personal {
                    name: person.name.clone(),
                    addresses: person.addresses.clone(),
                    file,
                    ..Personal::default()
                },
                deck: Some(deck.to_vec()),
            });
            Ok(all)
        })?;
        Ok((whose, id))
    }

    /// Whose deck counts, and what is open.
    ///
    /// # Errors
    /// An `event.yaml` whose times are none.
    pub fn standing(&self) -> Result<Standing, EventError> {
        Ok(Standing::of(&self.about, &self.roster)?)
    }

    /// What the lock says of an entry, and the deck's text as it was judged.
    ///
    /// # Errors
    /// A lock that judges nothing of the kind.
    pub fn report(
        &self,
        standing: &Standing,
        entry: &Entry,
    ) -> Result<(Report, Vec<u8>), EventError> {
        let format = self.about.format.as_deref();
        let judged = verdict::report(&self.judge, &self.roster, standing, entry, format);
        Ok(judged?)
    }

    /// Holds a deck at a table against the one of a player that counts.
    ///
    /// # Errors
    /// A player of whom no deck counts.
    pub fn check(&self, player: PlayerId, deck: &[u8]) -> Result<Checked, EventError> {
        let standing = self.standing()?;
        let counting = standing.players.get(&self.roster.real(player));
        let entry = counting.and_then(|counting| counting.counts());
        let entry = entry.and_then(|entry| self.roster.entries.get(&entry));
        let Some(entry) = entry else {
            return Err(EventError::Said(format!(
                "no deck of {player} counts, so that there is nothing to compare with"
            )));
        };
        let told = entry
            .personal
            .format
            .as_deref()
            .or(self.about.format.as_deref());
        let (report, text) = self.report(&standing, entry)?;
        let told = told.or(report.format.as_deref());
        let input = match entry.read_as {
            Some(_) => Input::default(),
            None => verdict::input(entry),
        };
        Ok(verdict::check(&self.judge, (&text, input), deck, told)?)
    }
}

/// Whether what goes with a record is about a player.
fn tells_of(roster: &Roster, player: PlayerId, fact: &Fact) -> bool {
    let own = |id: &PlayerId| roster.real(*id) == player;
    let brought = |entry: &EntryId| match roster.entries.get(entry).map(|entry| &entry.whose) {
        Some(Whose::Player(id)) => own(id),
        _ => false,
    };
    match fact {
        Fact::Player { player, .. } => own(player),
        Fact::Entry { entry, .. } => brought(entry),
        Fact::Decided(decision) => match decision {
            Decision::Is { entry, .. }
            | Decision::Came { entry, .. }
            | Decision::Counts { entry, .. }
            | Decision::ReadAs { entry } => brought(entry),
            Decision::Same { player, .. }
            | Decision::Expected { player, .. }
            | Decision::Table { player, .. }
            | Decision::Renamed { player }
            | Decision::Checked { player, .. } => own(player),
            _ => false,
        },
    }
}

fn no_player(player: PlayerId) -> EventError {
    EventError::Said(format!("there is no player {player} in this event"))
}

fn no_entry(entry: EntryId) -> EventError {
    EventError::Said(format!("there is no deck {entry} in this event"))
}

/// Whether a decision is about what is there.
fn fits(roster: &Roster, decision: &Decision) -> Result<(), EventError> {
    let player = |player: &PlayerId| match roster.players.contains_key(player) {
        true => Ok(()),
        false => Err(no_player(*player)),
    };
    let entry = |entry: &EntryId| match roster.entries.contains_key(entry) {
        true => Ok(()),
        false => Err(no_entry(*entry)),
    };
    match decision {
        Decision::Is {
            entry: of,
            player: own,
        } => entry(of).and_then(|()| player(own)),
        Decision::Counts { entry: of, counts } => {
            entry(of)?;
            let whose = roster.entries.get(of).map(|entry| &entry.whose);
            match (counts, whose) {
                (true, Some(Whose::Asked(_))) => Err(EventError::Said(format!(
                    "nobody knows yet whose {of} is: say that first"
                ))),
                _ => Ok(()),
            }
        }
        Decision::Came { entry: of, .. } | Decision::ReadAs { entry: of } => entry(of),
        Decision::Same { player: own, with } => {
            player(own)?;
            player(with)?;
            let one = roster.real(*own);
            if one != roster.real(*with) {
                return Ok(());
            }
            let ids = roster.players.keys();
            let also = ids.filter(|id| **id != one && roster.real(**id) == one);
            let also: Vec<String> = also.map(PlayerId::to_string).collect();
            let also = if also.is_empty() {
                String::new()
            } else {
                format!(", who is {} too", listed(&also, "and"))
            };
            Err(EventError::Said(format!(
                "both mean one player, {}{also}; name another player",
                roster.called(one)
            )))
        }
        Decision::Expected { player: own, .. }
        | Decision::Table { player: own, .. }
        | Decision::Renamed { player: own }
        | Decision::Checked { player: own, .. }
        | Decision::Forgotten { player: own }
        | Decision::Lock {
            player: Some(own), ..
        }
        | Decision::Key {
            player: Some(own), ..
        } => player(own),
        Decision::Drawn { players } => players.iter().try_for_each(player),
        Decision::Means { .. }
        | Decision::Lock { player: None, .. }
        | Decision::Key { player: None, .. } => Ok(()),
    }
}
