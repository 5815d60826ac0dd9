//! The match file: what is written, and how what is read is proved.

mod register;
mod series;

use crate::matches::error::MatchError;
pub(super) use crate::matches::fold::Match;
use crate::matches::fold::MatchFormat;
use crate::matches::inputs::Inputs;
use crate::matches::log::exact;
use crate::matches::log::moves::SeatMove;
use crate::matches::random::bytes_of_hex;
use crate::matches::strict::read_json;
use crate::matches::table::{Roll, Table, ZonesByName};
use crate::matches::written::{canonical, line, pretty};
use decklaw_text::digest::sha256;
use serde::Deserialize;
use serde::ser::{Serialize, SerializeMap, SerializeStruct, Serializer};
use serde_json::{Map, Value};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The schema of match files.
pub const SCHEMA: &str = "decklaw/match/1";

const WARNING: &str =
    "judge's copy: it holds the seed and every hidden card; show players the views";

impl Match {
    /// The digest of the log; `None` before the first move.
    pub fn log_digest(&self) -> Option<String> {
        (!self.moves().is_empty()).then(|| sha256(&canonical(&LogJson(self))))
    }

    fn digests(&self) -> Digests {
        Digests { inputs: self.inputs_digest(), state: self.state_digest(), log: self.log_digest() }
    }

    /// The digest of the inputs.
    pub fn inputs_digest(&self) -> String {
        sha256(&canonical(&self.inputs))
    }

    /// The digest of the state.
    pub fn state_digest(&self) -> String {
        sha256(&canonical(&StateJson(self)))
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
        file.serialize_field("state", &StateJson(self))?;
        file.serialize_field("pending", &self.pending)?;
        if !self.moves().is_empty() {
            file.serialize_field("log", &LogJson(self))?;
        }
        file.serialize_field("digests", &self.digests())?;
        file.serialize_field("generator", concat!("decklaw ", env!("CARGO_PKG_VERSION")))?;
        file.end()
    }
}

#[derive(serde::Serialize)]
struct Digests {
    inputs: String,
    state: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    log: Option<String>,
}

struct Cards<'a>(&'a Table);

impl Serialize for Cards<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.instances.iter().map(|card| (&card.id, &card.name)))
    }
}

/// A match's moves as files write them.
struct LogJson<'a>(&'a Match);

impl Serialize for LogJson<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.moves().iter().map(|done| &**done))
    }
}

/// A match's state as files write it.
struct StateJson<'a>(&'a Match);

impl Serialize for StateJson<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let table = &self.0.table;
        let mut state = serializer.serialize_struct("State", 6)?;
        state.serialize_field("phase", self.0.phase())?;
        state.serialize_field("first", &table.first)?;
        state.serialize_field("turn_order", &table.turn_order())?;
        if !self.0.moves().is_empty() {
            state.serialize_field("turn", &self.0.turn())?;
        }
        state.serialize_field(
            "shared",
            &Middle { zones: ZonesByName(&table.shared, table), rolls: &table.rolls },
        )?;
        state.serialize_field("seats", &Seats(table))?;
        state.end()
    }
}

#[derive(serde::Serialize)]
struct Middle<'a> {
    zones: ZonesByName<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    rolls: &'a Option<Vec<Roll>>,
}

struct Seats<'a>(&'a Table);

impl Serialize for Seats<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(serde::Serialize)]
        struct SeatState<'a> {
            counters: &'a BTreeMap<String, i64>,
            zones: ZonesByName<'a>,
            #[serde(skip_serializing_if = "Option::is_none")]
            spec: &'a Option<Option<String>>,
        }
        let mut map = serializer.serialize_map(Some(self.0.seats.len()))?;
        for (id, seat) in self.0.seat_ids().zip(&self.0.seats) {
            let zones = ZonesByName(&seat.zones, self.0);
            let state = SeatState { counters: &seat.counters, zones, spec: &seat.spec };
            map.serialize_entry(&id, &state)?;
        }
        map.end()
    }
}

/// A match file as it was read, not yet proved.
#[derive(Debug, Clone)]
pub struct UnverifiedMatch {
    /// Its inputs as typed values.
    pub inputs: Inputs,
    log: Vec<Arc<SeatMove>>,
    file: Map<String, Value>,
}

/// The largest match file that is read, in bytes.
pub const LARGEST_FILE: usize = 16 << 20;

