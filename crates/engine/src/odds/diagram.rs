//! A query as a decision diagram: atom by atom, the number of cards decides which state is next.
//!
//! A state is what is left to ask once the atoms before are known (see
//! [`residual`](super::residual)). Equal residuals are one state. Conditions on separate groups
//! have one state for each atom, and counting is plain convolution.

use super::atoms::Atoms;
use super::budget::Budget;
use super::budget::Limit;
use super::conditions::{Formula, WeightedSum};
use super::number::{Choices, Number};
use super::residual::NO;
use super::residual::YES;
use super::residual::{Moment, Residual, Residuals};
use rustc_hash::FxHashMap;
use std::borrow::Cow;

#[derive(Debug, Clone)]
pub(crate) struct Diagram {
    pub(crate) root: u32,
    /// The first state of each atom; last, the number of states.
    levels: Vec<u32>,
    /// Where the steps of each state begin.
    starts: Vec<u32>,
    /// For 0, 1, 2… cards of the atom: the next state.
    steps: Vec<u32>,
}

/// Cards to draw, and what they are added to.
pub(crate) struct Draw<'a> {
    /// The cards of each atom that are held already.
    pub(crate) held: &'a [u32],
    /// The cards of each atom that may be drawn.
    pub(crate) deck: &'a [u32],
    /// The other cards that may be drawn.
    pub(crate) rest: u32,
    /// How many cards are drawn at most.
    pub(crate) cards: u32,
    /// Whether the numbers for fewer cards are needed too.
    pub(crate) every: bool,
}

impl Diagram {
    /// Bytes of a state, twice since the lists double: where its steps begin, and each step.
    const STATE: u64 = 2 * size_of::<u32>() as u64;
    const STEP: u64 = 2 * size_of::<u32>() as u64;
    /// Bytes of a state of the level that is compiled: the list of states, twice, and the table
    /// of their numbers with the half that a table keeps free.
    const OPEN: u64 = 64;

    /// Compiles a formula for hands of at most `most` cards.
    pub(crate) fn new(
        atoms: &Atoms,
        sums: &[WeightedSum],
        formula: &Formula,
        most: u32,
        budget: &mut Budget,
    ) -> Result<Diagram, Limit> {
        let cells = (atoms.len() as u64 + 1) * sums.len() as u64;
        budget.spend(cells)?;
        budget.hold(cells * Residuals::CELL)?;
        let (mut states_held, mut next_held) = (0, 0);
        let mut residuals = Residuals::new(atoms, sums, most);
        let start = Moment { level: 0, room: most };
        let root = residuals.first(formula, start);
        let mut diagram = Diagram {
            root: root.settled().unwrap_or(0),
            levels: vec![0],
            starts: Vec::new(),
            steps: Vec::new(),
        };
        // Residuals, each with the fewest cards that lead to it.
        let mut states: Vec<(u32, u32)> = match root {
            Residual::Open(id) => vec![(id, 0)],
            Residual::Settled(_) => Vec::new(),
        };
        for (level, size) in atoms.sizes.iter().enumerate() {
            let after = diagram.starts.len() as u32 + states.len() as u32;
            let mut next: Vec<(u32, u32)> = Vec::new();
            let mut numbers: FxHashMap<u32, u32> = FxHashMap::default();
            for (state, used) in states {
                budget.hold(Diagram::STATE + Diagram::STEP * (u64::from((*size).min(most)) + 1))?;
                diagram.starts.push(diagram.steps.len() as u32);
                for taken in 0..=(*size).min(most) {
                    let used = used + taken;
                    if used > most {
                        diagram.steps.push(NO);
                        continue;
                    }
                    let moment = Moment { level: level + 1, room: most - used };
                    let step = residuals.step(state, moment, i128::from(taken), budget)?;
                    let settled = step.settled();
                    diagram.steps.push(match step {
                        Residual::Settled(_) => settled.unwrap_or(NO),
                        Residual::Open(id) => {
                            if next.len() as u64 * Diagram::OPEN == next_held {
                                budget.hold(Diagram::OPEN)?;
                                next_held += Diagram::OPEN;
                            }
                            let number = *numbers.entry(id).or_insert_with(|| {
                                next.push((id, used));
                                next.len() as u32 - 1
                            });
                            let fewest = &mut next[number as usize].1;
                            *fewest = used.min(*fewest);
                            after + number
                        }
                    });
                }
            }
            diagram.levels.push(after);
            states = next;
            budget.release(std::mem::replace(&mut states_held, std::mem::take(&mut next_held)));
        }
        budget.release(states_held + cells * Residuals::CELL + residuals.held());
        Ok(diagram)
    }

    /// About the number of multiplications to count hands of up to `most` cards.
    pub(crate) fn effort(&self, most: u32) -> u64 {
        (self.steps.len() as u64 + 1) * (u64::from(most) + 1)
    }

    /// The state after `taken` cards of the next atom.
    pub(crate) fn after(&self, state: u32, taken: u32) -> u32 {
        if state >= YES {
            return state;
        }
        self.steps[(self.starts[state as usize] + taken) as usize]
    }

    /// Whether a hand with these cards of each atom satisfies the query.
    pub(crate) fn holds(&self, counts: &[u32]) -> bool {
        let mut state = self.root;
        for taken in counts {
            if state >= YES {
                break;
            }
            state = self.after(state, *taken);
        }
        state == YES
    }

    /// For 0, 1, 2… cards drawn and added to the cards held, the ways in which the query holds;
    /// without `every`, the last number only.
    pub(crate) fn count<'s, N: Number>(
        &self,
        atoms: &Atoms,
        choices: &Choices<N::Ways>,
        draw: &Draw<'_>,
        numbers: &'s mut Vec<N>,
        budget: &mut Budget,
    ) -> Result<&'s [N], Limit> {
        let most = draw.cards as usize;
        let width = most + 1;
        let cells = self.starts.len().max(1) * width;
        // The list is kept for the next hand.
        budget.hold(
            (cells.saturating_sub(numbers.capacity()) as u64).saturating_mul(choices.bytes),
        )?;
        numbers.clear();
        numbers.reserve_exact(cells);
        numbers.resize(cells, N::zero());
        if self.root == NO {
            return Ok(numbers);
        }
        let mut left = draw.rest;
        let mut settled: Cow<'_, [N]> = N::row(choices, left, width, atoms.total(draw.held));
        for level in (0..draw.deck.len()).rev() {
            let size = draw.deck[level];
            let here = &choices.row(size)[..=most.min(size as usize)];
            let least = if level == 0 && !draw.every { most } else { 0 };
            for state in self.levels[level] as usize..self.levels[level + 1] as usize {
                let (before, later) = numbers.split_at_mut((state + 1) * width);
                let sums = &mut before[state * width..];
                let first = (self.starts[state] + draw.held[level]) as usize;
                let steps = &self.steps[first..first + here.len()];
                for (taken, (next, ways)) in steps.iter().zip(here).enumerate() {
                    let further = match *next {
                        NO => continue,
                        YES => &settled[..],
                        next => {
                            let start = (next as usize - state - 1) * width;
                            &later[start..start + width]
                        }
                    };
                    let from = least.max(taken);
                    for (sum, more) in sums[from..].iter_mut().zip(&further[from - taken..]) {
                        sum.add(ways, more);
                    }
                }
            }
            left += size;
            settled = N::joined(settled, choices, here, left, atoms.adds[level], budget)?;
        }
        if self.root == YES {
            numbers.clone_from_slice(&settled);
        }
        Ok(&numbers[..width])
    }
}
