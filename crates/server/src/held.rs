//! A folder that one server holds: its file `desk` is locked, and says where that server is.

use std::fs::{File, TryLockError};
use std::io::{Read as _, Seek as _, Write as _};
use std::path::Path;

/// The file by which one server holds a folder.
const HELD: &str = "desk";

/// What is said of a folder that another server holds.
#[derive(Debug, Clone, Copy)]
pub(super) struct Busy {
    /// What the other one is.
    pub(super) what: &'static str,
    /// What to do about it.
    pub(super) help: &'static str,
}

/// Holds a folder, which is made where there is none, for a server at an address, until what is
/// answered is dropped.
///
/// # Errors
/// A folder that another server holds, or that cannot be written to; for people.
pub(super) fn hold(folder: &Path, address: &str, busy: Busy) -> Result<File, String> {
    let name = folder.display();
    let cannot = |error: std::io::Error| format!("{name}: {error}");
    std::fs::create_dir_all(folder).map_err(cannot)?;
    let file = File::options()
        .read(true)
        .write(true)
        .create(true)
        .truncate(false)
        .open(folder.join(HELD));
    let mut held = file.map_err(cannot)?;
    match held.try_lock() {
        Ok(()) => {}
        Err(TryLockError::WouldBlock) => {
            let mut other = String::new();
            held.read_to_string(&mut other).map_err(cannot)?;
            return Err(format!(
                "{name}: {}, at {}; {}",
                busy.what,
                other.trim(),
                busy.help
            ));
        }
        Err(TryLockError::Error(error)) => return Err(cannot(error)),
    }
    let said = held.set_len(0).and_then(|()| held.rewind());
    said.and_then(|()| writeln!(held, "{address}"))
        .map_err(cannot)?;
    Ok(held)
}
