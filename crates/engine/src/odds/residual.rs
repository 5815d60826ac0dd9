//! What is left of a query once some atoms are known: its residual.

use super::atoms::Atoms;
use super::budget::{Budget, Limit};
use super::conditions::{Formula, WeightedSum};
use rustc_hash::FxHashMap;

/// The next state is a number, or one of these.
pub(crate) const NO: u32 = u32::MAX;
pub(crate) const YES: u32 = u32::MAX - 1;

/// The atoms from `level` on, and at most `room` cards of them.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Moment {
    pub(crate) level: usize,
    pub(crate) room: u32,
}

/// The least and the most that the atoms from a level on add to a sum, together and by card.
#[derive(Debug, Clone, Copy, Default)]
struct Reach {
    least: i128,
    most: i128,
    lightest: i128,
    heaviest: i128,
}

#[derive(Debug, Clone, Copy)]
pub(crate) enum Residual {
    Settled(bool),
    Open(u32),
}

impl Residual {
    pub(crate) fn settled(self) -> Option<u32> {
        match self {
            Residual::Settled(true) => Some(YES),
            Residual::Settled(false) => Some(NO),
            Residual::Open(_) => None,
        }
    }
}

/// A formula over the sums of the atoms ahead.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
enum ResidualSum {
    Sum { sum: usize, low: i128, high: i128, outside: bool },
    All(Vec<u32>),
    Any(Vec<u32>),
    Not(u32),
}

/// The residuals, each once, by number.
pub(crate) struct Residuals<'a> {
    atoms: &'a Atoms,
    sums: &'a [WeightedSum],
    reach: Vec<Vec<Reach>>,
    formulas: Vec<ResidualSum>,
    known: FxHashMap<ResidualSum, u32>,
    /// Bytes of residuals that the budget has not counted yet, and those that it has.
    fresh: u64,
    held: u64,
}

impl<'a> Residuals<'a> {
    /// Bytes for each atom and sum.
    pub(crate) const CELL: u64 = size_of::<Reach>() as u64;

