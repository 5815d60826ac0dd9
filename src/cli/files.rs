//! Files that a call names, and files that a command writes: whole or not at all.
//!
//! Every file is written in the same way: a draft in the same folder, synced to the disk, is
//! renamed to the file. Nothing that was there before is touched unless the command
//! was asked to change it, or the call says `--replace`.

mod draft;
mod shared;

pub(super) use draft::{Draft, remove_drafts};
#[cfg(feature = "server")]
pub(super) use shared::exchange;
pub(super) use shared::{Exchange, claim, exchange_if};

use super::CliError;
use super::answer::io_message;
use std::path::Path;
use std::sync::atomic::AtomicBool;

/// Reads a table that a flag names, `FILE.xlsx#SHEET` too, and says which sheet is meant.
pub(super) fn read_table(path: &Path) -> Result<(Vec<u8>, Option<String>), CliError> {
    let (file, sheet) = crate::table::named(path);
    Ok((read_file(&file)?, sheet))
}

/// Reads a file that a flag names.
pub(super) fn read_file(path: &Path) -> Result<Vec<u8>, CliError> {
    std::fs::read(path)
        .map_err(|error| CliError::call(format!("{}: {}", path.display(), io_message(&error))))
}

/// Whether this process is a server, which ends by itself when it is interrupted.
pub(super) static SERVES: AtomicBool = AtomicBool::new(false);

/// Who may read a file that decklaw writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Readers {
    /// The default permissions of new files.
    Anyone,
    /// Only its owner: its content is secret.
    Owner,
}

/// Writes a whole file that is not there yet, or where it may `replace` one, in the place of
/// whatever is there. One that says the same already stays.
///
/// # Errors
/// When it cannot be written or is there already; what was in its place is then untouched.
pub(super) fn write(
    path: &Path,
    bytes: &[u8],
    readers: Readers,
    replace: bool,
) -> Result<(), CliError> {
    let same = path.is_file() && std::fs::read(path).is_ok_and(|found| found == bytes);
    if same {
        return Ok(());
    }
    Draft::new(path, readers, replace)?.whole(bytes)
}
