//! The first page: the games, one's own decks, and a box for a deck from anywhere.

use super::guard::{Fields, HOST, Who, own_path, set_cookie};
use super::trouble::Trouble;
use super::worker::{Games, ReadFile};
use super::{Shared, chooser, drafts, page};
use axum::extract::{Extension, State};
use axum::http::header;
use axum::response::{IntoResponse, Redirect, Response};
use decklaw_ask::{GameEntry, INPUTS};
use decklaw_core::deck::is_link;
use maud::{Markup, html};

/// `GET /`
pub(super) async fn page(
    State(app): State<Shared>,
    Extension(who): Extension<Who>,
) -> Result<Response, Trouble> {
    let games = app.workers.ask(who.client(), Games).await?;
    let own = drafts::of(&app, &who, drafts::DRAFTS).await?;
    let events = match who.host {
        true => super::desk::all(&app).await?,
        false => Vec::new(),
    };
    let body = html! {
        (page::top())
        main.start {
            h1.away { "Decks" }
            div {
                section.box {
                    h2 { "A deck you have" }
                    (paste(&who, &games, &Pasted::default()))
                }
                @if !own.is_empty() {
                    section {
                        h2 { "Your decks" }
                        ul.decks {
                            @for draft in &own { li { (drafts::link(draft)) } }
                        }
                    }
                }
                section {
                    h2 { "Play" }
                    p { a.button href="/play" { "Play" } }
                }
                @if !who.host && !own.is_empty() {
                    p.quiet { "They belong to this browser, and go with its cookies." }
                }
                @if who.host {
                    section {
                        h2 { "Events" }
                        @if !events.is_empty() {
                            ul.decks {
                                @for event in &events {
                                    li { a href={ "/e/" (event.id) "/desk" } { bdi { (event.title) } span.quiet { (event.format) } } }
                                }
                            }
                        }
                        p { a.button href="/desk/new" { "New event" } }
                    }
                }
            }
            section {
                h2 { "Begin a deck" }
                ul.games {
                    @for game in &games {
                        li {
                            h3 { (game.name) }
                            @if let Some(wrong) = &game.wrong { p.message { (wrong) } }
                            ul {
                                @for one in &game.formats {
                                    li { a href={ "/deck/" (one.format) } { (one.name) } @if !one.about.is_empty() { span.quiet { " " (one.about) } } }
                                }
                            }
                        }
                    }
                }
            }
        }
    };
    Ok(page::page(&who, "Decks", &["start.js"], body).into_response())
}

/// A list that somebody pasted, to be opened.
#[derive(Debug, Default)]
pub(super) struct Pasted<'p> {
    text: &'p str,
    /// The name of its file.
    file: &'p str,
    /// The format that was chosen; empty: none.
    format: &'p str,
    /// The games whose cards its names are, the likeliest first.
    likely: &'p [String],
}

/// The form by which a deck from anywhere becomes one of the reader's own.
pub(super) fn paste(who: &Who, games: &[GameEntry], pasted: &Pasted<'_>) -> Markup {
    let first = pasted.likely.first();
    let first = first.and_then(|likely| games.iter().find(|game| game.id == *likely));
    let first = first.and_then(|game| game.formats.first());
    let chosen = match (pasted.format, first) {
        ("", Some(first)) => &first.format,
        (format, _) => format,
    };
    html! {
        form method="post" action="/open" {
            (page::token(who))
            label for="deck" { "Paste a list or a link that holds a deck, or drop a file here: text, YAML, JSON, CSV, .cod, .dek or .ydk" }
            textarea #deck name="deck" rows=(if pasted.text.is_empty() { 8 } else { 16 }) spellcheck="false" placeholder="3 Rain Caller\n2 Moss Sprite" { "\n" (pasted.text) }
            input #file type="hidden" name="file" value=(pasted.file);
            div.row {
                label for="format" { "Format" }
                select #format name="format" {
                    option value="" { "as the deck says" }
                    (chooser::options(games, pasted.likely, chosen))
                }
                button.primary { "Open" }
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

/// `POST /open`: a deck from anywhere becomes one of the reader's own.
pub(super) async fn open(
    State(app): State<Shared>,
    Extension(who): Extension<Who>,
    Extension(fields): Extension<Fields>,
) -> Result<Response, Trouble> {
    let text = fields.get("deck").unwrap_or_default().to_owned();
    let format = Some(fields.text("format").to_owned()).filter(|format| !format.is_empty());
    let read = ReadFile {
        format,
        bytes: text.clone().into_bytes(),
        input: String::new(),
        file: fields.text("file").to_owned(),
    };
    let import = app.workers.ask(who.client(), read).await?;
    if let (Some(deck), Some(format)) = (&import.deck, &import.format) {
        // A link is opened as if it were followed: nobody's deck until it is kept, its settings with it.
        if is_link(&text) {
            let link = text.trim();
            let end = link.rsplit_once('#').map_or(link, |(_, end)| end);
            return Ok(Redirect::to(&format!("/deck/{format}#{end}")).into_response());
        }
        let draft = drafts::make(&app, &who, format, deck).await?;
        return Ok(Redirect::to(&format!("/deck/{format}#d={draft}")).into_response());
    }
    let findings = &import.check.0.findings;
    let games = app.workers.ask(who.client(), Games).await?;
    let pasted = Pasted {
        text: &text,
        file: fields.text("file"),
        format: fields.text("format"),
        likely: &import.likely,
    };
    let title = match import.deck {
        Some(_) => "Which format is this deck for?",
        None => "Not every line could be read",
    };
    let body = html! {
        (page::top())
        main.narrow {
            h1 { (title) }
            p { "Read as " (INPUTS.iter().find(|(word, ..)| *word == import.input).map_or("text", |(_, _, name)| name)) "." }
            ul.findings {
                @for finding in findings {
                    li.finding.error {
                        @if let Some(line) = finding.line { b { "Line " (line) } " " }
                        (finding.message)
                        @if let Some(help) = &finding.help { " " span.quiet { (help) } }
                    }
                }
            }
            (paste(&who, &games, &pasted))
        }
    };
    let mut response = page::page(&who, title, &["start.js"], body).into_response();
    *response.status_mut() = axum::http::StatusCode::UNPROCESSABLE_ENTITY;
    Ok(response)
}
