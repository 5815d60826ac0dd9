//! The lock of an event: what its decks are judged by, on which day, to the byte. It keeps
//! copies, so that nothing that comes later changes a verdict.

use super::{Banlist, Date, Lists};
use crate::origin::Origin;
use crate::remedy::Remedy;
use crate::yaml::FileError;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::Arc;

const SCHEMA: &str = "decklaw/lock/1";

/// A list that an event uses.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LockedList {
    /// Its id.
    pub id: String,
    /// The first day on which it applies, `YYYY-MM-DD`.
    pub effective: String,
    /// SHA-256 of its bytes, lower-case hex.
    pub sha256: String,
    /// Where it was fetched from, or else where it says that it was published.
    pub address: Option<String>,
    /// Whether it was chosen by name; otherwise it was in force on the day.
    pub named: bool,
}

/// The card file of a game, where it is not that of the game's own folder.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LockedCards {
    /// The file as it was named.
    pub file: String,
    /// SHA-256 of its bytes, lower-case hex.
    pub sha256: String,
}

/// What a game's rules are made of.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LockedGame {
    /// The files of the game's folder by name, each with the SHA-256 of its bytes.
    pub files: BTreeMap<String, String>,
    /// The cards, where they are not those of the folder.
    pub cards: Option<LockedCards>,
}

/// What a lock covers besides its lists, and copies of all of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Covered {
    /// The edition of the program that made it, and alone judges by it.
    pub edition: String,
    /// The games, by id.
    pub games: BTreeMap<String, LockedGame>,
    /// The settings that apply, name to value.
    pub settings: BTreeMap<String, String>,
    /// The bytes of every file and list, by SHA-256.
    pub copies: BTreeMap<String, Vec<u8>>,
}

/// What an event's decks are judged by. A game that is not in it has no decks in the event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lock {
    /// The day as of which decks are judged.
    pub day: Date,
    /// The list of each game; `None`: no list applies to its decks.
    pub lists: BTreeMap<String, Option<LockedList>>,
    /// All the rest; `None` in a lock of an older edition, which covers lists alone.
    pub covered: Option<Covered>,
    /// The digest of all this, which stands in the file and in reports.
    pub seal: String,
}

/// The edition of this program.
pub const EDITION: &str = concat!("decklaw ", env!("CARGO_PKG_VERSION"));

/// What a lock of an older edition leaves open.
pub const UNCOVERED: &str = "this lock is of an older edition and covers the lists alone: not the rules, the cards, the settings or the program's edition";

/// The file, as written. Old ones end with the seal of their lists.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct LockFile {
    schema: String,
    day: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    edition: Option<String>,
    lists: BTreeMap<String, Option<LockedList>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    games: Option<BTreeMap<String, LockedGame>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    settings: Option<BTreeMap<String, String>>,
    #[serde(default)]
    seal: Option<String>,
    /// Behind the seal, which is of their digests.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    copies: Option<BTreeMap<String, Kept>>,
}

/// A copy: text as it is, anything else in hexadecimal digits.
#[derive(Debug, Serialize, Deserialize)]
#[serde(untagged)]
enum Kept {
    Text(String),
    Bytes { hex: String },
}

impl Kept {
    fn new(bytes: &[u8]) -> Kept {
        match std::str::from_utf8(bytes) {
            Ok(text) => Kept::Text(text.to_owned()),
            Err(_) => Kept::Bytes {
                hex: crate::digest::hex(bytes),
            },
        }
    }

    fn bytes(self) -> Option<Vec<u8>> {
        match self {
            Kept::Text(text) => Some(text.into_bytes()),
            Kept::Bytes { hex } => (0..hex.len())
                .step_by(2)
                .map(|at| u8::from_str_radix(hex.get(at..at + 2)?, 16).ok())
                .collect(),
        }
    }
}

/// Why a lock file cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum LockFileError {
    /// Not JSON of this shape.
    #[error("this is no lock file: {0}")]
    Shape(#[from] serde_json::Error),
    /// Another schema.
    #[error("the schema is `{0}`; this program reads `{SCHEMA}`")]
    Schema(String),
    /// A day that is none.
    #[error("`{0}` is no day")]
    Day(String),
    /// Changed since it was made.
    #[error(
        "the lock does not fit its own seal: it was changed after it was made; make it again with `decklaw banlist lock`"
    )]
    Seal,
    /// A copy that is missing, or not the one that was locked.
    #[error(
        "the copy of {0} in the lock does not fit its digest: it was changed after it was made; make it again with `decklaw banlist lock`"
    )]
    Copy(String),
    /// Made by another edition of the program, which may judge otherwise.
    #[error(
        "the lock was made by {0}, and this is {EDITION}, which may judge otherwise; judge with that edition, or lock again"
    )]
    Edition(String),
}

