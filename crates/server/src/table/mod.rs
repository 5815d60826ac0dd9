//! Tables: a match that people play, each in a browser of their own.
//!
//! A table gathers its players' decks, and is then a match file, kept with every move.
//! Nobody is sent more than the seat sees at which their browser sits: what leaves is made in
//! `view`, of a view and a log that are that seat's, and of nothing else. The judge's copy leaves
//! when all say that the game is over, so that everybody can deal it again.

mod acts;
pub(super) mod create;
pub(crate) mod deal;
pub(super) mod lobby;
pub(super) mod next;
pub(super) mod opening;
pub(super) mod played;
pub(super) mod seat;
mod stored;
pub(super) mod terms;
pub(super) mod view;

use self::acts::Ended;
use self::deal::Secret;
use self::lobby::Gathering;
use self::stored::{read, update};
use super::trouble::Trouble;
use super::{Shared, keys};
use decklaw_ask::{CardRenderer, JudgeEntry};
use decklaw_core::digest::hex;
use decklaw_core::format::Rulebook;
use decklaw_core::format::display::Mat;
use decklaw_core::query::Query;
use decklaw_engine::odds::OddsDefaults;
use decklaw_play::matches::{Decision, Match, MatchRules, Move, Reader, SeatId, Swaps};
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
    Game(Box<Match>),
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
    Decide(Decision),
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
    sealed: BTreeMap<SeatId, Decision>,
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
            Stage::Setup(made) | Stage::Game(made) => Some(made.to_json()),
        }
    }
}

/// A format with its card pool, and what its matches are played by.
pub(crate) type Seated = (Arc<Rulebook>, MatchRules);

/// A format as matches need it.
///
/// # Errors
/// An unknown one, or one whose file says nothing about setup.
pub(crate) fn seated(judge: &JudgeEntry, format: &str) -> Result<Seated, Trouble> {
    let book = judge.rules(format)?;
    let rules = MatchRules::of_format(book.format());
    let rules = rules.map_err(|error| Trouble::wrong(error.to_string()))?;
    let rules = rules.ok_or_else(|| {
        let id = book.format().id();
        Trouble::wrong(format!(
            "The format file of {id} does not say how a match starts."
        ))
    })?;
    Ok((book, rules))
}

/// A table.
pub(super) struct Table {
    id: String,
    title: String,
    /// Of each place the SHA-256 of its key.
    keys: BTreeMap<String, String>,
    rules: Seated,
    /// How it is laid out, where the game says so.
    mat: Option<Mat>,
    /// The zones that take cards of a query.
    takes: Vec<(String, Query)>,
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

/// A place at a table, and the key that opens it.
#[derive(Clone)]
pub(super) struct Opened {
    table: Arc<Table>,
    reader: Reader,
    key: String,
}

impl Opened {
    /// The seat; an onlooker has none.
    fn seat(&self) -> Option<SeatId> {
        match self.reader {
            Reader::Seat(seat) => Some(seat),
            Reader::Public => None,
        }
    }

    /// The seat of a player.
    ///
    /// # Errors
    /// That an onlooker does not play.
    fn player(&self) -> Result<SeatId, Trouble> {
        self.seat()
            .ok_or_else(|| Trouble::new(403, "An onlooker does not play.", ""))
    }
}

/// The place in `keys` of those who look on.
const ONLOOKER: &str = "onlooker";

/// Where a place at a table is: whoever has the address may do what the place may.
fn path(id: &str, key: &str) -> String {
    format!("/t/{id}/{key}")
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

/// The place at a table that a key opens.
///
/// # Errors
/// No such table, or no such key.
pub(super) async fn open(app: &Shared, id: &str, key: &str) -> Result<Opened, Trouble> {
    let table = find(app, id).await?;
    let digest = hex(&keys::kept(key));
    let place = table
        .keys
        .iter()
        .find(|(_, kept)| keys::same(kept.as_bytes(), digest.as_bytes()));
    let reader = match place.map(|(place, _)| place.as_str()) {
        Some(ONLOOKER) => Some(Reader::Public),
        Some(letter) => SeatId::parse(letter).map(Reader::Seat),
        None => None,
    };
    let Some(reader) = reader else {
        return Err(Trouble::new(
            404,
            "This link opens no seat.",
            "Copy the whole link again, or ask the player who opened the table for a new one.",
        ));
    };
    Ok(Opened {
        table,
        reader,
        key: key.to_owned(),
    })
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
