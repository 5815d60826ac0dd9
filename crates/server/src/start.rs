//! The start page: games, sample decks, the decks of this browser, and a deck check. `home.js`
//! fills it, in a published page too. Also the form that takes a key, and `/health`.

use crate::actor::{HOST, Visit, set_cookie};
use crate::builder::{Json, JsonResult};
use crate::error::HttpError;
use crate::events::View;
use crate::guard::{Fields, own_path};
use crate::{desk, keys, page};
use axum::extract::Extension;
use axum::response::{IntoResponse, Redirect, Response};
use maud::{Markup, html};
use serde_json::json;

/// Its module and its style sheets.
pub(crate) const MODULE: &str = "home.js";
pub(crate) const SHEETS: [&str; 2] = ["base.css", "home.css"];

/// `GET /`
pub(crate) async fn page(Extension(visit): Extension<Visit>) -> Result<Response, HttpError> {
    let events = if visit.is_host() { desk::all(&visit.app).await? } else { Vec::new() };
    let body = html! {
        body {
            (bar(&page::logo(), true))
            (main(None, Some(&doors(&events))))
        }
    };
    Ok(page::styled("Decks", &SHEETS, &["key.js", MODULE], body).into_response())
}

/// The bar of the start page.
fn bar(logo: &Markup, served: bool) -> Markup {
    html! {
        header.bar {
            (logo)
            span.grow {}
            nav aria-label="Main" {
                a.btn.plain.wide href="#samples" { "Sample decks" }
                a.btn.plain.wide href="#check" { "Check a deck" }
                @if served { a.btn.plain href="#event" { "Events" } }
                a.btn.plain #to-mine hidden href="#mine" { "My decks" }
            }
        }
    }
}

/// The start page of one game without a server, and its bar.
pub(crate) fn published(game: &str) -> Markup {
    let logo = html! { span.logo { (page::mark()) bdi { (game) } } };
    html! { (bar(&logo, false)) (main(Some(game), None)) }
}

fn main(game: Option<&str>, doors: Option<&Markup>) -> Markup {
    html! {
        main.home {
            section.hero {
                div {
                    h1 {
                        "Build a legal deck." br; "Know its odds."
                        @if doors.is_some() { " Play it." }
                    }
                    p.lead {
                        @match game {
                            Some(game) => { bdi { (game) } ": every rule is checked as you build. No account, and it works offline." }
                            None => { "Every rule of each game is checked as you build. No account: your decks stay in this browser." }
                        }
                    }
                    p.acts {
                        a.btn.main.big href="#games" { "Build a deck" }
                        a.btn.big href="#check" { "Check a deck" }
                        @if doors.is_some() { a.btn.big href="/play" { "Play" } }
                    }
                    noscript { p.message { "Building and checking decks here needs JavaScript. Handing in a deck does not: ask for the address of the event." } }
                }
                div #showcase aria-hidden="true" {}
            }
            section #mine hidden aria-labelledby="mine-title" {
                h2 #mine-title { "My decks" }
                ul.decks {}
            }
            section #games aria-labelledby="games-title" {
                h2 #games-title { @if game.is_some() { "Formats" } @else { "Games" } }
                ul.games {}
            }
            section #samples hidden aria-labelledby="samples-title" {
                div.head { h2 #samples-title { "Sample decks" } div.pick {} }
                ul.decks {}
            }
            section #check.check.panel aria-labelledby="check-title" {
                div {
                    h2 #check-title { "Check a deck" }
                    p.quiet {
                        "Paste a list or a link, or drop a file: text, YAML, JSON, CSV, .cod, .dek or .ydk."
                        @if game.is_none() { " The game is detected." }
                    }
                    div.answer aria-live="polite" {}
                }
                form {
                    label.away for="text" { "Deck list" }
                    textarea.input #text rows="9" spellcheck="false" placeholder="3 Card Name\n2 Another Card" {}
                    p.acts {
                        button.btn.main disabled { "Check" }
                        label.btn { "Choose a file" input.away #file type="file"; }
                        button.btn.plain #example type="button" hidden { "Try an example" }
                    }
                }
            }
            @if let Some(doors) = doors { (doors) }
            @if game.is_some() { p.quiet.foot { a href="#replay" { "Replay a saved match" } ". Decks are checked in this browser and stay in it until you share a link or a file. Made with decklaw." } }
        }
    }
}

/// Links to the tables and events of a server; `events` are those that the reader organises.
fn doors(events: &[View]) -> Markup {
    html! {
        section.two {
            div.panel.door {
                h2 { a href="/play" { "Play with a friend" } }
                p.quiet { "Open a table and share the link. Shuffles are fair, and anyone can deal them again. " a href="/replay" { "Replay a saved match" } "." }
            }
            div #event.panel.door {
                h2 { a href="/desk/new" { "Run an event" } }
                p.quiet { "Collect decks by link or from a form, check them all, print the sheets." }
                @if !events.is_empty() {
                    ul { @for event in events { li { a href={ "/e/" (event.id) "/desk" } { bdi { (event.title) } } } } }
                }
            }
        }
    }
}

/// `POST /enter`: takes a key, keeps it as a cookie and opens the page that asked for it: the host's key
/// anywhere, an organiser's or a player's at a page of their event.
pub(crate) async fn enter(
    Extension(visit): Extension<Visit>,
    Extension(fields): Extension<Fields>,
) -> Result<Response, HttpError> {
    let (key, next) = (fields.text("key"), own_path(fields.text("next")));
    let key: String = key.chars().filter(char::is_ascii_alphanumeric).collect();
    let opened = |name: &str, path: &str| {
        let cookie = set_cookie(&visit.app, name, &key, path);
        Ok((cookie, Redirect::to(next)).into_response())
    };
    if visit.app.is_host(&key) {
        return opened(&visit.app.cookie(HOST), "/");
    }
    let unknown = |what: &str, help: &str| Err(HttpError::new(403, what, help));
    let event = next.strip_prefix("/e/");
    let event = event.and_then(|rest| rest.split(['/', '?']).next());
    let Some(handle) = event.and_then(|id| visit.app.events.find(id)) else {
        return unknown(
            "That is not the key of this server.",
            "It is the end of the address that `decklaw serve` printed, after `#key=`.",
        );
    };
    let digest = keys::digest(&key);
    let known = handle.with(move |event| {
        let roster = event.roster();
        let is_player = keys::player(roster, &digest).is_some();
        Ok((keys::is_organiser(roster, &digest), is_player))
    });
    let name = match known.await? {
        (true, _) => desk::organiser_cookie(&visit.app, &handle.id),
        (false, true) => desk::player_cookie(&visit.app, &handle.id),
        (false, false) => {
            return unknown(
                "That is not a key of this event.",
                "Check the link; the organiser can give a player a new one.",
            );
        }
    };
    opened(&name, &format!("/e/{}", handle.id))
}

/// `GET /health`: the data can be read.
pub(crate) async fn health(Extension(visit): Extension<Visit>) -> JsonResult {
    let read = visit.app.store.read(|data| {
        data.query_row("select count(*) from setting", [], |row| row.get::<_, i64>(0))
    });
    read.await?;
    Ok(Json(json!({"schema": "decklaw/health/1", "status": "ok"})))
}
