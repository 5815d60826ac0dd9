//! Files that a command writes: whole or not at all, even when it is interrupted.

use super::{Refusal, interruption};
use std::collections::BTreeSet;
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
    /// It takes no file's place at all.
    Nothing,
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

    /// Begins a file that is not there yet, or with `replace` one that the run does not read.
    ///
    /// # Errors
    /// As [`Draft::new`]; without `replace`, when there is such a file.
    pub(super) fn fresh(path: &Path, readers: Readers, replace: bool) -> Result<Draft, Refusal> {
        match replace {
            true => Draft::over(path, readers, Over::Others),
            false => Draft::over(path, readers, Over::Nothing),
        }
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
            if over != Over::Inputs && is_input(&place) {
                return Err(input_of_this_run(&name));
            }
            if over == Over::Nothing && kept.is_some() {
                return Err(exists(&name));
            }
            let Some(own) = place.file_name() else {
                return Err(Refusal(format!("{name}: this is not a file's name")));
            };
            let own = own.to_string_lossy();
            let beside = place.with_file_name(format!(".{own}.{}.new", std::process::id()));
            clear_folder(&beside);
            let mut drafts = drafts();
            let file = drafted(&beside, readers).map_err(cannot)?;
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
            && self.over != Over::Inputs
            && is_input(place)
        {
            return Err(input_of_this_run(&self.name));
        }
        match self.put_in_place() {
            Err(error)
                if self.over == Over::Nothing && error.kind() == io::ErrorKind::AlreadyExists =>
            {
                Err(exists(&self.name))
            }
            done => {
                done.map_err(|error| Refusal(format!("{}: cannot be written: {error}", self.name)))
            }
        }
    }

    fn put_in_place(&mut self) -> io::Result<()> {
        let Some(mut file) = self.file.take() else {
            return Ok(());
        };
        file.flush()?;
        if let Some((beside, place)) = &self.rename {
            file.get_ref().sync_all()?;
            match self.over {
                Over::Nothing => settle(beside, place)?,
                Over::Others | Over::Inputs => fs::rename(beside, place)?,
            }
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

fn exists(name: &str) -> Refusal {
    Refusal(format!(
        "{name} exists already; name another file, or let this one take its place with `--replace`"
    ))
}

/// Puts a draft where no file is: one that came there meanwhile stays.
fn settle(beside: &Path, place: &Path) -> io::Result<()> {
    match fs::hard_link(beside, place) {
        Ok(()) => fs::remove_file(beside),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Err(error),
        // A file system without links: an empty file holds the place until the draft is there.
        Err(_) => {
            File::create_new(place)?;
            fs::rename(beside, place)
        }
    }
}

/// Begins a draft and holds its lock, by which others know that somebody is writing it.
fn drafted(beside: &Path, readers: Readers) -> io::Result<File> {
    let mut options = File::options();
    options.write(true).create_new(true);
    #[cfg(unix)]
    if readers == Readers::Owner {
        use std::os::unix::fs::OpenOptionsExt;
        options.mode(0o600);
    }
    #[cfg(not(unix))]
    let _ = readers;
    loop {
        let mut file = options.open(beside);
        if matches!(&file, Err(error) if error.kind() == io::ErrorKind::AlreadyExists) {
            // Left by a process of this number that was killed: no other one writes here.
            file = fs::remove_file(beside).and_then(|()| options.open(beside));
        }
        let file = file?;
        // Where there are no locks, no draft is ever cleared away for others.
        if file.lock().is_err() || is_at(&file, beside) {
            return Ok(file);
        }
    }
}

/// The folders that were cleared of old drafts.
static CLEARED: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

/// Clears a folder, once a run, of drafts whose process was killed: nobody holds their locks.
fn clear_folder(beside: &Path) {
    let folder = match beside.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    let mut cleared = CLEARED.lock().unwrap_or_else(PoisonError::into_inner);
    if !cleared.insert(folder.to_owned()) {
        return;
    }
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let named = name.to_str().and_then(|name| name.strip_prefix('.'));
        let number = named.and_then(|name| name.strip_suffix(".new")?.rsplit_once('.'));
        let is_draft = number.is_some_and(|(own, number)| {
            !own.is_empty()
                && number.parse::<u32>().is_ok()
                && number != std::process::id().to_string()
        });
        let regular = || entry.file_type().is_ok_and(|kind| kind.is_file());
        if !is_draft || !regular() {
            continue;
        }
        if let Ok(file) = File::open(entry.path())
            && file.try_lock().is_ok()
        {
            // Its lock is held until it is gone: who begins one of this name waits.
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// Whether a path still leads to an open file.
fn is_at(file: &File, path: &Path) -> bool {
    let (Ok(own), Ok(found)) = (file.metadata(), fs::metadata(path)) else {
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

/// The sole right to change a file, as long as it is held. Whoever else wants it waits.
#[derive(Debug)]
pub(super) struct Claim {
    _held: Option<File>,
}

/// Claims a file that is to be read, changed and written. What is no regular file, or not
/// there, cannot be claimed, nor can files where there are no locks: who writes compares first.
pub(super) fn claim(path: &Path) -> Claim {
    while fs::metadata(path).is_ok_and(|found| found.is_file())
        && let Ok(file) = File::open(path)
        && file.lock().is_ok()
    {
        // Whoever held it may have put another file in its place.
        if is_at(&file, path) {
            return Claim { _held: Some(file) };
        }
    }
    Claim { _held: None }
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
