//! What is left of a query once some atoms are known, each remainder once.

use super::atoms::Atoms;
use super::chart::{Budget, NO, TooMuchWork, YES};
use super::condition::{Formula, Tally};
use rustc_hash::FxHashMap;

/// What is still to come: the atoms from `level` on, at most `room` cards of them.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Moment {
    pub(crate) level: usize,
    pub(crate) room: u32,
}

/// What the atoms from some level on can add to a tally, together and a card.
#[derive(Debug, Clone, Copy, Default)]
struct Reach {
    least: i128,
    most: i128,
    lightest: i128,
    heaviest: i128,
}

#[derive(Debug, Clone, Copy)]
pub(crate) enum Remainder {
    Settled(bool),
    Open(u32),
}

impl Remainder {
    pub(crate) fn settled(self) -> Option<u32> {
        match self {
            Remainder::Settled(true) => Some(YES),
            Remainder::Settled(false) => Some(NO),
            Remainder::Open(_) => None,
        }
    }
}

/// What is left to ask, each formula once.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
enum Left {
    Tally {
        tally: usize,
        low: i128,
        high: i128,
        outside: bool,
    },
    All(Vec<u32>),
    Any(Vec<u32>),
    Not(u32),
}

/// Every formula met, each with its number.
pub(crate) struct Remainders<'a> {
    atoms: &'a Atoms,
    tallies: &'a [Tally],
    reach: Vec<Vec<Reach>>,
    formulas: Vec<Left>,
    known: FxHashMap<Left, u32>,
    /// Bytes of formulas that the budget does not know of yet.
    fresh: u64,
}

impl<'a> Remainders<'a> {
    /// Bytes that are held for each atom and tally.
    pub(crate) const CELL: u64 = size_of::<Reach>() as u64;

    pub(crate) fn new(atoms: &'a Atoms, tallies: &'a [Tally], most: u32) -> Remainders<'a> {
        let mut reach = vec![vec![Reach::default(); tallies.len()]];
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
        Remainders {
            atoms,
            tallies,
            reach,
            formulas: Vec::new(),
            known: FxHashMap::default(),
            fresh: 0,
        }
    }

    fn intern(&mut self, formula: Left) -> Remainder {
        if let Some(id) = self.known.get(&formula) {
            return Remainder::Open(*id);
        }
        let parts = match &formula {
            Left::All(parts) | Left::Any(parts) => parts.len(),
            Left::Tally { .. } | Left::Not(_) => 0,
        };
        // Each stands in the list and in the table.
        self.fresh += 2 * (size_of::<Left>() + 4 * parts + 8) as u64;
        let id = self.formulas.len() as u32;
        self.formulas.push(formula.clone());
        self.known.insert(formula, id);
        Remainder::Open(id)
    }

    pub(crate) fn first(&mut self, formula: &Formula, start: Moment) -> Remainder {
        match formula {
            Formula::Is(known) => Remainder::Settled(*known),
            Formula::Tally(at) => {
                let tally = &self.tallies[*at];
                self.tally(*at, (tally.low, tally.high, tally.outside), start)
            }
            Formula::All(parts) => {
                let parts: Vec<Remainder> =
                    parts.iter().map(|part| self.first(part, start)).collect();
                self.join(parts, true)
            }
            Formula::Any(parts) => {
                let parts: Vec<Remainder> =
                    parts.iter().map(|part| self.first(part, start)).collect();
                self.join(parts, false)
            }
            Formula::Not(part) => {
                let part = self.first(part, start);
                self.negate(part)
            }
        }
    }

    /// What is left of a formula once `taken` cards of the atom before `moment` are known.
    pub(crate) fn step(
        &mut self,
        id: u32,
        moment: Moment,
        taken: i128,
        budget: &mut Budget,
    ) -> Result<Remainder, TooMuchWork> {
        budget.spend(20)?;
        budget.hold(std::mem::take(&mut self.fresh))?;
        Ok(match self.formulas[id as usize].clone() {
            Left::Tally {
                tally,
                low,
                high,
                outside,
            } => {
                let added = i128::from(self.atoms.weights[moment.level - 1][tally]) * taken;
                let shift = |bound: i128| match bound {
                    i128::MIN | i128::MAX => bound,
                    _ => bound - added,
                };
                self.tally(tally, (shift(low), shift(high), outside), moment)
            }
            Left::All(parts) => {
                let steps = parts
                    .iter()
                    .map(|part| self.step(*part, moment, taken, budget));
                let parts = steps.collect::<Result<Vec<_>, _>>()?;
                self.join(parts, true)
            }
            Left::Any(parts) => {
                let steps = parts
                    .iter()
                    .map(|part| self.step(*part, moment, taken, budget));
                let parts = steps.collect::<Result<Vec<_>, _>>()?;
                self.join(parts, false)
            }
            Left::Not(part) => {
                let part = self.step(part, moment, taken, budget)?;
                self.negate(part)
            }
        })
    }

    fn tally(
        &mut self,
        tally: usize,
        (low, high, outside): (i128, i128, bool),
        moment: Moment,
    ) -> Remainder {
        let (reach, room) = (self.reach[moment.level][tally], i128::from(moment.room));
        let least = reach.least.max(reach.lightest * room);
        let most = reach.most.min(reach.heaviest * room);
        if most < low || high < least {
            return Remainder::Settled(outside);
        }
        let low = if low <= least { i128::MIN } else { low };
        let high = if high >= most { i128::MAX } else { high };
        if low == i128::MIN && high == i128::MAX {
            return Remainder::Settled(!outside);
        }
        self.intern(Left::Tally {
            tally,
            low,
            high,
            outside,
        })
    }

    fn negate(&mut self, part: Remainder) -> Remainder {
        match part {
            Remainder::Settled(known) => Remainder::Settled(!known),
            Remainder::Open(id) => match self.formulas[id as usize] {
                Left::Not(inner) => Remainder::Open(inner),
                _ => self.intern(Left::Not(id)),
            },
        }
    }

    /// *And* for `all`, else *or*.
    fn join(&mut self, parts: Vec<Remainder>, all: bool) -> Remainder {
        let mut open = Vec::with_capacity(parts.len());
        for part in parts {
            match part {
                Remainder::Settled(known) if known == all => {}
                Remainder::Settled(known) => return Remainder::Settled(known),
                Remainder::Open(id) => match &self.formulas[id as usize] {
                    Left::All(inner) if all => open.extend_from_slice(inner),
                    Left::Any(inner) if !all => open.extend_from_slice(inner),
                    _ => open.push(id),
                },
            }
        }
        open.sort_unstable();
        open.dedup();
        match open.as_slice() {
            [] => Remainder::Settled(all),
            [only] => Remainder::Open(*only),
            _ if all => self.intern(Left::All(open)),
            _ => self.intern(Left::Any(open)),
        }
    }
}
