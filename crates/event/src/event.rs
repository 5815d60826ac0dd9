//! An event's folder: commands and the server open it side by side.

use crate::about::{About, AboutError};
use crate::decision::{Author, Decision};
use crate::id::{EntryId, PlayerId};
use crate::import::{self, Form, Preview};
use crate::roster::{DESK, Entry, Person, Player, Roster};
use crate::standing::Standing;
use crate::store::{NewRow, Store, StoreError, random_below};
use decklaw_core::banlist::lock::{Lock, LockFileError};
use decklaw_core::judge::{Judge, JudgeError};
use decklaw_core::yaml::FileError;
use jiff::Timestamp;
use std::io::Write as _;
use std::path::{Path, PathBuf};

/// The files of an event's folder.
const ABOUT: &str = "event.yaml";
const LOCK: &str = "lock";

/// Why an event cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum EventError {
    /// A file cannot be read or written.
    #[error("{0}: {1}")]
    Io(String, std::io::Error),
    /// The folder is not an event.
    #[error("{0}: this folder is not an event; `decklaw event new` creates one")]
    NoEvent(String),
    /// The folder has files in it.
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
    /// The rows are wrong.
    #[error("{file}: {0}", file = Event::ROWS)]
    Store(#[from] StoreError),
    /// The lock has no rules for a deck.
    #[error(transparent)]
    Judge(#[from] JudgeError),
    /// What is asked for is refused, in words.
    #[error("{0}")]
    Refused(String),
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
    version: i64,
}

impl Event {
    /// The file of the rows in the folder.
    pub const ROWS: &'static str = "entries.db";

    /// Whether a folder is an event's.
    pub fn is_in(folder: &Path) -> bool {
        folder.join(ABOUT).is_file()
    }

    /// Creates an event's folder. From then on only its lock decides.
    ///
    /// # Errors
    /// A folder that is not empty or cannot be written, and times in `about` that are not times.
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
        drop(Store::create(&folder.join(Event::ROWS))?);
        // This file makes the folder an event, so it comes last.
        write(ABOUT, &about.text())?;
        Event::open(folder)
    }

    /// Opens an event's folder.
    ///
    /// # Errors
    /// A folder that is not an event, and files in it that cannot be read.
    pub fn open(folder: &Path) -> Result<Event, EventError> {
        if !Event::is_in(folder) || !folder.join(Event::ROWS).is_file() {
            return Err(EventError::NoEvent(folder.display().to_string()));
        }
        let read = |file: &str| {
            let path = folder.join(file);
            std::fs::read(&path).map_err(|error| EventError::Io(path.display().to_string(), error))
        };
        let about = About::read(&String::from_utf8_lossy(&read(ABOUT)?))?;
        let judge = Judge::of_lock(Lock::read(&read(LOCK)?)?).map_err(Box::new)?;
        let store = Store::open(&folder.join(Event::ROWS))?;
        let version = store.version()?;
        Ok(Event {
            folder: folder.to_owned(),
            about,
            judge,
            roster: Roster::of(store.rows()?),
            version,
            store,
        })
    }

    /// Reads what others have written since, and `event.yaml` as it is now.
    ///
    /// # Errors
    /// Files that cannot be read.
    pub fn refresh(&mut self) -> Result<(), EventError> {
        let version = self.store.version()?;
        if version != self.version {
            self.roster = Roster::of(self.store.rows()?);
            self.version = version;
        }
        if let Ok(text) = std::fs::read_to_string(self.folder.join(ABOUT)) {
            self.about = About::read(&text)?;
        }
        Ok(())
    }

    /// Replaces `event.yaml`.
    ///
    /// # Errors
    /// Times in `about` that are not times, and a folder that cannot be written.
    pub fn set_about(&mut self, about: About) -> Result<(), EventError> {
        about.check()?;
        let path = self.folder.join(ABOUT);
        let draft = self.folder.join(format!(".{ABOUT}"));
        let written = || {
            let mut file = std::fs::File::create(&draft)?;
            file.write_all(about.text().as_bytes())?;
            file.sync_all()?;
            std::fs::rename(&draft, &path)
        };
        written().map_err(|error| EventError::Io(path.display().to_string(), error))?;
        self.about = about;
        Ok(())
    }

    /// The players and entries, after every decision.
    pub fn roster(&self) -> &Roster {
        &self.roster
    }

    /// What decks are judged by.
    pub fn judge(&self) -> &Judge {
        &self.judge
    }

    /// The seal of the lock.
    pub fn seal(&self) -> &str {
        self.judge.lock().map_or("", |lock| &lock.seal)
    }

    /// Whose deck counts, and what is open.
    ///
    /// # Errors
    /// Times in `event.yaml` that are not times.
    pub fn standing(&self) -> Result<Standing, EventError> {
        Ok(Standing::of(&self.about, &self.roster)?)
    }

    /// What is odd in the lists of the lock.
    ///
    /// # Errors
    /// A list or card file in the lock that cannot be read.
    pub fn lock_warnings(&self) -> Result<Vec<String>, EventError> {
        Ok(self.judge.list_warnings()?)
    }

    /// Adds rows, all of them or none, and waits until they are on the disk. `make` sees the
    /// roster as it is by then. What one form sends twice is done once.
    ///
    /// # Errors
    /// What `make` refuses, and rows that cannot be written.
    pub fn commit(
        &mut self,
        author: impl Into<Author>,
        make: impl FnOnce(&Roster) -> Result<Vec<NewRow>, EventError>,
    ) -> Result<(), EventError> {
        let author = author.into();
        let written = self.store.write(&author, |rows| {
            let roster = Roster::of(rows);
            match &author.form {
                Some(form) if roster.forms.contains(form) => Ok(Vec::new()),
                _ => make(&roster),
            }
        });
        self.roster = Roster::of(self.store.rows()?);
        written
    }

    /// What importing forms one after another would do.
    pub fn preview(&self, forms: &[Form]) -> Vec<Preview> {
        let mut roster = self.roster.clone();
        forms.iter().map(|form| form.rows(&mut roster).1).collect()
    }

    /// Stores the rows of a form that are new.
    ///
    /// # Errors
    /// Rows that cannot be written.
    pub fn import(&mut self, form: &Form) -> Result<Preview, EventError> {
        let mut preview = Preview::default();
        self.commit("import", |roster| {
            let (rows, seen) = form.rows(&mut roster.clone());
            preview = seen;
            Ok(rows)
        })?;
        Ok(preview)
    }

    /// Expects the players of a list. The answer is how many are new, and notes on namesakes.
    ///
    /// # Errors
    /// Rows that cannot be written.
    pub fn expect(&mut self, list: &[Person]) -> Result<(usize, Vec<String>), EventError> {
        let (mut new, mut notes) = (0, Vec::new());
        self.commit("import", |roster| {
            let (rows, said) = import::expected(list, roster);
            (new, notes) = (rows.len(), said);
            Ok(rows)
        })?;
        Ok((new, notes))
    }

    /// Records a decision.
    ///
    /// # Errors
    /// A player or entry that does not exist, and rows that cannot be written.
    pub fn decide(
        &mut self,
        author: impl Into<Author>,
        decision: Decision,
        why: Option<String>,
    ) -> Result<(), EventError> {
        self.commit(author, |roster| {
            fits(roster, &decision)?;
            Ok(vec![NewRow::Decision(decision, why)])
        })
    }

    /// Takes a decision back.
    ///
    /// # Errors
    /// A decision that does not hold or cannot be undone, and rows that cannot be written.
    pub fn undo(&mut self, author: impl Into<Author>, decision: i64) -> Result<(), EventError> {
        self.commit(author, |roster| {
            let mut all = roster.decisions.iter();
            let known = all.find(|row| row.id == decision);
            match known.filter(|row| row.decision.can_undo()) {
                Some(_) => Ok(vec![NewRow::Decision(Decision::Undo(decision), None)]),
                None => Err(refused("this decision cannot be undone".to_owned())),
            }
        })
    }

    /// Says whose an entry is: a player's, or a new player's where `player` is `None`.
    ///
    /// # Errors
    /// An entry or player that does not exist, and rows that cannot be written.
    pub fn assign(
        &mut self,
        author: impl Into<Author>,
        id: EntryId,
        player: Option<PlayerId>,
        why: Option<String>,
    ) -> Result<PlayerId, EventError> {
        let mut owner = PlayerId(0);
        self.commit(author, |roster| {
            let entry = roster.entries.get(&id).ok_or_else(|| no_entry(id))?;
            let mut rows = Vec::new();
            owner = match player {
                Some(player) => player,
                None => {
                    let new = roster.next_player();
                    let name = entry.name.clone().or_else(|| entry.email.clone());
                    let person = Person::named(&name.unwrap_or_else(|| entry.place()));
                    rows.push(NewRow::Player(Player::new(new, person, false)));
                    new
                }
            };
            let decision = Decision::Is(id, owner);
            if player.is_some() {
                fits(roster, &decision)?;
            }
            rows.push(NewRow::Decision(decision, why));
            Ok(rows)
        })?;
        Ok(owner)
    }

    /// Answers every question about whose an entry is with the likeliest answer. Questions about
    /// times have none.
    ///
    /// # Errors
    /// Rows that cannot be written.
    pub fn answer_all(
        &mut self,
        author: impl Into<Author>,
    ) -> Result<Vec<(EntryId, PlayerId)>, EventError> {
        let (author, mut answered) = (author.into(), Vec::new());
        loop {
            // An answer may change the next question.
            let standing = self.standing()?;
            let open = standing.questions.iter().find(|question| {
                let entry = self.roster.entries.get(&question.entry);
                entry.is_some_and(|entry| entry.player.is_none())
            });
            let Some(question) = open else {
                return Ok(answered);
            };
            let player = self.assign(&author.name, question.entry, question.likely, None)?;
            answered.push((question.entry, player));
        }
    }

    /// Draws players for a deck check at random, from those whose deck counts and who were not
    /// drawn before; fewer than `number` if there are no more.
    ///
    /// # Errors
    /// Rows that cannot be written.
    pub fn draw(
        &mut self,
        author: impl Into<Author>,
        number: usize,
    ) -> Result<Vec<PlayerId>, EventError> {
        let about = self.about.clone();
        let mut drawn = Vec::new();
        self.commit(author, |roster| {
            let standing = Standing::of(&about, roster)?;
            let mut left: Vec<PlayerId> = standing.counting().map(|(player, _)| player).collect();
            left.retain(|id| roster.players.get(id).is_some_and(|player| !player.drawn));
            while drawn.len() < number && !left.is_empty() {
                let at = random_below(left.len()).map_err(StoreError::from)?;
                drawn.push(left.swap_remove(at));
            }
            let row = NewRow::Decision(Decision::Draw(drawn.clone()), None);
            Ok(Some(row).filter(|_| !drawn.is_empty()).into_iter().collect())
        })?;
        Ok(drawn)
    }

    /// Removes a player's personal data: names, addresses, decks and free text. Links of the
    /// player open nothing any more.
    ///
    /// # Errors
    /// A player who does not exist, and rows that cannot be written.
    pub fn forget(
        &mut self,
        author: impl Into<Author>,
        player: PlayerId,
    ) -> Result<(), EventError> {
        self.refresh()?;
        let roster = &self.roster;
        if !roster.players.contains_key(&player) {
            return Err(no_player(player));
        }
        let player = roster.real(player);
        let all = roster.players.keys().copied();
        let all: Vec<PlayerId> = all.filter(|id| roster.real(*id) == player).collect();
        let entries: Vec<EntryId> = roster.entries_of(player).map(|entry| entry.id).collect();
        let done = self.store.forget(&author.into(), player, &all, &entries);
        self.roster = Roster::of(self.store.rows()?);
        Ok(done?)
    }

    /// Stores a submitted deck, for the player that `may` finds or for a new one. `key`
    /// is the digest of the key of the player's link from then on.
    ///
    /// # Errors
    /// What `may` refuses, and rows that cannot be written.
    pub fn hand_in(
        &mut self,
        author: impl Into<Author>,
        person: &Person,
        (deck, file): (&[u8], Option<String>),
        key: Option<String>,
        may: impl FnOnce(&Roster) -> Result<Option<PlayerId>, EventError>,
    ) -> Result<(PlayerId, EntryId), EventError> {
        let (mut owner, mut id) = (PlayerId(0), EntryId(0));
        self.commit(author, |roster| {
            let mut rows = Vec::new();
            owner = match may(roster)? {
                Some(player) => player,
                None => {
                    let new = roster.next_player();
                    rows.push(NewRow::Player(Player::new(new, person.clone(), false)));
                    new
                }
            };
            // The same deck again is the one that is there.
            let last = roster.entries_of(roster.real(owner)).last();
            match last.filter(|last| last.deck == deck && last.source == DESK) {
                Some(last) => id = last.id,
                None => {
                    id = roster.next_entry();
                    rows.push(NewRow::Entry(Box::new(Entry {
                        player: Some(owner),
                        file,
                        deck: deck.to_vec(),
                        ..Entry::handed_in(id, person, Timestamp::now())
                    })));
                }
            }
            let key = key.map(|key| Decision::Key(Some(owner), key));
            rows.extend(key.map(|key| NewRow::Decision(key, None)));
            Ok(rows)
        })?;
        Ok((owner, id))
    }
}

