//! The door of every route: it resolves the secret of a link, so that a handler runs only for those
//! who may use it.

use crate::actor::{Actor, Visit};
use crate::desk::{AtEvent, organiser_cookie, player_cookie};
use crate::error::HttpError;
use crate::events::View;
use crate::keys;
use crate::table::{self, Tables};
use axum::extract::{Extension, FromRequestParts, RawPathParams, Request, State};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use std::sync::Arc;

/// A route.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Route {
    /// The method of HTTP.
    pub method: &'static str,
    /// The path, with the names of its parts in braces.
    pub path: &'static str,
    /// Who may use it.
    pub needs: Needs,
    /// Whether it may change data: then it runs to its end, whether or not the client waits.
    pub changes: bool,
}

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
async fn admit(
    route: Route,
    tables: Arc<Tables>,
    visit: Visit,
    request: Request,
) -> Result<Request, HttpError> {
    let (mut parts, body) = request.into_parts();
    let params = RawPathParams::from_request_parts(&mut parts, &()).await.ok();
    let part = |name: &str| {
        let mut all = params.iter().flatten();
        all.find(|(key, _)| *key == name).map(|(_, value)| value)
    };
    let path = parts.uri.path().to_owned();
    match (route.needs, part("event"), part("table").zip(part("key"))) {
        (Needs::Seat, _, Some((table, key))) => {
            let seat = table::open(visit, tables, table, key).await?;
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
    State((route, tables)): State<(Route, Arc<Tables>)>,
    Extension(visit): Extension<Visit>,
    request: Request,
    next: Next,
) -> Response {
    let is_json = request.uri().path().starts_with("/api/");
    let answer = match admit(route, tables, visit, request).await {
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
