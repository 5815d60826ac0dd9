//! A table on the disk: written with every change, and read again.

use super::deal::Secret;
use super::{Live, Memory, PlayedRules, SoloDraw, Stage, Swaps, Table, seated};
use crate::answering::blocking;
use crate::app::Shared;
use crate::error::HttpError;
use crate::store::now;
use decklaw_ask::CardRenderer;
use decklaw_cards::query::Query;
use decklaw_play::look::{Look, Mat};
use decklaw_play::matches::{Entry, MatchError, MatchLog, UnverifiedMatch};
use rusqlite::{Connection, OptionalExtension, named_params, params};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::collections::BTreeMap;
use std::sync::Arc;
use tokio::sync::{Mutex, watch};

/// The state of a table, column by column.
#[derive(Debug)]
pub(crate) struct StoredState {
    stage: String,
    /// The match file; `None`: it stays as it is, and only moves are added.
    file: Option<String>,
    /// Moves since the file was written, each with its place among all.
    moves: Vec<(i64, String)>,
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
    /// What is written of it, over what is written of `before`.
    pub(super) fn stored(&self, before: Option<&Live>) -> Result<StoredState, HttpError> {
        let mut moves = Vec::new();
        let (stage, file) = match (&self.stage, before.map(|before| &before.stage)) {
            (Stage::Game(play), Some(Stage::Game(before))) => {
                let new = (0_i64..).zip(play.moves()).skip(before.moves().len());
                for (number, done) in new {
                    moves.push((number, written(&**done)?));
                }
                ("game", None)
            }
            (Stage::Gathering(gathering), _) => ("gathering", Some(written(gathering)?)),
            (Stage::Setup(made), _) => ("setup", Some(made.to_json_line())),
            (Stage::Game(play), _) => ("game", Some(play.to_json_line())),
        };
        Ok(StoredState {
            stage: stage.to_owned(),
            file,
            moves,
            rev: self.rev,
            sealed: written(&self.sealed)?,
            ended: self.ended.as_ref().map(written).transpose()?,
            next: self.next.clone(),
            secret: self.secret.as_ref().map(written).transpose()?,
        })
    }

    /// Reads what was written. A match is verified again, as any file is, and its moves are made
    /// again.
    fn read(
        state: &StoredState,
        rules: &PlayedRules,
        mat: Option<&Mat>,
    ) -> Result<Live, HttpError> {
        let damaged = |error: MatchError| {
            let message = format!("This table cannot be read any more: {error}");
            HttpError::new(500, message, "")
        };
        let file = state.file.as_deref().unwrap_or_default();
        let made = || -> Result<_, HttpError> {
            let game = rules.1.game();
            let read = UnverifiedMatch::read(file.as_bytes()).map_err(damaged)?;
            let made = read.verify(&game).map_err(damaged)?;
            let mut moves = Vec::new();
            for (_, text) in &state.moves {
                moves.push(Entry::Move(parsed(text)?));
            }
            Ok(Box::new(made.go_on(&game, moves, None).map_err(damaged)?))
        };
        let mut live = Live {
            rev: state.rev,
            played: state.rev,
            stage: match state.stage.as_str() {
                "gathering" => Stage::Gathering(Box::new(parsed(file)?)),
                "setup" => Stage::Setup(made()?),
                "game" => Stage::Game(made()?),
                _ => return Err(HttpError::damaged("table")),
            },
            sealed: parsed(&state.sealed)?,
            log: MatchLog::default(),
            said: BTreeMap::new(),
            secret: state.secret.as_deref().map(parsed::<Secret>).transpose()?,
            ended: state.ended.as_deref().map(parsed).transpose()?,
            next: state.next.clone(),
        };
        live.keep_log(rules, mat)?;
        Ok(live)
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
    pub(super) fn insert(&self, data: &Connection) -> rusqlite::Result<()> {
        data.execute(
            "insert into sitting (id, at, opened_by, format, title, keys, stage, file, rev)
             values (:id, '', :opened_by, :format, :title, :keys, '', '', 0) on conflict do nothing",
            named_params! {
                ":id": self.id, ":opened_by": self.opened_by, ":format": self.format,
                ":title": self.title, ":keys": self.keys,
            },
        )?;
        write(data, &self.id, 0, &self.state).map(drop)
    }
}

/// Writes the state of a table over the one with the number `before`; `false`: somebody changed it
/// in between.
pub(super) fn write(
    data: &Connection,
    id: &str,
    before: i64,
    state: &StoredState,
) -> rusqlite::Result<bool> {
    let changed = data.execute(
        "update sitting set at = :at, stage = :stage, file = coalesce(:file, file), rev = :rev,
         sealed = :sealed, ended = :ended, next = :next, secret = :secret
         where id = :id and rev = :before",
        named_params! {
            ":id": id, ":before": before, ":at": now(), ":stage": state.stage,
            ":file": state.file, ":rev": state.rev, ":sealed": state.sealed,
            ":ended": state.ended, ":next": state.next, ":secret": state.secret,
        },
    )?;
    if changed != 1 {
        return Ok(false);
    }
    if state.file.is_some() {
        data.execute("delete from sitting_move where sitting = ?1", [id])?;
    }
    for (number, done) in &state.moves {
        let sql = "insert into sitting_move (sitting, number, move) values (?1, ?2, ?3)";
        data.execute(sql, params![id, number, done])?;
    }
    Ok(true)
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
                file: Some(row.get(4)?),
                moves: Vec::new(),
                rev: row.get(5)?,
                sealed: row.get(6)?,
                ended: row.get(7)?,
                next: row.get(8)?,
                secret: row.get(9)?,
            };
            Ok((row.get(0)?, row.get(1)?, row.get(2)?, state))
        };
        let mut found: Option<Row> = data.query_row(sql, [&asked], row).optional()?;
        if let Some((.., state)) = &mut found {
            let sql = "select number, move from sitting_move where sitting = ?1 order by number";
            let mut moves = data.prepare(sql)?;
            let moves = moves.query_map([&asked], |row| Ok((row.get(0)?, row.get(1)?)))?;
            state.moves = moves.collect::<Result<_, _>>()?;
        }
        Ok(found)
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
        let format = rules.0.format();
        let look = Look::of(judge.catalogue(), format.game());
        let mat = look.map_err(|error| HttpError::wrong(error.to_string()))?.mat(format);
        let live = Live::read(&state, &rules, mat.as_ref())?;
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
            memory: Mutex::new(Memory { live: Arc::new(live), is_unsure: false }),
            rules,
        })
    });
    read.await
}
