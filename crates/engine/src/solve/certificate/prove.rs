//! A proof that nothing satisfies an instance, or nothing better than an answer, in the format of
//! VeriPB 3, a checker of pseudo-Boolean proofs.
//!
//! It is searched for apart from the answer, on the constraints as the instance has them, by the
//! same branch and bound. Each leaf is a sum of constraints with whole multipliers that no values
//! within its branch meet. The branchings that a leaf needs are a clause, and the clauses of two
//! halves make that of their node.

use super::instance::Instance;
use crate::solve::answer::Answer;
use crate::solve::branching::{Branch, Candidate, Node, Tree, branch_and_bound};
use crate::solve::program::{Bounds, Demand, Program, common_divisor};
use crate::solve::proof::Proof;
use crate::solve::propagate::{Constraint, Propagator};
use crate::solve::simplex::{Relaxation, SCALE};
use rustc_hash::FxHashMap;
use std::borrow::Cow;
use std::fmt::Write;

/// The result of a search for a proof.
#[derive(Debug)]
pub(super) enum ProofOutcome {
    Proof(String),
    /// Some values satisfy the instance, and are better than the answer: the claim is wrong.
    Wrong,
    /// The work limit was reached.
    Limited,
    /// No order of branching closes every case, whatever work is allowed.
    Open,
    /// The relaxation would have too many numbers.
    TooLarge,
}

/// The most numbers in the table of the relaxation.
const LARGEST_TABLE: usize = 1 << 24;

/// Proves that nothing satisfies an instance, or, with an answer, nothing of a lower cost.
pub(super) fn prove(instance: &Instance, answer: Option<&[i64]>, effort: u64) -> ProofOutcome {
    let mut start = Start::new(instance, answer);
    if let Some(id) = start.settle() {
        return ProofOutcome::Proof(start.ended(id));
    }
    let mut search = Search::new(start, effort);
    match search.all() {
        Ok(clause) => ProofOutcome::Proof(search.start.ended(clause.id)),
        Err(Stop::Wrong) => ProofOutcome::Wrong,
        Err(Stop::Limited) => ProofOutcome::Limited,
        Err(Stop::Open) => ProofOutcome::Open,
        Err(Stop::TooLarge) => ProofOutcome::TooLarge,
    }
}

/// The lines of the proof with the lower and the upper end of a demand.
type Ends = [Option<usize>; 2];

/// The instance as the checker reads it, and what follows from it without branching.
struct Start<'i> {
    instance: &'i Instance,
    answer: Option<&'i [i64]>,
    /// The first bit of each number.
    first: Vec<usize>,
    /// The name of each bit.
    names: Vec<String>,
    /// The demands over numbers, and the lines of their ends. With an answer, the last demand is
    /// to be better.
    demands: Vec<Demand>,
    lines: Vec<Ends>,
    /// The same demands over bits.
    over_bits: Vec<Demand>,
    bits: Bounds,
    /// The line that fixes each bit, where one does.
    settled: Vec<Option<usize>>,
    /// The range of each number.
    range: Bounds,
    proof: String,
    next: usize,
}

