//! A table on the disk: written with every change, and read again.

use super::deal::Secret;
use super::{Live, Memory, PlayedRules, SoloDraw, Stage, Swaps, Table, seated};
use crate::answering::blocking;
use crate::app::Shared;
use crate::error::HttpError;
use crate::store::{StoreFault, now};
use decklaw_ask::CardRenderer;
use decklaw_cards::query::Query;
use decklaw_play::matches::{MatchError, UnverifiedMatch};
use rusqlite::{Connection, OptionalExtension, named_params};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::collections::BTreeMap;
use std::sync::Arc;
use tokio::sync::{Mutex, watch};

/// The state of a table, column by column.
#[derive(Debug)]
pub(crate) struct StoredState {
    stage: String,
    file: String,
    rev: i64,
    sealed: String,
    ended: Option<String>,
    next: Option<String>,
    secret: Option<String>,
}

fn written<T: Serialize>(what: &T) -> Result<String, HttpError> {
    serde_json::to_string(what).map_err(|_| HttpError::defect())
}

fn parsed<T: DeserializeOwned>(text: &str) -> Result<T, HttpError> {
    serde_json::from_str(text).map_err(|_| HttpError::damaged("table"))
}

impl Live {
    /// What is written of it.
    ///
    /// # Errors
    /// None in practice.
    pub(super) fn stored(&self) -> Result<StoredState, HttpError> {
        let (stage, file) = match &self.stage {
            Stage::Gathering(gathering) => ("gathering", written(gathering)?),
            Stage::Setup(made) => ("setup", made.to_json_line()),
            Stage::Game(play) => ("game", play.to_json_line()),
        };
        Ok(StoredState {
            stage: stage.to_owned(),
            file,
            rev: self.rev,
            sealed: written(&self.sealed)?,
            ended: self.ended.as_ref().map(written).transpose()?,
            next: self.next.clone(),
            secret: self.secret.as_ref().map(written).transpose()?,
        })
    }

    /// Reads what was written. A match is verified again, as any file is.
    fn read(state: &StoredState, rules: &PlayedRules) -> Result<Live, HttpError> {
        let damaged = |error: MatchError| {
            let message = format!("This table cannot be read any more: {error}");
            HttpError::new(500, message, "")
        };
        let made = || -> Result<_, HttpError> {
            let read = UnverifiedMatch::read(state.file.as_bytes()).map_err(damaged)?;
            Ok(Box::new(read.verify(&rules.1.game()).map_err(damaged)?))
        };
        Ok(Live {
            rev: state.rev,
            stage: match state.stage.as_str() {
                "gathering" => Stage::Gathering(Box::new(parsed(&state.file)?)),
                "setup" => Stage::Setup(made()?),
                "game" => Stage::Game(made()?),
                _ => return Err(HttpError::damaged("table")),
            },
            sealed: parsed(&state.sealed)?,
            request: None,
            secret: state.secret.as_deref().map(parsed::<Secret>).transpose()?,
            ended: state.ended.as_deref().map(parsed).transpose()?,
            next: state.next.clone(),
        })
    }
}

/// A table that is new.
pub(super) struct TableRow {
    pub(super) id: String,
    pub(super) format: String,
    pub(super) title: String,
    /// The digests of its keys, as JSON.
    pub(super) keys: String,
    /// The address of the visitor who opens it; `None`: the host.
    pub(super) opened_by: Option<String>,
    pub(super) state: StoredState,
}

impl TableRow {
    /// Writes it; a row of the same id stays as it is.
    pub(super) fn insert(&self, data: &Connection) -> Result<(), StoreFault> {
        data.execute(
            "insert into sitting (id, at, opened_by, format, title, keys, stage, file, rev)
             values (:id, '', :opened_by, :format, :title, :keys, '', '', 0) on conflict do nothing",
            named_params! {
                ":id": self.id, ":opened_by": self.opened_by, ":format": self.format,
                ":title": self.title, ":keys": self.keys,
            },
        )?;
        write(data, &self.id, 0, &self.state).or_else(|fault| match fault {
            StoreFault::Answer(_) => Ok(()),
            fault => Err(fault),
        })
    }
}

/// Writes the state of a table over the one with the number `before`.
///
/// # Errors
/// That somebody changed it in between.
pub(super) fn write(
    data: &Connection,
    id: &str,
    before: i64,
    state: &StoredState,
) -> Result<(), StoreFault> {
    let changed = data.execute(
        "update sitting set at = :at, stage = :stage, file = :file, rev = :rev, sealed = :sealed,
         ended = :ended, next = :next, secret = :secret where id = :id and rev = :before",
        named_params! {
            ":id": id, ":before": before, ":at": now(), ":stage": state.stage,
            ":file": state.file, ":rev": state.rev, ":sealed": state.sealed,
            ":ended": state.ended, ":next": state.next, ":secret": state.secret,
        },
    )?;
    match changed {
        1 => Ok(()),
        _ => Err(HttpError::busy().into()),
    }
}

/// Reads a table.
///
/// # Errors
/// No table of this id, and one that is damaged.
pub(super) async fn read(app: &Shared, id: &str) -> Result<Table, HttpError> {
    type Row = (String, String, String, StoredState);
    let asked = id.to_owned();
    let row = app.store.read(move |data| {
        let sql = "select format, title, keys, stage, file, rev, sealed, ended, next, secret from sitting where id = ?1";
        let row = |row: &rusqlite::Row<'_>| {
            let state = StoredState {
                stage: row.get(3)?,
                file: row.get(4)?,
                rev: row.get(5)?,
                sealed: row.get(6)?,
                ended: row.get(7)?,
                next: row.get(8)?,
                secret: row.get(9)?,
            };
            Ok((row.get(0)?, row.get(1)?, row.get(2)?, state))
        };
        Ok(data.query_row(sql, [asked], row).optional()?)
    });
    let row: Option<Row> = row.await?;
    let (format, title, keys, state) = row.ok_or_else(|| HttpError::none("such table"))?;
    let (app, id) = (Arc::clone(app), id.to_owned());
    let read = blocking(move || {
        let judge = app.library.judge()?;
        let rules = seated(&judge, &format)?;
        let keys: BTreeMap<String, String> = parsed(&keys)?;
        // A table for one has one seat and no onlookers.
        let (alone, rules) = match keys.len() {
            1 => {
                let draws = judge.draws(rules.0.format().game().id())?;
                (Some(SoloDraw(draws)), super::terms::alone(rules))
            }
            _ => (None, rules),
        };
        let live = Live::read(&state, &rules)?;
        let mat = rules.0.format().mat();
        let zones = mat.iter().flat_map(|mat| &mat.zones);
        let takes = zones.filter_map(|zone| {
            let query = Query::parse(zone.takes.as_deref()?).ok()?;
            Some((zone.id.clone(), query))
        });
        Ok(Table {
            id,
            title,
            keys,
            takes: takes.collect(),
            mat,
            swaps: Swaps(Arc::clone(&rules.0)),
            cards: CardRenderer::of(&judge.judge, Arc::clone(&rules.0)).ok(),
            alone,
            changes: watch::Sender::new(live.rev),
            memory: Mutex::new(Memory { live, is_unsure: false }),
            rules,
        })
    });
    read.await
}
