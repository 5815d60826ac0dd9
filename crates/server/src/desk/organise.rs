//! The organiser's page. It is a frame that `desk.js` fills from the answers here.

use super::answers::{self, ReadUpload, Upload};
use super::{AtEvent, organiser_cookie, views};
use crate::actor::set_cookie;
use crate::answering::Speed;
use crate::builder::{Json, JsonResult, body, sheet_page};
use crate::error::{HttpError, JsonError};
use crate::{keys, page as frame};
use axum::body::Bytes;
use axum::extract::{Extension, Path, Query};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use decklaw_core::digest::hex;
use decklaw_core::rules::Verdict;
use decklaw_event::{Decision, Late, Person, PlayerId};
use maud::html;
use serde::Deserialize;
use serde_json::json;

/// `GET /e/ID/desk`
pub(crate) async fn page(Extension(at): Extension<AtEvent>) -> Response {
    let event = &at.event;
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
    frame::styled(&event.title, &styles, &["desk.js"], body).into_response()
}

/// What is asked of a part of the page.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct PageQuery {
    /// The state that the page has.
    head: String,
    /// The players whose sheets are printed, as `p001,p002`; empty: all.
    only: String,
    /// The verdict of the decks whose cards are counted; empty: all.
    verdict: String,
    /// The player or entry that is shown.
    id: String,
}

/// `GET /e/ID/desk/PART`: `state`, `player`, `cards`, `sheets`, `code.svg` or a file.
pub(crate) async fn part(
    Extension(at): Extension<AtEvent>,
    Path((_, part)): Path<(String, String)>,
    Query(asked): Query<PageQuery>,
    headers: HeaderMap,
) -> Result<Response, JsonError> {
    Ok(match part.as_str() {
        "state" => {
            let head = at.handle.with(|event| Ok(answers::head(event)));
            if head.await? == asked.head {
                return Ok(StatusCode::NO_CONTENT.into_response());
            }
            Json(at.read(Speed::Slow, answers::state).await?).into_response()
        }
        "player" => {
            let detail = move |event: &_| answers::player_detail(event, &asked.id);
            Json(at.read(Speed::Quick, detail).await?).into_response()
        }
        "cards" => {
            let only = match asked.verdict.as_str() {
                "legal" => Some(Verdict::Legal),
                "illegal" => Some(Verdict::Illegal),
                "incomplete" => Some(Verdict::Incomplete),
                _ => None,
            };
            let cards = move |event: &_| answers::cards(event, only);
            Json(at.read(Speed::Slow, cards).await?).into_response()
        }
        "sheets" => {
            let ids = asked.only.split(',').filter(|id| !id.is_empty());
            let ids: Vec<PlayerId> = ids.map(player_id).collect::<Result<_, _>>()?;
            let sheets = move |event: &_| answers::sheets(event, &ids);
            sheet_page(at.read(Speed::Slow, sheets).await?)
        }
        "code.svg" => {
            let origin = frame::origin(&at, &headers);
            let svg = frame::qr_code(&format!("{origin}/e/{}", at.event.id))?;
            ([(header::CONTENT_TYPE, "image/svg+xml")], svg).into_response()
        }
        file => {
            let kind = match file.rsplit_once('.') {
                Some((_, "csv")) => "text/csv; charset=utf-8",
                Some((_, "json")) => "application/json",
                _ => "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
            };
            let name = file.to_owned();
            let export = move |event: &_| answers::export(event, &name);
            let bytes = at.read(Speed::Slow, export).await?;
            let about = [
                (header::CONTENT_TYPE, kind.to_owned()),
                (header::CONTENT_DISPOSITION, format!("attachment; filename=\"{file}\"")),
            ];
            (about, bytes).into_response()
        }
    })
}

/// What an organiser does.
#[derive(Debug, Deserialize)]
#[serde(tag = "do", rename_all = "lowercase", deny_unknown_fields)]
enum Act {
    /// A decision in the words of `event decide`, and its reason.
    Decide { words: Vec<String>, why: Option<String> },
    /// Takes back the decision of a number.
    Undo { decision: i64 },
    /// Compares a deck at a table with the one that counts, and records the answer.
    Check { player: String, deck: String },
    /// Enters a deck for a player.
    Enter { player: String, deck: String },
    /// Makes a new link for a player, or for the organiser. The one before opens nothing any more.
    Key { player: Option<String> },
    /// Changes `event.yaml`.
    About { name: String, deadline: Option<String>, zone: String, late: Late },
}

fn player_id(text: &str) -> Result<PlayerId, HttpError> {
    text.parse().map_err(|_| HttpError::none("such player"))
}

