//! The match file: what is written, and how what is read is proved.

mod register;
mod series;

use crate::matches::choice::{Options, Settings};
use crate::matches::error::{MatchError, MatchErrorKind};
use crate::matches::inputs::deck::Registered;
use crate::matches::inputs::{Inputs, Randomness, Seat, SharedDeck};
use crate::matches::play::Play;
use crate::matches::play::moves::Move;
use crate::matches::random::bytes_of_hex;
use crate::matches::seat::SeatId;
use crate::matches::setup::compiled::{Built, Steps, build};
use crate::matches::setup::{Decks, Setup};
use crate::matches::steps::asked::Question;
use crate::matches::steps::build::SwapJudge;
use crate::matches::strict::read_json;
use crate::matches::table::{Named, Roll, Table};
use crate::matches::written::{canonical, line, pretty};
use decklaw_core::digest::sha256;
use serde::Deserialize;
use serde::ser::{Serialize, SerializeMap, SerializeStruct, Serializer};
use serde_json::Value;
use std::collections::BTreeMap;

/// The schema of match files.
pub const SCHEMA: &str = "decklaw/match/1";

const WARNING: &str =
    "judge's copy: it holds the seed and every hidden card; show players the views";

/// What a match needs to know of its format.
#[derive(Debug, Clone, Copy)]
pub struct MatchFormat<'a> {
    /// The format's id.
    pub format: &'a str,
    /// SHA-256 of the format file.
    pub rules_sha256: &'a str,
    /// How the format is set up.
    pub setup: &'a Setup,
    /// The settings of its deck-building rules.
    pub legality_settings: &'a [String],
    /// The ids of the rules that a deck of it can break.
    pub rules: &'a [String],
}

/// What a new match is to be.
#[derive(Debug, Clone, Default)]
pub struct NewMatch {
    /// The decks, in seat order; one for a shared pile or the whole pool.
    pub decks: Vec<Registered>,
    /// The players' names, in seat order; a seat without one is named by its letter.
    pub players: Vec<String>,
    /// The formats by which decks were built, in seat order, where that is not the match's;
    /// a seat without one has the match's.
    pub formats: Vec<Option<String>>,
    /// Options that differ from their defaults.
    pub options: Options,
    /// Settings.
    pub settings: Settings,
}

/// A match: its inputs, and what they make.
#[derive(Debug, Clone)]
pub struct Match {
    /// The inputs.
    pub inputs: Inputs,
    /// The table, as far as the decisions carry it.
    pub table: Table,
    /// What is awaited, in seat order; empty when the table is ready to play.
    pub pending: Vec<Value>,
    /// What the judge of a swap remarked of the decisions that were new; no file keeps it.
    pub remarks: Vec<String>,
    /// Every move since the setup.
    pub(in crate::matches) log: Vec<Move>,
    /// Whose turn it is; `None` before the first move.
    pub(in crate::matches) turn: Option<Turn>,
}

/// A turn of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
pub struct Turn {
    /// Whose it is.
    pub seat: SeatId,
    /// Which it is.
    pub number: u64,
}

/// An entry of a match's log: a decision of the setup, or a move.
#[derive(Debug, Clone, PartialEq)]
pub enum Entry {
    /// A decision, as match files record it.
    Decision(Value),
    /// A move.
    Move(Move),
}

impl Match {
    /// A new match.
    ///
    /// # Errors
    /// A mistake in the call, a decision that is not allowed, too few cards to deal.
    pub fn start(
        game: &MatchFormat<'_>,
        wanted: NewMatch,
        randomness: Randomness,
        decisions: Vec<Value>,
        judge: Option<&dyn SwapJudge>,
    ) -> Result<Match, MatchError> {
        if wanted.players.iter().any(|name| name.trim().is_empty()) {
            return Err(MatchErrorKind::Proof
                .call("a player's name is empty; a seat without a name is called by its letter"));
        }
        let options = game.setup.fill_options(&wanted.options)?;
        let whole_pool = matches!(game.setup.decks, Decks::WholePool(_));
        let decks = if whole_pool { 0 } else { wanted.decks.len() };
        let count = game.setup.seat_count(&options, decks)?;
        if wanted.players.len() > usize::from(count) {
            return Err(MatchErrorKind::Proof
                .call(format!("there are {count} seats, and more players named")));
        }
        let mut decks = wanted.decks.into_iter();
        let shared = if game.setup.decks.are_shared() {
            decks.next()
        } else {
            None
        };
        let mut names = wanted.players.into_iter();
        let mut formats = wanted.formats.into_iter();
        let seats = SeatId::ALL
            .into_iter()
            .take(usize::from(count))
            .map(|seat| Seat {
                seat,
                name: names.next().unwrap_or_else(|| seat.to_string()),
                format: formats.next().flatten().filter(|own| own != game.format),
                deck: decks.next(),
            });
        let inputs = Inputs {
            format: game.format.to_owned(),
            rules_sha256: game.rules_sha256.to_owned(),
            options,
            assumed: game.setup.assumptions(&wanted.settings),
            settings: wanted.settings,
            seats: seats.collect(),
            shared: shared.map(|deck| SharedDeck { deck }),
            randomness,
            results: None,
            decisions,
        };
        game.setup.check_settings(&inputs, game.legality_settings)?;
        inputs.check_seats(game.setup, None)?;
        let judge = judge.map(|judge| (judge, 0));
        Match::of(game.setup, inputs, judge)
    }

