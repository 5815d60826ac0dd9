//! Files that a command writes: whole or not at all, even when it is interrupted.

use super::{Refusal, interruption};
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::{LazyLock, Mutex, PoisonError};

/// Who may read a file that decklaw writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Readers {
    /// Whoever the machine lets read new files.
    Anyone,
    /// Its owner alone: what it holds is hidden from somebody.
    Owner,
}

/// Drafts that an interruption has to clear away.
static DRAFTS: LazyLock<Mutex<Vec<PathBuf>>> = LazyLock::new(|| {
    // Without it an interruption leaves a hidden draft behind, and the file untouched.
    interruption::first(|| {
        for draft in drafts().drain(..) {
            let _ = fs::remove_file(draft);
        }
    });
    Mutex::default()
});

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
pub(super) fn reads(path: &Path) {
    remember(Input::Named(path.to_owned()));
}

/// The same for a regular file that was met in a folder: telling such ones apart is cheap,
/// however many there are.
pub(super) fn meets(path: &Path) {
    remember(Input::Met(path.to_owned()));
}

/// The same for all regular files beneath a folder whose paths from there are of a kind.
pub(super) fn reads_in(folder: &Path, kind: fn(&Path) -> bool) {
    remember(Input::Folder(folder.to_owned(), kind));
}

fn remember(input: Input) {
    let mut inputs = INPUTS.lock().unwrap_or_else(PoisonError::into_inner);
    inputs.push(input);
}

/// Whether a file, by its canonical path, is one that the run reads.
fn is_input(place: &Path) -> bool {
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

/// Whether a file may take the place of one that the run reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Over {
    /// It must not: what is read would be lost.
    Others,
    /// That is what it is for.
    Inputs,
}

fn drafts() -> std::sync::MutexGuard<'static, Vec<PathBuf>> {
    DRAFTS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A file being written beside its place, which it takes when it is [finished](Draft::finish).
/// What is no regular file (a device, a pipe) is written to as it is.
#[derive(Debug)]
pub(super) struct Draft {
    file: Option<BufWriter<File>>,
    /// Where it is written and where it belongs, unless that is the same.
    rename: Option<(PathBuf, PathBuf)>,
    name: String,
    over: Over,
}

impl Draft {
    /// Begins a file. A link is followed: what it points to is replaced.
    ///
    /// # Errors
    /// When nothing can be written there, or the run reads that file.
    pub(super) fn new(path: &Path, readers: Readers) -> Result<Draft, Refusal> {
        Draft::over(path, readers, Over::Others)
    }

    /// Begins a file that may be one that the run reads: for commands that work in place.
    ///
    /// # Errors
    /// When nothing can be written there.
    pub(super) fn in_place(path: &Path, readers: Readers) -> Result<Draft, Refusal> {
        Draft::over(path, readers, Over::Inputs)
    }

    fn over(path: &Path, readers: Readers, over: Over) -> Result<Draft, Refusal> {
        let name = path.display().to_string();
        let cannot = |error: io::Error| Refusal(format!("{name}: cannot be written: {error}"));
        let place = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        let found = fs::metadata(&place).ok();
        let special = found.as_ref().is_some_and(|found| !found.is_file());
        // A file that is taken the place of must be one that could be written to.
        let kept = found.filter(|_| !special).map(|found| found.permissions());
        if kept.as_ref().is_some_and(fs::Permissions::readonly) {
            return Err(cannot(io::Error::from(io::ErrorKind::PermissionDenied)));
        }
        let (file, rename) = if special {
            let file = File::options().write(true).open(&place).map_err(cannot)?;
            (file, None)
        } else {
            if over == Over::Others && is_input(&place) {
                return Err(input_of_this_run(&name));
            }
            let Some(own) = place.file_name() else {
                return Err(Refusal(format!("{name}: this is not a file's name")));
            };
            let own = own.to_string_lossy();
            let beside = place.with_file_name(format!(".{own}.{}.new", std::process::id()));
            let mut options = File::options();
            options.write(true).create_new(true);
            #[cfg(unix)]
            if readers == Readers::Owner {
                use std::os::unix::fs::OpenOptionsExt;
                options.mode(0o600);
            }
            let mut drafts = drafts();
            let mut file = options.open(&beside);
            if matches!(&file, Err(error) if error.kind() == io::ErrorKind::AlreadyExists) {
                // Left by a process of this number that was killed: no other one writes here.
                file = fs::remove_file(&beside).and_then(|()| options.open(&beside));
            }
            let file = file.map_err(cannot)?;
            drafts.push(beside.clone());
            if let Some(kept) = kept.filter(|_| readers == Readers::Anyone) {
                // Where they cannot be kept, the file has those of a new one.
                let _ = file.set_permissions(kept);
            }
            (file, Some((beside, place)))
        };
        Ok(Draft {
            file: Some(BufWriter::with_capacity(1 << 14, file)),
            rename,
            name,
            over,
        })
    }

    /// Writes all of the file and puts it in its place.
    ///
    /// # Errors
    /// As [`Draft::finish`].
    pub(super) fn whole(mut self, bytes: &[u8]) -> Result<(), Refusal> {
        self.write_all(bytes)
            .map_err(|error| Refusal(format!("{}: cannot be written: {error}", self.name)))?;
        self.finish()
    }

    /// Writes out what is left and puts the file in its place.
    ///
    /// # Errors
    /// When it cannot be written, or the run has read its place meanwhile; what was in its
    /// place is then untouched.
    pub(super) fn finish(mut self) -> Result<(), Refusal> {
        if let Some((_, place)) = &self.rename
            && self.over == Over::Others
            && is_input(place)
        {
            return Err(input_of_this_run(&self.name));
        }
        let done = self.put_in_place();
        done.map_err(|error| Refusal(format!("{}: cannot be written: {error}", self.name)))
    }

    fn put_in_place(&mut self) -> io::Result<()> {
        let Some(mut file) = self.file.take() else {
            return Ok(());
        };
        file.flush()?;
        if let Some((beside, place)) = &self.rename {
            file.get_ref().sync_all()?;
            fs::rename(beside, place)?;
            drafts().retain(|draft| draft != beside);
            self.rename = None;
        }
        Ok(())
    }
}

impl Write for Draft {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.file {
            Some(file) => file.write(bytes),
            None => Ok(bytes.len()),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.as_mut().map_or(Ok(()), Write::flush)
    }
}

impl Drop for Draft {
    fn drop(&mut self) {
        if let Some((beside, _)) = self.rename.take() {
            // What was not finished is of no use to anyone.
            let _ = fs::remove_file(&beside);
            drafts().retain(|draft| *draft != beside);
        }
    }
}

fn input_of_this_run(name: &str) -> Refusal {
    Refusal(format!(
        "{name} is an input of this run, and would be overwritten; write to another file"
    ))
}

/// Writes a whole file.
///
/// # Errors
/// When it cannot be written, or the run reads it; what was in its place is then untouched.
pub(super) fn write(path: &Path, bytes: &[u8], readers: Readers) -> Result<(), Refusal> {
    Draft::new(path, readers)?.whole(bytes)
}

/// Writes a whole file that may be one that the run reads: for commands that work in place.
///
/// # Errors
/// When it cannot be written; what was in its place is then untouched.
pub(super) fn replace(path: &Path, bytes: &[u8], readers: Readers) -> Result<(), Refusal> {
    Draft::in_place(path, readers)?.whole(bytes)
}
