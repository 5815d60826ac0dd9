//! What people do at a table: decisions of the setup, moves, and the end.

use super::{Live, SoloDraw, Stage, Table};
use crate::error::HttpError;
use decklaw_play::matches::{
    Action, Decision, GameResult, Match, MatchRules, Move, Pending, Prompt, Randomness,
    SealedChoice, SeatId, SeatMove,
};
use decklaw_text::text::escape_control;
use serde::{Deserialize, Serialize};

/// The most letters of how a game ended.
const LONGEST: usize = 80;

/// How a game ended.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct GameEnd {
    /// Who won it.
    pub(super) won: GameResult,
    /// What else there is to say; may be empty.
    #[serde(default)]
    words: String,
}

impl GameEnd {
    /// A sentence.
    pub(super) fn sentence(&self, made: &Match) -> String {
        let won = match self.won {
            GameResult::Won(seat) => format!("{} won", made.player(seat)),
            GameResult::Drawn(_) => "A draw".to_owned(),
        };
        match self.words.as_str() {
            "" => format!("{won}."),
            words => format!("{won}: {words}."),
        }
    }
}

/// An action at a table.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Act {
    /// The state that the page showed.
    pub(super) rev: i64,
    /// What is done.
    #[serde(rename = "do")]
    what: SeatAction,
}

impl Act {
    /// Whether the table has changed since so that this may mean something else. What a seat says
    /// of the end means the same whatever the others say of it.
    pub(super) fn is_late(&self, live: &Live) -> bool {
        match self.what {
            SeatAction::End(_) => !(live.played..=live.rev).contains(&self.rev),
            SeatAction::Move(_) | SeatAction::Answer { .. } => self.rev != live.rev,
        }
    }
}

/// An action of a seat.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "lowercase", deny_unknown_fields)]
enum SeatAction {
    /// A move of the game.
    Move(SeatMove),
    /// An answer to what is asked.
    Answer {
        /// Its number, from 0.
        option: usize,
        /// The cards of each of its lists, by their numbers.
        #[serde(default)]
        cards: Vec<Vec<usize>>,
    },
    /// That the game is over, and how it ended; it is once every seat has said the same. `null`:
    /// that it goes on.
    End(Option<GameEnd>),
}

fn no(why: &str) -> HttpError {
    HttpError::new(422, why, "")
}

/// The state of a table after what a seat does.
pub(super) fn done(live: &Live, table: &Table, seat: SeatId, act: Act) -> Result<Live, HttpError> {
    if live.ended.is_some() {
        return Err(no("This game is over; everything is shown."));
    }
    let mut next = live.clone();
    if matches!(act.what, SeatAction::End(_)) {
        next.rev += 1;
    } else {
        next.changed();
    }
    match act.what {
        SeatAction::Move(wanted) if wanted.by != seat => {
            return Err(no("A player moves for their own seat only."));
        }
        SeatAction::Move(SeatMove { what: Move::Pass {}, .. }) if table.alone.is_some() => {
            next.turn_alone(table)?;
        }
        SeatAction::Move(wanted) => next.moved(table, wanted)?,
        SeatAction::Answer { option, cards } => {
            let prompt = prompt(live, &table.rules.1, seat)?;
            let prompt = prompt.ok_or_else(|| no("Nothing is asked of this seat now."))?;
            next.answered(table, seat, &prompt, option, &cards)?;
        }
        SeatAction::End(None) => {
            next.said.remove(&seat);
        }
        SeatAction::End(Some(result)) => next.ends(seat, result)?,
    }
    next.keep_log(&table.rules, table.mat.as_ref())?;
    Ok(next)
}

/// How far a counter goes that the game does not have, up and down.
const MOST_COUNTED: i64 = 9_999;
/// The most sides of a die.
const MOST_SIDES: u32 = 1_000;

