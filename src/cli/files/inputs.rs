//! What the run reads, so that no output takes its place.

use super::super::Run;
use super::super::run::Input;
use std::fs;
use std::path::Path;
use std::sync::PoisonError;

impl Run {
    /// Remembers a file that the run reads, so that no output takes its place.
    pub(in super::super) fn reads(&self, path: &Path) {
        self.remember(Input::Named(path.to_owned()));
    }

    /// The same for a regular file that was met in a folder: telling such ones apart is cheap,
    /// however many there are.
    pub(in super::super) fn meets(&self, path: &Path) {
        self.remember(Input::Met(path.to_owned()));
    }

    /// The same for all regular files beneath a folder whose paths from there are of a kind.
    pub(in super::super) fn reads_in(&self, folder: &Path, kind: fn(&Path) -> bool) {
        self.remember(Input::Folder(folder.to_owned(), kind));
    }

    fn remember(&self, input: Input) {
        let mut inputs = self.inputs.lock().unwrap_or_else(PoisonError::into_inner);
        inputs.push(input);
    }

    /// Whether a file, by its canonical path, is one that the run reads.
    pub(super) fn is_input(&self, place: &Path) -> bool {
        let is = |path: &Path| fs::canonicalize(path).is_ok_and(|path| path == place);
        let inputs = self.inputs.lock().unwrap_or_else(PoisonError::into_inner);
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
}
