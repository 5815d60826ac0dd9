//! A file that is written under another name first.

use super::super::CliError;
use super::super::answer::io_message;
use super::Readers;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, Weak};
use tempfile::{Builder, TempPath};

/// The drafts of this process that are not in their places yet.
static DRAFTS: Mutex<Vec<Weak<PathBuf>>> = Mutex::new(Vec::new());

/// A file that is written under another name, and renamed when it is [finished](Draft::finish); a
/// draft that is dropped is removed.
/// What is no regular file (a device, a pipe) is written to as it is.
#[derive(Debug)]
pub(in super::super) struct Draft {
    file: BufWriter<File>,
    /// Where it is written and where it belongs, unless that is the same.
    rename: Option<(TempPath, PathBuf)>,
    name: String,
    replace: bool,
    /// As long as it is here, the draft is among those of the process.
    _listed: Option<Arc<PathBuf>>,
}

impl Draft {
    /// Begins a file that is not there yet, or where it may `replace` one, whatever is there. A link
    /// is followed: what it points to is meant.
    ///
    /// # Errors
    /// When nothing can be written there, or a file is there that the call does not let it replace.
    pub(in super::super) fn new(
        path: &Path,
        readers: Readers,
        replace: bool,
    ) -> Result<Draft, CliError> {
        let name = path.display().to_string();
        let cannot = |error: io::Error| {
            CliError::call(format!("{name}: cannot be written: {}", io_message(&error)))
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
        let (file, rename, listed) = if special {
            let file = File::options().write(true).open(&place).map_err(cannot)?;
            (file, None, None)
        } else {
            if kept.is_some() && !replace {
                return Err(is_there(&name));
            }
            let (file, draft) = begin(&place, readers).map_err(cannot)?;
            let listed = listed(&draft);
            if let Some(kept) = kept.filter(|_| readers == Readers::Anyone) {
                // Where they cannot be kept, the file has those of a new one.
                let _ = file.set_permissions(kept);
            }
            (file, Some((draft, place)), Some(listed))
        };
        let file = BufWriter::with_capacity(1 << 14, file);
        Ok(Draft { file, rename, name, replace, _listed: listed })
    }

    /// Writes all of the file and puts it in its place.
    ///
    /// # Errors
    /// As [`Draft::finish`].
    pub(in super::super) fn whole(mut self, bytes: &[u8]) -> Result<(), CliError> {
        self.write_all(bytes).map_err(|error| {
            CliError::call(format!("{}: cannot be written: {}", self.name, io_message(&error)))
        })?;
        self.finish()
    }

    /// Writes out what is left and puts the file in its place.
    ///
    /// # Errors
    /// When it cannot be written, or its place was taken meanwhile; what was in its place is then
    /// untouched.
    pub(in super::super) fn finish(self) -> Result<(), CliError> {
        let name = self.name.clone();
        self.put_in_place().map_err(|error| match error.kind() {
            io::ErrorKind::AlreadyExists => is_there(&name),
            _ => CliError::call(format!("{name}: cannot be written: {}", io_message(&error))),
        })
    }

    fn put_in_place(mut self) -> io::Result<()> {
        self.file.flush()?;
        let Some((draft, place)) = self.rename.take() else {
            return Ok(());
        };
        self.file.get_ref().sync_all()?;
        let persisted =
            if self.replace { draft.persist(&place) } else { draft.persist_noclobber(&place) };
        persisted.map_err(|error| error.error)?;
        lasting(parent(&place))
    }
}

fn is_there(name: &str) -> CliError {
    CliError::call(format!("{name} exists already; use `--replace` to overwrite it"))
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

/// Begins a draft in the folder of its place. Its name is short, so that it fits wherever the
/// file's own fits.
fn begin(place: &Path, readers: Readers) -> io::Result<(File, TempPath)> {
    let mut builder = Builder::new();
    builder.prefix(".decklaw-").suffix(".new");
    #[cfg(unix)]
    if readers == Readers::Anyone {
        use std::os::unix::fs::PermissionsExt;
        // The system takes off what its user keeps from others.
        builder.permissions(fs::Permissions::from_mode(0o666));
    }
    clear_when_interrupted();
    Ok(builder.tempfile_in(parent(place))?.into_parts())
}

/// Adds a draft to those of the process, until what is returned is dropped.
fn listed(draft: &Path) -> Arc<PathBuf> {
    let own = Arc::new(draft.to_owned());
    if let Ok(mut drafts) = DRAFTS.lock() {
        drafts.retain(|draft| draft.strong_count() > 0);
        drafts.push(Arc::downgrade(&own));
    }
    own
}

/// Removes the drafts of a process that ends here and now.
pub(in super::super) fn remove_drafts() {
    // Where a thread ends in the midst of listing one, the others stay.
    let drafts = DRAFTS.try_lock();
    for draft in drafts.iter().flat_map(|drafts| drafts.iter()).filter_map(Weak::upgrade) {
        let _ = fs::remove_file(&*draft);
    }
}

/// Has a process that is interrupted take its drafts away. A server ends by itself.
fn clear_when_interrupted() {
    #[cfg(unix)]
    {
        use signal_hook::consts::{SIGINT, SIGTERM};
        use signal_hook::iterator::Signals;
        use std::sync::Once;
        static LISTENS: Once = Once::new();
        LISTENS.call_once(|| {
            // Where nobody can listen, the process ends as it does without.
            let Ok(mut signals) = Signals::new([SIGINT, SIGTERM]) else {
                return;
            };
            let listen = move || {
                for signal in signals.forever() {
                    if super::SERVES.load(std::sync::atomic::Ordering::Relaxed) {
                        continue;
                    }
                    remove_drafts();
                    let _ = signal_hook::low_level::emulate_default_handler(signal);
                }
            };
            let _ = std::thread::Builder::new().spawn(listen);
        });
    }
}

impl Write for Draft {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}
