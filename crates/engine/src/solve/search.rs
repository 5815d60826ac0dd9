//! Branch and bound: the smallest whole-number solution of a program, with proof.
//!
//! A node is closed only for a reason computed in whole numbers: bounds that contradict a demand,
//! or demands added up with whole multipliers. First the search asks
//! whether anything costs as little as the relaxation's bound, then one more, and so on;
//! costs are whole, so the first answer is a smallest one. The order is fixed and the limit
//! counts steps, so the same program has the same answer on every machine.

use super::answer::Answer;
use super::branching::{Branch, Candidate, Node, Tree, branch_and_bound};
use super::program::{Bounds, Program, Sum};
use super::propagate::{Constraint, Propagator};
use super::simplex::{A_STEP, Relaxation};
use std::borrow::Cow;
use std::cell::Cell;
use std::cmp::Ordering;

/// What a search came to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// These values satisfy every demand, and none that cost less do.
    Smallest(Vec<i64>),
    /// No values satisfy every demand.
    Nothing,
    /// The work limit was reached: the best values found, and the cost that nothing is below.
    Limited(Option<Vec<i64>>, i64),
}

/// To read a column or a term of a program takes as long as so many numbers of a table.
const READING: usize = 16;

/// The steps that it takes to read a number of columns, terms and unknowns once.
pub(super) fn reading_steps(size: usize) -> u64 {
    (READING * size) as u64 / A_STEP
}

/// What is known of the solutions of a program before it is searched.
#[derive(Debug, Default)]
pub(super) struct KnownSolutions {
    /// Values that satisfy every demand.
    pub(super) values: Option<Vec<i64>>,
    /// A cost that nothing is below; only solutions of that cost count.
    pub(super) cost: Option<i64>,
}

/// The same, with all columns in one table.
pub(super) fn search_whole(program: &Program, known: KnownSolutions, effort: &mut u64) -> Outcome {
    let mut search = Search::new(program, *effort);
    let outcome = match known.cost {
        Some(cost) => search.at_cost(cost),
        None => search.run(known.values.filter(|values| program.holds(values))),
    };
    *effort = effort.saturating_sub(search.spent());
    outcome
}

struct Search<'p> {
    program: &'p Program,
    relaxation: Relaxation<'p>,
    /// The demands, and behind them the cost.
    propagator: Propagator,
    costs: Vec<(usize, i64)>,
    /// Numbers read outside the relaxation.
    touched: Cell<u64>,
    effort: u64,
    /// The most that a solution may cost beyond the fixed cost.
    most: Option<i64>,
    /// The dive ends at this many steps.
    limit: u64,
}