/// Keeps a counter that the game has between 0 and its cap, any other within bounds, and a die to
/// sides that it can have.
fn within_caps(
    SeatMove { by, what }: &mut SeatMove,
    play: &Match,
    table: &Table,
) -> Result<(), HttpError> {
    let capped = |now: i64, change: i64, (least, most): (i64, i64), name: &str| {
        // A counter beyond its cap may come back.
        let next = now.saturating_add(change).clamp(now.min(least), now.max(most));
        if next == now && change != 0 {
            return Err(no(&format!("{name} stays at {now}.")));
        }
        Ok(next - now)
    };
    match what {
        Move::Roll { sides, .. } if *sides > MOST_SIDES => {
            return Err(no(&format!("A die has at most {MOST_SIDES} sides.")));
        }
        Move::Mark { zone, slot, counter, change } => {
            let now = play.marked(*by, zone, *slot, counter);
            *change = capped(now, *change, (-MOST_COUNTED, MOST_COUNTED), counter)?;
        }
        Move::Count { seat, counter, change, .. } => {
            let mut counters = table.mat.iter().flat_map(|mat| &mat.counters);
            let known = counters.find(|known| known.id == *counter);
            let (bounds, name) = match known {
                Some(known) => ((0, known.most.unwrap_or(MOST_COUNTED)), known.name.as_str()),
                None => ((-MOST_COUNTED, MOST_COUNTED), counter.as_str()),
            };
            let of_seat = play.table.seats.get(seat.index());
            let now = of_seat.and_then(|seat| seat.counters.get(counter.as_str()));
            *change = capped(now.copied().unwrap_or_default(), *change, bounds, name)?;
        }
        _ => {}
    }
    Ok(())
}

/// What is asked of a seat, or of the whole table, now.
pub(super) fn prompt(
    live: &Live,
    rules: &MatchRules,
    seat: SeatId,
) -> Result<Option<Prompt>, HttpError> {
    let Stage::Setup(made) = &live.stage else {
        return Ok(None);
    };
    let asked = made.prompts(&rules.setup)?;
    let asked = made.pending.iter().zip(asked);
    let asked = asked.filter(|(pending, _)| live.sealed_for(pending).is_none());
    let mut asked: Vec<Prompt> = asked.map(|(_, prompt)| prompt).collect();
    let own = asked.iter().position(|prompt| prompt.seat == Some(seat));
    let at = own.or_else(|| asked.iter().position(|prompt| prompt.seat.is_none()));
    Ok(at.map(|at| asked.swap_remove(at)))
}

/// A match after a decision of its setup.
fn decided(made: &Match, table: &Table, decision: Decision) -> Result<Match, HttpError> {
    let rules = &table.rules.1;
    let game = rules.game();
    let decided = made.decide(&game, &[decision], Some(&table.swaps));
    let decided = if rules.setup.seats_one() {
        decided.and_then(|made| made.begin_alone(&game))
    } else {
        decided
    };
    Ok(decided?)
}

impl Live {
    pub(super) fn seats(&self) -> Vec<SeatId> {
        match &self.stage {
            Stage::Gathering(gathering) => gathering.seats(),
            Stage::Setup(made) | Stage::Game(made) => made.table.seat_ids().collect(),
        }
    }

    /// The end of a turn of a player alone begins the next one with its draw.
    fn turn_alone(&mut self, table: &Table) -> Result<(), HttpError> {
        let (Stage::Game(play), Some(SoloDraw(draws))) = (&self.stage, &table.alone) else {
            return Err(no("The setup comes first."));
        };
        let moves = play.next_turn(draws);
        moves.into_iter().try_for_each(|wanted| self.moved(table, wanted))
    }

    /// A move, and its line of the log. Who said that the game is over may want to say it again.
    fn moved(&mut self, table: &Table, mut wanted: SeatMove) -> Result<(), HttpError> {
        let Stage::Game(play) = &mut self.stage else {
            return Err(no("The setup comes first."));
        };
        within_caps(&mut wanted, play, table)?;
        let before = play.act(wanted)?;
        let line = play.newest_line(&before, table.mat.as_ref());
        line.into_iter().for_each(|line| self.log.push(line));
        self.said.clear();
        Ok(())
    }

