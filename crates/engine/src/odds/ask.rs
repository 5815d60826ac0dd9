//! One question: a query or a total, a policy, and the answer.

use super::atoms::Atoms;
use super::budget::DEFAULT_MEMORY;
use super::budget::DEFAULT_WORK;
use super::budget::{Budget, Limit};
use super::conditions::{Conditions, Formula};
use super::diagram::Diagram;
use super::error::{GIVEN, KEPT};
use super::keep_rule::{KeepRule, keep_rule};
use super::number::Share;
use super::play::{Outcome, Play};
use super::work::Work;
use super::wrong;
use super::{
    Distribution, Fraction, HandQuery, Keep, OddsError, Policy, Population, TotalQuery, wrong_query,
};
use decklaw_text::problem::Problem;
use decklaw_text::text::counted;
use serde::ser::SerializeStruct;
use serde::{Serialize, Serializer};

/// The conditions under which a query is asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Request {
    /// Cards of the opening hand.
    pub hand: u32,
    /// How the hand that is kept comes about.
    pub policy: Policy,
    /// A condition on the first hand drawn.
    pub given: Option<HandQuery>,
    /// Cards drawn after the kept hand; at most all that are left.
    pub draws: u32,
    /// Turns to answer for too: their numbers, and the cards drawn by then.
    pub turns: Vec<(u32, u32)>,
    /// The most work, see [`DEFAULT_WORK`].
    pub work: u64,
    /// The most memory in bytes, see [`DEFAULT_MEMORY`].
    pub memory: u64,
}

impl Request {
    /// An opening hand that is always kept.
    pub fn without_mulligan(hand: u32) -> Request {
        Request {
            hand,
            policy: Policy::none(),
            given: None,
            draws: 0,
            turns: Vec::new(),
            work: DEFAULT_WORK,
            memory: DEFAULT_MEMORY,
        }
    }
}

/// What [`Keep::Best`] gains, and which hands it keeps.
#[derive(Debug, Clone, PartialEq)]
pub struct BestKeep {
    /// How much more likely the query is than without a mulligan.
    pub gain: f64,
    /// The probability without a mulligan.
    pub never: Fraction,
    /// Which hands are kept after 0, 1, … mulligans.
    pub rule: Vec<KeepRule>,
}

impl Serialize for BestKeep {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let rules = self.rule.iter();
        let words = rules.map(|rule| rule.query().map_or_else(|| rule.to_string(), str::to_owned));
        let queries = self.rule.iter().map(KeepRule::query);
        let mut best = serializer.serialize_struct("BestKeep", 5)?;
        best.serialize_field("gain", &self.gain)?;
        best.serialize_field("never", &self.never.nearest())?;
        best.serialize_field("never_fraction", &self.never.to_string())?;
        best.serialize_field("rule", &words.collect::<Vec<_>>())?;
        best.serialize_field("keep", &queries.collect::<Vec<_>>())?;
        best.end()
    }
}

/// The answer for one turn.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TurnAnswer<V = Fraction> {
    /// The turn, from 1.
    pub turn: u32,
    /// Cards seen by then, bottomed ones included.
    pub seen: u32,
    /// The value for the kept hand and the cards drawn by then.
    #[serde(flatten)]
    pub value: V,
}

/// An answer: the probability of a query or of a path, or the distribution of a total.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Answer<V = Fraction> {
    /// The query, the path or the total as written.
    pub query: String,
    /// The value for the kept hand, without bottomed cards, and the cards drawn.
    #[serde(flatten)]
    pub value: V,
    /// The values by turn.
    pub turns: Vec<TurnAnswer<V>>,
    /// With [`Keep::Best`]: what it gains. Every turn has its own best.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub best: Option<BestKeep>,
    /// The counts behind the value.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub work: Option<Work>,
}

impl<V> Answer<V> {
    /// A value alone.
    pub(super) fn new(query: &str, value: V) -> Answer<V> {
        Answer { query: query.to_owned(), value, turns: Vec::new(), best: None, work: None }
    }

    /// The same answer with other values.
    pub(super) fn map<W>(self, value: impl Fn(V) -> W) -> Answer<W> {
        let turns = self.turns.into_iter().map(|turn| TurnAnswer {
            turn: turn.turn,
            seen: turn.seen,
            value: value(turn.value),
        });
        Answer {
            turns: turns.collect(),
            value: value(self.value),
            query: self.query,
            best: self.best,
            work: self.work,
        }
    }
}

