//! The organiser's desk: who handed in what, what only an organiser can say, and what is done with
//! all of them.

use super::super::guard::{Fields, Who, set_cookie};
use super::super::keys;
use super::super::trouble::Trouble;
use super::super::worker::Judged;
use super::super::{Shared, page as frame};
use super::hall::{self, Row, View};
use super::opening::names;
use super::{Opened, organiser_cookie, views};
use axum::extract::{Extension, Query, State};
use axum::http::header;
use axum::response::{IntoResponse, Redirect, Response};
use decklaw_core::digest::hex;
use decklaw_event::{Counting, Decision, Entry, EntryId, Event, Personal, Why};
use maud::{Markup, html};
use std::collections::HashMap;
use std::sync::Arc;

/// The lists of players that a desk shows.
const FILTERS: [(&str, &str); 10] = [
    ("", "all"),
    ("legal", "legal"),
    ("illegal", "illegal"),
    ("incomplete", "incomplete"),
    ("unreadable", "unreadable"),
    ("late", "late"),
    ("locked", "locked"),
    ("missing", "missing"),
    ("unlisted", "not on the list"),
    ("drawn", "drawn for a check"),
];

/// Which players a desk shows.
fn shows(filter: &str, row: &Row, expects: bool) -> bool {
    match filter {
        "missing" => row.counting == Counting::Missing,
        "late" => matches!(row.counting, Counting::Late(_)) || row.beside.is_some(),
        "locked" => row.player.locked,
        "unlisted" => expects && !row.player.expected,
        "drawn" => row.player.drawn,
        "" => true,
        verdict => {
            row.counting.counts().is_some()
                && row
                    .last
                    .as_ref()
                    .is_some_and(|last| last.judged.verdict == verdict)
        }
    }
}

/// A deck that an organiser must be asked about.
struct Asked {
    why: Why,
    entry: Entry,
    /// The name of whose it most likely is; `None`: somebody's who is new.
    likely: Option<String>,
}

/// What a desk shows.
struct Told<J = Judged> {
    rows: Vec<Row<J>>,
    expects: bool,
    asked: Vec<Asked>,
    /// The number of the event's last record.
    head: i64,
}

fn told(event: &mut Event) -> Result<Told<()>, Trouble> {
    let standing = event.standing()?;
    let roster = event.roster();
    let asked = standing.asked.iter().filter_map(|(id, why)| {
        let entry = roster.entries.get(id)?.clone();
        let likely = event.likely(*id).map(|player| roster.name(player));
        Some(Asked {
            why: *why,
            entry,
            likely,
        })
    });
    Ok(Told {
        asked: asked.collect(),
        expects: event.expects(),
        head: event.number(),
        rows: hall::rows(event, &standing),
    })
}

/// `GET /e/ID/desk`
pub(in super::super) async fn desk(
    State(app): State<Shared>,
    Extension(who): Extension<Who>,
    Extension(opened): Extension<Opened>,
    Query(query): Query<HashMap<String, String>>,
) -> Result<Response, Trouble> {
    let event = Arc::clone(&opened.event);
    let told = opened.hall.with(told).await?;
    let told = Told {
        rows: hall::judged_rows(&app, &who, &opened.hall, told.rows).await?,
        expects: told.expects,
        asked: told.asked,
        head: told.head,
    };
    let filter = query.get("show").map_or("", String::as_str);
    let path = format!("/e/{}", event.id);
    let count = |filter: &str| {
        let rows = told.rows.iter();
        rows.filter(|row| shows(filter, row, told.expects)).count()
    };
    let body = html! {
        (frame::top())
        main.wide data-desk=(path) data-head=(told.head) {
            h1 { bdi { (event.title) } }
            (views::about(&event))
            p #fresh role="status" {}
            p.row {
                a.button href={ (path) "/desk/code.svg" } { "QR code" }
                a.button href={ (path) "/desk/sheets" } { "All sheets" }
                a.button href={ (path) "/desk/export/decks.csv" } { "CSV" }
                a.button href={ (path) "/desk/export/decks.xlsx" } { "XLSX" }
                a href=(path) { "The players' page" }
            }
            (questions(&who, &path, &told))
            nav.filters aria-label="Which players" {
                @for (word, name) in FILTERS {
                    a.chip href={ (path) "/desk?show=" (word) } aria-current=[(filter == word).then_some("page")] { (name) " " b { (count(word)) } }
                }
            }
            (table(&who, &event, &told, filter))
            form.row method="post" action={ (path) "/desk/all" } {
                (frame::token(&who))
                @if event.closed { button name="do" value="unlock" { "Take decks again" } }
                @else { button name="do" value="lock" { "Lock all: take no more decks" } }
                button name="do" value="draw" { "Draw a deck check" }
            }
            (more(&who, &path))
        }
    };
    Ok(frame::page(&who, &event.title, &["desk.js"], body).into_response())
}

