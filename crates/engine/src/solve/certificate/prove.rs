//! A proof that nothing satisfies an instance, or nothing better than an answer: in the format of
//! VeriPB 3, a checker of pseudo-Boolean proofs.
//!
//! A branch and bound of its own, apart from the search that found the answer, on the constraints
//! as they stand in the instance. Each leaf is a sum of constraints with whole multipliers that no
//! values within its branch can meet; what a branch needs of the decisions above it is a clause,
//! and two clauses make the one above them.

use super::instance::Instance;
use crate::solve::program::{Column, Demand, Program};
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
    let lines = start.lines();
    let mut search = Search::new(&start, &lines, effort);
    match search.all() {
        Ok(clause) => Proved::Proof(search.ended(clause.id)),
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
    /// The constraints of each bit.
    of_bit: Vec<Vec<usize>>,
    /// The bits that are settled, and the line that says so.
    settled: Vec<Option<(bool, usize)>>,
    /// Whether a number is open.
    free: Vec<bool>,
    /// The least and the most of each number.
    range: Vec<(i64, i64)>,
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
        let range = instance.numbers.iter();
        let mut start = Start {
            instance,
            answer,
            settled: vec![None; bit.len()],
            free: vec![true; first.len()],
            range: range.map(|number| (number.lower, number.upper)).collect(),
            of_bit: vec![Vec::new(); bit.len()],
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
            let step = terms.iter().fold(0, |step, (_, by)| shared(step, *by));
            if step > 1 && least.rem_euclid(step) != 0 {
                // The checker divides the sum over literals with positive factors, and rounds up.
                let id = self.line(&format!("pol {id} {step} d"));
                let terms = terms.iter().map(|(bit, by)| (*bit, by / step)).collect();
                let least = least.div_euclid(step) + 1;
                self.constraints[at] = Bits { id, terms, least };
            }
        }
        for (at, constraint) in self.constraints.iter().enumerate() {
            for (bit, _) in &constraint.terms {
                self.of_bit[*bit].push(at);
            }
        }
        let mut bits = vec![None; self.bit.len()];
        let mut found = Vec::new();
        let all = (0..self.constraints.len()).rev().collect();
        let possible = self.follow(&mut bits, all, &mut |bit, is_on| found.push((bit, is_on)));
        if !possible {
            self.contradiction = Some(self.line("rup >= 1"));
            return;
        }
        for (bit, is_on) in found {
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
            self.range[at] = (low, high);
            self.free[at] = low < high;
        }
    }

    /// Follows what some constraints make of bits, constraint by constraint, as the checker does;
    /// whether it is possible.
    fn follow(
        &self,
        bits: &mut [Option<bool>],
        mut waiting: Vec<usize>,
        found: &mut dyn FnMut(usize, bool),
    ) -> bool {
        while let Some(at) = waiting.pop() {
            let constraint = &self.constraints[at];
            let most = |(bit, by): &(usize, i64)| match bits[*bit] {
                Some(is_on) => by * i64::from(is_on),
                None => (*by).max(0),
            };
            let slack = constraint.terms.iter().map(most).sum::<i64>() - constraint.least;
            if slack < 0 {
                return false;
            }
            for (bit, by) in &constraint.terms {
                if by.abs() > slack && bits[*bit].is_none() {
                    bits[*bit] = Some(*by > 0);
                    found(*bit, *by > 0);
                    let others = self.of_bit[*bit].iter();
                    waiting.extend(others.filter(|other| **other != at));
                }
            }
        }
        true
    }

    /// Whether a bit cannot be on, as far as constraints say one by one.
    fn refutes(&self, bit: usize) -> bool {
        let mut bits: Vec<Option<bool>> = self
            .settled
            .iter()
            .map(|settled| settled.map(|(is_on, _)| is_on))
            .collect();
        bits[bit] = Some(true);
        !self.follow(&mut bits, self.of_bit[bit].clone(), &mut |_, _| ())
    }

    /// The constraints over numbers that say something of open ones.
    fn lines(&self) -> Vec<Line> {
        let mut lines: Vec<Line> = Vec::new();
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
            let ends = terms.iter().map(|(at, by)| {
                let (low, high) = self.range[*at];
                by * if *by > 0 { low } else { high }
            });
            let says_something = ends.sum::<i64>() < least;
            if !says_something {
                continue;
            }
            let is_other_end = |line: &Line| {
                let mut pairs = line.terms.iter().zip(&terms);
                line.other.is_none()
                    && line.terms.len() == terms.len()
                    && pairs.all(|(one, other)| one.0 == other.0 && one.1 == -other.1)
            };
            match lines.last_mut().filter(|line| is_other_end(line)) {
                Some(line) => line.other = Some((constraint.id, -least)),
                None => lines.push(Line {
                    id: constraint.id,
                    terms,
                    least,
                    other: None,
                }),
            }
        }
        lines
    }

    /// The whole proof, whose last line says that there is nothing.
    fn ended(&self, id: usize) -> String {
        ended(self, &self.proof, id)
    }
}

