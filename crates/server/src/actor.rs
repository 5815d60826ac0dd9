//! Who sends a request, and what the secret of their link lets them do.
//!
//! A secret is in the path of a table, or in one `HttpOnly` cookie of the path that it opens.
//! [`door`](crate::door) resolves it for every route.

use crate::answering::Speed;
use crate::app::Shared;
use crate::error::HttpError;
use crate::keys;
use axum::http::{HeaderMap, HeaderName, header};
use decklaw_ask::JudgeEntry;
use decklaw_event::PlayerId;
use std::net::IpAddr;
use std::sync::Arc;

/// The cookie of the server's host, who runs it.
pub(crate) const HOST: &str = "decklaw-host";

/// Who sends a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Actor {
    /// Anyone.
    Visitor,
    /// A player of the event.
    Entry(PlayerId),
    /// The event's organiser.
    Organiser,
    /// A player or an onlooker at the table.
    Seat,
    /// The server's host.
    Host,
}

/// A request: who sends it, and from where.
#[derive(Clone)]
pub(crate) struct Visit {
    pub(crate) app: Shared,
    pub(crate) address: IpAddr,
    pub(crate) actor: Actor,
    /// The digest of a form with everything in it: what one form sends twice is done once.
    pub(crate) form: Option<String>,
    /// All cookies, as they came.
    pub(crate) cookies: String,
}

impl Visit {
    /// A key that follows from this form: the same when the form is sent again. `what` separates
    /// the keys of one form.
    ///
    /// # Errors
    /// A system without random numbers, where there is no form.
    pub(crate) fn key(&self, what: &str) -> Result<String, HttpError> {
        Ok(match &self.form {
            Some(form) => keys::derived(&self.app.secret, &[form.as_bytes(), what.as_bytes()]),
            None => keys::new()?,
        })
    }

    /// Computes an answer in this client's turn.
    ///
    /// # Errors
    /// As [`WorkerSlots::answer`](crate::answering::WorkerSlots::answer).
    pub(crate) async fn answer<T: Send + 'static>(
        &self,
        speed: Speed,
        work: impl FnOnce() -> Result<T, HttpError> + Send + 'static,
    ) -> Result<T, HttpError> {
        self.app.answering.answer(self.address, speed, work).await
    }

    /// Computes a quick answer from the games of this server.
    ///
    /// # Errors
    /// As [`Visit::answer`], and games that cannot be read.
    pub(crate) async fn judged<T: Send + 'static>(
        &self,
        work: impl FnOnce(&JudgeEntry) -> Result<T, HttpError> + Send + 'static,
    ) -> Result<T, HttpError> {
        let library = Arc::clone(&self.app.library);
        self.answer(Speed::Quick, move || work(&*library.judge()?)).await
    }

    /// The address for links that others open, without a path: the one by which a client reached this
    /// server, unless that is only this machine's.
    pub(crate) fn origin(&self, headers: &HeaderMap) -> String {
        if let Some(url) = &self.app.public_url {
            return url.trim_end_matches('/').to_owned();
        }
        let host = headers.get(header::HOST);
        let host = host.and_then(|host| host.to_str().ok()).unwrap_or_default();
        match self.app.origins.first() {
            Some(origin) if self.address.is_loopback() => origin.clone(),
            _ => format!("http://{host}"),
        }
    }

    /// The address before a path in a link that others open; empty where this browser's own address
    /// does.
    pub(crate) fn prefix(&self, headers: &HeaderMap) -> String {
        let host =
            headers.get(header::HOST).and_then(|host| host.to_str().ok()).unwrap_or_default();
        let origin = self.origin(headers);
        if origin.ends_with(&format!("://{host}")) { String::new() } else { origin }
    }

    /// Whether the server's host sends it.
    pub(crate) fn is_host(&self) -> bool {
        self.actor == Actor::Host
    }

    /// The digest of the key in a cookie.
    pub(crate) fn key_in(&self, cookie_name: &str) -> Option<keys::KeyDigest> {
        cookie(&self.cookies, cookie_name).map(keys::digest)
    }
}

/// The value of a cookie, if it has one.
pub(crate) fn cookie<'c>(cookies: &'c str, name: &str) -> Option<&'c str> {
    cookies.split(';').find_map(|pair| {
        let (key, value) = pair.trim().split_once('=')?;
        (key == name && !value.is_empty()).then_some(value)
    })
}

/// The header of a cookie that no script reads. It is sent when somebody follows a link from another site, and
/// with nothing else that another site begins (`SameSite=Lax`).
pub(crate) fn set_cookie(
    app: &Shared,
    name: &str,
    value: &str,
    path: &str,
) -> [(HeaderName, String); 1] {
    const AGE: u32 = 30 * 24 * 60 * 60;
    let secure = match &app.public_url {
        Some(url) if url.starts_with("https:") => "; Secure",
        _ => "",
    };
    let cookie =
        format!("{name}={value}; Path={path}; Max-Age={AGE}; HttpOnly; SameSite=Lax{secure}");
    [(header::SET_COOKIE, cookie)]
}
