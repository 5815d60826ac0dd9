//! Events: what players hand in, what organisers decide, and who may do what.

pub(super) mod hand_in;
pub(super) mod handle;
pub(super) mod opening;
pub(super) mod organise;
mod questions;
mod views;

use super::guard::{Fields, Who, own_path, set_cookie};
use super::trouble::Trouble;
use super::who::Needs;
use super::{Shared, keys, page};
use axum::extract::{Extension, Path, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Redirect, Response};
use decklaw_core::digest::hex;
use decklaw_event::{Author, PlayerId, Roster};
use handle::EventHandle;
pub(super) use handle::View;
use maud::html;
use std::sync::Arc;

/// An event, and who opened it.
#[derive(Debug, Clone)]
pub(super) struct Opened {
    handle: Arc<EventHandle>,
    event: Arc<View>,
    /// The player whose key opened it.
    player: Option<PlayerId>,
}

impl Opened {
    /// The author of what is decided.
    fn author(&self, who: &Who) -> Author {
        Author {
            name: if who.host { "host" } else { "organiser" }.to_owned(),
            form: who.form.clone(),
        }
    }
}

/// Every event, by its title.
///
/// # Errors
/// A folder that cannot be used.
pub(super) async fn all(app: &Shared) -> Result<Vec<View>, Trouble> {
    let mut views = Vec::new();
    for handle in app.events.all() {
        let id = handle.id.clone();
        views.push(handle.with(move |event| View::of(&id, event)).await?);
    }
    views.sort_by(|one, other| one.title.cmp(&other.title));
    Ok(views)
}

fn organiser_cookie(event: &str) -> String {
    format!("decklaw-desk-{event}")
}

fn player_cookie(event: &str) -> String {
    format!("decklaw-mine-{event}")
}

/// The player whose key has this digest.
fn player_of(roster: &Roster, key: &keys::Kept) -> Option<PlayerId> {
    let key = hex(key);
    let own = roster.players.values().filter(|player| {
        let kept = player.key.as_deref().unwrap_or_default();
        keys::same(kept.as_bytes(), key.as_bytes())
    });
    own.map(|player| roster.real(player.id)).next()
}

/// Whether the organiser's key has this digest.
fn is_organiser(roster: &Roster, key: &keys::Kept) -> bool {
    let key = hex(key);
    let own = roster.key.as_ref();
    own.is_some_and(|own| keys::same(own.as_bytes(), key.as_bytes()))
}

/// Opens an event for whoever may, or answers with a page that asks for the key.
pub(super) async fn open(
    app: &Shared,
    who: &Who,
    id: &str,
    needs: Needs,
) -> Result<Opened, Response> {
    let Some(handle) = app.events.find(id) else {
        return Err(Trouble::none("such event").into_response());
    };
    let mine = who.cookie(&player_cookie(id)).map(keys::kept);
    let desk = who.cookie(&organiser_cookie(id)).map(keys::kept);
    let asked = id.to_owned();
    let found = handle
        .with(move |event| {
            let roster = event.roster();
            let player = mine.and_then(|key| player_of(roster, &key));
            let organiser = desk.is_some_and(|key| is_organiser(roster, &key));
            Ok((View::of(&asked, event)?, player, organiser))
        })
        .await;
    let (event, player, organiser) = found.map_err(IntoResponse::into_response)?;
    let enter = format!("/e/{id}/enter");
    let organiser = organiser || who.host;
    match needs {
        Needs::Organiser if !organiser => Err(closed(
            &enter,
            "This page opens with the organiser's link.",
            who,
        )),
        Needs::Player if player.is_none() => Err(closed(
            &enter,
            "Your deck opens with your private link.",
            who,
        )),
        Needs::Host if !who.host => Err(closed(
            "/enter",
            "This is for whoever runs this server.",
            who,
        )),
        _ => Ok(Opened {
            handle,
            event: Arc::new(event),
            player,
        }),
    }
}

/// The page that asks for a key: it takes one that is typed, or the one of the link that led here.
pub(super) fn closed(enter: &str, why: &str, who: &Who) -> Response {
    let main = html! {
        main.desk.narrow {
            h1 { "Open with a key" }
            p.note { (why) }
            form.panel.box #key-form method="post" action=(enter) {
                (page::token(who))
                input type="hidden" name="next" value="";
                label for="key" { "Key" }
                input.input #key name="key" autocomplete="off" autocapitalize="none" spellcheck="false" required;
                p { button.btn.main.big { "Open" } }
                p.quiet { "The key is the end of your link, after " code { "#key=" } ". Capitals, spaces and dashes do not matter." }
            }
        }
    };
    let mut response = views::page("Open with a key", &["key.js"], main).into_response();
    *response.status_mut() = StatusCode::FORBIDDEN;
    let help = "Open your link again in another window, and then send this once more.";
    let trouble = Trouble::new(403, why, help);
    response.extensions_mut().insert(trouble);
    response
}

/// `POST /e/ID/enter`: an organiser's or a player's key, kept as a cookie.
pub(super) async fn enter(
    State(app): State<Shared>,
    Extension(opened): Extension<Opened>,
    Extension(fields): Extension<Fields>,
    Path(id): Path<String>,
) -> Result<Response, Trouble> {
    let typed: String = fields
        .text("key")
        .chars()
        .filter(char::is_ascii_alphanumeric)
        .collect();
    let key = keys::kept(&typed);
    let path = format!("/e/{id}");
    let known = opened.handle.with(move |event| {
        let roster = event.roster();
        Ok((
            is_organiser(roster, &key),
            player_of(roster, &key).is_some(),
        ))
    });
    let (name, to) = match known.await? {
        (true, _) => (organiser_cookie(&id), format!("{path}/desk")),
        (false, true) => (player_cookie(&id), format!("{path}/mine")),
        (false, false) => {
            return Err(Trouble::new(
                403,
                "That is no key of this event.",
                "Look at the link again; the organiser can give a player a new one.",
            ));
        }
    };
    let cookie = set_cookie(&app, &name, &typed, &path, 30);
    let next = fields.text("next");
    let to = match next.starts_with(&path) {
        true => own_path(next),
        false => to,
    };
    Ok(([(header::SET_COOKIE, cookie)], Redirect::to(&to)).into_response())
}