fn ended(start: &Start<'_>, lines: &str, id: usize) -> String {
    let conclusion = match start.answer {
        None => format!("UNSAT : {id}"),
        Some(answer) => {
            let value = start.instance.value(answer) - start.instance.offset();
            format!("BOUNDS {value} : {id} {value} : {}", start.values(answer))
        }
    };
    format!("{lines}output NONE;\nconclusion {conclusion};\nend pseudo-Boolean proof;\n")
}

fn shared(one: i64, other: i64) -> i64 {
    let (mut one, mut other) = (one.abs(), other.abs());
    while other != 0 {
        (one, other) = (other, one % other);
    }
    one
}

/// A constraint over numbers: at least `least`; and, where `other` is given, at most its number,
/// by the line of that.
#[derive(Debug)]
struct Line {
    id: usize,
    terms: Vec<(usize, i64)>,
    least: i64,
    other: Option<(usize, i64)>,
}

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
struct Search<'s, 'i> {
    start: &'s Start<'i>,
    lines: &'s [Line],
    /// The numbers that are columns.
    columns: Vec<usize>,
    program: Program,
    /// Made when it is first asked.
    relaxation: Option<Relaxation<'static>>,
    order: Order,
    nodes: usize,
    effort: u64,
    /// In how many constraints each number stands.
    stands: Vec<usize>,
    /// The decisions of the branch.
    path: Vec<Decision>,
    range: Vec<(i64, i64)>,
    /// For each decision about a number of several bits, its flag's name and the two lines that
    /// say what it means.
    flags: FxHashMap<(usize, i64), (String, usize, usize)>,
    proof: String,
    next: usize,
}

impl<'s, 'i> Search<'s, 'i> {
    fn new(start: &'s Start<'i>, lines: &'s [Line], effort: u64) -> Search<'s, 'i> {
        let numbers = 0..start.free.len();
        let columns: Vec<usize> = numbers.filter(|at| start.free[*at]).collect();
        let mut place = vec![None; start.free.len()];
        for (column, number) in columns.iter().enumerate() {
            place[*number] = Some(column);
        }
        let mut stands = vec![0; start.free.len()];
        for (number, _) in lines.iter().flat_map(|line| &line.terms) {
            stands[*number] += 1;
        }
        let cost = |number: usize| {
            let own = start.instance.objective.iter();
            let own = own.filter(|(at, _)| *at == number).map(|(_, by)| by);
            own.sum::<i64>().max(0)
        };
        let program = Program {
            columns: columns
                .iter()
                .map(|number| Column {
                    lower: start.range[*number].0,
                    upper: start.range[*number].1,
                    cost: match start.range[*number].0 >= 0 {
                        true => cost(*number),
                        false => 0,
                    },
                    first: false,
                })
                .collect(),
            demands: lines
                .iter()
                .map(|line| {
                    let (mut terms, mut settled) = (Vec::new(), 0);
                    for (number, by) in &line.terms {
                        match place[*number] {
                            Some(column) => terms.push((column, *by)),
                            None => settled += by * start.range[*number].0,
                        }
                    }
                    Demand {
                        terms,
                        low: Some(line.least - settled),
                        high: line.other.map(|(_, most)| most - settled),
                    }
                })
                .collect(),
            fixed_cost: 0,
        };
        Search {
            start,
            lines,
            columns,
            program,
            relaxation: None,
            order: Order::Strong,
            nodes: 0,
            effort,
            stands,
            path: Vec::new(),
            range: start.range.clone(),
            flags: FxHashMap::default(),
            proof: start.proof.clone(),
            next: start.next,
        }
    }

    fn steps(&self) -> u64 {
        self.relaxation
            .as_ref()
            .map_or(0, |relaxation| relaxation.steps(0))
    }

    fn ended(&self, id: usize) -> String {
        ended(self.start, &self.proof, id)
    }

    fn line(&mut self, line: &str) -> usize {
        self.proof.push_str(line);
        self.proof.push_str(" ;\n");
        self.next += 1;
        self.next - 1
    }

