//! A compiled question: how many hands of each size satisfy a query.

use super::Population;
use super::atoms::Atoms;
use super::chain::Tables;
use super::chart::{Budget, Chart, TooMuchWork};
use super::condition::{Conditions, Formula};
use super::number::choose;
use num_bigint::BigUint;

/// How much work a question may take before it is refused, unless told otherwise: around a
/// second.
pub const DEFAULT_WORK: u64 = 200_000_000;

/// A query compiled for one population and for hands up to a size.
#[derive(Debug, Clone)]
pub(crate) struct Question {
    pub(crate) atoms: Atoms,
    chart: Chart,
    tables: Tables,
    most: u32,
}

impl Question {
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
            atoms,
            chart,
            most,
        })
    }

    /// How many hands of each size, from 0 to the one compiled for, satisfy the query, all copies
    /// told apart.
    pub(crate) fn every_size(&self) -> Vec<BigUint> {
        macro_rules! count {
            ($choices:expr, $big:expr) => {{
                let (mut scratch, none) = (Vec::new(), vec![0; self.atoms.len()]);
                let (deck, rest) = (&self.atoms.sizes, self.atoms.rest);
                let ways =
                    self.chart
                        .count($choices, &none, deck, rest, (self.most, true), &mut scratch);
                ways.iter().map($big).collect()
            }};
        }
        match &self.tables {
            Tables::Narrow(choices) => count!(choices, |ways| BigUint::from(*ways)),
            Tables::Wide(choices) => count!(choices, |ways| BigUint::from(*ways)),
            Tables::Big(choices) => count!(choices, BigUint::clone),
        }
    }
}
