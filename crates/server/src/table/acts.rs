//! What people do at a table: decisions of the setup, moves, and what they agree to.

use super::{Alone, Asked, Live, Stage, Swaps, Table, What};
use crate::trouble::Trouble;
use decklaw_core::text::harmless;
use decklaw_play::matches::{
    Action, Decision, GameResult, Match, Move, Pending, Prompt, Randomness, Sealed, SeatId,
};
use serde::{Deserialize, Serialize};

/// The most letters of how a game ended.
const LONGEST: usize = 80;

/// How a game ended.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Ended {
    /// Who won it.
    pub(super) won: GameResult,
    /// What else there is to say; may be empty.
    #[serde(default)]
    words: String,
}

impl Ended {
    /// A sentence without its end; `named` says what a seat is called.
    pub(super) fn told(&self, named: impl Fn(SeatId) -> String) -> String {
        let won = match self.won {
            GameResult::Won(seat) => format!("{} won", named(seat)),
            GameResult::Drawn(_) => "a draw".to_owned(),
        };
        match self.words.as_str() {
            "" => won,
            words => format!("{won}: {words}"),
        }
    }
}

/// What a seat is called: its letter, and the name of who sits there.
pub(super) fn called(seat: SeatId, name: &str) -> String {
    match name == seat.letter() {
        true => format!("seat {seat}"),
        false => format!("seat {seat} ({})", harmless(name, false)),
    }
}

/// What somebody at a table does.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Act {
    /// The state that the page showed.
    pub(super) rev: i64,
    /// A move as it is typed at a keyboard.
    #[serde(default, rename = "move")]
    typed: Option<String>,
    /// The number of an answer to what is asked, from 0.
    #[serde(default)]
    answer: Option<usize>,
    /// With an answer: the cards of each of its lists, by their numbers.
    #[serde(default)]
    cards: Vec<Vec<usize>>,
    /// Whether to agree to what another seat asks.
    #[serde(default)]
    agree: Option<bool>,
    /// That the game is over, and how it ended.
    #[serde(default)]
    end: Option<Ended>,
}

impl Act {
    /// Whether it is no move, and asks which moves can be typed.
    pub(super) fn asks_for_help(&self) -> bool {
        let typed = self.typed.as_deref().map(str::trim);
        typed.is_some_and(|typed| typed == "?" || typed.eq_ignore_ascii_case("help"))
    }
}

fn no(why: &str) -> Trouble {
    Trouble::new(422, why, "")
}

/// How a table stands after what a seat does.
pub(super) fn done(live: &Live, table: &Table, seat: SeatId, act: &Act) -> Result<Live, Trouble> {
    let ((_, rules), swaps) = (&table.rules, &table.swaps);
    if live.ended.is_some() {
        return Err(no("This game is over; everything is shown."));
    }
    let mut next = live.clone();
    next.rev += 1;
    let wanted = (&act.typed, act.answer, act.agree, &act.end);
    match wanted {
        (Some(line), None, None, None) => match &table.alone {
            Some(alone) => next.moved_alone(alone, line)?,
            None => next.moved(seat, line)?,
        },
        (None, Some(answer), None, None) => {
            let prompt = prompt(live, rules, seat)?;
            let prompt = prompt.ok_or_else(|| no("Nothing is asked of this seat now."))?;
            next.answered(rules, swaps, seat, &prompt, answer, &act.cards)?;
        }
        (None, None, Some(agrees), None) => next.agreed(rules, swaps, seat, agrees)?,
        (None, None, None, Some(result)) => {
            let words = harmless(result.words.trim(), false).into_owned();
            if words.chars().count() > LONGEST {
                return Err(no("Say in a few words how the game ended."));
            }
            let Stage::Game(play) = &next.stage else {
                return Err(no("The game has not begun."));
            };
            let seats = &play.inputs.seats;
            let won = result.won;
            if let GameResult::Won(seat) = won
                && seat.index() >= seats.len()
            {
                return Err(no("Nobody sits there."));
            }
            let result = Ended { won, words };
            let named = |seat: SeatId| {
                let name = seats.get(seat.index()).map_or("", |seat| &seat.name);
                called(seat, name)
            };
            let told = format!("Is the game over: {}?", result.told(named));
            next.ask(
                rules,
                swaps,
                seat,
                What::End(result),
                next.others(seat),
                told,
            )?;
        }
        _ => return Err(Trouble::wrong("This is not one thing to do.")),
    }
    Ok(next)
}

