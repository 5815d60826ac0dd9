//! A file being written beside its place.

use super::super::remedies::io_message;
use super::super::{Refusal, Run, interruption};
use super::Readers;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::{MutexGuard, PoisonError};

/// The most drafts of one file that are written at a time, by as many processes.
const MOST_DRAFTS: usize = 100;

/// What a file may take the place of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Over {
    /// Nothing that is there.
    Nothing,
    /// Anything but what the run reads.
    Others,
    /// Whatever is there: the call asks to change it.
    Anything,
}

/// A file being written beside its place, which it takes when it is [finished](Draft::finish).
/// What is no regular file (a device, a pipe) is written to as it is.
#[derive(Debug)]
pub(in super::super) struct Draft {
    run: Run,
    file: Option<BufWriter<File>>,
    /// Where it is written and where it belongs, unless that is the same.
    rename: Option<(PathBuf, PathBuf)>,
    name: String,
    over: Over,
}

impl Draft {
    /// Begins a file that is not there yet, or where it may `replace` one, one that the run does
    /// not read. A link is followed: what it points to is meant.
    ///
    /// # Errors
    /// When nothing can be written there, a file is there that the call does not let it
    /// replace, or the run reads that file.
    pub(in super::super) fn new(
        run: &Run,
        path: &Path,
        readers: Readers,
        replace: bool,
    ) -> Result<Draft, Refusal> {
        match replace {
            true => Draft::over(run, path, readers, Over::Others),
            false => Draft::over(run, path, readers, Over::Nothing),
        }
    }

    /// Begins a file that takes the place of whatever is there: of the file that the call asks
    /// to change.
    ///
    /// # Errors
    /// When nothing can be written there.
    pub(in super::super) fn in_place(
        run: &Run,
        path: &Path,
        readers: Readers,
    ) -> Result<Draft, Refusal> {
        Draft::over(run, path, readers, Over::Anything)
    }

