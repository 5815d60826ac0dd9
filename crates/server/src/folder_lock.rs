//! A folder that one server uses at a time: its file `desk` is locked, and has the server's
//! address.

use std::fs::{File, TryLockError};
use std::io::{Read as _, Seek as _, Write as _};
use std::path::Path;

/// The file that is locked.
const FILE: &str = "desk";

/// Locks a folder for a server at an address until the answer is dropped; creates the folder.
/// `busy` is what is wrong where another server has it, and `help` what to do about that.
///
/// # Errors
/// A folder that another server has, or that cannot be written to; for people.
pub(crate) fn lock(folder: &Path, address: &str, words: (&str, &str)) -> Result<File, String> {
    try_lock(folder, address, words)?.map_err(|error| format!("{}: {error}", folder.display()))
}

/// The same; `None` for a copy that nobody can write to.
///
/// # Errors
/// As [`lock`].
pub(crate) fn lock_or_read(
    folder: &Path,
    address: &str,
    words: (&str, &str),
) -> Result<Option<File>, String> {
    use std::io::ErrorKind::{PermissionDenied, ReadOnlyFilesystem};
    match try_lock(folder, address, words)? {
        Err(error) if matches!(error.kind(), PermissionDenied | ReadOnlyFilesystem) => Ok(None),
        locked => locked.map(Some).map_err(|error| format!("{}: {error}", folder.display())),
    }
}

fn try_lock(
    folder: &Path,
    address: &str,
    (busy, help): (&str, &str),
) -> Result<std::io::Result<File>, String> {
    let name = folder.display();
    let locked = || -> Result<Result<File, String>, std::io::Error> {
        std::fs::create_dir_all(folder)?;
        let mut file = File::options()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(folder.join(FILE))?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                let mut other = String::new();
                file.read_to_string(&mut other)?;
                let other = other.trim();
                return Ok(Err(format!("{name}: {busy}, at {other}; {help}")));
            }
            Err(TryLockError::Error(error)) => return Err(error),
        }
        file.set_len(0)?;
        file.rewind()?;
        writeln!(file, "{address}")?;
        Ok(Ok(file))
    };
    match locked() {
        Ok(locked) => locked.map(Ok),
        Err(error) => Ok(Err(error)),
    }
}
