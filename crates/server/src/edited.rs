//! `decklaw edit FILE`: the builder on that very file. Comments, order and
//! headings stay, and a file that somebody else changed is never overwritten.

use super::Shared;
use super::builder::{Json, JsonResult, body};
use super::guard::Who;
use super::own_file::{Edited, bytes_of};
use super::trouble::Trouble;
use super::worker::{ReadFile, Rewrite};
use axum::body::Bytes;
use axum::extract::{Extension, State};
use serde::Deserialize;
use serde_json::json;
use serde_json::value::RawValue;
use std::sync::Arc;

fn edited(app: &Shared) -> Result<&Edited, Trouble> {
    app.edited
        .as_ref()
        .ok_or_else(|| Trouble::none("file that is edited"))
}

/// The file as it is now; `None`: it is not there.
async fn there(app: &Shared) -> Result<Option<Vec<u8>>, Trouble> {
    let path = edited(app)?.path.clone();
    let read = tokio::task::spawn_blocking(move || bytes_of(&path).ok()).await;
    read.map_err(|_| Trouble::defect())
}

/// The deck of a file; `None`: it is none.
async fn deck(app: &Shared, who: &Who, bytes: &[u8]) -> Result<Option<Box<RawValue>>, Trouble> {
    let file = edited(app)?;
    let read = ReadFile {
        format: Some(file.format.clone()),
        bytes: bytes.to_vec(),
        input: file.input.to_owned(),
        file: String::new(),
    };
    Ok(app.workers.ask(who.address, read).await?.deck)
}

/// `GET /api/file`
pub(super) async fn read(State(app): State<Shared>, Extension(who): Extension<Who>) -> JsonResult {
    let file = edited(&app)?;
    let now = there(&app).await?;
    let name = file.path.display().to_string();
    let deck = match &now {
        None => json!({"format": file.format, "sections": {}}),
        Some(bytes) => {
            let deck = deck(&app, &who, bytes).await?.ok_or_else(|| {
                Trouble::new(
                    409,
                    format!("{name} is no deck any more."),
                    "Mend the file, and load the page again.",
                )
            })?;
            serde_json::from_str(deck.get()).map_err(|_| Trouble::defect())?
        }
    };
    let rev = rev(now.as_deref());
    Ok(Json(
        json!({"file": name, "format": file.format, "deck": deck, "rev": rev}),
    ))
}

/// What tells the states of the file apart.
fn rev(bytes: Option<&[u8]>) -> String {
    bytes.map_or_else(String::new, |bytes| {
        decklaw_core::digest::sha256(bytes)[..16].to_owned()
    })
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct SaveAsk {
    rev: String,
    deck: Box<RawValue>,
    #[serde(default, rename = "note")]
    _note: String,
}

/// `PUT /api/file`
pub(super) async fn save(
    State(app): State<Shared>,
    Extension(who): Extension<Who>,
    bytes: Bytes,
) -> Result<axum::response::Response, super::builder::Refused> {
    use axum::response::IntoResponse;
    let ask: SaveAsk = body(bytes)?;
    let file = edited(&app)?;
    // One after the other.
    let _saving = file.saving.lock().await;
    let before = there(&app).await?;
    if rev(before.as_deref()) != ask.rev {
        return Ok(changed(&app, &who, before).await?);
    }
    let rewrite = Rewrite {
        format: file.format.clone(),
        input: file.input.to_owned(),
        there: before.clone(),
        deck: ask.deck,
    };
    let written = app.workers.ask(who.address, rewrite).await?;
    let rev = rev(Some(&written));
    let state = Arc::clone(&app);
    let saved = tokio::task::spawn_blocking(move || {
        let file = edited(&state)?;
        let saved = (file.write)(&file.path, before.as_deref(), &written);
        saved.map_err(|error| Trouble::new(507, format!("Not saved: {error}"), ""))
    });
    if saved.await.unwrap_or_else(|_| Err(Trouble::defect()))? {
        Ok(Json(json!({"rev": rev})).into_response())
    } else {
        let now = there(&app).await?;
        Ok(changed(&app, &who, now).await?)
    }
}

/// What is said where the file is not what the page believes.
async fn changed(
    app: &Shared,
    who: &Who,
    there: Option<Vec<u8>>,
) -> Result<axum::response::Response, Trouble> {
    use axum::response::IntoResponse;
    let deck = match &there {
        Some(bytes) => deck(app, who, bytes).await?,
        None => None,
    };
    let told = json!({"message": "The file was changed by somebody else meanwhile.", "rev": rev(there.as_deref()), "deck": deck});
    Ok((axum::http::StatusCode::CONFLICT, Json(told)).into_response())
}
