//! An event's folder: commands and the server open it side by side.

use crate::about::{About, LONGEST_NAME};
use crate::decision::{Author, Decision, DecisionRow, Imported};
use crate::error::{ABOUT, EventError, ROWS};
use crate::id::{EntryId, PlayerId};
use crate::import::{self, Form, Preview};
use crate::roster::{DESK, Entry, Person, Player, Roster, Rows, no_entry};
use crate::standing::Standing;
use crate::store::{NewRow, Store, random_below};
use decklaw_judge::judge::Judge;
use decklaw_rules::banlist::lock::Lock;
use decklaw_text::Problem;
use jiff::Timestamp;
use std::collections::BTreeSet;
use std::io::Write as _;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

/// The file of what decks are judged by.
const LOCK: &str = "lock";

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
    pub const ROWS: &'static str = ROWS;

    /// Whether a folder is an event's.
    pub fn is_in(folder: &Path) -> bool {
        folder.join(ABOUT).is_file()
    }

    /// Creates an event's folder. From then on only its lock decides.
    ///
    /// # Errors
    /// A folder that is not empty or cannot be written, and times in `about` that are not times.
    pub fn create(folder: &Path, about: &About, lock: &str) -> Result<Event, EventError> {
        about.check().map_err(EventError::About)?;
        Lock::read(lock.as_bytes()).map_err(wrong_lock)?;
        let name = folder.display().to_string();
        let io = |error| EventError::Io(name.clone(), error);
        let is_new = !folder.exists();
        std::fs::create_dir_all(folder).map_err(io)?;
        if std::fs::read_dir(folder).map_err(io)?.next().is_some() {
            let message = "this folder is not empty; name another one for the event";
            return Err(EventError::Unusable(format!("{name}: {message}")));
        }
        let write = |file: &str, text: &str| std::fs::write(folder.join(file), text).map_err(io);
        let made = || {
            write(LOCK, lock)?;
            drop(Store::create(&folder.join(Event::ROWS))?);
            // This file makes the folder an event, so it comes last.
            write(ABOUT, &about.text())
        };
        if let Err(error) = made() {
            // Half an event would be in the way of a whole one.
            for file in [LOCK, Event::ROWS, ABOUT] {
                let _ = std::fs::remove_file(folder.join(file));
            }
            if is_new {
                let _ = std::fs::remove_dir(folder);
            }
            return Err(error);
        }
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
        let about = About::read(&String::from_utf8_lossy(&read(ABOUT)?));
        let about = about.map_err(EventError::About)?;
        let lock = Lock::read(&read(LOCK)?);
        let judge = lock.and_then(|lock| Ok(Judge::of_lock(lock)?)).map_err(wrong_lock)?;
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
            self.about = About::read(&text).map_err(EventError::About)?;
        }
        Ok(())
    }

    /// Replaces `event.yaml`.
    ///
    /// # Errors
    /// Times in `about` that are not times, and a folder that cannot be written.
    pub fn set_about(&mut self, about: About) -> Result<(), EventError> {
        about.check().map_err(EventError::About)?;
        let path = self.folder.join(ABOUT);
        let draft = self.folder.join(format!(".{ABOUT}"));
        let written = || {
            let mut file = std::fs::File::create(&draft)?;
            file.write_all(about.text().as_bytes())?;
            file.sync_all()?;
            std::fs::rename(&draft, &path)
        };
        written().map_err(|error| {
            let _ = std::fs::remove_file(&draft);
            EventError::Io(path.display().to_string(), error)
        })?;
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
        Standing::of(&self.about, &self.roster).map_err(EventError::About)
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
        self.commit_rows(&author, |roster, _| make(roster))
    }

    /// The same, with the rows of the roster.
    fn commit_rows(
        &mut self,
        author: &Author,
        make: impl FnOnce(&Roster, &Rows) -> Result<Vec<NewRow>, EventError>,
    ) -> Result<(), EventError> {
        let written = self.store.write(author, |rows| {
            let roster = Roster::of(rows.clone());
            if author.form.as_ref().is_some_and(|form| roster.forms.contains(form)) {
                return Ok(Vec::new());
            }
            let new = make(&roster, &rows)?;
            let decisions = new.iter().filter_map(|row| match row {
                NewRow::Decision(decision, _) => Some(decision),
                _ => None,
            });
            let seen = author.seen.unwrap_or(i64::MAX);
            match decisions.into_iter().find_map(|new| roster.conflict(new, seen)) {
                None => Ok(new),
                Some(row) => {
                    let text = roster.sentence(row).unwrap_or_default();
                    Err(EventError::Conflict(Box::new(row.clone()), text))
                }
            }
        });
        self.roster = Roster::of(self.store.rows()?);
        written
    }

    /// What importing forms one after another would do.
    pub fn preview(&self, forms: &[Form]) -> Vec<Preview> {
        let mut roster = self.roster.clone();
        forms.iter().map(|form| form.rows(&mut roster, true).1).collect()
    }

    /// Stores the rows of a form that are new.
    ///
    /// # Errors
    /// A name that is too long, and rows that cannot be written.
    pub fn import(
        &mut self,
        author: impl Into<Author>,
        form: &Form,
    ) -> Result<Preview, EventError> {
        let mut preview = Preview::default();
        self.commit(author, |roster| {
            let (rows, seen) = form.rows(&mut roster.clone(), true);
            preview = seen;
            with_import(&form.name, rows)
        })?;
        Ok(preview)
    }

    /// Expects the players of a list. The answer is how many are new, and notes on namesakes.
    ///
    /// # Errors
    /// A name that is too long, and rows that cannot be written.
    pub fn expect(
        &mut self,
        author: impl Into<Author>,
        name: &str,
        list: &[Person],
    ) -> Result<(usize, Vec<String>), EventError> {
        let (mut new, mut notes) = (0, Vec::new());
        self.commit(author, |roster| {
            let (rows, said) = import::expected(list, roster);
            (new, notes) = (rows.len(), said);
            with_import(name, rows)
        })?;
        Ok((new, notes))
    }

    /// Stores a correction of a player's deck: it counts, whenever it comes.
    ///
    /// # Errors
    /// An entry without a player, and rows that cannot be written.
    pub fn replace(
        &mut self,
        author: impl Into<Author>,
        replaced: EntryId,
        (deck, file): (&[u8], Option<String>),
        why: String,
    ) -> Result<EntryId, EventError> {
        let mut id = EntryId(0);
        self.commit(author, |roster| {
            let entry = roster.entries.get(&replaced);
            let entry = entry.ok_or_else(|| EventError::Refused(no_entry(replaced)))?;
            let Some(owner) = entry.player else {
                return Err(EventError::Refused(format!(
                    "{replaced} has no player yet: assign it first"
                )));
            };
            id = roster.next_entry();
            let person = Person::named(&roster.name(roster.real(owner)));
            let new = Entry {
                player: Some(roster.real(owner)),
                source: file.clone().unwrap_or_else(|| DESK.to_owned()),
                file,
                deck: deck.to_vec(),
                ..Entry::handed_in(id, &person, Timestamp::now())
            };
            Ok(vec![
                NewRow::Entry(Box::new(new)),
                NewRow::Decision(Decision::Counts(id, true), Some(why)),
            ])
        })?;
        Ok(id)
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
            roster.fits(&decision).map_err(EventError::Refused)?;
            Ok(vec![NewRow::Decision(decision, why)])
        })
    }

    /// Takes a decision or import back, the newest where none is named; with `all`, also what rests
    /// on it. The answer is what was taken back, in words.
    ///
    /// # Errors
    /// A decision that does not hold or cannot be undone, decisions that rest on it, and rows that
    /// cannot be written.
    pub fn undo(
        &mut self,
        author: impl Into<Author>,
        decision: Option<i64>,
        all: bool,
    ) -> Result<Vec<String>, EventError> {
        let mut words = Vec::new();
        self.commit_rows(&author.into(), |roster, rows| {
            let may = |row: &&DecisionRow| !row.undone && row.decision.can_undo();
            let mut open = roster.decisions.iter().rev().filter(may);
            let known = open.find(|row| decision.is_none_or(|id| row.id == id)).map(|row| row.id);
            let id = known.ok_or_else(|| match decision {
                Some(id) => {
                    let own = roster.decisions.iter().find(|row| row.id == id);
                    EventError::Refused(match own {
                        None => format!("there is no decision {id}"),
                        Some(row) if row.undone => format!("decision {id} is undone already"),
                        Some(_) => format!(
                            "decision {id} cannot be undone: what is forgotten, links and what was \
                             taken back stay so"
                        ),
                    })
                }
                None => EventError::Refused("no decision to undo".to_owned()),
            })?;
            let before = Roster::without(rows.clone(), &BTreeSet::new()).1;
            let mut undone = BTreeSet::from([id]);
            loop {
                let (_, mut rests) = Roster::without(rows.clone(), &undone);
                rests.retain(|id| !before.contains(id));
                if rests.is_empty() {
                    break;
                }
                undone.extend(rests);
            }
            let in_words = |id: &i64| {
                let row = roster.decisions.iter().find(|row| row.id == *id);
                row.map(|row| format!("{id}: {}", roster.sentence(row).unwrap_or_default()))
            };
            words = undone.iter().filter_map(in_words).collect();
            if words.len() > 1 && !all {
                return Err(EventError::Rests(words.split_off(1)));
            }
            let undo = |id| NewRow::Decision(Decision::Undo(id), None);
            Ok(undone.into_iter().rev().map(undo).collect())
        })?;
        Ok(words)
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
            let entry = roster.entries.get(&id).ok_or_else(|| EventError::Refused(no_entry(id)))?;
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
                roster.fits(&decision).map_err(EventError::Refused)?;
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
            let author = Author { form: None, ..author.clone() };
            let player = self.assign(author, question.entry, question.likely, None)?;
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
            let standing = Standing::of(&about, roster).map_err(EventError::About)?;
            let mut left: Vec<PlayerId> = standing.counting().map(|(player, _)| player).collect();
            left.retain(|id| roster.players.get(id).is_some_and(|player| !player.drawn));
            while drawn.len() < number && !left.is_empty() {
                let at = random_below(left.len())?;
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
        roster.fits(&Decision::Forget(player)).map_err(EventError::Refused)?;
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
            let is_back = roster.players.get(&roster.real(owner)).is_some_and(|own| own.withdrawn);
            let back = is_back.then_some(Decision::Withdraw(owner, false));
            let also = key.into_iter().chain(back);
            rows.extend(also.map(|decision| NewRow::Decision(decision, None)));
            Ok(rows)
        })?;
        Ok((owner, id))
    }
}