    pub(crate) fn new(atoms: &'a Atoms, sums: &'a [WeightedSum], most: u32) -> Residuals<'a> {
        let mut reach = vec![vec![Reach::default(); sums.len()]];
        for (size, weights) in atoms.sizes.iter().zip(&atoms.weights).rev() {
            let cards = i128::from((*size).min(most));
            let further = &reach[reach.len() - 1];
            let here = weights.iter().zip(further).map(|(weight, further)| {
                let weight = i128::from(*weight);
                Reach {
                    least: further.least + (weight * cards).min(0),
                    most: further.most + (weight * cards).max(0),
                    lightest: further.lightest.min(weight),
                    heaviest: further.heaviest.max(weight),
                }
            });
            let here = here.collect();
            reach.push(here);
        }
        reach.reverse();
        Residuals {
            atoms,
            sums,
            reach,
            formulas: Vec::new(),
            known: FxHashMap::default(),
            fresh: 0,
            held: 0,
        }
    }

    /// The bytes that the budget holds for them.
    pub(crate) fn held(&self) -> u64 {
        self.held
    }

    fn intern(&mut self, formula: ResidualSum) -> Residual {
        if let Some(id) = self.known.get(&formula) {
            return Residual::Open(*id);
        }
        let parts = match &formula {
            ResidualSum::All(parts) | ResidualSum::Any(parts) => parts.len(),
            ResidualSum::Sum { .. } | ResidualSum::Not(_) => 0,
        };
        // The list and the table have a copy each, and both double.
        self.fresh += 2 * (2 * size_of::<ResidualSum>() + 4 * parts + 24) as u64;
        let id = self.formulas.len() as u32;
        self.formulas.push(formula.clone());
        self.known.insert(formula, id);
        Residual::Open(id)
    }

    pub(crate) fn first(&mut self, formula: &Formula, start: Moment) -> Residual {
        match formula {
            Formula::Is(known) => Residual::Settled(*known),
            Formula::Sum(at) => {
                let sum = &self.sums[*at];
                self.sum(*at, (sum.low, sum.high, sum.outside), start)
            }
            Formula::All(parts) => {
                let parts: Vec<Residual> =
                    parts.iter().map(|part| self.first(part, start)).collect();
                self.join(parts, true)
            }
            Formula::Any(parts) => {
                let parts: Vec<Residual> =
                    parts.iter().map(|part| self.first(part, start)).collect();
                self.join(parts, false)
            }
            Formula::Not(part) => {
                let part = self.first(part, start);
                self.negate(part)
            }
        }
    }

    /// The residual of a residual, once the atom before `moment` is known to have `taken` cards.
    pub(crate) fn step(
        &mut self,
        id: u32,
        moment: Moment,
        taken: i128,
        budget: &mut Budget,
    ) -> Result<Residual, Limit> {
        budget.spend(20)?;
        let fresh = std::mem::take(&mut self.fresh);
        budget.hold(fresh)?;
        self.held += fresh;
        Ok(match self.formulas[id as usize].clone() {
            ResidualSum::Sum { sum, low, high, outside } => {
                let added = i128::from(self.atoms.weights[moment.level - 1][sum]) * taken;
                let shift = |bound: i128| match bound {
                    i128::MIN | i128::MAX => bound,
                    _ => bound - added,
                };
                self.sum(sum, (shift(low), shift(high), outside), moment)
            }
            ResidualSum::All(parts) => {
                let steps = parts.iter().map(|part| self.step(*part, moment, taken, budget));
                let parts = steps.collect::<Result<Vec<_>, _>>()?;
                self.join(parts, true)
            }
            ResidualSum::Any(parts) => {
                let steps = parts.iter().map(|part| self.step(*part, moment, taken, budget));
                let parts = steps.collect::<Result<Vec<_>, _>>()?;
                self.join(parts, false)
            }
            ResidualSum::Not(part) => {
                let part = self.step(part, moment, taken, budget)?;
                self.negate(part)
            }
        })
    }

    fn sum(
        &mut self,
        sum: usize,
        (low, high, outside): (i128, i128, bool),
        moment: Moment,
    ) -> Residual {
        let (reach, room) = (self.reach[moment.level][sum], i128::from(moment.room));
        let least = reach.least.max(reach.lightest * room);
        let most = reach.most.min(reach.heaviest * room);
        if most < low || high < least {
            return Residual::Settled(outside);
        }
        let low = if low <= least { i128::MIN } else { low };
        let high = if high >= most { i128::MAX } else { high };
        if low == i128::MIN && high == i128::MAX {
            return Residual::Settled(!outside);
        }
        self.intern(ResidualSum::Sum { sum, low, high, outside })
    }

    fn negate(&mut self, part: Residual) -> Residual {
        match part {
            Residual::Settled(known) => Residual::Settled(!known),
            Residual::Open(id) => match self.formulas[id as usize] {
                ResidualSum::Not(inner) => Residual::Open(inner),
                _ => self.intern(ResidualSum::Not(id)),
            },
        }
    }

    /// The conjunction of the parts, or without `all` the disjunction.
    fn join(&mut self, parts: Vec<Residual>, all: bool) -> Residual {
        let mut open = Vec::with_capacity(parts.len());
        for part in parts {
            match part {
                Residual::Settled(known) if known == all => {}
                Residual::Settled(known) => return Residual::Settled(known),
                Residual::Open(id) => match &self.formulas[id as usize] {
                    ResidualSum::All(inner) if all => open.extend_from_slice(inner),
                    ResidualSum::Any(inner) if !all => open.extend_from_slice(inner),
                    _ => open.push(id),
                },
            }
        }
        open.sort_unstable();
        open.dedup();
        match open.as_slice() {
            [] => Residual::Settled(all),
            [only] => Residual::Open(*only),
            _ if all => self.intern(ResidualSum::All(open)),
            _ => self.intern(ResidualSum::Any(open)),
        }
    }
}
