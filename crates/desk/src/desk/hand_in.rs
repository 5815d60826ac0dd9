//! What players see: the form, the verdict before handing in, the receipt, their own deck.
//! All of it works without scripts.

use super::super::answers::{self, Handed, Paper};
use super::super::builder::{Json, JsonResult, body, sheet_page};
use super::super::guard::{Fields, Who, set_cookie};
use super::super::store::Fault;
use super::super::trouble::Trouble;
use super::super::work::Weight;
use super::super::{Shared, keys, page as frame};
use super::opening::{NAME, player_name};
use super::record::{self, HandIn, Player, Version};
use super::{Event, Opened, now, player_cookie, views};
use axum::body::Bytes;
use axum::extract::{Extension, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use decklaw_core::report::sheet as sheet_report;
use maud::{Markup, html};
use rusqlite::Connection;
use serde::Deserialize;
use serde_json::Value;
use std::sync::Arc;

/// What somebody typed, and what came of it.
#[derive(Default)]
struct Typed<'t> {
    name: &'t str,
    deck: &'t str,
    file: &'t str,
    /// The verdict, where it was asked for.
    handed: Option<&'t Handed>,
    trouble: Option<&'t Trouble>,
}

/// `GET /e/ID`
pub(in super::super) async fn page(
    Extension(who): Extension<Who>,
    Extension(opened): Extension<Opened>,
) -> Response {
    let body = html! {
        @if opened.player.is_some() {
            p.note { "You have handed in a deck here. " a href={ "/e/" (opened.event.id) "/mine" } { "See or change it" } "." }
        }
        (form(&opened.event, &who, &Typed::default(), None))
    };
    shown(&opened.event, &who, body)
}

fn shown(event: &Event, who: &Who, inner: Markup) -> Response {
    let body = html! {
        (frame::top())
        main.narrow {
            h1 { bdi { (event.title) } }
            (views::about(event))
            (inner)
            @if event.published { p { a href={ "/e/" (event.id) "/results" } { "All decks of this event" } } }
        }
    };
    frame::page(who, &event.title, &["desk.js"], body).into_response()
}

/// The form of a deck; `own` is the player whose deck it changes.
fn form(event: &Event, who: &Who, typed: &Typed<'_>, own: Option<&Player>) -> Markup {
    let late = event.is_late(&now());
    let open = record::may_hand_in(event, own.is_some_and(|own| own.locked), late);
    let to = match own {
        Some(_) => format!("/e/{}/mine", event.id),
        None => format!("/e/{}", event.id),
    };
    // What was typed stays, whether it can be handed in now or not.
    html! {
        @if let (Err(trouble), None) = (&open, typed.trouble) {
            p.message role="status" { (trouble.message) " " (trouble.mend) }
        } @else {
            @if late && event.marks_late { p.note { "The deadline is over: what you hand in now is marked as late." } }
            form #hand-in method="post" action=(to) data-event=(event.id) {
                (frame::token(who))
                @if let Some(trouble) = typed.trouble { p.message role="alert" { (trouble.message) " " (trouble.mend) } }
                @if own.is_none() {
                    label for="name" { "Your name" }
                    input #name name="name" value=(typed.name) maxlength=(NAME) required autocomplete="name";
                }
                label for="deck" { "Your deck" }
                textarea #deck name="deck" rows="14" required spellcheck="false" autocapitalize="none" placeholder="3 Rain Caller\n2 Moss Sprite" { "\n" (typed.deck) }
                input #file type="hidden" name="file" value=(typed.file);
                p.quiet { "Paste a list from anywhere, or " a href={ "/deck/" (event.format) } { "build a deck" } " and copy it here." }
                div #verdict aria-live="polite" { @if let Some(handed) = typed.handed { (verdict(handed)) } }
                div.row {
                    button name="do" value="check" { "Check" }
                    @match typed.handed {
                        Some(handed) if handed.verdict == "legal" => { button.primary name="do" value="hand-in" { "Hand in" } }
                        Some(handed) if handed.verdict != "unreadable" => {
                            button.primary name="do" value="anyway" { "Hand in as it is, " (handed.verdict) }
                        }
                        _ => { button.primary name="do" value="hand-in" { "Hand in" } }
                    }
                }
            }
        }
    }
}

fn verdict(handed: &Handed) -> Markup {
    html! {
        p { "This deck is " (frame::verdict(handed.verdict)) "." }
        (views::findings(&handed.report))
    }
}

