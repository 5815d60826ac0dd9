//! Decks that are being built: saved with every change, every state kept.
//!
//! A deck's `rev` counts its states. Whoever saves says which state it made the new one of;
//! if that is not the last one, somebody else saved in between, and nothing is overwritten.

use super::Shared;
use super::builder::{Json, JsonResult, body};
use super::clock::now;
use super::guard::Who;
use super::store::Fault;
use super::trouble::Trouble;
use axum::body::Bytes;
use axum::extract::{Extension, Path, State};
use axum::response::{IntoResponse, Response};
use rusqlite::{OptionalExtension, params};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use serde_json::{Value, json};

/// States of a deck that are kept.
const VERSIONS: i64 = 500;
/// Decks of one browser.
pub(super) const DRAFTS: i64 = 500;

/// The decks of an owner, the one that was saved last first: states are numbered as they come,
/// whatever the clock says, so that a clock that was set back makes no new deck the oldest.
const NEWEST_FIRST: &str = "from draft d join draft_version v on v.draft = d.id and v.rev = d.rev
                            where d.owner = ?1 order by v.rowid desc limit ?2";

/// What a deck without a name is called.
pub(super) const UNNAMED: &str = "Unnamed deck";

/// A deck in a list.
#[derive(Debug, Clone)]
pub(super) struct Entry {
    pub(super) id: String,
    pub(super) format: String,
    pub(super) name: String,
    pub(super) at: String,
    rev: i64,
}

/// The decks of whoever asks, the newest first.
///
/// # Errors
/// Data that cannot be reached.
pub(super) async fn of(app: &Shared, who: &Who, most: i64) -> Result<Vec<Entry>, Trouble> {
    let owner = who.owner;
    app.store
        .read(move |data| {
            let mut found = data.prepare(&format!(
                "select d.id, d.format, d.name, d.at, d.rev {NEWEST_FIRST}"
            ))?;
            let rows = found.query_map(params![&owner[..], most], |row| {
                Ok(Entry {
                    id: row.get(0)?,
                    format: row.get(1)?,
                    name: row.get(2)?,
                    at: row.get(3)?,
                    rev: row.get(4)?,
                })
            })?;
            Ok(rows.collect::<Result<Vec<_>, _>>()?)
        })
        .await
}

/// A deck as it is kept, to the letter: what is written in it is for its reader to say.
#[derive(Debug, Serialize)]
pub(super) struct Told {
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    format: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    rev: Option<i64>,
    deck: Box<RawValue>,
}

fn called(deck: &RawValue) -> String {
    #[derive(Default, Deserialize)]
    struct Named {
        #[serde(default)]
        name: Option<String>,
    }
    // A name that is none is none.
    let named: Named = serde_json::from_str(deck.get()).unwrap_or_default();
    let name = named.name.unwrap_or_default();
    let name = name.trim();
    if name.is_empty() {
        UNNAMED.to_owned()
    } else {
        name.chars().take(200).collect()
    }
}

