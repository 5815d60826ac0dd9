//! Who asks, and who may.

use super::app::App;
use super::keys;
use std::net::IpAddr;

/// Who asks.
#[derive(Debug, Clone)]
pub(super) struct Who {
    /// From where.
    pub(super) address: IpAddr,
    /// Whether it is whoever runs the server.
    pub(super) host: bool,
    /// What tells a form with all that was typed into it from every other one: what is sent by it twice
    /// is carried out once.
    pub(super) form: Option<String>,
    /// All cookies, as they came.
    pub(super) cookies: String,
}

impl Who {
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
