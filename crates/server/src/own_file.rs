//! The file that is edited: which it is, and what is known of it.

use super::worker::{Bench, Question as _, ReadFile, Title};
use decklaw_core::deck::{self, Input};
use std::path::{Path, PathBuf};
use tokio::sync::Mutex;

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

/// The file that is edited.
pub(super) struct Edited {
    pub(super) path: PathBuf,
    /// What it is written in, by the word that the page has for it.
    pub(super) input: &'static str,
    pub(super) format: String,
    /// Held while it is saved.
    pub(super) saving: Mutex<()>,
    pub(super) write: WriteFile,
}

impl Edited {
    /// Opens a deck's file; one that is not there yet begins without cards.
    ///
    /// # Errors
    /// A file that cannot be read, or is no deck, for people.
    pub(super) fn open(file: ToEdit, bench: &Bench) -> Result<Edited, String> {
        let ToEdit {
            path,
            format: told,
            write,
        } = file;
        let name = path.display().to_string();
        let input = match Input::of_path(&path) {
            Input::Text => "text",
            Input::Yaml => "yaml",
            Input::Json => "json",
            _ => {
                return Err(format!(
                    "{name}: only decks in text, YAML and JSON are edited; make it text first: `decklaw convert {name} --to-format text`"
                ));
            }
        };
        let known = if path.exists() {
            Some(bytes_of(&path).map_err(|why| format!("{name}: {why}"))?)
        } else {
            None
        };
        let format = match (known, told) {
            (None, None) => {
                return Err(format!(
                    "{name}: there is no such file; to begin a deck, name its format: `decklaw edit {name} --format FORMAT`"
                ));
            }
            (None, Some(format)) => format,
            (Some(bytes), told) => {
                let read = ReadFile {
                    format: told,
                    bytes,
                    input: input.to_owned(),
                    file: String::new(),
                };
                let import = read.answer(bench).map_err(|trouble| trouble.message)?;
                let found = import.check.0.findings.first();
                let first = found.map_or("it is no deck", |found| &found.message);
                let first = first.trim_end_matches('.');
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
        let titled = Title { format }.answer(bench);
        let format = titled.map_err(|trouble| trouble.message)?.id;
        Ok(Edited {
            path,
            input,
            format,
            saving: Mutex::new(()),
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