/// `POST /e/ID/desk/do`
pub(crate) async fn act(
    Extension(at): Extension<AtEvent>,
    bytes: Bytes,
) -> Result<Response, JsonError> {
    let author = at.author();
    let answer = match body(&bytes)? {
        Act::Decide { words, why } => {
            let why = why.filter(|why| !why.trim().is_empty());
            let decided = at.handle.with(move |event| {
                let last = event.roster().decisions.last().map(|row| row.id);
                let words: Vec<&str> = words.iter().map(String::as_str).collect();
                let decided = event.decide_in_words(author, &words, why)?;
                let new = event.roster().decisions.last();
                let new = new.filter(|row| Some(row.id) > last && row.decision.can_undo());
                Ok(json!({
                    "text": decided.text.trim_end(), "drawn": decided.drawn,
                    "undo": new.map(|row| row.id),
                }))
            });
            decided.await?
        }
        Act::Undo { decision } => {
            let undone = at.handle.with(move |event| Ok(event.undo(author, decision)?));
            undone.await?;
            json!({"text": "Undone"})
        }
        Act::Check { player, deck } => {
            let player = player_id(&player)?;
            let check = move |event: &_| answers::check(event, player, deck.as_bytes());
            let (answer, all) = at.read(Speed::Slow, check).await?;
            let decision = Decision::Check(player, answer.to_owned());
            at.decide(decision).await?;
            all
        }
        Act::Enter { player, deck } => {
            let verdict = enter(&at, player_id(&player)?, deck).await?;
            json!({"verdict": verdict.word()})
        }
        Act::Key { player } => return key(&at, player.as_deref()).await,
        Act::About { name, deadline, zone, late } => {
            let done = at.handle.with(move |event| {
                let mut about = event.about.clone();
                about.name = decklaw_core::name::tidy(&name).into_owned();
                about.deadline = deadline.filter(|deadline| !deadline.is_empty());
                (about.zone, about.late) = (zone, late);
                Ok(event.set_about(about)?)
            });
            done.await?;
            json!({"text": "Saved"})
        }
    };
    Ok(Json(answer).into_response())
}

/// Enters a deck for a player.
async fn enter(at: &AtEvent, player: PlayerId, deck: String) -> Result<Verdict, HttpError> {
    let text = deck.clone();
    let judge = move |event: &_| answers::judge(event, text.as_bytes(), "");
    let report = at.read(Speed::Quick, judge).await?;
    if report.verdict == Verdict::Unreadable {
        let why = report.findings.first();
        let why = why.map_or_else(String::new, |finding| finding.message.clone());
        let message = "Not entered: this is not a readable deck.";
        return Err(HttpError::new(422, message, why));
    }
    let author = at.author();
    let done = at.handle.with(move |event| {
        let known = event.roster().players.get(&player);
        let known = known.ok_or_else(|| HttpError::none("such player"))?;
        let person = Person::named(&known.name);
        let deck = (deck.as_bytes(), None);
        event.hand_in(author, &person, deck, None, |_| Ok(Some(player)))?;
        Ok(())
    });
    done.await?;
    Ok(report.verdict)
}

/// A new link for a player or the organiser.
async fn key(at: &AtEvent, player: Option<&str>) -> Result<Response, JsonError> {
    let player = player.map(player_id).transpose()?;
    let key = at.key("key")?;
    let id = &at.event.id;
    at.decide(Decision::Key(player, hex(&keys::digest(&key)))).await?;
    let page = if player.is_some() { "mine" } else { "desk" };
    let answer = Json(json!({"link": format!("/e/{id}/{page}#key={key}")}));
    if player.is_some() {
        return Ok(answer.into_response());
    }
    let cookie = set_cookie(&at.app, &organiser_cookie(id), &key, &format!("/e/{id}"));
    Ok((cookie, answer).into_response())
}

/// How an uploaded file is read, and whether it is imported.
#[derive(Debug, Deserialize)]
pub(crate) struct Import {
    /// [`Upload`] as JSON.
    upload: String,
    #[serde(default)]
    confirm: bool,
}

/// `POST /e/ID/desk/import`: what importing a file would do; with `confirm`, does it.
pub(crate) async fn import(
    Extension(at): Extension<AtEvent>,
    Query(Import { upload, confirm }): Query<Import>,
    bytes: Bytes,
) -> JsonResult {
    let upload: Upload = body(upload.as_bytes())?;
    let read = move |event: &_| Ok(answers::read_upload(event, &upload, &bytes));
    let (read, mut preview) = at.read(Speed::Slow, read).await?;
    let (Some(read), true) = (read, confirm) else {
        return Ok(Json(preview));
    };
    let done = at.handle.with(move |event| {
        Ok(match read {
            ReadUpload::Form(form) => event.import(&form)?.in_words(),
            ReadUpload::Players(people) => {
                let (new, notes) = event.expect(&people)?;
                let (all, notes) = (people.len(), notes.join("; "));
                let text = format!("{all} on the list, {new} new. {notes}");
                text.trim().to_owned()
            }
        })
    });
    preview["done"] = json!(done.await?);
    Ok(Json(preview))
}
