//! The games that `formats add` keeps: each in a folder of its own, and one file that says which of
//! them are in force. That file alone makes a game known or unknown, so whatever interrupts a
//! command, each game is the old one or the new one, whole; a folder that it does not name is of no
//! use to anyone, and the next command that changes something clears it away.

use super::configuration::configuration_folder;
use super::files::{self, Claim, Readers};
use super::inputs::explain;
use super::remedies::io_message;
use super::{Refusal, Run};
use crate::yaml::{FileError, text_of};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::io::{ErrorKind, Read};
use std::path::PathBuf;

const SCHEMA: &str = "decklaw/kept-games/1";

/// The file that says which games are kept.
const FILE: &str = "games.json";

/// The most bytes of that file: 1 MiB.
const LARGEST: u64 = 1 << 20;

/// A game that is kept.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Entry {
    /// The folder with the folder of the game, by its name.
    folder: String,
    /// The digest of its files when they were kept.
    pub(super) sha256: String,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Index {
    schema: String,
    games: BTreeMap<String, Entry>,
}

/// The games that are kept.
#[derive(Debug)]
pub(super) struct Kept {
    folder: PathBuf,
    games: BTreeMap<String, Entry>,
}

impl Kept {
    /// The games that are kept; none where there is no place for them.
    ///
    /// # Errors
    /// When what is said of them cannot be read.
    pub(super) fn read(run: &Run) -> Result<Kept, Refusal> {
        let folder = configuration_folder().map(|folder| folder.join("kept"));
        let Some(folder) = folder else {
            let (folder, games) = (PathBuf::new(), BTreeMap::new());
            return Ok(Kept { folder, games });
        };
        let file = folder.join(FILE);
        let name = file.display().to_string();
        let cannot = |error: std::io::Error| Refusal(format!("{name}: {}", io_message(&error)));
        let mut bytes = Vec::new();
        match std::fs::File::open(&file) {
            Err(error) if error.kind() == ErrorKind::NotFound => {
                let games = BTreeMap::new();
                return Ok(Kept { folder, games });
            }
            Err(error) => return Err(cannot(error)),
            Ok(open) => open.take(LARGEST).read_to_end(&mut bytes).map_err(cannot)?,
        };
        run.reads(&file);
        let text = text_of(&name, &bytes).map_err(|error| explain(&error))?;
        let wrong = |problem| explain(&FileError::of(&name, text, vec![problem]));
        let index = crate::yaml::read::<Index>(text).map_err(wrong)?;
        if index.schema != SCHEMA {
            return Err(Refusal(format!(
                "{name}: this was written by another version of decklaw, and cannot be read"
            )));
        }
        let games = index.games;
        Ok(Kept { folder, games })
    }

    /// The games, by id.
    pub(super) fn games(&self) -> impl Iterator<Item = (&String, &Entry)> {
        self.games.iter()
    }

    /// A game, if it is kept.
    pub(super) fn game(&self, id: &str) -> Option<&Entry> {
        self.games.get(id)
    }

    /// The folder in which a game's folder stands.
    pub(super) fn place(&self, entry: &Entry) -> PathBuf {
        self.folder.join(&entry.folder)
    }
}

/// The kept games, to be changed: by nobody else meanwhile.
#[derive(Debug)]
pub(super) struct Changing<'r> {
    pub(super) kept: Kept,
    run: &'r Run,
    _claim: Claim,
}

/// A game's folder that is being filled. It is gone again unless the game is [kept](Changing::keep).
#[derive(Debug)]
pub(super) struct Begun {
    name: String,
    place: Option<PathBuf>,
    /// The game's own folder, in it.
    pub(super) folder: PathBuf,
}

impl Drop for Begun {
    fn drop(&mut self) {
        if let Some(place) = self.place.take() {
            let _ = std::fs::remove_dir_all(place);
        }
    }
}

impl<'r> Changing<'r> {
    /// Claims the kept games, and clears away what no game is.
    ///
    /// # Errors
    /// When there is no place for them, or they cannot be read.
    pub(super) fn begin(run: &'r Run) -> Result<Changing<'r>, Refusal> {
        let Some(folder) = configuration_folder().map(|folder| folder.join("kept")) else {
            return Err(Refusal(
                "there is no home folder to keep games in; name one in DECKLAW_CONFIG".to_owned(),
            ));
        };
        std::fs::create_dir_all(&folder)
            .map_err(|error| Refusal(format!("{}: {}", folder.display(), io_message(&error))))?;
        let claim = files::claim(&folder);
        let changing = Changing {
            kept: Kept::read(run)?,
            run,
            _claim: claim,
        };
        files::clear(run, &folder);
        changing.sweep();
        Ok(changing)
    }

    /// Begins a folder for a game of a digest.
    ///
    /// # Errors
    /// When it cannot be made.
    pub(super) fn folder(&self, id: &str, sha256: &str) -> Result<Begun, Refusal> {
        let start = sha256.get(..16).unwrap_or(sha256);
        let mut at = 1;
        loop {
            // The folder of the same files is there where somebody has changed them since.
            let name = match at {
                1 => start.to_owned(),
                at => format!("{start}-{at}"),
            };
            let place = self.kept.folder.join(&name);
            match std::fs::create_dir(&place) {
                Ok(()) => {
                    let folder = place.join(id);
                    let place = Some(place);
                    return Ok(Begun {
                        name,
                        place,
                        folder,
                    });
                }
                Err(error) if error.kind() == ErrorKind::AlreadyExists && at < 100 => at += 1,
                Err(error) => {
                    let place = place.display();
                    return Err(Refusal(format!("{place}: {}", io_message(&error))));
                }
            }
        }
    }

    /// Makes what was begun the game of an id, in the place of the one that was kept.
    ///
    /// # Errors
    /// When that cannot be written; then all is as it was.
    pub(super) fn keep(mut self, id: &str, mut begun: Begun, sha256: &str) -> Result<(), Refusal> {
        let (folder, sha256) = (begun.name.clone(), sha256.to_owned());
        self.kept
            .games
            .insert(id.to_owned(), Entry { folder, sha256 });
        // From here on it is what is in force that tells which folder has to stay: an error may
        // come after the change.
        begun.place = None;
        let written = self.write();
        if written.is_err() {
            self.kept = Kept::read(self.run)?;
        }
        self.sweep();
        written
    }

    /// Forgets a game.
    ///
    /// # Errors
    /// When that cannot be written; then all is as it was.
    pub(super) fn forget(mut self, id: &str) -> Result<(), Refusal> {
        self.kept.games.remove(id);
        self.write()?;
        self.sweep();
        Ok(())
    }

    fn write(&self) -> Result<(), Refusal> {
        let index = Index {
            schema: SCHEMA.to_owned(),
            games: self.kept.games.clone(),
        };
        let mut text = serde_json::to_vec_pretty(&index)?;
        text.push(b'\n');
        let file = self.kept.folder.join(FILE);
        self.run.renew(&file, &text, Readers::Anyone)
    }

    /// Clears away the folders that are of no game. One that stays is of no use, and does no harm.
    fn sweep(&self) {
        let entries = std::fs::read_dir(&self.kept.folder);
        for entry in entries.into_iter().flatten().flatten() {
            let name = entry.file_name();
            let kept = |entry: &Entry| *entry.folder == *name;
            let is_folder = entry.file_type().is_ok_and(|kind| kind.is_dir());
            if is_folder && !self.kept.games.values().any(kept) {
                let _ = std::fs::remove_dir_all(entry.path());
            }
        }
    }
}
