//! The lock of an event: which lists its decks are judged by, on which day, to the byte.

use super::{Banlist, Date};
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

/// The lists that an event uses, by game. A game that is not in it has no decks in the event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lock {
    /// The day as of which decks are judged.
    pub day: Date,
    /// The list of each game; `None`: no list applies to its decks.
    pub lists: BTreeMap<String, Option<LockedList>>,
    /// The digest of all this, which stands in the file and in reports.
    pub seal: String,
}

/// The file, as written.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct LockFile {
    schema: String,
    day: String,
    lists: BTreeMap<String, Option<LockedList>>,
    #[serde(default)]
    seal: Option<String>,
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
    #[error(
        "the lock says that no list applies to {game}, and {found} does; `--banlist none` judges without one"
    )]
    NoneLocked {
        /// The game.
        game: String,
        /// The list that applies.
        found: String,
    },
    /// The locked list is not to be had.
    #[error(
        "the locked list {id} of {game} is not here{}; fetch it again, or name its file with `--banlist FILE`",
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
        "the list {id} of {game} was changed since it was locked (locked {}…, now {}…); name a file with the locked text with `--banlist FILE`, or lock again",
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
    /// Another list applies.
    #[error(
        "{found} applies to {game}, and {id} was locked; `--banlist {id}` judges by that one, `decklaw banlist lock` locks again"
    )]
    Another {
        /// The game.
        game: String,
        /// The locked list's id.
        id: String,
        /// What applies.
        found: String,
    },
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
    /// A lock of some lists for a day.
    ///
    /// # Errors
    /// None in practice.
    pub fn new(day: Date, lists: BTreeMap<String, Option<LockedList>>) -> serde_json::Result<Lock> {
        let file = LockFile {
            schema: SCHEMA.to_owned(),
            day: day.to_string(),
            lists,
            seal: None,
        };
        let seal = file.digest()?;
        Ok(Lock {
            day,
            lists: file.lists,
            seal,
        })
    }

    /// Reads a lock file.
    ///
    /// # Errors
    /// Why it cannot be used, above all that it was changed.
    pub fn read(bytes: &[u8]) -> Result<Lock, LockFileError> {
        let mut file: LockFile = serde_json::from_slice(crate::deck::without_bom(bytes))?;
        if file.schema != SCHEMA {
            return Err(LockFileError::Schema(file.schema));
        }
        let written = file.seal.take();
        let seal = file.digest()?;
        if written.as_ref() != Some(&seal) {
            return Err(LockFileError::Seal);
        }
        let day = file.day.parse::<Date>().ok();
        let day = day.filter(|day| day.to_string() == file.day);
        Ok(Lock {
            day: day.ok_or(LockFileError::Day(file.day))?,
            lists: file.lists,
            seal,
        })
    }

    /// The text of the file.
    ///
    /// # Errors
    /// None in practice.
    pub fn text(&self) -> serde_json::Result<String> {
        let file = LockFile {
            schema: SCHEMA.to_owned(),
            day: self.day.to_string(),
            lists: self.lists.clone(),
            seal: Some(self.seal.clone()),
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

    /// The list that was locked for a game, where it was chosen by name.
    pub fn named(&self, game: &str) -> Option<&LockedList> {
        self.lists.get(game)?.as_ref().filter(|list| list.named)
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
    /// SHA-256 of the canonical JSON of all but the seal.
    fn digest(&self) -> serde_json::Result<String> {
        let sealed = serde_json::json!({
            "schema": self.schema,
            "day": self.day,
            "lists": self.lists,
        });
        serde_json_canonicalizer::to_vec(&sealed).map(|bytes| crate::digest::sha256(&bytes))
    }
}
