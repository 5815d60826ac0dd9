//! The copies of one address: a file for each day from which a list is effective, so that a list
//! announced for later does not end today's.

use super::{ListAddress, Validators};
use crate::banlist::{Banlist, read_folder};
use crate::yaml::{FileError, Problem};
use jiff::civil::Date;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// The name of the file next to the copies that holds a [`CopyState`].
pub(crate) const STATE_FILE: &str = "state.json";

const SCHEMA: &str = "decklaw/fetched/1";

/// What is known of the latest copy.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct CopyState {
    /// Always `decklaw/fetched/1`.
    schema: String,
    /// The address it came from.
    pub(crate) url: String,
    /// What the server called this version of it.
    etag: Option<String>,
    /// When the server says that it was changed.
    last_modified: Option<String>,
    /// The list's digest, which shows whether the copy is unchanged.
    sha256: String,
    /// The day on which it came, `YYYY-MM-DD`.
    pub(crate) fetched: String,
    /// Whether only the configuration of a folder names the address, so that the copies apply
    /// in that folder alone.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(crate) local: bool,
}

impl CopyState {
    pub(super) fn new(
        source: &ListAddress,
        copies: &Copies,
        list: &Banlist,
        validators: Validators,
        today: Date,
    ) -> CopyState {
        let before = copies.state.as_ref();
        CopyState {
            schema: SCHEMA.to_owned(),
            url: source.url.clone(),
            etag: validators.etag,
            last_modified: validators.last_modified,
            sha256: list.sha256.clone(),
            fetched: today.to_string(),
            // A list that the user's own configuration asked for stays everywhere.
            local: source.local && before.is_none_or(|before| before.local),
        }
    }

    /// Reads the state of a folder of copies; `None` where there is none.
    ///
    /// # Errors
    /// A file that cannot be read or is no state: where the copies apply is then unknown.
    pub(crate) fn read(folder: &Path) -> Result<Option<CopyState>, FileError> {
        let file = folder.join(STATE_FILE);
        let refuse = |message: String| {
            let message = format!("{message}; delete the file and fetch the list again");
            let problem = Problem::new(message, Default::default());
            FileError::of(&file.display().to_string(), "", vec![problem])
        };
        let bytes = match std::fs::read(&file) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(refuse(error.to_string())),
        };
        let state: CopyState =
            serde_json::from_slice(&bytes).map_err(|error| refuse(error.to_string()))?;
        if state.schema != SCHEMA {
            return Err(refuse(format!("`{}` is an unknown schema", state.schema)));
        }
        Ok(Some(state))
    }

    /// The text of the file.
    ///
    /// # Errors
    /// None in practice.
    pub(crate) fn text(&self) -> serde_json::Result<String> {
        serde_json::to_string_pretty(self).map(|text| text + "\n")
    }
}

/// The copies of one address.
#[derive(Debug)]
pub(crate) struct Copies {
    folder: PathBuf,
    lists: Vec<Banlist>,
    state: Option<CopyState>,
}

impl Copies {
    /// Reads the copies in a folder, which need not exist.
    ///
    /// # Errors
    /// A copy that was damaged since it came.
    pub(crate) fn read(folder: PathBuf) -> Result<Copies, FileError> {
        let mut lists = read_folder(&folder)?;
        lists.sort_by(|a, b| (a.effective, &a.file).cmp(&(b.effective, &b.file)));
        let state = CopyState::read(&folder)?;
        Ok(Copies { folder, lists, state })
    }

    /// The list that is effective last.
    pub(crate) fn latest(&self) -> Option<&Banlist> {
        self.lists.last()
    }

    /// What is known of the latest copy, where it is still what came.
    pub(crate) fn state(&self) -> Option<&CopyState> {
        let latest = self.latest()?;
        self.state.as_ref().filter(|state| state.sha256 == latest.sha256)
    }

    /// Whether they apply only where a folder's own configuration names their address.
    pub(crate) fn is_local(&self) -> bool {
        self.state.as_ref().is_some_and(|state| state.local)
    }

    /// What to ask with, so that a server may answer that the latest copy is the newest. Only
    /// of an intact copy from this address.
    pub(super) fn validators(&self, source: &ListAddress) -> Validators {
        match self.state() {
            Some(state) if state.url == source.url => {
                Validators { etag: state.etag.clone(), last_modified: state.last_modified.clone() }
            }
            _ => Validators::default(),
        }
    }

    /// Where a list belongs.
    pub(super) fn file_for(&self, list: &Banlist) -> PathBuf {
        self.folder.join(format!("{}.yaml", list.effective))
    }

    /// The files of lists effective later than one.
    pub(super) fn later_than(&self, list: &Banlist) -> Vec<PathBuf> {
        let later = self.lists.iter();
        later
            .filter(|kept| kept.effective > list.effective)
            .map(|kept| PathBuf::from(&kept.file))
            .collect()
    }
}