    fn over(run: &Run, path: &Path, readers: Readers, over: Over) -> Result<Draft, Refusal> {
        let name = path.display().to_string();
        let cannot = |error: io::Error| {
            Refusal(format!("{name}: cannot be written: {}", io_message(&error)))
        };
        let place = followed(path).map_err(cannot)?;
        let found = match fs::metadata(&place) {
            Ok(found) => Some(found),
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => return Err(cannot(error)),
        };
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
            over.permits(run, &place, &name)?;
            let (file, beside) = begun_beside(run, &place, readers).map_err(cannot)?;
            if let Some(kept) = kept.filter(|_| readers == Readers::Anyone) {
                // Where they cannot be kept, the file has those of a new one.
                let _ = file.set_permissions(kept);
            }
            (file, Some((beside, place)))
        };
        Ok(Draft {
            run: run.clone(),
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
    pub(in super::super) fn whole(mut self, bytes: &[u8]) -> Result<(), Refusal> {
        self.write_all(bytes).map_err(|error| {
            Refusal(format!(
                "{}: cannot be written: {}",
                self.name,
                io_message(&error)
            ))
        })?;
        self.finish()
    }

    /// Writes out what is left and puts the file in its place.
    ///
    /// # Errors
    /// When it cannot be written, or its place was taken, or read by the run, meanwhile; what
    /// was in its place is then untouched.
    pub(in super::super) fn finish(mut self) -> Result<(), Refusal> {
        if let Some((_, place)) = &self.rename {
            self.over.permits(&self.run, place, &self.name)?;
        }
        let done = self.put_in_place();
        done.map_err(|error| match error.kind() {
            io::ErrorKind::AlreadyExists => is_there(&self.name),
            _ => Refusal(format!(
                "{}: cannot be written: {}",
                self.name,
                io_message(&error)
            )),
        })
    }

    fn put_in_place(&mut self) -> io::Result<()> {
        let Some(mut file) = self.file.take() else {
            return Ok(());
        };
        file.flush()?;
        if let Some((beside, place)) = &self.rename {
            file.get_ref().sync_all()?;
            let new = self.over == Over::Nothing;
            // A link is made only where nothing is, whoever else writes there meanwhile.
            let linked = new.then(|| fs::hard_link(beside, place));
            match linked {
                Some(Ok(())) => fs::remove_file(beside)?,
                Some(Err(error)) if error.kind() == io::ErrorKind::AlreadyExists => {
                    return Err(error);
                }
                // Not every file system has links.
                _ => fs::rename(beside, place)?,
            }
            self.run.held_drafts().retain(|draft| draft != beside);
            let folder = parent(place).to_owned();
            self.rename = None;
            lasting(&folder)?;
        }
        Ok(())
    }
}

impl Over {
    /// Whether a file may be put into a place now.
    fn permits(self, run: &Run, place: &Path, name: &str) -> Result<(), Refusal> {
        match self {
            Over::Anything => Ok(()),
            _ if run.is_input(place) => Err(Refusal(format!(
                "{name} is an input of this run, and would be overwritten; write to another file"
            ))),
            Over::Nothing if place.exists() => Err(is_there(name)),
            _ => Ok(()),
        }
    }
}

fn is_there(name: &str) -> Refusal {
    Refusal(format!(
        "{name} exists already; name another file, or let this one take its place with `--replace`"
    ))
}

/// The file that a path means: where its links point to, though nothing need be there.
fn followed(path: &Path) -> io::Result<PathBuf> {
    let mut place = path.to_owned();
    for _ in 0..40 {
        if let Ok(place) = fs::canonicalize(&place) {
            return Ok(place);
        }
        match fs::read_link(&place) {
            // A link to what is not there yet.
            Ok(to) => place = parent(&place).join(to),
            Err(_) => return Ok(place),
        }
    }
    Err(io::Error::other("too many links, one behind the other"))
}

/// The folder of a file.
fn parent(place: &Path) -> &Path {
    match place.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

/// Has a folder's new name on the disk, where the system can do that for folders.
fn lasting(folder: &Path) -> io::Result<()> {
    #[cfg(unix)]
    {
        use io::ErrorKind::{InvalidInput, PermissionDenied, Unsupported};
        match File::open(folder).and_then(|folder| folder.sync_all()) {
            // A folder that may be written to and not read, and file systems without.
            Err(error)
                if !matches!(error.kind(), InvalidInput | PermissionDenied | Unsupported) =>
            {
                return Err(io::Error::new(
                    error.kind(),
                    format!("it is in its place, but may not outlast a power cut ({error})"),
                ));
            }
            _ => {}
        }
    }
    #[cfg(not(unix))]
    let _ = folder;
    Ok(())
}

impl Run {
    fn held_drafts(&self) -> MutexGuard<'_, Vec<PathBuf>> {
        self.drafts.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Clears the drafts away when the process ends: nobody will finish them.
    pub(in super::super) fn clear_drafts(&self) {
        let mut drafts = interruption::held(&self.drafts);
        for draft in drafts.iter_mut().flat_map(|drafts| drafts.drain(..)) {
            let _ = fs::remove_file(draft);
        }
        // Nobody begins another one before the process has ended.
        std::mem::forget(drafts);
    }
}

/// Clears a folder, once a run, of the drafts of processes that were killed: those that nobody
/// holds.
pub(in super::super) fn clear(run: &Run, folder: &Path) {
    let mut cleared = run.cleared.lock().unwrap_or_else(PoisonError::into_inner);
    if !cleared.insert(folder.to_owned()) {
        return;
    }
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let regular = || entry.file_type().is_ok_and(|kind| kind.is_file());
        if is_draft(&entry.file_name()) && regular() {
            let file = File::options().write(true).open(entry.path());
            // It is held until it is gone, so that none of its name is begun meanwhile.
            if file.as_ref().is_ok_and(|file| file.try_lock().is_ok()) {
                let _ = fs::remove_file(entry.path());
            }
        }
    }
}

/// Whether a file's name is one of a draft: `.decklaw-`, twelve digits, a number, `.new`.
fn is_draft(name: &std::ffi::OsStr) -> bool {
    let inside = name
        .to_str()
        .and_then(|name| name.strip_prefix(".decklaw-"));
    let parts = inside.and_then(|inside| inside.strip_suffix(".new")?.split_once('-'));
    parts.is_some_and(|(whose, at)| {
        whose.len() == 12
            && whose.bytes().all(|byte| byte.is_ascii_hexdigit())
            && at.parse::<usize>().is_ok()
    })
}

/// Begins a draft beside its place. Its name is short, so that it fits wherever the file's own
/// fits.
fn begun_beside(run: &Run, place: &Path, readers: Readers) -> io::Result<(File, PathBuf)> {
    let Some(own) = place.file_name() else {
        return Err(io::Error::other("this is not a file's name"));
    };
    let mut options = File::options();
    options.write(true).create_new(true);
    #[cfg(unix)]
    if readers == Readers::Owner {
        use std::os::unix::fs::OpenOptionsExt;
        options.mode(0o600);
    }
    let whose = crate::digest::sha256(own.as_encoded_bytes());
    clear(run, parent(place));
    // Without it an interruption leaves a hidden draft behind, and the file untouched.
    run.end_in_order();
    let mut drafts = run.held_drafts();
    for at in 0..MOST_DRAFTS {
        let beside = parent(place).join(format!(".decklaw-{}-{at}.new", &whose[..12]));
        match options.open(&beside) {
            Ok(file) => {
                // Where the file system has no locks, none is taken for stale either.
                let held = !matches!(file.try_lock(), Err(fs::TryLockError::WouldBlock));
                if held && super::shared::is_at(&file, &beside) {
                    drafts.push(beside.clone());
                    return Ok((file, beside));
                }
            }
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
        }
    }
    Err(io::Error::other("too many drafts of it are being written"))
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
            self.run.held_drafts().retain(|draft| *draft != beside);
        }
    }
}
