//! What the run reads, so that no output takes its place.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// What the run reads, and so must not write.
static INPUTS: Mutex<Vec<Input>> = Mutex::new(Vec::new());

/// What the run reads.
#[derive(Debug)]
enum Input {
    /// A file.
    Named(PathBuf),
    /// A file that was met in a folder, so that it is no link and has the name of what it is.
    Met(PathBuf),
    /// The regular files beneath a folder whose paths from there are of this kind.
    Folder(PathBuf, fn(&Path) -> bool),
}

/// Remembers a file that the run reads, so that no output takes its place.
pub(in super::super) fn reads(path: &Path) {
    remember(Input::Named(path.to_owned()));
}

/// The same for a regular file that was met in a folder: telling such ones apart is cheap,
/// however many there are.
pub(in super::super) fn meets(path: &Path) {
    remember(Input::Met(path.to_owned()));
}

/// The same for all regular files beneath a folder whose paths from there are of a kind.
pub(in super::super) fn reads_in(folder: &Path, kind: fn(&Path) -> bool) {
    remember(Input::Folder(folder.to_owned(), kind));
}

fn remember(input: Input) {
    let mut inputs = INPUTS.lock().unwrap_or_else(PoisonError::into_inner);
    inputs.push(input);
}

/// Whether a file, by its canonical path, is one that the run reads.
pub(super) fn is_input(place: &Path) -> bool {
    let is = |path: &Path| fs::canonicalize(path).is_ok_and(|path| path == place);
    let inputs = INPUTS.lock().unwrap_or_else(PoisonError::into_inner);
    inputs.iter().any(|input| match input {
        Input::Named(path) => is(path),
        Input::Met(path) => path.file_name() == place.file_name() && is(path),
        Input::Folder(folder, kind) => {
            let folder = fs::canonicalize(folder);
            let inside = folder.is_ok_and(|folder| place.strip_prefix(folder).is_ok_and(kind));
            inside && place.is_file()
        }
    })
}
