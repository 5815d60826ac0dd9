//! One run of `odds`: what was asked of a deck, with the game's own policy where nothing else
//! was said, and everything that was found.

use super::Part;
use super::{
    Answer, Deal, Events, HandQuery, Keep, Mulligan, OddsDefaults, OddsError, Path, Policy,
    Population, Request, TotalAnswer, TotalQuery, ask, ask_path, ask_total, deals,
};
use crate::origin::Given;

/// The most turns that are answered for.
const MOST_TURNS: u32 = 1000;

/// What a caller asks of a deck; what is `None` or empty is as the game has it.
#[derive(Debug, Clone, Default)]
pub struct Asked {
    /// Hand queries. With none of these, `expect` or `path`: the game's presets.
    pub queries: Vec<String>,
    /// Cards of the opening hand.
    pub hand: Option<u32>,
    /// Turns to answer for.
    pub turns: Option<u32>,
    /// A condition on the first hand drawn.
    pub given: Option<String>,
    /// The kind of mulligan.
    pub mulligan: Option<Mulligan>,
    /// The most mulligans taken.
    pub mulligans: Option<u32>,
    /// Cards bottomed on keeping after 0, 1, 2… mulligans.
    pub bottom: Option<Vec<u32>>,
    /// A hand query, or `best`.
    pub keep: Option<String>,
    /// Cards drawn after the kept hand.
    pub draws: u32,
    /// A total to find the distribution of.
    pub expect: Option<String>,
    /// A path, see [`Path`].
    pub path: Option<String>,
    /// What happens in the match.
    pub events: Events,
    /// Whose view it is, from 1.
    pub seat: Option<u32>,
    /// The work budget; `None`: [`super::DEFAULT_WORK`].
    pub work: Option<u64>,
    /// Sample hands to deal, and the text that seeds them.
    pub deal: Option<(u32, String)>,
}

/// Everything found in a run.
#[derive(Debug, Clone)]
pub struct OddsReport {
    /// The deck as its file is named.
    pub deck: String,
    /// Cards drawn from.
    pub population: u32,
    /// Cards of the opening hand; `None` for a path alone.
    pub hand: Option<u32>,
    /// How a hand is kept.
    pub policy: Policy,
    /// What was found, in the order asked.
    pub answers: Vec<Found>,
    /// What a reader should know besides, sentences.
    pub notes: Vec<String>,
    /// What the conditions on hands ask for in vain, sentences; see [`Found::remarks`].
    pub remarks: Vec<String>,
    /// Sample hands, where asked for.
    pub deals: Vec<Deal>,
    /// What decided and is not built in; the caller knows.
    pub inputs: Vec<Given>,
}

/// An answer, with what of its question differs from the rest of the run.
#[derive(Debug, Clone)]
pub struct Found {
    /// The preset's name.
    pub name: Option<String>,
    /// Cards of the opening hand; `None` for a path.
    pub hand: Option<u32>,
    /// The turn by which a preset must hold; none: in the opening hand, or after the draws.
    pub turn: Option<u32>,
    /// Cards drawn after the kept hand that the answer counts in.
    pub draws: u32,
    /// How a hand is kept.
    pub policy: Policy,
    /// What the query asks for in vain, sentences: words and values that no card of the pool
    /// has, groups that no card of the deck is in.
    pub remarks: Vec<String>,
    /// The answer itself.
    pub answer: Reply,
}

/// What may be found.
#[derive(Debug, Clone)]
pub enum Reply {
    /// The answer to a query.
    Query(Answer),
    /// The answer to a path.
    Path(Answer),
    /// What a total comes to.
    Total(TotalAnswer),
}

impl Found {
    /// What was asked, as written.
    pub fn query(&self) -> &str {
        match &self.answer {
            Reply::Query(answer) | Reply::Path(answer) => &answer.query,
            Reply::Total(answer) => &answer.query,
        }
    }

    /// The probability, or the mean of a total; and whether it is a probability.
    pub fn value(&self) -> (f64, bool) {
        match &self.answer {
            Reply::Query(answer) | Reply::Path(answer) => (answer.likelihood.nearest(), true),
            Reply::Total(answer) => (answer.total.mean(), false),
        }
    }

    /// Cards seen in all where some are drawn after the hand, those bottomed counted in.
    pub fn seen(&self) -> Option<u32> {
        self.hand
            .filter(|_| self.draws > 0)
            .map(|hand| hand + self.draws)
    }

    /// When a hand is kept, in words; `None` where every hand is.
    pub fn keep(&self) -> Option<&str> {
        keep_in_words(&self.policy, self.query())
    }
}

