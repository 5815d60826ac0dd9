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
    /// All cookies, as they came.
    pub(super) cookies: String,
}

impl Who {
    /// The value of a cookie.
    pub(super) fn cookie(&self, name: &str) -> Option<&str> {
        cookie(&self.cookies, name)
    }

    /// The cookies of its first visit.
    pub(super) fn first(&self) -> impl Iterator<Item = (&str, &str)> {
        first(&self.cookies)
    }
}

/// How the cookies begin that remember first visits.
pub(super) const FIRST: &str = "decklaw-first-";

/// Who a browser was on its first visit, of a day ago at most: the names and values of cookies.
/// Pages that were asked for together were each told another, and the last answer made the browser
/// who it is; the forms of all of them are its own.
pub(super) fn first(cookies: &str) -> impl Iterator<Item = (&str, &str)> {
    let pairs = cookies
        .split(';')
        .filter_map(|pair| pair.trim().split_once('='));
    pairs.filter(|(name, value)| name.starts_with(FIRST) && !value.is_empty())
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
