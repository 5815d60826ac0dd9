//! What is kept, in one SQLite file: every write is on the disk before it is acknowledged.
//!
//! One thread writes. What waits while it commits goes into the next commit together, so that
//! a room full of phones needs no commit each; whoever is told "kept" has been waited for by
//! the disk. Readers have connections of their own and never wait for the writer.

use super::trouble::Trouble;
use rusqlite::{Connection, ErrorCode, OpenFlags, TransactionBehavior};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError, mpsc};
use std::time::Duration;
use tokio::sync::Semaphore;

/// The schema's version, as `pragma user_version` has it.
pub(super) const VERSION: i64 = 4;

/// The most writes of one commit.
const TOGETHER: usize = 256;

/// The most writes that wait.
const WAITING: usize = 4096;

/// The most that read at a time. Each has three files open; others wait for one of them.
const READERS: usize = 16;

/// The name of the file in the folder.
pub(super) const FILE: &str = "decklaw.sqlite";

/// Why something was not kept, or cannot be found.
#[derive(Debug, thiserror::Error)]
pub(super) enum Fault {
    /// What SQLite says.
    #[error(transparent)]
    Sql(#[from] rusqlite::Error),
    /// What is to be said to whoever asked.
    #[error("{}", .0.message)]
    Said(Trouble),
    /// The commit failed for all that were in it.
    #[error("{0}")]
    Lost(String, Option<ErrorCode>),
    /// The folder takes nothing.
    #[error("{0}")]
    Closed(String),
    /// The file is no longer the one that was opened.
    #[error("its file is not the one that was opened")]
    Moved,
}

impl From<Trouble> for Fault {
    fn from(trouble: Trouble) -> Fault {
        Fault::Said(trouble)
    }
}

impl From<getrandom::Error> for Fault {
    fn from(error: getrandom::Error) -> Fault {
        Fault::Said(error.into())
    }
}

impl From<serde_json::Error> for Fault {
    fn from(_: serde_json::Error) -> Fault {
        Fault::Said(Trouble::defect())
    }
}

impl From<Fault> for Trouble {
    fn from(fault: Fault) -> Trouble {
        let code = match &fault {
            Fault::Said(trouble) => return trouble.clone(),
            Fault::Moved => {
                return Trouble::new(
                    507,
                    "Nothing of this was kept. The folder of the data was moved or replaced.",
                    "Whoever runs this machine must put it back, or start the server again; then try again.",
                );
            }
            Fault::Closed(_) => Some(ErrorCode::ReadOnly),
            Fault::Sql(error) => error.sqlite_error_code(),
            Fault::Lost(_, code) => *code,
        };
        let (what, help) = match code {
            Some(ErrorCode::DiskFull) => (
                "The disk, or the room that it has for this, is full.",
                "Whoever runs this machine must make room; then try again.",
            ),
            Some(ErrorCode::ReadOnly | ErrorCode::CannotOpen | ErrorCode::PermissionDenied) => (
                "The folder of the data cannot be written to.",
                "Whoever runs this machine must make it writable; then try again.",
            ),
            Some(ErrorCode::SystemIoFailure) => (
                "The disk, or the folder of the data, refuses to be written to.",
                "Whoever runs this machine must look at the disk and at who may write to the folder; then try again.",
            ),
            _ => ("The data cannot be reached.", "Try again in a few seconds."),
        };
        let message = format!("Nothing of this was kept. {what} ({fault})");
        Trouble::new(507, message, help)
    }
}

type Tell = Box<dyn FnOnce(Option<&Fault>) + Send>;
type Job = Box<dyn FnOnce(&Connection) -> Done + Send>;

/// A job that was tried.
struct Done {
    /// Tells whoever waits: that all was lost, or else what came of it.
    tell: Tell,
    /// Why it was not done.
    fault: Option<(String, Option<ErrorCode>)>,
}

/// The data of a server.
#[derive(Debug)]
pub(super) struct Store {
    path: PathBuf,
    jobs: Mutex<Option<mpsc::SyncSender<Job>>>,
    writer: Mutex<Option<std::thread::JoinHandle<()>>>,
    readers: Arc<Mutex<Vec<Connection>>>,
    reading: Arc<Semaphore>,
}

impl Store {
    /// Opens the data in a folder, and makes it where there is none.
    ///
    /// # Errors
    /// A folder that cannot be written to, or data of another version.
    pub(super) fn open(folder: &Path) -> Result<Store, String> {
        let cannot = |why: String| format!("{}: {why}", folder.display());
        std::fs::create_dir_all(folder).map_err(|error| cannot(error.to_string()))?;
        let path = folder.join(FILE);
        let connection = Connection::open(&path).map_err(|error| cannot(error.to_string()))?;
        private(&path);
        prepare(&connection).map_err(|error| cannot(error.to_string()))?;
        let version: i64 = connection
            .query_row("pragma user_version", [], |row| row.get(0))
            .map_err(|error| cannot(error.to_string()))?;
        match version {
            0 => connection
                .execute_batch(include_str!("schema.sql"))
                .map_err(|error| cannot(format!("the data cannot be begun: {error}")))?,
            VERSION => (),
            other => {
                return Err(cannot(format!(
                    "the data is of another decklaw (version {other}, this one knows {VERSION}); use that one"
                )));
            }
        }
        let place = Place::of(&path);
        let (sender, receiver) = mpsc::sync_channel(WAITING);
        let writer = std::thread::Builder::new()
            .name("decklaw-store".to_owned())
            .spawn(move || write_on(connection, &place, &receiver))
            .map_err(|error| cannot(error.to_string()))?;
        Ok(Store {
            path,
            jobs: Mutex::new(Some(sender)),
            writer: Mutex::new(Some(writer)),
            readers: Arc::default(),
            reading: Arc::new(Semaphore::new(READERS)),
        })
    }

