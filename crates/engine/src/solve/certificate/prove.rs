//! A proof that nothing satisfies an instance, or nothing better than an answer: in the format of
//! VeriPB 3, a checker of pseudo-Boolean proofs.
//!
//! A branch and bound of its own, apart from the search that found the answer, on the constraints
//! as they stand in the instance. Each leaf is a sum of constraints with whole multipliers that no
//! values within its branch can meet; what a branch needs of the decisions above it is a clause,
//! and two clauses make the one above them.

use super::instance::Instance;
use crate::solve::program::{Demand, Program, Sum, common_divisor};
use crate::solve::proof::Proof;
use crate::solve::propagate::{Bounds, Constraint, Propagator};
use crate::solve::branching::{Branch, Candidate};
use crate::solve::simplex::{Relaxation, Relaxed, SCALE};
use rustc_hash::FxHashMap;
use std::borrow::Cow;
use std::fmt::Write;

/// What a search for a proof came to.
#[derive(Debug)]
pub(super) enum Proved {
    /// The proof.
    Proof(String),
    /// Some values satisfy the instance, and are better than the answer: the claim is wrong.
    Wrong,
    /// The work ended before there was a proof.
    Limited,
    /// The relaxation would have too many numbers.
    TooLarge,
}

/// The most numbers in the table of the relaxation.
const LARGEST_TABLE: usize = 1 << 24;

/// Proves that nothing satisfies an instance, or, with an answer, nothing that comes to less.
pub(super) fn prove(instance: &Instance, answer: Option<&[i64]>, effort: u64) -> Proved {
    let mut start = Start::new(instance, answer);
    start.settle();
    if let Some(id) = start.contradiction {
        return Proved::Proof(start.ended(id));
    }
    let mut search = Search::new(start, effort);
    match search.all() {
        Ok(clause) => Proved::Proof(search.start.ended(clause.id)),
        Err(Stop::Wrong) => Proved::Wrong,
        Err(Stop::Limited) => Proved::Limited,
        Err(Stop::TooLarge) => Proved::TooLarge,
    }
}

/// A constraint over bits, as the checker knows it.
#[derive(Debug, Clone)]
struct Bits {
    id: usize,
    /// Bits and factors.
    terms: Vec<(usize, i64)>,
    least: i64,
}

/// The instance as the checker reads it, and what follows from it without a decision.
struct Start<'i> {
    instance: &'i Instance,
    answer: Option<&'i [i64]>,
    /// The first bit of each number.
    first: Vec<usize>,
    /// The number of each bit, and the place among its bits.
    bit: Vec<(usize, usize)>,
    constraints: Vec<Bits>,
    /// The bits that are settled, and the line that says so.
    settled: Vec<Option<(bool, usize)>>,
    /// The range of each number.
    range: Bounds,
    proof: String,
    next: usize,
    /// A line that says that there is nothing.
    contradiction: Option<usize>,
}