impl<'i> Start<'i> {
    fn new(instance: &'i Instance, answer: Option<&'i [i64]>) -> Start<'i> {
        let (mut first, mut names) = (Vec::new(), Vec::new());
        for number in &instance.numbers {
            first.push(names.len());
            names.extend((0..number.weights.len()).map(|at| number.bit(at)));
        }
        let mut demands = instance.demands.clone();
        demands.extend(answer.map(|answer| Demand {
            terms: instance.objective.clone(),
            low: None,
            high: Some(instance.value(answer) - 1),
        }));
        let mut next = 1;
        let mut line = |end: Option<i64>| {
            next += usize::from(end.is_some());
            end.map(|_| next - 1)
        };
        let lines = demands.iter();
        let lines = lines.map(|demand| [line(demand.low), line(demand.high)]);
        let mut start = Start {
            lines: lines.collect(),
            bits: Bounds { lower: vec![0; names.len()], upper: vec![1; names.len()] },
            settled: vec![None; names.len()],
            range: instance.range.clone(),
            proof: "pseudo-Boolean proof version 3.0\n".to_owned(),
            over_bits: Vec::new(),
            instance,
            answer,
            first,
            names,
            demands,
            next,
        };
        let _ = writeln!(start.proof, "f {};", instance.constraints());
        if let Some(answer) = answer {
            let values = start.values(answer);
            let _ = writeln!(start.proof, "soli {values};");
        }
        start
    }

    /// The bits of some values of the numbers.
    fn values(&self, values: &[i64]) -> String {
        let mut bits = self.names.iter();
        let mut text: Vec<String> = Vec::new();
        let numbers = self.instance.numbers.iter().zip(&self.instance.range.lower);
        for ((number, lower), value) in numbers.zip(values) {
            let own = number.bits(value - lower).into_iter().zip(&mut bits);
            text.extend(own.map(|(is_on, bit)| literal(is_on, bit)));
        }
        text.join(" ")
    }

    /// Writes a line of the proof, and returns its number.
    fn line(&mut self, line: &str) -> usize {
        self.proof.push_str(line);
        self.proof.push_str(" ;\n");
        self.next += 1;
        self.next - 1
    }

    /// Divides demands by what their factors share, and fixes the bits that they imply. Returns a
    /// line that is a contradiction, if these steps find one.
    fn settle(&mut self) -> Option<usize> {
        for at in 0..self.demands.len() {
            let demand = &mut self.demands[at];
            let step = common_divisor(&demand.terms);
            let is_met = |end: Option<i64>| end.is_none_or(|end| end % step == 0);
            if step <= 1 || (is_met(demand.low) && is_met(demand.high)) {
                continue;
            }
            // The checker divides the sum over literals with positive factors, and rounds up.
            demand.low = demand.low.map(|low| -(-low).div_euclid(step));
            demand.high = demand.high.map(|high| high.div_euclid(step));
            demand.terms.iter_mut().for_each(|(_, by)| *by /= step);
            let ends = self.lines[at];
            self.lines[at] = ends.map(|id| id.map(|id| self.line(&format!("pol {id} {step} d"))));
        }
        let over_bits = self.demands.iter().map(|demand| self.over_bits(demand));
        self.over_bits = over_bits.collect();
        let (mut bits, mut found) = (self.bits.clone(), Vec::new());
        if !self.propagate(&mut bits, &mut found) {
            return Some(self.line("rup >= 1"));
        }
        for bit in found {
            let literal = literal(bits.lower[bit] == 1, &self.names[bit]);
            self.settled[bit] = Some(self.line(&format!("rup 1 {literal} >= 1")));
        }
        let Bounds { lower, upper } = &mut self.range;
        for (at, number) in self.instance.numbers.iter().enumerate() {
            upper[at] = lower[at];
            for (bit, weight) in (self.first[at]..).zip(&number.weights) {
                lower[at] += weight * bits.lower[bit];
                upper[at] += weight * bits.upper[bit];
            }
        }
        self.bits = bits;
        None
    }

    fn over_bits(&self, demand: &Demand) -> Demand {
        let (mut terms, mut lower) = (Vec::new(), 0);
        for (at, by) in &demand.terms {
            lower += by * self.instance.range.lower[*at];
            let bits = (self.first[*at]..).zip(&self.instance.numbers[*at].weights);
            terms.extend(bits.map(|(bit, weight)| (bit, by * weight)));
        }
        Demand {
            terms,
            low: demand.low.map(|low| low - lower),
            high: demand.high.map(|high| high - lower),
        }
    }

    /// Propagates bits through the ends of demands one by one, as the checker does, and adds the
    /// bits that became fixed; `false`: nothing is left.
    fn propagate(&self, bits: &mut Bounds, found: &mut Vec<usize>) -> bool {
        let count = self.over_bits.len();
        let constraint = |at: usize| Constraint::Sum(self.over_bits[at].sum());
        let propagator = Propagator::new(self.names.len(), count, constraint);
        propagator.run(0..count, usize::MAX, bits, |at, bits, moved| {
            let Demand { terms, low, high } = &self.over_bits[at];
            let (least, most) = bits.extent(terms);
            let below = low.map_or(i128::MAX, |low| most - i128::from(low));
            let above = high.map_or(i128::MAX, |high| i128::from(high) - least);
            for (bit, by) in terms {
                for (slack, is_on) in [(below, *by > 0), (above, *by < 0)] {
                    if i128::from(by.abs()) > slack && !bits.is_fixed(*bit) {
                        (bits.lower[*bit], bits.upper[*bit]) = (is_on.into(), is_on.into());
                        moved.push(*bit);
                    }
                }
            }
            found.extend_from_slice(moved);
            below >= 0 && above >= 0
        })
    }

    /// Whether propagation shows that an open bit is off.
    fn refutes(&self, bit: usize) -> bool {
        let mut bits = self.bits.clone();
        bits.lower[bit] = 1;
        !self.propagate(&mut bits, &mut Vec::new())
    }

    /// The whole proof; its last line is a contradiction.
    fn ended(&self, id: usize) -> String {
        let conclusion = if let Some(answer) = self.answer {
            // The checker knows the bits alone.
            let instance = self.instance;
            let value = instance.value(answer) - instance.value(&instance.range.lower);
            format!("BOUNDS {value} : {id} {value} : {}", self.values(answer))
        } else {
            format!("UNSAT : {id}")
        };
        let lines = &self.proof;
        format!("{lines}output NONE;\nconclusion {conclusion};\nend pseudo-Boolean proof;\n")
    }
}

