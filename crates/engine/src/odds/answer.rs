//! Asking: a query, the policy by which a hand is kept, and the answer with its policy.

use super::Part;
use super::atoms::Atoms;
use super::chain::Chain;
use super::chart::{Budget, Chart, TooMuchWork};
use super::condition::{Conditions, Formula};
use super::rule::{KeepRule, keeping_rule};
use super::work::Work;
use super::{Fraction, HandQuery, Keep, OddsError, Path, Policy, Population, Question};

/// What is asked about a query: the hand, the policy, the draws.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Request {
    /// Cards of the opening hand.
    pub hand: u32,
    /// How the hand that is kept comes about.
    pub policy: Policy,
    /// What is known of the first hand drawn.
    pub given: Option<HandQuery>,
    /// Cards drawn after the kept hand; no more than are left are drawn.
    pub draws: u32,
    /// Turns to answer for besides: their numbers, and the cards drawn by then.
    pub turns: Vec<(u32, u32)>,
    /// The work budget, see [`super::DEFAULT_WORK`].
    pub work: u64,
}

impl Request {
    /// What is asked of an opening hand that is kept whatever it is: without the game's mulligan.
    pub fn without_mulligan(hand: u32) -> Request {
        Request {
            hand,
            policy: Policy::none(),
            given: None,
            draws: 0,
            turns: Vec::new(),
            work: super::DEFAULT_WORK,
        }
    }
}

/// What keeping the best hand gains and what it amounts to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BestKeep {
    /// The probability when no mulligan is ever taken.
    pub never: Fraction,
    /// After 0, 1, … mulligans: which hands are kept.
    pub rule: Vec<KeepRule>,
}

/// The answer to a query at one turn.
#[derive(Debug, Clone, PartialEq)]
pub struct TurnAnswer {
    /// The turn, from 1.
    pub turn: u32,
    /// Cards seen by then, those bottomed counted in.
    pub seen: u32,
    /// How likely the query holds of the kept hand and the draws by then.
    pub likelihood: Fraction,
}

/// The answer to a query.
#[derive(Debug, Clone, PartialEq)]
pub struct Answer {
    /// The query as asked.
    pub query: String,
    /// How likely it holds of the kept hand, less its bottomed cards, and the draws.
    pub likelihood: Fraction,
    /// The same by turn.
    pub turns: Vec<TurnAnswer>,
    /// With [`Keep::Best`]: what it gains. Each turn is played for its own best.
    pub best: Option<BestKeep>,
    /// The atoms and totals with which anyone can recompute it.
    pub work: Option<Work>,
}

/// Answers a query.
///
/// # Errors
/// A hand larger than the population, a mulligan that the cards do not suffice for, queries
/// that do not fit the cards, a condition that never holds, or [`OddsError::TooMuchWork`].
///
/// ```
/// use decklaw_core::pool::Pool;
/// use decklaw_engine::odds::{self, *};
/// let pool = Pool::of_names(["Moss Sprite", "Rain Caller"]);
/// let deck = Population::new(&pool, pool.ids().zip([4, 46]), 0)?;
/// let policy = Policy { mulligan: Mulligan::Aside, limit: 1, bottom: vec![], keep: Keep::Goal };
/// let request = Request { hand: 6, policy, given: None, draws: 0, turns: vec![], work: DEFAULT_WORK };
/// let answer = odds::ask(&deck, &HandQuery::parse("1+ \"Moss Sprite\"")?, &request)?;
/// assert_eq!(answer.likelihood.nearest(), 4471.0 / 6580.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn ask(
    population: &Population<'_>,
    query: &HandQuery,
    request: &Request,
) -> Result<Answer, OddsError> {
    ask_counting(population, query, request).map(|(answer, _)| answer)
}

/// The same, and how much of the work budget counting took.
pub(crate) fn ask_counting(
    population: &Population<'_>,
    query: &HandQuery,
    request: &Request,
) -> Result<(Answer, u64), OddsError> {
    let plan = Plan::new(population, request)?;
    let mut conditions = Conditions::of(population);
    let goal = conditions.add(query);
    let goal = goal.map_err(|error| OddsError::query(Part::Query, query.text(), error))?;
    let keep = plan.keep_formula(&mut conditions, Some(&goal))?;
    let given = plan.given_formula(&mut conditions)?;
    let mut budget = Budget::new(request.work);
    let formulas = (&goal, keep.as_ref(), given.as_ref());
    let answer = plan.exact(query, &conditions, formulas, &mut budget)?;
    Ok((answer, request.work - budget.left()))
}

/// Answers a path; the policy plays no part in it.
///
/// # Errors
/// As for [`Path::likelihood`].
pub fn ask_path(population: &Population<'_>, path: &Path, work: u64) -> Result<Answer, OddsError> {
    Ok(Answer {
        query: path.text().to_owned(),
        likelihood: path.likelihood(population, work)?,
        turns: Vec::new(),
        best: None,
        work: None,
    })
}

/// A request found to be possible.
pub(super) struct Plan<'a> {
    population: &'a Population<'a>,
    request: &'a Request,
    pub(super) bottom: Vec<u32>,
    /// The draws themselves, then those by each turn.
    pub(super) draws: Vec<u32>,
}

