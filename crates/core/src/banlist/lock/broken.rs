//! Whether decks are judged by what was locked.

use super::{Lock, LockedGame};
use crate::banlist::Banlist;
use std::collections::BTreeMap;
use std::sync::Arc;

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
    /// What to do about it.
    pub fn help(&self) -> Option<String> {
        Some(match self {
            LockBroken::Game { .. } => return None,
            LockBroken::NoneLocked { .. } => {
                "judge without a list, with `--banlist none`".to_owned()
            }
            LockBroken::Missing { .. } => {
                "fetch it again, or name its file with `--banlist FILE`".to_owned()
            }
            LockBroken::Changed { .. } => {
                "name a file with the locked text, with `--banlist FILE`, or lock again".to_owned()
            }
            LockBroken::Cards(_) => {
                "leave out `--cards` to judge by the locked cards, or lock again".to_owned()
            }
            LockBroken::Setting { .. } => "leave out `--set`, or lock again".to_owned(),
            LockBroken::Another { id, .. } => format!(
                "judge by the locked list, with `--banlist {id}`, or lock again with `decklaw banlist lock`"
            ),
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
    /// Whether decks of a game may be judged by a list, or by none. `known` are the lists of
    /// the game that are here.
    ///
    /// # Errors
    /// Why that is not what was locked.
    pub fn permits(
        &self,
        game: &str,
        format: Option<&str>,
        list: Option<&Banlist>,
        known: &[Arc<Banlist>],
    ) -> Result<(), LockBroken> {
        let own = format.and_then(|format| self.lists.get_key_value(format));
        let (game, locked) = match own.or_else(|| self.lists.get_key_value(game)) {
            Some((whose, locked)) => (whose.clone(), Some(locked)),
            None => (game.to_owned(), None),
        };
        let Some(locked) = locked else {
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
        let covered = &self.covered;
        if let Some((file, _)) = cards.iter().find(|(_, sha256)| {
            let own = |game: &LockedGame| {
                let cards = game.cards.as_ref().map(|cards| &cards.sha256);
                let mut files = crate::format::CARD_FILES.iter();
                let own = || files.find_map(|file| game.files.get(*file));
                cards.or_else(own) == Some(sha256)
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
