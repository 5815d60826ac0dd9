//! The first page: games, sample decks, the decks of this browser, and a deck from anywhere checked. Its
//! text stands here; `home.js` fills it, in a published page too.

use super::guard::{Fields, HOST, Who, own_path, set_cookie};
use super::trouble::Trouble;
use super::{Shared, desk, page};
use axum::extract::{Extension, State};
use axum::http::header;
use axum::response::{IntoResponse, Redirect, Response};
use maud::{Markup, html};

/// Its module and its style sheets.
pub(super) const MODULE: &str = "home.js";
pub(super) const SHEETS: [&str; 2] = ["base.css", "home.css"];

/// `GET /`
pub(super) async fn page(
    State(app): State<Shared>,
    Extension(who): Extension<Who>,
) -> Result<Response, Trouble> {
    let events = match who.host {
        true => desk::all(&app).await?,
        false => Vec::new(),
    };
    let body = html! {
        body {
            (bar(&page::logo(), true))
            (main(None, Some(&doors(&events))))
        }
    };
    Ok(page::styled("Decks", &SHEETS, &["key.js", MODULE], body).into_response())
}

/// The bar of the first page.
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

/// The first page of one game, which no server is behind, and its bar.
pub(super) fn published(game: &str) -> Markup {
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
                            Some(game) => { "Every rule of " bdi { (game) } " is checked as you build. No account, and it works offline." }
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
            @if game.is_some() { p.quiet.foot { "Decks are checked in this browser. What you build leaves it only by a link or a file that you give. Made with decklaw." } }
        }
    }
}

/// What leads to the tables and events of a server; the events are those that the reader may organise.
fn doors(events: &[desk::View]) -> Markup {
    html! {
        section.two {
            div.panel.door {
                h2 { a href="/play" { "Play with a friend" } }
                p.quiet { "Open a table and share the link. Shuffles are fair, and anyone can deal them again." }
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

/// `POST /enter`: the key of whoever runs the server, kept as a cookie.
pub(super) async fn enter(
    State(app): State<Shared>,
    Extension(fields): Extension<Fields>,
) -> Result<Response, Trouble> {
    let key = fields.text("key");
    if !app.is_host(key) {
        return Err(Trouble::new(
            403,
            "That is not the key of this server.",
            "It stands in the address that `decklaw serve` printed, behind `#key=`.",
        ));
    }
    let cookie = set_cookie(&app, HOST, key, "/", 30);
    let to = own_path(fields.text("next"));
    Ok(([(header::SET_COOKIE, cookie)], Redirect::to(&to)).into_response())
}
