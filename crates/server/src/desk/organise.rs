//! The organiser's desk: who handed in what, what only an organiser can say, and what is done with
//! all of them.

use super::super::guard::{Fields, Who};
use super::super::keys;
use super::super::trouble::Trouble;
use super::super::worker::{Compared, Judged, Lists};
use super::super::{Shared, page as frame};
use super::hall::{self, Row, View};
use super::opening::names;
use super::{Opened, views};
use axum::extract::{Extension, Query, State};
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
    /// Who holds a key, by the digest.
    keys: Vec<(String, String)>,
    head: String,
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
    let keys = roster.keys.iter();
    Ok(Told {
        asked: asked.collect(),
        keys: keys
            .map(|(key, holder)| (key.clone(), holder.clone()))
            .collect(),
        expects: event.expects(),
        head: event.head().to_owned(),
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
        keys: told.keys,
        head: told.head,
    };
    let lists = Lists {
        format: event.format.clone(),
    };
    let lists = app.workers.ask(who.client(), lists).await?;
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
                a.button href={ (path) "/desk/slips" } { "Deck-check slips" }
                a.button href={ (path) "/desk/export/decks.csv" } { "CSV" }
                a.button href={ (path) "/desk/export/decks.xlsx" } { "XLSX" }
                a.button href={ (path) "/desk/audit" } { "What was done" }
                a href=(path) { "The players' page" }
            }
            p.quiet { "The last record: " code.hash { (told.head) } }
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
                @if event.published { button name="do" value="unpublish" { "Withdraw the decks" } }
                @else { button name="do" value="publish" { "Publish all decks" } }
            }
            (more(&who, &path, &told, &lists))
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

fn more(who: &Who, path: &str, told: &Told, lists: &[(String, String, String)]) -> Markup {
    html! {
        details {
            summary { "Players, organisers and banlist" }
            form method="post" action={ (path) "/desk/players" } {
                (frame::token(who))
                label for="players" { "More players: a name a line" }
                textarea #players name="players" rows="5" {}
                button { "Add them" }
            }
            form method="post" action={ (path) "/desk/key" } {
                (frame::token(who))
                label for="holder" { "A key for another organiser, so that it is known who did what" }
                div.row { input #holder name="holder" placeholder="name" maxlength="100"; button name="do" value="give" { "Make a key" } }
            }
            @if !told.keys.is_empty() {
                ul {
                    @for (key, holder) in &told.keys {
                        li { form.row method="post" action={ (path) "/desk/key" } {
                            (frame::token(who))
                            input type="hidden" name="key" value=(key);
                            span { bdi { (holder) } } button name="do" value="take" { "Revoke this key" }
                        } }
                    }
                }
            }
            @if !lists.is_empty() {
                form method="post" action={ (path) "/desk/list" } {
                    (frame::token(who))
                    label for="list" { "Another banlist: whose verdict would it change? The event's own verdicts stay those of its lock." }
                    div.row {
                        select #list name="list" {
                            option value="none" { "none" }
                            @for (id, _, name) in lists { option value=(id) { (name) } }
                        }
                        button name="do" value="show" { "Show what would change" }
                    }
                }
            }
        }
    }
}

/// `GET /e/ID/desk/head`: what tells a page that something happened since.
pub(in super::super) async fn head(
    Extension(opened): Extension<Opened>,
) -> Result<Response, Trouble> {
    let head = opened.hall.with(|event| Ok(event.head().to_owned()));
    Ok(head.await?.into_response())
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
            "publish" | "unpublish" => Some(Decision::Published {
                published: action == "publish",
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

/// `POST /e/ID/desk/key`: a key for another organiser, or none any more.
pub(in super::super) async fn key(
    State(app): State<Shared>,
    Extension(who): Extension<Who>,
    Extension(opened): Extension<Opened>,
    Extension(fields): Extension<Fields>,
) -> Result<Response, Trouble> {
    let (by, id) = (opened.by(&who), opened.event.id.clone());
    if fields.text("do") == "take" {
        let key = fields.text("key").to_owned();
        let done = opened.hall.with(move |event| {
            let decision = Decision::Key {
                player: None,
                key,
                valid: false,
            };
            Ok(event.decide(by, decision, Personal::default(), None)?)
        });
        done.await?;
        return Ok(back(&opened));
    }
    let holder = super::opening::player_name(fields.text("holder"));
    if holder.is_empty() || matches!(holder.as_str(), "player" | "import" | "host") {
        return Err(Trouble::wrong(
            "The key needs the name of who will hold it.",
        ));
    }
    let key = who.key(&app, "organiser")?;
    let kept = hex(&keys::kept(&key));
    let name = holder.clone();
    let done = opened.hall.with(move |event| {
        let decision = Decision::Key {
            player: None,
            key: kept,
            valid: true,
        };
        let personal = Personal {
            words: Some(name),
            ..Personal::default()
        };
        Ok(event.decide(by, decision, personal, None)?)
    });
    done.await?;
    let link = format!("/e/{id}/desk#key={key}");
    let body = html! {
        (frame::top())
        main.narrow {
            h1 { "A key for " bdi { (holder) } }
            p { "It is shown only now. Whoever opens this link is at the desk as " bdi { (holder) } ":" }
            p { a.private href=(link) { (link) } }
            p { a.button.primary href={ "/e/" (id) "/desk" } { "Back to the desk" } }
        }
    };
    Ok(frame::page(&who, "A key", &["desk.js"], body).into_response())
}

/// `POST /e/ID/desk/list`: whose verdict another banlist would change.
pub(in super::super) async fn list(
    State(app): State<Shared>,
    Extension(who): Extension<Who>,
    Extension(opened): Extension<Opened>,
    Extension(fields): Extension<Fields>,
) -> Result<Response, Trouble> {
    let compared = Compared {
        event: opened.hall.folder(),
        list: fields.text("list").to_owned(),
    };
    let compared = app.workers.ask(who.client(), compared).await?;
    let id = &opened.event.id;
    let body = html! {
        (frame::top())
        main.narrow {
            p { a href={ "/e/" (id) "/desk" } { "← " bdi { (opened.event.title) } } }
            h1 { "What another banlist would change" }
            p { "The verdicts of this event stay those of its lock." }
            pre { (compared) }
        }
    };
    Ok(frame::page(&who, "Another banlist", &[], body).into_response())
}