/// Why decks are not judged: not by what was locked.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum LockBroken {
    /// The game has no place in the event.
    #[error(
        "the lock is for {listed}, and a deck of {game} is judged; lock its list too, or leave it out"
    )]
    Game {
        /// The game of the deck.
        game: String,
        /// The games of the lock.
        listed: String,
    },
    /// A list applies, and none was locked.
    #[error("the lock says that no list applies to {game}, and {found} does")]
    NoneLocked {
        /// The game.
        game: String,
        /// The list that applies.
        found: String,
    },
    /// The locked list is not to be had.
    #[error(
        "the locked list {id} of {game} is not here{}",
        from(.address)
    )]
    Missing {
        /// The game.
        game: String,
        /// The locked list's id.
        id: String,
        /// Its address.
        address: Option<String>,
    },
    /// The list has the locked one's id and other bytes.
    #[error(
        "the list {id} of {game} was changed since it was locked (locked {}…, now {}…)",
        start(.locked),
        start(.found)
    )]
    Changed {
        /// The game.
        game: String,
        /// The list's id.
        id: String,
        /// The digest that was locked.
        locked: String,
        /// The digest of what is there.
        found: String,
    },
    /// Other cards are named.
    #[error("the card file {0} is not one that was locked")]
    Cards(String),
    /// Another setting is given.
    #[error(
        "{name}={given} is not what was locked ({})",
        .locked.as_deref().map_or_else(|| format!("{name} is not set"), |value| format!("{name}={value}"))
    )]
    Setting {
        /// The setting.
        name: String,
        /// What is given.
        given: String,
        /// What was locked.
        locked: Option<String>,
    },
    /// Another list applies.
    #[error("{found} applies to {game}, and {id} was locked")]
    Another {
        /// The game.
        game: String,
        /// The locked list's id.
        id: String,
        /// What applies.
        found: String,
    },
}

impl LockBroken {
    /// What whoever asked could give to mend it.
    pub fn remedy(&self) -> Option<Remedy> {
        Some(match self {
            LockBroken::Game { .. } => return None,
            LockBroken::NoneLocked { .. } => Remedy::NoList,
            LockBroken::Missing { .. } => Remedy::LockedList,
            LockBroken::Changed { .. } => Remedy::LockedText,
            LockBroken::Cards(_) => Remedy::LockedCards,
            LockBroken::Setting { .. } => Remedy::LockedSettings,
            LockBroken::Another { id, .. } => Remedy::LockedListOrLock(id.clone()),
        })
    }
}

fn from(address: &Option<String>) -> String {
    address
        .as_ref()
        .map_or_else(String::new, |address| format!(" (it came from {address})"))
}

fn start(digest: &str) -> String {
    digest.chars().take(12).collect()
}

impl Lock {
    /// A lock of some lists, and of all else that decides, for a day.
    ///
    /// # Errors
    /// None in practice.
    pub fn new(
        day: Date,
        lists: BTreeMap<String, Option<LockedList>>,
        covered: Covered,
    ) -> serde_json::Result<Lock> {
        let mut lock = Lock {
            day,
            lists,
            covered: Some(covered),
            seal: String::new(),
        };
        lock.seal = lock.file().digest()?;
        Ok(lock)
    }

    /// The file, without seal and copies.
    fn file(&self) -> LockFile {
        let covered = self.covered.as_ref();
        LockFile {
            schema: SCHEMA.to_owned(),
            day: self.day.to_string(),
            edition: covered.map(|covered| covered.edition.clone()),
            lists: self.lists.clone(),
            games: covered.map(|covered| covered.games.clone()),
            settings: covered.map(|covered| covered.settings.clone()),
            seal: None,
            copies: None,
        }
    }

