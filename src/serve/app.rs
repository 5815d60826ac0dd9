//! What the answers to requests share.

use super::answers::Kept;
use super::keys;
use super::own_file::Edited;
use super::rates::Rates;
use super::site::Site;
use super::store::Store;
use super::table::Tables;
use super::work::Work;
use std::collections::HashSet;
use std::sync::{Arc, PoisonError, RwLock};
use std::time::Duration;

/// All that the answers to requests share.
pub(super) struct App {
    pub(super) site: Site,
    pub(super) store: Arc<Store>,
    pub(super) work: Work,
    /// What every answer about a game has in common.
    pub(super) kept: Kept,
    pub(super) secret: [u8; 32],
    /// The keys of whoever runs the server.
    pub(super) hosts: RwLock<HashSet<keys::Kept>>,
    pub(super) pages: Rates,
    pub(super) tried: Rates,
    pub(super) port: u16,
    pub(super) public_url: Option<String>,
    pub(super) edited: Option<Edited>,
    pub(super) lint: Option<Box<dyn Fn() -> String + Send + Sync>>,
    /// Counts the changes of a maker's folder.
    pub(super) changes: tokio::sync::watch::Sender<u64>,
    pub(super) patience: Duration,
    /// The tables that people play at.
    pub(super) tables: Tables,
}

pub(super) type Shared = Arc<App>;

impl App {
    /// Whether a key is one of a host.
    pub(super) fn is_host(&self, key: &str) -> bool {
        let hosts = self.hosts.read().unwrap_or_else(PoisonError::into_inner);
        let kept = keys::kept(key);
        // Of every key it is asked, so that time tells nothing.
        hosts
            .iter()
            .fold(false, |known, host| known | keys::same(host, &kept))
    }
}