impl<'i> Start<'i> {
    fn new(instance: &'i Instance, answer: Option<&'i [i64]>) -> Start<'i> {
        let (mut first, mut bit) = (Vec::new(), Vec::new());
        for (at, number) in instance.numbers.iter().enumerate() {
            first.push(bit.len());
            bit.extend((0..number.weights.len()).map(|place| (at, place)));
        }
        let mut start = Start {
            instance,
            answer,
            settled: vec![None; bit.len()],
            range: instance.bounds(),
            first,
            bit,
            constraints: Vec::new(),
            proof: "pseudo-Boolean proof version 3.0\n".to_owned(),
            next: 1,
            contradiction: None,
        };
        for constraint in &instance.constraints {
            start.assume(&constraint.terms, constraint.least);
        }
        let _ = writeln!(start.proof, "f {};", instance.constraints.len());
        if let Some(answer) = answer {
            let values = start.values(answer);
            let _ = writeln!(start.proof, "soli {values};");
            let terms = instance.objective.iter();
            let terms: Vec<(usize, i64)> = terms.map(|(at, by)| (*at, -by)).collect();
            start.assume(&terms, 1 - instance.value(answer));
        }
        start
    }

    /// Notes a constraint that the checker has.
    fn assume(&mut self, terms: &[(usize, i64)], least: i64) {
        let mut bits = Vec::new();
        let mut lower = 0;
        for (at, by) in terms {
            let number = &self.instance.numbers[*at];
            lower += by * number.lower;
            let weights = number.weights.iter().enumerate();
            bits.extend(weights.map(|(bit, weight)| (self.first[*at] + bit, by * weight)));
        }
        self.constraints.push(Bits {
            id: self.next,
            terms: bits,
            least: least - lower,
        });
        self.next += 1;
    }

    /// Some values of the numbers, as the bits that say so.
    fn values(&self, values: &[i64]) -> String {
        let mut text = String::new();
        for (number, value) in self.instance.numbers.iter().zip(values) {
            for (at, is_on) in number.bits(*value).into_iter().enumerate() {
                let sign = if is_on { "" } else { "~" };
                let _ = write!(text, "{sign}{} ", number.bit(at));
            }
        }
        text.trim_end().to_owned()
    }

    fn name(&self, bit: usize) -> String {
        let (number, place) = self.bit[bit];
        self.instance.numbers[number].bit(place)
    }

    /// Writes a line of the proof, and gives its number.
    fn line(&mut self, line: &str) -> usize {
        self.proof.push_str(line);
        self.proof.push_str(" ;\n");
        self.next += 1;
        self.next - 1
    }

    /// Divides constraints by what their factors share, and settles the bits that must be what
    /// they are.
    fn settle(&mut self) {
        for at in 0..self.constraints.len() {
            let Bits { id, terms, least } = self.constraints[at].clone();
            let step = common_divisor(&terms);
            if step > 1 && least.rem_euclid(step) != 0 {
                // The checker divides the sum over literals with positive factors, and rounds up.
                let id = self.line(&format!("pol {id} {step} d"));
                let terms = terms.iter().map(|(bit, by)| (*bit, by / step)).collect();
                let least = least.div_euclid(step) + 1;
                self.constraints[at] = Bits { id, terms, least };
            }
        }
        let mut bits = Bounds {
            lower: vec![0; self.bit.len()],
            upper: vec![1; self.bit.len()],
        };
        let mut found = Vec::new();
        let possible = self.follow(&mut bits, 0..self.constraints.len(), &mut found);
        if !possible {
            self.contradiction = Some(self.line("rup >= 1"));
            return;
        }
        for bit in found {
            let is_on = bits.lower[bit] == 1;
            let sign = if is_on { "" } else { "~" };
            let line = format!("rup 1 {sign}{} >= 1", self.name(bit));
            let id = self.line(&line);
            self.settled[bit] = Some((is_on, id));
        }
        for (at, number) in self.instance.numbers.iter().enumerate() {
            let bits = &self.settled[self.first[at]..][..number.weights.len()];
            let bits = bits.iter().zip(&number.weights);
            let on = bits
                .clone()
                .filter(|(bit, _)| bit.is_some_and(|(is_on, _)| is_on));
            let low = number.lower + on.map(|(_, weight)| weight).sum::<i64>();
            let open = bits.filter(|(bit, _)| bit.is_none());
            let high = low + open.map(|(_, weight)| weight).sum::<i64>();
            (self.range.lower[at], self.range.upper[at]) = (low, high);
        }
    }

    /// Propagates bits through constraints one by one, as the checker does, and adds those that
    /// became fixed; whether it is possible.
    fn follow(
        &self,
        bits: &mut Bounds,
        first: impl Iterator<Item = usize>,
        found: &mut Vec<usize>,
    ) -> bool {
        let constraint = |at: usize| {
            let Bits { terms, least, .. } = &self.constraints[at];
            Sum {
                terms,
                low: Some(*least),
                high: None,
            }
        };
        let of = |at: usize| Constraint::Sum(constraint(at));
        let propagator = Propagator::new(self.bit.len(), self.constraints.len(), of);
        propagator.run(first, usize::MAX, bits, |at, bits, moved| {
            let Sum { terms, .. } = constraint(at);
            let slack = bits.extent(terms).1 - i128::from(self.constraints[at].least);
            for (bit, by) in terms {
                if i128::from(by.abs()) > slack && !bits.is_fixed(*bit) {
                    let value = i64::from(*by > 0);
                    (bits.lower[*bit], bits.upper[*bit]) = (value, value);
                    moved.push(*bit);
                }
            }
            found.extend_from_slice(moved);
            slack >= 0
        })
    }

    /// Whether a bit cannot be on, as far as constraints say one by one.
    fn refutes(&self, bit: usize) -> bool {
        let value = |if_open: i64| {
            let settled = self.settled.iter();
            let each = settled.map(|settled| settled.map_or(if_open, |(on, _)| i64::from(on)));
            each.collect()
        };
        let mut bits = Bounds {
            lower: value(0),
            upper: value(1),
        };
        bits.lower[bit] = 1;
        let has_bit = |at: &usize| {
            self.constraints[*at]
                .terms
                .iter()
                .any(|(own, _)| *own == bit)
        };
        let first = (0..self.constraints.len()).filter(has_bit);
        !self.follow(&mut bits, first, &mut Vec::new())
    }

    /// The constraints over numbers that the ranges do not imply, two opposite ones as one demand,
    /// and the lines of the two ends.
    fn demands(&self) -> (Vec<Demand>, Vec<Ends>) {
        let (mut demands, mut lines): (Vec<Demand>, Vec<Ends>) = (Vec::new(), Vec::new());
        for constraint in &self.constraints {
            let mut terms: Vec<(usize, i64)> = Vec::new();
            let mut least = constraint.least;
            for (bit, by) in &constraint.terms {
                let (number, place) = self.bit[*bit];
                if place == 0 {
                    // The first bit is worth 1.
                    terms.push((number, *by));
                    least += by * self.instance.numbers[number].lower;
                }
            }
            if self.range.extent(&terms).0 >= i128::from(least) {
                continue;
            }
            let last = demands.last_mut().zip(lines.last_mut());
            let opposite = last.filter(|(demand, _)| {
                let mut pairs = demand.terms.iter().zip(&terms);
                demand.high.is_none()
                    && demand.terms.len() == terms.len()
                    && pairs.all(|(one, other)| one.0 == other.0 && one.1 == -other.1)
            });
            if let Some((demand, ends)) = opposite {
                demand.high = Some(-least);
                ends.1 = Some(constraint.id);
            } else {
                demands.push(Demand {
                    terms,
                    low: Some(least),
                    high: None,
                });
                lines.push((constraint.id, None));
            }
        }
        (demands, lines)
    }

    /// The whole proof, whose last line says that there is nothing.
    fn ended(&self, id: usize) -> String {
        let conclusion = match self.answer {
            None => format!("UNSAT : {id}"),
            Some(answer) => {
                let value = self.instance.value(answer) - self.instance.offset();
                format!("BOUNDS {value} : {id} {value} : {}", self.values(answer))
            }
        };
        let lines = &self.proof;
        format!("{lines}output NONE;\nconclusion {conclusion};\nend pseudo-Boolean proof;\n")
    }
}