fn literal(is_on: bool, name: &str) -> String {
    let sign = if is_on { "" } else { "~" };
    format!("{sign}{name}")
}

/// Branchings that contradict each other, and the line that proves it.
#[derive(Debug, Clone)]
struct Clause {
    id: usize,
    branches: Vec<Branch>,
}

/// The choice of the number on which a node branches.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Order {
    /// Of a few, the one whose halves the relaxation refutes or bounds most.
    Strong,
    /// The one that is in the most demands.
    Rows,
    /// The one that is least whole.
    Fraction,
}

enum Stop {
    Wrong,
    Limited,
    Open,
    TooLarge,
}

/// A search for a proof.
struct Search<'i> {
    start: Start<'i>,
    lines: Vec<Ends>,
    /// The demands over all numbers, in the order of `lines`.
    whole: Program,
    /// The open numbers: the columns of the relaxation.
    columns: Vec<usize>,
    /// `None`: it would be too large.
    relaxation: Option<Relaxation<'static>>,
    order: Order,
    /// The nodes that a try may still have, and those of all tries.
    nodes: usize,
    nodes_seen: u64,
    effort: u64,
    /// The number of demands of each number.
    degree: Vec<usize>,
    /// The flag of each branching of a number of several bits, and the two lines that define it.
    flags: FxHashMap<(usize, i64), (String, usize, usize)>,
}

