//! `GET /health`: for machines that watch the server.

use super::Shared;
use super::builder::{Json, JsonResult};
use axum::extract::State;
use serde_json::json;

/// The data can be read.
pub(super) async fn health(State(app): State<Shared>) -> JsonResult {
    let read = app.store.read(|data| {
        Ok(data.query_row("select count(*) from setting", [], |row| {
            row.get::<_, i64>(0)
        })?)
    });
    read.await?;
    Ok(Json(json!({"schema": "decklaw/health/1", "status": "ok"})))
}
