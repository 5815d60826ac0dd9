//! A prepared question: how many hands of each size satisfy a query.

use super::Part;
use super::atoms::Atoms;
use super::chain::Tables;
use super::chart::{Budget, Chart, TooMuchWork};
use super::condition::{Conditions, Formula};
use super::number::{Fraction, choose};
use super::{HandQuery, OddsError, Population};
use num_bigint::BigUint;

/// How much work a question may take before it is simulated instead, unless told otherwise:
/// around a second.
pub const DEFAULT_WORK: u64 = 200_000_000;

/// A query compiled for one population and for hands up to a size. Asking it is quick.
///
/// ```
/// use decklaw_core::pool::Pool;
/// use decklaw_engine::odds::{HandQuery, Population, Question, DEFAULT_WORK};
/// let pool = Pool::of_names(["Moss Sprite", "Rain Caller"]);
/// let copies = pool.ids().zip([4, 36]);
/// let deck = Population::new(&pool, copies, 0)?;
/// let query = HandQuery::parse("1+ \"Moss Sprite\"")?;
/// let question = Question::prepare(&deck, &query, 7, DEFAULT_WORK)?;
/// assert_eq!(question.probability(1).map(|found| found.to_string()), Some("1/10".into()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct Question {
    pub(crate) atoms: Atoms,
    pub(crate) chart: Chart,
    tables: Tables,
    none: Vec<u32>,
    most: u32,
}

impl Question {
    /// Compiles a query for hands of 0 to `most` cards. `work` is a budget in small steps, see
    /// [`DEFAULT_WORK`].
    ///
    /// # Errors
    /// A query that does not fit the cards, hands larger than the population, more work than
    /// the budget allows.
    pub fn prepare(
        population: &Population<'_>,
        query: &HandQuery,
        most: u32,
        work: u64,
    ) -> Result<Question, OddsError> {
        let size = population.size();
        if most > size {
            return Err(OddsError::HandTooLarge { hand: most, size });
        }
        let mut conditions = Conditions::of(population);
        let formula = conditions.add(query);
        let formula =
            formula.map_err(|error| OddsError::query(Part::Query, query.text(), error))?;
        let mut budget = Budget::new(work);
        Question::compile(population, &conditions, &formula, most, &mut budget).map_err(
            |TooMuchWork| OddsError::TooMuchWork {
                query: query.text().to_owned(),
            },
        )
    }

    pub(crate) fn compile(
        population: &Population<'_>,
        conditions: &Conditions<'_>,
        formula: &Formula,
        most: u32,
        budget: &mut Budget,
    ) -> Result<Question, TooMuchWork> {
        let size = population.size();
        budget.clone().spend(u64::from(size) * u64::from(most))?;
        let atoms = Atoms::of(population, conditions);
        let chart = Chart::new(&atoms, &conditions.tallies, formula, most, budget)?;
        let largest = choose(size, most.min(size / 2));
        let words = 1 + largest.bits() / 64;
        budget.spend(chart.effort(most).saturating_mul(u64::from(most) + 1) * words)?;
        Ok(Question {
            tables: Tables::new(size, most, &largest, budget)?,
            none: vec![0; atoms.len()],
            atoms,
            chart,
            most,
        })
    }

    /// How many hands of so many cards satisfy the query, all copies told apart; `None` for a
    /// hand larger than prepared for.
    pub fn favourable(&self, hand: u32) -> Option<BigUint> {
        let ways = self.ways(hand, false)?;
        ways.into_iter().next_back()
    }

    /// For every hand size from 0 to the one prepared for, how many hands satisfy the query:
    /// in one pass.
    pub fn every_size(&self) -> Vec<BigUint> {
        self.ways(self.most, true).unwrap_or_default()
    }

    /// The probability that a hand of so many cards satisfies the query; `None` for a hand
    /// larger than prepared for.
    pub fn probability(&self, hand: u32) -> Option<Fraction> {
        let favourable = self.favourable(hand)?;
        Some(Fraction::new(favourable, choose(self.atoms.total(), hand)))
    }

    /// Roughly how many states the compiled query has, a measure of its work.
    pub fn states(&self) -> usize {
        self.chart.states()
    }

    fn ways(&self, hand: u32, every: bool) -> Option<Vec<BigUint>> {
        if hand > self.most {
            return None;
        }
        macro_rules! count {
            ($choices:expr, $big:expr) => {{
                let mut scratch = Vec::new();
                let (deck, rest) = (&self.atoms.sizes, self.atoms.rest);
                let asked = (hand, every);
                let ways = self
                    .chart
                    .count($choices, &self.none, deck, rest, asked, &mut scratch);
                let from = if every { 0 } else { hand as usize };
                ways[from..].iter().map($big).collect()
            }};
        }
        Some(match &self.tables {
            Tables::Narrow(choices) => count!(choices, |ways| BigUint::from(*ways)),
            Tables::Wide(choices) => count!(choices, |ways| BigUint::from(*ways)),
            Tables::Big(choices) => count!(choices, BigUint::clone),
        })
    }
}
