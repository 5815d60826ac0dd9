//! decklaw in a browser: the builder, and the desk that takes hand-ins.
//!
//! A [`Server`] answers with the same library and the same JSON as the command line; nothing is
//! judged in a page, and what a stranger sends is judged within limits: see `worker`. What the server
//! keeps is in `store`, and who may do what in `guard` and in the table of `routes`.
//!
//! A seat at a match is `/t/ID/KEY`: see `table`. Pages are told of what happens by server-sent
//! events.

mod app;
mod assets;
mod builder;
mod chooser;
mod clock;
mod connection;
mod desk;
mod edited;
mod guard;
mod health;
mod held;
mod keys;
mod own_file;
mod page;
mod published;
mod qr;
mod rates;
mod routes;
mod start;
mod store;
mod table;
mod trouble;
mod who;
mod worker;

pub use decklaw_ask::{Folder, JudgeOptions, ListChoice, MakeJudge};
pub use own_file::{ToEdit, WriteFile};
pub use published::published;
pub use routes::{Route, table as routes};
pub use table::played::{ToPlay, WriteMatch};
pub use table::view::position;
pub use who::Needs;

use app::{App, Shared};
use connection::HEAD;
use decklaw_event::Event;
use desk::handle::{EventHandle, Events};
use rates::Rates;
use std::collections::HashSet;
use std::future::Future;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;
use store::Store;
use trouble::Trouble;
use worker::{Bench, Workers};

/// The folder of the events in that of the data.
const EVENTS: &str = "events";

/// What is said of a folder of data that another server has.
const HELD: held::Busy = held::Busy {
    what: "another server has these data",
    help: "end that one first, or name another folder with --data DIR",
};

/// How a server is set up.
pub struct Config {
    /// Makes the judges: the games, cards, lists and settings that the server knows.
    pub judges: Box<MakeJudge>,
    /// The folder of its data.
    pub data: PathBuf,
    /// Folders of events whose desk it is, beside those that are opened here.
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
        out.debug_struct("Config")
            .field("data", &self.data)
            .finish_non_exhaustive()
    }
}

/// Why a server cannot be started, for people.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct ServeError(String);

/// A server that is bound to an address, and not yet running.
pub struct Server {
    app: Shared,
    listener: std::net::TcpListener,
    address: SocketAddr,
    key: String,
    patience: Duration,
}

impl std::fmt::Debug for Server {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_struct("Server")
            .field("address", &self.address)
            .finish_non_exhaustive()
    }
}

