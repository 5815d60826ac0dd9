//! The file of a secret that people deal from, which its owner alone may read.

use super::{Failure, Run, files};
use crate::matches::Secret;
use std::path::Path;

/// The secret of a file; a new one where there is no such file yet.
pub(super) fn secret_in(run: &Run, path: &Path) -> Result<Secret, Failure> {
    if path.exists() {
        return read_secret(run, path);
    }
    let secret = Secret::new()?;
    files::write_file(run, path, &format!("{}\n", secret.hex()), false)?;
    Ok(secret)
}

/// The secret of a file.
pub(super) fn read_secret(run: &Run, path: &Path) -> Result<Secret, Failure> {
    let text = files::read(run, path)?;
    run.mind_secret(path);
    Ok(Secret::read(&String::from_utf8_lossy(&text))?)
}
