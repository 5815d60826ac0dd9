//! The next game of the same match, at a table of its own: the one before it stays to be dealt again.

use super::stored::{New, update};
use super::{Live, Opened, Stage, off, path, standing};
use crate::builder::{Json, JsonResult};
use crate::store::Fault;
use crate::trouble::Trouble;
use crate::{Shared, keys};
use axum::extract::{Extension, State};
use decklaw_play::matches::Randomness;
use rusqlite::{Connection, params};
use serde_json::json;
use std::sync::Arc;

/// `POST /api/t/ID/KEY/next`: lays the next game, once, and says where.
pub(in super::super) async fn lay(
    State(app): State<Shared>,
    Extension(opened): Extension<Opened>,
) -> JsonResult {
    opened.player()?;
    let Opened { table, key, .. } = opened;
    if app
        .played
        .as_ref()
        .is_some_and(|played| played.id == table.id)
    {
        return Err(Trouble::new(
            422,
            "This match is kept in a file, and so is its next game.",
            "`decklaw match next FILE --won SEAT --to NEXT` makes it, and `decklaw match play NEXT` plays it.",
        )
        .into());
    }
    let (mut held, mut before) = standing(&app, &table).await?;
    if let Some(next) = &before.next {
        return Ok(Json(json!({"to": path(next, &key)})));
    }
    let (state, old) = (Arc::clone(&table), before.clone());
    let made = off(move || {
        let (Stage::Game(play), Some(ended)) = (&old.stage, &old.ended) else {
            return Err(Trouble::new(422, "This game is not over.", ""));
        };
        let refuse = |error: decklaw_play::matches::MatchError| Trouble::from(&error);
        let chance = match &old.secret {
            Some(secret) => secret.after(&play.inputs)?,
            None => Randomness::from_system().map_err(refuse)?,
        };
        let next = play.next_game(&state.rules.1.game(), ended.won, chance);
        let next = Stage::Setup(Box::new(next.map_err(refuse)?));
        Live::new(next, old.secret)?.kept()
    });
    let id = keys::name(10).map_err(Trouble::from)?;
    let mut new = New {
        id: id.clone(),
        format: table.rules.1.format.clone(),
        title: table.title.clone(),
        // Whoever has the link of a seat has it at every table of the match.
        keys: serde_json::to_string(&table.keys).map_err(|_| Trouble::defect())?,
        by: None,
        standing: made.await?,
    };
    let rev = before.rev;
    before.next = Some(id.clone());
    before.rev += 1;
    let (from, now) = (table.id.clone(), before.kept()?);
    let revs = (rev, before.rev);
    // Until it is known what came of the writing, memory is not believed.
    held.unsure = true;
    let write = move |data: &Connection| -> Result<(), Fault> {
        let by = "select opened_by from sitting where id = ?1";
        new.by = data.query_row(by, params![from], |row| row.get(0))?;
        new.write(data)?;
        update(data, &from, revs, &now)
    };
    table.write(&app, write).await?;
    held.live = before;
    held.unsure = false;
    table.changes.send_replace(held.live.rev);
    Ok(Json(json!({"to": path(&id, &key)})))
}
