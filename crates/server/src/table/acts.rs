//! What people do at a table: decisions of the setup, moves, and what they agree to.

use super::{Live, Request, RequestedAction, SoloDraw, Stage, Table};
use crate::error::HttpError;
use decklaw_play::matches::{
    Action, Decision, GameResult, Match, MatchRules, Move, Pending, Prompt, Randomness,
    SealedChoice, SeatId,
};
use decklaw_text::text::escape_control;
use serde::{Deserialize, Serialize};

/// The most letters of how a game ended.
const LONGEST: usize = 80;

/// How a game ended.
#[derive(Debug, Clone, Serialize, Deserialize)]
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

/// An action of a seat.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "lowercase", deny_unknown_fields)]
enum SeatAction {
    /// A move of the game.
    Move(Move),
    /// An answer to what is asked.
    Answer {
        /// Its number, from 0.
        option: usize,
        /// The cards of each of its lists, by their numbers.
        #[serde(default)]
        cards: Vec<Vec<usize>>,
    },
    /// Whether to agree to what another seat asks.
    Agree(bool),
    /// That the game is over, and how it ended.
    End(GameEnd),
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
    next.rev += 1;
    match act.what {
        SeatAction::Move(wanted) if wanted.by() != seat => {
            return Err(no("A player moves for their own seat only."));
        }
        SeatAction::Move(Move::Pass { .. }) if table.alone.is_some() => next.turn_alone(table)?,
        SeatAction::Move(wanted) => next.moved(table, seat, wanted)?,
        SeatAction::Answer { option, cards } => {
            let prompt = prompt(live, &table.rules.1, seat)?;
            let prompt = prompt.ok_or_else(|| no("Nothing is asked of this seat now."))?;
            next.answered(table, seat, &prompt, option, &cards)?;
        }
        SeatAction::Agree(agrees) => next.agreed(table, seat, agrees)?,
        SeatAction::End(result) => {
            let words = escape_control(result.words.trim(), false);
            let words = words.trim_end_matches('.').to_owned();
            if words.chars().count() > LONGEST {
                return Err(no("Say in a few words how the game ended."));
            }
            let Stage::Game(play) = &next.stage else {
                return Err(no("The game has not begun."));
            };
            if let GameResult::Won(seat) = result.won
                && seat.index() >= play.inputs.seats.len()
            {
                return Err(no("Nobody sits there."));
            }
            let result = GameEnd { won: result.won, words };
            let text = format!(
                "{} says that the game is over. {}",
                play.player(seat),
                result.sentence(play)
            );
            next.ask(table, seat, RequestedAction::End(result), next.others(seat), text)?;
        }
    }
    Ok(next)
}

/// What a player is called in the setup.
fn made_by(live: &Live, seat: SeatId) -> String {
    match &live.stage {
        Stage::Setup(made) | Stage::Game(made) => made.player(seat),
        Stage::Gathering(_) => seat.to_string(),
    }
}