    /// Writes something, all of it or nothing, and waits until it is on the disk.
    ///
    /// # Errors
    /// That it was not kept, and why.
    pub(super) async fn write<T: Send + 'static>(
        &self,
        write: impl FnOnce(&Connection) -> Result<T, Fault> + Send + 'static,
    ) -> Result<T, Trouble> {
        let (reply, answer) = tokio::sync::oneshot::channel();
        let job: Job = Box::new(move |connection| {
            let outcome = in_savepoint(connection, write);
            let told = |fault: &Fault| (fault.to_string(), code(fault));
            let fault = outcome.as_ref().err().map(told);
            let tell: Tell = Box::new(move |lost| {
                let told = match (lost, outcome) {
                    (Some(Fault::Moved), _) => Err(Fault::Moved),
                    (Some(fault), _) => Err(Fault::Lost(fault.to_string(), code(fault))),
                    (None, outcome) => outcome,
                };
                // Who does not wait any more is not told.
                let _ = reply.send(told);
            });
            Done { tell, fault }
        });
        let sender = self
            .jobs
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone();
        let taken = sender.is_some_and(|sender| sender.try_send(job).is_ok());
        if !taken {
            return Err(Trouble::busy());
        }
        match answer.await {
            Ok(outcome) => outcome.map_err(Trouble::from),
            Err(_) => Err(Trouble::busy()),
        }
    }

    /// Reads something.
    ///
    /// # Errors
    /// Data that cannot be reached, and those of the reading.
    pub(super) async fn read<T: Send + 'static>(
        &self,
        read: impl FnOnce(&Connection) -> Result<T, Fault> + Send + 'static,
    ) -> Result<T, Trouble> {
        let readers = Arc::clone(&self.readers);
        let path = self.path.clone();
        let turn = Arc::clone(&self.reading).acquire_owned().await;
        let done = tokio::task::spawn_blocking(move || -> Result<T, Fault> {
            // Given back when it has read, even if nobody waits for it.
            let _turn = turn;
            let lock = || readers.lock().unwrap_or_else(PoisonError::into_inner);
            let kept = lock().pop();
            let connection = match kept {
                Some(connection) => connection,
                None => {
                    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
                    let connection = Connection::open_with_flags(&path, flags)?;
                    connection.busy_timeout(Duration::from_secs(5))?;
                    connection
                }
            };
            let outcome = {
                // One reading sees one state of the data.
                let whole = connection.unchecked_transaction()?;
                read(&whole)?
            };
            lock().push(connection);
            Ok(outcome)
        });
        match done.await {
            Ok(Err(Fault::Said(trouble))) => Err(trouble),
            Ok(outcome) => outcome.map_err(|fault| {
                Trouble::new(
                    503,
                    format!("The data of this server cannot be read. ({fault})"),
                    "Whoever runs this machine must look at the folder of the data.",
                )
            }),
            Err(_) => Err(Trouble::defect()),
        }
    }

    /// Ends the writer once everything that waits is written.
    pub(super) fn close(&self) {
        let lock = self.jobs.lock();
        drop(lock.unwrap_or_else(PoisonError::into_inner).take());
        let writer = self.writer.lock();
        let writer = writer.unwrap_or_else(PoisonError::into_inner).take();
        if let Some(writer) = writer {
            // A writer that met a defect has told of it.
            let _ = writer.join();
        }
    }
}

/// Which file the data is in, and whether that is still the one at its path: SQLite writes on
/// into a file that was deleted or moved away, and says that all is well.
#[derive(Debug)]
pub(super) struct Place {
    path: PathBuf,
    #[cfg(unix)]
    known: Option<(u64, u64)>,
}