/// The lines of the proof with the lower end of a demand and with the upper one.
type Ends = (usize, Option<usize>);

/// A number is at least so much, or less.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Decision {
    number: usize,
    at: i64,
    or_more: bool,
}

impl Decision {
    fn opposite(self) -> Decision {
        Decision {
            or_more: !self.or_more,
            ..self
        }
    }
}

/// Decisions that cannot all be, and the line that says so.
#[derive(Debug, Clone)]
struct Clause {
    id: usize,
    decisions: Vec<Decision>,
}

/// Which number a branch parts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Order {
    /// Of a few, the one whose halves the relaxation refutes or bounds most.
    Strong,
    /// The one that stands in the most constraints.
    Rows,
    /// The one that is least whole.
    Fraction,
}

enum Stop {
    Wrong,
    Limited,
    TooLarge,
}

/// A search for a proof.
struct Search<'i> {
    start: Start<'i>,
    lines: Vec<Ends>,
    /// The demands over all numbers, in the order of `lines`.
    whole: Program,
    /// The same over the open numbers, which are `columns`.
    program: Program,
    columns: Vec<usize>,
    /// Made when it is first needed.
    relaxation: Option<Relaxation<'static>>,
    order: Order,
    nodes: usize,
    effort: u64,
    /// The number of constraints of each number.
    degree: Vec<usize>,
    /// The decisions of the branch.
    path: Vec<Decision>,
    range: Bounds,
    /// For each decision about a number of several bits, its flag's name and the two lines that
    /// say what it means.
    flags: FxHashMap<(usize, i64), (String, usize, usize)>,
}