impl Server {
    /// Opens the data and begins to listen at an address.
    ///
    /// # Errors
    /// An address that is taken, data that cannot be opened, judges that cannot be made.
    pub fn bind(config: Config, address: SocketAddr) -> Result<Server, ServeError> {
        let refuse = |trouble: Trouble| ServeError(trouble.message);
        let listener = std::net::TcpListener::bind(address).map_err(|error| {
            let help = match error.kind() {
                std::io::ErrorKind::AddrInUse => {
                    "; choose another port with --port, or any free one with --port 0"
                }
                _ => "",
            };
            ServeError(format!("{address}: {error}{help}"))
        })?;
        let bound = listener.local_addr().and_then(|bound| {
            listener.set_nonblocking(true)?;
            Ok(bound)
        });
        let address = bound.map_err(|error| ServeError(format!("{address}: {error}")))?;
        let shown = match address.ip().is_unspecified() {
            true => format!("port {} of this machine", address.port()),
            false => format!("http://{address}"),
        };
        // What an account owns is for each of its editors.
        let held = match config.edited {
            None => Some(held::hold(&config.data, &shown, HELD).map_err(ServeError)?),
            Some(_) => None,
        };
        let store = Store::open(&config.data).map_err(ServeError)?;
        let bench = Arc::new(Bench::new(config.judges));
        let judge = bench.library.judge();
        judge.map_err(|problem| ServeError(problem.message))?;
        let edited = match config.edited {
            None => None,
            Some(file) => Some(own_file::Edited::open(file, &bench).map_err(ServeError)?),
        };
        let key = keys::new().map_err(|error| refuse(error.into()))?;
        let Begun { secret, hosts } = begin(&config.data, &key)?;
        let events_folder = config.data.join(EVENTS);
        let events = events(&config.events, &events_folder, &shown).map_err(ServeError)?;
        let played = match config.played {
            None => None,
            Some(file) => {
                let data = rusqlite::Connection::open(config.data.join(store::FILE))
                    .map_err(|error| refuse(store::Fault::from(error).into()))?;
                let laid = table::played::Played::lay(file, &bench.library, &data, &secret)
                    .map_err(refuse)?;
                Some(Arc::new(laid))
            }
        };
        let processors = std::thread::available_parallelism().map_or(2, usize::from);
        let app = App {
            store: Arc::new(store),
            workers: Workers::new(Arc::clone(&bench), processors),
            bench,
            _held: held,
            secret,
            hosts,
            rates: Rates::default(),
            events,
            events_folder,
            opening: std::sync::Mutex::default(),
            address: shown,
            port: address.port(),
            public_url: config.public_url,
            edited,
            played,
            patience: config.patience,
            tables: table::Tables::default(),
        };
        Ok(Server {
            app: Arc::new(app),
            listener,
            address,
            key,
            patience: config.patience,
        })
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// The key of whoever runs the server: it opens this machine's decks and every desk.
    pub fn key(&self) -> &str {
        &self.key
    }

    /// Where a browser begins, with the key.
    pub fn link(&self) -> String {
        let path = match (&self.app.edited, &self.app.played) {
            (Some(edited), _) => format!("/deck/{}?file", edited.format()),
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
        match self.address.ip().is_unspecified() {
            true => format!("http://localhost:{}", self.address.port()),
            false => format!("http://{}", self.address),
        }
    }

    /// Answers until `until` is over; then ends what was begun, and returns once all that was
    /// acknowledged is on the disk. It runs on a runtime of tokio's with time and I/O.
    ///
    /// # Errors
    /// A socket that cannot be used.
    pub async fn run(
        self,
        until: impl Future<Output = ()> + Send + 'static,
    ) -> Result<(), ServeError> {
        let broken = |error: std::io::Error| ServeError(error.to_string());
        let listener = tokio::net::TcpListener::from_std(self.listener).map_err(broken)?;
        let router = routes::router(Arc::clone(&self.app));
        connection::serve(listener, router, self.patience, until).await;
        let store = Arc::clone(&self.app.store);
        // The writer is waited for off the threads of the runtime.
        let _ = tokio::task::spawn_blocking(move || store.close()).await;
        Ok(())
    }
}

/// What a server keeps at hand of its data.
struct Begun {
    secret: [u8; 32],
    /// The keys of its hosts, a new one among them.
    hosts: HashSet<keys::Kept>,
}

/// The folders of the events that were opened at a server.
fn opened_here(folder: &Path) -> std::io::Result<Vec<PathBuf>> {
    let found = match std::fs::read_dir(folder) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        found => found.and_then(Iterator::collect::<std::io::Result<Vec<_>>>),
    };
    // What begins with a dot is being opened, or was when a server ended.
    let named = found?
        .into_iter()
        .filter(|found| !found.file_name().to_string_lossy().starts_with('.'));
    let folders = named.map(|found| found.path());
    let mut events: Vec<PathBuf> = folders.filter(|folder| Event::is_in(folder)).collect();
    events.sort();
    Ok(events)
}

/// Opens every event of a server: the folders that the call names, and those that were opened here.
fn events(named: &[PathBuf], own: &Path, address: &str) -> Result<Events, String> {
    let events = Events::default();
    let opened = opened_here(own).map_err(|error| format!("{}: {error}", own.display()))?;
    for folder in named.iter().chain(&opened) {
        let name = folder.canonicalize().unwrap_or_else(|_| folder.clone());
        let name = name
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .to_lowercase();
        let plain: String = name
            .chars()
            .map(|next| {
                if next.is_ascii_alphanumeric() {
                    next
                } else {
                    '-'
                }
            })
            .collect();
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

/// Begins with the data.
fn begin(data: &Path, key: &str) -> Result<Begun, ServeError> {
    const KEPT: i64 = 50;
    let cannot = |error: rusqlite::Error| {
        ServeError(format!(
            "{}: {}",
            data.display(),
            Trouble::from(store::Fault::from(error)).message
        ))
    };
    let path = data.join(store::FILE);
    let connection = rusqlite::Connection::open(path).map_err(cannot)?;
    let fresh = keys::random::<32>().map_err(|error| ServeError(error.to_string()))?;
    let begun = || -> rusqlite::Result<_> {
        connection.busy_timeout(Duration::from_secs(5))?;
        connection.execute(
            "insert into setting (name, value) values ('secret', ?1) on conflict do nothing",
            [&fresh[..]],
        )?;
        connection.execute(
            "insert into host (key, at) values (?1, ?2)",
            rusqlite::params![&keys::kept(key)[..], clock::now()],
        )?;
        connection.execute(
            // Rows are numbered as they come, whatever the clock says: a clock that was set back
            // makes no new key the oldest.
            "delete from host where rowid not in (select rowid from host order by rowid desc limit ?1)",
            [KEPT],
        )?;
        let secret: Vec<u8> = connection.query_row(
            "select value from setting where name = 'secret'",
            [],
            |row| row.get(0),
        )?;
        let mut keys = connection.prepare("select key from host")?;
        let keys: Vec<Vec<u8>> = keys
            .query_map([], |row| row.get(0))?
            .collect::<Result<_, _>>()?;
        Ok((secret, keys))
    };
    let (secret, keys) = begun().map_err(cannot)?;
    let secret = secret.try_into().map_err(|_| {
        ServeError(format!(
            "{}: the data is damaged: its secret has another length",
            data.display()
        ))
    })?;
    let hosts = keys
        .into_iter()
        .filter_map(|key| key.try_into().ok())
        .collect();
    Ok(Begun { secret, hosts })
}