impl<'i> Search<'i> {
    fn new(mut start: Start<'i>, effort: u64) -> Search<'i> {
        let (mut demands, mut lines) = (Vec::new(), Vec::new());
        let all = std::mem::take(&mut start.demands).into_iter();
        for (mut demand, [low, high]) in all.zip(&start.lines) {
            if demand.drop_implied(&start.range) {
                lines.push([
                    low.filter(|_| demand.low.is_some()),
                    high.filter(|_| demand.high.is_some()),
                ]);
                demands.push(demand);
            }
        }
        let mut whole = start.instance.program(demands);
        for (number, by) in &start.instance.objective {
            // A program has no negative costs.
            if *by > 0 && start.range.lower[*number] >= 0 {
                whole.columns[*number].cost += by;
            }
        }
        let (program, columns) = whole.open(&start.range);
        let mut degree = vec![0; whole.columns.len()];
        for (number, _) in whole.demands.iter().flat_map(|demand| &demand.terms) {
            degree[*number] += 1;
        }
        let fits = columns.len().saturating_mul(lines.len()) <= LARGEST_TABLE;
        Search {
            relaxation: fits.then(|| Relaxation::new(Cow::Owned(program))),
            start,
            lines,
            whole,
            columns,
            order: Order::Strong,
            nodes: 0,
            nodes_seen: 0,
            effort,
            degree,
            flags: FxHashMap::default(),
        }
    }

    /// The work done. A node that the relaxation has nothing to do for is work, too.
    fn steps(&self) -> u64 {
        self.nodes_seen + self.relaxation.as_ref().map_or(0, |own| own.steps(0))
    }

    /// Proves that there is nothing: case by case, where one of some must hold.
    fn all(&mut self) -> Result<Clause, Stop> {
        let cases = &self.start.instance.cases;
        let Bounds { lower, upper } = &self.start.range;
        // One that must hold holds from the start.
        if cases.is_empty() || cases.iter().any(|case| lower[*case] == 1) {
            return self.branches(Vec::new());
        }
        let open = cases.iter().filter(|case| upper[**case] == 1);
        for column in open.copied().collect::<Vec<usize>>() {
            let holds = Branch { column, at: 1, or_more: true };
            if self.start.refutes(self.start.first[column]) {
                let literal = self.literal(holds.opposite());
                self.start.line(&format!("rup 1 {literal} >= 1"));
                continue;
            }
            let clause = self.branches(vec![holds])?;
            if clause.branches.is_empty() {
                return Ok(clause);
            }
        }
        let id = self.start.line("rup >= 1");
        let branches = Vec::new();
        Ok(Clause { id, branches })
    }

    /// Proves that there is nothing after some branchings. No order of branching is best, some
    /// proofs being short by one and endless by another: each is tried for a while, then for
    /// longer.
    fn branches(&mut self, path: Vec<Branch>) -> Result<Clause, Stop> {
        if self.relaxation.is_none() {
            return Err(Stop::TooLarge);
        }
        let range = self.start.range.clone();
        let root = path.iter().fold(range, |range, half| half.within(range));
        let mut nodes = 60;
        loop {
            for order in [Order::Strong, Order::Rows, Order::Fraction] {
                let (end, next) = (self.start.proof.len(), self.start.next);
                let flags = self.flags.clone();
                (self.order, self.nodes) = (order, nodes);
                match branch_and_bound(self, root.clone(), path.clone()) {
                    Err(Stop::Limited) if self.steps() < self.effort => {
                        self.start.proof.truncate(end);
                        (self.start.next, self.flags) = (next, flags);
                    }
                    ended => return ended,
                }
            }
            // The work limit ends it.
            nodes = nodes.saturating_mul(6);
        }
    }

    /// Whether some values satisfy the instance, and are better than the answer.
    fn is_better(&self, values: &[i64]) -> bool {
        self.whole.holds(values)
    }

    fn relaxed(&mut self, bounds: &Bounds) -> Answer {
        let of = |ends: &[i64]| self.columns.iter().map(|at| ends[*at]).collect();
        let own = Bounds { lower: of(&bounds.lower), upper: of(&bounds.upper) };
        let relaxation = self.relaxation.as_mut();
        relaxation.map_or(Answer::Limit, |relaxation| relaxation.solve(&own))
    }

    /// The value of a column in the relaxation.
    fn value(&self, column: usize) -> f64 {
        let relaxation = self.relaxation.as_ref();
        relaxation.map_or(0.0, |relaxation| relaxation.value(column))
    }

    fn rounded(&self, bounds: &Bounds) -> Vec<i64> {
        let mut values = bounds.lower.clone();
        for (column, number) in self.columns.iter().enumerate() {
            let (low, high) = (bounds.lower[*number], bounds.upper[*number]);
            values[*number] = (self.value(column).round() as i64).clamp(low, high);
        }
        values
    }

    /// The multipliers of a demand that no values within the bounds meet.
    fn violated(&self, bounds: &Bounds) -> Option<Vec<i64>> {
        let mut demands = self.whole.demands.iter().enumerate();
        let (at, by) = demands.find_map(|(at, demand)| {
            let (least, most) = bounds.extent(&demand.terms);
            let is_low = demand.low.is_some_and(|low| most < i128::from(low));
            let is_high = demand.high.is_some_and(|high| least > i128::from(high));
            (is_low || is_high).then_some((at, if is_low { 1 } else { -1 }))
        })?;
        let mut multipliers = vec![0; self.lines.len()];
        multipliers[at] = by;
        Some(multipliers)
    }

    /// Small whole multipliers of demands whose sum no values within the bounds meet.
    fn refuted(&self, bounds: &Bounds) -> Option<Vec<i64>> {
        /// The multipliers become whole by one of these, mostly a small one.
        #[rustfmt::skip]
        const PARTS: [i64; 18] = [
            1, 2, 3, 4, 5, 6, 8, 10, 12, 20, 24, 30, 60, 120, 360, 1 << 10, 1 << 16, SCALE,
        ];
        let ray = self.relaxation.as_ref()?.blamed();
        PARTS.iter().find_map(|parts| {
            let part = |by: &i64| {
                let by = i128::from(*by) * i128::from(*parts) + i128::from(SCALE / 2);
                by.div_euclid(i128::from(SCALE)) as i64
            };
            let multipliers: Vec<i64> = ray.iter().map(part).collect();
            let proof = Proof::new(&self.whole, &multipliers, 0);
            proof.refutes(bounds).then_some(multipliers)
        })
    }

    /// The branchings that a sum needs to contradict the bounds, and its factor of each. From the
    /// last one up, what the slack of the sum allows is left out, so that clauses are short and
    /// whole subtrees are pruned.
    fn needed(&self, sum: &Proof, bounds: &Bounds, path: &[Branch]) -> Vec<(Branch, i128)> {
        let mut slack = sum.least(bounds).map_or(0, |least| least - 1);
        let mut needed: Vec<(Branch, i128)> = Vec::new();
        let mut weakened = bounds.clone();
        for (at, half) in path.iter().enumerate().rev() {
            let number = half.column;
            let rest = sum.rest(number);
            // The sum is least where a column with a positive rest has its lower bound.
            if rest == 0 || half.or_more == (rest < 0) {
                continue;
            }
            let range = &self.start.range;
            let before = path[..at].iter().filter(|one| one.column == number);
            let (low, high) =
                before.fold((range.lower[number], range.upper[number]), |(low, high), one| {
                    if one.or_more { (low.max(one.at), high) } else { (low, high.min(one.at - 1)) }
                });
            let (now, then) = if half.or_more {
                (&mut weakened.lower[number], low)
            } else {
                (&mut weakened.upper[number], high)
            };
            let loss = rest.abs() * i128::from((*now - then).abs());
            if loss <= slack {
                slack -= loss;
                *now = then;
            } else if !needed.iter().any(|(one, _)| one.column == number) {
                needed.push((*half, rest.abs()));
            }
        }
        needed
    }

    /// Writes a leaf: the sum with the branchings that it needs, and the clause of these.
    fn leaf(&mut self, multipliers: &[i64], bounds: &Bounds, path: &[Branch]) -> Clause {
        let sum = Proof::new(&self.whole, multipliers, 0);
        let needed = self.needed(&sum, bounds, path);
        let mut parts: Vec<(usize, i128)> = Vec::new();
        for ([low, high], by) in self.lines.iter().zip(multipliers) {
            let line = if *by > 0 { low } else { high };
            let line = line.filter(|_| *by != 0);
            parts.extend(line.map(|id| (id, i128::from(by.abs()))));
        }
        let mut clause = String::from("rup");
        for (half, by) in &needed {
            if self.start.instance.numbers[half.column].weights.len() > 1 {
                let (_, or_more, less) = self.flag(*half);
                parts.push((if half.or_more { or_more } else { less }, *by));
            }
            let literal = self.literal(half.opposite());
            let _ = write!(clause, " 1 {literal}");
        }
        let mut pol = String::from("pol");
        for (nth, (id, by)) in parts.iter().enumerate() {
            let _ = write!(pol, " {id}");
            if *by != 1 {
                let _ = write!(pol, " {by} *");
            }
            if nth > 0 {
                pol.push_str(" +");
            }
        }
        let id = self.start.line(&pol);
        let _ = write!(clause, " >= 1 : ~ {id}");
        let start = &self.start;
        let all = &start.instance.range;
        for (number, own) in start.instance.numbers.iter().enumerate() {
            let is_as_wide = match sum.rest(number) {
                0 => true,
                1.. => start.range.lower[number] == all.lower[number],
                _ => start.range.upper[number] == all.upper[number],
            };
            let bits = &start.settled[start.first[number]..][..own.weights.len()];
            for id in bits.iter().flatten().filter(|_| !is_as_wide) {
                let _ = write!(clause, " {id}");
            }
        }
        Clause {
            id: self.start.line(&clause),
            branches: needed.into_iter().map(|(half, _)| half).collect(),
        }
    }

    /// The flag of a branching and the two lines that define it. A new one is written.
    fn flag(&mut self, branch: Branch) -> (String, usize, usize) {
        let Branch { column, at, .. } = branch;
        if let Some(known) = self.flags.get(&(column, at)) {
            return known.clone();
        }
        let instance = self.start.instance;
        let own = &instance.numbers[column];
        let (lower, upper) = (instance.range.lower[column], instance.range.upper[column]);
        let (from, over) = (at - lower, upper - at + 1);
        let flag = format!("{}g{from}", own.name);
        let sum = |sign: i64| {
            let bits = own.weights.iter().enumerate();
            let bits = bits.map(|(bit, weight)| format!("{} {} ", sign * weight, own.bit(bit)));
            bits.collect::<String>()
        };
        let or_more = format!("red {}{from} ~{flag} >= {from} : {flag} -> 0", sum(1));
        let less = format!("red {}{over} {flag} >= {} : {flag} -> 1", sum(-1), 1 - from);
        let made = (flag, self.start.line(&or_more), self.start.line(&less));
        self.flags.insert((column, at), made.clone());
        made
    }

    /// A branching as a literal.
    fn literal(&mut self, branch: Branch) -> String {
        let own = &self.start.instance.numbers[branch.column];
        let flag = match own.weights.len() {
            1 => own.bit(0),
            _ => self.flag(branch).0,
        };
        literal(branch.or_more, &flag)
    }

    /// Chooses the branching of a node; `None`: all is fixed.
    fn branching(&mut self, bounds: &Bounds, solved: bool) -> Option<Branch> {
        /// The number of candidates that strong branching tries.
        const TRIED: usize = 8;
        /// Wider ranges are halved: one value after another would take no end.
        const WIDE: i64 = 1 << 10;
        let columns = self.columns.iter().enumerate();
        let mut open: Vec<Candidate> = columns
            .filter_map(|(column, number)| {
                let value = solved.then(|| self.value(column));
                let mut candidate = Candidate::new(*number, bounds, value)?;
                let (low, high) = (bounds.lower[*number], bounds.upper[*number]);
                if candidate.fraction == 0.0 && high - low > WIDE {
                    candidate.below = low + (high - low) / 2;
                }
                Some(candidate)
            })
            .collect();
        let degree = |candidate: &Candidate| match self.order {
            Order::Fraction => 0,
            Order::Strong | Order::Rows => self.degree[candidate.column],
        };
        open.sort_by(|one, other| {
            let is_split = (other.fraction > 0.0).cmp(&(one.fraction > 0.0));
            let by_degree = degree(other).cmp(&degree(one));
            let by_fraction = other.fraction.total_cmp(&one.fraction);
            let sooner = match self.order {
                Order::Rows => by_degree.then(by_fraction),
                Order::Fraction | Order::Strong => by_fraction.then(by_degree),
            };
            is_split.then(sooner).then(one.column.cmp(&other.column))
        });
        let is_strong = self.order == Order::Strong;
        open.truncate(if is_strong { TRIED } else { 1 });
        // The half without the relaxation's value is refuted sooner.
        let halves = open.iter().map(|candidate| candidate.nearer().opposite());
        let halves: Vec<Branch> = halves.collect();
        if halves.len() < 2 {
            return halves.first().copied();
        }
        let mut best: Option<(Branch, f64)> = None;
        for half in halves {
            let [one, other] = [half, half.opposite()].map(|half| {
                match self.relaxed(&half.within(bounds.clone())) {
                    Answer::None => 1e6,
                    Answer::Found(()) => self.cost(),
                    Answer::Limit => 0.0,
                }
            });
            let worth = one.min(other) * 1e3 + one.max(other);
            if best.is_none_or(|(_, known)| worth > known + 1e-9) {
                best = Some((half, worth));
            }
        }
        best.map(|(half, _)| half)
    }

    /// The cost of the relaxation.
    fn cost(&self) -> f64 {
        let columns = self.columns.iter().enumerate();
        let cost = |number: usize| self.whole.columns[number].cost as f64;
        columns.map(|(at, number)| cost(*number) * self.value(at)).sum()
    }
}

impl Tree for Search<'_> {
    type Record = Clause;
    type End = Stop;

