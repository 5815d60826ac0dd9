//! The lock of an event: the day, lists, rules, cards and settings by which its decks are judged.
//! It holds copies, so that later changes of the files do not change a verdict.

mod broken;

use super::{Banlist, Date, Lists};
use crate::origin::Origin;
use decklaw_text::digest::{canonical, sha256, whole};
use decklaw_text::yaml::FileError;
use decklaw_text::{Problem, ProblemKind};
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
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

/// A card file from outside of the game's folder.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LockedCards {
    /// The file as it was named.
    pub file: String,
    /// SHA-256 of its bytes, lower-case hex.
    pub sha256: String,
}

/// The files of a game.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LockedGame {
    /// The files of the game's folder by name, each with the SHA-256 of its bytes.
    pub files: BTreeMap<String, String>,
    /// The cards, if they are not those of the folder.
    pub cards: Option<LockedCards>,
}

/// The lock of an event; its JSON is the lock file. A game without an entry has no decks in the
/// event.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Lock {
    schema: String,
    /// The day that decks are judged on.
    #[serde(serialize_with = "write_day", deserialize_with = "read_day")]
    pub day: Date,
    /// The edition of the program that made the lock; no other edition judges by it.
    pub edition: String,
    /// The list of each game, and of each format that has its own; `None`: no list applies.
    pub lists: BTreeMap<String, Option<LockedList>>,
    /// The games, by id.
    pub games: BTreeMap<String, LockedGame>,
    /// The settings, name to value.
    pub settings: BTreeMap<String, String>,
    /// SHA-256 of the canonical JSON of the fields above.
    #[serde(default)]
    pub seal: String,
    /// The contents of all files and lists, by SHA-256.
    #[serde(default)]
    copies: BTreeMap<String, LockedFile>,
}

/// The content of a file: text as it is, anything else in hexadecimal digits.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
enum LockedFile {
    Text(String),
    Bytes { hex: String },
}

impl LockedFile {
    fn new(bytes: Vec<u8>) -> LockedFile {
        String::from_utf8(bytes).map_or_else(
            |error| LockedFile::Bytes { hex: decklaw_text::digest::hex(error.as_bytes()) },
            LockedFile::Text,
        )
    }

    fn bytes(&self) -> Option<Vec<u8>> {
        match self {
            LockedFile::Text(text) => Some(text.clone().into_bytes()),
            LockedFile::Bytes { hex } => (0..hex.len())
                .step_by(2)
                .map(|at| u8::from_str_radix(hex.get(at..at + 2)?, 16).ok())
                .collect(),
        }
    }
}

fn write_day<S: Serializer>(day: &Date, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(day)
}

fn read_day<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Date, D::Error> {
    String::deserialize(deserializer)?.parse().map_err(D::Error::custom)
}

/// The edition of this program.
pub const EDITION: &str = concat!("decklaw ", env!("CARGO_PKG_VERSION"));

const SCHEMA: &str = "decklaw/lock/1";

const LOCK_AGAIN: &str =
    "it was changed after it was made; make it again with `decklaw banlist lock`";

impl Lock {
    /// Makes the lock of a day; `copies` are the contents of all files and lists, by SHA-256.
    pub fn new(
        day: Date,
        lists: BTreeMap<String, Option<LockedList>>,
        games: BTreeMap<String, LockedGame>,
        settings: BTreeMap<String, String>,
        copies: BTreeMap<String, Vec<u8>>,
    ) -> Lock {
        let copies = copies.into_iter();
        let mut lock = Lock {
            schema: SCHEMA.to_owned(),
            day,
            edition: EDITION.to_owned(),
            lists,
            games,
            settings,
            seal: String::new(),
            copies: copies.map(|(sha256, bytes)| (sha256, LockedFile::new(bytes))).collect(),
        };
        lock.seal = lock.digest();
        lock
    }