/// Keeps a new deck; its id.
///
/// # Errors
/// That it was not kept.
pub(super) async fn make(
    app: &Shared,
    who: &Who,
    format: &str,
    deck: &RawValue,
) -> Result<String, Trouble> {
    permitted(app, who)?;
    // The same form makes the same deck.
    let id: String = who.key(app, "draft")?.chars().take(10).collect();
    let (owner, format, name, text) = (
        who.owner,
        format.to_owned(),
        called(deck),
        deck.get().to_owned(),
    );
    let made = id.clone();
    app.store
        .write(move |data| {
            let at = now();
            data.execute(
                "insert into draft (id, owner, format, name, rev, deck, at) values (?1, ?2, ?3, ?4, 1, ?5, ?6) on conflict do nothing",
                params![made, &owner[..], format, name, text, at],
            )?;
            data.execute(
                "insert into draft_version (draft, rev, deck, note, at) values (?1, 1, ?2, '', ?3) on conflict do nothing",
                params![made, text, at],
            )?;
            data.execute(
                &format!("delete from draft where owner = ?1 and id not in
                 (select d.id {NEWEST_FIRST})"),
                params![&owner[..], DRAFTS],
            )?;
            Ok::<_, Fault>(())
        })
        .await?;
    Ok(id)
}

/// `GET /api/drafts`
pub(super) async fn list(State(app): State<Shared>, Extension(who): Extension<Who>) -> JsonResult {
    let drafts = of(&app, &who, DRAFTS).await?;
    let entry = |entry: &Entry| json!({"id": entry.id, "format": entry.format, "name": entry.name, "at": entry.at, "rev": entry.rev});
    Ok(Json(drafts.iter().map(entry).collect()))
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct MakeAsk {
    format: String,
    deck: Box<RawValue>,
}

/// `POST /api/drafts`
pub(super) async fn create(
    State(app): State<Shared>,
    Extension(who): Extension<Who>,
    bytes: Bytes,
) -> JsonResult {
    let ask: MakeAsk = body(bytes)?;
    let id = make(&app, &who, &ask.format, &ask.deck).await?;
    Ok(Json(json!({"id": id, "rev": 1})))
}

/// A deck as it was saved last.
pub(super) struct Draft {
    pub(super) format: String,
    pub(super) rev: i64,
    pub(super) deck: String,
}

/// One of the decks of whoever asks.
///
/// # Errors
/// That there is none of this id.
pub(super) async fn kept(app: &Shared, who: &Who, id: String) -> Result<Draft, Trouble> {
    let owner = who.owner;
    let found = app
        .store
        .read(move |data| {
            let sql = "select format, rev, deck from draft where id = ?1 and owner = ?2";
            let row = |row: &rusqlite::Row<'_>| {
                let (format, rev, deck) = (row.get(0)?, row.get(1)?, row.get(2)?);
                Ok(Draft { format, rev, deck })
            };
            Ok(data
                .query_row(sql, params![id, &owner[..]], row)
                .optional()?)
        })
        .await?;
    found.ok_or_else(|| Trouble::none("such deck"))
}

/// `GET /api/drafts/ID`
pub(super) async fn one(
    State(app): State<Shared>,
    Extension(who): Extension<Who>,
    Path(id): Path<String>,
) -> JsonResult<Told> {
    let Draft { format, rev, deck } = kept(&app, &who, id).await?;
    let deck = RawValue::from_string(deck).map_err(|_| Trouble::damaged("deck"))?;
    Ok(Json(Told {
        format: Some(format),
        rev: Some(rev),
        deck,
        message: None,
    }))
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct SaveAsk {
    /// The state that was changed.
    rev: i64,
    deck: Box<RawValue>,
    /// What to call the new state; empty: nothing.
    #[serde(default)]
    note: String,
}

/// The number of a state, or the last one and its deck, which was not seen when it was made.
pub(super) type Saved = Result<i64, (i64, String)>;

/// Keeps a new state of a deck, if the one that it was made of is the last.
///
/// # Errors
/// That there is no such deck.
pub(super) async fn put(
    app: &Shared,
    who: &Who,
    id: String,
    of: i64,
    deck: &RawValue,
    note: &str,
) -> Result<Saved, Trouble> {
    let (owner, name, text) = (who.owner, called(deck), deck.get().to_owned());
    let note: String = note.chars().take(200).collect();
    app.store
        .write(move |data| {
            let sql = "select rev, deck from draft where id = ?1 and owner = ?2";
            let row = |row: &rusqlite::Row<'_>| Ok((row.get(0)?, row.get(1)?));
            let known: Option<(i64, String)> = data.query_row(sql, params![id, &owner[..]], row).optional()?;
            let Some((last, deck)) = known else {
                return Err(Trouble::none("such deck").into());
            };
            // What was saved already, and sent again since its answer was lost, is saved.
            if last == of + 1 && deck == text {
                return Ok(Ok(last));
            }
            if last != of {
                return Ok(Err((last, deck)));
            }
            let (rev, at) = (last + 1, now());
            data.execute(
                "update draft set rev = ?2, deck = ?3, name = ?4, at = ?5 where id = ?1",
                params![id, rev, text, name, at],
            )?;
            data.execute(
                "insert into draft_version (draft, rev, deck, note, at) values (?1, ?2, ?3, ?4, ?5)",
                params![id, rev, text, note, at],
            )?;
            data.execute(
                "delete from draft_version where draft = ?1 and rev <= ?2 and note = ''",
                params![id, rev - VERSIONS],
            )?;
            Ok::<_, Fault>(Ok(rev))
        })
        .await
}

/// `PUT /api/drafts/ID`
pub(super) async fn save(
    State(app): State<Shared>,
    Extension(who): Extension<Who>,
    Path(id): Path<String>,
    bytes: Bytes,
) -> Result<Response, super::builder::Refused> {
    let ask: SaveAsk = body(bytes)?;
    let saved = put(&app, &who, id, ask.rev, &ask.deck, &ask.note).await?;
    Ok(match saved {
        Ok(rev) => Json(json!({"rev": rev})).into_response(),
        Err((rev, deck)) => {
            let deck = RawValue::from_string(deck).map_err(|_| Trouble::damaged("deck"))?;
            let told = Told {
                message: Some("This deck was changed somewhere else meanwhile."),
                format: None,
                rev: Some(rev),
                deck,
            };
            (axum::http::StatusCode::CONFLICT, Json(told)).into_response()
        }
    })
}

/// Deletes a deck with all its states.
///
/// # Errors
/// That there is none of this id.
pub(super) async fn remove(app: &Shared, who: &Who, id: String) -> Result<(), Trouble> {
    let owner = who.owner;
    let gone = app
        .store
        .write(move |data| {
            let sql = "delete from draft where id = ?1 and owner = ?2";
            Ok::<_, Fault>(data.execute(sql, params![id, &owner[..]])?)
        })
        .await?;
    match gone {
        0 => Err(Trouble::none("such deck")),
        _ => Ok(()),
    }
}

/// `DELETE /api/drafts/ID`
pub(super) async fn forget(
    State(app): State<Shared>,
    Extension(who): Extension<Who>,
    Path(id): Path<String>,
) -> JsonResult {
    remove(&app, &who, id).await?;
    Ok(Json(json!({"deleted": true})))
}

/// `GET /api/drafts/ID/versions`: every state, the newest first.
pub(super) async fn versions(
    State(app): State<Shared>,
    Extension(who): Extension<Who>,
    Path(id): Path<String>,
) -> JsonResult {
    let owner = who.owner;
    let states = app
        .store
        .read(move |data| {
            let mut found = data.prepare(
                "select v.rev, v.note, v.at, v.deck from draft_version v join draft d on d.id = v.draft
                 where d.id = ?1 and d.owner = ?2 order by v.rev desc limit 200",
            )?;
            let rows = found.query_map(params![id, &owner[..]], |row| {
                let (rev, note, at): (i64, String, String) = (row.get(0)?, row.get(1)?, row.get(2)?);
                let deck: String = row.get(3)?;
                let deck: Value = serde_json::from_str(&deck).unwrap_or_default();
                Ok(json!({"rev": rev, "note": note, "at": at, "deck": deck}))
            })?;
            Ok(rows.collect::<Result<Vec<Value>, _>>()?)
        })
        .await?;
    Ok(Json(json!(states)))
}

/// What is begun takes up to 64 KiB of the disk, and so costs as much as many requests.
const BEGUN: f64 = 100.0;

/// Whether an address may begin something that is kept.
///
/// # Errors
/// That too much was begun from there.
pub(super) fn permitted(app: &Shared, who: &Who) -> Result<(), Trouble> {
    if who.address.is_loopback() || app.rates.permits(who.address, BEGUN) {
        return Ok(());
    }
    Err(Trouble::new(
        429,
        "Too many decks were begun or played from this address.",
        "Wait a minute.",
    ))
}

/// `POST /open`: a deck from anywhere becomes one of the reader's own.
pub(super) async fn open(
    State(app): State<Shared>,
    Extension(who): Extension<Who>,
    Extension(fields): Extension<super::guard::Fields>,
) -> Result<Response, Trouble> {
    let format = Some(fields.text("format").to_owned()).filter(|format| !format.is_empty());
    let read = super::worker::ReadFile {
        format,
        bytes: fields.get("deck").unwrap_or_default().into(),
        input: String::new(),
        file: String::new(),
    };
    let read = app.workers.ask(who.client(), read).await?;
    let (Some(deck), Some(format)) = (&read.deck, &read.format) else {
        return Err(Trouble::wrong("This is no deck of a format."));
    };
    let draft = make(&app, &who, format, deck).await?;
    let to = format!("/deck/{format}#d={draft}");
    Ok(axum::response::Redirect::to(&to).into_response())
}