impl Place {
    pub(super) fn of(path: &Path) -> Place {
        Place {
            #[cfg(unix)]
            known: Place::number(path),
            path: path.to_owned(),
        }
    }

    #[cfg(unix)]
    fn number(path: &Path) -> Option<(u64, u64)> {
        use std::os::unix::fs::MetadataExt;
        let about = std::fs::metadata(path).ok()?;
        Some((about.dev(), about.ino()))
    }

    pub(super) fn holds(&self) -> Result<(), Fault> {
        #[cfg(unix)]
        let holds = Place::number(&self.path) == self.known;
        // Elsewhere a file that is open is neither deleted nor moved.
        #[cfg(not(unix))]
        let holds = self.path.exists();
        if !holds {
            return Err(Fault::Moved);
        }
        // What is written goes to the log first, which is there as long as the data is open.
        // Where that cannot be opened, nothing is tried: what SQLite maps of a disk that was
        // made read-only would end the process. (No lock is on the log, so that closing it
        // again gives none up.)
        let mut log = self.path.clone().into_os_string();
        log.push("-wal");
        match std::fs::OpenOptions::new().append(true).open(log) {
            Ok(_) => Ok(()),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Err(Fault::Moved),
            Err(error) => Err(Fault::Closed(error.to_string())),
        }
    }
}

/// Nobody else on the machine reads who handed in what.
fn private(path: &Path) {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let own = std::fs::Permissions::from_mode(0o600);
        // A file of another owner stays as that one has it.
        let _ = std::fs::set_permissions(path, own);
    }
    #[cfg(not(unix))]
    let _ = path;
}

fn prepare(connection: &Connection) -> rusqlite::Result<()> {
    connection.busy_timeout(Duration::from_secs(5))?;
    connection.pragma_update(None, "journal_mode", "wal")?;
    connection.pragma_update(None, "synchronous", "full")?;
    connection.pragma_update(None, "foreign_keys", true)?;
    // What was deleted is gone from the disk, too.
    connection.pragma_update(None, "secure_delete", true)
}

fn code(fault: &Fault) -> Option<ErrorCode> {
    match fault {
        Fault::Sql(error) => error.sqlite_error_code(),
        Fault::Lost(_, code) => *code,
        Fault::Closed(_) => Some(ErrorCode::ReadOnly),
        Fault::Said(_) | Fault::Moved => None,
    }
}

fn in_savepoint<T>(
    connection: &Connection,
    write: impl FnOnce(&Connection) -> Result<T, Fault>,
) -> Result<T, Fault> {
    connection.execute_batch("savepoint job")?;
    match write(connection) {
        Ok(done) => {
            connection.execute_batch("release job")?;
            Ok(done)
        }
        // A full disk ends the transaction itself, and the savepoint with it.
        Err(fault) if connection.is_autocommit() => Err(fault),
        Err(fault) => {
            connection.execute_batch("rollback to job; release job")?;
            Err(fault)
        }
    }
}

fn write_on(mut connection: Connection, place: &Place, jobs: &mpsc::Receiver<Job>) {
    while let Ok(first) = jobs.recv() {
        if let Err(moved) = place.holds() {
            refused(first)(Some(&moved));
            continue;
        }
        let whole = connection.transaction_with_behavior(TransactionBehavior::Immediate);
        let mut told: Vec<Tell> = Vec::new();
        let lost = match whole {
            Ok(whole) => {
                let mut next = Some(first);
                let mut lost = None;
                while let Some(job) = next.take() {
                    let Done { tell, fault } = job(&whole);
                    told.push(tell);
                    if whole.is_autocommit() {
                        // What was written before it in this transaction is gone, too.
                        let (why, code) = fault.unwrap_or_default();
                        lost = Some(Fault::Lost(why, code));
                    } else if told.len() < TOGETHER {
                        next = jobs.try_recv().ok();
                    }
                }
                match lost {
                    Some(lost) => Some(lost),
                    None => {
                        let kept = whole.commit().map_err(Fault::from);
                        kept.and_then(|()| place.holds()).err()
                    }
                }
            }
            Err(error) => {
                told.push(refused(first));
                Some(Fault::from(error))
            }
        };
        for tell in told {
            tell(lost.as_ref());
        }
    }
    // The log goes into the file, so that a copy of the file is the data.
    let _ = connection.execute_batch("pragma wal_checkpoint(truncate)");
}

/// What a job is told where no transaction could be begun: the job itself is not done.
fn refused(job: Job) -> Tell {
    match Connection::open_in_memory() {
        // The job fails there, and its outcome is not looked at.
        Ok(nowhere) => job(&nowhere).tell,
        Err(_) => Box::new(|_| ()),
    }
}