/// Keeps a counter that the game has between 0 and its cap.
fn within_caps(wanted: &mut Move, play: &Match, table: &Table) -> Result<(), HttpError> {
    let Move::Count { seat, counter, change, .. } = wanted else {
        return Ok(());
    };
    let counters = table.mat.iter().flat_map(|mat| &mat.counters);
    let Some(known) = counters.into_iter().find(|known| known.id == *counter) else {
        return Ok(());
    };
    let of_seat = play.table.seats.get(seat.index());
    let now = of_seat.and_then(|seat| seat.counters.get(counter));
    let now = now.copied().unwrap_or_default();
    let next = now.saturating_add(*change);
    let most = known.most.unwrap_or(i64::MAX);
    // A counter beyond its cap may come back.
    let next = next.clamp(now.min(0), now.max(most));
    if next == now {
        return Err(no(&format!("{} stays at {now}.", known.name)));
    }
    *change = next - now;
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

    fn others(&self, seat: SeatId) -> Vec<SeatId> {
        let seats = self.seats().into_iter();
        seats.filter(|other| *other != seat).collect()
    }

    /// The end of a turn of a player alone begins the next one with its draw.
    fn turn_alone(&mut self, table: &Table) -> Result<(), HttpError> {
        let (Stage::Game(play), Some(SoloDraw(draws))) = (&mut self.stage, &table.alone) else {
            return Err(no("The setup comes first."));
        };
        let mut moves = play.next_turn(draws).into_iter();
        let done = moves.try_for_each(|wanted| play.act(wanted));
        Ok(done?)
    }

    /// A move: made at once, or once the players that it needs agree.
    fn moved(&mut self, table: &Table, seat: SeatId, mut wanted: Move) -> Result<(), HttpError> {
        let others = self.others(seat);
        let Stage::Game(play) = &mut self.stage else {
            return Err(no("The setup comes first."));
        };
        within_caps(&mut wanted, play, table)?;
        let leave = play.needs_leave(&wanted)?;
        if let Move::Look { leave: given, .. } | Move::Random { leave: given, .. } = &mut wanted {
            given.clone_from(&leave);
        }
        let is_out_of_turn = seat != play.active;
        let needs = match &wanted {
            // Life and the like go down in another's turn, too.
            Move::Undo { .. } | Move::Count { .. } | Move::Roll { .. } => Vec::new(),
            _ if is_out_of_turn => others,
            _ => leave,
        };
        // What is not allowed is refused before anybody is asked.
        let mut tried = Match::clone(play);
        tried.act(wanted.clone())?;
        if needs.is_empty() {
            **play = tried;
            self.request = None;
            return Ok(());
        }
        let mut text = play.asked(&wanted, table.mat.as_ref());
        if is_out_of_turn {
            text.push_str(" It is not their turn.");
        }
        self.request = Some(Request { by: seat, what: RequestedAction::Move(wanted), needs, text });
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
        // What one seat alone should not choose for all, all agree to.
        if prompt.seat.is_none() && !decision.is_by_chance() {
            let text = format!("{} suggests: {}.", made_by(self, seat), option.text);
            return self.ask(
                table,
                seat,
                RequestedAction::Decide(decision),
                self.others(seat),
                text,
            );
        }
        self.decide(table, decision)
    }

    fn ask(
        &mut self,
        table: &Table,
        by: SeatId,
        what: RequestedAction,
        needs: Vec<SeatId>,
        text: String,
    ) -> Result<(), HttpError> {
        if needs.is_empty() {
            return self.carry_out(table, what);
        }
        self.request = Some(Request { by, what, needs, text });
        Ok(())
    }

    fn agreed(&mut self, table: &Table, seat: SeatId, agrees: bool) -> Result<(), HttpError> {
        let Some(mut request) = self.request.take() else {
            return Err(no("Nothing is asked any more."));
        };
        // Who asked may take it back.
        let may = request.needs.contains(&seat) || (request.by == seat && !agrees);
        if !may {
            return Err(no("This is asked of others."));
        }
        if !agrees {
            return Ok(());
        }
        request.needs.retain(|other| *other != seat);
        if request.needs.is_empty() {
            self.carry_out(table, request.what)
        } else {
            self.request = Some(request);
            Ok(())
        }
    }

    fn carry_out(&mut self, table: &Table, what: RequestedAction) -> Result<(), HttpError> {
        match (what, &mut self.stage) {
            (RequestedAction::Move(wanted), Stage::Game(play)) => Ok(play.act(wanted)?),
            (RequestedAction::Decide(decision), Stage::Setup(_)) => self.decide(table, decision),
            (RequestedAction::End(result), Stage::Game(_)) => {
                self.ended = Some(result);
                Ok(())
            }
            _ => Err(no("The table changed in the meantime.")),
        }
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
        self.request = None;
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
        self.begin()
    }

    /// Begins the game where nothing is awaited any more.
    pub(super) fn begin(&mut self) -> Result<(), HttpError> {
        if let Stage::Setup(made) = &self.stage
            && made.pending.is_empty()
        {
            self.stage = Stage::Game(made.clone());
        }
        Ok(())
    }
}