fn refused(why: String) -> EventError {
    EventError::Refused(why)
}

fn no_player(player: PlayerId) -> EventError {
    refused(format!("there is no player {player} in this event"))
}

pub(crate) fn no_entry(entry: EntryId) -> EventError {
    refused(format!("there is no deck {entry} in this event"))
}

/// Whether a decision is about players and entries that exist.
fn fits(roster: &Roster, decision: &Decision) -> Result<(), EventError> {
    let others: &[PlayerId] = match decision {
        Decision::Is(_, player) | Decision::Same(_, player) => &[*player],
        Decision::Draw(players) => players,
        _ => &[],
    };
    for player in decision.player().iter().chain(others) {
        if !roster.players.contains_key(player) {
            return Err(no_player(*player));
        }
    }
    if let Some(id) = decision.entry() {
        let entry = roster.entries.get(&id).ok_or_else(|| no_entry(id))?;
        if entry.player.is_none() && matches!(decision, Decision::Counts(_, true)) {
            return Err(refused(format!("{id} has no player yet: assign it first")));
        }
    }
    if let Decision::Same(player, with) = decision
        && roster.real(*player) == roster.real(*with)
    {
        let one = roster.real(*player);
        let ids = roster.players.keys();
        let also = ids.filter(|id| **id != one && roster.real(**id) == one);
        let also: Vec<String> = also.map(PlayerId::to_string).collect();
        let also = if also.is_empty() {
            String::new()
        } else {
            format!(", also {}", decklaw_core::text::listed(&also, "and"))
        };
        return Err(refused(format!(
            "both are one player, {}{also}; name another player",
            roster.name_and_id(one)
        )));
    }
    Ok(())
}