    /// Reads a lock file.
    ///
    /// # Errors
    /// Why it cannot be used, above all that it was changed.
    pub fn read(bytes: &[u8]) -> Result<Lock, LockFileError> {
        let mut file: LockFile = serde_json::from_slice(crate::text::without_bom(bytes))?;
        if file.schema != SCHEMA {
            return Err(LockFileError::Schema(file.schema));
        }
        let written = file.seal.take();
        let kept = file.copies.take();
        let seal = file.digest()?;
        if written.as_ref() != Some(&seal) {
            return Err(LockFileError::Seal);
        }
        let day = file.day.parse::<Date>().ok();
        let day = day.filter(|day| day.to_string() == file.day);
        let day = day.ok_or_else(|| LockFileError::Day(file.day.clone()))?;
        let covered = match file.edition.take() {
            None => None,
            Some(edition) if edition != EDITION => return Err(LockFileError::Edition(edition)),
            Some(edition) => Some(Covered {
                edition,
                games: file.games.take().unwrap_or_default(),
                settings: file.settings.take().unwrap_or_default(),
                copies: BTreeMap::new(),
            }),
        };
        let mut lock = Lock {
            day,
            lists: file.lists,
            covered,
            seal,
        };
        lock.take_copies(kept.unwrap_or_default())?;
        Ok(lock)
    }

    /// Takes the copies of all that is covered, each held against its digest.
    fn take_copies(&mut self, mut kept: BTreeMap<String, Kept>) -> Result<(), LockFileError> {
        let Some(covered) = &mut self.covered else {
            return Ok(());
        };
        let mut needed: Vec<(String, String)> = Vec::new();
        for (id, game) in &covered.games {
            let files = game.files.iter();
            needed.extend(files.map(|(name, sha256)| (format!("{id}/{name}"), sha256.clone())));
            let cards = game.cards.iter();
            needed.extend(cards.map(|cards| (cards.file.clone(), cards.sha256.clone())));
        }
        let lists = self.lists.values().flatten();
        needed.extend(lists.map(|list| (list.id.clone(), list.sha256.clone())));
        for (name, sha256) in needed {
            if covered.copies.contains_key(&sha256) {
                continue;
            }
            let copy = kept.remove(&sha256).and_then(Kept::bytes);
            let copy = copy.filter(|bytes| crate::digest::sha256(bytes) == sha256);
            let copy = copy.ok_or(LockFileError::Copy(name))?;
            covered.copies.insert(sha256, copy);
        }
        Ok(())
    }

    /// The text of the file.
    ///
    /// # Errors
    /// None in practice.
    pub fn text(&self) -> serde_json::Result<String> {
        let copies = self.covered.as_ref().map(|covered| {
            let copies = covered.copies.iter();
            let kept = copies.map(|(sha256, bytes)| (sha256.clone(), Kept::new(bytes)));
            kept.collect()
        });
        let file = LockFile {
            seal: Some(self.seal.clone()),
            copies,
            ..self.file()
        };
        serde_json::to_string_pretty(&file).map(|text| text + "\n")
    }

    /// Whether decks of a game may be judged by a list, or by none. `known` are the lists of
    /// the game that are here.
    ///
    /// # Errors
    /// Why that is not what was locked.
    pub fn permits(
        &self,
        game: &str,
        list: Option<&Banlist>,
        known: &[Arc<Banlist>],
    ) -> Result<(), LockBroken> {
        let game = game.to_owned();
        let Some(locked) = self.lists.get(&game) else {
            let games: Vec<&String> = self.lists.keys().collect();
            let listed = match games.as_slice() {
                [] => "no game".to_owned(),
                games => crate::text::listed(games, "and"),
            };
            return Err(LockBroken::Game { game, listed });
        };
        match (locked, list) {
            (None, None) => Ok(()),
            (None, Some(found)) => Err(LockBroken::NoneLocked {
                game,
                found: found.id.clone(),
            }),
            (Some(locked), Some(found)) if found.sha256 == locked.sha256 => Ok(()),
            (Some(locked), Some(found)) if found.id == locked.id => Err(LockBroken::Changed {
                game,
                id: locked.id.clone(),
                locked: locked.sha256.clone(),
                found: found.sha256.clone(),
            }),
            (Some(locked), Some(found)) => Err(LockBroken::Another {
                game,
                id: locked.id.clone(),
                found: format!("the list {}", found.id),
            }),
            (Some(locked), None) if known.iter().any(|list| list.id == locked.id) => {
                Err(LockBroken::Another {
                    game,
                    id: locked.id.clone(),
                    found: "no list".to_owned(),
                })
            }
            (Some(locked), None) => Err(LockBroken::Missing {
                game,
                id: locked.id.clone(),
                address: locked.address.clone(),
            }),
        }
    }

