//! Who asks, and who may.

use super::keys;
use std::net::IpAddr;

/// Who asks.
#[derive(Debug, Clone)]
pub(super) struct Who {
    /// From where.
    pub(super) address: IpAddr,
    /// Whose decks are shown: a browser's, or this machine's for whoever runs the server.
    pub(super) owner: keys::Kept,
    /// Whether it is whoever runs the server.
    pub(super) host: bool,
    /// The token of this browser's forms.
    pub(super) token: String,
    /// The number of the page that is shown to them.
    pub(super) once: String,
    /// All cookies, as they came.
    pub(super) cookies: String,
}

impl Who {
    /// The value of a cookie.
    pub(super) fn cookie(&self, name: &str) -> Option<&str> {
        cookie(&self.cookies, name)
    }
}

/// The value of a cookie among those that came; an empty one is none.
pub(super) fn cookie<'c>(cookies: &'c str, name: &str) -> Option<&'c str> {
    cookies.split(';').find_map(|pair| {
        let (key, value) = pair.trim().split_once('=')?;
        (key == name && !value.is_empty()).then_some(value)
    })
}

/// Who may take a route.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Needs {
    /// Anyone who reaches the server.
    Nothing,
    /// The key of whoever runs the server.
    Host,
    /// The key of the event's organiser, or the host's.
    Organiser,
    /// The key of one of the event's players.
    Player,
    /// The key of the seat at a table.
    Seat,
}