impl<'p> Search<'p> {
    fn new(program: &'p Program, effort: u64) -> Search<'p> {
        let costs = program.columns.iter().enumerate();
        let costs =
            costs.filter(|(_, column)| column.cost != 0).map(|(at, column)| (at, column.cost));
        let costs: Vec<(usize, i64)> = costs.collect();
        let (columns, rows) = (program.columns.len(), program.demands.len());
        let constraint = |row: usize| {
            Constraint::Sum(match program.demands.get(row) {
                Some(demand) => demand.sum(),
                None => spending(&costs, None),
            })
        };
        Search {
            propagator: Propagator::new(columns, rows + 1, constraint).unrepeated(),
            relaxation: Relaxation::new(Cow::Borrowed(program)),
            touched: Cell::new((READING * program.size()) as u64),
            program,
            costs,
            effort,
            most: None,
            limit: effort,
        }
    }

    fn spent(&self) -> u64 {
        self.relaxation.steps(self.touched.get())
    }

    fn touch(&self, numbers: usize) {
        self.touched.set(self.touched.get() + numbers as u64);
    }

    fn cost(&self, values: &[i64]) -> i64 {
        self.program.cost(values) - self.program.fixed_cost
    }

    /// Searches; of values that cost no less than some that are `given`, those are taken that it
    /// finds itself, where it does.
    fn run(&mut self, given: Option<Vec<i64>>) -> Outcome {
        /// So many costs are asked about one by one before the search goes down from the best
        /// that it knows.
        const STEPS: i64 = 6;
        let mut root = Bounds::of(&self.program.columns);
        if !self.narrow(&mut root, None) {
            return Outcome::Nothing;
        }
        let mut least = match self.relaxation.solve(&root) {
            Answer::Found(()) => self.relaxation.bound().cost(&root),
            Answer::None if self.relaxation.refutation().refutes(&root) => {
                return Outcome::Nothing;
            }
            Answer::None | Answer::Limit => 0,
        };
        let half = self.spent() + self.effort.saturating_sub(self.spent()) / 2;
        let mut best = match self.dive(&root, None, half) {
            Answer::Found(values) => Some(values),
            Answer::None => return Outcome::Nothing,
            Answer::Limit => None,
        };
        let fixed = self.program.fixed_cost;
        let last = least + STEPS;
        let costs = |search: &Self, values: &Option<Vec<i64>>| {
            values.as_ref().map(|values| search.cost(values))
        };
        loop {
            let own = costs(self, &best);
            if let Some(values) = best.take_if(|_| own == Some(least)) {
                return Outcome::Smallest(values);
            }
            let known = own.into_iter().chain(costs(self, &given)).min();
            // One by one from below; later from above.
            let most = match known {
                Some(known) if least > last && least < known => known - 1,
                _ => least,
            };
            match self.dive(&root, Some(most), self.effort) {
                Answer::Found(values) => best = Some(values),
                Answer::None => least = most + 1,
                Answer::Limit => {
                    let is_better = own.is_none() || known < own;
                    let nearest = if is_better { given.or(best) } else { best };
                    return match nearest {
                        Some(values) if known == Some(least) => Outcome::Smallest(values),
                        nearest => Outcome::Limited(nearest, least + fixed),
                    };
                }
            }
        }
    }

    /// Searches for a solution of a cost that nothing is below.
    fn at_cost(&mut self, cost: i64) -> Outcome {
        let root = Bounds::of(&self.program.columns);
        let most = cost - self.program.fixed_cost;
        match self.dive(&root, Some(most), self.effort) {
            Answer::Found(values) => Outcome::Smallest(values),
            Answer::None => Outcome::Nothing,
            Answer::Limit => Outcome::Limited(None, cost),
        }
    }

    /// Searches all solutions within some bounds that cost at most `most`, up to the first one.
    fn dive(&mut self, root: &Bounds, most: Option<i64>, limit: u64) -> Answer<Vec<i64>> {
        (self.most, self.limit) = (most, limit);
        match branch_and_bound(self, root.clone(), Vec::new()) {
            Ok(()) => Answer::None,
            Err(ended) => ended,
        }
    }

    /// Takes from the bounds what would cost more than `most` by a proof.
    fn shorten(&mut self, proof: &super::proof::Proof, bounds: &mut Bounds, most: i64) -> bool {
        let Some(reach) = proof.reach(bounds, most) else {
            return true;
        };
        let mut shorter = Vec::new();
        for column in 0..bounds.lower.len() {
            let (low, high) = (bounds.lower[column], bounds.upper[column]);
            match reach(column) {
                Some((steps, true)) if low.saturating_add(steps) < high => {
                    shorter.push((column, low, low + steps));
                }
                Some((steps, false)) if high.saturating_sub(steps) > low => {
                    shorter.push((column, high - steps, high));
                }
                _ => {}
            }
        }
        if shorter.is_empty() {
            return true;
        }
        for (column, low, high) in shorter {
            bounds.lower[column] = low;
            bounds.upper[column] = high;
        }
        self.narrow(bounds, None)
    }

    /// Chooses the column on which a node branches; `None`: all are fixed.
    fn branching(&self, bounds: &Bounds, solved: bool) -> Option<Branch> {
        // Numbers on which much depends come first: until they are whole, the relaxation sees
        // little of what the rest costs. Then columns of the most demands: the flags that
        // say where a card is settle more than its copies do.
        let rank = |candidate: &Candidate| {
            let column = &self.program.columns[candidate.column];
            let demands = self.propagator.of(candidate.column).len();
            let demands = demands - usize::from(column.cost != 0);
            let is_split = candidate.fraction > 0.0;
            (is_split && column.first, if is_split { demands } else { 0 })
        };
        let value = |column| solved.then(|| self.relaxation.value(column));
        let candidates = (0..bounds.lower.len())
            .filter_map(|column| Candidate::new(column, bounds, value(column)));
        let chosen = candidates.reduce(|known, next| {
            let is_sooner = match rank(&next).cmp(&rank(&known)) {
                Ordering::Equal => next.fraction > known.fraction + 1e-9,
                order => order.is_gt(),
            };
            if is_sooner { next } else { known }
        });
        chosen.map(|candidate| candidate.nearer())
    }

    /// Narrows bounds by the demands, and by what may be spent; `false`: nothing is left.
    /// With `from`, only that column has changed.
    fn narrow(&self, bounds: &mut Bounds, from: Option<usize>) -> bool {
        /// Narrowing by ones could go on for long.
        const MOST: usize = 4_000;
        let rows = self.program.demands.len();
        let of_column = from.map_or(&[][..], |column| self.propagator.of(column));
        let own = of_column.iter().map(|row| *row as usize);
        let all = 0..if from.is_none() { rows } else { 0 };
        let mut first: Vec<usize> = own.filter(|row| *row < rows).chain(all).collect();
        first.extend(self.most.map(|_| rows));
        let first = first.into_iter();
        self.propagator.run(first, MOST, bounds, |row, bounds, moved| {
            let sum = match self.program.demands.get(row) {
                Some(demand) => demand.sum(),
                None => spending(&self.costs, self.most),
            };
            self.touch(8 + 8 * sum.terms.len());
            Constraint::Sum(sum).tighten(bounds, moved)
        })
    }
}

impl Tree for Search<'_> {
    type Record = ();
    type End = Answer<Vec<i64>>;

