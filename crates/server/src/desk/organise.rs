//! The organiser's page. It is a frame that `desk.js` fills from the answers here.

use super::answers::{self, ReadUpload, Upload};
use super::opening::{NAME, player_name};
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
use decklaw_event::{Author, Decision, EntryId, Event, EventError, Late, Person, PlayerId};
use decklaw_rules::rules::Verdict;
use decklaw_text::digest::hex;
use maud::html;
use serde::Deserialize;
use serde_json::{Value, json};

/// `GET /e/ID/desk`
pub(crate) async fn page(Extension(at): Extension<AtEvent>, headers: HeaderMap) -> Response {
    let event = &at.event;
    let origin = at.origin(&headers);
    let body = html! {
        body data-event=(event.id) data-format=(event.format) data-zone=(event.zone_name()) data-origin=(origin) {
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
                            input.input #q type="search" placeholder="Name, address, deck or table 12";
                            span.quiet #n aria-live="polite" {}
                            span #exclude {}
                        }
                        div.wrap tabindex="0" role="region" aria-label="Table of players" { table { thead #head {} tbody #rows { tr { td.none { "Loading\u{2026}" } } } } }
                    }
                    aside.aside {
                        section.panel.box #questions aria-label="Questions" aria-live="polite" {}
                        label.drop #drop {
                            input.away #file type="file" multiple;
                            b { "Drop a form export, a list of players or decks" }
                            span.quiet { "CSV, .xlsx, .ods, or decks as files or ZIP; or click to choose. You see what is read before it counts." }
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
            let mut detail = at.read(Speed::Quick, detail).await?;
            if let Some(versions) = detail["versions"].as_array_mut() {
                for version in versions {
                    let entry = version["entry"].as_str().and_then(|entry| entry.parse().ok());
                    version["ticks"] = entry.map_or(Value::Null, |entry| at.handle.ticks(entry));
                }
            }
            Json(detail).into_response()
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
            let origin = at.origin(&headers);
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

/// What an organiser does, who it is by, and the newest decision that the page had seen.
#[derive(Debug, Deserialize)]
pub(crate) struct Deed {
    #[serde(default)]
    by: String,
    seen: Option<i64>,
    #[serde(flatten)]
    act: Act,
}

#[derive(Debug, Deserialize)]
#[serde(tag = "do", rename_all = "lowercase")]
enum Act {
    /// A decision in the words of `event decide`, and its reason.
    Decide { words: Vec<String>, why: Option<String> },
    /// Takes back the decision of a number; with `all`, also what rests on it.
    Undo {
        decision: i64,
        #[serde(default)]
        all: bool,
    },
    /// Compares a deck at a table with the one that counts, and records the answer.
    Check { player: String, deck: String },
    /// Enters a deck for a player; with a reason, it counts instead of an entry, whenever it comes.
    Enter { player: String, deck: String, replaces: Option<String>, why: Option<String> },
    /// Makes a new link for a player, or for the organiser. The one before opens nothing any more.
    Key { player: Option<String> },
    /// Changes `event.yaml`; `was` is what the page had seen of it.
    About { name: String, deadline: Option<String>, zone: String, late: Late, was: Option<Value> },
    /// Keeps the ticks and notes of a deck check for other judges.
    Ticks { entry: String, ticks: Value },
}

fn player_id(text: &str) -> Result<PlayerId, HttpError> {
    text.parse().map_err(|_| HttpError::none("such player"))
}

/// `POST /e/ID/desk/do`
pub(crate) async fn act(
    Extension(at): Extension<AtEvent>,
    bytes: Bytes,
) -> Result<Response, JsonError> {
    let Deed { by, seen, act } = body(&bytes)?;
    let by = player_name(&by);
    let mut author = at.author();
    author.seen = seen;
    if !by.is_empty() && !["player", "import"].contains(&by.as_str()) {
        author.name = by.chars().take(NAME).collect();
    }
    let answer = match act {
        Act::Decide { words, why } => {
            let why = why.filter(|why| !why.trim().is_empty());
            let decided = at.handle.with(move |event| {
                let last = answers::seen(event.roster());
                let words: Vec<&str> = words.iter().map(String::as_str).collect();
                let decided = event.decide_in_words(author, &words, why);
                let decided = or_conflict(event, decided)?;
                let new = event.roster().decisions.last();
                let new = new.filter(|row| row.id > last && row.decision.can_undo());
                Ok(decided.map(|decided| {
                    json!({
                        "text": decided.text.trim_end(), "drawn": decided.drawn,
                        "undo": new.map(|row| row.id), "seen": answers::seen(event.roster()),
                    })
                }))
            });
            match decided.await? {
                Ok(answer) => answer,
                Err(conflict) => return Ok((StatusCode::CONFLICT, Json(conflict)).into_response()),
            }
        }
        Act::Undo { decision, all } => {
            let undone = at.handle.with(move |event| {
                match event.undo(author, Some(decision), all) {
                    Err(EventError::Rests(rests)) => Ok(Err(json!({
                        "kind": "rests", "message": "Other decisions rest on this one.", "rests": rests,
                    }))),
                    undone => Ok(or_conflict(event, undone)?.map(|undone| {
                        json!({"text": "Undone", "undone": undone, "seen": answers::seen(event.roster())})
                    })),
                }
            });
            match undone.await? {
                Ok(answer) => answer,
                Err(why) => return Ok((StatusCode::CONFLICT, Json(why)).into_response()),
            }
        }
        Act::Check { player, deck } => {
            let player = player_id(&player)?;
            let check = move |event: &_| answers::check(event, player, deck.as_bytes());
            let (answer, all) = at.read(Speed::Slow, check).await?;
            let decision = Decision::Check(player, answer.to_owned());
            // What was compared is news to nobody.
            author.seen = None;
            at.decide(author, decision).await?;
            all
        }
        Act::Enter { player, deck, replaces, why } => {
            let replaces = replaces.map(|entry| entry.parse::<EntryId>());
            let replaces = replaces.transpose().map_err(|_| HttpError::none("such deck"))?;
            let why = why.filter(|why| !why.trim().is_empty());
            let verdict = enter(&at, author, player_id(&player)?, deck, replaces.zip(why)).await?;
            json!({"verdict": verdict.word()})
        }
        Act::Key { player } => return key(&at, author, player.as_deref()).await,
        Act::About { name, deadline, zone, late, was } => {
            let done = at.handle.with(move |event| {
                if was.is_some_and(|was| was != json!(event.about)) {
                    let message = "Somebody else changed the settings meanwhile.";
                    return Err(HttpError::new(
                        409,
                        message,
                        "Load the page again, and look at them.",
                    ));
                }
                let mut about = event.about.clone();
                about.name = decklaw_text::name::tidy(&name).into_owned();
                about.deadline = deadline.filter(|deadline| !deadline.is_empty());
                (about.zone, about.late) = (zone, late);
                Ok(event.set_about(about)?)
            });
            done.await?;
            json!({"text": "Saved"})
        }
        Act::Ticks { entry, ticks } => {
            let entry = entry.parse::<EntryId>().map_err(|_| HttpError::none("such deck"))?;
            at.handle.set_ticks(entry, &author.name, ticks);
            json!({"text": "Kept"})
        }
    };
    Ok(Json(answer).into_response())
}

/// What was done, or who decided about the same meanwhile, and what.
fn or_conflict<T>(
    event: &Event,
    done: Result<T, EventError>,
) -> Result<Result<T, Value>, HttpError> {
    match done {
        Ok(done) => Ok(Ok(done)),
        Err(EventError::Conflict(row, text)) => {
            let local = event.standing()?.local_time(row.at.parse().unwrap_or_default());
            Ok(Err(json!({
                "kind": "conflict", "by": row.author, "text": text, "decision": row.id,
                "local": local.map(|at| at.to_string()), "seen": answers::seen(event.roster()),
                "message": format!("{} decided about this meanwhile: {text}", row.author),
            })))
        }
        Err(error) => Err(error.into()),
    }
}

/// Enters a deck for a player; with an entry and a reason, it counts instead of that entry.
async fn enter(
    at: &AtEvent,
    author: Author,
    player: PlayerId,
    deck: String,
    replaces: Option<(EntryId, String)>,
) -> Result<Verdict, HttpError> {
    let text = deck.clone();
    let judge = move |event: &_| answers::judge(event, text.as_bytes(), "");
    let report = at.read(Speed::Quick, judge).await?;
    if report.verdict == Verdict::Unreadable {
        let why = report.findings.first();
        let why = why.map_or_else(String::new, |finding| finding.message.clone());
        let message = "Not entered: this is not a readable deck.";
        return Err(HttpError::new(422, message, why));
    }
    let done = at.handle.with(move |event| {
        let known = event.roster().players.get(&player);
        let known = known.ok_or_else(|| HttpError::none("such player"))?;
        let person = Person::named(&known.name);
        let deck = (deck.as_bytes(), None);
        match replaces {
            Some((entry, why)) => event.replace(author, entry, deck, why).map(drop)?,
            None => event.hand_in(author, &person, deck, None, |_| Ok(Some(player))).map(drop)?,
        }
        Ok(())
    });
    done.await?;
    Ok(report.verdict)
}

/// A new link for a player or the organiser.
async fn key(at: &AtEvent, author: Author, player: Option<&str>) -> Result<Response, JsonError> {
    let player = player.map(player_id).transpose()?;
    let key = at.key("key")?;
    let id = &at.event.id;
    at.decide(author, Decision::Key(player, hex(&keys::digest(&key)))).await?;
    let page = if player.is_some() { "mine" } else { "desk" };
    let answer = Json(json!({"link": format!("/e/{id}/{page}#key={key}")}));
    if player.is_some() {
        return Ok(answer.into_response());
    }
    let cookie = set_cookie(&at.app, &organiser_cookie(&at.app, id), &key, &format!("/e/{id}"));
    Ok((cookie, answer).into_response())
}

/// How an uploaded file is read, and whether it is imported.
#[derive(Debug, Deserialize)]
pub(crate) struct Import {
    /// [`Upload`] as JSON.
    upload: String,
    #[serde(default)]
    confirm: bool,
    #[serde(default)]
    by: String,
}

/// `POST /e/ID/desk/import`: what importing a file would do; with `confirm`, does it.
pub(crate) async fn import(
    Extension(at): Extension<AtEvent>,
    Query(Import { upload, confirm, by }): Query<Import>,
    bytes: Bytes,
) -> JsonResult {
    let upload: Upload = body(upload.as_bytes())?;
    let name = upload.name.clone();
    let read = move |event: &_| answers::read_upload(event, &upload, &bytes);
    let (read, mut preview) = at.read(Speed::Slow, read).await?;
    let (Some(read), true) = (read, confirm) else {
        return Ok(Json(preview));
    };
    let by = player_name(&by);
    let by = if by.is_empty() { "import".to_owned() } else { by };
    let done = at.handle.with(move |event| {
        let before = answers::seen(event.roster());
        let text = match read {
            ReadUpload::Form(form) => event.import(&by, &form)?.in_words(),
            ReadUpload::Players(people) => {
                let (new, notes) = event.expect(&by, &name, &people)?;
                let (all, notes) = (people.len(), notes.join("; "));
                let text = format!("{all} on the list, {new} new. {notes}");
                text.trim().to_owned()
            }
        };
        let last = answers::seen(event.roster());
        Ok((text, Some(last).filter(|last| *last > before)))
    });
    let (text, undo) = done.await?;
    preview["done"] = json!(text);
    preview["undo"] = json!(undo);
    Ok(Json(preview))
}
