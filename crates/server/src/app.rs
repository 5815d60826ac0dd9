//! What all requests share.

use crate::answering::WorkerSlots;
use crate::events::Events;
use crate::keys;
use crate::rates::Rates;
use crate::store::Store;
use crate::streams::Streams;
use decklaw_ask::Library;
use std::collections::HashSet;
use std::fs::File;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// What all requests share.
pub(crate) struct App {
    pub(crate) library: Arc<Library>,
    pub(crate) answering: WorkerSlots,
    pub(crate) store: Store,
    /// The lock of the folder of the data.
    pub(crate) _lock: Option<File>,
    pub(crate) secret: [u8; 32],
    /// The keys of the server's hosts.
    pub(crate) hosts: HashSet<keys::KeyDigest>,
    pub(crate) rates: Rates,
    pub(crate) events: Events,
    /// The folder of the events that are created here.
    pub(crate) events_folder: PathBuf,
    /// Locked while an event is created.
    pub(crate) creating: Mutex<()>,
    /// Where it listens, for other servers that want its folders.
    pub(crate) address: String,
    pub(crate) port: u16,
    pub(crate) public_url: Option<String>,
    /// The addresses by which others reach it, the likeliest first.
    pub(crate) origins: Vec<String>,
    pub(crate) streams: Streams,
    pub(crate) patience: Duration,
}

/// The same for every request.
pub(crate) type Shared = Arc<App>;

impl App {
    /// The name of a cookie: browsers do not tell the ports of a machine apart.
    pub(crate) fn cookie(&self, name: &str) -> String {
        format!("{name}-{}", self.port)
    }

    /// Whether a key is one of a host.
    pub(crate) fn is_host(&self, key: &str) -> bool {
        let digest = keys::digest(key);
        // Every key is compared, so that the time says nothing.
        let each = self.hosts.iter();
        each.fold(false, |known, host| known | keys::same(host, &digest))
    }
}
