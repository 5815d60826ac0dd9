//! The games of one match: how each ended, and whether there is another.

use crate::matches::choice::Choice;
use crate::matches::error::MatchError;
use crate::matches::fold::{Match, MatchFormat};
use crate::matches::inputs::result::GameResult;
use crate::matches::inputs::{Inputs, Randomness};
use crate::matches::seat::SeatId;
use crate::matches::setup::Setup;
use decklaw_text::text::{counted, listed};

/// The option that says which game of a match it is, in formats that count them.
const GAME_OPTION: &str = "game";

/// The most games of a match in a format that does not count them.
const MOST_GAMES: usize = 99;

impl Setup {
    /// The option that says which game of a match it is; `None` where the format does not count
    /// them. A series counts it on by itself.
    pub fn game_option(&self) -> Option<&str> {
        let found = self.options.get_key_value(GAME_OPTION);
        found.map(|(name, _)| name.as_str())
    }

    /// How many games a match has at most; `None` where the format does not count them.
    fn games(&self) -> Option<usize> {
        Some(self.options.get(GAME_OPTION)?.one_of.len())
    }

    /// Whether the results of earlier games can be in a match's inputs.
    pub(super) fn check_results(&self, inputs: &Inputs) -> Result<(), MatchError> {
        let Some(results) = &inputs.results else {
            return Ok(());
        };
        let number = match inputs.options.get(GAME_OPTION) {
            Some(Choice::Number(number)) => usize::try_from(*number).unwrap_or_default(),
            _ => results.len() + 1,
        };
        let seated = |result: &GameResult| match result {
            GameResult::Won(seat) => seat.index() < inputs.seats.len(),
            GameResult::Drawn(_) => true,
        };
        if results.is_empty()
            || results.len() > MOST_GAMES
            || results.len() + 1 != number
            || !results.iter().all(seated)
        {
            return Err(MatchError::refused(
                "`results` must have one entry for each earlier game: a seat, or draw",
            ));
        }
        match self.decided(results) {
            Some(message) => Err(MatchError::refused(message)),
            None => Ok(()),
        }
    }

    /// Why no game follows these, a sentence: all are played, or someone has won more than
    /// half of them where not every game is played all the same.
    fn decided(&self, results: &[GameResult]) -> Option<String> {
        let games = self.games()?;
        let wins = |seat: &SeatId| {
            let won = results.iter().filter(|result| **result == GameResult::Won(*seat));
            won.count()
        };
        let won = SeatId::ALL.iter().find(|seat| wins(seat) * 2 > games);
        if let Some(seat) = won.filter(|_| !self.every_game) {
            let won = wins(seat);
            return Some(format!(
                "the match is decided: seat {seat} has won {won} of {games} games"
            ));
        }
        if results.len() < games {
            return None;
        }
        let most = SeatId::ALL.iter().map(wins).max().unwrap_or_default();
        let ahead: Vec<&SeatId> = SeatId::ALL.iter().filter(|seat| wins(seat) == most).collect();
        Some(match ahead.as_slice() {
            [seat] => format!(
                "the match is over after {games} games: seat {seat} has won the most, {most}"
            ),
            _ => format!(
                "the match is over after {games} games: nobody has won more than the others"
            ),
        })
    }
}

impl Match {
    /// The score of the series before this game, a line; `None` in a first game. Partners
    /// have one score.
    pub fn score(&self) -> Option<String> {
        Some(self.score_of(self.inputs.results.as_deref()?))
    }

    /// The score after this game, if it ended so.
    pub fn score_after(&self, result: GameResult) -> String {
        let mut results = self.inputs.results.clone().unwrap_or_default();
        results.push(result);
        self.score_of(&results)
    }

    fn score_of(&self, results: &[GameResult]) -> String {
        let teams =
            if self.table.partners { self.table.seats.len() / 2 } else { self.table.seats.len() };
        let mut parts: Vec<String> = Vec::new();
        for team in 0..teams {
            let seats = self.table.seat_ids().skip(team).step_by(teams);
            let seats: Vec<&str> = seats.map(SeatId::letter).collect();
            let won = |result: &&GameResult| match result {
                GameResult::Won(seat) => seats.contains(&seat.letter()),
                GameResult::Drawn(_) => false,
            };
            let wins = results.iter().filter(won).count();
            let noun = if seats.len() == 1 { "seat" } else { "seats" };
            parts.push(format!("{noun} {} {wins}", listed(&seats, "and")));
        }
        let drawn = |result: &&GameResult| matches!(result, GameResult::Drawn(_));
        parts.push(format!("drawn {}", results.iter().filter(drawn).count()));
        let games = counted(results.len() as i64, "game");
        format!("Score after {games}: {}", parts.join(", "))
    }
}

impl Match {
    /// The next game of the same match: the same players, decks and settings, how this one
    /// ended on record, the number of the game one higher where the format counts games, and
    /// nothing decided yet.
    ///
    /// # Errors
    /// A setup that is not finished, a winner who does not sit here, or a match that is decided.
    pub fn next_game(
        &self,
        game: &MatchFormat<'_>,
        ended: GameResult,
        randomness: Randomness,
    ) -> Result<Match, MatchError> {
        if !self.pending.is_empty() {
            return Err(MatchError::refused("this game's setup is not finished"));
        }
        if let GameResult::Won(seat) = ended
            && seat.index() >= self.table.seats.len()
        {
            return Err(MatchError::call(format!("seat {seat} is empty")));
        }
        let mut results = self.inputs.results.clone().unwrap_or_default();
        results.push(ended);
        if let Some(message) = game.setup.decided(&results) {
            return Err(MatchError::refused(message));
        }
        let mut inputs = Inputs {
            randomness,
            decisions: Vec::new(),
            results: Some(results),
            rules_sha256: game.rules_sha256.to_owned(),
            ..self.inputs.clone()
        };
        if let Some(Choice::Number(number)) = inputs.options.get_mut(GAME_OPTION) {
            *number += 1;
            game.setup
                .check_options(&inputs.options)
                .map_err(|_| MatchError::refused("the match is over: this was its last game"))?;
        }
        game.setup.check_results(&inputs)?;
        Match::of(game.setup, inputs, None)
    }
}
