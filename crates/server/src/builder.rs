//! The builder: its page, and what the page asks while a deck is built.

use super::guard::Who;
use super::trouble::Trouble;
use super::worker::{PictureOf, Title, Titled};
use super::{Shared, clock, page as frame, store};
use axum::body::Bytes;
use axum::extract::{Extension, Path, Query, State};
use axum::http::header;
use axum::response::{IntoResponse, Response};
use decklaw_ask::{Answer, Cards, CardsAnswer, Owned, Question, WRITERS, Write};
use decklaw_play::paper::picture_kind;
use maud::html;
use rusqlite::{OptionalExtension, params};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

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
    let found = app.workers.ask(who.client(), Title { format }).await?;
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
    let picture = app.workers.ask(who.client(), PictureOf { format, name });
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

/// What the asker owns of a format's game.
async fn owned(app: &Shared, who: &Who, format: &str) -> Result<Option<Owned>, Trouble> {
    let format = format.to_owned();
    let Titled { game, .. } = app.workers.ask(who.client(), Title { format }).await?;
    let owner = who.owner;
    let cards: Option<String> = app
        .store
        .read(move |data| {
            let sql = "select cards from collection where owner = ?1 and game = ?2";
            Ok(data
                .query_row(sql, params![&owner[..], game], |row| row.get(0))
                .optional()?)
        })
        .await?;
    let read =
        |cards: String| serde_json::from_str(&cards).map_err(|_| Trouble::damaged("collection"));
    cards.map(read).transpose()
}

/// Whether a question is about the cards that the asker owns.
#[derive(Debug, Deserialize)]
pub(super) struct Own {
    #[serde(default)]
    own: bool,
}

/// `POST /api/ask`: any question about decks, games and cards, as `{"ask": …}`; with `?own=true` about
/// the cards that the asker owns.
pub(super) async fn ask(
    State(app): State<Shared>,
    Extension(who): Extension<Who>,
    Query(Own { own }): Query<Own>,
    bytes: Bytes,
) -> JsonResult<Answer> {
    let mut question: Question = body(bytes)?;
    if own {
        let format = question.format().unwrap_or_default().to_owned();
        let owned = owned(&app, &who, &format).await?;
        if let Some(own) = question.own_mut() {
            *own = Some(owned.unwrap_or_default());
        }
    }
    Ok(Json(app.workers.ask(who.client(), question).await?))
}

/// `POST /api/write/KIND`: a deck as a file, or as a page to print.
pub(super) async fn write(
    State(app): State<Shared>,
    Extension(who): Extension<Who>,
    Path(kind): Path<String>,
    fields: Option<Extension<super::guard::Fields>>,
    bytes: Bytes,
) -> Result<Response, Trouble> {
    // The page itself sends JSON; a form opens the sheet in a window of its own.
    let form = fields.as_ref().and_then(|fields| fields.get("ask"));
    let mut write: Write = match form {
        Some(ask) => body(Bytes::copy_from_slice(ask.as_bytes()))?,
        None => body(bytes)?,
    };
    let known = WRITERS.iter().find(|(word, ..)| *word == kind);
    let Some((_, _, ending, media)) = known else {
        return Err(Trouble::none("such file format"));
    };
    write.to_format = kind;
    let written = app.workers.ask(who.client(), Question::from(write)).await?;
    let Answer::Write(written) = written else {
        return Err(Trouble::defect());
    };
    let (decklaw_ask::Bytes(written), remarks) = (written.bytes, written.notes);
    if *ending == "html" {
        return Ok(sheet_page(String::from_utf8_lossy(&written).into_owned()));
    }
    let about = [
        (header::CONTENT_TYPE, (*media).to_owned()),
        (
            header::CONTENT_DISPOSITION,
            format!("attachment; filename=\"deck.{ending}\""),
        ),
    ];
    // A header holds no letters but a few; the page takes them out of the base64.
    let remarks = serde_json::to_vec(&remarks).map_err(|_| Trouble::defect())?;
    let remarks = data_encoding::BASE64.encode(&remarks);
    Ok((about, [("x-decklaw-remarks", remarks)], written).into_response())
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

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct CollectionAsk {
    format: String,
    table: String,
}

/// `POST /api/collection`: what the asker owns of a game.
pub(super) async fn collection(
    State(app): State<Shared>,
    Extension(who): Extension<Who>,
    bytes: Bytes,
) -> JsonResult {
    let CollectionAsk { format, table } = body(bytes)?;
    let cards = Cards {
        format,
        collection: Some(table),
        ..Cards::default()
    };
    let answer = app.workers.ask(who.client(), Question::from(cards)).await?;
    let Answer::Cards(CardsAnswer {
        collection: Some(held),
        ..
    }) = answer
    else {
        return Err(Trouble::defect().into());
    };
    let cards = serde_json::to_string(&held.owned).map_err(|_| Trouble::defect())?;
    let (owner, game) = (who.owner, held.game);
    app.store
        .write(move |data| {
            data.execute(
                "insert into collection (owner, game, cards, at) values (?1, ?2, ?3, ?4)
                 on conflict do update set cards = excluded.cards, at = excluded.at",
                params![&owner[..], game, cards, clock::now()],
            )?;
            Ok::<_, store::Fault>(())
        })
        .await?;
    let copies: u64 = held.owned.values().map(|copies| u64::from(*copies)).sum();
    Ok(Json(
        json!({"cards": held.owned.len(), "copies": copies, "unknown": held.unknown}),
    ))
}
