//! The builder: its page, and what the page asks while a deck is built.

use super::guard::Who;
use super::trouble::Trouble;
use super::worker::{PictureOf, Title};
use super::{Shared, page as frame};
use axum::body::Bytes;
use axum::extract::{Extension, Path, Query, State};
use axum::http::header;
use axum::response::{IntoResponse, Response};
use decklaw_ask::{Answer, Question};
use decklaw_play::paper::picture_kind;
use maud::html;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The page's module and its style sheets.
pub(super) const MODULE: &str = "builder.js";
pub(super) const SHEETS: [&str; 2] = ["base.css", "builder.css"];

/// A body in JSON.
///
/// # Errors
/// Another one, and what is wrong with it.
pub(super) fn body<T: DeserializeOwned>(bytes: Bytes) -> Result<T, Trouble> {
    serde_json::from_slice(&bytes)
        .map_err(|error| Trouble::wrong(format!("This is not what is asked here: {error}")))
}

/// JSON, or the trouble as JSON.
pub(super) type JsonResult<T = Value> = Result<Json<T>, Refused>;

/// An answer in JSON.
pub(super) struct Json<T = Value>(pub(super) T);

impl<T: Serialize> IntoResponse for Json<T> {
    fn into_response(self) -> Response {
        match serde_json::to_string(&self.0) {
            Ok(text) => ([(header::CONTENT_TYPE, "application/json")], text).into_response(),
            Err(_) => Trouble::defect().json(),
        }
    }
}

/// Trouble in JSON.
pub(super) struct Refused(pub(super) Trouble);

impl From<Trouble> for Refused {
    fn from(trouble: Trouble) -> Refused {
        Refused(trouble)
    }
}

impl IntoResponse for Refused {
    fn into_response(self) -> Response {
        self.0.json()
    }
}

/// `GET /deck/FORMAT`
pub(super) async fn page(
    State(app): State<Shared>,
    Extension(who): Extension<Who>,
    Path(format): Path<String>,
) -> Result<Response, Trouble> {
    let found = app.workers.ask(who.address, Title { format }).await?;
    let (id, title) = (found.id, found.name);
    let body = html! {
        body {
            div #app data-format=(id) {
                noscript { main.failed {
                    h1 { "The builder needs JavaScript" }
                    p { "A deck is also judged on " a href="/" { "the first page" } " and by " code { "decklaw check" } "." }
                } }
            }
        }
    };
    Ok(frame::styled(&title, &SHEETS, &["key.js", MODULE], body).into_response())
}

/// `GET /api/picture/FORMAT?name=NAME`: the picture of a card that its maker gives.
pub(super) async fn picture(
    State(app): State<Shared>,
    Extension(who): Extension<Who>,
    Path(format): Path<String>,
    Query(asked): Query<Named>,
) -> Result<Response, Trouble> {
    let Named { name } = asked;
    let picture = app.workers.ask(who.address, PictureOf { format, name });
    let picture = picture
        .await?
        .ok_or_else(|| Trouble::none("picture of this card"))?;
    let kind = picture_kind(&picture).ok_or_else(|| Trouble::wrong("That file is no picture."))?;
    let about = [
        (header::CONTENT_TYPE, kind),
        (header::CACHE_CONTROL, "max-age=60"),
    ];
    Ok((about, picture).into_response())
}

/// The card that is asked about.
#[derive(Debug, Deserialize)]
pub(super) struct Named {
    name: String,
}

/// `POST /api/ask`: any question about decks, games and cards, as `{"ask": …}`.
pub(super) async fn ask(
    State(app): State<Shared>,
    Extension(who): Extension<Who>,
    bytes: Bytes,
) -> JsonResult<Answer> {
    let question: Question = body(bytes)?;
    Ok(Json(app.workers.ask(who.address, question).await?))
}

/// A sheet, whose one style stands in it: nothing else is let in.
pub(super) fn sheet_page(html: String) -> Response {
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
