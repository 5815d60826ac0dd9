//! The next game of the same match, at a table of its own.

use super::stored::TableRow;
use super::{AtTable, Live, Stage, locked, path};
use crate::answering::blocking;
use crate::builder::{Json, JsonResult};
use crate::error::HttpError;
use crate::keys;
use axum::extract::Extension;
use decklaw_play::matches::Randomness;
use serde_json::json;
use std::sync::Arc;

/// `POST /api/t/ID/KEY/next`: opens the table of the next game, once, and answers with its address.
pub(crate) async fn open(Extension(at): Extension<AtTable>) -> JsonResult {
    at.player()?;
    let table = &at.table;
    if at.tables.file_of(table).is_some() {
        return Err(HttpError::new(
            422,
            "This match is in a file, and its next game needs a file of its own.",
            "`decklaw match next FILE --won SEAT --to NEXT` makes it, and `decklaw match play NEXT` plays it.",
        )
        .into());
    }
    let (memory, live) = locked(&at.app, table).await?;
    if let Some(next) = &live.next {
        return Ok(Json(json!({"to": path(next, &at.key)})));
    }
    let (state, old) = (Arc::clone(table), Arc::clone(&live));
    let made = blocking(move || {
        let (Stage::Game(play), Some(ended)) = (&old.stage, &old.ended) else {
            return Err(HttpError::new(422, "This game is not over.", ""));
        };
        let chance = match &old.secret {
            Some(secret) => secret.after(&play.inputs)?,
            None => Randomness::from_system()?,
        };
        let next = play.next_game(&state.rules.1.game(), ended.won, chance)?;
        Live::new(Stage::Setup(Box::new(next)), old.secret.clone()).stored(None)
    });
    let id = keys::name(10)?;
    let mut row = TableRow {
        id: id.clone(),
        format: table.rules.1.format.clone(),
        title: table.title.clone(),
        // The link of a seat opens it at every table of the match.
        keys: serde_json::to_string(&table.keys).map_err(|_| HttpError::defect())?,
        opened_by: None,
        state: made.await?,
    };
    let mut live = Live::clone(&live);
    live.next = Some(id.clone());
    live.changed();
    let from = table.id.clone();
    let stored = at.store(memory, live, move |data| {
        let sql = "select opened_by from sitting where id = ?1";
        row.opened_by = data.query_row(sql, [from], |row| row.get(0))?;
        Ok(row.insert(data)?)
    });
    stored.await?;
    Ok(Json(json!({"to": path(&id, &at.key)})))
}