    /// The list that was locked for a game, where the lock alone chooses it: because it keeps
    /// a copy, or because it was chosen by name.
    pub fn chosen(&self, game: &str) -> Option<&LockedList> {
        let list = self.lists.get(game)?.as_ref();
        list.filter(|list| list.named || self.covered.is_some())
    }

    /// Whether cards and settings that a call gives are the locked ones. `cards` are files by
    /// their names and digests.
    ///
    /// # Errors
    /// The first that is not.
    pub fn permits_given(
        &self,
        cards: &[(String, String)],
        settings: &BTreeMap<String, String>,
    ) -> Result<(), LockBroken> {
        let Some(covered) = &self.covered else {
            return Ok(());
        };
        if let Some((file, _)) = cards.iter().find(|(_, sha256)| {
            let own = |game: &LockedGame| {
                let cards = game.cards.as_ref().map(|cards| &cards.sha256);
                cards.or(game.files.get("cards.csv")) == Some(sha256)
            };
            !covered.games.values().any(own)
        }) {
            return Err(LockBroken::Cards(file.clone()));
        }
        let other = |(name, given): &(&String, &String)| covered.settings.get(*name) != Some(given);
        match settings.iter().find(other) {
            Some((name, given)) => Err(LockBroken::Setting {
                name: name.clone(),
                given: given.clone(),
                locked: covered.settings.get(name).cloned(),
            }),
            None => Ok(()),
        }
    }
}

impl Covered {
    /// The files of the games' folders, by game and name.
    pub fn files(&self) -> BTreeMap<String, BTreeMap<String, Vec<u8>>> {
        let copy = |sha256: &String| self.copies.get(sha256).cloned().unwrap_or_default();
        let files = |game: &LockedGame| {
            let files = game.files.iter();
            files
                .map(|(name, sha256)| (name.clone(), copy(sha256)))
                .collect()
        };
        let games = self.games.iter();
        games.map(|(id, game)| (id.clone(), files(game))).collect()
    }

    /// The card files that are not those of the games' own folders: game, name, bytes.
    pub fn cards(&self) -> impl Iterator<Item = (&str, &str, &[u8])> {
        self.games.iter().filter_map(|(id, game)| {
            let cards = game.cards.as_ref()?;
            let bytes = self.copies.get(&cards.sha256)?;
            Some((id.as_str(), cards.file.as_str(), bytes.as_slice()))
        })
    }
}

impl Lock {
    /// The lists, read from the copies; `None` in a lock that keeps none.
    ///
    /// # Errors
    /// A copy that is no list.
    pub fn kept_lists(&self) -> Result<Option<Lists>, FileError> {
        let Some(covered) = &self.covered else {
            return Ok(None);
        };
        let mut lists = Vec::new();
        for list in self.lists.values().flatten() {
            if let Some(bytes) = covered.copies.get(&list.sha256) {
                let mut list = Banlist::read(&format!("{} (locked)", list.id), bytes)?;
                list.origin = Origin::Lock;
                lists.push(list);
            }
        }
        Ok(Some(Lists::of_copies(lists)))
    }
}

impl LockedList {
    /// Locks a list.
    pub fn new(list: &Banlist, address: Option<String>, named: bool) -> LockedList {
        LockedList {
            id: list.id.clone(),
            effective: list.effective.to_string(),
            sha256: list.sha256.clone(),
            address: address.or_else(|| list.source.clone()),
            named,
        }
    }
}

impl LockFile {
    /// SHA-256 of the canonical JSON of all but the seal and the copies.
    fn digest(&self) -> serde_json::Result<String> {
        let mut sealed = serde_json::json!({
            "schema": self.schema,
            "day": self.day,
            "lists": self.lists,
        });
        if self.edition.is_some() {
            sealed["edition"] = serde_json::to_value(&self.edition)?;
            sealed["games"] = serde_json::to_value(&self.games)?;
            sealed["settings"] = serde_json::to_value(&self.settings)?;
        }
        serde_json_canonicalizer::to_vec(&sealed).map(|bytes| crate::digest::sha256(&bytes))
    }
}
