//! What the answers to requests share.

use super::desk::hall::Halls;
use super::keys;
use super::own_file::Edited;
use super::rates::Rates;
use super::store::Store;
use super::table::Tables;
use super::table::played::Played;
use super::trouble::Trouble;
use super::who::Who;
use super::worker::{Bench, Workers};
use std::collections::HashSet;
use std::fs::File;
use std::net::IpAddr;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError, RwLock};
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
    pub(super) hosts: RwLock<HashSet<keys::Kept>>,
    /// The keys of decks whose link was made anew.
    pub(super) ended: RwLock<HashSet<keys::Kept>>,
    pub(super) pages: Rates<IpAddr>,
    pub(super) tried: Rates<IpAddr>,
    /// Decks that are begun or shared.
    pub(super) made: Rates<IpAddr>,
    /// The pages of each event that takes decks.
    pub(super) events: Rates<(IpAddr, String)>,
    /// The events.
    pub(super) halls: Halls,
    /// Where events are made that are opened here.
    pub(super) halls_folder: PathBuf,
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
    /// Whether an address may ask for a path now, which counts as asking. What an event that takes
    /// decks is asked counts for that event alone; the files of the pages cost no more than a
    /// refusal, and are not counted.
    pub(super) fn permits(&self, address: IpAddr, path: &str) -> bool {
        if path.starts_with("/assets/") {
            return true;
        }
        let event = path
            .strip_prefix("/api")
            .unwrap_or(path)
            .strip_prefix("/e/");
        let event = event.and_then(|rest| rest.split('/').next());
        match event.filter(|event| self.halls.find(event).is_some()) {
            Some(event) => self.events.permits((address, event.to_owned())),
            None => self.pages.permits(address),
        }
    }

    /// Lets somebody try a key, which counts as trying one.
    ///
    /// # Errors
    /// That too many were tried from there.
    pub(super) fn may_try(&self, who: &Who) -> Result<(), Trouble> {
        if who.address.is_loopback() || self.tried.permits(who.address) {
            return Ok(());
        }
        Err(Trouble::new(
            429,
            "Too many keys were tried from this address.",
            "Wait a minute.",
        ))
    }

    /// Whether another link was made in the place of the one with this key.
    pub(super) fn has_ended(&self, key: &str) -> bool {
        let ended = self.ended.read().unwrap_or_else(PoisonError::into_inner);
        ended.contains(&keys::kept(key))
    }

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
