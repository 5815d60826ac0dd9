//! What the answers to requests share.

use super::desk::handle::Events;
use super::keys;
use super::own_file::Edited;
use super::rates::Rates;
use super::store::Store;
use super::table::Tables;
use super::table::played::Played;
use super::worker::{Bench, Workers};
use std::collections::HashSet;
use std::fs::File;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// All that the answers to requests share.
pub(super) struct App {
    pub(super) store: Arc<Store>,
    /// What reads and judges whatever a stranger sends, from the bench.
    pub(super) workers: Workers,
    pub(super) bench: Arc<Bench>,
    /// No other server has the data while this one does.
    pub(super) _held: Option<File>,
    pub(super) secret: [u8; 32],
    /// The keys of whoever runs the server.
    pub(super) hosts: HashSet<keys::Kept>,
    pub(super) rates: Rates,
    /// The events.
    pub(super) events: Events,
    /// Where events are made that are opened here.
    pub(super) events_folder: PathBuf,
    /// Held while an event is opened.
    pub(super) opening: Mutex<()>,
    /// Where it listens, for whoever wants an event that it holds.
    pub(super) address: String,
    pub(super) port: u16,
    pub(super) public_url: Option<String>,
    pub(super) edited: Option<Edited>,
    /// The table of a match's file.
    pub(super) played: Option<Arc<Played>>,
    pub(super) patience: Duration,
    /// The tables that people play at.
    pub(super) tables: Tables,
}

pub(super) type Shared = Arc<App>;

impl App {
    /// Whether a key is one of a host.
    pub(super) fn is_host(&self, key: &str) -> bool {
        let kept = keys::kept(key);
        // Of every key it is asked, so that time tells nothing.
        self.hosts
            .iter()
            .fold(false, |known, host| known | keys::same(host, &kept))
    }
}
