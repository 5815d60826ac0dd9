//! The lock of an event: copies of every input of its judge.

use super::{Judge, WhichList};
use decklaw_rules::banlist::Banlist;
use decklaw_rules::banlist::lock::{Lock, LockedCards, LockedGame, LockedList};
use decklaw_text::{Problem, ProblemKind};
use std::collections::BTreeMap;
use std::sync::Arc;

/// That no lock can be made.
fn refused(message: String) -> Problem {
    Problem::new(ProblemKind::Game, message)
}

/// The files of games by id, and contents by SHA-256.
type GamesAndCopies = (BTreeMap<String, LockedGame>, BTreeMap<String, Vec<u8>>);

impl Judge {
    /// Makes a lock of some games, or of all if none is named. `address` returns where a list was fetched from.
    ///
    /// # Errors
    /// An unknown game, or a file that cannot be read.
    pub fn lock_of(
        &self,
        games: &[String],
        address: impl Fn(&Banlist) -> Option<String>,
    ) -> Result<Lock, Problem> {
        let catalogue = self.catalogue();
        let mut games = games.to_vec();
        if games.is_empty() {
            games.extend(catalogue.games().map(str::to_owned));
        }
        let named = match &self.list {
            WhichList::Named(list) => Some(list),
            WhichList::InForce | WhichList::Nothing => None,
        };
        if let Some(list) = named.filter(|list| !games.contains(&list.game)) {
            return Err(refused(format!(
                "the banlist {} is for {}, which is not locked",
                list.id, list.game
            )));
        }
        let (mut lists, mut kept) = (BTreeMap::new(), Vec::new());
        for id in &games {
            let game = catalogue.game(id)?;
            let mut own = vec![(id.clone(), self.list(id, None)?)];
            // Formats with a list of their own.
            for format in game.formats() {
                let list = self.list(id, Some(format.id()))?;
                let digest =
                    |list: &Option<Arc<Banlist>>| list.as_ref().map(|list| list.sha256.clone());
                if digest(&list) != digest(&own[0].1) {
                    own.push((format.id().to_owned(), list));
                }
            }
            // A game with one format of the same id has one entry.
            own.reverse();
            for (whose, list) in own {
                let locked = list.map(|list| {
                    let named = named.is_some_and(|named| named.sha256 == list.sha256);
                    let locked = LockedList::new(&list, address(&list), named);
                    kept.push(list);
                    locked
                });
                lists.entry(whose).or_insert(locked);
            }
        }
        games.sort();
        games.dedup();
        let (locked, copies) = self.games_and_copies(&games, &kept)?;
        let settings = self.settings.clone();
        Ok(Lock::new(self.day, lists, locked, settings, copies))
    }

    /// The files of the games, and the contents of these and of the lists by SHA-256.
    fn games_and_copies(
        &self,
        games: &[String],
        kept: &[Arc<Banlist>],
    ) -> Result<GamesAndCopies, Problem> {
        let mut copies = BTreeMap::new();
        let mut keep = |bytes: &[u8]| {
            let digest = decklaw_text::digest::sha256(bytes);
            copies.insert(digest.clone(), bytes.to_vec());
            digest
        };
        let mut locked = BTreeMap::new();
        for id in games {
            let files = self.catalogue().files(id);
            let files = files.map(|(name, bytes)| (name.to_owned(), keep(bytes)));
            let files = files.collect();
            let game = self.catalogue().game(id)?;
            // Decks could not be judged by a file that cannot be read.
            self.pool(&game)?;
            let cards = self
                .card_file(id)
                .map(|(name, bytes, _)| LockedCards { file: name.to_owned(), sha256: keep(bytes) });
            locked.insert(id.clone(), LockedGame { files, cards });
        }
        for list in kept {
            keep(&bytes_of(list)?);
        }
        for name in self.settings.keys() {
            let has = |id: &String| {
                let game = self.catalogue().game(id);
                game.is_ok_and(|game| game.has_setting(name))
            };
            if !games.iter().any(has) {
                return Err(refused(format!("no game that is locked has a setting `{name}`")));
            }
        }
        Ok((locked, copies))
    }
}

/// The bytes of a list's file, checked against its digest.
fn bytes_of(list: &Banlist) -> Result<Vec<u8>, Problem> {
    let with_mark = || [&b"\xef\xbb\xbf"[..], list.text.as_bytes()].concat();
    let fits = |bytes: &Vec<u8>| decklaw_text::digest::sha256(bytes) == list.sha256;
    let known = Some(list.text.clone().into_bytes()).filter(fits);
    let known = known.or_else(|| Some(with_mark()).filter(fits));
    known.ok_or_else(|| refused(format!("{}: its bytes are not available", list.file)))
}
