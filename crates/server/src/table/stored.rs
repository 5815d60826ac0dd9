//! A table as it is on the disk: what is written with every change, and read again.

use super::acts::Ended;
use super::deal::Secret;
use super::lobby::Gathering;
use super::{Alone, Held, Live, Seated, Stage, Swaps, Table, off, seated};
use crate::Shared;
use crate::clock::now;
use crate::store::Fault;
use crate::trouble::Trouble;
use decklaw_ask::CardRenderer;
use decklaw_core::query::Query;
use decklaw_play::matches::Unproved;
use rusqlite::{Connection, OptionalExtension, params};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::Arc;
use tokio::sync::{Mutex, watch};

/// How a table stands, column by column.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Standing {
    stage: String,
    file: String,
    sealed: String,
    ended: Option<String>,
    next: Option<String>,
    secret: Option<String>,
}

fn written<T: Serialize>(what: &T) -> Result<String, Trouble> {
    serde_json::to_string(what).map_err(|_| Trouble::defect())
}

fn whole<T: DeserializeOwned>(text: &str) -> Result<T, Trouble> {
    serde_json::from_str(text).map_err(|_| Trouble::damaged("table"))
}

impl Live {
    /// What is written of it.
    ///
    /// # Errors
    /// None in practice.
    pub(super) fn kept(&self) -> Result<Standing, Trouble> {
        let (stage, file) = match &self.stage {
            Stage::Gathering(gathering) => ("gathering", written(gathering)?),
            Stage::Setup(made) => ("setup", made.to_json_line()),
            Stage::Game(play) => ("game", play.to_json_line()),
        };
        Ok(Standing {
            stage: stage.to_owned(),
            file,
            sealed: written(&self.sealed)?,
            ended: self.ended.as_ref().map(written).transpose()?,
            next: self.next.clone(),
            secret: self.secret.as_ref().map(written).transpose()?,
        })
    }

    /// What was written of it: it was proved when it was made, and is proved again, as any file is.
    fn read(standing: &Standing, rev: i64, rules: &Seated) -> Result<Live, Trouble> {
        let game = rules.1.game();
        let damaged = |error: decklaw_play::matches::MatchError| {
            let told = format!("This table cannot be read any more: {error}");
            Trouble::new(500, told, "")
        };
        let file = standing.file.as_bytes();
        let made = || -> Result<_, Trouble> {
            let read = Unproved::read(file).map_err(damaged)?;
            Ok(Box::new(read.verify(&game).map_err(damaged)?))
        };
        let stage = match standing.stage.as_str() {
            "gathering" => Stage::Gathering(Box::new(whole::<Gathering>(&standing.file)?)),
            "setup" => Stage::Setup(made()?),
            "game" => Stage::Game(made()?),
            _ => return Err(Trouble::damaged("table")),
        };
        Ok(Live {
            rev,
            stage,
            sealed: whole(&standing.sealed)?,
            asked: None,
            secret: standing
                .secret
                .as_deref()
                .map(whole::<Secret>)
                .transpose()?,
            ended: standing.ended.as_deref().map(whole::<Ended>).transpose()?,
            next: standing.next.clone(),
        })
    }
}

/// A table that is new.
pub(super) struct New {
    pub(super) id: String,
    pub(super) format: String,
    pub(super) title: String,
    /// The digests of its keys, as JSON.
    pub(super) keys: String,
    /// The address of the visitor who opens it; `None`: whoever runs the server.
    pub(super) by: Option<String>,
    pub(super) standing: Standing,
}

impl New {
    /// Writes it; one that is there already stays as it is.
    pub(super) fn write(&self, data: &Connection) -> rusqlite::Result<()> {
        let Standing {
            stage,
            file,
            sealed,
            ended,
            next,
            secret,
        } = &self.standing;
        data.execute(
            "insert into sitting (id, at, opened_by, format, title, keys, stage, file, rev, sealed, ended, next, secret)
             values (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, 1, ?9, ?10, ?11, ?12) on conflict do nothing",
            params![self.id, now(), self.by, self.format, self.title, self.keys, stage, file, sealed, ended, next, secret],
        )?;
        Ok(())
    }
}

/// Writes how a table stands over the state of a number.
///
/// # Errors
/// That somebody changed it in between.
pub(super) fn update(
    data: &Connection,
    id: &str,
    (before, rev): (i64, i64),
    standing: &Standing,
) -> Result<(), Fault> {
    let Standing {
        stage,
        file,
        sealed,
        ended,
        next,
        secret,
    } = standing;
    let changed = data.execute(
        "update sitting set at = ?3, stage = ?4, file = ?5, rev = ?6, sealed = ?7, ended = ?8, next = ?9, secret = ?10
         where id = ?1 and rev = ?2",
        params![id, before, now(), stage, file, rev, sealed, ended, next, secret],
    )?;
    match changed {
        1 => Ok(()),
        _ => Err(Trouble::busy().into()),
    }
}

impl Table {
    /// Writes something of the table.
    ///
    /// # Errors
    /// As [`Store::write`](crate::store::Store::write).
    pub(super) async fn write<T: Send + 'static>(
        &self,
        app: &Shared,
        write: impl FnOnce(&Connection) -> Result<T, Fault> + Send + 'static,
    ) -> Result<T, Trouble> {
        app.store.write(write).await
    }
}

/// A table as it is on the disk.
///
/// # Errors
/// That there is none of this id, or that it is damaged.
pub(super) async fn read(app: &Shared, id: &str) -> Result<Table, Trouble> {
    type Row = (String, String, String, i64, Standing);
    let asked = id.to_owned();
    let row: Option<Row> = app
        .store
        .read(move |data| {
            let sql = "select format, title, keys, rev, stage, file, sealed, ended, next, secret from sitting where id = ?1";
            let row = |row: &rusqlite::Row<'_>| {
                let standing = Standing {
                    stage: row.get(4)?,
                    file: row.get(5)?,
                    sealed: row.get(6)?,
                    ended: row.get(7)?,
                    next: row.get(8)?,
                    secret: row.get(9)?,
                };
                Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?, standing))
            };
            Ok(data.query_row(sql, [asked], row).optional()?)
        })
        .await?;
    let Some((format, title, keys, rev, standing)) = row else {
        return Err(Trouble::none("such table"));
    };
    let (state, id) = (Arc::clone(app), id.to_owned());
    let read = off(move || {
        let judge = state.bench.library.judge()?;
        let rules = seated(&judge, &format)?;
        let keys: BTreeMap<String, String> = whole(&keys)?;
        // A table for one has one seat and no onlookers.
        let (alone, rules) = match keys.len() {
            1 => {
                let draws = judge.draws(rules.0.format().game().id())?;
                (Some(Alone(draws)), super::terms::alone(rules))
            }
            _ => (None, rules),
        };
        let live = Live::read(&standing, rev, &rules)?;
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
            looks: CardRenderer::of(&judge.judge, Arc::clone(&rules.0)).ok(),
            alone,
            changes: watch::Sender::new(live.rev),
            held: Mutex::new(Held {
                live,
                unsure: false,
            }),
            rules,
        })
    });
    read.await
}
