//! The lock as a file: sealed, with a copy of all that it covers.

use super::{Covered, EDITION, Lock, LockedGame, LockedList};
use crate::banlist::Date;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

const SCHEMA: &str = "decklaw/lock/1";

/// The file, as written.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct LockFile {
    schema: String,
    day: String,
    edition: String,
    lists: BTreeMap<String, Option<LockedList>>,
    games: BTreeMap<String, LockedGame>,
    settings: BTreeMap<String, String>,
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
#[error("{0}")]
pub struct LockFileError(String);

const LOCK_AGAIN: &str =
    "it was changed after it was made; make it again with `decklaw banlist lock`";

impl Lock {
    /// The file, without seal and copies.
    pub(super) fn file(&self) -> LockFile {
        LockFile {
            schema: SCHEMA.to_owned(),
            day: self.day.to_string(),
            edition: self.covered.edition.clone(),
            lists: self.lists.clone(),
            games: self.covered.games.clone(),
            settings: self.covered.settings.clone(),
            seal: None,
            copies: None,
        }
    }

    /// Reads a lock file.
    ///
    /// # Errors
    /// Why it cannot be used, above all that it was changed.
    pub fn read(bytes: &[u8]) -> Result<Lock, LockFileError> {
        let shape = |error| LockFileError(format!("this is no lock file: {error}"));
        let mut file: LockFile =
            serde_json::from_slice(crate::text::without_bom(bytes)).map_err(shape)?;
        if file.schema != SCHEMA {
            let schema = &file.schema;
            let message = format!("the schema is `{schema}`; this program reads `{SCHEMA}`");
            return Err(LockFileError(message));
        }
        let written = file.seal.take();
        let kept = file.copies.take();
        let seal = file.digest().map_err(shape)?;
        if written.as_ref() != Some(&seal) {
            let message = format!("the lock does not fit its own seal: {LOCK_AGAIN}");
            return Err(LockFileError(message));
        }
        let day = file.day.parse::<Date>().ok();
        let day = day.filter(|day| day.to_string() == file.day);
        let day = day.ok_or_else(|| LockFileError(format!("`{}` is no day", file.day)))?;
        if file.edition != EDITION {
            return Err(LockFileError(format!(
                "the lock was made by {}, and this is {EDITION}, which may judge otherwise; judge with that edition, or lock again",
                file.edition
            )));
        }
        let covered = Covered {
            edition: file.edition,
            games: file.games,
            settings: file.settings,
            copies: BTreeMap::new(),
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
        let covered = &mut self.covered;
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
            let copy = copy.ok_or_else(|| {
                LockFileError(format!(
                    "the copy of {name} in the lock does not fit its digest: {LOCK_AGAIN}"
                ))
            })?;
            covered.copies.insert(sha256, copy);
        }
        Ok(())
    }

    /// The text of the file.
    ///
    /// # Errors
    /// None in practice.
    pub fn text(&self) -> serde_json::Result<String> {
        let copies = self.covered.copies.iter();
        let copies = copies.map(|(sha256, bytes)| (sha256.clone(), Kept::new(bytes)));
        let file = LockFile {
            seal: Some(self.seal.clone()),
            copies: Some(copies.collect()),
            ..self.file()
        };
        serde_json::to_string_pretty(&file).map(|text| text + "\n")
    }
}

impl LockFile {
    /// SHA-256 of the canonical JSON of all but the seal and the copies.
    pub(super) fn digest(&self) -> serde_json::Result<String> {
        let sealed = serde_json::json!({
            "schema": self.schema,
            "day": self.day,
            "lists": self.lists,
            "edition": self.edition,
            "games": self.games,
            "settings": self.settings,
        });
        serde_json_canonicalizer::to_vec(&sealed).map(|bytes| crate::digest::sha256(&bytes))
    }
}
