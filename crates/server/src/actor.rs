//! Who sends a request, and what the secret of their link lets them do.
//!
//! A secret is in the path of a table, or in one `HttpOnly` cookie of the path that it opens.
//! [`door`] resolves it for every route, so that a handler runs only for those who may use it.

use crate::answering::Speed;
use crate::app::Shared;
use crate::desk::{AtEvent, View, organiser_cookie, player_cookie};
use crate::error::HttpError;
use crate::keys;
use crate::routes::Route;
use crate::table;
use axum::extract::{Extension, FromRequestParts, RawPathParams, Request, State};
use axum::http::{HeaderName, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use decklaw_ask::JudgeEntry;
use decklaw_event::PlayerId;
use std::net::IpAddr;
use std::sync::Arc;

/// The cookie of the server's host, who runs it.
pub(crate) const HOST: &str = "decklaw-host";

/// Who may use a route.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Needs {
    /// Anyone who reaches the server.
    Nothing,
    /// The key of the server's host.
    Host,
    /// The key of the event's organiser, or the host's.
    Organiser,
    /// The key of one of the event's players.
    Player,
    /// The key of a seat at the table.
    Seat,
}

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

    /// Whether the server's host sends it.
    pub(crate) fn is_host(&self) -> bool {
        self.actor == Actor::Host
    }

    /// The digest of the key in a cookie.
    fn key_in(&self, cookie_name: &str) -> Option<keys::KeyDigest> {
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

/// Resolves the actor of an event's route.
async fn at_event(
    mut visit: Visit,
    id: &str,
    needs: Needs,
    path: &str,
) -> Result<AtEvent, HttpError> {
    let handle = visit.app.events.find(id);
    let handle = handle.ok_or_else(|| HttpError::none("such event"))?;
    let mine = visit.key_in(&player_cookie(&visit.app, id));
    let desk = visit.key_in(&organiser_cookie(&visit.app, id));
    let of = handle.id.clone();
    let found = handle.with(move |event| {
        let roster = event.roster();
        let player = mine.and_then(|key| keys::player(roster, &key));
        let is_organiser = desk.is_some_and(|key| keys::is_organiser(roster, &key));
        Ok((View::of(&of, event)?, player, is_organiser))
    });
    let (view, player, is_organiser) = found.await?;
    match (needs, player) {
        (Needs::Organiser, _) if visit.is_host() => {}
        (Needs::Organiser, _) if is_organiser => visit.actor = Actor::Organiser,
        (Needs::Organiser, _) => {
            return Err(HttpError::locked(
                path,
                "This page opens with the organiser\u{2019}s link.",
            ));
        }
        (Needs::Player, None) => {
            return Err(HttpError::locked(path, "Your deck opens with your private link."));
        }
        (_, Some(player)) => visit.actor = Actor::Entry(player),
        (_, None) => {}
    }
    Ok(AtEvent { visit, handle, event: Arc::new(view) })
}

/// Lets through those who may use the route, with what it is about.
async fn admit(route: Route, visit: Visit, request: Request) -> Result<Request, HttpError> {
    let (mut parts, body) = request.into_parts();
    let params = RawPathParams::from_request_parts(&mut parts, &()).await.ok();
    let part = |name: &str| {
        let mut all = params.iter().flatten();
        all.find(|(key, _)| *key == name).map(|(_, value)| value)
    };
    let path = parts.uri.path().to_owned();
    match (route.needs, part("event"), part("table").zip(part("key"))) {
        (Needs::Seat, _, Some((table, key))) => {
            let seat = table::open(visit, table, key).await?;
            parts.extensions.insert(seat);
        }
        (Needs::Host, ..) if !visit.is_host() => {
            return Err(HttpError::locked(&path, "This page is for the host of this server."));
        }
        (Needs::Nothing | Needs::Host, None, _) => {
            parts.extensions.insert(visit);
        }
        (needs, Some(event), _) => {
            let event = at_event(visit, event, needs, &path).await?;
            parts.extensions.insert(event);
        }
        _ => return Err(HttpError::defect()),
    }
    Ok(Request::from_parts(parts, body))
}

/// The layer of every route.
pub(crate) async fn door(
    State(route): State<Route>,
    Extension(visit): Extension<Visit>,
    request: Request,
    next: Next,
) -> Response {
    let is_json = request.uri().path().starts_with("/api/");
    let answer = match admit(route, visit, request).await {
        // A client that leaves drops its handler. One that changes something is a task of its own,
        // so that it is not cut between writing and remembering.
        Ok(request) if route.changes => {
            let done = tokio::spawn(next.run(request)).await;
            done.map_err(|_| HttpError::defect())
        }
        Ok(request) => Ok(next.run(request).await),
        Err(error) => Err(error),
    };
    match answer {
        Ok(response) => response,
        Err(error) if is_json => error.json(),
        Err(error) => error.into_response(),
    }
}