    /// Takes a decision; its number's range before.
    fn decide(&mut self, decision: Decision) -> (i64, i64) {
        let before = self.range[decision.number];
        let range = &mut self.range[decision.number];
        match decision.or_more {
            true => range.0 = range.0.max(decision.at),
            false => range.1 = range.1.min(decision.at - 1),
        }
        self.path.push(decision);
        before
    }

    fn take_back(&mut self, before: (i64, i64)) {
        if let Some(decision) = self.path.pop() {
            self.range[decision.number] = before;
        }
    }

    /// Shows that there is nothing: case by case, where one of some must hold.
    fn all(&mut self) -> Result<Clause, Stop> {
        let start = self.start;
        let mut cases = start.instance.cases.iter();
        // One that must hold holds from the start.
        if start.instance.cases.is_empty() || cases.any(|case| start.range[*case].0 == 1) {
            return self.shown();
        }
        for case in start
            .instance
            .cases
            .iter()
            .filter(|case| start.free[**case])
        {
            let holds = Decision {
                number: *case,
                at: 1,
                or_more: true,
            };
            if start.refutes(start.first[*case]) {
                let literal = self.literal(holds.opposite());
                self.line(&format!("rup 1 {literal} >= 1"));
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
        let id = self.line("rup >= 1");
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
                let (end, next, flags) = (self.proof.len(), self.next, self.flags.clone());
                (self.order, self.nodes) = (order, nodes);
                match self.node(0) {
                    Err(Stop::Limited) if self.steps() >= self.effort => return Err(Stop::Limited),
                    Err(Stop::Limited) => {
                        self.proof.truncate(end);
                        (self.next, self.flags) = (next, flags);
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
            let values: Vec<i64> = self.range.iter().map(|(low, _)| *low).collect();
            return Err(match self.is_better(&values) {
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
        let id = self.line(&format!("pol {} {} + s", below.id, above.id));
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
        let range = |number: &usize| self.range[*number];
        let lower: Vec<i64> = self.columns.iter().map(|at| range(at).0).collect();
        let upper: Vec<i64> = self.columns.iter().map(|at| range(at).1).collect();
        let program = &self.program;
        let made = || Relaxation::new(Cow::Owned(program.clone()));
        self.relaxation
            .get_or_insert_with(made)
            .solve(&lower, &upper)
    }

    /// The value of a column in the relaxation.
    fn value(&self, column: usize) -> f64 {
        self.relaxation
            .as_ref()
            .map_or(0.0, |relaxation| relaxation.value(column))
    }

    fn rounded(&self) -> Vec<i64> {
        let mut values: Vec<i64> = self.range.iter().map(|(low, _)| *low).collect();
        for (column, number) in self.columns.iter().enumerate() {
            let (low, high) = self.range[*number];
            values[*number] = (self.value(column).round() as i64).clamp(low, high);
        }
        values
    }

    /// A constraint that no values of the branch meet, as multipliers.
    fn broken(&self) -> Option<Vec<i64>> {
        let most = |line: &Line, sign: i64| -> i64 {
            let ends = line.terms.iter().map(|(at, by)| {
                let ((low, high), by) = (self.range[*at], by * sign);
                by * if by > 0 { high } else { low }
            });
            ends.sum()
        };
        for (at, line) in self.lines.iter().enumerate() {
            let low = (most(line, 1) < line.least).then_some(1);
            let high = line.other.filter(|(_, high)| most(line, -1) < -high);
            if let Some(by) = low.or(high.map(|_| -1)) {
                let mut multipliers = vec![0; self.lines.len()];
                multipliers[at] = by;
                return Some(multipliers);
            }
        }
        None
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
            (self.sum(&multipliers)?.slack > 0).then_some(multipliers)
        })
    }

    /// The sum of constraints with these multipliers.
    fn sum(&self, multipliers: &[i64]) -> Option<Sum> {
        let mut factors: FxHashMap<usize, i128> = FxHashMap::default();
        let mut slack = 0_i128;
        for (line, by) in self.lines.iter().zip(multipliers) {
            let (sign, least) = match (by, line.other) {
                (0, _) => continue,
                (1.., _) => (1, line.least),
                (_, Some((_, most))) => (-1, -most),
                // Rounding gave a tiny multiplier to an open side.
                (_, None) => continue,
            };
            let by = i128::from(by.abs());
            slack += by * i128::from(least);
            for (number, factor) in &line.terms {
                *factors.entry(*number).or_default() += by * i128::from(sign * factor);
            }
        }
        let mut factors: Vec<(usize, i128)> = factors.into_iter().collect();
        factors.retain(|(_, by)| *by != 0);
        factors.sort_unstable();
        for (number, by) in &factors {
            let (low, high) = self.range[*number];
            slack -= by * i128::from(if *by > 0 { high } else { low });
        }
        Some(Sum { factors, slack })
    }

    /// Writes a leaf: the sum, what it needs of the decisions above, and the clause of these.
    fn leaf(&mut self, multipliers: &[i64]) -> Clause {
        let sum = self.sum(multipliers).unwrap_or(Sum {
            factors: Vec::new(),
            slack: 0,
        });
        let mut slack = sum.slack - 1;
        let mut needed: Vec<(Decision, i128)> = Vec::new();
        // From the last decision up: what the slack allows is not needed, so that clauses are
        // short and whole branches are left out.
        let mut weakened = self.range.clone();
        for at in (0..self.path.len()).rev() {
            let decision = self.path[at];
            let number = decision.number;
            let Ok(own) = sum.factors.binary_search_by_key(&number, |(at, _)| *at) else {
                continue;
            };
            let by = sum.factors[own].1;
            if decision.or_more == (by > 0) {
                continue;
            }
            // The bound as it was before this decision.
            let before = self.path[..at].iter();
            let before =
                before.filter(|one| one.number == number && one.or_more == decision.or_more);
            let (mut low, mut high) = self.start.range[number];
            for one in before {
                match one.or_more {
                    true => low = low.max(one.at),
                    false => high = high.min(one.at - 1),
                }
            }
            let (now, then) = match decision.or_more {
                true => (weakened[number].0, low),
                false => (weakened[number].1, high),
            };
            if now == then {
                continue;
            }
            let loss = by.abs() * i128::from((now - then).abs());
            if loss <= slack {
                slack -= loss;
                match decision.or_more {
                    true => weakened[number].0 = then,
                    false => weakened[number].1 = then,
                }
            } else if !needed.iter().any(|(one, _)| one.number == number) {
                needed.push((decision, by.abs()));
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
        for (line, by) in self.lines.iter().zip(multipliers) {
            match (by, line.other) {
                (0, _) | (..0, None) => {}
                (1.., _) => add(&mut pol, line.id, i128::from(*by)),
                (_, Some((id, _))) => add(&mut pol, id, i128::from(by.abs())),
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
        let id = self.line(&pol);
        let _ = write!(clause, " >= 1 : ~ {id}");
        for (number, by) in &sum.factors {
            let start = self.start;
            let own = &start.instance.numbers[*number];
            let (low, high) = start.range[*number];
            let is_as_wide = if *by > 0 {
                high == own.upper
            } else {
                low == own.lower
            };
            if is_as_wide {
                continue;
            }
            let bits = start.first[*number]..start.first[*number] + own.weights.len();
            for (_, id) in bits.filter_map(|bit| start.settled[bit]) {
                let _ = write!(clause, " {id}");
            }
        }
        Clause {
            id: self.line(&clause),
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
        let (or_more, less) = (self.line(&or_more), self.line(&less));
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
        /// Numbers this near to whole ones are whole.
        const WHOLE: f64 = 1e-6;
        /// So many are tried where the best of some is taken.
        const TRIED: usize = 8;
        let mut open: Vec<(f64, usize, usize, f64)> = Vec::new();
        for (column, number) in self.columns.iter().enumerate() {
            let (low, high) = self.range[*number];
            if low == high {
                continue;
            }
            let value = match solved {
                true => self.value(column).clamp(low as f64, high as f64),
                false => low as f64,
            };
            let apart = (value - value.round()).abs();
            let rows = match self.order {
                Order::Fraction => 0,
                Order::Strong | Order::Rows => self.stands[*number],
            };
            open.push((
                if apart > WHOLE { apart } else { 0.0 },
                rows,
                *number,
                value,
            ));
        }
        open.sort_by(|one, other| {
            let parted = (other.0 > 0.0).cmp(&(one.0 > 0.0));
            let sooner = match self.order {
                Order::Rows => other.1.cmp(&one.1).then(other.0.total_cmp(&one.0)),
                Order::Fraction | Order::Strong => {
                    other.0.total_cmp(&one.0).then(other.1.cmp(&one.1))
                }
            };
            parted.then(sooner).then(one.2.cmp(&other.2))
        });
        let decision = |(_, _, number, value): &(f64, usize, usize, f64)| {
            let (low, high) = self.range[*number];
            Decision {
                number: *number,
                at: (value.floor() as i64 + 1).clamp(low + 1, high),
                or_more: *value - value.floor() <= 0.5,
            }
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

/// Constraints added up: `sum of factors × numbers >= …`, and by how much the most that the branch
/// allows falls short of that.
struct Sum {
    factors: Vec<(usize, i128)>,
    slack: i128,
}