/// When a hand is kept: `best` or a query; `None` where there is no mulligan.
pub fn keep_in_words<'a>(policy: &'a Policy, goal: &'a str) -> Option<&'a str> {
    if policy.mulligan == Mulligan::None || policy.limit == 0 {
        return None;
    }
    Some(match &policy.keep {
        Keep::Goal => goal,
        Keep::Query(query) => query.text(),
        Keep::Best => "best",
    })
}

/// Answers all that was asked of a deck.
///
/// # Errors
/// The first question that has no answer, and why; see [`OddsError`].
pub fn answer(
    deck: &str,
    population: &Population<'_>,
    defaults: &OddsDefaults,
    asked: &Asked,
) -> Result<OddsReport, OddsError> {
    let run = Run::new(population, defaults, asked)?;
    let mut answers = Vec::new();
    for text in &asked.queries {
        answers.push(run.query(text)?);
    }
    if let Some(total) = &asked.expect {
        let hand = run.hand()?;
        answers.push(run.total(total, None, hand, &run.policy_for_total())?);
    }
    if let Some(path) = &asked.path {
        let path = Path::parse(path)?;
        let mut remarks = Vec::new();
        for (seen, query) in path.steps() {
            add(&mut remarks, in_vain(query, population, seen));
        }
        answers.push(Found {
            remarks,
            name: None,
            hand: None,
            turn: None,
            draws: 0,
            policy: Policy::none(),
            answer: Reply::Path(ask_path(population, &path, run.work)?),
        });
    }
    let only_deals = asked.deal.is_some() && answers.is_empty() && defaults.presets.is_empty();
    if answers.is_empty() && !only_deals {
        if defaults.presets.is_empty() {
            return Err(OddsError::NothingAsked);
        }
        answers = run.presets()?;
    }
    let dealt = match &asked.deal {
        Some((count, seed)) => {
            let queries: Vec<&str> = asked.queries.iter().map(String::as_str).collect();
            deals(population, &queries, run.hand()?, *count, seed)?
        }
        None => Vec::new(),
    };
    let notes = run.notes();
    let remarks = run.remarks();
    Ok(OddsReport {
        remarks,
        deck: deck.to_owned(),
        population: population.size(),
        hand: run.hand,
        notes,
        policy: shared(&answers).unwrap_or(run.policy),
        answers,
        deals: dealt,
        inputs: Vec::new(),
    })
}

/// What a query is asked under: as a caller says, and as the game has it where nothing else is
/// said; with a turn, by the time that it is played.
///
/// # Errors
/// What [`answer`] refuses before any query is asked.
pub fn request(
    population: &Population<'_>,
    defaults: &OddsDefaults,
    asked: &Asked,
    turn: Option<u32>,
) -> Result<Request, OddsError> {
    let turned = Asked {
        turns: turn,
        ..asked.clone()
    };
    let run = Run::new(population, defaults, &turned)?;
    let hand = run.hand()?;
    let by_turn = turn.map_or(0, |turn| run.drawn(turn, hand));
    let request = run.request(hand, &run.policy, asked.draws.max(by_turn));
    Ok(Request {
        turns: Vec::new(),
        ..request
    })
}

/// The policy that all answers go by, where it is one.
fn shared(answers: &[Found]) -> Option<Policy> {
    let first = &answers.first()?.policy;
    let one = answers.iter().all(|found| found.policy == *first);
    one.then(|| first.clone())
}

struct Run<'a> {
    population: &'a Population<'a>,
    defaults: &'a OddsDefaults,
    asked: &'a Asked,
    hand: Option<u32>,
    policy: Policy,
    given: Option<HandQuery>,
    work: u64,
}