/// What only an organiser can say, each with the likeliest answer.
fn questions(who: &Who, path: &str, told: &Told) -> Markup {
    html! {
        @if !told.asked.is_empty() {
            section.note #asked {
                h2 { "To answer (" (told.asked.len()) ")" }
                p { "Until then these decks count for nobody." }
                @for Asked { why, entry, likely } in &told.asked {
                    form.row method="post" action={ (path) "/desk/all" } {
                        (frame::token(who))
                        input type="hidden" name="entry" value=(entry.id);
                        span { b { bdi { (entry.person.name.as_deref().unwrap_or("no name")) } } " "
                            @if let Some(address) = entry.person.addresses.first() { bdi { "<" (address) ">" } " " }
                            span.quiet { (entry.place()) } ": " (why.words())
                            @if let (Why::Time, Some(time)) = (why, &entry.personal.time) { " (" bdi { (time) } ")" } }
                        @match why {
                            Why::Time => {
                                button name="do" value="in-time" { "It came in time" }
                                button name="do" value="was-late" { "It came late" }
                            }
                            _ => {
                                @match likely {
                                    Some(name) => button.primary name="do" value="yes" { "It is " bdi { (name) } "'s" },
                                    None => button.primary name="do" value="yes" { "Somebody new" },
                                }
                                @if likely.is_some() { button name="do" value="new" { "Somebody new" } }
                                label.away for={ "whose-" (entry.id) } { "Another player" }
                                input id={ "whose-" (entry.id) } name="player" placeholder="another player's name or id" size="24";
                                button name="do" value="is" { "It is theirs" }
                                button name="do" value="out" { "Nobody's" }
                            }
                        }
                    }
                }
            }
        }
    }
}

fn table(who: &Who, event: &View, told: &Told, filter: &str) -> Markup {
    let path = format!("/e/{}/desk", event.id);
    html! {
        div.scroll tabindex="0" role="region" aria-label="Players" {
            table.players {
                thead { tr { th scope="col" { "Player" } th scope="col" { "Verdict" } th scope="col" { "Handed in" } th scope="col" { "From" } th scope="col" { "Hash" } } }
                tbody {
                    @for row in told.rows.iter().filter(|row| shows(filter, row, told.expects)) {
                        @let player = &row.player;
                        tr {
                            th scope="row" { span.quiet { (player.id) " " } a href={ (path) "/player/" (player.id) } { bdi { (player.name) } } @if player.locked { " " span.quiet { "locked" } } @if told.expects && !player.expected { " " span.quiet { "not on the list" } } @if player.drawn { " " span.quiet { "deck check: " (player.checked.as_deref().unwrap_or("drawn")) } } }
                            @match &row.last {
                                Some(last) => {
                                    td { (views::state(last)) @if let Counting::Late(entry) = row.counting { " " (accept(who, &path, entry)) } @if let Some(entry) = row.beside { " " span.quiet { "a later one came late" } " " (accept(who, &path, entry)) } }
                                    td { (views::time(&last.at)) }
                                    td { (last.place) }
                                    td { code.hash { (last.judged.hash.as_deref().unwrap_or_default().get(..12).unwrap_or_default()) } }
                                }
                                None => { td colspan="4" { span.quiet { "nothing yet" } } }
                            }
                        }
                    }
                }
            }
        }
    }
}

/// A late deck is accepted with a click.
fn accept(who: &Who, path: &str, entry: EntryId) -> Markup {
    html! {
        form.inline method="post" action={ (path) "/all" } {
            (frame::token(who))
            input type="hidden" name="entry" value=(entry);
            button name="do" value="counts" { "Accept the late deck" }
        }
    }
}

fn more(who: &Who, path: &str) -> Markup {
    html! {
        details {
            summary { "More players, and a new link" }
            form method="post" action={ (path) "/desk/players" } {
                (frame::token(who))
                label for="players" { "More players: a name a line" }
                textarea #players name="players" rows="5" {}
                button { "Add them" }
            }
            form method="post" action={ (path) "/desk/key" } {
                (frame::token(who))
                p { "A new link for the organiser: the one before it opens nothing any more." }
                button { "Make a new link" }
            }
        }
    }
}