    /// Reads a lock file.
    ///
    /// # Errors
    /// A file that is no lock, of another edition, or changed after it was made.
    pub fn read(bytes: &[u8]) -> Result<Lock, Problem> {
        let refuse = |message: String| Err(Problem::new(ProblemKind::Game, message));
        let lock: Lock = match serde_json::from_slice(decklaw_text::text::without_bom(bytes)) {
            Ok(lock) => lock,
            Err(error) => return refuse(format!("not a lock file: {error}")),
        };
        if lock.schema != SCHEMA {
            let own = lock.schema;
            return refuse(format!("the schema is `{own}`; this program reads `{SCHEMA}`"));
        }
        if lock.seal != lock.digest() {
            return refuse(format!("the lock does not fit its own seal: {LOCK_AGAIN}"));
        }
        if lock.edition != EDITION {
            let own = lock.edition;
            return refuse(format!(
                "the lock was made by {own}, and this is {EDITION}, which may judge otherwise; judge with that edition, or lock again"
            ));
        }
        let lists = lock.lists.values().flatten();
        let mut needed: Vec<(String, &str)> = Vec::new();
        for (id, game) in &lock.games {
            let files = game.files.iter();
            needed.extend(files.map(|(name, sha256)| (format!("{id}/{name}"), sha256.as_str())));
            let cards = game.cards.iter();
            needed.extend(cards.map(|cards| (cards.file.clone(), cards.sha256.as_str())));
        }
        needed.extend(lists.map(|list| (list.id.clone(), list.sha256.as_str())));
        for (name, digest) in needed {
            let copy = lock.copy(digest);
            if copy.is_none_or(|bytes| sha256(&bytes) != digest) {
                return refuse(format!(
                    "the copy of {name} in the lock does not fit its digest: {LOCK_AGAIN}"
                ));
            }
        }
        Ok(lock)
    }

    /// The text of the file.
    pub fn text(&self) -> String {
        whole(serde_json::to_string_pretty(self)) + "\n"
    }

    fn digest(&self) -> String {
        let sealed = serde_json::json!({
            "schema": self.schema,
            "day": self.day.to_string(),
            "lists": self.lists,
            "edition": self.edition,
            "games": self.games,
            "settings": self.settings,
        });
        sha256(&canonical(&sealed))
    }

    fn copy(&self, sha256: &str) -> Option<Vec<u8>> {
        self.copies.get(sha256)?.bytes()
    }

    /// The list that was locked for a game or format; `None` if no list applies.
    pub fn chosen(&self, game: &str, format: Option<&str>) -> Option<&LockedList> {
        let own = format.and_then(|format| self.lists.get(format));
        own.or_else(|| self.lists.get(game))?.as_ref()
    }

    /// The files of the games' folders, by game and name.
    pub fn files(&self) -> BTreeMap<String, BTreeMap<String, Vec<u8>>> {
        let files = |game: &LockedGame| {
            let files = game.files.iter();
            files
                .map(|(name, sha256)| (name.clone(), self.copy(sha256).unwrap_or_default()))
                .collect()
        };
        let games = self.games.iter();
        games.map(|(id, game)| (id.clone(), files(game))).collect()
    }

    /// The card files from outside of the games' folders: game, name, bytes.
    pub fn cards(&self) -> impl Iterator<Item = (&str, &str, Vec<u8>)> {
        self.games.iter().filter_map(|(id, game)| {
            let cards = game.cards.as_ref()?;
            Some((id.as_str(), cards.file.as_str(), self.copy(&cards.sha256)?))
        })
    }

    /// The lists, read from the copies.
    ///
    /// # Errors
    /// A copy that is no list.
    pub fn kept_lists(&self) -> Result<Lists, FileError> {
        let mut lists = Vec::new();
        for list in self.lists.values().flatten() {
            if let Some(bytes) = self.copy(&list.sha256) {
                let mut list = Banlist::read(&format!("{} (locked)", list.id), &bytes)?;
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