/// Returns the probability of a query.
///
/// # Errors
/// A hand larger than the population, a mulligan that the cards do not suffice for, queries that
/// cannot be asked of the cards, a condition that never holds, [`OddsError::Limit`].
///
/// ```
/// use decklaw_cards::pool::Pool;
/// use decklaw_engine::odds::{self, *};
/// let pool = Pool::of_names(["Moss Sprite", "Rain Caller"]);
/// let deck = Population::new(&pool, pool.ids().zip([4, 46]), 0)?;
/// let policy = Policy { mulligan: Mulligan::Aside, limit: 1, bottom: vec![], keep: Keep::Goal };
/// let request = Request { policy, ..Request::without_mulligan(6) };
/// let answer = odds::ask(&deck, &HandQuery::parse("1+ \"Moss Sprite\"")?, &request)?;
/// assert_eq!(answer.value.nearest(), 4471.0 / 6580.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn ask(
    population: &Population<'_>,
    query: &HandQuery,
    request: &Request,
) -> Result<Answer, OddsError> {
    ask_with(Question::new(population, request)?, query).map(|(answer, _)| answer)
}

/// As [`ask`], without the counts behind the probability; also returns the work that it took.
pub(crate) fn ask_counting(
    population: &Population<'_>,
    query: &HandQuery,
    request: &Request,
) -> Result<(Answer, u64), OddsError> {
    let question = Question { is_explained: false, ..Question::new(population, request)? };
    ask_with(question, query)
}

fn ask_with(mut question: Question<'_>, query: &HandQuery) -> Result<(Answer, u64), OddsError> {
    let request = question.request;
    let goal = question.add("the query", query)?;
    let keep = match &request.policy.keep {
        Keep::Best => None,
        Keep::Goal => Some(goal.clone()),
        Keep::Query(query) => Some(question.add(KEPT, query)?),
    };
    question.answer(query.text(), (goal, keep), None, |play, budget| play.probabilities(budget))
}

/// Returns the distribution of a total. A [`Keep::Goal`] keeps every hand; the cards that add
/// least are bottomed.
///
/// # Errors
/// As for [`ask`]; [`Keep::Best`], which needs a query.
pub fn ask_total(
    population: &Population<'_>,
    total: &TotalQuery,
    request: &Request,
) -> Result<Answer<Distribution>, OddsError> {
    let mut question = Question::new(population, request)?;
    let adds = question.conditions.total(total);
    let adds = adds.map_err(|error| wrong_query("the total", total.text(), &error))?;
    let every = Formula::Is(true);
    let keep = match &request.policy.keep {
        Keep::Best => {
            let message = "`best` keeps the hand that is best for a query; a total alone has none";
            return Err(wrong(message, "").into());
        }
        Keep::Goal => every.clone(),
        Keep::Query(query) => question.add(KEPT, query)?,
    };
    let formulas = (every, Some(keep));
    let answer = question
        .answer(total.text(), formulas, Some(&adds), |play, budget| play.distributions(budget));
    answer.map(|(answer, _)| answer)
}

/// A request that is possible.
struct Question<'a> {
    population: &'a Population<'a>,
    request: &'a Request,
    conditions: Conditions<'a>,
    bottom: Vec<u32>,
    /// The draws of the request, then those by each turn.
    draws: Vec<u32>,
    /// Whether the counts behind an answer are part of it.
    is_explained: bool,
}