/// `GET /e/ID/desk/head`: what tells a page that something happened since.
pub(in super::super) async fn head(
    Extension(opened): Extension<Opened>,
) -> Result<Response, Trouble> {
    let head = opened.hall.with(|event| Ok(event.number()));
    Ok(head.await?.to_string().into_response())
}

/// `POST /e/ID/desk/all`: what is decided of the event, or of a deck.
pub(in super::super) async fn act_on_all(
    Extension(asker): Extension<Who>,
    Extension(opened): Extension<Opened>,
    Extension(fields): Extension<Fields>,
) -> Result<Response, Trouble> {
    let action = fields.text("do").to_owned();
    let entry = fields.text("entry").parse::<EntryId>();
    let (named, who) = (fields.text("player").trim().to_owned(), opened.by(&asker));
    let done = opened.hall.with(move |event| {
        if event.roster().has_done(&who) {
            return Ok(());
        }
        let whole = match action.as_str() {
            "lock" | "unlock" => Some(Decision::Lock {
                player: None,
                locked: action == "lock",
            }),
            _ => None,
        };
        if let Some(decision) = whole {
            return Ok(event.decide(who, decision, Personal::default(), None)?);
        }
        if action == "draw" {
            return match event.draw(who, 1)?.is_empty() {
                true => Err(Trouble::new(
                    409,
                    "Everybody whose deck counts was drawn already.",
                    "",
                )),
                false => Ok(()),
            };
        }
        let entry = entry.map_err(Trouble::wrong)?;
        let decision = match action.as_str() {
            "yes" => {
                let likely = event.likely(entry);
                event.assign(who, entry, likely, None)?;
                return Ok(());
            }
            "new" => {
                event.assign(who, entry, None, None)?;
                return Ok(());
            }
            "is" => {
                let player = event.roster().one_named(&named).map_err(Trouble::wrong)?;
                event.assign(who, entry, Some(player), None)?;
                return Ok(());
            }
            "in-time" | "was-late" => Decision::Came {
                entry,
                in_time: action == "in-time",
            },
            "counts" | "out" => Decision::Counts {
                entry,
                counts: action == "counts",
            },
            _ => return Err(Trouble::wrong("There is no such action.")),
        };
        Ok(event.decide(who, decision, Personal::default(), None)?)
    });
    done.await?;
    Ok(back(&opened))
}

/// Back to the desk.
pub(super) fn back(opened: &Opened) -> Response {
    Redirect::to(&format!("/e/{}/desk", opened.event.id)).into_response()
}

/// `POST /e/ID/desk/players`: players who are expected.
pub(in super::super) async fn players(
    Extension(opened): Extension<Opened>,
    Extension(fields): Extension<Fields>,
) -> Result<Response, Trouble> {
    let names = names(fields.get("players").unwrap_or_default())?;
    let people: Vec<Personal> = names
        .into_iter()
        .map(|name| Personal {
            name: Some(name),
            ..Personal::default()
        })
        .collect();
    let done = opened.hall.with(move |event| Ok(event.expect(&people)?));
    done.await?;
    Ok(back(&opened))
}

/// `POST /e/ID/desk/key`: a new link for the organiser, in the place of the one before it.
pub(in super::super) async fn key(
    State(app): State<Shared>,
    Extension(who): Extension<Who>,
    Extension(opened): Extension<Opened>,
) -> Result<Response, Trouble> {
    let (by, id) = (opened.by(&who), opened.event.id.clone());
    let key = who.key(&app, "organiser")?;
    let decision = Decision::Key {
        player: None,
        key: hex(&keys::kept(&key)),
    };
    let done = opened
        .hall
        .with(move |event| Ok(event.decide(by, decision, Personal::default(), None)?));
    done.await?;
    let path = format!("/e/{id}");
    let cookie = set_cookie(&app, &organiser_cookie(&id), &key, &path, 30);
    let body = html! {
        (frame::top())
        main.narrow {
            h1 { "A new link" }
            p { "It is shown only now. Whoever opens it is at the desk:" }
            @let link = format!("{path}/desk#key={key}");
            p { a.private href=(link) { (link) } }
            p { a.button.primary href={ (path) "/desk" } { "Back to the desk" } }
        }
    };
    let page = frame::page(&who, "A new link", &["desk.js"], body);
    Ok(([(header::SET_COOKIE, cookie)], page).into_response())
}
