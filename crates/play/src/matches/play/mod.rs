//! Playing on from a match: a table that knows no rules, and a transcript that cannot be
//! spliced.
//!
//! Each move is chained to the one before: `h = SHA-256("decklaw/play/1\0" ‖ previous ‖
//! canonical move)`, the first previous being the digest of the match's inputs. It never
//! judges card text: it moves, flips, counts, shuffles and rolls what the players say.

mod alone;
mod blinded;
mod display;
mod helped;
mod history;
mod log;
pub(super) mod moves;
mod placing;
pub(super) mod position;
pub(super) mod typed;
mod typist;
mod zone;

use crate::matches::error::{MatchError, MatchErrorKind};
use crate::matches::file::{Match, MatchFormat, Unproved};
use crate::matches::play::history::History;
use crate::matches::play::moves::Move;
use crate::matches::play::position::Position;
use crate::matches::random::{bytes_of_hex, tagged};
use crate::matches::seat::SeatId;
use crate::matches::strict::read_json;
use crate::matches::table::Seen;
use crate::matches::view::Reader;
use crate::matches::written::{canonical, pretty};
use decklaw_core::digest::hex;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeSet;

/// The schema of play files.
pub const PLAY_SCHEMA: &str = "decklaw/play/1";

/// The schema of games that one player plays alone.
pub const GOLDFISH_SCHEMA: &str = "decklaw/goldfish/1";

const WARNING: &str =
    "judge's copy: it holds the seed and every hidden card; play from it, do not read it";

/// The most moves of one transcript.
pub const MOST_MOVES: usize = 5000;

/// A move and the digest that chains it to those before.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Entry {
    /// What was done.
    #[serde(rename = "move")]
    pub done: Move,
    /// The digest of everything so far.
    pub hash: String,
}

/// A game being played: the match it started from, every move, and the table now.
#[derive(Debug, Clone)]
pub struct Play {
    /// The match as it was set up.
    pub start: Match,
    /// Every move, undone ones and the undoing included.
    pub entries: Vec<Entry>,
    /// The game as it stands.
    pub now: Position,
    history: History,
}

impl Play {
    /// Sits down at a match.
    ///
    /// # Errors
    /// A setup that is not finished.
    pub fn begin(start: Match) -> Result<Play, MatchError> {
        if !start.pending.is_empty() {
            return Err(MatchErrorKind::Move
                .refused("the setup is not finished: decide what is pending first"));
        }
        let now = Position::of(&start);
        Ok(Play {
            history: History::of(&start),
            start,
            entries: Vec::new(),
            now,
        })
    }

    /// The zone from which a seat draws where none is named: the first that nobody may see.
    pub(super) fn pile(&self, by: SeatId) -> &str {
        let table = &self.now.table;
        let own = table
            .seats
            .get(by.index())
            .map_or(&[][..], |seat| &seat.zones);
        let pile = own
            .iter()
            .chain(&table.shared)
            .find(|zone| zone.seen == Seen::ByNobody);
        pile.map_or("", |zone| zone.name.as_str())
    }

    /// What a seat sees of the game, for its player to read.
    ///
    /// # Errors
    /// A seat at which nobody sits.
    pub fn shown_to(&self, seat: SeatId) -> Result<String, MatchError> {
        let mut text = self.as_match().view(Reader::Seat(seat))?.to_short_text();
        if let Some((who, value)) = self.now.last_roll {
            text.push_str(&format!("Last roll: {value} (seat {who})\n"));
        }
        let sideways = self.now.sideways();
        if !sideways.is_empty() {
            text.push_str(&format!("Turned sideways: {}\n", sideways.join(", ")));
        }
        Ok(text)
    }

    /// The last digest of the chain: it binds every move, and the inputs before them. Who
    /// keeps it can tell later whether a transcript is the one that was played.
    pub fn last_hash(&self) -> String {
        match self.entries.last() {
            Some(entry) => entry.hash.clone(),
            None => self.start.inputs_digest(),
        }
    }

    /// The game as a match, for views of it.
    pub fn as_match(&self) -> Match {
        Match {
            table: self.now.table.clone(),
            moved: self.entries.len(),
            ..self.start.clone()
        }
    }

    /// Does a move.
    ///
    /// # Errors
    /// A move that the table cannot do; it then stays as it was.
    pub fn act(&mut self, done: Move) -> Result<(), MatchError> {
        if self.entries.len() >= MOST_MOVES {
            return Err(MatchErrorKind::Move
                .refused(format!("a transcript holds {MOST_MOVES} moves at most")));
        }
        let hash = self.chain(&done);
        if let Move::Undo { by } = &done {
            let agreed: BTreeSet<SeatId> = by.iter().copied().collect();
            if agreed.len() != self.now.table.seats.len() || agreed.len() != by.len() {
                return Err(
                    MatchErrorKind::Move.refused("a move is undone only when every seat agrees")
                );
            }
            self.now = self.history.undo(&self.start)?;
        } else {
            let mut now = self.now.clone();
            now.act(&self.start, &done)?;
            self.history.done(done.clone(), &now);
            self.now = now;
        }
        self.entries.push(Entry { done, hash });
        Ok(())
    }

