//! Tables: a match that people play, each in a browser of their own.
//!
//! A table gathers its players' decks, and is then a match file that is written with every move.
//! What a browser gets is made in [`view`] from the view and the log of its own seat alone. The
//! whole file leaves the server once every seat has said that the game is over, so that anybody can
//! deal it again.

mod acts;
mod create;
mod deal;
pub(super) mod lobby;
pub(crate) mod match_file;
pub(super) mod next;
pub(super) mod opening;
pub(super) mod seat;
mod stored;
mod terms;
pub(super) mod view;

use self::acts::GameEnd;
use self::deal::Secret;
use self::lobby::Gathering;
use self::match_file::MatchFile;
use self::stored::{read, write};
use crate::actor::{Actor, Visit};
use crate::answering::blocking;
use crate::app::Shared;
use crate::error::HttpError;
use crate::keys;
use decklaw_ask::{CardRenderer, JudgeEntry};
use decklaw_cards::query::Query;
use decklaw_engine::odds::OddsDefaults;
use decklaw_play::look::Mat;
use decklaw_play::matches::{Decision, Match, MatchLog, MatchRules, Reader, SeatId, Swaps};
use decklaw_rules::format::Rulebook;
use decklaw_text::digest::hex;
use std::collections::{BTreeMap, HashMap};
use std::ops::Deref;
use std::sync::Arc;
use tokio::sync::{Mutex, MutexGuard, watch};

/// The most tables that are kept in memory; others are read again when they are asked for.
const MOST: usize = 200;

/// The stage of a table: its players' decks come, the setup, or the game.
#[derive(Debug, Clone)]
enum Stage {
    Gathering(Box<Gathering>),
    Setup(Box<Match>),
    Game(Box<Match>),
}

/// How a player alone draws.
struct SoloDraw(Arc<OddsDefaults>);

/// The state of a table.
#[derive(Debug, Clone)]
struct Live {
    /// Counts every change.
    rev: i64,
    /// The last change that was more than what a seat says of the end.
    played: i64,
    stage: Stage,
    /// What opens the secret choices that are sealed so far.
    sealed: BTreeMap<SeatId, Decision>,
    /// What happened, in words: an answer never folds the match.
    log: MatchLog,
    /// How each seat that said so has the game ended; in memory alone.
    said: BTreeMap<SeatId, GameEnd>,
    /// What the next games of the match are dealt from; `None` where it follows from nothing that
    /// was shown before.
    secret: Option<Secret>,
    /// How the game ended; then its secret is everybody's.
    ended: Option<GameEnd>,
    /// The table of the next game.
    next: Option<String>,
}

impl Live {
    /// A table without any action yet.
    fn new(stage: Stage, secret: Option<Secret>) -> Live {
        let mut live = Live {
            rev: 1,
            played: 1,
            stage,
            sealed: BTreeMap::new(),
            log: MatchLog::default(),
            said: BTreeMap::new(),
            secret,
            ended: None,
            next: None,
        };
        live.begin();
        live
    }

    /// Counts a change.
    fn changed(&mut self) {
        self.rev += 1;
        self.played = self.rev;
    }