    pub(in crate::matches) fn of(
        setup: &Setup,
        inputs: Inputs,
        judge: Option<(&dyn SwapJudge, usize)>,
    ) -> Result<Match, MatchError> {
        let Built {
            table,
            pending,
            remarks,
        } = build(setup, &inputs, judge)?;
        Ok(Match {
            inputs,
            table,
            pending,
            remarks,
            log: Vec::new(),
            turn: None,
        })
    }

    /// The same match with further decisions: all of them, or none.
    ///
    /// # Errors
    /// A decision that is not allowed.
    pub fn decide(
        &self,
        game: &MatchFormat<'_>,
        decisions: &[Value],
        judge: Option<&dyn SwapJudge>,
    ) -> Result<Match, MatchError> {
        if !self.log.is_empty() {
            return Err(MatchErrorKind::Decision
                .refused("the setup is over: moves have been made, and no decision is awaited"));
        }
        let mut inputs = self.inputs.clone();
        let before = inputs.decisions.len();
        inputs.decisions.extend_from_slice(decisions);
        let judge = judge.map(|judge| (judge, before));
        Match::of(&game.setup.for_seats(inputs.seats.len()), inputs, judge)
    }

    /// The same match with further entries of its log, decisions before moves: all of them, or
    /// none.
    ///
    /// # Errors
    /// A decision or a move that is not allowed.
    pub fn go_on(
        &self,
        game: &MatchFormat<'_>,
        entries: &[Entry],
        judge: Option<&dyn SwapJudge>,
    ) -> Result<Match, MatchError> {
        let decision = |entry: &Entry| match entry {
            Entry::Decision(decision) => Some(decision.clone()),
            Entry::Move(_) => None,
        };
        let decisions: Vec<Value> = entries.iter().map_while(decision).collect();
        let made = match decisions.as_slice() {
            [] => self.clone(),
            decisions => self.decide(game, decisions, judge)?,
        };
        if decisions.len() == entries.len() {
            return Ok(made);
        }
        let remarks = made.remarks.clone();
        let mut play = made.play_on(game)?;
        for entry in &entries[decisions.len()..] {
            match entry {
                Entry::Move(done) => play.act(done.clone())?,
                Entry::Decision(_) => {
                    return Err(MatchErrorKind::Decision
                        .refused("a decision of the setup stands behind a move"));
                }
            }
        }
        Ok(Match {
            remarks,
            ..play.as_match()
        })
    }

    /// The game of a match whose setup is over, as it now stands.
    ///
    /// # Errors
    /// A setup that is not finished.
    pub fn play_on(self, game: &MatchFormat<'_>) -> Result<Play, MatchError> {
        if self.log.is_empty() {
            return Play::begin(self);
        }
        let setup = game.setup.for_seats(self.inputs.seats.len());
        let start = Match::of(&setup, self.inputs, None)?;
        Play::again(start, &self.log)
    }

    /// Every move since the setup, those that were taken back included.
    pub fn moves(&self) -> &[Move] {
        &self.log
    }

    /// The digest of the log; `None` before the first move.
    pub fn log_digest(&self) -> Option<String> {
        (!self.log.is_empty()).then(|| sha256(&canonical(&self.log)))
    }

    fn digests(&self) -> Digests {
        Digests {
            inputs: self.inputs_digest(),
            state: self.state_digest(),
            log: self.log_digest(),
        }
    }

