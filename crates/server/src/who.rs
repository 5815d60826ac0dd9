//! Who asks, and who may.

use super::app::App;
use super::keys;
use super::worker::Client;
use std::net::IpAddr;

/// Who asks.
#[derive(Debug, Clone)]
pub(super) struct Who {
    /// From where.
    pub(super) address: IpAddr,
    /// Whose decks are shown: a browser's, or this machine's for whoever runs the server.
    pub(super) owner: keys::Kept,
    /// The browser, whoever uses it.
    pub(super) browser: keys::Kept,
    /// Whether it is whoever runs the server.
    pub(super) host: bool,
    /// The token of this browser's forms.
    pub(super) token: String,
    /// What tells a form with all that was typed into it from every other one, where it was made for
    /// this browser: what is sent by it twice is carried out once.
    pub(super) form: Option<String>,
    /// All cookies, as they came.
    pub(super) cookies: String,
}

impl Who {
    /// Whose question it is that is asked of a worker.
    pub(super) fn client(&self) -> Client {
        Client {
            browser: self.browser,
            address: self.address,
        }
    }

    /// A key that this form makes: the same when it is sent again. `what` tells the keys of one form
    /// apart.
    ///
    /// # Errors
    /// A system without random numbers, where there is no form.
    pub(super) fn key(&self, app: &App, what: &str) -> Result<String, getrandom::Error> {
        match &self.form {
            Some(form) => Ok(keys::of_form(
                &app.secret,
                &[form.as_bytes(), what.as_bytes()],
            )),
            None => keys::new(),
        }
    }

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
