//! The lock of an event: what its decks are judged by, on which day, to the byte. It keeps
//! copies, so that nothing that comes later changes a verdict.

mod broken;
mod file;

pub use broken::LockBroken;
pub use file::LockFileError;

use super::{Banlist, Date, Lists};
use crate::origin::Origin;
use crate::yaml::FileError;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

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
    /// The list of each game, and of each format that has one of its own; `None`: no list
    /// applies to its decks.
    pub lists: BTreeMap<String, Option<LockedList>>,
    /// All the rest.
    pub covered: Covered,
    /// The digest of all this, which stands in the file and in reports.
    pub seal: String,
}

/// The edition of this program.
pub const EDITION: &str = concat!("decklaw ", env!("CARGO_PKG_VERSION"));

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
            covered,
            seal: String::new(),
        };
        lock.seal = lock.file().digest()?;
        Ok(lock)
    }

    /// The list that was locked for a game; `None` where no list applies.
    pub fn chosen(&self, game: &str, format: Option<&str>) -> Option<&LockedList> {
        let own = format.and_then(|format| self.lists.get(format));
        own.or_else(|| self.lists.get(game))?.as_ref()
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
    /// The lists, read from the copies.
    ///
    /// # Errors
    /// A copy that is no list.
    pub fn kept_lists(&self) -> Result<Lists, FileError> {
        let mut lists = Vec::new();
        for list in self.lists.values().flatten() {
            if let Some(bytes) = self.covered.copies.get(&list.sha256) {
                let mut list = Banlist::read(&format!("{} (locked)", list.id), bytes)?;
                list.origin = Origin::Lock;
                lists.push(list);
            }
        }
        Ok(Lists::of_copies(lists))
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