impl UnverifiedMatch {
    /// Reads a match file.
    ///
    /// # Errors
    /// A refusal where it is not one, or one that this version does not know.
    pub fn read(text: &[u8]) -> Result<UnverifiedMatch, MatchError> {
        if text.len() > LARGEST_FILE {
            return Err(MatchError::refused("the file is larger than any match (16 MiB)"));
        }
        let value = read_json(text)?;
        let schema = value.get("schema").and_then(Value::as_str);
        match schema {
            Some(SCHEMA) => (),
            Some(other) if other.starts_with("decklaw/view/") => {
                return Err(MatchError::refused(
                    "this is a view for players; it holds too little to work on: take the judge's file",
                ));
            }
            other => {
                let other = decklaw_text::text::escape_control(other.unwrap_or("(none)"), false);
                return Err(MatchError::refused(format!(
                    "this is not a match file that is known here: its schema is {other}, not {SCHEMA}"
                )));
            }
        }
        let inputs = Inputs::deserialize(&value["inputs"])
            .map_err(|error| MatchError::refused(format!("the inputs cannot be read: {error}")))?;
        let mut log = Vec::new();
        for value in value.get("log").and_then(Value::as_array).into_iter().flatten() {
            log.push(Arc::new(exact(value, "move")?));
        }
        let Value::Object(file) = value else {
            return differs("it is no object");
        };
        Ok(UnverifiedMatch { inputs, log, file })
    }

    /// Whether a text is meant as a match file, or as something else of a match.
    pub fn is_like(text: &[u8]) -> bool {
        let of_match = |schema: &str| {
            ["decklaw/match/", "decklaw/view/"].iter().any(|kind| schema.starts_with(kind))
        };
        let value = read_json(text).unwrap_or_default();
        value.get("schema").and_then(Value::as_str).is_some_and(of_match)
    }

    /// Builds the match again from its inputs and compares. Proves that the file agrees with
    /// itself; whether its decks are legal is not asked.
    ///
    /// # Errors
    /// A refusal that says what does not agree.
    pub fn verify(&self, game: &MatchFormat<'_>) -> Result<Match, MatchError> {
        let UnverifiedMatch { inputs, log, file } = self;
        let setup = &*game.setup.for_seats(inputs.seats.len());
        if inputs.format != game.format {
            return differs("the format is not the one that it was read for");
        }
        if bytes_of_hex(&inputs.rules_sha256).is_none() {
            return differs("`rules_sha256` is not a SHA-256");
        }
        setup.check_options(&inputs.options).map_err(MatchError::in_file)?;
        inputs.check_assumed()?;
        setup.check_results(inputs)?;
        inputs
            .check_seats(setup, Some((game.rules_sha256, game.rules)))
            .map_err(MatchError::in_file)?;
        setup.check_settings(inputs, game.legality_settings).map_err(MatchError::in_file)?;
        let mut built = Match::of(setup, inputs.clone(), None).map_err(MatchError::in_file)?;
        built.replay(log)?;
        // What it says for people, and a log with defaults that it writes out, are its own.
        let is_text = |key: &str, begins: &str| {
            let text = file.get(key).and_then(Value::as_str);
            text.is_some_and(|text| text.starts_with(begins) && !text.trim().is_empty())
        };
        if !is_text("warning", "") || !is_text("generator", "decklaw ") {
            return differs("`warning` or `generator` is not as in a match file");
        }
        let again = serde_json::to_value(&built).unwrap_or_default();
        let own = |key: &str| matches!(key, "warning" | "generator" | "log");
        let is_alike = |key: &String| again.get(key).is_some_and(|it| own(key) || *it == file[key]);
        if let Some(key) = file.keys().find(|key| !is_alike(key)) {
            return differs(match key.as_str() {
                "inputs" => "the inputs hold something that does not belong there",
                "cards" => "the cards are not those of the decks",
                "state" => "the state is not what the inputs make",
                "pending" => "what is pending is not what the inputs leave open",
                "digests" => "the digests are not those of the inputs, the log and the state",
                "log" => "`log` holds no move",
                _ => "it has a key that no match file has",
            });
        }
        let missing =
            again.as_object().and_then(|it| it.keys().find(|key| !file.contains_key(*key)));
        missing.map_or(Ok(built), |key| differs(&format!("it has no `{key}`")))
    }
}

/// Says that a file does not agree with itself.
fn differs<T>(what: &str) -> Result<T, MatchError> {
    Err(MatchError::refused(format!("verification failed: {what}")))
}