fn wrong_lock(problem: Problem) -> EventError {
    EventError::Unusable(format!("{LOCK}: {problem}"))
}

/// The rows of an import, with the decision that takes them back when it is undone.
fn with_import(name: &str, mut rows: Vec<NewRow>) -> Result<Vec<NewRow>, EventError> {
    let mut import = Imported { name: name.to_owned(), ..Imported::default() };
    let grown = |range: &Option<RangeInclusive<u32>>, id: u32| {
        Some(range.as_ref().map_or(id, |range| *range.start())..=id)
    };
    for row in &rows {
        match row {
            NewRow::Player(player) if player.name.chars().count() > LONGEST_NAME => {
                let start: String = player.name.chars().take(30).collect();
                return Err(EventError::Refused(format!(
                    "the name that begins with `{start}` is longer than {LONGEST_NAME} letters; choose the column of the players"
                )));
            }
            NewRow::Player(player) => import.players = grown(&import.players, player.id.0),
            NewRow::Entry(entry) => import.entries = grown(&import.entries, entry.id.0),
            NewRow::Decision(Decision::Expected(player, true), _) => import.expected.push(*player),
            NewRow::Decision(..) => {}
        }
    }
    rows.retain(|row| !matches!(row, NewRow::Decision(..)));
    if rows.is_empty() && import.expected.is_empty() {
        return Ok(rows);
    }
    rows.push(NewRow::Decision(Decision::Import(import), None));
    Ok(rows)
}