/// Judges what was typed.
async fn judged(
    app: &Shared,
    who: &Who,
    event: &Arc<Event>,
    player: &str,
    deck: &str,
    file: &str,
) -> Result<Handed, Trouble> {
    let (state, event) = (Arc::clone(app), Arc::clone(event));
    let (player, bytes) = (player.to_owned(), deck.as_bytes().to_vec());
    let told = answers::input("", file);
    let work = move || {
        let judge = state.site.judge(&event.terms)?;
        answers::hand_in(&judge, &event.format, &player, &bytes, told)
    };
    app.work.out(who.address, Weight::Light, work).await
}

/// What is to be done with a deck that was judged.
enum Next {
    HandIn,
    /// Its verdict is shown.
    Show,
    /// It is not handed in.
    Refuse(Trouble),
}

/// What an action of the form comes to.
fn next(action: &str, handed: &Handed, open: Result<(), Trouble>) -> Next {
    match (action, handed.verdict, open) {
        (_, _, Err(trouble)) => Next::Refuse(trouble),
        ("hand-in" | "anyway", "unreadable", _) => Next::Refuse(Trouble::new(
            422,
            "Not handed in: this cannot be read as a deck.",
            "Mend what is named below.",
        )),
        ("hand-in", "legal", _) | ("anyway", ..) => Next::HandIn,
        ("hand-in", verdict, _) => Next::Refuse(Trouble::new(
            422,
            format!("Not handed in yet: this deck is {verdict}."),
            "Mend it, or hand it in as it is.",
        )),
        _ => Next::Show,
    }
}

/// A page with the status of what it tells.
fn with_status(mut page: Response, trouble: Option<&Trouble>) -> Response {
    if let Some(trouble) = trouble {
        *page.status_mut() =
            StatusCode::from_u16(trouble.status).unwrap_or(StatusCode::BAD_REQUEST);
    }
    page
}

/// `POST /e/ID`
pub(in super::super) async fn hand_in(
    State(app): State<Shared>,
    Extension(who): Extension<Who>,
    Extension(opened): Extension<Opened>,
    Extension(fields): Extension<Fields>,
) -> Result<Response, Trouble> {
    let event = &opened.event;
    let name = player_name(fields.text("name"));
    let (deck, file) = (fields.get("deck").unwrap_or_default(), fields.text("file"));
    let again = |handed: Option<&Handed>, trouble: Option<&Trouble>| {
        let typed = Typed {
            name: &name,
            deck,
            file,
            handed,
            trouble,
        };
        with_status(shown(event, &who, form(event, &who, &typed, None)), trouble)
    };
    if name.is_empty() || name.chars().count() > NAME {
        let trouble = Trouble::wrong(format!("A name is needed, of at most {NAME} letters."));
        return Ok(again(None, Some(&trouble)));
    }
    // The answer to a form may be lost on its way: the same form of the same browser gets the same
    // receipt, whatever time it is by then.
    let folded = answers::folded(&name);
    let key = keys::of_form(
        &app.secret,
        &[
            who.token.as_bytes(),
            event.id.as_bytes(),
            folded.as_bytes(),
            deck.as_bytes(),
        ],
    );
    let kept = keys::kept(&key);
    let done = |version: &Version| {
        let path = format!("/e/{}", event.id);
        let cookie = set_cookie(&app, &player_cookie(&event.id), &key, &path, 30);
        let receipt = receipt(event, &name, version, "Handed in", Some(&key));
        ([(header::SET_COOKIE, cookie)], shown(event, &who, receipt)).into_response()
    };
    if matches!(fields.text("do"), "hand-in" | "anyway") {
        let (id, folded, bytes) = (event.id.clone(), folded.clone(), deck.as_bytes().to_vec());
        let read = move |data: &Connection| record::received(data, &id, &folded, &kept, &bytes);
        if let Some(version) = app.store.read(read).await? {
            return Ok(done(&version));
        }
    }
    let handed = match judged(&app, &who, event, &name, deck, file).await {
        Ok(handed) => handed,
        Err(trouble) => return Ok(again(None, Some(&trouble))),
    };
    let open = record::may_hand_in(event, false, event.is_late(&now()));
    match next(fields.text("do"), &handed, open) {
        Next::HandIn => {}
        Next::Show => return Ok(again(Some(&handed), None)),
        Next::Refuse(trouble) => return Ok(again(Some(&handed), Some(&trouble))),
    }
    let kept_in = HandIn {
        bytes: deck.as_bytes().to_vec(),
        input: file.to_owned(),
        handed: handed.clone(),
        who: "player",
    };
    let (id, mine, called) = (event.id.clone(), opened.player, name.clone());
    let written = app
        .store
        .write(move |data| {
            // Sent twice at once, the first of them is done by now.
            if let Some(version) =
                record::received(data, &id, &folded, &kept, &kept_in.bytes)?
            {
                return Ok(version);
            }
            let player = match record::named(data, &id, &folded)? {
                // Whoever has the player's key hands in for that player.
                Some((player, true)) if mine == Some(player) => player,
                Some((_, true)) => {
                    return Err(Trouble::new(
                        409,
                        "A deck was handed in under this name already.",
                        "If it is yours, change it by the private link of your receipt; the organiser can give you a new one.",
                    )
                    .into());
                }
                Some((player, false)) => player,
                None => record::add_player(data, &id, &called, false)?,
            };
            let version = record::add_version(data, &id, player, &kept_in)?;
            record::give_key(data, &id, (player, &called), &kept, "player")?;
            Ok::<_, Fault>(version)
        })
        .await;
    match written {
        Ok(version) => Ok(done(&version)),
        Err(trouble) => Ok(again(Some(&handed), Some(&trouble))),
    }
}

