//! The builder: its page, and the questions of the page.

use crate::actor::Visit;
use crate::answering::Speed;
use crate::error::{HttpError, JsonError};
use crate::page as frame;
use axum::body::Bytes;
use axum::extract::{Extension, Path, Query};
use axum::http::header;
use axum::response::{IntoResponse, Response};
use decklaw_ask::{Answer, CardRenderer, Library, Question, ask as answer};
use decklaw_play::paper::picture_kind;
use maud::html;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::sync::Arc;

/// The page's module and its style sheets.
pub(crate) const MODULE: &str = "builder.js";
pub(crate) const SHEETS: [&str; 2] = ["base.css", "builder.css"];

/// The most work of a visitor's question, in seconds.
const SECONDS: f64 = 0.16;

/// Reads a body in JSON.
///
/// # Errors
/// Another body, and what is wrong with it.
pub(crate) fn body<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, HttpError> {
    serde_json::from_slice(bytes)
        .map_err(|error| HttpError::wrong(format!("This request is not understood: {error}")))
}

/// JSON, or an error as JSON.
pub(crate) type JsonResult<T = Value> = Result<Json<T>, JsonError>;

/// An answer in JSON.
pub(crate) struct Json<T = Value>(pub(crate) T);

impl<T: Serialize> IntoResponse for Json<T> {
    fn into_response(self) -> Response {
        match serde_json::to_string(&self.0) {
            Ok(text) => ([(header::CONTENT_TYPE, "application/json")], text).into_response(),
            Err(_) => HttpError::defect().json(),
        }
    }
}

/// `GET /deck/FORMAT`
pub(crate) async fn page(
    Extension(visit): Extension<Visit>,
    Path(format): Path<String>,
) -> Result<Response, HttpError> {
    let found = visit.judged(move |judge| {
        let format = judge.format(&format)?;
        Ok((format.id().to_owned(), format.entry().name.clone()))
    });
    let (id, title) = found.await?;
    let body = html! {
        body {
            div #app data-format=(id) {
                noscript { main.failed {
                    h1 { "The builder needs JavaScript" }
                    p { "A deck is also judged on " a href="/" { "the start page" } " and by " code { "decklaw check" } "." }
                } }
            }
        }
    };
    Ok(frame::styled(&title, &SHEETS, &["key.js", MODULE], body).into_response())
}

/// A card.
#[derive(Debug, Deserialize)]
pub(crate) struct CardName {
    name: String,
}

/// `GET /api/picture/FORMAT?name=NAME`: the picture of a card from the maker of its game.
pub(crate) async fn picture(
    Extension(visit): Extension<Visit>,
    Path(format): Path<String>,
    Query(CardName { name }): Query<CardName>,
) -> Result<Response, HttpError> {
    let picture = visit.judged(move |judge| {
        let rulebook = judge.rules(&format)?;
        Ok(CardRenderer::of(&judge.judge, rulebook)?.picture(&name)?)
    });
    let picture = picture.await?;
    let picture = picture.ok_or_else(|| HttpError::none("picture of this card"))?;
    let kind = picture_kind(&picture);
    let kind = kind.ok_or_else(|| HttpError::wrong("That file is not a picture."))?;
    let about = [(header::CONTENT_TYPE, kind), (header::CACHE_CONTROL, "max-age=60")];
    Ok((about, picture).into_response())
}

/// `POST /api/ask`: any question about decks, games and cards, as `{"ask": …}`.
pub(crate) async fn ask(Extension(visit): Extension<Visit>, bytes: Bytes) -> JsonResult<Answer> {
    let library = Arc::clone(&visit.app.library);
    answered(&visit, library, &bytes).await
}

/// The answer of a library to a question in JSON.
///
/// # Errors
/// A question that is not understood, and those of its answer.
pub(crate) async fn answered(
    visit: &Visit,
    library: Arc<Library>,
    bytes: &[u8],
) -> JsonResult<Answer> {
    let question: Question = body(bytes)?;
    let speed = if question.is_slow() { Speed::Slow } else { Speed::Quick };
    let done = visit.answer(speed, move || Ok(answer(&library, question.bounded(SECONDS)?)?));
    Ok(Json(done.await?))
}

/// A sheet to print. Its one style is part of it, and the policy lets nothing else in.
pub(crate) fn sheet_page(html: String) -> Response {
    let style = html
        .split_once("<style>")
        .and_then(|(_, rest)| rest.split_once("</style>"))
        .map_or("", |(style, _)| style);
    let policy = format!(
        "default-src 'none'; style-src 'sha256-{}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
        data_encoding::BASE64.encode(&<sha2::Sha256 as sha2::Digest>::digest(style.as_bytes()))
    );
    let about = [
        (header::CONTENT_TYPE, "text/html; charset=utf-8".to_owned()),
        (header::CONTENT_SECURITY_POLICY, policy),
    ];
    (about, html).into_response()
}