impl<'a> Run<'a> {
    fn new(
        population: &'a Population<'a>,
        defaults: &'a OddsDefaults,
        asked: &'a Asked,
    ) -> Result<Run<'a>, OddsError> {
        let seat = asked.seat.unwrap_or(1);
        let seats = defaults.hand.len() as u32;
        if asked.seat.is_some() && seats <= 1 {
            return Err(OddsError::SeatsAlike { seat });
        }
        if seat == 0 || (seats > 1 && seat > seats) {
            return Err(OddsError::NoSeat { seat, seats });
        }
        if let Some(turns) = asked.turns {
            if turns > MOST_TURNS {
                return Err(OddsError::TooManyTurns { turns });
            }
            if defaults.draws.is_none() {
                return Err(OddsError::NoSchedule);
            }
        }
        defaults.checked(&asked.events)?;
        let given = match &asked.given {
            Some(text) => Some(read(Part::Given, text)?),
            None => None,
        };
        Ok(Run {
            population,
            defaults,
            asked,
            hand: asked.hand.or_else(|| defaults.hand_of(seat)),
            policy: policy(defaults, asked)?,
            given,
            work: asked.work.unwrap_or(super::DEFAULT_WORK),
        })
    }

    fn hand(&self) -> Result<u32, OddsError> {
        self.hand.ok_or(OddsError::NoHand)
    }

    fn drawn(&self, turn: u32, hand: u32) -> u32 {
        let draws = self.defaults.draws;
        draws.map_or(0, |draws| draws.drawn(turn, hand, &self.asked.events))
    }

    /// So many draws, or what is left of the deck.
    fn drawable(&self, hand: u32, draws: u32) -> u32 {
        draws.min(self.population.size().saturating_sub(hand))
    }

    fn request(&self, hand: u32, policy: &Policy, draws: u32) -> Request {
        let turns = 1..=self.asked.turns.unwrap_or(0);
        Request {
            hand,
            policy: policy.clone(),
            given: self.given.clone(),
            draws,
            turns: turns.map(|turn| (turn, self.drawn(turn, hand))).collect(),
            work: self.work,
        }
    }

    fn query(&self, text: &str) -> Result<Found, OddsError> {
        let hand = self.hand()?;
        let query = read(Part::Query, text)?;
        let request = self.request(hand, &self.policy, self.asked.draws);
        let turns = request.turns.iter().map(|(_, drawn)| *drawn);
        let draws = turns.max().unwrap_or(0).max(self.asked.draws);
        let seen = hand.saturating_add(draws);
        Ok(Found {
            name: None,
            hand: Some(hand),
            turn: None,
            draws: self.drawable(hand, self.asked.draws),
            policy: self.policy.clone(),
            remarks: in_vain(&query, self.population, seen),
            answer: Reply::Query(ask(self.population, &query, &request)?),
        })
    }

    /// Without a query to keep a hand for, none is put away.
    fn policy_for_total(&self) -> Policy {
        match &self.policy.keep {
            Keep::Goal => Policy::none(),
            Keep::Query(_) | Keep::Best => self.policy.clone(),
        }
    }

    fn total(
        &self,
        text: &str,
        name: Option<String>,
        hand: u32,
        policy: &Policy,
    ) -> Result<Found, OddsError> {
        let total = TotalQuery::parse(text);
        let total = total.map_err(|error| OddsError::query(Part::Expect, text, error))?;
        let request = self.request(hand, policy, self.asked.draws);
        let found = ask_total(self.population, &total, &request)?;
        let mut remarks = match &name {
            None => total.remarks(self.population.pool()),
            Some(_) => Vec::new(),
        };
        add(&mut remarks, undrawn(total.empty_groups(self.population)));
        Ok(Found {
            remarks,
            name,
            hand: Some(hand),
            turn: None,
            draws: self.drawable(hand, self.asked.draws),
            policy: policy.clone(),
            answer: Reply::Total(found),
        })
    }

    fn presets(&self) -> Result<Vec<Found>, OddsError> {
        let mut found = Vec::new();
        for preset in &self.defaults.presets {
            let chosen = self.asked.hand.is_some() || self.asked.seat.is_some();
            let hands = match preset.hands.as_slice() {
                [] => vec![self.hand()?],
                _ if chosen => vec![self.hand()?],
                hands => hands.to_vec(),
            };
            for hand in hands {
                let mut policy = self.policy.clone();
                match preset.mulligans {
                    Some(limit) if self.asked.mulligans.is_none() => policy.limit = limit,
                    _ => {}
                }
                let name = Some(preset.name.clone());
                if let Some(total) = &preset.expect {
                    found.push(self.total(&total.value, name, hand, &self.policy_for_total())?);
                } else if let Some(query) = &preset.query {
                    let query = read(Part::Preset, &query.value)?;
                    let by_turn = preset.turn.map_or(0, |turn| self.drawn(turn, hand));
                    let draws = self.asked.draws.max(by_turn);
                    let request = self.request(hand, &policy, draws);
                    let answer = Reply::Query(ask(self.population, &query, &request)?);
                    found.push(Found {
                        // A value that no card has is the format file's affair.
                        remarks: undrawn(query.empty_groups(self.population)),
                        name,
                        hand: Some(hand),
                        turn: preset.turn,
                        draws: self.drawable(hand, draws),
                        policy,
                        answer,
                    });
                }
            }
        }
        Ok(found)
    }

    /// What the conditions on hands ask for in vain.
    fn remarks(&self) -> Vec<String> {
        let keep = match &self.policy.keep {
            Keep::Query(query) => Some((Part::Keep, query)),
            Keep::Goal | Keep::Best => None,
        };
        let given = self.given.iter().map(|given| (Part::Given, given));
        let mut remarks = Vec::new();
        for (part, query) in keep.into_iter().chain(given) {
            let found = in_vain(query, self.population, self.hand.unwrap_or(u32::MAX));
            let told = found.iter().map(|remark| format!("in {part}: {remark}"));
            add(&mut remarks, told.collect());
        }
        remarks
    }

    fn notes(&self) -> Vec<String> {
        let mut notes = Vec::new();
        if let (Some(draws), Some(hand), Some(sentence)) =
            (self.defaults.draws, self.hand, &self.defaults.empty_deck)
        {
            let size = self.population.size();
            let last = (1..=MOST_TURNS).find(|turn| {
                hand.saturating_add(draws.drawn(*turn, hand, &self.asked.events)) > size
            });
            if let Some(turn) = last.filter(|_| hand <= size) {
                notes.push(format!("On turn {turn} the deck is empty. {sentence}"));
            }
        }
        if self.policy.mulligan == Mulligan::None && self.asked.keep.is_some() {
            notes.push("There is no mulligan here, so every hand is kept.".to_owned());
        }
        if self.policy.keep == Keep::Best && self.asked.turns.is_some() {
            notes.push("Each turn is played for its own best.".to_owned());
        }
        notes.push(
            "A card counts for every group that it is in, except in `different(…)`.".to_owned(),
        );
        notes
    }
}

