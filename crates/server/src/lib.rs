//! decklaw in a browser: the builder, events and tables.
//!
//! A [`Server`] answers with the same library and the same JSON as the command line; nothing is
//! judged in a page. A request passes `guard`, then the `door` of its route, which resolves
//! who sends it, then its handler; answers are computed in `answering`. What the server stores is
//! in `store`, in the folders of events and in the files of matches. Pages learn of changes by
//! server-sent events.

mod actor;
mod addresses;
mod answering;
mod app;
mod assets;
mod builder;
mod connection;
mod desk;
mod door;
mod edited;
mod error;
mod events;
mod folder_lock;
mod guard;
mod keys;
mod page;
mod published;
mod rates;
mod replay;
mod routes;
mod start;
mod store;
mod streams;
mod table;

pub use decklaw_ask::{Folder, JudgeOptions, ListChoice, MakeJudge};
pub use door::{Needs, Route};
pub use edited::{ToEdit, WriteFile};
pub use published::published;
pub use routes::table as routes;
pub use table::match_file::{ToPlay, WriteMatch};

use answering::WorkerSlots;
use app::{App, Shared};
use connection::HEAD;
use decklaw_ask::Library;
use decklaw_event::Event;
use decklaw_text::{Problem, ProblemKind};
use error::HttpError;
use events::{EventHandle, Events};
use jiff::Zoned;
use rates::Rates;
use routes::Site;
use rusqlite::{Connection, params};
use std::collections::HashSet;
use std::future::Future;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;
use store::Store;
use streams::Streams;
use table::Tables;
use table::match_file::MatchFile;

/// The folder of the events in that of the data.
const EVENTS: &str = "events";

/// What is wrong where another server has the folder of the data, and what to do.
const TAKEN: (&str, &str) =
    ("another server has these data", "end that one first, or name another folder with --data DIR");

/// How a server is set up.
pub struct Config {
    /// Makes the judges: the games, cards, lists and settings that the server knows.
    pub judges: Box<MakeJudge>,
    /// The folder of its data.
    pub data: PathBuf,
    /// Folders of events, in addition to those that are created here.
    pub events: Vec<PathBuf>,
    /// The address by which others reach it through a proxy, such as `https://decks.example`.
    pub public_url: Option<String>,
    /// A deck's file that is edited.
    pub edited: Option<ToEdit>,
    /// A match's file that is played at a table.
    pub played: Option<ToPlay>,
    /// How long a request may take to arrive.
    pub patience: Duration,
}

impl Config {
    /// A server with these judges and this folder, for this machine alone.
    pub fn new(judges: Box<MakeJudge>, data: PathBuf) -> Config {
        Config {
            judges,
            data,
            events: Vec::new(),
            public_url: None,
            edited: None,
            played: None,
            patience: HEAD,
        }
    }
}

impl std::fmt::Debug for Config {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_struct("Config").field("data", &self.data).finish_non_exhaustive()
    }
}

/// Why a server cannot be started.
fn unstarted(message: String) -> Problem {
    Problem::new(ProblemKind::Query, message)
}

/// A server that is bound to an address, and not yet running.
pub struct Server {
    app: Shared,
    site: Site,
    listener: std::net::TcpListener,
    address: SocketAddr,
    key: String,
}

impl std::fmt::Debug for Server {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_struct("Server").field("address", &self.address).finish_non_exhaustive()
    }
}

