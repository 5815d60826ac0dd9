//! The server's own data, in one SQLite file: its secret, its hosts' keys and the tables. A write
//! is on the disk before it is acknowledged.

use crate::answering::blocking;
use crate::error::HttpError;
use decklaw_event::make_private;
use jiff::Timestamp;
use rusqlite::{Connection, ErrorCode, Transaction, TransactionBehavior};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::sync::Mutex;
use tokio::time::timeout;

/// The schema's version, as `pragma user_version` has it.
const VERSION: i64 = 4;
/// The name of the file in the folder.
const FILE: &str = "decklaw.sqlite";
/// How long one program waits while another has the data.
const PATIENCE: Duration = Duration::from_secs(5);
/// How long a request waits for the data.
const WAITS: Duration = Duration::from_secs(10);

impl From<rusqlite::Error> for HttpError {
    /// The answer where data was not stored.
    fn from(error: rusqlite::Error) -> HttpError {
        unsaved(error.sqlite_error_code(), &error)
    }
}

/// The answer where a file cannot be written to.
pub(crate) fn closed(error: &std::io::Error) -> HttpError {
    let code = match error.kind() {
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded => ErrorCode::DiskFull,
        _ => ErrorCode::ReadOnly,
    };
    unsaved(Some(code), error)
}

/// The answer where the file was moved, deleted or replaced.
fn moved() -> HttpError {
    HttpError::new(
        507,
        "Nothing was saved. The folder of the data was moved or replaced.",
        "The host of this server must put it back, or start the server again; then try again.",
    )
}

fn unsaved(code: Option<ErrorCode>, why: &dyn std::error::Error) -> HttpError {
    let (what, help) = match code {
        Some(ErrorCode::DiskFull) => {
            ("The disk is full.", "The host of this server must make room; then try again.")
        }
        Some(ErrorCode::ReadOnly | ErrorCode::CannotOpen | ErrorCode::PermissionDenied) => (
            "The folder of the data cannot be written to.",
            "The host of this server must make it writable; then try again.",
        ),
        Some(ErrorCode::SystemIoFailure) => (
            "The disk, or the folder of the data, cannot be written to.",
            "The host of this server must check the disk and the permissions of the folder; then try again.",
        ),
        _ => ("The data cannot be reached.", "Try again in a few seconds."),
    };
    HttpError::new(507, format!("Nothing was saved. {what} ({why})"), help)
}

/// The data of a server. One connection: its requests wait for each other.
#[derive(Debug, Clone)]
pub(crate) struct Store {
    connection: Arc<Mutex<Connection>>,
    file: Arc<OpenFile>,
}

impl Store {
    /// Opens the data in a folder, and creates it where there is none.
    ///
    /// # Errors
    /// A folder that cannot be written to, and data of another version; for people.
    pub(crate) fn open(folder: &Path) -> Result<Store, String> {
        let cannot = |why: String| format!("{}: {why}", folder.display());
        let path = folder.join(FILE);
        let opened = || -> rusqlite::Result<_> {
            let connection = Connection::open(&path)?;
            make_private(&path);
            connection.busy_timeout(PATIENCE)?;
            write_ahead(&connection)?;
            connection.pragma_update(None, "synchronous", "full")?;
            // Deleted rows are overwritten on the disk.
            connection.pragma_update(None, "secure_delete", true)?;
            // Two programs may open a new folder at once, and one of them makes the tables.
            let whole = Transaction::new_unchecked(&connection, TransactionBehavior::Immediate)?;
            let version = whole.query_row("pragma user_version", [], |row| row.get(0))?;
            if version == 0 {
                whole.execute_batch(include_str!("schema.sql"))?;
            }
            if [0, VERSION].contains(&version) {
                whole.execute_batch(include_str!("moves.sql"))?;
            }
            whole.commit()?;
            Ok((connection, version))
        };
        std::fs::create_dir_all(folder).map_err(|error| cannot(error.to_string()))?;
        let (connection, version): (Connection, i64) =
            opened().map_err(|error| cannot(error.to_string()))?;
        if ![0, VERSION].contains(&version) {
            return Err(cannot(format!(
                "the data is of another decklaw (version {version}, this one knows {VERSION}); use that one"
            )));
        }
        Ok(Store {
            connection: Arc::new(Mutex::new(connection)),
            file: Arc::new(OpenFile::of(&path)),
        })
    }

