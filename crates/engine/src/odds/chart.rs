//! A query as a chart of states: atom by atom, how many cards of it leads where.
//!
//! A state is what is left to ask once the atoms before are known: a formula over the tallies
//! of the remaining cards. Equal remainders are one state, and a state whose answer is settled
//! is a dead end of either kind. A conjunction of conditions on separate groups has one state
//! an atom, so that counting is plain convolution.

use super::atoms::Atoms;
use super::condition::{Formula, Tally};
use super::number::{Choices, Natural};
use super::remainder::{Moment, Remainder, Remainders};
use rustc_hash::FxHashMap;

/// The work of a question is more than its budget.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct TooMuchWork;

/// The most bytes that one question may hold at a time, however much work it may take.
pub(crate) const MEMORY: u64 = 256 << 20;

/// What a question may still take.
#[derive(Debug, Clone)]
pub(crate) struct Budget {
    /// Steps of very roughly a few nanoseconds each.
    work: u64,
    /// Bytes.
    memory: u64,
}

impl Budget {
    pub(crate) fn new(work: u64) -> Budget {
        Budget {
            work,
            memory: MEMORY,
        }
    }

    pub(crate) fn spend(&mut self, steps: u64) -> Result<(), TooMuchWork> {
        self.work = self.work.checked_sub(steps).ok_or(TooMuchWork)?;
        Ok(())
    }

    /// The steps that are left.
    pub(crate) fn left(&self) -> u64 {
        self.work
    }

    /// Before so many bytes are held, roughly.
    pub(crate) fn hold(&mut self, bytes: u64) -> Result<(), TooMuchWork> {
        self.memory = self.memory.checked_sub(bytes).ok_or(TooMuchWork)?;
        Ok(())
    }

    /// After they are let go.
    pub(crate) fn release(&mut self, bytes: u64) {
        self.memory += bytes;
    }

    /// With so much memory only.
    #[cfg(test)]
    pub(crate) fn narrow(work: u64, memory: u64) -> Budget {
        Budget { work, memory }
    }
}

/// Where a count leads: a state's number, or one of these two.
pub(crate) const NO: u32 = u32::MAX;
pub(crate) const YES: u32 = u32::MAX - 1;

#[derive(Debug, Clone)]
pub(crate) struct Chart {
    root: u32,
    /// The first state of each atom, and past the last atom the number of states.
    levels: Vec<u32>,
    /// Of each state, where its steps begin.
    starts: Vec<u32>,
    /// For 0, 1, 2… cards of the atom: the next state.
    steps: Vec<u32>,
}

impl Chart {
    /// Compiles a formula for hands of at most `most` cards.
    pub(crate) fn new(
        atoms: &Atoms,
        tallies: &[Tally],
        formula: &Formula,
        most: u32,
        budget: &mut Budget,
    ) -> Result<Chart, TooMuchWork> {
        let cells = (atoms.len() as u64 + 1) * tallies.len() as u64;
        budget.spend(cells)?;
        budget.hold(cells * Remainders::CELL)?;
        let mut remainders = Remainders::new(atoms, tallies, most);
        let start = Moment {
            level: 0,
            room: most,
        };
        let root = remainders.first(formula, start);
        let mut chart = Chart {
            root: root.settled().unwrap_or(0),
            levels: vec![0],
            starts: Vec::new(),
            steps: Vec::new(),
        };
        // States with the fewest cards that lead to them: nothing is asked beyond `most`.
        let mut states: Vec<(u32, u32)> = match root {
            Remainder::Open(id) => vec![(id, 0)],
            Remainder::Settled(_) => Vec::new(),
        };
        for (level, size) in atoms.sizes.iter().enumerate() {
            let after = chart.starts.len() as u32 + states.len() as u32;
            let mut next: Vec<(u32, u32)> = Vec::new();
            let mut numbers: FxHashMap<u32, u32> = FxHashMap::default();
            for (state, used) in states {
                budget.hold(16 + 4 * (u64::from((*size).min(most)) + 1))?;
                chart.starts.push(chart.steps.len() as u32);
                for taken in 0..=(*size).min(most) {
                    let used = used + taken;
                    if used > most {
                        chart.steps.push(NO);
                        continue;
                    }
                    let moment = Moment {
                        level: level + 1,
                        room: most - used,
                    };
                    let step = remainders.step(state, moment, i128::from(taken), budget)?;
                    chart.steps.push(match step {
                        Remainder::Settled(true) => YES,
                        Remainder::Settled(false) => NO,
                        Remainder::Open(id) => {
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
            chart.levels.push(after);
            states = next;
        }
        Ok(chart)
    }

    /// Roughly how many multiplications counting takes for hands of `most` cards.
    pub(crate) fn effort(&self, most: u32) -> u64 {
        (self.steps.len() as u64 + 1) * (u64::from(most) + 1)
    }

    /// Whether a hand with so many cards of each atom satisfies the query.
    pub(crate) fn holds(&self, counts: &[u32]) -> bool {
        let mut state = self.root;
        for taken in counts {
            if state >= YES {
                break;
            }
            state = self.steps[(self.starts[state as usize] + taken) as usize];
        }
        state == YES
    }

    /// The state after one more atom.
    pub(crate) fn after(&self, state: u32, taken: u32) -> u32 {
        if state >= YES {
            return state;
        }
        self.steps[(self.starts[state as usize] + taken) as usize]
    }

    pub(crate) fn first(&self) -> u32 {
        self.root
    }

    pub(crate) fn is_yes(state: u32) -> bool {
        state == YES
    }

    pub(crate) fn is_no(state: u32) -> bool {
        state == NO
    }

    /// In how many ways `drawn` cards of a deck, added to the cards `held`, satisfy the query;
    /// `deck` has the cards of each atom left and `rest` the others. With `every`, the result
    /// has the number for 0, 1, … `drawn` cards; else only its last place means something.
    pub(crate) fn count<'s, T: Natural>(
        &self,
        choices: &Choices<T>,
        held: &[u32],
        deck: &[u32],
        rest: u32,
        (drawn, every): (u32, bool),
        scratch: &'s mut Vec<T>,
    ) -> &'s [T] {
        let most = drawn as usize;
        let width = most + 1;
        scratch.clear();
        scratch.resize(self.starts.len().max(1) * width, T::zero());
        if self.root >= YES {
            if self.root == YES {
                let all = deck.iter().sum::<u32>() + rest;
                scratch.clone_from_slice(&choices.row(all)[..width]);
            }
            return scratch;
        }
        let mut left = rest;
        for level in (0..deck.len()).rev() {
            let here = &choices.row(deck[level])[..=most.min(deck[level] as usize)];
            let settled = &choices.row(left)[..width];
            let least = if level == 0 && !every { most } else { 0 };
            for state in self.levels[level] as usize..self.levels[level + 1] as usize {
                let (before, later) = scratch.split_at_mut((state + 1) * width);
                let sums = &mut before[state * width..];
                let first = (self.starts[state] + held[level]) as usize;
                let steps = &self.steps[first..first + here.len()];
                for (taken, (next, ways)) in steps.iter().zip(here).enumerate() {
                    let further = match *next {
                        NO => continue,
                        YES => settled,
                        next => {
                            let start = (next as usize - state - 1) * width;
                            &later[start..start + width]
                        }
                    };
                    let from = least.max(taken);
                    for (sum, more) in sums[from..].iter_mut().zip(&further[from - taken..]) {
                        sum.add_product(ways, more);
                    }
                }
            }
            left += deck[level];
        }
        &scratch[..width]
    }
}