impl<'i> Search<'i> {
    fn new(start: Start<'i>, effort: u64) -> Search<'i> {
        let (demands, lines) = start.demands();
        let range = start.range.clone();
        let mut whole = Program {
            columns: start.instance.columns(),
            demands,
            fixed_cost: 0,
        };
        for (number, by) in &start.instance.objective {
            // A program has no negative costs.
            if *by > 0 && range.lower[*number] >= 0 {
                whole.columns[*number].cost += by;
            }
        }
        let (program, columns) = whole.open(&range);
        let mut degree = vec![0; range.lower.len()];
        for (number, _) in whole.demands.iter().flat_map(|demand| &demand.terms) {
            degree[*number] += 1;
        }
        Search {
            range,
            start,
            lines,
            whole,
            program,
            columns,
            relaxation: None,
            order: Order::Strong,
            nodes: 0,
            effort,
            degree,
            path: Vec::new(),
            flags: FxHashMap::default(),
        }
    }

    fn steps(&self) -> u64 {
        self.relaxation
            .as_ref()
            .map_or(0, |relaxation| relaxation.steps(0))
    }

    /// The range of a number in the branch.
    fn ends(&self, number: usize) -> (i64, i64) {
        (self.range.lower[number], self.range.upper[number])
    }

    /// Takes a decision; its number's range before.
    fn decide(&mut self, decision: Decision) -> (i64, i64) {
        let (lower, upper) = (
            &mut self.range.lower[decision.number],
            &mut self.range.upper[decision.number],
        );
        let before = (*lower, *upper);
        match decision.or_more {
            true => *lower = decision.at.max(*lower),
            false => *upper = (decision.at - 1).min(*upper),
        }
        self.path.push(decision);
        before
    }

    fn take_back(&mut self, before: (i64, i64)) {
        if let Some(decision) = self.path.pop() {
            let Decision { number, .. } = decision;
            (self.range.lower[number], self.range.upper[number]) = before;
        }
    }

    /// Shows that there is nothing: case by case, where one of some must hold.
    fn all(&mut self) -> Result<Clause, Stop> {
        let cases = &self.start.instance.cases;
        let range = &self.start.range;
        // One that must hold holds from the start.
        if cases.is_empty() || cases.iter().any(|case| range.lower[*case] == 1) {
            return self.shown();
        }
        let open = cases.iter().filter(|case| !range.is_fixed(**case));
        for case in &open.copied().collect::<Vec<usize>>() {
            let holds = Decision {
                number: *case,
                at: 1,
                or_more: true,
            };
            if self.start.refutes(self.start.first[*case]) {
                let literal = self.literal(holds.opposite());
                self.start.line(&format!("rup 1 {literal} >= 1"));
                continue;
            }
            let before = self.decide(holds);
            let shown = self.shown();
            self.take_back(before);
            let clause = shown?;
            if clause.decisions.is_empty() {
                return Ok(clause);
            }
        }
        let id = self.start.line("rup >= 1");
        let decisions = Vec::new();
        Ok(Clause { id, decisions })
    }

    /// Shows that what is open now holds nothing. No order of branching is best, some proofs being
    /// short by one and endless by another: each is tried for a while, then for longer.
    fn shown(&mut self) -> Result<Clause, Stop> {
        let orders = [Order::Strong, Order::Rows, Order::Fraction];
        /// Whoever has seen as many gives up for another reason.
        const MOST: usize = 1 << 30;
        let mut nodes = 60;
        while nodes < MOST {
            for order in orders {
                let (end, next) = (self.start.proof.len(), self.start.next);
                let flags = self.flags.clone();
                (self.order, self.nodes) = (order, nodes);
                match self.node(0) {
                    Err(Stop::Limited) if self.steps() >= self.effort => return Err(Stop::Limited),
                    Err(Stop::Limited) => {
                        self.start.proof.truncate(end);
                        (self.start.next, self.flags) = (next, flags);
                    }
                    shown => return shown,
                }
            }
            nodes *= 6;
        }
        Err(Stop::Limited)
    }

    /// Shows that a branch holds nothing.
    fn node(&mut self, depth: usize) -> Result<Clause, Stop> {
        /// Deeper branches are another order's.
        const DEEPEST: usize = 400;
        if self.nodes == 0 || depth > DEEPEST || self.steps() >= self.effort {
            return Err(Stop::Limited);
        }
        self.nodes -= 1;
        if let Some(multipliers) = self.broken() {
            return Ok(self.leaf(&multipliers));
        }
        if self.columns.len().saturating_mul(self.lines.len()) > LARGEST_TABLE {
            return Err(Stop::TooLarge);
        }
        let relaxed = self.relaxed();
        if relaxed == Relaxed::Nothing
            && let Some(multipliers) = self.refuted()
        {
            return Ok(self.leaf(&multipliers));
        }
        if relaxed == Relaxed::Solved {
            let values = self.rounded();
            if self.is_better(&values) {
                return Err(Stop::Wrong);
            }
        }
        let Some(decision) = self.branch(relaxed == Relaxed::Solved) else {
            // All is settled and no constraint is broken.
            return Err(match self.is_better(&self.range.lower) {
                true => Stop::Wrong,
                false => Stop::Limited,
            });
        };
        let below = self.half(decision, depth)?;
        if !below.decisions.contains(&decision) {
            return Ok(below);
        }
        let above = self.half(decision.opposite(), depth)?;
        if !above.decisions.contains(&decision.opposite()) {
            return Ok(above);
        }
        let id = self
            .start
            .line(&format!("pol {} {} + s", below.id, above.id));
        let mut decisions = below.decisions;
        decisions.extend(above.decisions);
        decisions.retain(|one| *one != decision && *one != decision.opposite());
        let mut seen: Vec<Decision> = Vec::new();
        decisions.retain(|one| {
            let is_new = !seen.contains(one);
            seen.extend(is_new.then_some(*one));
            is_new
        });
        Ok(Clause { id, decisions })
    }

    fn half(&mut self, decision: Decision, depth: usize) -> Result<Clause, Stop> {
        let before = self.decide(decision);
        let shown = self.node(depth + 1);
        self.take_back(before);
        shown
    }

    /// Whether some values satisfy the instance, and are better than the answer.
    fn is_better(&self, values: &[i64]) -> bool {
        let instance = self.start.instance;
        let answer = self.start.answer.map(|answer| instance.value(answer));
        answer.is_none_or(|answer| instance.value(values) < answer) && instance.holds(values)
    }

    fn relaxed(&mut self) -> Relaxed {
        let of = |ends: &[i64]| self.columns.iter().map(|at| ends[*at]).collect();
        let bounds = Bounds {
            lower: of(&self.range.lower),
            upper: of(&self.range.upper),
        };
        let program = &self.program;
        let made = || Relaxation::new(Cow::Owned(program.clone()));
        self.relaxation.get_or_insert_with(made).solve(&bounds)
    }

    /// The value of a column in the relaxation.
    fn value(&self, column: usize) -> f64 {
        self.relaxation
            .as_ref()
            .map_or(0.0, |relaxation| relaxation.value(column))
    }

    fn rounded(&self) -> Vec<i64> {
        let mut values = self.range.lower.clone();
        for (column, number) in self.columns.iter().enumerate() {
            let (low, high) = self.ends(*number);
            values[*number] = (self.value(column).round() as i64).clamp(low, high);
        }
        values
    }

    /// A constraint that no values of the branch meet, as multipliers.
    fn broken(&self) -> Option<Vec<i64>> {
        let mut demands = self.whole.demands.iter().enumerate();
        let (at, by) = demands.find_map(|(at, demand)| {
            let (least, most) = self.range.extent(&demand.terms);
            let is_low = demand.low.is_some_and(|low| most < i128::from(low));
            let is_high = demand.high.is_some_and(|high| least > i128::from(high));
            (is_low || is_high).then_some((at, if is_low { 1 } else { -1 }))
        })?;
        let mut multipliers = vec![0; self.lines.len()];
        multipliers[at] = by;
        Some(multipliers)
    }

    /// Small whole multipliers of constraints whose sum no values of the branch meet.
    fn refuted(&self) -> Option<Vec<i64>> {
        /// The multipliers become whole by one of these, mostly a small one.
        const PARTS: [i64; 18] = [
            1,
            2,
            3,
            4,
            5,
            6,
            8,
            10,
            12,
            20,
            24,
            30,
            60,
            120,
            360,
            1 << 10,
            1 << 16,
            SCALE,
        ];
        let ray = self.relaxation.as_ref()?.blamed();
        PARTS.iter().find_map(|parts| {
            let part = |by: &i64| {
                let by = i128::from(*by) * i128::from(*parts) + i128::from(SCALE / 2);
                by.div_euclid(i128::from(SCALE)) as i64
            };
            let multipliers: Vec<i64> = ray.iter().map(part).collect();
            let proof = Proof::new(&self.whole, &multipliers, 0);
            proof.refutes(&self.range).then_some(multipliers)
        })
    }

    /// Writes a leaf: the sum, what it needs of the decisions above, and the clause of these.
    fn leaf(&mut self, multipliers: &[i64]) -> Clause {
        let sum = Proof::new(&self.whole, multipliers, 0);
        let mut slack = sum.least(&self.range).map_or(0, |least| least - 1);
        let mut needed: Vec<(Decision, i128)> = Vec::new();
        // From the last decision up: what the slack allows is not needed, so that clauses are
        // short and whole branches are left out.
        let mut weakened = self.range.clone();
        for at in (0..self.path.len()).rev() {
            let decision = self.path[at];
            let number = decision.number;
            let rest = sum.rest(number);
            // The sum is least where a column with a positive rest has its lower bound.
            if rest == 0 || decision.or_more == (rest < 0) {
                continue;
            }
            // The bound as it was before this decision.
            let before = self.path[..at].iter();
            let before =
                before.filter(|one| one.number == number && one.or_more == decision.or_more);
            let range = &self.start.range;
            let (mut low, mut high) = (range.lower[number], range.upper[number]);
            for one in before {
                match one.or_more {
                    true => low = low.max(one.at),
                    false => high = high.min(one.at - 1),
                }
            }
            let (now, then) = match decision.or_more {
                true => (weakened.lower[number], low),
                false => (weakened.upper[number], high),
            };
            if now == then {
                continue;
            }
            let loss = rest.abs() * i128::from((now - then).abs());
            if loss <= slack {
                slack -= loss;
                match decision.or_more {
                    true => weakened.lower[number] = then,
                    false => weakened.upper[number] = then,
                }
            } else if !needed.iter().any(|(one, _)| one.number == number) {
                needed.push((decision, rest.abs()));
            }
        }
        let mut pol = String::from("pol");
        let mut is_first = true;
        let mut add = |pol: &mut String, id: usize, by: i128| {
            let _ = write!(pol, " {id}");
            if by != 1 {
                let _ = write!(pol, " {by} *");
            }
            if !std::mem::take(&mut is_first) {
                pol.push_str(" +");
            }
        };
        for ((low, high), by) in self.lines.iter().zip(multipliers) {
            match (by, high) {
                (0, _) | (..0, None) => {}
                (1.., _) => add(&mut pol, *low, i128::from(*by)),
                (_, Some(high)) => add(&mut pol, *high, i128::from(by.abs())),
            }
        }
        let mut clause = String::from("rup");
        for (decision, by) in &needed {
            if self.start.instance.numbers[decision.number].weights.len() > 1 {
                let (_, or_more, less) = self.flag(*decision);
                add(&mut pol, if decision.or_more { or_more } else { less }, *by);
            }
            let literal = self.literal(decision.opposite());
            let _ = write!(clause, " 1 {literal}");
        }
        let id = self.start.line(&pol);
        let _ = write!(clause, " >= 1 : ~ {id}");
        let start = &self.start;
        for (number, own) in start.instance.numbers.iter().enumerate() {
            let (low, high) = (start.range.lower[number], start.range.upper[number]);
            let is_as_wide = match sum.rest(number) {
                0 => true,
                1.. => low == own.lower,
                _ => high == own.upper,
            };
            if is_as_wide {
                continue;
            }
            let bits = start.first[number]..start.first[number] + own.weights.len();
            for (_, id) in bits.filter_map(|bit| start.settled[bit]) {
                let _ = write!(clause, " {id}");
            }
        }
        Clause {
            id: self.start.line(&clause),
            decisions: needed.into_iter().map(|(decision, _)| decision).collect(),
        }
    }

    /// The flag of a decision and the two lines that say what it means; it is made where there is
    /// none yet.
    fn flag(&mut self, decision: Decision) -> (String, usize, usize) {
        let Decision { number, at, .. } = decision;
        if let Some(known) = self.flags.get(&(number, at)) {
            return known.clone();
        }
        let own = &self.start.instance.numbers[number];
        let flag = format!("{}g{}", own.name, at - own.lower);
        let (from, range) = (at - own.lower, own.upper - own.lower);
        let sum = |sign: i64| {
            let bits = own.weights.iter().enumerate();
            let bits = bits.map(|(bit, weight)| format!("{} {} ", sign * weight, own.bit(bit)));
            bits.collect::<String>()
        };
        let or_more = format!("red {}{from} ~{flag} >= {from} : {flag} -> 0", sum(1));
        let over = range - from + 1;
        let less = format!("red {}{over} {flag} >= {} : {flag} -> 1", sum(-1), 1 - from);
        let (or_more, less) = (self.start.line(&or_more), self.start.line(&less));
        let made = (flag, or_more, less);
        self.flags.insert((number, at), made.clone());
        made
    }

    /// A decision as a literal.
    fn literal(&mut self, decision: Decision) -> String {
        let own = &self.start.instance.numbers[decision.number];
        let flag = match own.weights.len() {
            1 => own.bit(0),
            _ => self.flag(decision).0,
        };
        let sign = if decision.or_more { "" } else { "~" };
        format!("{sign}{flag}")
    }

    /// How a branch is parted; `None`: all of it is settled.
    fn branch(&mut self, solved: bool) -> Option<Decision> {
        /// The number of candidates that strong branching tries.
        const TRIED: usize = 8;
        let columns = self.columns.iter().enumerate();
        let mut open: Vec<Candidate> = columns
            .filter_map(|(column, number)| {
                let value = solved.then(|| self.value(column));
                Candidate::new(*number, &self.range, value)
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
        // The half without the relaxation's value is refuted sooner.
        let decision = |candidate: &Candidate| Decision {
            number: candidate.column,
            at: candidate.below + 1,
            or_more: !candidate.nearer().or_more,
        };
        let tried = if self.order == Order::Strong {
            TRIED
        } else {
            1
        };
        let open: Vec<Decision> = open.iter().take(tried).map(decision).collect();
        if open.len() < 2 {
            return open.first().copied();
        }
        let mut best: Option<(Decision, f64)> = None;
        for decision in open {
            let mut worth = [0.0, 0.0];
            for (own, half) in worth.iter_mut().zip([decision, decision.opposite()]) {
                let before = self.decide(half);
                *own = match self.relaxed() {
                    Relaxed::Nothing => 1e6,
                    Relaxed::Solved => self.cost(),
                    Relaxed::GaveUp => 0.0,
                };
                self.take_back(before);
            }
            let worth = worth[0].min(worth[1]) * 1e3 + worth[0].max(worth[1]);
            if best.is_none_or(|(_, known)| worth > known + 1e-9) {
                best = Some((decision, worth));
            }
        }
        best.map(|(decision, _)| decision)
    }

    /// What the relaxation costs.
    fn cost(&self) -> f64 {
        let columns = self.program.columns.iter().enumerate();
        let each = columns.map(|(at, column)| column.cost as f64 * self.value(at));
        each.sum()
    }
}