    /// A seat says that the game is over.
    fn ends(&mut self, seat: SeatId, result: GameEnd) -> Result<(), HttpError> {
        let words = escape_control(result.words.trim(), false);
        let words = words.trim_end_matches('.').to_owned();
        if words.chars().count() > LONGEST {
            return Err(no("Say in a few words how the game ended."));
        }
        let Stage::Game(play) = &self.stage else {
            return Err(no("The game has not begun."));
        };
        if let GameResult::Won(seat) = result.won
            && seat.index() >= play.inputs.seats.len()
        {
            return Err(no("Nobody sits there."));
        }
        let result = GameEnd { won: result.won, words };
        let won = result.won;
        self.said.insert(seat, result);
        if self.seats().iter().all(|seat| self.said.get(seat).is_some_and(|end| end.won == won)) {
            // What the first of them had to say stays.
            let said = std::mem::take(&mut self.said);
            let mut ends: Vec<GameEnd> = said.into_values().collect();
            ends.sort_by_key(|end| end.words.is_empty());
            self.ended = ends.into_iter().next();
        }
        Ok(())
    }

    fn answered(
        &mut self,
        table: &Table,
        seat: SeatId,
        prompt: &Prompt,
        answer: usize,
        cards: &[Vec<usize>],
    ) -> Result<(), HttpError> {
        let option = prompt.options.get(answer);
        let option = option.ok_or_else(|| no("There is no such answer."))?;
        let mut chosen = Vec::new();
        for (at, list) in option.cards.iter().enumerate() {
            let numbers = cards.get(at).map_or(&[][..], Vec::as_slice);
            chosen.push(list.ids(numbers)?);
        }
        if let Action::Seal(choice) = &option.action {
            let nonce = Randomness::from_system().and_then(|fresh| fresh.seed());
            let nonce = nonce?;
            let SealedChoice { commits, opens } = SealedChoice::of(seat, nonce.bytes(), choice);
            self.sealed.insert(seat, opens);
            return self.decide(table, commits);
        }
        let decision = option.decided(&chosen);
        let decision = decision.ok_or_else(|| no("There is no such answer."))?;
        if prompt.secret {
            let Stage::Setup(made) = &self.stage else {
                return Err(no("The setup is over."));
            };
            // What is not allowed is refused before it is sealed.
            decided(made, table, decision.clone())?;
            self.sealed.insert(seat, decision);
            return self.opens(table);
        }
        self.decide(table, decision)
    }

    /// What a seat has sealed of what is awaited.
    pub(super) fn sealed_for(&self, pending: &Pending) -> Option<(SeatId, &Decision)> {
        let seat = pending.seat()?;
        let sealed = self.sealed.get(&seat)?;
        (sealed.step() == pending.step()).then_some((seat, sealed))
    }

    /// A decision of the setup, and what follows of itself.
    fn decide(&mut self, table: &Table, decision: Decision) -> Result<(), HttpError> {
        let Stage::Setup(made) = &mut self.stage else {
            return Err(no("The setup is over."));
        };
        **made = decided(made, table, decision)?;
        self.opens(table)
    }

    /// Opens sealed choices once all who are asked have sealed theirs; a setup that is finished is
    /// a game.
    fn opens(&mut self, table: &Table) -> Result<(), HttpError> {
        while let Stage::Setup(made) = &self.stage {
            let sealed = made.pending.iter().map(|pending| self.sealed_for(pending));
            let sealed: Option<Vec<(SeatId, &Decision)>> = sealed.collect();
            let Some((seat, open)) = sealed.and_then(|sealed| sealed.first().copied()) else {
                break;
            };
            let made = decided(made, table, open.clone())?;
            self.sealed.remove(&seat);
            self.stage = Stage::Setup(Box::new(made));
        }
        self.begin();
        Ok(())
    }

    /// Begins the game where nothing is awaited any more.
    pub(super) fn begin(&mut self) {
        if let Stage::Setup(made) = &self.stage
            && made.pending.is_empty()
        {
            self.stage = Stage::Game(made.clone());
        }
    }
}
