//! Tuning: the legal deck within a few exchanges whose hands most likely hold what is asked.
//!
//! A query sees no more of a deck than how many cards of each kind it has, a kind being cards
//! that the query does not distinguish. There are few such counts within a few exchanges: their
//! odds are reckoned exactly, and from the best one down the solver is asked whether a legal
//! deck has them. The first that one has is the best there is, and that is proven.

mod certify;
mod chances;
mod engine;
mod run;
mod vectors;

use super::problem::Problem;
use super::repair::repair_within;
use super::{Decklist, Repair, SolvedDeck, Wishes};
use crate::odds::{Fraction, HandQuery, Keep, Request, wrong};
pub use certify::certify;
use decklaw_text::ProblemKind;
use run::Run;

/// The most exchanges that are looked at.
pub const MOST_EXCHANGES: u32 = 60;

/// What is asked of a tuning.
#[derive(Debug, Clone)]
pub struct Tuning {
    /// Index of the section drawn from.
    pub section: u16,
    /// What hands should hold, the first before the second; at least one.
    pub queries: Vec<HandQuery>,
    /// The hand, the policy, the draws.
    pub request: Request,
    /// The most copies that go and the most that come, 1 to [`MOST_EXCHANGES`].
    pub changes: u32,
    /// What the deck must be in addition to legal, and the steps that may be taken.
    pub wishes: Wishes,
}

impl Tuning {
    /// What is asked for that no card has, a sentence each: words and values that no card of the
    /// pool has, groups that no card is in, cards to keep that the deck does not hold. `before` is
    /// the deck.
    pub fn unmatched_wishes(&self, before: &Decklist) -> Vec<String> {
        let kept = match &self.request.policy.keep {
            Keep::Query(query) => Some(query),
            Keep::Goal | Keep::Best => None,
        };
        let given = self.request.given.as_ref();
        let queries = self.queries.iter().chain(kept).chain(given);
        let asked = queries.map(|query| (query.text(), query.unmatched(before.pool())));
        let wishes = self.wishes.must.iter().chain(&self.wishes.prefer);
        let wished = wishes.map(|wish| (wish.text(), wish.remarks(before)));
        let mut notes: Vec<String> = Vec::new();
        for (text, remarks) in asked.chain(wished) {
            for remark in remarks {
                let remark = format!("in `{text}`: {remark}");
                if !notes.contains(&remark) {
                    notes.push(remark);
                }
            }
        }
        notes
    }
}

/// A deck and its odds.
#[derive(Debug, Clone)]
pub struct Odds {
    /// The probability of each query.
    pub each: Vec<Fraction>,
    /// What is made as large as can be: the first query's.
    pub probability: Fraction,
}

/// The best deck within a number of exchanges.
#[derive(Debug, Clone)]
pub struct Step {
    /// The most copies that go and that come.
    pub exchanges: u32,
    /// The deck and its odds; `None`: within a number of exchanges none satisfies the wishes.
    pub best: Option<(Decklist, Odds)>,
    /// Whether it is proven that none is better.
    pub optimal: bool,
    /// A probability that none exceeds.
    pub bound: Fraction,
}

/// A rule without which more could be had.
#[derive(Debug, Clone)]
pub struct Stop {
    /// The rule's id.
    pub rule: String,
    /// What could be had without it, the other rules and the wishes standing.
    pub odds: Odds,
}

/// What a tuning came to.
#[derive(Debug, Clone)]
pub struct TuneResult {
    /// The deck that was tuned: the one given, or its smallest repair.
    pub start: Decklist,
    /// The repair, where the deck was not legal.
    pub repaired: Option<Box<SolvedDeck>>,
    /// The odds of what was tuned.
    pub before: Odds,
    /// The best deck for each number of exchanges, from 1 on.
    pub steps: Vec<Step>,
    /// The rules that prevent something better within the most exchanges, the one that
    /// costs most first.
    pub stops: Vec<Stop>,
}

/// How a message begins about a deck that is not legal.
const ILLEGAL: &str = "the deck is not legal";

/// Finds the legal decks within 1, 2, … exchanges whose odds are best.
///
/// # Errors
/// A deck without any legal repair, queries that do not fit the cards, or odds that take more
/// work than the budget allows.
pub fn tune(deck: &Decklist, tuning: &Tuning) -> Result<TuneResult, decklaw_text::Problem> {
    if tuning.changes == 0 || tuning.changes > MOST_EXCHANGES {
        return Err(wrong("the exchanges are a number from 1 to 60", ""));
    }
    if tuning.queries.is_empty() {
        return Err(wrong("there is nothing to tune for", ""));
    }
    let mut left = tuning.wishes.effort;
    let repaired = if deck.is_legal() {
        None
    } else {
        let wishes = Wishes { must: Vec::new(), ..tuning.wishes.clone() };
        match repair_within(deck, &wishes, &mut left) {
            Repair::Found(found) => Some(found),
            Repair::Impossible(conflict) => {
                let reasons = conflict.sentences(deck, &wishes).join("; ");
                let message = format!("{ILLEGAL}, and cannot be made legal: {reasons}");
                return Err(decklaw_text::Problem::new(ProblemKind::Impossible, message));
            }
            Repair::Unknown => {
                let message =
                    format!("{ILLEGAL}, and the work limit was reached before a repair was found");
                return Err(decklaw_text::Problem::new(ProblemKind::Limit, message)
                    .with_help("allow more work with `effort`"));
            }
        }
    };
    let start = repaired.as_ref().map_or(deck, |found| &found.deck).clone();
    let (before, steps, stops) = {
        let contents = start.contents();
        let problem = Problem::new(&start, &contents, &tuning.wishes, false);
        problem.effort.set(tuning.wishes.saved(left));
        Run::new(problem, &start, tuning, tuning.request.work)?.run()?
    };
    Ok(TuneResult { start, repaired, before, steps, stops })
}
