//! The file that is edited: which it is, and what is known of it.

use super::answers;
use super::site::Site;
use decklaw_core::deck::{self, Input};
use std::path::{Path, PathBuf};
use std::sync::Mutex;

/// A deck's file that is edited.
pub struct ToEdit {
    /// The file.
    pub path: PathBuf,
    /// The format that it is for where it does not say.
    pub format: Option<String>,
    /// Writes it.
    pub write: WriteFile,
}

/// Writes a file whole, with the second bytes, if it still holds the first ones (`None`: is not
/// there). `false`: it does not, and was left as it is. Errors are for people.
pub type WriteFile = Box<dyn Fn(&Path, Option<&[u8]>, &[u8]) -> Result<bool, String> + Send + Sync>;

/// The file, as it was read or last written.
pub(super) struct Edited {
    pub(super) path: PathBuf,
    pub(super) input: Input,
    pub(super) format: String,
    /// Its bytes; `None`: it is not there yet.
    pub(super) known: Mutex<Option<Vec<u8>>>,
    pub(super) write: WriteFile,
}

impl Edited {
    /// Opens a deck's file; one that is not there yet begins without cards.
    ///
    /// # Errors
    /// A file that cannot be read, or is no deck, for people.
    pub(super) fn open(file: ToEdit, site: &Site) -> Result<Edited, String> {
        let ToEdit {
            path,
            format: told,
            write,
        } = file;
        let name = path.display().to_string();
        let input = Input::of_path(&path);
        if !matches!(input, Input::Text | Input::Yaml | Input::Json) {
            return Err(format!(
                "{name}: only decks in text, YAML and JSON are edited; make it text first: `decklaw convert {name} --to-format text`"
            ));
        }
        let known = match path.exists() {
            true => Some(bytes_of(&path).map_err(|why| format!("{name}: {why}"))?),
            false => None,
        };
        let judge = site.own().map_err(|trouble| trouble.message)?;
        let format = match (&known, told) {
            (None, None) => {
                return Err(format!(
                    "{name}: there is no such file; to begin a deck, name its format: `decklaw edit {name} --format FORMAT`"
                ));
            }
            (None, Some(format)) => format,
            (Some(bytes), told) => {
                let import = answers::import(&judge, told.as_deref(), bytes, Some(input));
                let import = import.map_err(|trouble| trouble.message)?;
                let first = import.check["findings"][0]["message"].as_str();
                let first = first.unwrap_or("it is no deck").trim_end_matches('.');
                match (import.deck, import.format) {
                    (_, None) => {
                        return Err(format!(
                            "{name}: {first}; name its format: `decklaw edit {name} --format FORMAT`"
                        ));
                    }
                    (None, _) => {
                        return Err(format!("{name}: {first}; `decklaw check` says where"));
                    }
                    (Some(_), Some(format)) => format,
                }
            }
        };
        let format = answers::format(&judge, &format).map_err(|trouble| trouble.message)?;
        Ok(Edited {
            path,
            input,
            format: format.id().to_owned(),
            known: Mutex::new(known),
            write,
        })
    }

    /// The deck's format.
    pub(super) fn format(&self) -> &str {
        &self.format
    }
}

/// The bytes of a deck's file.
///
/// # Errors
/// A file that cannot be read, or is larger than decks are, for people.
pub(super) fn bytes_of(path: &Path) -> Result<Vec<u8>, String> {
    match path.metadata() {
        Ok(about) if about.len() > deck::LARGEST_FILE => {
            Err("larger than 16 MiB, so it is no deck".to_owned())
        }
        Ok(_) => std::fs::read(path).map_err(|error| error.to_string()),
        Err(error) => Err(error.to_string()),
    }
}
