//! Tables: a match that people play, each in a browser of their own.
//!
//! A table gathers its players' decks, and is then a match file, kept with every move.
//! Nobody is sent more than the seat sees at which their browser sits: what leaves is made in
//! `position`, of a view and a log that are that seat's, and of nothing else. The judge's copy leaves
//! when all say that the game is over, so that everybody can deal it again.

mod acts;
pub(super) mod chairs;
pub(super) mod create;
pub(crate) mod deal;
pub(super) mod found;
pub(super) mod gather;
mod kept;
pub(super) mod next;
pub(super) mod opening;
pub(super) mod played;
pub(super) mod position;
mod rules;
pub(super) mod seat;
pub(super) mod terms;

use self::acts::Ended;
use self::deal::Secret;
use self::gather::Gathering;
use self::kept::{Short, read, update};
pub(super) use self::rules::{Seated, seated};
use super::desk::closed;
use super::guard::own_path;
use super::trouble::Trouble;
use super::who::Who;
use super::{Shared, keys};
use axum::extract::{Extension, Path, State};
use axum::response::{IntoResponse, Redirect, Response};
use decklaw_ask::CardRenderer;
use decklaw_engine::odds::OddsDefaults;
use decklaw_play::matches::Swaps;
use decklaw_play::matches::{Match, Move, Play, Reader, SeatId};
use serde_json::Value;
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;
use tokio::sync::{Mutex, MutexGuard, watch};

/// The most tables that are kept in memory; others are read again when they are asked for.
const MOST: usize = 200;

/// What a table is at: the decks of its players, its setup, or the game.
#[derive(Debug, Clone)]
enum Stage {
    Gathering(Box<Gathering>),
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
    /// That the game is over, and how it ended.
    End(Ended),
}

/// How the turns of a player alone go.
struct Alone(Arc<OddsDefaults>);

/// A table as it stands.
#[derive(Debug, Clone)]
struct Live {
    /// Counts every change.
    rev: i64,
    stage: Stage,
    /// What opens the secret choices that are sealed so far.
    sealed: BTreeMap<SeatId, Value>,
    asked: Option<Asked>,
    /// What the next games of the match are dealt from; `None` where it follows from nothing that was
    /// shown before.
    secret: Option<Secret>,
    /// How the game ended; then its secret is everybody's.
    ended: Option<Ended>,
    /// The table of the next game.
    next: Option<String>,
}

impl Live {
    /// A table that nobody has done anything at.
    fn new(stage: Stage, secret: Option<Secret>) -> Result<Live, Trouble> {
        let mut live = Live {
            rev: 1,
            stage,
            sealed: BTreeMap::new(),
            asked: None,
            secret,
            ended: None,
            next: None,
        };
        live.begin()?;
        Ok(live)
    }

    /// The match file as people keep it; `None`: there is no match yet.
    fn own_file(&self) -> Option<String> {
        match &self.stage {
            Stage::Gathering(_) => None,
            Stage::Setup(made) => Some(made.to_json()),
            Stage::Game(play) => Some(play.as_match().to_json()),
        }
    }

    /// What the seats are called, and who is waited for.
    fn short(&self) -> Short {
        let seats = self.seats();
        let named = |made: &Match| {
            let seats = made.inputs.seats.iter();
            seats.map(|seat| (seat.seat, seat.name.clone())).collect()
        };
        let (names, waits) = match &self.stage {
            Stage::Gathering(gathering) => (gathering.names(), gathering.missing()),
            Stage::Setup(made) => {
                let asked = made.pending.iter();
                let asked = asked.filter(|pending| self.sealed_for(pending).is_none());
                let asked = asked.map(|pending| pending.get("seat"));
                let asked = asked.map(|seat| seat.and_then(Value::as_str).and_then(SeatId::parse));
                // What is asked of no seat is asked of all.
                let asked: Option<Vec<SeatId>> = asked.collect();
                (named(made), asked.unwrap_or(seats))
            }
            Stage::Game(play) => (named(&play.start), vec![play.now.active]),
        };
        let waits = match &self.asked {
            _ if self.ended.is_some() => Vec::new(),
            Some(asked) => asked.needs.clone(),
            None => waits,
        };
        Short { names, waits }
    }
}

