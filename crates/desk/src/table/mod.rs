//! Tables: a match that people play, each in a browser of their own.
//!
//! A table is a match file and then a play file, kept with every move. Nobody is sent more than
//! the seat sees whose key they have: what leaves is made in `told`, of a view and a log that
//! are that seat's, and of nothing else. The judge's copy leaves when all say that the game is
//! over, so that everybody can deal it again.

mod acts;
pub(super) mod create;
pub(super) mod played;
pub(super) mod position;
mod rules;
mod said;
pub(super) mod seat;
mod shares;

use self::rules::Swaps;
pub(super) use self::rules::{Seated, seated};
use self::said::Said;
use self::shares::Shares;
use super::desk::closed;
use super::guard::own_path;
use super::guard::set_cookie;
use super::looks::Looks;
use super::store::Fault;
use super::trouble::Trouble;
use super::who::Who;
use super::{Shared, keys};
use axum::extract::{Extension, Path, State};
use axum::http::header;
use axum::response::{IntoResponse, Redirect, Response};
use decklaw_table::matches::{Match, Move, Play, Reader, SeatId, Unproved, UnprovedPlay};
use rusqlite::{OptionalExtension, params};
use serde_json::Value;
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;
use tokio::sync::{Mutex, MutexGuard, watch};

/// The most tables that are kept in memory; others are read again when they are asked for.
const MOST: usize = 200;

/// What a table is at: the shares of its seed, its setup, or the game.
#[derive(Debug, Clone)]
enum Stage {
    /// The match by the machine's own share, until those of all seats are shown; nothing of its
    /// cards is told.
    Shares(Box<Match>),
    Setup(Box<Match>),
    Game(Box<Play>),
}

/// What a seat wants that others must agree to.
#[derive(Debug, Clone)]
struct Asked {
    by: SeatId,
    what: What,
    /// Who has not agreed yet.
    needs: Vec<SeatId>,
    /// What is asked, for people.
    told: String,
}

/// What can be agreed to.
#[derive(Debug, Clone)]
enum What {
    Move(Move),
    Decide(Value),
    /// That all bring new shares, and who agrees to it.
    Anew(Vec<SeatId>),
    /// That the game is over, and how it ended.
    End(String),
}

/// A table as it stands.
#[derive(Debug, Clone)]
struct Live {
    /// Counts every change.
    rev: i64,
    stage: Stage,
    /// What opens the secret choices that are sealed so far.
    sealed: BTreeMap<SeatId, Value>,
    asked: Option<Asked>,
    /// What the seats brought to the seed; `None` where the machine alone made it.
    shares: Option<Shares>,
    /// How the game ended; then its secret is everybody's.
    ended: Option<String>,
    /// The form of what each seat did last.
    done: BTreeMap<SeatId, String>,
    /// What was said at the table. It is no part of the game, and counts no change of it.
    said: Said,
}

impl Live {
    fn file(&self) -> String {
        match &self.stage {
            Stage::Shares(made) | Stage::Setup(made) => made.to_json_line(),
            Stage::Game(play) => play.to_json(),
        }
    }

    /// The file as people keep it, and whether it is a play file.
    fn own_file(&self) -> (String, bool) {
        match &self.stage {
            Stage::Shares(made) | Stage::Setup(made) => (made.to_json(), false),
            Stage::Game(play) => (play.to_json(), true),
        }
    }
}

/// A table.
pub(super) struct Table {
    id: String,
    title: String,
    keys: BTreeMap<String, String>,
    rules: Seated,
    /// How its cards look; `None`: the file that says it is wrong, and a game goes on without.
    looks: Option<Looks>,
    swaps: Swaps,
    held: Mutex<Held>,
    changes: watch::Sender<Seen>,
}

/// How far a page has seen a table: the number of its state, and how much was said.
type Seen = (i64, usize);

impl Live {
    fn seen(&self) -> Seen {
        (self.rev, self.said.count())
    }
}

/// What memory holds of a table.
struct Held {
    live: Live,
    /// Whether the disk may know another state: something was being written, and nobody has
    /// heard what came of it.
    unsure: bool,
}

/// The tables that are in memory.
#[derive(Default)]
pub(super) struct Tables(std::sync::Mutex<HashMap<String, Arc<Table>>>);

/// A table that somebody was let to, and as whom.
#[derive(Clone)]
pub(super) struct Opened {
    table: Arc<Table>,
    reader: Reader,
}