    /// Makes the log again, unless it has every entry of the match: decisions are few, and a move
    /// adds its own.
    fn keep_log(&mut self, rules: &PlayedRules, mat: Option<&Mat>) -> Result<(), HttpError> {
        if let Stage::Setup(made) | Stage::Game(made) = &self.stage
            && self.log.len() != made.inputs.decisions.len() + made.moves().len()
        {
            self.log = made.log(&rules.1.setup, mat)?;
        }
        Ok(())
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
pub(crate) type PlayedRules = (Arc<Rulebook>, MatchRules);

/// A format as matches need it.
///
/// # Errors
/// An unknown one, or one whose file says nothing about setup.
pub(crate) fn seated(judge: &JudgeEntry, format: &str) -> Result<PlayedRules, HttpError> {
    let book = judge.rules(format)?;
    let rules = MatchRules::of_format(book.format());
    let rules = rules.map_err(|error| HttpError::wrong(error.to_string()))?;
    let rules = rules.ok_or_else(|| {
        let id = book.format().id();
        HttpError::wrong(format!("The format file of {id} does not say how a match starts."))
    })?;
    Ok((book, rules))
}

/// A table.
pub(super) struct Table {
    id: String,
    title: String,
    /// Of each place the SHA-256 of its key.
    keys: BTreeMap<String, String>,
    rules: PlayedRules,
    /// Its playmat, where the game has one.
    mat: Option<Mat>,
    /// The zones that take cards of a query.
    takes: Vec<(String, Query)>,
    /// Draws its cards; `None` where the game's file about faces is wrong, and a game goes on
    /// without.
    cards: Option<CardRenderer>,
    swaps: Swaps,
    /// Where one player plays alone: how the game draws.
    alone: Option<SoloDraw>,
    memory: Mutex<Memory>,
    /// The number of its state.
    changes: watch::Sender<i64>,
}

/// A table in memory.
struct Memory {
    live: Arc<Live>,
    /// Whether the disk may have another state: a write did not end as it should.
    is_unsure: bool,
}

/// The tables that are in memory.
pub(crate) struct Tables {
    open: std::sync::Mutex<HashMap<String, Arc<Table>>>,
    /// The table of a match file.
    pub(crate) file: Option<MatchFile>,
}

impl Tables {
    pub(crate) fn new(file: Option<MatchFile>) -> Tables {
        Tables { open: std::sync::Mutex::default(), file }
    }

    /// The match file of a table, where it has one.
    fn file_of(&self, table: &Table) -> Option<&MatchFile> {
        self.file.as_ref().filter(|file| file.id == table.id)
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, HashMap<String, Arc<Table>>> {
        let tables = self.open.lock();
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

/// A request from a place at a table.
#[derive(Clone)]
pub(crate) struct AtTable {
    pub(super) visit: Visit,
    tables: Arc<Tables>,
    table: Arc<Table>,
    reader: Reader,
    key: String,
}

impl Deref for AtTable {
    type Target = Visit;
    fn deref(&self) -> &Visit {
        &self.visit
    }
}

impl AtTable {
    /// The seat; an onlooker has none.
    fn seat(&self) -> Option<SeatId> {
        match self.reader {
            Reader::Seat(seat) => Some(seat),
            Reader::Public | Reader::Open => None,
        }
    }

    /// The seat of a player.
    ///
    /// # Errors
    /// That an onlooker does not play.
    fn player(&self) -> Result<SeatId, HttpError> {
        let seat = self.seat();
        seat.ok_or_else(|| HttpError::new(403, "A spectator does not play.", ""))
    }

    /// Writes the next state of the table over the one in memory, and then remembers it. `more`
    /// writes what belongs to it.
    ///
    /// # Errors
    /// Why it was not written.
    async fn store(
        &self,
        mut memory: MutexGuard<'_, Memory>,
        mut next: Live,
        more: impl FnOnce(&rusqlite::Connection) -> Result<(), HttpError> + Send + 'static,
    ) -> Result<(), HttpError> {
        let (table, before) = (&self.table, memory.live.rev);
        next.keep_log(&table.rules, table.mat.as_ref())?;
        let (id, state) = (table.id.clone(), next.stored(Some(&memory.live))?);
        // Until the result of the write is known, memory is not trusted.
        memory.is_unsure = true;
        if self.tables.file_of(table).is_some()
            && let Some(text) = next.own_file()
        {
            let (tables, table) = (Arc::clone(&self.tables), Arc::clone(table));
            let written = blocking(move || {
                let written = tables.file_of(&table).map_or(Ok(()), |file| (file.write)(&text));
                written.map_err(|why| HttpError::new(507, format!("Nothing was saved: {why}"), ""))
            });
            written.await?;
        }
        let done = self.app.store.write(move |data| {
            more(data)?;
            if write(data, &id, before, &state)? { Ok(()) } else { Err(HttpError::busy()) }
        });
        done.await?;
        memory.live = Arc::new(next);
        memory.is_unsure = false;
        table.changes.send_replace(memory.live.rev);
        Ok(())
    }
}

/// The place in `keys` of those who look on.
const ONLOOKER: &str = "onlooker";

/// The path of a place at a table: its address lets anybody act there.
fn path(id: &str, key: &str) -> String {
    format!("/t/{id}/{key}")
}

/// The state of a table, locked until the guard is dropped. Where memory and the disk may differ,
/// it is read from the disk again.
async fn locked<'t>(
    app: &Shared,
    table: &'t Table,
) -> Result<(MutexGuard<'t, Memory>, Arc<Live>), HttpError> {
    let mut memory = table.memory.lock().await;
    if memory.is_unsure {
        let stored = read(app, &table.id).await?.memory.into_inner().live;
        // What seats said of the end is in memory alone; it holds as long as the state does.
        if stored.rev != memory.live.rev {
            table.changes.send_replace(stored.rev);
            memory.live = stored;
        }
        memory.is_unsure = false;
    }
    let live = Arc::clone(&memory.live);
    Ok((memory, live))
}

/// A format as matches need it.
async fn rules_of(app: &Shared, format: &str) -> Result<PlayedRules, HttpError> {
    let (app, format) = (Arc::clone(app), format.to_owned());
    blocking(move || seated(&*app.library.judge()?, &format)).await
}

/// The table of an id.
async fn find(app: &Shared, all: &Tables, id: &str) -> Result<Arc<Table>, HttpError> {
    if let Some(table) = all.lock().get(id) {
        return Ok(Arc::clone(table));
    }
    let table = read(app, id).await?;
    let mut tables = all.lock();
    if tables.len() >= MOST {
        // Requests at a table hold it.
        tables.retain(|_, table| Arc::strong_count(table) > 1);
    }
    let table = tables.entry(table.id.clone()).or_insert_with(|| Arc::new(table));
    Ok(Arc::clone(table))
}

/// The place at a table that a key opens.
///
/// # Errors
/// No such table, and no such key.
pub(super) async fn open(
    mut visit: Visit,
    tables: Arc<Tables>,
    id: &str,
    key: &str,
) -> Result<AtTable, HttpError> {
    let table = find(&visit.app, &tables, id).await?;
    let digest = hex(&keys::digest(key));
    let mut places = table.keys.iter();
    let place = places.find(|(_, own)| keys::same(own.as_bytes(), digest.as_bytes()));
    let reader = match place.map(|(place, _)| place.as_str()) {
        Some(ONLOOKER) => Some(Reader::Public),
        Some(letter) => SeatId::parse(letter).map(Reader::Seat),
        None => None,
    };
    let reader = reader.ok_or_else(|| {
        HttpError::new(
            404,
            "This link opens no seat.",
            "Copy the whole link again, or ask the player who opened the table for a new one.",
        )
    })?;
    if !visit.is_host() {
        visit.actor = Actor::Seat;
    }
    Ok(AtTable { visit, tables, table, reader, key: key.to_owned() })
}
