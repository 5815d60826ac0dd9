//! All of one's own decks on a page: searched, named, noted, copied, deleted; without a script.
//!
//! A note is the deck's own header `Note`, so that it goes where the deck goes; a word of it that
//! begins with `#` is a tag.

use super::drafts::{self, DRAFTS, Entry};
use super::guard::{Fields, Who};
use super::trouble::Trouble;
use super::worker::Games;
use super::{Shared, page as frame, start};
use axum::extract::{Extension, Query, State};
use axum::response::{IntoResponse, Redirect, Response};
use maud::{Markup, html};
use serde_json::{Map, Value};
use std::collections::{BTreeSet, HashMap};

/// The words of a note that are tags.
fn tags(note: &str) -> impl Iterator<Item = &str> {
    let words = note.split_whitespace();
    words.filter(|word| word.len() > 1 && word.starts_with('#'))
}

/// Whether a deck has each of the words that are sought.
fn has(entry: &Entry, sought: &str) -> bool {
    let text = format!("{} {} {}", entry.name, entry.format, entry.note).to_lowercase();
    let mut words = sought.split_whitespace();
    words.all(|word| text.contains(&word.to_lowercase()))
}

/// `GET /mine`
pub(super) async fn page(
    State(app): State<Shared>,
    Extension(who): Extension<Who>,
    Query(query): Query<HashMap<String, String>>,
) -> Result<Response, Trouble> {
    let own = drafts::of(&app, &who, DRAFTS).await?;
    let games = app.workers.ask(who.client(), Games).await?;
    let sought = query.get("q").map_or("", |sought| sought.trim());
    let every: BTreeSet<&str> = own.iter().flat_map(|entry| tags(&entry.note)).collect();
    let found: Vec<&Entry> = own.iter().filter(|entry| has(entry, sought)).collect();
    let body = html! {
        (frame::top())
        main.narrow {
            h1 { "Your decks" }
            p { a href="/tables" { "Your tables" } }
            details {
                summary { "Import a deck" }
                (start::paste(&who, &games, &start::Pasted::default()))
            }
            form.row method="get" action="/mine" role="search" {
                input type="search" name="q" value=(sought) aria-label="Search your decks" placeholder="Words of a name, a note or a format";
                button { "Search" }
            }
            @if !every.is_empty() {
                form.row method="get" action="/mine" aria-label="Tags" {
                    @for tag in &every { button.chip name="q" value=(tag) aria-pressed=(*tag == sought) { (tag) } }
                }
            }
            p.quiet role="status" {
                (found.len()) " of " (own.len()) " decks"
                @if !sought.is_empty() { " · " a href="/mine" { "all of them" } }
            }
            ul.list { @for entry in found { li.item { (deck(&who, entry)) } } }
        }
    };
    Ok(frame::page(&who, "Your decks", &["start.js"], body).into_response())
}

/// A deck, and what may be done with it.
fn deck(who: &Who, entry: &Entry) -> Markup {
    let (name, note) = (format!("name-{}", entry.id), format!("note-{}", entry.id));
    html! {
        ul.decks { li { (drafts::link(entry)) } }
        p { a.button href={ "/play?deck=" (entry.id) } { "Play this deck" span.away { ": " (entry.name) } } }
        @if !entry.note.is_empty() { p.quiet { bdi { (entry.note) } } }
        @if !entry.settings.is_empty() { p.quiet { "By settings of its own: " (entry.settings) } }
        details {
            summary { "Name, note, copy, delete" span.away { " of " (entry.name) } }
            form method="post" action="/mine" {
                (frame::token(who))
                input type="hidden" name="draft" value=(entry.id);
                label for=(name) { "Name" }
                input id=(name) name="name" maxlength="200" placeholder=(drafts::UNNAMED) value=[Some(&entry.name).filter(|name| *name != drafts::UNNAMED)];
                label for=(note) { "Note; a word such as #club is a tag" }
                input id=(note) name="note" maxlength="1000" value=(entry.note);
                p.row {
                    button.primary name="do" value="keep" { "Keep name and note" }
                    button name="do" value="copy" { "Make a copy" }
                }
                details {
                    summary { "Delete…" }
                    p { "The deck goes with all its versions, and does not come back." }
                    button name="do" value="delete" { "Delete " bdi { (entry.name) } }
                }
            }
        }
    }
}

/// `POST /mine`
pub(super) async fn act(
    State(app): State<Shared>,
    Extension(who): Extension<Who>,
    Extension(fields): Extension<Fields>,
) -> Result<Redirect, Trouble> {
    let id = fields.text("draft").to_owned();
    match fields.text("do") {
        "keep" => {
            let kept = drafts::kept(&app, &who, id.clone()).await?;
            let mut deck = read(&kept.deck)?;
            for header in ["name", "note"] {
                match fields.text(header) {
                    "" => deck.remove(header),
                    text => deck.insert(header.to_owned(), text.into()),
                };
            }
            let saved = drafts::put(&app, &who, id, kept.rev, &written(&deck)?, "").await?;
            saved.map_err(|_| {
                Trouble::new(
                    409,
                    "This deck was changed in another window at the same moment.",
                    "Send it again.",
                )
            })?;
        }
        "copy" => {
            let kept = drafts::kept(&app, &who, id).await?;
            let mut deck = read(&kept.deck)?;
            let name = deck.get("name").and_then(Value::as_str);
            let name = format!("{} (copy)", name.unwrap_or(drafts::UNNAMED));
            deck.insert("name".to_owned(), name.into());
            drafts::make(&app, &who, &kept.format, &written(&deck)?).await?;
        }
        "delete" => drafts::remove(&app, &who, id).await?,
        _ => return Err(Trouble::wrong("There is no such action.")),
    }
    Ok(Redirect::to("/mine"))
}

fn read(deck: &str) -> Result<Map<String, Value>, Trouble> {
    serde_json::from_str(deck).map_err(|_| Trouble::damaged("deck"))
}

fn written(deck: &Map<String, Value>) -> Result<Box<serde_json::value::RawValue>, Trouble> {
    serde_json::value::to_raw_value(deck).map_err(|_| Trouble::defect())
}