/// A table.
pub(super) struct Table {
    id: String,
    title: String,
    keys: BTreeMap<String, String>,
    rules: Seated,
    /// How its cards look; `None`: the file that says it is wrong, and a game goes on without.
    looks: Option<CardRenderer>,
    swaps: Swaps,
    /// Where one player plays alone: how the game draws.
    alone: Option<Alone>,
    held: Mutex<Held>,
    /// The number of its state.
    changes: watch::Sender<i64>,
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

impl Tables {
    fn lock(&self) -> std::sync::MutexGuard<'_, HashMap<String, Arc<Table>>> {
        let tables = self.0.lock();
        tables.unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    /// Lets tables go that are on the disk no more.
    fn forget(&self, gone: &[String]) {
        let mut tables = self.lock();
        for id in gone {
            tables.remove(id);
        }
    }
}

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
        if kept.rev != held.live.rev {
            table.changes.send_replace(kept.rev);
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
    off(move || seated(&*app.bench.library.judge()?, &format)).await
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
    if let Some(table) = known(&app.tables.lock()) {
        return Ok(table);
    }
    let table = read(app, id).await?;
    let mut tables = app.tables.lock();
    if tables.len() >= MOST {
        // Whoever sits at one holds it.
        tables.retain(|_, table| Arc::strong_count(table) > 1);
    }
    let table = tables
        .entry(table.id.clone())
        .or_insert_with(|| Arc::new(table));
    Ok(Arc::clone(table))
}

/// Lets to a place at a table whose browser sits there; or says with a page what is needed.
pub(super) async fn open(
    app: &Shared,
    who: &Who,
    id: &str,
    seat: &str,
) -> Result<Opened, Response> {
    let refuse = IntoResponse::into_response;
    let table = find(app, id).await.map_err(refuse)?;
    let (Some(reader), true) = (reader(seat), table.keys.contains_key(seat)) else {
        return Err(Trouble::none("such seat").into_response());
    };
    match chairs::sits(app, who, id, seat).await.map_err(refuse)? {
        true => Ok(Opened { table, reader }),
        false => Err(closed(
            &format!("/t/{id}/{seat}/enter"),
            "A seat at a table opens with its own link.",
            who,
        )),
    }
}

/// `POST /t/ID/SEAT/enter`: a seat's key; from then on the browser sits there.
pub(super) async fn enter(
    State(app): State<Shared>,
    Extension(who): Extension<Who>,
    Extension(fields): Extension<super::guard::Fields>,
    Path((id, seat)): Path<(String, String)>,
) -> Result<Response, Trouble> {
    let table = find(&app, &id).await?;
    let kept = decklaw_core::digest::hex(&keys::kept(fields.text("key")));
    let known = table.keys.get(&seat);
    if !known.is_some_and(|known| keys::same(known.as_bytes(), kept.as_bytes())) {
        return Err(Trouble::new(
            403,
            "That is not the key of this seat.",
            "Look at the link again; whoever laid the table has one for each seat.",
        ));
    }
    let path = format!("/t/{id}/{seat}");
    chairs::sit(&app, &who, &id, &seat).await?;
    // Those who are there see that somebody has come.
    table.changes.send_modify(|_| ());
    let next = fields.text("next");
    let to = if next.starts_with(&path) {
        own_path(next)
    } else {
        path
    };
    Ok(Redirect::to(&to).into_response())
}

/// Keeps how a table stands, if nobody changed it in between.
async fn keep(app: &Shared, table: &Table, before: i64, live: &Live) -> Result<(), Trouble> {
    if let Some(played) = app.played.clone().filter(|played| played.id == table.id)
        && let Some(text) = live.own_file()
    {
        let written = tokio::task::spawn_blocking(move || (played.write)(&text));
        let written = written.await.map_err(|_| Trouble::defect())?;
        written.map_err(|why| Trouble::new(507, format!("Nothing of this was kept: {why}"), ""))?;
    }
    let (id, revs, standing) = (table.id.clone(), (before, live.rev), live.kept()?);
    let write = move |data: &rusqlite::Connection| update(data, &id, revs, &standing);
    table.write(app, write).await
}