impl Server {
    /// Opens the data and begins to listen at an address.
    ///
    /// # Errors
    /// An address that is taken, data that cannot be opened, judges that cannot be made.
    pub fn bind(config: Config, address: SocketAddr) -> Result<Server, Problem> {
        let listener = std::net::TcpListener::bind(address).map_err(|error| {
            let help = match error.kind() {
                std::io::ErrorKind::AddrInUse => {
                    "; choose another port with --port, or any free one with --port 0"
                }
                _ => "",
            };
            unstarted(format!("{address}: {error}{help}"))
        })?;
        let bound = listener.local_addr().and_then(|bound| {
            listener.set_nonblocking(true)?;
            Ok(bound)
        });
        let address = bound.map_err(|error| unstarted(format!("{address}: {error}")))?;
        let shown = if address.ip().is_unspecified() {
            format!("port {} of this machine", address.port())
        } else {
            format!("http://{address}")
        };
        let opened = App::open(config, shown, address.port());
        let (mut app, site, key) = opened.map_err(unstarted)?;
        app.origins.extend(addresses::origins(address));
        Ok(Server { app: Arc::new(app), site, listener, address, key })
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// The key of the host: it opens the file that is edited and every event.
    pub fn key(&self) -> &str {
        &self.key
    }

    /// Where a browser begins, with the key.
    pub fn link(&self) -> String {
        let path = match (&self.site.edited, &self.site.tables.file) {
            (Some(edited), _) => format!("/deck/{}?file", edited.format),
            (None, Some(_)) => "/t/file".to_owned(),
            (None, None) => "/".to_owned(),
        };
        format!("{}{path}#key={}", self.origin(), self.key)
    }

    /// The address by which it is reached, without a path.
    pub fn origin(&self) -> String {
        if let Some(url) = &self.app.public_url {
            return url.trim_end_matches('/').to_owned();
        }
        if self.address.ip().is_unspecified() {
            format!("http://localhost:{}", self.address.port())
        } else {
            addresses::origin(self.address)
        }
    }

    /// The addresses by which other machines reach it, without a path, the likeliest first.
    pub fn origins(&self) -> &[String] {
        &self.app.origins
    }

    /// Answers until `until` is over; then ends what was begun, and returns once all that was
    /// acknowledged is on the disk. It runs on a runtime of tokio's with time and I/O.
    ///
    /// # Errors
    /// A socket that cannot be used.
    pub async fn run(
        self,
        until: impl Future<Output = ()> + Send + 'static,
    ) -> Result<(), Problem> {
        let broken = |error: std::io::Error| unstarted(error.to_string());
        let listener = tokio::net::TcpListener::from_std(self.listener).map_err(broken)?;
        let router = routes::router(Arc::clone(&self.app), self.site);
        connection::serve(listener, router, self.app.patience, until).await;
        self.app.store.close().await;
        Ok(())
    }
}

impl App {
    /// Opens what a server works with; also its new key.
    ///
    /// # Errors
    /// Data that cannot be opened, and judges that cannot be made; for people.
    fn open(config: Config, address: String, port: u16) -> Result<(App, Site, String), String> {
        let message = |error: HttpError| error.problem.message;
        // The data of one account is for each of its editors.
        let lock = match config.edited {
            None => Some(folder_lock::lock(&config.data, &address, TAKEN)?),
            Some(_) => None,
        };
        let store = Store::open(&config.data)?;
        let library = Arc::new(Library::new(config.judges, || Zoned::now().date()));
        library.judge().map_err(|problem| problem.message)?;
        let edited = config.edited.map(|file| edited::EditedFile::open(file, &library));
        let key = keys::new().map_err(|error| error.to_string())?;
        let secret = keys::random().map_err(|error| error.to_string())?;
        let begun = store.begin(|data| begin(data, &key, secret));
        let (secret, hosts) =
            begun.map_err(|fault| format!("{}: {}", config.data.display(), message(fault)))?;
        let events_folder = config.data.join(EVENTS);
        let events = events(&config.events, &events_folder, &address)?;
        let match_file = config.played.map(|file| {
            let opened = store.begin(|data| MatchFile::open(file, &library, data, &secret));
            opened.map_err(message)
        });
        let processors = std::thread::available_parallelism().map_or(2, usize::from);
        let app = App {
            library,
            answering: WorkerSlots::new(processors),
            store,
            _lock: lock,
            secret,
            hosts,
            rates: Rates::default(),
            events,
            events_folder,
            creating: std::sync::Mutex::default(),
            address,
            port,
            origins: config
                .public_url
                .iter()
                .map(|url| url.trim_end_matches('/').to_owned())
                .collect(),
            public_url: config.public_url,
            streams: Streams::default(),
            patience: config.patience,
        };
        let tables = Arc::new(Tables::new(match_file.transpose()?));
        Ok((app, Site { tables, edited: edited.transpose()?.map(Arc::new) }, key))
    }
}

/// Stores a new host's key. The server's secret (`fresh` where it has none), and the digests of its
/// hosts' keys.
fn begin(
    data: &Connection,
    key: &str,
    fresh: [u8; 32],
) -> Result<([u8; 32], HashSet<keys::KeyDigest>), HttpError> {
    const KEYS: i64 = 50;
    data.execute(
        "insert into setting (name, value) values ('secret', ?1) on conflict do nothing",
        [&fresh[..]],
    )?;
    data.execute(
        "insert into host (key, at) values (?1, ?2)",
        params![&keys::digest(key)[..], store::now()],
    )?;
    // Rows are numbered as they come: a clock that was set back makes no new key the oldest.
    data.execute(
        "delete from host where rowid not in (select rowid from host order by rowid desc limit ?1)",
        [KEYS],
    )?;
    let sql = "select value from setting where name = 'secret'";
    let secret: Vec<u8> = data.query_row(sql, [], |row| row.get(0))?;
    let secret = secret.try_into().map_err(|_| {
        HttpError::new(500, "the data is damaged: its secret has another length", "")
    })?;
    let mut keys = data.prepare("select key from host")?;
    let keys = keys.query_map([], |row| row.get::<_, Vec<u8>>(0))?;
    let keys: Vec<Vec<u8>> = keys.collect::<Result<_, _>>()?;
    let hosts = keys.into_iter().filter_map(|key| key.try_into().ok());
    Ok((secret, hosts.collect()))
}

/// The folders of the events that were created at a server.
fn created_here(folder: &Path) -> std::io::Result<Vec<PathBuf>> {
    let found = match std::fs::read_dir(folder) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        found => found.and_then(Iterator::collect::<std::io::Result<Vec<_>>>),
    };
    // A name with a dot in front is of an event that is not finished.
    let named =
        found?.into_iter().filter(|found| !found.file_name().to_string_lossy().starts_with('.'));
    let folders = named.map(|found| found.path());
    let mut events: Vec<PathBuf> = folders.filter(|folder| Event::is_in(folder)).collect();
    events.sort();
    Ok(events)
}

/// Opens every event of a server: the folders that the call names, and those that were created
/// here.
fn events(named: &[PathBuf], own: &Path, address: &str) -> Result<Events, String> {
    let events = Events::default();
    let created = created_here(own).map_err(|error| format!("{}: {error}", own.display()))?;
    for folder in named.iter().chain(&created) {
        let name = folder.canonicalize().unwrap_or_else(|_| folder.clone());
        let name = name.file_name().unwrap_or_default().to_string_lossy();
        let plain = name.to_lowercase().replace(|next: char| !next.is_ascii_alphanumeric(), "-");
        let plain = match plain.trim_matches('-') {
            "" => "event",
            plain => plain,
        };
        let numbered = (2..).map(|number| format!("{plain}-{number}"));
        let mut ids = std::iter::once(plain.to_owned()).chain(numbered);
        let id = ids.find(|id| events.find(id).is_none()).unwrap_or_default();
        events.add(EventHandle::open(folder, &id, address)?);
    }
    Ok(events)
}
