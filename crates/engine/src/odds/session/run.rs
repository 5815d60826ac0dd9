//! What a caller leaves open is settled by the game, and each question is asked.

use super::{Asked, Found, Refused, Reply};
use crate::odds::condition::{empty_groups_of_hand, empty_groups_of_total, out_of_reach};
use crate::odds::{
    HandQuery, Keep, Mulligan, OddsDefaults, OddsError, Part, Policy, Population, Request,
    TotalQuery, ask, ask_total,
};

/// The most turns that are answered for.
const MOST_TURNS: u32 = 1000;

/// A run, with all that is settled before the first query.
pub(super) struct Run<'a> {
    population: &'a Population<'a>,
    defaults: &'a OddsDefaults,
    asked: &'a Asked,
    pub(super) hand: Option<u32>,
    pub(super) policy: Policy,
    given: Option<HandQuery>,
    pub(super) work: u64,
}

impl<'a> Run<'a> {
    pub(super) fn new(
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
            work: asked.work.unwrap_or(crate::odds::DEFAULT_WORK),
        })
    }

    pub(super) fn hand(&self) -> Result<u32, OddsError> {
        self.hand.ok_or(OddsError::NoHand)
    }

    pub(super) fn drawn(&self, turn: u32, hand: u32) -> u32 {
        let draws = self.defaults.draws;
        draws.map_or(0, |draws| draws.drawn(turn, hand, &self.asked.events))
    }

    /// So many draws, or what is left of the deck.
    fn drawable(&self, hand: u32, draws: u32) -> u32 {
        draws.min(self.population.size().saturating_sub(hand))
    }

    pub(super) fn request(&self, hand: u32, policy: &Policy, draws: u32) -> Request {
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

    pub(super) fn query(&self, text: &str) -> Result<Found, OddsError> {
        let hand = self.hand()?;
        let query = read(Part::Query, text)?;
        let request = self.request(hand, &self.policy, self.asked.draws);
        let turns = request.turns.iter().map(|(_, drawn)| *drawn);
        let draws = turns.max().unwrap_or(0).max(self.asked.draws);
        let seen = hand.saturating_add(draws);
        let found = ask(self.population, &query, &request).map(Reply::Query);
        let mut remarks = in_vain(&query, self.population, seen);
        Ok(Found {
            answer: self.or_refused(found, false, Some(&request), &mut remarks)?,
            name: None,
            hand: Some(hand),
            turn: None,
            draws: self.drawable(hand, self.asked.draws),
            policy: self.policy.clone(),
            remarks,
        })
    }

    /// What was found; a question beyond the work limit is refused, and a remark says what would
    /// help.
    pub(super) fn or_refused(
        &self,
        found: Result<Reply, OddsError>,
        is_total: bool,
        request: Option<&Request>,
        remarks: &mut Vec<String>,
    ) -> Result<Reply, OddsError> {
        let query = match found {
            Err(OddsError::TooMuchWork { query }) => query,
            found => return found,
        };
        let help = "the question takes more work than the limit allows: ask about fewer groups, \
            fewer cards or fewer turns, or raise the limit";
        remarks.push(help.to_owned());
        let size = self.population.size();
        let turns = request.iter().flat_map(|request| {
            let turns = request.turns.iter();
            turns.map(|(turn, draws)| (*turn, size.min(request.hand + draws)))
        });
        Ok(Reply::Refused(Refused {
            query,
            is_total,
            turns: turns.collect(),
        }))
    }

    /// Without a query to keep a hand for, none is put away.
    pub(super) fn policy_for_total(&self) -> Policy {
        match &self.policy.keep {
            Keep::Goal => Policy::none(),
            Keep::Query(_) | Keep::Best => self.policy.clone(),
        }
    }

    pub(super) fn total(
        &self,
        text: &str,
        name: Option<String>,
        hand: u32,
        policy: &Policy,
    ) -> Result<Found, OddsError> {
        let total = TotalQuery::parse(text);
        let total = total.map_err(|error| OddsError::query(Part::Expect, text, error))?;
        let request = self.request(hand, policy, self.asked.draws);
        let found = ask_total(self.population, &total, &request).map(Reply::Total);
        let mut remarks = match &name {
            None => total.remarks(self.population.pool()),
            Some(_) => Vec::new(),
        };
        add(
            &mut remarks,
            undrawn(empty_groups_of_total(&total, self.population)),
        );
        Ok(Found {
            answer: self.or_refused(found, true, Some(&request), &mut remarks)?,
            remarks,
            name,
            hand: Some(hand),
            turn: None,
            draws: self.drawable(hand, self.asked.draws),
            policy: policy.clone(),
        })
    }

    pub(super) fn presets(&self) -> Result<Vec<Found>, OddsError> {
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
                    let answer = ask(self.population, &query, &request).map(Reply::Query);
                    // A value that no card has is the format file's affair.
                    let mut remarks = undrawn(empty_groups_of_hand(&query, self.population));
                    found.push(Found {
                        answer: self.or_refused(answer, false, Some(&request), &mut remarks)?,
                        remarks,
                        name,
                        hand: Some(hand),
                        turn: preset.turn,
                        draws: self.drawable(hand, draws),
                        policy,
                    });
                }
            }
        }
        Ok(found)
    }

    /// What the conditions on hands ask for in vain.
    pub(super) fn remarks(&self) -> Vec<String> {
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

    pub(super) fn notes(&self) -> Vec<String> {
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
pub(super) fn in_vain(query: &HandQuery, population: &Population<'_>, seen: u32) -> Vec<String> {
    let mut remarks = query.remarks(population.pool());
    add(
        &mut remarks,
        undrawn(empty_groups_of_hand(query, population)),
    );
    add(&mut remarks, out_of_reach(query, population, seen));
    remarks
}

/// That no card drawn from is in some groups.
fn undrawn(groups: Vec<String>) -> Vec<String> {
    let told = |group| format!("no card that is drawn from is in `{group}`");
    groups.into_iter().map(told).collect()
}

/// Adds what is not said yet.
pub(super) fn add(remarks: &mut Vec<String>, more: Vec<String>) {
    for remark in more {
        if !remarks.contains(&remark) {
            remarks.push(remark);
        }
    }
}