fn policy(defaults: &OddsDefaults, asked: &Asked) -> Result<Policy, OddsError> {
    let own = defaults.mulligan.as_ref();
    let mulligan = match (asked.mulligan, own) {
        (Some(mulligan), _) => mulligan,
        (None, Some(own)) => own.kind.into(),
        (None, None) if asked.mulligans.is_some_and(|limit| limit > 0) => {
            return Err(OddsError::NoMulligan);
        }
        (None, None) => Mulligan::None,
    };
    if mulligan == Mulligan::None && asked.mulligans.is_some_and(|limit| limit > 0) {
        return Err(match asked.mulligan {
            Some(_) => OddsError::NoneTaken,
            None => OddsError::NoMulligan,
        });
    }
    let keep = match asked.keep.as_deref() {
        None => Keep::Goal,
        Some(word) if word.trim().eq_ignore_ascii_case("best") => Keep::Best,
        Some(text) => Keep::Query(read(Part::Keep, text)?),
    };
    let limit = match mulligan {
        Mulligan::None => 0,
        _ => asked.mulligans.or(own.map(|own| own.limit)).unwrap_or(1),
    };
    if let Some(own) = own.filter(|own| asked.bottom.is_none() && limit > own.most) {
        let most = own.most;
        return Err(OddsError::BeyondTheGame { limit, most });
    }
    // Presets may bring a limit of their own.
    let settled = asked.mulligans.is_some() || !asked.queries.is_empty();
    if let Some(bottom) = asked.bottom.as_ref().filter(|_| settled) {
        let beyond = bottom.iter().skip(limit as usize + 1);
        if beyond.copied().any(|bottom| bottom > 0) {
            return Err(OddsError::BottomBeyond { limit });
        }
    }
    let own_bottom = || own.map_or_else(Vec::new, |own| own.bottom.clone());
    let mut policy = Policy {
        mulligan,
        limit,
        bottom: asked.bottom.clone().unwrap_or_else(own_bottom),
        keep,
    };
    policy.bottom = policy.bottoms();
    Ok(policy)
}

fn read(what: Part, text: &str) -> Result<HandQuery, OddsError> {
    HandQuery::parse(text).map_err(|error| OddsError::query(what, text, error))
}

/// What a query asks of so many cards in vain.
fn in_vain(query: &HandQuery, population: &Population<'_>, seen: u32) -> Vec<String> {
    let mut remarks = query.remarks(population.pool());
    add(&mut remarks, undrawn(query.empty_groups(population)));
    add(&mut remarks, query.out_of_reach(population, seen));
    remarks
}

/// That no card drawn from is in some groups.
fn undrawn(groups: Vec<String>) -> Vec<String> {
    let told = |group| format!("no card of the deck is in `{group}`");
    groups.into_iter().map(told).collect()
}

fn add(remarks: &mut Vec<String>, more: Vec<String>) {
    for remark in more {
        if !remarks.contains(&remark) {
            remarks.push(remark);
        }
    }
}