    fn node(&mut self, bounds: Bounds, path: &[Branch]) -> Result<Node<Clause>, Stop> {
        if self.nodes == 0 || self.steps() >= self.effort {
            return Err(Stop::Limited);
        }
        self.nodes -= 1;
        self.nodes_seen += 1;
        if let Some(multipliers) = self.violated(&bounds) {
            return Ok(Node::Closed(self.leaf(&multipliers, &bounds, path)));
        }
        let relaxed = self.relaxed(&bounds);
        match relaxed {
            Answer::None => {
                if let Some(multipliers) = self.refuted(&bounds) {
                    return Ok(Node::Closed(self.leaf(&multipliers, &bounds, path)));
                }
            }
            Answer::Found(()) if self.is_better(&self.rounded(&bounds)) => {
                return Err(Stop::Wrong);
            }
            Answer::Found(()) | Answer::Limit => {}
        }
        match self.branching(&bounds, relaxed == Answer::Found(())) {
            Some(half) => Ok(Node::Split(bounds, half)),
            None if self.is_better(&bounds.lower) => Err(Stop::Wrong),
            None => Err(Stop::Open),
        }
    }

    fn needs(&self, clause: &Clause, half: Branch) -> bool {
        clause.branches.contains(&half)
    }

    fn join(&mut self, half: Branch, first: Clause, second: Clause) -> Clause {
        let pol = format!("pol {} {} + s", first.id, second.id);
        let mut branches: Vec<Branch> = Vec::new();
        for one in first.branches.into_iter().chain(second.branches) {
            if one != half && one != half.opposite() && !branches.contains(&one) {
                branches.push(one);
            }
        }
        Clause { id: self.start.line(&pol), branches }
    }
}
