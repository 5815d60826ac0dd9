//! A place at a table: its page, what it shows, and what is done there.

use super::acts::{Act, done};
use super::view::of_reader;
use super::{AtTable, Stage, Table, lobby, locked};
use crate::answering::blocking;
use crate::builder::{Json, body};
use crate::error::{HttpError, JsonError};
use crate::page as frame;
use axum::body::Bytes;
use axum::extract::{Extension, Path, Query};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::sse::{Event, KeepAlive};
use axum::response::{IntoResponse, Response, Sse};
use data_encoding::BASE64;
use decklaw_ask::CardRenderer;
use decklaw_cards::pool::NameField;
use decklaw_play::paper::{Face, Size, back, picture_kind};
use maud::html;
use serde::Deserialize;
use serde_json::{Value, json};
use std::sync::Arc;

/// `GET /t/ID/KEY`
pub(crate) async fn page(
    Extension(at): Extension<AtTable>,
    headers: HeaderMap,
) -> Result<Response, HttpError> {
    let (_, live) = locked(&at.app, &at.table).await?;
    if let Stage::Gathering(gathering) = &live.stage {
        return lobby::page(&at, gathering, &headers);
    }
    let table = &at.table;
    let seat = at.seat().map(|seat| seat.to_string());
    let body = html! {
        body.table data-table=(table.id) data-key=(at.key) data-seat=[seat] data-format=(table.rules.0.format().id()) {
            header.bar #bar { (frame::logo()) }
            main.play #play {
                h1.away { bdi { (table.title) } }
                noscript { p.wrong { "The table needs JavaScript." } }
                div #ask {}
                div.sides #theirs {}
                section.middle #middle aria-label="Middle of the table" {}
                section.side #ours {}
                section.hand #hand aria-label="Your hand" {}
            }
            aside.rail #rail aria-label="Card and log" {}
        }
    };
    let styles = ["base.css", "table.css"];
    Ok(frame::styled(&table.title, &styles, &["table.js"], body).into_response())
}

/// `GET /api/t/ID/KEY/changes`: the number of the state, now and whenever it changes.
pub(crate) async fn changes(Extension(at): Extension<AtTable>) -> impl IntoResponse {
    let seen = at.table.changes.subscribe();
    let ended = at.app.streams.open(&format!("{}/{}", at.table.id, at.key));
    let begun = (seen, ended, true);
    let stream = futures_util::stream::unfold(begun, async |(mut seen, mut ended, first)| {
        if !first {
            tokio::select! {
                changed = seen.changed() => changed.ok()?,
                _ = &mut ended => return None,
            }
        }
        let rev = *seen.borrow_and_update();
        let event = Event::default().event("changed").data(rev.to_string());
        Some((Ok::<_, std::convert::Infallible>(event), (seen, ended, false)))
    });
    // A stream that ended leaves its connection to others at once.
    ([(header::CONNECTION, "close")], Sse::new(stream).keep_alive(KeepAlive::default()))
}

/// `POST /api/t/ID/KEY/do`
pub(crate) async fn act(
    Extension(at): Extension<AtTable>,
    bytes: Bytes,
) -> Result<Response, JsonError> {
    let seat = at.player()?;
    let act: Act = body(&bytes)?;
    // One after the other: nothing happens between reading the table and writing it.
    let (memory, before) = locked(&at.app, &at.table).await?;
    let (state, reader) = (Arc::clone(&at.table), at.reader);
    if act.is_late(&before) {
        drop(memory);
        let now = blocking(move || of_reader(&before, &state, reader)).await?;
        let body = json!({"message": "The table changed before this. Look again.", "view": now});
        return Ok((StatusCode::CONFLICT, Json(body)).into_response());
    }
    let work = move || {
        let next = done(&before, &state, seat, act)?;
        let mut shown = of_reader(&next, &state, reader)?;
        let mut remarks = Vec::new();
        if let (Stage::Game(before), Stage::Game(play)) = (&before.stage, &next.stage) {
            let new = play.moves().get(before.moves().len()..).unwrap_or_default();
            let each = new.iter();
            remarks.extend(each.flat_map(|done| play.remarks(done, state.mat.as_ref())));
        }
        shown["remarks"] = json!(remarks);
        Ok((next, shown))
    };
    let (next, shown) = blocking(work).await?;
    at.store(memory, next, |_| Ok(())).await?;
    Ok(Json(shown).into_response())
}

/// A card of a table.
#[derive(Debug, Deserialize)]
pub(crate) struct CardAsked {
    /// Its name; empty for a back.
    #[serde(default)]
    name: String,
    /// How much of it is drawn.
    #[serde(default)]
    size: Size,
}

/// `GET /api/t/ID/KEY/PART`: `view`, `mat`, `card` (what is printed on it, and which zones take it),
/// `face.svg` (a card as a picture), or once the game is over `file`.
pub(crate) async fn part(
    Extension(at): Extension<AtTable>,
    Path((_, _, part)): Path<(String, String, String)>,
    Query(asked): Query<CardAsked>,
) -> Result<Response, JsonError> {
    let (table, reader) = (Arc::clone(&at.table), at.reader);
    let answer: Value = match part.as_str() {
        "view" => {
            let (_, live) = locked(&at.app, &at.table).await?;
            blocking(move || of_reader(&live, &table, reader)).await?
        }
        "mat" => json!(table.mat),
        "card" => card(&table, &asked.name),
        "face.svg" => {
            let svg = blocking(move || Ok(face(&table, &asked))).await?;
            let about = [
                (header::CONTENT_TYPE, "image/svg+xml"),
                (header::CACHE_CONTROL, "private, max-age=3600"),
                (
                    header::CONTENT_SECURITY_POLICY,
                    "default-src 'none'; img-src data:; frame-ancestors 'none'",
                ),
            ];
            return Ok((about, svg).into_response());
        }
        "file" => {
            let (_, live) = locked(&at.app, &at.table).await?;
            match (&live.ended, &live.stage) {
                (Some(_), Stage::Game(play)) => {
                    serde_json::to_value(&**play).map_err(|_| HttpError::defect())?
                }
                _ => {
                    let message = "The game is not over, so its file is still secret.";
                    return Err(HttpError::new(403, message, "").into());
                }
            }
        }
        _ => return Err(HttpError::none("such page").into()),
    };
    Ok(Json(answer).into_response())
}

fn card(table: &Table, name: &str) -> Value {
    let pool = table.rules.0.pool();
    let card = pool.look_up(name, NameField::Name).card();
    let takes = table.takes.iter();
    let takes = takes.filter(|(_, query)| card.is_some_and(|card| query.picks(pool, card)));
    let takes: Vec<&str> = takes.map(|(zone, _)| zone.as_str()).collect();
    let face = match &table.cards {
        Some(cards) => cards.face(name),
        None => Face::named(name),
    };
    json!({"face": face, "takes": takes})
}

fn face(table: &Table, CardAsked { name, size }: &CardAsked) -> String {
    let game = table.rules.0.format().game();
    if name.is_empty() {
        let colour = table.cards.as_ref().and_then(CardRenderer::back_colour);
        return back(&game.file.name, colour.as_deref());
    }
    let Some(cards) = &table.cards else {
        return Face::named(name).draw(*size, None).svg;
    };
    // A picture inside a picture loads nothing, so it is part of it.
    let picture = cards.picture(name).ok().flatten();
    let picture = picture.and_then(|bytes| {
        let kind = picture_kind(&bytes)?;
        Some(format!("data:{kind};base64,{}", BASE64.encode(&bytes)))
    });
    cards.face(name).draw(*size, picture.as_deref()).svg
}