/// Who reads at a place of a table's address.
fn reader(seat: &str) -> Option<Reader> {
    match seat {
        "onlooker" => Some(Reader::Public),
        letter => SeatId::parse(letter).map(Reader::Seat),
    }
}

fn cookie(table: &str, seat: &str) -> String {
    format!("decklaw-seat-{table}-{seat}")
}

/// A table as it stands, for as long as nobody else changes it. Where memory and the disk may
/// disagree, it is read from the disk anew.
async fn standing<'t>(
    app: &Shared,
    table: &'t Table,
) -> Result<(MutexGuard<'t, Held>, Live), Trouble> {
    let mut held = table.held.lock().await;
    if held.unsure {
        let kept = read(app, &table.id).await?.held.into_inner().live;
        // What is asked of others is in memory alone; it stands as long as the state does.
        if kept.seen() != held.live.seen() {
            table.changes.send_replace(kept.seen());
            held.live = kept;
        }
        held.unsure = false;
    }
    let live = held.live.clone();
    Ok((held, live))
}

/// A format as matches need it.
async fn seats_of(app: &Shared, format: &str) -> Result<Seated, Trouble> {
    let (app, format) = (Arc::clone(app), format.to_owned());
    off(move || seated(&*app.site.own()?, &format)).await
}

/// Does something with what the server itself keeps, off the threads that talk to clients.
async fn off<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, Trouble> + Send + 'static,
) -> Result<T, Trouble> {
    let done = tokio::task::spawn_blocking(work).await;
    done.unwrap_or_else(|_| Err(Trouble::defect()))
}

/// The table of an id.
async fn find(app: &Shared, id: &str) -> Result<Arc<Table>, Trouble> {
    let known = |tables: &HashMap<String, Arc<Table>>| tables.get(id).cloned();
    let lock = || {
        let tables = app.tables.0.lock();
        tables.unwrap_or_else(std::sync::PoisonError::into_inner)
    };
    if let Some(table) = known(&lock()) {
        return Ok(table);
    }
    let table = read(app, id).await?;
    let mut tables = lock();
    if tables.len() >= MOST {
        // Whoever sits at one holds it.
        tables.retain(|_, table| Arc::strong_count(table) > 1);
    }
    let table = tables
        .entry(table.id.clone())
        .or_insert_with(|| Arc::new(table));
    Ok(Arc::clone(table))
}

/// A table as it is on the disk.
async fn read(app: &Shared, id: &str) -> Result<Table, Trouble> {
    type Word = Option<String>;
    type Row = (
        String,
        String,
        String,
        String,
        i64,
        String,
        Word,
        Word,
        String,
        String,
    );
    let asked = id.to_owned();
    let row: Option<Row> = app
        .store
        .read(move |data| {
            let sql =
                "select format, title, keys, file, rev, sealed, ended, shares, done, said from sitting where id = ?1";
            let row = |row: &rusqlite::Row<'_>| {
                Ok((
                    row.get(0)?,
                    row.get(1)?,
                    row.get(2)?,
                    row.get(3)?,
                    row.get(4)?,
                    row.get(5)?,
                    row.get(6)?,
                    row.get(7)?,
                    row.get(8)?,
                    row.get(9)?,
                ))
            };
            Ok(data.query_row(sql, [asked], row).optional()?)
        })
        .await?;
    let Some((format, title, keys, file, rev, sealed, ended, shares, done, said)) = row else {
        return Err(Trouble::none("such table"));
    };
    let (state, id) = (Arc::clone(app), id.to_owned());
    // What was kept was proved when it was made; it is proved again, as any file is.
    let read = off(move || {
        let judge = state.site.own()?;
        let rules = seated(&judge, &format)?;
        let looks = Looks::of(&judge, Arc::clone(&rules.0)).ok();
        let game = rules.1.game();
        let damaged = |error: decklaw_table::matches::MatchError| {
            Trouble::new(
                500,
                format!("This table cannot be read any more: {error}"),
                "",
            )
        };
        let whole = |_| Trouble::damaged("table");
        let shares: Option<Shares> = match shares {
            Some(shares) => Some(serde_json::from_str(&shares).map_err(whole)?),
            None => None,
        };
        let stage = match UnprovedPlay::is_one(file.as_bytes()) {
            true => {
                let read = UnprovedPlay::read(file.as_bytes()).map_err(damaged)?;
                Stage::Game(Box::new(read.verify(&game).map_err(damaged)?))
            }
            false => {
                let read = Unproved::read(file.as_bytes()).map_err(damaged)?;
                let made = Box::new(read.verify(&game).map_err(damaged)?);
                match made.inputs.randomness.contributions.is_none() && shares.is_some() {
                    true => Stage::Shares(made),
                    false => Stage::Setup(made),
                }
            }
        };
        let live = Live {
            rev,
            stage,
            sealed: serde_json::from_str(&sealed).map_err(whole)?,
            asked: None,
            shares,
            ended,
            done: serde_json::from_str(&done).map_err(whole)?,
            said: serde_json::from_str(&said).map_err(whole)?,
        };
        Ok(Table {
            id,
            title,
            keys: serde_json::from_str(&keys).map_err(whole)?,
            swaps: Swaps(Arc::clone(&rules.0)),
            looks,
            changes: watch::Sender::new(live.seen()),
            held: Mutex::new(Held {
                live,
                unsure: false,
            }),
            rules,
        })
    });
    read.await
}

