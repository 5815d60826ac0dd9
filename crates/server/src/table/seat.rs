//! A place at a table: its page, what it shows, what is done there, and the end.

use super::acts::{Act, done};
use super::position::of_reader;
use super::{Opened, Stage, gather, keep, off, standing};
use crate::Shared;
use crate::builder::{Json, JsonResult, body};
use crate::page as frame;
use crate::trouble::Trouble;
use crate::who::Who;
use axum::body::Bytes;
use axum::extract::{Extension, Path, Query, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::sse::{Event, KeepAlive};
use axum::response::{IntoResponse, Response, Sse};
use decklaw_play::matches::{Reader, SeatId, moves_help};
use maud::html;
use serde_json::json;
use std::collections::HashMap;
use std::sync::Arc;

/// `GET /t/ID/SEAT`
pub(in super::super) async fn page(
    State(app): State<Shared>,
    Extension(who): Extension<Who>,
    Extension(opened): Extension<Opened>,
    Path((id, seat)): Path<(String, String)>,
    Query(query): Query<HashMap<String, String>>,
    headers: HeaderMap,
) -> Result<Response, Trouble> {
    let (_, live) = standing(&app, &opened.table).await?;
    if let Stage::Gathering(gathering) = &live.stage {
        let draft = query.get("deck").map_or("", String::as_str);
        return gather::page(&app, &who, &opened, gathering, &headers, draft).await;
    }
    let body = html! {
        (frame::top())
        main #table data-table=(id) data-seat=(seat) {
            h1 { bdi { (opened.table.title) } }
            noscript { p.message { "The table needs JavaScript." } }
            p.loading { "The table is being laid." }
        }
    };
    Ok(frame::page(&who, &opened.table.title, &["key.js", "table.js"], body).into_response())
}

/// `GET /api/t/ID/SEAT/view`
pub(in super::super) async fn view(
    State(app): State<Shared>,
    Extension(Opened { table, reader }): Extension<Opened>,
) -> JsonResult {
    let (_, live) = standing(&app, &table).await?;
    let state = Arc::clone(&table);
    let work = move || of_reader(&live, &state, reader);
    Ok(Json(off(work).await?))
}

/// `GET /api/t/ID/SEAT/changes`: the number of the state, now and whenever it changes.
pub(in super::super) async fn changes(
    Extension(Opened { table, .. }): Extension<Opened>,
) -> impl IntoResponse {
    let seen = table.changes.subscribe();
    let stream = futures_util::stream::unfold((seen, true), async |(mut seen, first)| {
        if !first {
            seen.changed().await.ok()?;
        }
        let rev = *seen.borrow_and_update();
        let event = Event::default().event("changed").data(rev.to_string());
        Some((Ok::<_, std::convert::Infallible>(event), (seen, false)))
    });
    Sse::new(stream).keep_alive(KeepAlive::default())
}

/// `POST /api/t/ID/SEAT/do`
pub(in super::super) async fn act(
    State(app): State<Shared>,
    Extension(Opened { table, reader }): Extension<Opened>,
    bytes: Bytes,
) -> Result<Response, crate::builder::Refused> {
    let act: Act = body(bytes)?;
    let seat: SeatId = match reader {
        Reader::Seat(seat) => seat,
        Reader::Public => {
            return Err(Trouble::new(403, "Who looks on does not play.", "").into());
        }
    };
    // One after the other: nothing happens between looking at the table and keeping it.
    let (mut held, before) = standing(&app, &table).await?;
    if act.asks_for_help() {
        drop(held);
        let state = Arc::clone(&table);
        let work = move || of_reader(&before, &state, reader);
        let mut shown = off(work).await?;
        shown["help"] = json!(moves_help());
        return Ok(Json(shown).into_response());
    }
    if act.rev != before.rev {
        drop(held);
        let state = Arc::clone(&table);
        let work = move || of_reader(&before, &state, reader);
        let now = off(work).await?;
        let told = json!({"message": "Something happened meanwhile; look again.", "view": now});
        return Ok((StatusCode::CONFLICT, Json(told)).into_response());
    }
    let (state, rev) = (Arc::clone(&table), before.rev);
    let work = move || {
        let next = done(&before, &state, seat, &act)?;
        let shown = of_reader(&next, &state, reader)?;
        let remarks = match (&before.stage, &next.stage) {
            (Stage::Game(_), Stage::Game(play)) => play
                .moves()
                .last()
                .map_or_else(Vec::new, |done| play.remarks(done)),
            _ => Vec::new(),
        };
        Ok((next, shown, remarks))
    };
    let (next, mut shown, remarks) = off(work).await?;
    // Until it is known what came of the writing, memory is not believed.
    held.unsure = true;
    keep(&app, &table, rev, &next).await?;
    held.live = next;
    held.unsure = false;
    table.changes.send_replace(held.live.rev);
    shown["remarks"] = json!(remarks);
    Ok(Json(shown).into_response())
}

/// `GET /api/t/ID/SEAT/card?name=NAME`: what the card pool knows of a card.
pub(in super::super) async fn card(
    Extension(Opened { table, .. }): Extension<Opened>,
    Query(query): Query<HashMap<String, String>>,
) -> JsonResult {
    let name = query.get("name").map_or("", String::as_str);
    let pool = table.rules.0.pool();
    let Some(card) = pool.find(name) else {
        return Err(Trouble::none("card of that name").into());
    };
    let fields = pool.fields().iter().filter_map(|field| {
        let value = pool.shown(card, &field.name);
        (!value.is_empty()).then(|| json!([field.name, value]))
    });
    Ok(Json(
        json!({"name": pool.name(card), "fields": fields.collect::<Vec<_>>(), "face": table.looks.as_ref().map(|looks| looks.shown(name, Default::default()))}),
    ))
}

/// `GET /api/t/ID/SEAT/file`: once the game is over, all of it.
pub(in super::super) async fn file(
    State(app): State<Shared>,
    Extension(Opened { table, .. }): Extension<Opened>,
) -> JsonResult {
    let (_, live) = standing(&app, &table).await?;
    if live.ended.is_none() {
        return Err(Trouble::new(
            403,
            "The game is not over: its secret stays here until all say that it is.",
            "",
        )
        .into());
    }
    let Stage::Game(play) = &live.stage else {
        return Err(Trouble::defect().into());
    };
    let file = serde_json::to_value(&**play).map_err(|_| Trouble::defect())?;
    Ok(Json(file))
}