impl<'a> Question<'a> {
    fn new(
        population: &'a Population<'a>,
        request: &'a Request,
    ) -> Result<Question<'a>, OddsError> {
        let (hand, size) = (request.hand, population.size());
        let bottom = request.policy.checked(hand, size)?;
        let by_turn = request.turns.iter().map(|(_, draws)| *draws);
        let draws = std::iter::once(request.draws).chain(by_turn);
        Ok(Question {
            draws: draws.map(|draws| draws.min(size - hand)).collect(),
            conditions: Conditions::of(population, request.memory),
            population,
            request,
            bottom,
            is_explained: true,
        })
    }

    fn add(&mut self, what: &str, query: &HandQuery) -> Result<Formula, Problem> {
        let formula = self.conditions.add(query);
        formula.map_err(|error| wrong_query(what, query.text(), &error))
    }

    /// The answer, and the work that it took. Without `keep`, the best hands are kept.
    fn answer<S: Share>(
        mut self,
        text: &str,
        (goal, keep): (Formula, Option<Formula>),
        total: Option<&[i64]>,
        count: impl Fn(&Play<'_>, &mut Budget) -> Result<Outcome<S>, Limit>,
    ) -> Result<(Answer<S>, u64), OddsError> {
        let request = self.request;
        let given = match &request.given {
            Some(given) => Some(self.add(GIVEN, given)?),
            None => None,
        };
        let atoms = Atoms::of(self.population, &self.conditions, total);
        let (hand, drawn) = (request.hand, self.draws.iter().copied().max().unwrap_or(0));
        let mut budget = Budget::new(request.work, self.conditions.memory);
        let is_plain = self.bottom == [0] && given.is_none();
        let mut play = || {
            let mut diagram = |formula: &Formula, most| {
                Diagram::new(&atoms, &self.conditions.sums, formula, most, &mut budget)
            };
            let goal = diagram(&goal, hand + drawn)?;
            // Nothing is put away, and nothing is given.
            let others = [keep.as_ref(), given.as_ref()].map(|other| other.filter(|_| !is_plain));
            let [keep_at, given_at] = others;
            let keep_diagram = keep_at.map(|keep| diagram(keep, hand)).transpose()?;
            let given = given_at.map(|given| diagram(given, hand)).transpose()?;
            let play = Play {
                atoms: &atoms,
                goal: &goal,
                keep: keep_diagram.as_ref(),
                given: given.as_ref(),
                hand,
                mulligan: request.policy.mulligan,
                bottom: &self.bottom,
                draws: &self.draws,
            };
            let outcome = count(&play, &mut budget)?;
            Ok((goal, outcome))
        };
        let (goal, outcome) = play().map_err(|limit| {
            let size = size_in_words(&atoms, hand, drawn);
            OddsError::beyond(limit, text, &size, request.memory)
        })?;
        let shares = outcome.shares.ok_or_else(|| {
            let given = request.given.as_ref().map_or("", |given| given.text());
            OddsError::no_hand(format!("no opening hand satisfies `{given}`"))
        })?;
        let value = shares[0].clone();
        let probability = value.probability();
        let explained = probability.filter(|_| self.is_explained);
        let work = explained.map(|probability| {
            let seen = if is_plain { hand + self.draws[0] } else { hand };
            let mut work = Work::of(self.population, &self.conditions, &atoms, seen);
            work.favourable = is_plain.then(|| probability.of(&work.hands));
            work
        });
        let best = match (outcome.never, &outcome.hands, probability, &work) {
            (Some(never), Some(hands), Some(probability), Some(work)) if self.bottom.len() > 1 => {
                let kept = outcome.kept.iter().take(self.bottom.len() - 1);
                let rule = |kept| keep_rule(hands, kept, text, |hand| goal.holds(hand), work);
                let rule = kept.map(|kept| rule(kept.as_slice())).collect();
                never[0].probability().map(|never| BestKeep {
                    gain: probability.nearest() - never.nearest(),
                    never: never.clone(),
                    rule,
                })
            }
            _ => None,
        };
        let by_turn = request.turns.iter().zip(&self.draws[1..]);
        let turns = by_turn.zip(&shares[1..]);
        let answer = Answer {
            query: text.to_owned(),
            turns: turns
                .map(|(((turn, _), draws), value)| TurnAnswer {
                    turn: *turn,
                    seen: hand + draws,
                    value: value.clone(),
                })
                .collect(),
            value,
            best,
            work,
        };
        Ok((answer, request.work - budget.left()))
    }
}

/// How large a question is: its kinds of cards, and the hands that they make.
pub(super) fn size_in_words(atoms: &Atoms, hand: u32, drawn: u32) -> String {
    /// More than this is not computed for a message.
    const MOST: usize = 10_000_000;
    let kinds = counted(atoms.len() as i64 + i64::from(atoms.rest > 0), "group");
    let mut words = format!("it splits the deck into {kinds} of cards");
    if atoms.len().saturating_mul(hand as usize) < MOST {
        let hands = atoms.hands(hand);
        let cards = counted(hand.into(), "card");
        words += &if hands < 1e12 {
            format!(", which make {hands:.0} different hands of {cards}")
        } else {
            format!(", which make about {hands:.0e} different hands of {cards}")
        };
    }
    if drawn > 0 {
        let drawn = counted(drawn.into(), "card");
        words += &format!(", and {drawn} may be drawn after each");
    }
    words
}
