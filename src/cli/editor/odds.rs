//! The odds of a hand query, asked again at each change of the deck.

use super::super::words;
use crate::odds::{self, Asked, HandQuery, Likelihood, OddsDefaults, OddsError, Population, Reply};
use crate::resolve::{Change, Decklist};
use crate::solve::Wishes;
use crate::solve::tune::{self, Ranking, Tuning};

/// Work that an answer may cost: little enough that no key waits for it.
const WORK: u64 = 3_000_000;

/// Answers hand queries about the section that is drawn from.
#[derive(Debug)]
pub(super) struct Chance {
    defaults: OddsDefaults,
    section: String,
    /// Cards of a hand, where that was said.
    hand: Option<u32>,
    /// The answer, or why there is none; empty without a query.
    pub(super) answer: String,
}

impl Chance {
    /// With the game's own mulligan, and its hand unless one is said; `section` is drawn from.
    pub(super) fn new(defaults: OddsDefaults, section: String, hand: Option<u32>) -> Chance {
        Chance {
            defaults,
            section,
            hand,
            answer: String::new(),
        }
    }

    /// Answers a query about a deck. `5: QUERY` is about hands of 5.
    pub(super) fn ask(&mut self, query: &str, deck: &Decklist) {
        self.answer = if query.trim().is_empty() {
            String::new()
        } else {
            self.find(query, deck).unwrap_or_else(|error| error)
        };
    }

    /// The exchange of one card that is best for a query, a line.
    pub(super) fn tuned(&self, query: &str, deck: &Decklist) -> String {
        match query.trim().is_empty() {
            true => "what for? Ctrl-O writes a hand query".to_owned(),
            false => self.exchange(query, deck).unwrap_or_else(|error| error),
        }
    }

    fn exchange(&self, query: &str, deck: &Decklist) -> Result<String, String> {
        if !deck.is_legal() {
            return Err("only a legal deck is tuned here; mend it first".to_owned());
        }
        let (hand, query) = self.hand_of(query);
        let section = deck.section(&self.section).unwrap_or(0);
        let population = Population::of_list(deck, usize::from(section));
        let population = population.map_err(|error| error.to_string())?;
        let asked = Asked {
            hand,
            work: Some(WORK),
            ..Asked::default()
        };
        let request = odds::request(&population, &self.defaults, &asked, None);
        let tuning = Tuning {
            section,
            queries: vec![HandQuery::parse(query).map_err(|error| error.to_string())?],
            ranking: Ranking::InOrder,
            request: request.map_err(|error| error.to_string())?,
            changes: 1,
            wishes: Wishes::default(),
        };
        let tuned = tune::tune(deck, &tuning).map_err(|error| error.to_string())?;
        let best = tuned.steps.first().and_then(|step| step.best.as_ref());
        let (after, chance) = best.ok_or("there is no such deck")?;
        let changes = deck.changes_to(after);
        if changes.is_empty() {
            return Ok("no exchange of one card is better".to_owned());
        }
        let change = |change: &Change| {
            let sign = if change.to > change.from { "+" } else { "-" };
            let section = &deck.sections()[usize::from(change.section)];
            let (by, name) = ((change.to - change.from).abs(), deck.name(change.card));
            format!("{sign} {by} {name} [{section}]")
        };
        let changes: Vec<String> = changes.iter().map(change).collect();
        let percent = 100.0 * chance.probability.nearest();
        let changes = crate::text::harmless(&changes.join(", "), false).into_owned();
        Ok(format!("{changes}: {percent:.2} %"))
    }

    /// The cards of a hand that a query is about, and the query itself.
    fn hand_of<'q>(&self, query: &'q str) -> (Option<u32>, &'q str) {
        let said = query
            .split_once(':')
            .and_then(|(number, rest)| Some((number.trim().parse().ok()?, rest)));
        said.map_or((self.hand, query), |(hand, rest)| (Some(hand), rest))
    }

    fn find(&self, query: &str, deck: &Decklist) -> Result<String, String> {
        let (hand, query) = self.hand_of(query);
        let section = deck.section(&self.section).unwrap_or(0);
        let population = Population::of_list(deck, usize::from(section));
        let population = population.map_err(|error| error.to_string())?;
        let asked = Asked {
            queries: vec![query.to_owned()],
            hand,
            work: Some(WORK),
            ..Asked::default()
        };
        let report = odds::answer("", &population, &self.defaults, &asked).map_err(|error| {
            match error {
                OddsError::NoHand => "the game's rules text gives no hand size: begin with one, as in 5: 1+ [], or start with --hand 5".to_owned(),
                error => words::told(&error),
            }
        })?;
        let Some(found) = report.answers.first() else {
            return Ok(String::new());
        };
        let Reply::Query(answer) = &found.answer else {
            return Ok(String::new());
        };
        let about = match answer.likelihood {
            Likelihood::Exact(_) => "",
            Likelihood::Simulated(_) => "about ",
        };
        let percent = 100.0 * answer.likelihood.nearest();
        let hand = found.hand.map_or_else(String::new, |hand| {
            let mulligans = crate::text::counted(i64::from(found.policy.limit), "mulligan");
            let after = if found.policy.limit > 0 {
                format!(", up to {mulligans}")
            } else {
                String::new()
            };
            format!(" (hand of {hand}{after})")
        });
        let remarks = found.remarks.iter().map(|remark| format!("; {remark}"));
        let remarks: String = remarks.collect();
        Ok(format!("{about}{percent:.2} %{hand}{remarks}"))
    }
}