/// What proves that a deck was handed in.
fn receipt(
    event: &Event,
    name: &str,
    version: &Version,
    heading: &str,
    key: Option<&str>,
) -> Markup {
    html! {
        section.receipt {
            h2 { (heading) }
            p { bdi { (name) } ", version " (version.number) ", " (views::time(&version.at)) " " (views::state(version)) }
            (views::findings(&version.report))
            @if let Some(hash) = &version.hash { p { "The deck's hash: " code.hash { (hash) } } }
            @if let Some(key) = key {
                @let link = format!("/e/{}/mine#key={key}", event.id);
                p { "Your private link, to see and change this deck until the deadline. Keep it, and show it to nobody:" }
                p { a.private href=(link) { (link) } }
                p.quiet { "Without the link, the key opens it too: " code { (key) } }
            }
            p.row {
                a.button href={ "/e/" (event.id) "/mine/sheet" } { "Sheet to print" }
                a.button href={ "/e/" (event.id) "/mine" } { "See or change it" }
            }
        }
    }
}

async fn own(app: &Shared, opened: &Opened) -> Result<(Player, Vec<Version>), Trouble> {
    let (id, player) = (opened.event.id.clone(), opened.player);
    let found = app
        .store
        .read(move |data| {
            let Some(player) = player else {
                return Ok(None);
            };
            let known = record::player(data, &id, player)?;
            Ok(match known {
                Some(known) => Some((known, record::versions(data, player)?)),
                None => None,
            })
        })
        .await?;
    found.ok_or_else(|| Trouble::none("such player"))
}

fn mine_page(
    event: &Event,
    who: &Who,
    player: &Player,
    versions: &[Version],
    typed: &Typed<'_>,
) -> Response {
    let last = versions.first();
    // What was typed now is not what counts, and stands before it.
    let other = typed.handed.is_some() || typed.trouble.is_some();
    let text = last.map_or("", |last| last.deck.as_str());
    let typed = Typed {
        deck: if other { typed.deck } else { text },
        name: "",
        ..*typed
    };
    let body = html! {
        h2 { bdi { (player.name) } }
        @if player.locked { p.note { "Locked by the organiser." } }
        @if let (false, Some(last)) = (other, last) { (receipt(event, &player.name, last, "Handed in", None)) }
        (form(event, who, &typed, Some(player)))
        @if let (true, Some(last)) = (other, last) { (receipt(event, &player.name, last, "What counts", None)) }
        @if versions.len() > 1 {
            h2 { "Versions" }
            ol.versions reversed {
                @for version in versions {
                    li { (views::time(&version.at)) " " (views::state(version)) " " @if version.who != "player" { span.quiet { "entered by the " (version.who) } } }
                }
            }
        }
    };
    with_status(shown(event, who, body), typed.trouble)
}

/// `GET /e/ID/mine`
pub(in super::super) async fn mine(
    State(app): State<Shared>,
    Extension(who): Extension<Who>,
    Extension(opened): Extension<Opened>,
) -> Result<Response, Trouble> {
    let (player, versions) = own(&app, &opened).await?;
    Ok(mine_page(
        &opened.event,
        &who,
        &player,
        &versions,
        &Typed::default(),
    ))
}

