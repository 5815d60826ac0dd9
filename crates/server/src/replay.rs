//! The page that replays a saved match.

use crate::actor::Visit;
use crate::answering::Speed;
use crate::builder::{Json, JsonResult, body};
use crate::error::HttpError;
use crate::page as frame;
use axum::body::Bytes;
use axum::extract::Extension;
use axum::response::{IntoResponse, Response};
use decklaw_ask::{Answer, Question, ask as answer};
use maud::{Markup, html};

/// The module of the page, and its style sheets.
pub(crate) const MODULE: &str = "replay.js";
pub(crate) const SHEETS: [&str; 2] = ["base.css", "table.css"];

/// `GET /replay`
pub(crate) async fn page() -> Response {
    let body = html! { body.table.replay { (content()) } };
    frame::styled("Replay a match", &SHEETS, &[MODULE], body).into_response()
}

/// What the page begins with.
pub(crate) fn content() -> Markup {
    html! {
        header.bar #bar {}
        main #opens { noscript { p.wrong { "The replay needs JavaScript." } } }
        main.play #play hidden {
            h1.away { "Replay" }
            div.sides #theirs {}
            section.middle #middle aria-label="Middle of the table" {}
            section.side #ours aria-label="Lower side" {}
        }
        section.transport #transport hidden aria-label="Replay" {}
        aside.rail #rail hidden aria-label="Card and log" {}
    }
}

/// `POST /api/replay`: the question `replay` alone, with room for a match file.
pub(crate) async fn ask(Extension(visit): Extension<Visit>, bytes: Bytes) -> JsonResult<Answer> {
    let question: Question = body(&bytes)?;
    let Question::Replay(replay) = &question else {
        return Err(HttpError::wrong("Only `replay` is asked here.").into());
    };
    // A file is dealt again before it is shown; a further step of it has its digest alone.
    let speed = if replay.file.len() > 64 { Speed::Slow } else { Speed::Quick };
    let library = std::sync::Arc::clone(&visit.app.library);
    let done = visit.answer(speed, move || Ok(answer(&library, question)?));
    Ok(Json(done.await?))
}