impl<'a> Plan<'a> {
    pub(super) fn new(
        population: &'a Population<'a>,
        request: &'a Request,
    ) -> Result<Plan<'a>, OddsError> {
        let (hand, size) = (request.hand, population.size());
        let bottom = request.policy.checked(hand, size)?;
        let by_turn = request.turns.iter().map(|(_, draws)| *draws);
        let draws = std::iter::once(request.draws).chain(by_turn);
        Ok(Plan {
            population,
            request,
            bottom,
            draws: draws.map(|draws| draws.min(size - hand)).collect(),
        })
    }

    pub(super) fn keep_formula(
        &self,
        conditions: &mut Conditions<'_>,
        goal: Option<&Formula>,
    ) -> Result<Option<Formula>, OddsError> {
        match &self.request.policy.keep {
            Keep::Best => Ok(None),
            Keep::Goal => Ok(goal.cloned()),
            Keep::Query(query) => match conditions.add(query) {
                Ok(formula) => Ok(Some(formula)),
                Err(error) => Err(OddsError::query(Part::Keep, query.text(), error)),
            },
        }
    }

    pub(super) fn given_formula(
        &self,
        conditions: &mut Conditions<'_>,
    ) -> Result<Option<Formula>, OddsError> {
        let given = self.request.given.as_ref();
        let formula = given.map(|given| {
            let formula = conditions.add(given);
            formula.map_err(|error| OddsError::query(Part::Given, given.text(), error))
        });
        formula.transpose()
    }

    pub(super) fn never_given(&self) -> OddsError {
        let given = self.request.given.as_ref();
        OddsError::NeverGiven {
            given: given.map_or_else(String::new, |given| given.text().to_owned()),
        }
    }

    pub(super) fn chain<'q>(
        &'q self,
        atoms: &'q Atoms,
        goal: &'q Chart,
        keep: Option<&'q Chart>,
        given: Option<&'q Chart>,
        draws: &'q [u32],
    ) -> Chain<'q> {
        Chain {
            atoms,
            goal,
            keep,
            given,
            hand: self.request.hand,
            mulligan: self.request.policy.mulligan,
            bottom: &self.bottom,
            draws,
        }
    }

    /// Whether the hand is the first cards of the deck and nothing more is known of it.
    fn is_plain(&self) -> bool {
        self.bottom == [0] && self.request.given.is_none()
    }

    fn exact(
        &self,
        query: &HandQuery,
        conditions: &Conditions<'_>,
        formulas: (&Formula, Option<&Formula>, Option<&Formula>),
        budget: &mut Budget,
    ) -> Result<Answer, OddsError> {
        let found = if self.is_plain() {
            self.plain(query, conditions, formulas.0, budget).map(Some)
        } else {
            self.counted(query, conditions, formulas, budget)
        };
        found
            .map_err(|TooMuchWork| OddsError::too_much_work(query.text()))?
            .ok_or_else(|| self.never_given())
    }

    fn plain(
        &self,
        query: &HandQuery,
        conditions: &Conditions<'_>,
        goal: &Formula,
        budget: &mut Budget,
    ) -> Result<Answer, TooMuchWork> {
        let hand = self.request.hand;
        let most = hand + self.draws.iter().copied().max().unwrap_or(0);
        let question = Question::compile(self.population, conditions, goal, most, budget)?;
        let every = question.every_size();
        let size = self.population.size();
        let exact = |draws: &u32| {
            let cards = hand + draws;
            let ways = every.get(cards as usize).cloned().unwrap_or_default();
            Fraction::new(ways, super::choose(size, cards))
        };
        let fractions = self.draws.iter().map(exact).collect();
        let seen = hand + self.draws[0];
        let mut work = Work::of(self.population, conditions, &question.atoms, seen);
        work.favourable = every.get(seen as usize).cloned();
        Ok(self.answer(query, fractions, None, Some(work)))
    }

    fn counted(
        &self,
        query: &HandQuery,
        conditions: &Conditions<'_>,
        (goal, keep, given): (&Formula, Option<&Formula>, Option<&Formula>),
        budget: &mut Budget,
    ) -> Result<Option<Answer>, TooMuchWork> {
        let atoms = Atoms::of(self.population, conditions);
        let hand = self.request.hand;
        let most = hand + self.draws.iter().copied().max().unwrap_or(0);
        let tallies = &conditions.tallies;
        let mut chart = |formula: &Formula| Chart::new(&atoms, tallies, formula, most, budget);
        let goal = chart(goal)?;
        let keep_chart = keep.map(&mut chart).transpose()?;
        let given = given.map(&mut chart).transpose()?;
        let chain = self.chain(
            &atoms,
            &goal,
            keep_chart.as_ref(),
            given.as_ref(),
            &self.draws,
        );
        let hands = chain.hands(budget)?;
        let tables = chain.tables(budget)?;
        let outcome = chain.play(&hands, &tables, budget)?;
        let work = Work::of(self.population, conditions, &atoms, hand);
        let best = match (keep, &outcome.never) {
            (None, Some(never)) if self.bottom.len() > 1 => Some(BestKeep {
                never: never[0].clone(),
                rule: outcome.kept[..self.bottom.len() - 1]
                    .iter()
                    .map(|kept| keeping_rule(&hands, kept, query, |hand| goal.holds(hand), &work))
                    .collect(),
            }),
            _ => None,
        };
        let answer = |found| self.answer(query, found, best, Some(work));
        Ok(outcome.probabilities.map(answer))
    }

    fn answer(
        &self,
        query: &HandQuery,
        fractions: Vec<Fraction>,
        best: Option<BestKeep>,
        work: Option<Work>,
    ) -> Answer {
        let by_turn = self.request.turns.iter().zip(&self.draws[1..]);
        let turns = by_turn.zip(&fractions[1..]);
        Answer {
            query: query.text().to_owned(),
            turns: turns
                .map(|(((turn, _), draws), likelihood)| TurnAnswer {
                    turn: *turn,
                    seen: self.request.hand + draws,
                    likelihood: likelihood.clone(),
                })
                .collect(),
            likelihood: fractions[0].clone(),
            best,
            work,
        }
    }
}