/// What is asked of a seat, or of the whole table, now.
pub(super) fn prompt(
    live: &Live,
    rules: &decklaw_play::matches::MatchRules,
    seat: SeatId,
) -> Result<Option<Prompt>, Trouble> {
    let Stage::Setup(made) = &live.stage else {
        return Ok(None);
    };
    let asked = made
        .prompts(&rules.setup)
        .map_err(|error| Trouble::from(&error))?;
    let asked = made.pending.iter().zip(asked);
    let asked = asked.filter(|(pending, _)| live.sealed_for(pending).is_none());
    let mut asked: Vec<Prompt> = asked.map(|(_, prompt)| prompt).collect();
    let own = asked.iter().position(|prompt| prompt.seat == Some(seat));
    let at = own.or_else(|| asked.iter().position(|prompt| prompt.seat.is_none()));
    Ok(at.map(|at| asked.swap_remove(at)))
}

/// A match after a decision of its setup.
fn decided(
    made: &Match,
    rules: &decklaw_play::matches::MatchRules,
    swaps: &Swaps,
    decision: Decision,
) -> Result<Match, Trouble> {
    let game = rules.game();
    let decided = made.decide(&game, &[decision], Some(swaps));
    let decided = match rules.setup.seats_one() {
        true => decided.and_then(|made| made.begin_alone(&game)),
        false => decided,
    };
    decided.map_err(|error| Trouble::from(&error))
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

    /// A move of a player alone: the end of a turn begins the next one with its draw.
    fn moved_alone(&mut self, Alone(draws): &Alone, line: &str) -> Result<(), Trouble> {
        let Stage::Game(play) = &mut self.stage else {
            return Err(no("The setup comes first."));
        };
        if line.trim() != "pass" {
            return self.moved(SeatId::A, line);
        }
        let mut moves = play.next_turn(draws).into_iter();
        let done = moves.try_for_each(|wanted| play.act(wanted));
        done.map_err(|error| Trouble::from(&error))
    }

    /// A move that a seat types: done at once, or once those agree whom it needs.
    fn moved(&mut self, seat: SeatId, line: &str) -> Result<(), Trouble> {
        let others = self.others(seat);
        let Stage::Game(play) = &mut self.stage else {
            return Err(no("The setup comes first."));
        };
        let mut wanted = play
            .typed(line, seat)
            .map_err(|error| Trouble::from(&error))?;
        let leave = play
            .needs_leave(&wanted)
            .map_err(|error| Trouble::from(&error))?;
        if let Move::Look { leave: given, .. } | Move::Random { leave: given, .. } = &mut wanted {
            given.clone_from(&leave);
        }
        let out_of_turn = seat != play.active;
        let needs = match &wanted {
            Move::Undo { .. } => Vec::new(),
            _ if out_of_turn => others,
            _ => leave,
        };
        // What cannot be done is told before anybody is asked.
        let mut tried = Match::clone(play);
        tried
            .act(wanted.clone())
            .map_err(|error| Trouble::from(&error))?;
        if needs.is_empty() {
            **play = tried;
            self.asked = None;
            return Ok(());
        }
        let mut told = play.public_line(&wanted);
        if out_of_turn {
            told.push_str(" (out of turn)");
        }
        self.asked = Some(Asked {
            by: seat,
            what: What::Move(wanted),
            needs,
            told,
        });
        Ok(())
    }

    fn answered(
        &mut self,
        rules: &decklaw_play::matches::MatchRules,
        swaps: &Swaps,
        seat: SeatId,
        prompt: &Prompt,
        answer: usize,
        cards: &[Vec<usize>],
    ) -> Result<(), Trouble> {
        let option = prompt.options.get(answer);
        let option = option.ok_or_else(|| no("There is no such answer."))?;
        let mut chosen = Vec::new();
        for (at, list) in option.cards.iter().enumerate() {
            let numbers = cards.get(at).map_or(&[][..], Vec::as_slice);
            chosen.push(list.ids(numbers).map_err(|error| Trouble::from(&error))?);
        }
        if let Action::Seal(choice) = &option.action {
            let nonce = Randomness::from_system().and_then(|fresh| fresh.seed());
            let nonce = nonce.map_err(|error| Trouble::from(&error))?;
            let Sealed { commits, opens } = Sealed::of(seat, nonce.bytes(), choice);
            self.sealed.insert(seat, opens);
            return self.decide(rules, swaps, commits);
        }
        let decision = option.decided(&chosen);
        let decision = decision.ok_or_else(|| no("There is no such answer."))?;
        if prompt.secret {
            let Stage::Setup(made) = &self.stage else {
                return Err(no("The setup is over."));
            };
            // What cannot be done is told before it is kept back.
            decided(made, rules, swaps, decision.clone())?;
            self.sealed.insert(seat, decision);
            return self.opens(rules, swaps);
        }
        // What one seat alone should not choose for all, all agree to.
        if prompt.seat.is_none() && !decision.is_by_chance() {
            let told = format!("{}: {}?", prompt.text, option.text);
            return self.ask(
                rules,
                swaps,
                seat,
                What::Decide(decision),
                self.others(seat),
                told,
            );
        }
        self.decide(rules, swaps, decision)
    }

    fn ask(
        &mut self,
        rules: &decklaw_play::matches::MatchRules,
        swaps: &Swaps,
        by: SeatId,
        what: What,
        needs: Vec<SeatId>,
        told: String,
    ) -> Result<(), Trouble> {
        if needs.is_empty() {
            return self.carry_out(rules, swaps, what);
        }
        self.asked = Some(Asked {
            by,
            what,
            needs,
            told,
        });
        Ok(())
    }

    fn agreed(
        &mut self,
        rules: &decklaw_play::matches::MatchRules,
        swaps: &Swaps,
        seat: SeatId,
        agrees: bool,
    ) -> Result<(), Trouble> {
        let Some(mut asked) = self.asked.take() else {
            return Err(no("Nothing is asked any more."));
        };
        // Who asked may take it back.
        let may = asked.needs.contains(&seat) || (asked.by == seat && !agrees);
        if !may {
            return Err(no("This is asked of others."));
        }
        if !agrees {
            return Ok(());
        }
        asked.needs.retain(|other| *other != seat);
        match asked.needs.is_empty() {
            true => self.carry_out(rules, swaps, asked.what),
            false => {
                self.asked = Some(asked);
                Ok(())
            }
        }
    }

    fn carry_out(
        &mut self,
        rules: &decklaw_play::matches::MatchRules,
        swaps: &Swaps,
        what: What,
    ) -> Result<(), Trouble> {
        match (what, &mut self.stage) {
            (What::Move(wanted), Stage::Game(play)) => {
                play.act(wanted).map_err(|error| Trouble::from(&error))
            }
            (What::Decide(decision), Stage::Setup(_)) => self.decide(rules, swaps, decision),
            (What::End(result), Stage::Game(_)) => {
                self.ended = Some(result);
                Ok(())
            }
            _ => Err(no("The table has gone on meanwhile.")),
        }
    }

    /// What a seat has sealed of what is awaited.
    pub(super) fn sealed_for(&self, pending: &Pending) -> Option<(SeatId, &Decision)> {
        let seat = pending.seat()?;
        let sealed = self.sealed.get(&seat)?;
        (sealed.step() == pending.step()).then_some((seat, sealed))
    }

    /// A decision of the setup, and what follows of itself.
    fn decide(
        &mut self,
        rules: &decklaw_play::matches::MatchRules,
        swaps: &Swaps,
        decision: Decision,
    ) -> Result<(), Trouble> {
        let Stage::Setup(made) = &mut self.stage else {
            return Err(no("The setup is over."));
        };
        **made = decided(made, rules, swaps, decision)?;
        self.opens(rules, swaps)
    }

    /// Opens sealed choices once all who are asked have sealed theirs; a setup that is finished is a
    /// game.
    fn opens(
        &mut self,
        rules: &decklaw_play::matches::MatchRules,
        swaps: &Swaps,
    ) -> Result<(), Trouble> {
        self.asked = None;
        while let Stage::Setup(made) = &self.stage {
            let sealed = made.pending.iter().map(|pending| self.sealed_for(pending));
            let sealed: Option<Vec<(SeatId, &Decision)>> = sealed.collect();
            let Some((seat, open)) = sealed.and_then(|sealed| sealed.first().copied()) else {
                break;
            };
            let made = decided(made, rules, swaps, open.clone())?;
            self.sealed.remove(&seat);
            self.stage = Stage::Setup(Box::new(made));
        }
        self.begin()
    }

    /// Begins the game where nothing is awaited any more.
    pub(super) fn begin(&mut self) -> Result<(), Trouble> {
        if let Stage::Setup(made) = &self.stage
            && made.pending.is_empty()
        {
            self.stage = Stage::Game(made.clone());
        }
        Ok(())
    }
}