/// `POST /e/ID/mine`: another version.
pub(in super::super) async fn change(
    State(app): State<Shared>,
    Extension(who): Extension<Who>,
    Extension(opened): Extension<Opened>,
    Extension(fields): Extension<Fields>,
) -> Result<Response, Trouble> {
    let event = &opened.event;
    let (player, versions) = own(&app, &opened).await?;
    let (deck, file) = (fields.get("deck").unwrap_or_default(), fields.text("file"));
    let again = |handed: Option<&Handed>, trouble: Option<&Trouble>| {
        let typed = Typed {
            deck,
            file,
            handed,
            trouble,
            ..Typed::default()
        };
        mine_page(event, &who, &player, &versions, &typed)
    };
    let handed = match judged(&app, &who, event, &player.name, deck, file).await {
        Ok(handed) => handed,
        Err(trouble) => return Ok(again(None, Some(&trouble))),
    };
    let open = record::may_hand_in(event, player.locked, event.is_late(&now()));
    match next(fields.text("do"), &handed, open) {
        Next::HandIn => {}
        Next::Show => return Ok(again(Some(&handed), None)),
        Next::Refuse(trouble) => return Ok(again(Some(&handed), Some(&trouble))),
    }
    let hand_in = HandIn {
        bytes: deck.as_bytes().to_vec(),
        input: file.to_owned(),
        handed: handed.clone(),
        who: "player",
    };
    let (id, number) = (event.id.clone(), player.id);
    let written = app
        .store
        .write(move |data| record::add_version(data, &id, number, &hand_in))
        .await;
    match written {
        Ok(_) => {
            let (player, versions) = own(&app, &opened).await?;
            Ok(mine_page(
                event,
                &who,
                &player,
                &versions,
                &Typed::default(),
            ))
        }
        Err(trouble) => Ok(again(Some(&handed), Some(&trouble))),
    }
}

/// `GET /e/ID/mine/sheet`
pub(in super::super) async fn sheet(
    State(app): State<Shared>,
    Extension(who): Extension<Who>,
    Extension(opened): Extension<Opened>,
) -> Result<Response, Trouble> {
    let (player, versions) = own(&app, &opened).await?;
    let Some(last) = versions.into_iter().next() else {
        return Err(Trouble::none("deck of yours"));
    };
    let decks = vec![(player.name, last.deck)];
    let html = sheets_of(&app, &who, &opened.event, decks, Paper::Sheet).await?;
    Ok(sheet_page(html))
}

/// The sheets or slips of some decks, a page each.
pub(super) async fn sheets_of(
    app: &Shared,
    who: &Who,
    event: &Arc<Event>,
    decks: Vec<(String, String)>,
    paper: Paper,
) -> Result<String, Trouble> {
    let (state, event) = (Arc::clone(app), Arc::clone(event));
    let work = move || {
        let judge = state.site.judge(&event.terms)?;
        let remarks = [
            ("Event".to_owned(), event.title.clone()),
            ("Date".to_owned(), judge.day().to_string()),
        ];
        let mut html = sheet_report::head();
        for (player, deck) in &decks {
            html.push_str(&answers::sheet_of(
                &judge,
                &event.format,
                player,
                &remarks,
                deck,
                paper,
            )?);
        }
        html.push_str(sheet_report::FOOT);
        Ok(html)
    };
    app.work.out(who.address, Weight::Light, work).await
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct CheckAsk {
    deck: String,
    #[serde(default)]
    file: String,
}

/// `POST /api/e/ID/check`: the verdict while it is typed.
pub(in super::super) async fn check(
    State(app): State<Shared>,
    Extension(who): Extension<Who>,
    Extension(opened): Extension<Opened>,
    bytes: Bytes,
) -> JsonResult {
    let ask: CheckAsk = body(&bytes)?;
    let handed = judged(&app, &who, &opened.event, "-", &ask.deck, &ask.file).await?;
    let report: Value = serde_json::from_str(&handed.report).map_err(|_| Trouble::defect())?;
    Ok(Json(report))
}

/// `GET /e/ID/results`: every deck, once the organiser has published them.
pub(in super::super) async fn results(
    State(app): State<Shared>,
    Extension(who): Extension<Who>,
    Extension(opened): Extension<Opened>,
) -> Result<Response, Trouble> {
    let event = &opened.event;
    if !event.published {
        return Err(Trouble::new(
            403,
            "The decks of this event are not published.",
            "The organiser publishes them, or not.",
        ));
    }
    let id = event.id.clone();
    let players = app
        .store
        .read(move |data| record::players(data, &id))
        .await?;
    let body = html! {
        (frame::top())
        main.narrow {
            h1 { bdi { (event.title) } }
            (views::about(event))
            @for player in &players {
                @if let Some(last) = &player.last {
                    details {
                        summary { bdi { (player.name) } " " (views::state(last)) }
                        pre { (last.deck) }
                        @if let Some(hash) = &last.hash { p.quiet { code.hash { (hash) } } }
                    }
                }
            }
        }
    };
    Ok(frame::page(&who, &event.title, &[], body).into_response())
}