/// Lets to a place at a table who has its key; or says with a page what is needed.
pub(super) async fn open(
    app: &Shared,
    who: &Who,
    id: &str,
    seat: &str,
) -> Result<Opened, Response> {
    let table = find(app, id).await.map_err(IntoResponse::into_response)?;
    let (Some(reader), Some(key)) = (reader(seat), table.keys.get(seat)) else {
        return Err(Trouble::none("such seat").into_response());
    };
    let brought = who.cookie(&cookie(id, seat)).map(keys::kept);
    let brought = brought.map(|key| decklaw_core::digest::hex(&key));
    match brought.is_some_and(|brought| keys::same(brought.as_bytes(), key.as_bytes())) {
        true => Ok(Opened { table, reader }),
        false => Err(closed(
            &format!("/t/{id}/{seat}/enter"),
            "A seat at a table opens with its own link.",
            who,
        )),
    }
}

/// `POST /t/ID/SEAT/enter`: a seat's key, kept as a cookie.
pub(super) async fn enter(
    State(app): State<Shared>,
    Extension(who): Extension<Who>,
    Extension(fields): Extension<super::guard::Fields>,
    Path((id, seat)): Path<(String, String)>,
) -> Result<Response, Trouble> {
    app.may_try(&who)?;
    let table = find(&app, &id).await?;
    let typed: String = fields
        .text("key")
        .chars()
        .filter(char::is_ascii_alphanumeric)
        .collect();
    let kept = decklaw_core::digest::hex(&keys::kept(&typed));
    let known = table.keys.get(&seat);
    if !known.is_some_and(|known| keys::same(known.as_bytes(), kept.as_bytes())) {
        return Err(Trouble::new(
            403,
            "That is not the key of this seat.",
            "Look at the link again; whoever laid the table has one for each seat.",
        ));
    }
    let cookie = set_cookie(&app, &cookie(&id, &seat), &typed, "/", 30);
    let path = format!("/t/{id}/{seat}");
    let next = fields.text("next");
    let to = if next.starts_with(&path) {
        own_path(next)
    } else {
        path
    };
    Ok(([(header::SET_COOKIE, cookie)], Redirect::to(&to)).into_response())
}

/// Keeps how a table stands, if nobody changed it in between, and tells all who look.
async fn keep(app: &Shared, table: &Table, before: i64, live: &Live) -> Result<(), Trouble> {
    if let Some(played) = app.played.clone().filter(|played| played.id == table.id) {
        let (text, begun) = live.own_file();
        let written = tokio::task::spawn_blocking(move || (played.write)(&text, begun));
        let written = written.await.map_err(|_| Trouble::defect())?;
        written.map_err(|why| Trouble::new(507, format!("Nothing of this was kept: {why}"), ""))?;
    }
    let sealed = serde_json::to_string(&live.sealed).map_err(|_| Trouble::defect())?;
    let shares = live.shares.as_ref().map(serde_json::to_string);
    let shares = shares.transpose().map_err(|_| Trouble::defect())?;
    let done = serde_json::to_string(&live.done).map_err(|_| Trouble::defect())?;
    let (id, file, rev, ended) = (table.id.clone(), live.file(), live.rev, live.ended.clone());
    app.store
        .write(move |data| {
            let sql = "update sitting set file = ?2, rev = ?3, sealed = ?4, ended = ?5, at = ?6, shares = ?8, done = ?9
                       where id = ?1 and rev = ?7";
            let at = super::clock::now();
            let changed = data.execute(sql, params![id, file, rev, sealed, ended, at, before, shares, done])?;
            match changed {
                1 => Ok(()),
                _ => Err(Fault::Said(Trouble::busy())),
            }
        })
        .await
}