    /// The steps by which the match is set up.
    ///
    /// # Errors
    /// A fault in the format file.
    pub fn steps<'a>(&self, setup: &'a Setup) -> Result<Steps<'a>, MatchError> {
        setup.compile(&self.inputs.options, &self.inputs.settings)
    }

    /// What is asked now, in words and in the order of `pending`; `None` where people write the
    /// decision themselves.
    ///
    /// # Errors
    /// A fault in the format file.
    pub fn questions(&self, setup: &Setup) -> Result<Vec<Option<Question>>, MatchError> {
        let steps = self.steps(setup)?;
        let pending = self.pending.iter();
        Ok(pending.map(|entry| steps.ask(&self.table, entry)).collect())
    }

    /// `ready` when nothing is awaited, otherwise `setup`.
    pub fn phase(&self) -> &'static str {
        if self.pending.is_empty() {
            "ready"
        } else {
            "setup"
        }
    }

    /// The digest of the inputs.
    pub fn inputs_digest(&self) -> String {
        sha256(&self.inputs.canonical())
    }

    /// The digest of the state.
    pub fn state_digest(&self) -> String {
        sha256(&canonical(&State(self)))
    }

    /// The match file's JSON, indented, with a new line at its end.
    pub fn to_json(&self) -> String {
        pretty(self)
    }

    /// The same on one line.
    pub fn to_json_line(&self) -> String {
        line(self)
    }
}

impl Serialize for Match {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut file = serializer.serialize_struct("Match", 9)?;
        file.serialize_field("schema", SCHEMA)?;
        file.serialize_field("warning", WARNING)?;
        file.serialize_field("inputs", &self.inputs)?;
        file.serialize_field("cards", &Cards(&self.table))?;
        file.serialize_field("state", &State(self))?;
        file.serialize_field("pending", &self.pending)?;
        if !self.log.is_empty() {
            file.serialize_field("log", &self.log)?;
        }
        file.serialize_field("digests", &self.digests())?;
        file.serialize_field("generator", concat!("decklaw ", env!("CARGO_PKG_VERSION")))?;
        file.end()
    }
}

#[derive(Debug, serde::Serialize, Deserialize, PartialEq)]
#[serde(deny_unknown_fields)]
struct Digests {
    inputs: String,
    state: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    log: Option<String>,
}

struct Cards<'a>(&'a Table);

impl Serialize for Cards<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.instances.iter().map(|card| (&card.id, &card.name)))
    }
}

/// A match's state as files write it.
struct State<'a>(&'a Match);

impl Serialize for State<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let table = &self.0.table;
        let mut state = serializer.serialize_struct("State", 6)?;
        state.serialize_field("phase", self.0.phase())?;
        state.serialize_field("first", &table.first)?;
        state.serialize_field("turn_order", &table.turn_order())?;
        if let Some(turn) = &self.0.turn {
            state.serialize_field("turn", turn)?;
        }
        state.serialize_field(
            "shared",
            &Middle {
                zones: Named(&table.shared, table),
                rolls: &table.rolls,
            },
        )?;
        state.serialize_field("seats", &Seats(table))?;
        state.end()
    }
}

#[derive(serde::Serialize)]
struct Middle<'a> {
    zones: Named<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    rolls: &'a Option<Vec<Roll>>,
}

struct Seats<'a>(&'a Table);

impl Serialize for Seats<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(serde::Serialize)]
        struct SeatState<'a> {
            counters: &'a BTreeMap<String, i64>,
            zones: Named<'a>,
            #[serde(skip_serializing_if = "Option::is_none")]
            spec: &'a Option<Option<String>>,
        }
        let mut map = serializer.serialize_map(Some(self.0.seats.len()))?;
        for (id, seat) in self.0.seat_ids().zip(&self.0.seats) {
            let zones = Named(&seat.zones, self.0);
            let state = SeatState {
                counters: &seat.counters,
                zones,
                spec: &seat.spec,
            };
            map.serialize_entry(&id, &state)?;
        }
        map.end()
    }
}