    fn chain(&self, done: &Move) -> String {
        // The text of a digest is hashed as the bytes that it spells.
        let previous = self.last_hash();
        let previous = bytes_of_hex(&previous).map_or(previous.into_bytes(), Vec::from);
        hex(&tagged("decklaw/play/1\0", &[&previous, &canonical(done)]))
    }

    /// The play file's JSON, indented.
    pub fn to_json(&self) -> String {
        #[derive(Serialize)]
        struct File<'a> {
            schema: &'static str,
            warning: &'static str,
            #[serde(rename = "match")]
            start: &'a Match,
            moves: &'a [Entry],
        }
        let file = File {
            schema: match self.start.table.seats.len() {
                1 => GOLDFISH_SCHEMA,
                _ => PLAY_SCHEMA,
            },
            warning: WARNING,
            start: &self.start,
            moves: &self.entries,
        };
        pretty(&file)
    }
}

/// A play file as it was read, not yet proved.
#[derive(Debug, Clone)]
pub struct UnprovedPlay {
    /// The match it starts from.
    pub start: Unproved,
    entries: Vec<Entry>,
    alone: bool,
}

impl UnprovedPlay {
    /// Whether a text is a play file rather than a match file.
    pub fn is_one(text: &[u8]) -> bool {
        let known = |schema: &str| [PLAY_SCHEMA, GOLDFISH_SCHEMA].contains(&schema);
        read_json(text).is_ok_and(|value| {
            value
                .get("schema")
                .and_then(Value::as_str)
                .is_some_and(known)
        })
    }

    /// Reads a play file.
    ///
    /// # Errors
    /// A refusal where it is not one.
    pub fn read(text: &[u8]) -> Result<UnprovedPlay, MatchError> {
        #[derive(Deserialize)]
        #[serde(deny_unknown_fields)]
        struct Raw {
            schema: String,
            #[serde(rename = "warning")]
            _warning: String,
            #[serde(rename = "match")]
            start: Value,
            moves: Vec<Value>,
        }
        let unreadable = |error: serde_json::Error| {
            MatchErrorKind::Move.refused(format!("this is not a play file: {error}"))
        };
        let raw: Raw = serde_json::from_value(read_json(text)?).map_err(unreadable)?;
        let alone = raw.schema == GOLDFISH_SCHEMA;
        if raw.schema != PLAY_SCHEMA && !alone {
            return Err(MatchErrorKind::Move.refused(format!(
                "this is not a play file: its schema is neither {PLAY_SCHEMA} nor {GOLDFISH_SCHEMA}"
            )));
        }
        if raw.moves.len() > MOST_MOVES {
            return Err(MatchErrorKind::Move
                .refused(format!("a transcript holds {MOST_MOVES} moves at most")));
        }
        let mut entries = Vec::with_capacity(raw.moves.len());
        for value in &raw.moves {
            let entry = Entry::deserialize(value).map_err(unreadable)?;
            if serde_json::to_value(&entry).ok().as_ref() != Some(value) {
                return Err(MatchErrorKind::Move
                    .refused("a move holds something that does not belong there"));
            }
            entries.push(entry);
        }
        Ok(UnprovedPlay {
            start: Unproved::of_value(raw.start)?,
            entries,
            alone,
        })
    }

    /// Whether one player plays alone.
    pub fn is_alone(&self) -> bool {
        self.alone
    }

    /// Proves the match, then does every move again and compares the chain.
    ///
    /// # Errors
    /// A refusal that names the move at which the transcript breaks.
    pub fn verify(&self, game: &MatchFormat<'_>) -> Result<Play, MatchError> {
        let start = if self.alone {
            let setup = game.setup.alone();
            self.start.verify(&MatchFormat {
                setup: &setup,
                ..*game
            })?
        } else {
            self.start.verify(game)?
        };
        let mut play = Play::begin(start)?;
        for (number, entry) in self.entries.iter().enumerate() {
            let about = format!("move {}", number + 1);
            if play.chain(&entry.done) != entry.hash {
                return Err(MatchErrorKind::Move
                    .refused("its digest does not follow from the moves before")
                    .about(&about));
            }
            match &entry.done {
                undo @ Move::Undo { .. } => {
                    play.act(undo.clone())
                        .map_err(|error| error.about(&about))?;
                }
                done => {
                    let acted = play.now.act(&play.start, done);
                    acted.map_err(|error| error.about(&about))?;
                    play.history.done(done.clone(), &play.now);
                    play.entries.push(entry.clone());
                }
            }
        }
        Ok(play)
    }
}
