//! A prepared question under a mulligan.

use super::Part;
use super::atoms::Atoms;
use super::chain::{Chain, Tables};
use super::chart::{Budget, Chart, TooMuchWork};
use super::condition::Conditions;
use super::hands::Hands;
use super::{Fraction, HandQuery, Keep, Mulligan, OddsError, Policy, Population};

/// A query and a mulligan compiled for one population and hand size, without draws: as
/// [`super::Question`], to be asked often. [`super::ask`] answers more.
///
/// ```
/// use decklaw_core::pool::Pool;
/// use decklaw_engine::odds::*;
/// let pool = Pool::of_names(["Moss Sprite", "Rain Caller"]);
/// let deck = Population::new(&pool, pool.ids().zip([4, 46]), 0)?;
/// let policy = Policy { mulligan: Mulligan::Aside, limit: 1, bottom: vec![], keep: Keep::Goal };
/// let query = HandQuery::parse("1+ \"Moss Sprite\"")?;
/// let mulligans = Mulligans::prepare(&deck, &query, 6, &policy, DEFAULT_WORK)?;
/// assert_eq!(mulligans.probability().to_string(), "4471/6580");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct Mulligans {
    atoms: Atoms,
    goal: Chart,
    keep: Option<Chart>,
    hands: Hands,
    tables: Tables,
    hand: u32,
    mulligan: Mulligan,
    bottom: Vec<u32>,
    work: u64,
}

impl Mulligans {
    /// Compiles a query for a hand under a policy. `work` as for
    /// [`super::Question::prepare`].
    ///
    /// # Errors
    /// As for [`super::ask`]; what exceeds the budget is not simulated here.
    pub fn prepare(
        population: &Population<'_>,
        query: &HandQuery,
        hand: u32,
        policy: &Policy,
        work: u64,
    ) -> Result<Mulligans, OddsError> {
        let bottom = policy.checked(hand, population.size())?;
        let mut conditions = Conditions::of(population);
        let goal = conditions.add(query);
        let goal = goal.map_err(|error| OddsError::query(Part::Query, query.text(), error))?;
        let keep = match &policy.keep {
            Keep::Best => None,
            Keep::Goal => Some(goal.clone()),
            Keep::Query(keep) => {
                let formula = conditions.add(keep);
                Some(formula.map_err(|error| OddsError::query(Part::Keep, keep.text(), error))?)
            }
        };
        let mut budget = Budget::new(work);
        let mut compile = || -> Result<Mulligans, TooMuchWork> {
            let atoms = Atoms::of(population, &conditions);
            let mut chart =
                |formula| Chart::new(&atoms, &conditions.tallies, formula, hand, &mut budget);
            let (goal, keep) = (chart(&goal)?, keep.as_ref().map(&mut chart).transpose()?);
            let mulligan = policy.mulligan;
            let chain = Chain {
                atoms: &atoms,
                goal: &goal,
                keep: keep.as_ref(),
                given: None,
                hand,
                mulligan,
                bottom: &bottom,
                draws: &[0],
            };
            let (hands, tables) = (chain.hands(&mut budget)?, chain.tables(&mut budget)?);
            // Played once, so that it is known to be within the budget.
            chain.play(&hands, &tables, &mut budget)?;
            Ok(Mulligans {
                hands,
                tables,
                goal,
                keep,
                atoms,
                hand,
                mulligan,
                bottom: bottom.clone(),
                work,
            })
        };
        compile().map_err(|TooMuchWork| OddsError::TooMuchWork {
            query: query.text().to_owned(),
        })
    }

    /// How likely the query holds of the kept hand, less its bottomed cards.
    pub fn probability(&self) -> Fraction {
        let chain = Chain {
            atoms: &self.atoms,
            goal: &self.goal,
            keep: self.keep.as_ref(),
            given: None,
            hand: self.hand,
            mulligan: self.mulligan,
            bottom: &self.bottom,
            draws: &[0],
        };
        let outcome = chain.play(&self.hands, &self.tables, &mut Budget::new(self.work));
        let found = outcome.ok().and_then(|outcome| outcome.probabilities);
        let only = found.and_then(|mut each| each.pop());
        only.unwrap_or_else(|| Fraction::new(0_u32.into(), 1_u32.into()))
    }
}
