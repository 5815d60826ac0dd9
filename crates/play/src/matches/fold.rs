//! A match: its inputs, its log, and the state to which they fold.

use crate::matches::choice::{Options, Settings};
use crate::matches::error::MatchError;
use crate::matches::inputs::deck::RegisteredDeck;
use crate::matches::inputs::{Inputs, Randomness, Seat, SharedDeck};
use crate::matches::log::Entry;
use crate::matches::log::decision::Decision;
use crate::matches::log::moves::{Move, SeatMove};
use crate::matches::seat::SeatId;
use crate::matches::setup::lay_out::lay_out;
use crate::matches::setup::{Decks, Setup};
use crate::matches::state::State;
use crate::matches::steps::Context;
use crate::matches::steps::prompt::Prompt;
use crate::matches::swaps::SwapJudge;
use crate::matches::table::Table;
use std::ops::Deref;
use std::sync::Arc;

/// The most moves of one match.
pub const MOST_MOVES: usize = 5000;

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
    pub decks: Vec<RegisteredDeck>,
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

/// A match: its inputs, its log, and the [state](State) that they make.
#[derive(Debug, Clone)]
pub struct Match {
    /// The inputs, with the decisions of the setup.
    pub inputs: Inputs,
    state: State,
    /// Shared with the matches that this one was cloned from: a copy for each move is cheap.
    moves: Vec<Arc<SeatMove>>,
    /// The state from which the first move went out.
    opening: Option<Arc<State>>,
    /// The state before the newest move, where that can be taken back.
    before: Option<Box<State>>,
}

/// A turn of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
pub struct Turn {
    /// Whose it is.
    pub seat: SeatId,
    /// Which it is.
    pub number: u64,
}

impl Deref for Match {
    type Target = State;