    /// Uses the data before the server runs.
    ///
    /// # Errors
    /// Those of the work.
    pub(crate) fn begin<T>(
        &self,
        work: impl FnOnce(&Connection) -> Result<T, HttpError>,
    ) -> Result<T, HttpError> {
        work(&self.connection.blocking_lock())
    }

    /// Writes something, all of it or nothing, and returns once it is on the disk.
    ///
    /// # Errors
    /// Why it was not stored.
    pub(crate) async fn write<T: Send + 'static>(
        &self,
        write: impl FnOnce(&Connection) -> Result<T, HttpError> + Send + 'static,
    ) -> Result<T, HttpError> {
        let file = Arc::clone(&self.file);
        self.use_it(move |connection| {
            file.check()?;
            let whole = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
            let done = write(&whole)?;
            whole.commit()?;
            file.check()?;
            Ok(done)
        })
        .await
    }

    /// Reads something.
    ///
    /// # Errors
    /// Data that cannot be reached, and those of the reading.
    pub(crate) async fn read<T: Send + 'static>(
        &self,
        read: impl FnOnce(&Connection) -> rusqlite::Result<T> + Send + 'static,
    ) -> Result<T, HttpError> {
        let read = self.use_it(move |connection| {
            read(connection).map_err(|fault| {
                HttpError::new(
                    503,
                    format!("The data of this server cannot be read. ({fault})"),
                    "The host of this server must check the folder of the data.",
                )
            })
        });
        read.await
    }

    async fn use_it<T: Send + 'static>(
        &self,
        work: impl FnOnce(&mut Connection) -> Result<T, HttpError> + Send + 'static,
    ) -> Result<T, HttpError> {
        // Requests wait here, and not on threads.
        let connection = timeout(WAITS, Arc::clone(&self.connection).lock_owned()).await;
        let mut connection = connection.map_err(|_| HttpError::busy())?;
        blocking(move || work(&mut connection)).await
    }

    /// Moves the log into the file, so that a copy of the file is the data.
    pub(crate) async fn close(&self) {
        let closed = self
            .use_it(|connection| Ok(connection.execute_batch("pragma wal_checkpoint(truncate)")?));
        // Without it the log is part of the copy.
        let _ = closed.await;
    }
}

/// A data file that is open. SQLite goes on writing into one that was deleted or moved away, and
/// reports success.
#[derive(Debug)]
pub(crate) struct OpenFile {
    path: PathBuf,
    #[cfg(unix)]
    known: Option<(u64, u64)>,
}

impl OpenFile {
    pub(crate) fn of(path: &Path) -> OpenFile {
        OpenFile {
            #[cfg(unix)]
            known: OpenFile::number(path),
            path: path.to_owned(),
        }
    }

    #[cfg(unix)]
    fn number(path: &Path) -> Option<(u64, u64)> {
        use std::os::unix::fs::MetadataExt;
        let about = std::fs::metadata(path).ok()?;
        Some((about.dev(), about.ino()))
    }

    /// Checks that the file is still at its path and that its log can be written to.
    ///
    /// # Errors
    /// A file that was moved or deleted, and one that cannot be written to.
    pub(crate) fn check(&self) -> Result<(), HttpError> {
        #[cfg(unix)]
        let is_there = OpenFile::number(&self.path) == self.known;
        // Elsewhere a file that is open is neither deleted nor moved.
        #[cfg(not(unix))]
        let is_there = self.path.exists();
        if !is_there {
            return Err(moved());
        }
        // On a disk that became read-only the memory that SQLite maps would end the process, so
        // nothing is tried there. No lock is on the log, so that closing it gives none up.
        let mut log = self.path.clone().into_os_string();
        log.push("-wal");
        match std::fs::OpenOptions::new().append(true).open(log) {
            Ok(_) => Ok(()),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Err(moved()),
            Err(error) => Err(closed(&error)),
        }
    }
}

/// Switches to a write-ahead log. Unlike other work, this fails at once while another program opens
/// the data, so it is tried again for a while.
fn write_ahead(connection: &Connection) -> rusqlite::Result<()> {
    let begun = Instant::now();
    loop {
        let switched = connection.pragma_update(None, "journal_mode", "wal");
        let code = switched.as_ref().err().and_then(rusqlite::Error::sqlite_error_code);
        let is_busy = matches!(code, Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked));
        if !is_busy || begun.elapsed() > PATIENCE {
            return switched;
        }
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// The time as rows have it: UTC with milliseconds, so that texts sort as times do.
pub(crate) fn now() -> String {
    format!("{:.3}", Timestamp::now())
}