/// A match file as it was read, not yet proved.
#[derive(Debug, Clone)]
pub struct Unproved {
    /// Its inputs as typed values.
    pub inputs: Inputs,
    log: Vec<Move>,
    raw: Raw,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct Raw {
    schema: String,
    warning: String,
    inputs: Value,
    cards: Value,
    state: Value,
    pending: Value,
    #[serde(default)]
    log: Option<Vec<Value>>,
    digests: Value,
    generator: String,
}

/// The largest match file that is read, in bytes.
pub const LARGEST_FILE: usize = 16 << 20;

impl Unproved {
    /// Reads a match file.
    ///
    /// # Errors
    /// A refusal where it is not one, or one that this version does not know.
    pub fn read(text: &[u8]) -> Result<Unproved, MatchError> {
        if text.len() > LARGEST_FILE {
            return Err(MatchErrorKind::Proof.refused("the file is larger than any match (16 MiB)"));
        }
        let value = read_json(text)?;
        let schema = value.get("schema").and_then(Value::as_str);
        match schema {
            Some(SCHEMA) => (),
            Some(other) if other.starts_with("decklaw/view/") => {
                return Err(MatchErrorKind::Proof.refused(
                    "this is a view for players; it holds too little to work on: take the judge's file",
                ));
            }
            other => {
                let other = decklaw_core::text::harmless(other.unwrap_or("(none)"), false);
                return Err(MatchErrorKind::Proof.refused(format!(
                    "this is not a match file that is known here: its schema is {other}, not {SCHEMA}"
                )));
            }
        }
        let unreadable = |error: serde_json::Error| {
            MatchErrorKind::Proof.refused(format!("this is not a match file: {error}"))
        };
        let raw: Raw = serde_json::from_value(value).map_err(unreadable)?;
        let inputs = Inputs::deserialize(&raw.inputs).map_err(|error| {
            MatchErrorKind::Proof.refused(format!("the inputs cannot be read: {error}"))
        })?;
        let mut log = Vec::new();
        for value in raw.log.iter().flatten() {
            let done = Move::deserialize(value).map_err(unreadable)?;
            if serde_json::to_value(&done).ok().as_ref() != Some(value) {
                return differs("a move holds something that does not belong there");
            }
            log.push(done);
        }
        Ok(Unproved { inputs, log, raw })
    }

    /// Whether a text is meant as a match file, or as something else of a match.
    pub fn is_like(text: &[u8]) -> bool {
        let of_match = |schema: &str| {
            ["decklaw/match/", "decklaw/view/"]
                .iter()
                .any(|kind| schema.starts_with(kind))
        };
        let value = read_json(text).unwrap_or_default();
        value
            .get("schema")
            .and_then(Value::as_str)
            .is_some_and(of_match)
    }

    /// Builds the match again from its inputs and compares. Proves that the file agrees with
    /// itself; whether its decks are legal is not asked.
    ///
    /// # Errors
    /// A refusal that says what does not agree.
    pub fn verify(&self, game: &MatchFormat<'_>) -> Result<Match, MatchError> {
        let Unproved { inputs, log, raw } = self;
        let setup = &*game.setup.for_seats(inputs.seats.len());
        debug_assert_eq!(raw.schema, SCHEMA);
        if inputs.format != game.format {
            return differs("the format is not the one that it was read for");
        }
        if serde_json::to_value(inputs).ok().as_ref() != Some(&raw.inputs) {
            return differs("the inputs hold something that does not belong there");
        }
        if raw.warning.trim().is_empty() || !raw.generator.starts_with("decklaw ") {
            return differs("`warning` or `generator` is not as in a match file");
        }
        if bytes_of_hex(&inputs.rules_sha256).is_none() {
            return differs("`rules_sha256` is not a SHA-256");
        }
        if let Some(decision) = inputs
            .decisions
            .iter()
            .find(|decision| !decision.is_object())
        {
            return differs(&format!("the decision {decision} is not an object"));
        }
        setup
            .check_options(&inputs.options)
            .map_err(MatchError::in_file)?;
        inputs.check_assumed()?;
        setup.check_results(inputs)?;
        inputs
            .check_seats(setup, Some((game.rules_sha256, game.rules)))
            .map_err(MatchError::in_file)?;
        setup
            .check_settings(inputs, game.legality_settings)
            .map_err(MatchError::in_file)?;
        if raw.log.as_ref().is_some_and(Vec::is_empty) {
            return differs("`log` holds no move");
        }
        let start = Match::of(setup, inputs.clone(), None).map_err(MatchError::in_file)?;
        let built = match log.as_slice() {
            [] => start,
            log => Play::again(start, log)?.as_match(),
        };
        let same = |built: Result<Value, serde_json::Error>, read: &Value| {
            built.ok().as_ref() == Some(read)
        };
        if !same(serde_json::to_value(Cards(&built.table)), &raw.cards) {
            return differs("the cards are not those of the decks");
        }
        if !same(serde_json::to_value(State(&built)), &raw.state) {
            return differs("the state is not what the inputs make");
        }
        if !same(serde_json::to_value(&built.pending), &raw.pending) {
            return differs("what is pending is not what the inputs leave open");
        }
        if !same(serde_json::to_value(built.digests()), &raw.digests) {
            return differs("the digests are not those of the inputs, the log and the state");
        }
        Ok(built)
    }
}

/// Says that a file does not agree with itself.
fn differs<T>(what: &str) -> Result<T, MatchError> {
    Err(MatchErrorKind::Proof.refused(format!("verification failed: {what}")))
}
