//! The organiser's page. It is a frame, and `desk.js` fills it from the answers here: one state, one
//! player, one door for decisions.

use super::super::builder::{Json, JsonResult, body as ask_of, sheet_page};
use super::super::guard::{Who, set_cookie};
use super::super::trouble::Trouble;
use super::super::{Shared, chooser, keys, page as frame, qr};
use super::questions::{
    Cards, Check, DeskState, Export, Judge, PlayerDetail, ReadFile, ReadUpload, Sheets, Upload,
    head,
};
use super::{Opened, organiser_cookie, views};
use axum::body::Bytes;
use axum::extract::{Extension, Path, Query, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use decklaw_core::digest::hex;
use decklaw_core::rules::Verdict;
use decklaw_event::{Decision, Person, PlayerId};
use maud::html;
use serde::Deserialize;
use serde_json::json;

/// `GET /e/ID/desk`
pub(in super::super) async fn page(
    Extension(opened): Extension<Opened>,
) -> Result<Response, Trouble> {
    let event = &opened.event;
    let body = html! {
        body data-event=(event.id) data-format=(event.format) data-zone=(event.zone_name()) {
            header.bar {
                (frame::logo())
                span.quiet.cut { "/ " bdi { (event.title) } }
                span.grow {}
                button.btn.plain #files { "Export" }
                button.btn.plain.wide #cards { "Cards" }
                button.btn #share { "Player link" }
            }
            main.desk {
                (views::head(event, &html! { div.acts #acts {} }))
                div #warnings {}
                section.tiles #tiles role="group" aria-label="Show players by state" {}
                div.cols {
                    section.players.panel aria-label="Players" {
                        div.find {
                            label.away for="q" { "Search players" }
                            input.input #q type="search" placeholder="Search name, address, table or deck";
                            span.quiet #n aria-live="polite" {}
                        }
                        div.wrap tabindex="0" role="region" aria-label="Table of players" { table { thead #head {} tbody #rows { tr { td.none { "Loading\u{2026}" } } } } }
                    }
                    aside.aside {
                        section.panel.box #questions aria-label="Questions" aria-live="polite" {}
                        label.drop #drop {
                            input.away #file type="file" accept=".csv,.tsv,.txt,.xlsx,.ods";
                            b { "Drop a form export or a list of players" }
                            span.quiet { "CSV, .xlsx or .ods, or click to choose. Hand-ins by link arrive by themselves." }
                        }
                        section.panel.box #activity aria-label="Activity" {}
                    }
                }
                (views::judged_by(event))
                noscript { p.message { "This page needs JavaScript; `decklaw event` does the same at a command line." } }
            }
        }
    };
    let styles = ["base.css", "desk.css"];
    Ok(frame::styled(&event.title, &styles, &["desk.js"], body).into_response())
}

/// What the page has, so that nothing is sent twice.
#[derive(Debug, Deserialize)]
pub(in super::super) struct Since {
    #[serde(default)]
    head: String,
}

/// `GET /e/ID/desk/state?head=HEAD`: everything that the page shows, unless it has that already.
pub(in super::super) async fn state(
    State(app): State<Shared>,
    Extension(who): Extension<Who>,
    Extension(opened): Extension<Opened>,
    Query(since): Query<Since>,
) -> Result<Response, Trouble> {
    let now = opened.handle.with(|event| Ok(head(event.roster())));
    if now.await? == since.head {
        return Ok(StatusCode::NO_CONTENT.into_response());
    }
    let state = DeskState {
        event: opened.handle.folder(),
    };
    match app.workers.ask(who.address, state).await {
        Ok(state) => Ok(Json(state).into_response()),
        Err(trouble) => Ok(trouble.json()),
    }
}

/// `GET /e/ID/desk/player/PLAYER`: a player with every deck, or a deck that is nobody's yet.
pub(in super::super) async fn player(
    State(app): State<Shared>,
    Extension(who): Extension<Who>,
    Extension(opened): Extension<Opened>,
    Path((_, id)): Path<(String, String)>,
) -> JsonResult {
    let detail = PlayerDetail {
        event: opened.handle.folder(),
        id,
    };
    Ok(Json(app.workers.ask(who.address, detail).await?))
}

/// A decision in the words of `event decide`, or the number of one that is undone.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Decide {
    #[serde(default)]
    words: Vec<String>,
    undo: Option<i64>,
}

/// `POST /e/ID/desk/decide`
pub(in super::super) async fn decide(
    Extension(who): Extension<Who>,
    Extension(opened): Extension<Opened>,
    bytes: Bytes,
) -> JsonResult {
    let Decide { words, undo } = ask_of(bytes)?;
    let author = opened.author(&who);
    let done = opened.handle.with(move |event| {
        let last = event.roster().decisions.last().map(|row| row.id);
        if let Some(decision) = undo {
            event.undo(author, decision)?;
            return Ok(json!({"text": "Undone"}));
        }
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let decided = event.decide_in_words(author, &words, None)?;
        let new = event.roster().decisions.last();
        let new = new.filter(|row| Some(row.id) > last && row.decision.can_undo());
        Ok(json!({
            "text": decided.text.trim_end(), "drawn": decided.drawn,
            "undo": new.map(|row| row.id),
        }))
    });
    Ok(Json(done.await?))
}

/// How an uploaded file is read, and whether it is imported.
#[derive(Debug, Deserialize)]
pub(in super::super) struct Import {
    /// [`Upload`] as JSON.
    upload: String,
    #[serde(default)]
    confirm: bool,
}

/// `POST /e/ID/desk/import`: what importing a file would do; with `confirm`, does it.
pub(in super::super) async fn import(
    State(app): State<Shared>,
    Extension(who): Extension<Who>,
    Extension(opened): Extension<Opened>,
    Query(asked): Query<Import>,
    bytes: Bytes,
) -> JsonResult {
    let upload: Upload = ask_of(Bytes::from(asked.upload))?;
    let read = ReadFile {
        event: opened.handle.folder(),
        upload,
        bytes: bytes.to_vec(),
    };
    let (read, mut preview) = app.workers.ask(who.address, read).await?;
    let (Some(read), true) = (read, asked.confirm) else {
        return Ok(Json(preview));
    };
    let done = opened.handle.with(move |event| {
        Ok(match read {
            ReadUpload::Form(form) => event.import(&form)?.in_words(),
            ReadUpload::Players(people) => {
                let (new, notes) = event.expect(&people)?;
                let notes = notes.join("; ");
                let all = people.len();
                format!("{all} on the list, {new} new. {notes}")
                    .trim()
                    .to_owned()
            }
        })
    });
    preview["done"] = json!(done.await?);
    Ok(Json(preview))
}

/// A deck that an organiser types.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct TypedDeck {
    deck: String,
}

fn player_id(text: &str) -> Result<PlayerId, Trouble> {
    text.parse().map_err(|_| Trouble::none("such player"))
}

/// `POST /e/ID/desk/check/PLAYER`: compares a deck at a table with the one that counts, and records
/// the answer.
pub(in super::super) async fn check(
    State(app): State<Shared>,
    Extension(who): Extension<Who>,
    Extension(opened): Extension<Opened>,
    Path((_, player)): Path<(String, String)>,
    bytes: Bytes,
) -> JsonResult {
    let player = player_id(&player)?;
    let TypedDeck { deck } = ask_of(bytes)?;
    let check = Check {
        event: opened.handle.folder(),
        player,
        deck: deck.into_bytes(),
    };
    let checked = app.workers.ask(who.address, check).await?;
    let (author, answer) = (opened.author(&who), checked.answer.clone());
    let decision = Decision::Check(player, answer);
    let done = opened
        .handle
        .with(move |event| Ok(event.decide(author, decision, None)?));
    done.await?;
    Ok(Json(json!(checked)))
}

/// `POST /e/ID/desk/enter/PLAYER`: a deck that an organiser enters for a player.
pub(in super::super) async fn enter(
    State(app): State<Shared>,
    Extension(who): Extension<Who>,
    Extension(opened): Extension<Opened>,
    Path((_, player)): Path<(String, String)>,
    bytes: Bytes,
) -> JsonResult {
    let player = player_id(&player)?;
    let TypedDeck { deck } = ask_of(bytes)?;
    let judge = Judge {
        event: opened.handle.folder(),
        deck: deck.clone().into_bytes(),
        file: String::new(),
    };
    let report = app.workers.ask(who.address, judge).await?;
    if report.verdict == Verdict::Unreadable {
        let why = report
            .findings
            .first()
            .map(|finding| finding.message.clone());
        let message = "Not entered: this is not a readable deck.";
        return Err(Trouble::new(422, message, why.unwrap_or_default()).into());
    }
    let author = opened.author(&who);
    let done = opened.handle.with(move |event| {
        let known = event.roster().players.get(&player);
        let known = known.ok_or_else(|| Trouble::none("such player"))?;
        let person = Person::named(&known.name);
        event.hand_in(author, &person, (deck.as_bytes(), None), None, |_| {
            Ok(Some(player))
        })?;
        Ok(())
    });
    done.await?;
    Ok(Json(json!({"verdict": report.verdict.word()})))
}

/// Whose link is replaced; absent: the organiser's.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct NewKey {
    player: Option<String>,
}

/// `POST /e/ID/desk/key`: a new link for a player or the organiser. The one before it opens nothing
/// any more.
pub(in super::super) async fn key(
    State(app): State<Shared>,
    Extension(who): Extension<Who>,
    Extension(opened): Extension<Opened>,
    bytes: Bytes,
) -> Result<Response, Trouble> {
    let NewKey { player } = ask_of(bytes)?;
    let player = player.map(|player| player_id(&player)).transpose()?;
    let key = who.key(&app, "key")?;
    let (author, id) = (opened.author(&who), &opened.event.id);
    let decision = Decision::Key(player, hex(&keys::kept(&key)));
    let done = opened
        .handle
        .with(move |event| Ok(event.decide(author, decision, None)?));
    done.await?;
    let page = if player.is_some() { "mine" } else { "desk" };
    let answer = Json(json!({"link": format!("/e/{id}/{page}#key={key}")}));
    if player.is_some() {
        return Ok(answer.into_response());
    }
    let cookie = set_cookie(&app, &organiser_cookie(id), &key, &format!("/e/{id}"), 30);
    Ok(([(header::SET_COOKIE, cookie)], answer).into_response())
}

/// Of which decks the cards are counted; absent: of all.
#[derive(Debug, Deserialize)]
pub(in super::super) struct Of {
    #[serde(default)]
    verdict: String,
}

/// `GET /e/ID/desk/cards?verdict=legal`: which cards are played.
pub(in super::super) async fn cards(
    State(app): State<Shared>,
    Extension(who): Extension<Who>,
    Extension(opened): Extension<Opened>,
    Query(Of { verdict }): Query<Of>,
) -> JsonResult {
    let cards = Cards {
        event: opened.handle.folder(),
        only: match verdict.as_str() {
            "legal" => Some(Verdict::Legal),
            "illegal" => Some(Verdict::Illegal),
            "incomplete" => Some(Verdict::Incomplete),
            _ => None,
        },
    };
    Ok(Json(app.workers.ask(who.address, cards).await?))
}

/// `GET /e/ID/desk/code.svg`: the players' address as a QR code.
pub(in super::super) async fn code(
    State(app): State<Shared>,
    Extension(opened): Extension<Opened>,
    headers: HeaderMap,
) -> Result<Response, Trouble> {
    let origin = chooser::origin(&app, &headers);
    let svg = qr::svg(&format!("{origin}/e/{}", opened.event.id))?;
    Ok(([(header::CONTENT_TYPE, "image/svg+xml")], svg).into_response())
}

/// Whose sheets are printed; empty: all.
#[derive(Debug, Deserialize)]
pub(in super::super) struct Only {
    #[serde(default)]
    only: String,
}

/// `GET /e/ID/desk/sheets?only=p001,p002`
pub(in super::super) async fn sheets(
    State(app): State<Shared>,
    Extension(who): Extension<Who>,
    Extension(opened): Extension<Opened>,
    Query(Only { only }): Query<Only>,
) -> Result<Response, Trouble> {
    let ids = only.split(',').filter(|id| !id.is_empty()).map(player_id);
    let ids: Vec<PlayerId> = ids.collect::<Result<_, _>>()?;
    let sheets = Sheets {
        event: opened.handle.folder(),
        players: Some(ids).filter(|ids| !ids.is_empty()),
    };
    Ok(sheet_page(app.workers.ask(who.address, sheets).await?))
}

/// `GET /e/ID/desk/export/FILE`
pub(in super::super) async fn export(
    State(app): State<Shared>,
    Extension(who): Extension<Who>,
    Extension(opened): Extension<Opened>,
    Path((_, file)): Path<(String, String)>,
) -> Result<Response, Trouble> {
    let export = Export {
        event: opened.handle.folder(),
        file: file.clone(),
    };
    let bytes = app.workers.ask(who.address, export).await?;
    let kind = match file.rsplit_once('.') {
        Some((_, "csv")) => "text/csv; charset=utf-8",
        Some((_, "json")) => "application/json",
        _ => "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    };
    let about = [
        (header::CONTENT_TYPE, kind.to_owned()),
        (
            header::CONTENT_DISPOSITION,
            format!("attachment; filename=\"{file}\""),
        ),
    ];
    Ok((about, bytes).into_response())
}
