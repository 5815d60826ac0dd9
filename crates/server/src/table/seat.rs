//! A place at a table: its page, what it shows, what is done there, and the end.

use super::acts::{Act, done};
use super::view::of_reader;
use super::{Opened, Stage, keep, lobby, off, standing};
use crate::Shared;
use crate::builder::{Json, JsonResult, body};
use crate::page as frame;
use crate::trouble::Trouble;
use axum::body::Bytes;
use axum::extract::{Extension, Query, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::sse::{Event, KeepAlive};
use axum::response::{IntoResponse, Response, Sse};
use data_encoding::BASE64;
use decklaw_play::paper::{Face, Size, back, back_colour, picture_kind};
use maud::html;
use serde::Deserialize;
use serde_json::json;
use std::sync::Arc;

/// `GET /t/ID/KEY`
pub(in super::super) async fn page(
    State(app): State<Shared>,
    Extension(opened): Extension<Opened>,
    headers: HeaderMap,
) -> Result<Response, Trouble> {
    let (_, live) = standing(&app, &opened.table).await?;
    if let Stage::Gathering(gathering) = &live.stage {
        return lobby::page(&app, &opened, gathering, &headers);
    }
    let table = &opened.table;
    let seat = opened.seat().map(|seat| seat.to_string());
    let body = html! {
        body.table data-table=(table.id) data-key=(opened.key) data-seat=[seat] data-format=(table.rules.0.format().id()) {
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

/// `GET /api/t/ID/KEY/view`
pub(in super::super) async fn view(
    State(app): State<Shared>,
    Extension(Opened { table, reader, .. }): Extension<Opened>,
) -> JsonResult {
    let (_, live) = standing(&app, &table).await?;
    let state = Arc::clone(&table);
    let work = move || of_reader(&live, &state, reader);
    Ok(Json(off(work).await?))
}

/// `GET /api/t/ID/KEY/mat`: how the table is laid out.
pub(in super::super) async fn mat(
    Extension(Opened { table, .. }): Extension<Opened>,
) -> impl IntoResponse {
    Json(json!(table.mat))
}

/// `GET /api/t/ID/KEY/changes`: the number of the state, now and whenever it changes.
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

/// `POST /api/t/ID/KEY/do`
pub(in super::super) async fn act(
    State(app): State<Shared>,
    Extension(opened): Extension<Opened>,
    bytes: Bytes,
) -> Result<Response, crate::builder::Refused> {
    let act: Act = body(bytes)?;
    let seat = opened.player()?;
    let Opened { table, reader, .. } = opened;
    // One after the other: nothing happens between looking at the table and keeping it.
    let (mut held, before) = standing(&app, &table).await?;
    if act.rev != before.rev {
        drop(held);
        let state = Arc::clone(&table);
        let work = move || of_reader(&before, &state, reader);
        let now = off(work).await?;
        let told = json!({"message": "The table changed before this. Look again.", "view": now});
        return Ok((StatusCode::CONFLICT, Json(told)).into_response());
    }
    let (state, rev) = (Arc::clone(&table), before.rev);
    let work = move || {
        let next = done(&before, &state, seat, act)?;
        let shown = of_reader(&next, &state, reader)?;
        let remarks = match (&before.stage, &next.stage) {
            (Stage::Game(before), Stage::Game(play)) => {
                let new = play.moves().get(before.moves().len()..).unwrap_or_default();
                let remarks = new
                    .iter()
                    .map(|done| play.remarks(done, state.mat.as_ref()));
                remarks.flatten().collect()
            }
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

/// A card of a table.
#[derive(Debug, Deserialize)]
pub(in super::super) struct CardAsked {
    /// Its name; a back has none.
    #[serde(default)]
    name: String,
    /// How much of it is drawn.
    #[serde(default)]
    size: Size,
}

/// `GET /api/t/ID/KEY/card?name=NAME`: what is printed on a card, and which zones take it.
pub(in super::super) async fn card(
    Extension(Opened { table, .. }): Extension<Opened>,
    Query(CardAsked { name, .. }): Query<CardAsked>,
) -> impl IntoResponse {
    let pool = table.rules.0.pool();
    let card = pool.find(&name);
    let takes = table
        .takes
        .iter()
        .filter(|(_, query)| card.is_some_and(|card| query.picks(pool, card)));
    let takes: Vec<&str> = takes.map(|(zone, _)| zone.as_str()).collect();
    let face = match &table.looks {
        Some(looks) => looks.face(&name),
        None => Face::named(&name),
    };
    Json(json!({"face": face, "takes": takes}))
}

/// `GET /api/t/ID/KEY/face.svg?name=NAME&size=thumb`: a card as a picture; without a name its back.
pub(in super::super) async fn face(
    Extension(Opened { table, .. }): Extension<Opened>,
    Query(CardAsked { name, size }): Query<CardAsked>,
) -> Result<Response, Trouble> {
    let drawn = off(move || {
        let game = table.rules.0.format().game();
        if name.is_empty() {
            let title = &game.file.name;
            return Ok(back(title, back_colour(game).as_deref()));
        }
        let Some(looks) = &table.looks else {
            return Ok(Face::named(&name).draw(size, None).svg);
        };
        // A picture inside a picture loads nothing, so it is part of it.
        let picture = looks.picture(&name).ok().flatten();
        let picture = picture.and_then(|bytes| {
            let kind = picture_kind(&bytes)?;
            Some(format!("data:{kind};base64,{}", BASE64.encode(&bytes)))
        });
        Ok(looks.face(&name).draw(size, picture.as_deref()).svg)
    });
    let about = [
        (header::CONTENT_TYPE, "image/svg+xml"),
        (header::CACHE_CONTROL, "private, max-age=3600"),
        (
            header::CONTENT_SECURITY_POLICY,
            "default-src 'none'; img-src data:; style-src 'unsafe-inline'",
        ),
    ];
    Ok((about, drawn.await?).into_response())
}

/// `GET /api/t/ID/KEY/file`: once the game is over, all of it.
pub(in super::super) async fn file(
    State(app): State<Shared>,
    Extension(Opened { table, .. }): Extension<Opened>,
) -> JsonResult {
    let (_, live) = standing(&app, &table).await?;
    if live.ended.is_none() {
        return Err(Trouble::new(
            403,
            "The game is not over, so its file is still secret.",
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