    fn node(&mut self, mut bounds: Bounds, path: &[Branch]) -> Result<Node<()>, Answer<Vec<i64>>> {
        if !self.narrow(&mut bounds, path.last().map(|half| half.column)) {
            return Ok(Node::Closed(()));
        }
        if self.spent() >= self.limit {
            return Err(Answer::Limit);
        }
        self.touch(8 * bounds.lower.len());
        let relaxed = self.relaxation.solve(&bounds);
        match relaxed {
            Answer::None if self.relaxation.refutation().refutes(&bounds) => {
                return Ok(Node::Closed(()));
            }
            Answer::Found(()) => {
                if let Some(most) = self.most {
                    let proof = self.relaxation.bound();
                    if proof.cost(&bounds) > most || !self.shorten(&proof, &mut bounds, most) {
                        return Ok(Node::Closed(()));
                    }
                }
                let rounded: Vec<i64> = (0..bounds.lower.len())
                    .map(|column| self.relaxation.value(column).round() as i64)
                    .collect();
                let fits = self.most.is_none_or(|most| self.cost(&rounded) <= most);
                if fits && self.program.holds(&rounded) {
                    return Err(Answer::Found(rounded));
                }
            }
            Answer::None | Answer::Limit => {}
        }
        match self.branching(&bounds, relaxed == Answer::Found(())) {
            Some(half) => Ok(Node::Split(bounds, half)),
            None if self.program.holds(&bounds.lower) => Err(Answer::Found(bounds.lower)),
            None => Ok(Node::Closed(())),
        }
    }

    fn needs(&self, (): &(), _: Branch) -> bool {
        true
    }

    fn join(&mut self, _: Branch, (): (), (): ()) {}
}

/// The demand that no more is spent than `most`.
fn spending(costs: &[(usize, i64)], most: Option<i64>) -> Sum<'_> {
    Sum { terms: costs, low: None, high: most }
}