    fn deref(&self) -> &State {
        &self.state
    }
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
        decisions: Vec<Decision>,
        judge: Option<&dyn SwapJudge>,
    ) -> Result<Match, MatchError> {
        if wanted.players.iter().any(|name| name.trim().is_empty()) {
            return Err(MatchError::call(
                "a player's name is empty; leave it out to use the seat's letter",
            ));
        }
        let options = game.setup.fill_options(&wanted.options)?;
        let decks = match game.setup.decks {
            Decks::WholePool(_) => 0,
            Decks::Own | Decks::Shared => wanted.decks.len(),
        };
        let count = usize::from(game.setup.seat_count(&options, decks)?);
        if wanted.players.len() > count {
            return Err(MatchError::call(format!("there are {count} seats, and more players")));
        }
        let mut decks = wanted.decks.into_iter();
        let shared = if game.setup.decks.are_shared() { decks.next() } else { None };
        let mut names = wanted.players.into_iter();
        let mut formats = wanted.formats.into_iter();
        let seats = SeatId::ALL.into_iter().take(count).map(|seat| Seat {
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
        Match::of(game.setup, inputs, judge)
    }

    /// Folds inputs and their decisions.
    pub(in crate::matches) fn of(
        setup: &Setup,
        mut inputs: Inputs,
        judge: Option<&dyn SwapJudge>,
    ) -> Result<Match, MatchError> {
        let decisions = std::mem::take(&mut inputs.decisions);
        let state = first_state(setup, &context(setup, &inputs, judge)?)?;
        let mut made = Match { inputs, state, moves: Vec::new(), opening: None, before: None };
        for decision in decisions {
            made.decided(setup, decision, judge)?;
        }
        Ok(made)
    }

    fn decided(
        &mut self,
        setup: &Setup,
        decision: Decision,
        judge: Option<&dyn SwapJudge>,
    ) -> Result<(), MatchError> {
        let number = self.inputs.decisions.len() + 1;
        if !self.moves.is_empty() {
            return Err(MatchError::refused(
                "the setup is over: moves have been made, and no decision is awaited",
            ));
        }
        let context = context(setup, &self.inputs, judge)?;
        let decided = self.state.decide(&context, &decision);
        decided.map_err(|error| error.about(&format!("decision {number}")))?;
        self.inputs.decisions.push(decision);
        Ok(())
    }

    /// The same match with further entries of its log: all of them, or none.
    ///
    /// # Errors
    /// A decision or a move that is not allowed.
    pub fn go_on(
        &self,
        game: &MatchFormat<'_>,
        entries: impl IntoIterator<Item = Entry>,
        judge: Option<&dyn SwapJudge>,
    ) -> Result<Match, MatchError> {
        let setup = game.setup.for_seats(self.inputs.seats.len());
        let mut made = self.clone();
        made.state.remarks.clear();
        for entry in entries {
            match entry {
                Entry::Decision(decision) => made.decided(&setup, decision, judge)?,
                Entry::Move(done) => {
                    done.what.check_new()?;
                    made.carry_out(Arc::new(done), true)?;
                }
            }
        }
        Ok(made)
    }

    /// The same match with further decisions: all of them, or none.
    ///
    /// # Errors
    /// A decision that is not allowed.
    pub fn decide(
        &self,
        game: &MatchFormat<'_>,
        decisions: &[Decision],
        judge: Option<&dyn SwapJudge>,
    ) -> Result<Match, MatchError> {
        self.go_on(game, decisions.iter().cloned().map(Entry::Decision), judge)
    }

    /// Does a move, and returns the state before it.
    ///
    /// # Errors
    /// A move that the table cannot do; it then stays as it was.
    pub fn act(&mut self, done: SeatMove) -> Result<State, MatchError> {
        done.what.check_new()?;
        let state = self.state.clone();
        match self.carry_out(Arc::new(done), true) {
            Ok(()) => Ok(state),
            Err(error) => {
                self.state = state;
                Err(error)
            }
        }
    }

    /// Does moves again.
    ///
    /// # Errors
    /// A refusal that names the move that cannot be done.
    pub(in crate::matches) fn replay(&mut self, moves: &[Arc<SeatMove>]) -> Result<(), MatchError> {
        for (at, done) in moves.iter().enumerate() {
            // Where it is taken back, or may yet be.
            let keep = moves.get(at + 1).is_none_or(|next| matches!(next.what, Move::Undo {}));
            let acted = self.carry_out(Arc::clone(done), keep);
            acted.map_err(|error| error.about(&format!("move {}", at + 1)))?;
        }
        Ok(())
    }

    /// Does a move, and keeps the state before it where that is asked for.
    fn carry_out(&mut self, done: Arc<SeatMove>, keep: bool) -> Result<(), MatchError> {
        let no = |why: String| Err(MatchError::refused(why));
        if !self.state.pending.is_empty() {
            return no("the setup is not finished: decide what is pending first".to_owned());
        }
        if self.moves.len() >= MOST_MOVES {
            return no(format!("a match holds {MOST_MOVES} moves at most"));
        }
        if matches!(done.what, Move::Undo {}) {
            self.state = self.taken_back(done.by)?;
            self.before = None;
        } else {
            let seed = self.inputs.randomness.seed()?;
            if self.opening.is_none() {
                self.state.blind_all(&seed);
                self.opening = Some(Arc::new(self.state.clone()));
            }
            let before = keep.then(|| Box::new(self.state.clone()));
            let acted = self.state.act(&seed, &done);
            if self.moves.is_empty() && acted.is_err() {
                self.opening = None;
            }
            acted?;
            self.before = before;
        }
        self.moves.push(done);
        Ok(())
    }

    /// The state before the newest move, for the seat that made it.
    fn taken_back(&self, by: SeatId) -> Result<State, MatchError> {
        let no = |why: &str| Err(MatchError::refused(why));
        let (Some(before), Some(newest)) = (&self.before, self.moves.last()) else {
            return no("there is no move to take back: only the newest one is, and once");
        };
        if newest.by != by {
            return no("the newest move is another seat's");
        }
        if self.state.reveals(before, newest) {
            return no("the newest move revealed a card or was random; it cannot be taken back");
        }
        Ok(State::clone(before))
    }

    /// What is asked now, in the order of `pending`, with the decisions that are allowed.
    ///
    /// # Errors
    /// A fault in the format file.
    pub fn prompts(&self, setup: &Setup) -> Result<Vec<Prompt>, MatchError> {
        self.state.prompts(&context(setup, &self.inputs, None)?)
    }

    /// The same match as it was after this many moves.
    ///
    /// # Errors
    /// More moves than were made.
    pub fn at(&self, setup: &Setup, moves: usize) -> Result<Match, MatchError> {
        let Some(moves) = self.moves.get(..moves) else {
            let made = self.moves.len();
            let what = decklaw_text::text::counted(made as i64, "move");
            return Err(MatchError::call(format!("the match has {what}, not {moves}")));
        };
        let setup = setup.for_seats(self.inputs.seats.len());
        Match::of(&setup, self.inputs.clone(), None)?.advanced(moves)
    }

    /// The same match after further moves of a longer one.
    ///
    /// # Errors
    /// A refusal that names the move that cannot be done.
    pub fn advanced(&self, moves: &[Arc<SeatMove>]) -> Result<Match, MatchError> {
        let mut made = self.clone();
        made.replay(moves)?;
        Ok(made)
    }

    /// Every move since the setup, those that were taken back included.
    pub fn moves(&self) -> &[Arc<SeatMove>] {
        &self.moves
    }

    /// The table, to change: tests compare what readers see of two tables.
    #[doc(hidden)]
    pub fn table_mut(&mut self) -> &mut Table {
        &mut self.state.table
    }

    /// The state from which the moves go out.
    pub(in crate::matches) fn opening(&self) -> &State {
        self.opening.as_deref().unwrap_or(&self.state)
    }

    /// Whose turn it is, and which: alone, the first turn begins with its draw, and until then
    /// there is the opening hand.
    pub fn turn(&self) -> Turn {
        self.turn_of(&self.state)
    }

    /// The turn of a state of this match.
    pub(in crate::matches) fn turn_of(&self, state: &State) -> Turn {
        Turn { seat: state.active, number: state.turns + u64::from(state.table.seats.len() > 1) }
    }
}

/// The state before the first decision.
pub(in crate::matches) fn first_state(
    setup: &Setup,
    context: &Context<'_>,
) -> Result<State, MatchError> {
    State::begin(lay_out(setup, context.inputs)?, context)
}

pub(in crate::matches) fn context<'a>(
    setup: &'a Setup,
    inputs: &'a Inputs,
    judge: Option<&'a dyn SwapJudge>,
) -> Result<Context<'a>, MatchError> {
    Ok(Context { steps: &setup.steps, inputs, seed: inputs.randomness.seed()?, judge })
}
