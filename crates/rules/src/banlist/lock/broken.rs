//! Whether decks are judged by what was locked.

use super::{Lock, LockedGame};
use crate::banlist::Banlist;
use decklaw_text::{Problem, ProblemKind};
use std::collections::BTreeMap;

/// That decks are not judged: the lock says otherwise.
fn broken(message: String, help: impl AsRef<str>) -> Problem {
    Problem::new(ProblemKind::Game, message).with_help(help)
}

fn start(digest: &str) -> &str {
    digest.get(..12).unwrap_or(digest)
}

impl Lock {
    /// Whether decks of a game may be judged by a list, or by none.
    ///
    /// # Errors
    /// A game without a lock, or another list than the locked one.
    pub fn permits(
        &self,
        game: &str,
        format: Option<&str>,
        list: Option<&Banlist>,
    ) -> Result<(), Problem> {
        let own = format.and_then(|format| self.lists.get_key_value(format));
        let Some((game, locked)) = own.or_else(|| self.lists.get_key_value(game)) else {
            let games: Vec<&String> = self.lists.keys().collect();
            let listed = match games.as_slice() {
                [] => "no game".to_owned(),
                games => decklaw_text::text::listed(games, "and"),
            };
            let message = format!(
                "the lock is for {listed}, and a deck of {game} is judged; lock its list too, or leave it out"
            );
            return Err(broken(message, ""));
        };
        let Some(locked) = locked else {
            let Some(found) = list else { return Ok(()) };
            let message =
                format!("the lock says that no list applies to {game}, and {} does", found.id);
            return Err(broken(message, "judge without a list, with `--banlist none`"));
        };
        let id = &locked.id;
        let found = match list {
            Some(found) if found.sha256 == locked.sha256 => return Ok(()),
            Some(found) if found.id == *id => {
                let message = format!(
                    "the list {id} of {game} was changed since it was locked (locked {}…, now {}…)",
                    start(&locked.sha256),
                    start(&found.sha256)
                );
                let help = "name a file with the locked text, with `--banlist FILE`, or lock again";
                return Err(broken(message, help));
            }
            Some(found) => format!("the list {}", found.id),
            None => "no list".to_owned(),
        };
        Err(broken(
            format!("{found} applies to {game}, and {id} was locked"),
            format!(
                "judge by the locked list, with `--banlist {id}`, or lock again with `decklaw banlist lock`"
            ),
        ))
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
    ) -> Result<(), Problem> {
        for (file, sha256) in cards {
            let is_locked = |game: &LockedGame| {
                let cards = game.cards.as_ref().map(|cards| &cards.sha256);
                let mut files = crate::game::CARD_FILES.iter();
                let own = || files.find_map(|file| game.files.get(*file));
                cards.or_else(own) == Some(sha256)
            };
            if !self.games.values().any(is_locked) {
                return Err(broken(
                    format!("the card file {file} is not one that was locked"),
                    "leave out `--cards` to judge by the locked cards, or lock again",
                ));
            }
        }
        for (name, given) in settings {
            let locked = match self.settings.get(name) {
                Some(locked) if locked == given => continue,
                Some(locked) => format!("{name}={locked}"),
                None => format!("{name} is not set"),
            };
            return Err(broken(
                format!("{name}={given} is not what was locked ({locked})"),
                "leave out `--set`, or lock again",
            ));
        }
        Ok(())
    }
}
