//! Files that several processes change: each change is made to what it was worked out from.

use super::super::CliError;
use super::{Draft, Readers};
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// The result of an [`exchange`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[must_use]
pub(in super::super) enum Exchange {
    /// The new bytes are in the file.
    Done,
    /// The file has other bytes than it was read with, or is gone, and was not changed: read it
    /// again and compute the change anew, or report it.
    Changed,
}

/// Puts new bytes into a file, if it still has those that it was read with (`before`). Between
/// the comparison and the change nobody else gets in who claims the file first.
///
/// # Errors
/// When the file cannot be read or written; it is then untouched.
#[cfg(feature = "server")]
pub(in super::super) fn exchange(
    path: &Path,
    before: &[u8],
    after: &[u8],
    readers: Readers,
) -> Result<Exchange, CliError> {
    exchange_if(path, |found| found == before, after, readers)
}

/// The same where several contents are acceptable: `before` returns whether one is.
///
/// # Errors
/// When the file cannot be read or written; it is then untouched.
pub(in super::super) fn exchange_if(
    path: &Path,
    before: impl FnOnce(&[u8]) -> bool,
    after: &[u8],
    readers: Readers,
) -> Result<Exchange, CliError> {
    let claim = claim(path);
    let found = match claim.held.as_ref() {
        Some(held) => {
            let mut held = held;
            let mut bytes = Vec::new();
            held.read_to_end(&mut bytes).map(|_| bytes)
        }
        None => std::fs::read(path),
    };
    match found {
        Ok(found) if before(&found) => {
            Draft::new(path, readers, true)?.whole(after)?;
            Ok(Exchange::Done)
        }
        Ok(_) => Ok(Exchange::Changed),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Exchange::Changed),
        Err(error) => Err(CliError::call(format!("{}: {error}", path.display()))),
    }
}

/// The exclusive right to change a file or folder, as long as it is held. Other processes wait.
#[derive(Debug)]
pub(in super::super) struct Claim {
    held: Option<File>,
}

/// Claims a file that is to be read, changed and written, or a folder. What is not there cannot
/// be claimed, nor a device or pipe, nor anything where there are no locks: who writes compares
/// first.
pub(in super::super) fn claim(path: &Path) -> Claim {
    let lasting = |found: std::fs::Metadata| found.is_file() || found.is_dir();
    while std::fs::metadata(path).is_ok_and(lasting)
        && let Ok(file) = File::open(path)
    {
        match file.lock() {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(_) => break,
            Ok(()) => {}
        }
        // Its holder may have replaced the file.
        if is_at(&file, path) {
            return Claim { held: Some(file) };
        }
    }
    Claim { held: None }
}

/// Whether a path still leads to an open file.
fn is_at(file: &File, path: &Path) -> bool {
    let (Ok(own), Ok(found)) = (file.metadata(), std::fs::metadata(path)) else {
        return false;
    };
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        (own.dev(), own.ino()) == (found.dev(), found.ino())
    }
    #[cfg(not(unix))]
    {
        own.len() == found.len() && own.modified().ok() == found.modified().ok()
    }
}
