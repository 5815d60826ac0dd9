//! Answers to what a total comes to.

use super::Part;
use super::answer::{Plan, Request};
use super::atoms::Atoms;
use super::chart::{Budget, Chart, TooMuchWork};
use super::condition::{Conditions, Formula};
use super::expect::{self, Distribution};
use super::{OddsError, Population, TotalQuery};

/// The distribution of a total by some turn.
#[derive(Debug, Clone, PartialEq)]
pub struct TurnTotal {
    /// The turn, from 1.
    pub turn: u32,
    /// Cards seen by then, those bottomed counted in.
    pub seen: u32,
    /// The total of the kept hand and the draws by then.
    pub total: Distribution,
}

/// The answer to a total.
#[derive(Debug, Clone, PartialEq)]
pub struct TotalAnswer {
    /// The total as asked.
    pub query: String,
    /// Of the kept hand, less its bottomed cards, and the draws.
    pub total: Distribution,
    /// The same by turn.
    pub turns: Vec<TurnTotal>,
}

/// The distribution of a total. A [`Keep::Goal`](super::Keep::Goal) keeps every hand; on keeping, the cards that
/// add least are bottomed.
///
/// # Errors
/// As for [`ask`](super::ask), and [`Keep::Best`](super::Keep::Best), which has no meaning without a query.
pub fn ask_total(
    population: &Population<'_>,
    total: &TotalQuery,
    request: &Request,
) -> Result<TotalAnswer, OddsError> {
    let plan = Plan::new(population, request)?;
    let weights = super::condition::weights(total, population);
    let weights = weights.map_err(|error| OddsError::query(Part::Expect, total.text(), error))?;
    let mut conditions = Conditions::of(population);
    let every = Formula::Is(true);
    let keep = plan.keep_formula(&mut conditions, Some(&every))?;
    let given = plan.given_formula(&mut conditions)?;
    let Some(keep) = keep else {
        return Err(OddsError::NoGoal);
    };
    let atoms = Atoms::with(population, &conditions.tallies, &weights);
    let mut budget = Budget::new(request.work);
    let mut count = || {
        let tallies = &conditions.tallies;
        let mut chart =
            |formula: &Formula| Chart::new(&atoms, tallies, formula, request.hand, &mut budget);
        let (goal, keep) = (chart(&every)?, chart(&keep)?);
        let given = given.as_ref().map(chart).transpose()?;
        let chain = plan.chain(&atoms, &goal, Some(&keep), given.as_ref(), &plan.draws);
        expect::distributions(&chain, &expect::adds(&atoms, &weights), &mut budget)
    };
    let found = count().map_err(|TooMuchWork| OddsError::too_much_work(total.text()))?;
    let mut each = found.ok_or_else(|| plan.never_given())?.into_iter();
    let first = each.next().ok_or_else(|| plan.never_given())?;
    let turns = request.turns.iter().zip(&plan.draws[1..]).zip(each);
    Ok(TotalAnswer {
        query: total.text().to_owned(),
        total: first,
        turns: turns
            .map(|(((turn, _), draws), total)| TurnTotal {
                turn: *turn,
                seen: request.hand + draws,
                total,
            })
            .collect(),
    })
}
