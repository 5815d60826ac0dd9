//! What rules and wishes demand, as a pseudo-Boolean instance in the OPB format: written from the
//! linear form of the rules as it is, before anything is reduced, so that a fault of the
//! reduction does not get in.
//!
//! Copies of a card in a section are `old + p - m`: what the deck has, what comes in and what
//! goes. A number is the sum of its bits, whose weights are 1, 2, 4 … and a last one that makes
//! them come to just the number's range.

use crate::solve::problem::WISH;
use crate::solve::program::{Column, Sum, gather, tighten};
use crate::solve::propagate::{Bounds, Constraint, Propagator};
use decklaw_core::resolve::Decklist;
use decklaw_core::rules::linear::{Gate, Linear, MEANING, Row, Tag, Unknown};
use std::fmt::Write;

/// A whole number from `lower` to `upper`.
#[derive(Debug, Clone)]
pub(super) struct Number {
    pub(super) name: String,
    pub(super) lower: i64,
    pub(super) upper: i64,
    /// What it stands for, for people.
    meaning: String,
    /// What each bit is worth; they add up to `upper - lower`.
    pub(super) weights: Vec<i64>,
}

impl Number {
    fn new(name: String, (lower, upper): (i64, i64), meaning: String) -> Number {
        let mut weights = Vec::new();
        let mut rest = upper - lower;
        let mut weight = 1;
        while rest > 0 {
            let own = weight.min(rest);
            weights.push(own);
            rest -= own;
            weight = weight.saturating_mul(2);
        }
        Number {
            name,
            lower,
            upper,
            meaning,
            weights,
        }
    }

    /// The name of a bit.
    pub(super) fn bit(&self, at: usize) -> String {
        format!("{}b{at}", self.name)
    }

    /// The bits of a value.
    pub(super) fn bits(&self, value: i64) -> Vec<bool> {
        let mut rest = value - self.lower;
        let mut bits = vec![false; self.weights.len()];
        // The last bit is worth at most one more than all others together, and they are powers of
        // two: from the last one down, each is taken that is needed.
        let mut below: i64 = self.weights.iter().sum();
        for (at, weight) in self.weights.iter().enumerate().rev() {
            below -= weight;
            if rest > below {
                bits[at] = true;
                rest -= weight;
            }
        }
        bits
    }
}

/// A sum of numbers, each times its factor, is at least `least`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct AtLeast {
    pub(super) terms: Vec<(usize, i64)>,
    pub(super) least: i64,
}

/// Numbers, what they must satisfy, and what shall be least.
#[derive(Debug, Default)]
pub(super) struct Instance {
    pub(super) numbers: Vec<Number>,
    pub(super) constraints: Vec<AtLeast>,
    /// Empty where it is asked whether there is anything at all.
    pub(super) objective: Vec<(usize, i64)>,
    /// The numbers that say which case holds, where one must.
    pub(super) cases: Vec<usize>,
    /// What stands before a constraint, by its index.
    comments: Vec<(usize, String)>,
    /// The copies of cards: the unknown, and the numbers that come in and go.
    copies: Vec<(Unknown, Option<usize>, Option<usize>)>,
}

/// What an instance is made from.
pub(super) struct Source<'s, 'c> {
    pub(super) deck: &'s Decklist,
    pub(super) linear: &'s Linear<'c>,
    /// Copies that the deck holds now, by unknown.
    pub(super) old: &'s [i64],
    /// The rules and wishes that count.
    pub(super) counts: &'s dyn Fn(Tag) -> bool,
    /// So many copies of a card may come into a section at most.
    pub(super) most_in: i64,
    pub(super) limits: Vec<Limit>,
    /// No more copies may change than so many.
    pub(super) most_changed: Option<i64>,
    /// No more copies may come than so many, and no more go.
    pub(super) most_exchanged: Option<i64>,
    /// One of these must hold, each a name and sums with the ends of each; none: nothing more is
    /// demanded.
    pub(super) one_of: Option<&'s [Case]>,
    pub(super) goal: Goal<'s>,
}

/// A sum, the most that it may be, and what that is for.
pub(super) type Limit = (Vec<(Unknown, i64)>, i64, String);

/// What may be the case.
#[derive(Debug)]
pub(in crate::solve) struct Case {
    /// What it is, for people.
    pub(in crate::solve) name: String,
    pub(in crate::solve) ends: Vec<Ends>,
}

/// A sum, and the least and the most that it may be.
pub(in crate::solve) type Ends = (Vec<(Unknown, i64)>, Option<i64>, Option<i64>);

/// What shall be least.
#[derive(Debug, Clone, Copy)]
pub(super) enum Goal<'s> {
    /// Nothing: whether there is anything at all.
    Any,
    /// Copies that change.
    Changed,
    /// A sum.
    Sum(&'s [(Unknown, i64)]),
}

/// A sum of numbers and a constant.
#[derive(Debug, Clone, Default)]
struct Affine {
    terms: Vec<(usize, i64)>,
    constant: i64,
}

/// Why there is no instance.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Unbounded;

impl Source<'_, '_> {
    /// Writes it all out.
    pub(super) fn instance(&self) -> Result<Instance, Unbounded> {
        /// A number of more values than these says that its rule sets it no bound.
        const WIDEST: i64 = 1 << 37;
        let linear = self.linear;
        let ranges = self.ranges();
        let Bounds { lower, upper } = &ranges;
        let mut instance = Instance::default();
        let mut values: Vec<Option<Affine>> = vec![None; lower.len()];
        let sections = linear.sections().max(1);
        let on = |tag: Tag| tag == MEANING || (self.counts)(tag);
        let mut used = vec![false; lower.len()];
        let mut note = |terms: &[(Unknown, i64)]| {
            terms
                .iter()
                .for_each(|(unknown, _)| used[unknown.index()] = true);
        };
        for row in linear.rows.iter().filter(|row| on(row.tag)) {
            note(&row.terms);
            row.when.iter().for_each(|flag| note(&[(*flag, 1)]));
        }
        for bound in linear.bounds.iter().filter(|bound| on(bound.tag)) {
            note(&[(bound.unknown, 1)]);
        }
        for gate in linear.gates.iter().filter(|gate| on(gate.tag)) {
            note(&[(gate.unknown, 1)]);
            note(&gate.flags);
        }
        self.limits.iter().for_each(|(terms, ..)| note(terms));
        let cases = self.one_of.unwrap_or_default().iter();
        cases.for_each(|case| case.ends.iter().for_each(|(terms, ..)| note(terms)));
        if let Goal::Sum(terms) = self.goal {
            note(terms);
        }
        for (at, used) in used.iter().enumerate() {
            let old = self.old.get(at).copied().unwrap_or(0);
            // A card of which no rule speaks neither comes nor goes.
            if !used {
                continue;
            }
            if upper[at].saturating_sub(lower[at]) > WIDEST {
                return Err(Unbounded);
            }
            let mut value = Affine {
                terms: Vec::new(),
                constant: old,
            };
            if at < linear.copy_unknowns() {
                let (card, section) = (at / sections, at % sections);
                let name = self.deck.name(decklaw_core::pool::CardId(card as u32));
                let place = &self.deck.sections()[section];
                let mut number = |letter: &str, most: i64, does: &str, by: i64| {
                    (most > 0).then(|| {
                        let meaning =
                            format!("copies of \"{name}\" that {does} {place}, where {old} are");
                        let name = format!("{letter}{card}s{section}");
                        let number = instance.numbers.len();
                        let range = (0, most);
                        instance.numbers.push(Number::new(name, range, meaning));
                        value.terms.push((number, by));
                        number
                    })
                };
                let came = number("p", upper[at] - old, "come into", 1);
                let gone = number("m", old - lower[at], "go from", -1);
                instance.copies.push((Unknown(at as u32), came, gone));
            } else if lower[at] == upper[at] {
                value.constant = lower[at];
            } else {
                let meaning = "a number that the constraints around it define".to_owned();
                value.terms.push((instance.numbers.len(), 1));
                let name = format!("a{at}");
                let range = (lower[at], upper[at]);
                instance.numbers.push(Number::new(name, range, meaning));
            }
            values[at] = Some(value);
        }
        let put = |terms: &[(Unknown, i64)], by: i64| -> Affine {
            let mut sum = Affine::default();
            for (unknown, factor) in terms {
                if let Some(value) = &values[unknown.index()] {
                    let factor = factor * by;
                    sum.constant += factor * value.constant;
                    let own = value.terms.iter();
                    sum.terms.extend(own.map(|(at, sign)| (*at, sign * factor)));
                }
            }
            sum
        };
        for bound in linear.bounds.iter().filter(|bound| on(bound.tag)) {
            let terms = [(bound.unknown, 1)];
            instance.between(self.rule(bound.tag), &put, &terms, bound.lower, bound.upper);
        }
        for row in linear.rows.iter().filter(|row| on(row.tag)) {
            let (low, high) = (row.low, row.high);
            let Some(flag) = row.when else {
                instance.between(self.rule(row.tag), &put, &row.terms, low, high);
                continue;
            };
            let (least, most) = ends(row, &ranges);
            let mut terms = row.terms.clone();
            if let Some(low) = low.filter(|low| *low > least) {
                terms.push((flag, least - low));
                instance.between(self.rule(row.tag), &put, &terms, Some(least), None);
                terms.pop();
            }
            if let Some(high) = high.filter(|high| *high < most) {
                terms.push((flag, most - high));
                instance.between(self.rule(row.tag), &put, &terms, None, Some(most));
            }
        }
        for gate in linear.gates.iter().filter(|gate| on(gate.tag)) {
            let Gate {
                unknown,
                flags,
                constant,
                ..
            } = gate;
            let most = upper[unknown.index()].max(0);
            let mut terms: Vec<(Unknown, i64)> =
                flags.iter().map(|(flag, by)| (*flag, -by * most)).collect();
            terms.push((*unknown, 1));
            let high = Some(most * constant);
            instance.between(self.rule(gate.tag), &put, &terms, None, high);
        }
        for (terms, most, why) in &self.limits {
            instance.between(why.clone(), &put, terms, None, Some(*most));
        }
        let changed: Vec<(usize, i64)> = instance
            .copies
            .iter()
            .flat_map(|(_, came, gone)| came.iter().chain(gone))
            .map(|number| (*number, 1))
            .collect();
        if let Some(most) = self.most_changed {
            let why = format!("no more than {most} copies change");
            let terms = changed.iter().map(|(at, by)| (*at, -by)).collect();
            instance.add(why, terms, -most);
        }
        if let Some(most) = self.most_exchanged {
            let came: Vec<usize> = instance.copies.iter().filter_map(|of| of.1).collect();
            let gone: Vec<usize> = instance.copies.iter().filter_map(|of| of.2).collect();
            for (own, does) in [(came, "come"), (gone, "go")] {
                let terms = own.into_iter().map(|at| (at, -1)).collect();
                instance.add(format!("no more than {most} copies {does}"), terms, -most);
            }
        }
        if let Some(cases) = self.one_of {
            let mut selectors = Vec::new();
            for (at, case) in (1..).zip(cases) {
                let Case { name, ends } = case;
                let selector = instance.numbers.len();
                let meaning = format!("1 only where {name}");
                let number = Number::new(format!("case{at}"), (0, 1), meaning);
                instance.numbers.push(number);
                selectors.push((selector, 1));
                for (terms, low, high) in ends {
                    for (sign, end) in [(1, *low), (-1, high.map(|high| -high))] {
                        let Some(end) = end else { continue };
                        let sum = put(terms, sign);
                        let (mut terms, end) = (sum.terms, end - sum.constant);
                        gather(&mut terms);
                        let least = instance.least(&terms).min(end);
                        terms.push((selector, least - end));
                        instance.add(format!("case {at}: {name}"), terms, least);
                    }
                }
            }
            instance.cases = selectors.iter().map(|(at, _)| *at).collect();
            instance.add("one of the cases holds".to_owned(), selectors, 1);
        }
        match self.goal {
            Goal::Any => {}
            Goal::Changed => instance.objective = changed,
            Goal::Sum(terms) => {
                instance.objective = put(terms, 1).terms;
                gather(&mut instance.objective);
            }
        }
        if instance.objective.is_empty() && !matches!(self.goal, Goal::Any) {
            // The checker knows no objective without a variable.
            instance.objective.push((instance.numbers.len(), 1));
            let meaning = "nothing: no rule speaks of any card".to_owned();
            let nothing = Number::new("nothing".to_owned(), (0, 1), meaning);
            instance.numbers.push(nothing);
        }
        Ok(instance)
    }

    /// The range of each unknown: of copies by how many may come and go, of others by what they
    /// mean.
    fn ranges(&self) -> Bounds {
        /// Larger numbers have no bound of their own.
        const MOST_NEEDED: i64 = 1 << 37;
        let linear = self.linear;
        let mut lower: Vec<i64> = linear.domains.iter().map(|domain| domain.lower).collect();
        let mut upper: Vec<i64> = linear.domains.iter().map(|domain| domain.upper).collect();
        let copies = linear.copy_unknowns();
        let bound = self.most_changed.unwrap_or(i64::MAX);
        for at in 0..copies {
            let old = self.old.get(at).copied().unwrap_or(0);
            upper[at] = upper[at].max(old).min(old.saturating_add(self.most_in));
            lower[at] = lower[at].min(old).max(old.saturating_sub(bound));
        }
        let defining = |row: &&Row| row.tag == MEANING && row.when.is_none();
        let rows: Vec<(Vec<(usize, i64)>, &Row)> = (linear.rows.iter().filter(defining))
            .map(|row| (plain(&row.terms), row))
            .collect();
        let sum = |at: usize| Sum {
            terms: &rows[at].0,
            low: rows[at].1.low,
            high: rows[at].1.high,
        };
        let mut bounds = Bounds { lower, upper };
        let fixed = bounds.clone();
        let constraint = |at: usize| Constraint::Sum(sum(at));
        let propagator = Propagator::new(bounds.lower.len(), rows.len(), constraint);
        // What copies may be, the rules say, and not the meaning of other numbers.
        let tighten = |at: usize, bounds: &mut Bounds, moved: &mut Vec<usize>| {
            let is_possible = tighten(sum(at), bounds, moved);
            moved.retain(|at| {
                if *at < copies {
                    (bounds.lower[*at], bounds.upper[*at]) = (fixed.lower[*at], fixed.upper[*at]);
                }
                *at >= copies
            });
            is_possible
        };
        propagator.run(0..rows.len(), 40 * rows.len(), &mut bounds, tighten);
        for at in copies..bounds.upper.len() {
            if bounds.upper[at] > MOST_NEEDED
                && let Some(most) = self.most_needed(at, &bounds)
            {
                bounds.upper[at] = most.max(bounds.lower[at]);
            }
        }
        bounds
    }

    /// So much of a number is enough whatever the others are, where more of it only makes demands
    /// easier: of how far a deck is from what is preferred, that is.
    fn most_needed(&self, number: usize, ranges: &Bounds) -> Option<i64> {
        let mut most = 0;
        for row in &self.linear.rows {
            let own = row.terms.iter();
            let mut own = own.filter(|(unknown, _)| unknown.index() == number);
            let Some((_, by)) = own.next() else { continue };
            let (least, largest) = ends(row, ranges);
            let needed = match (row.low, row.high, *by) {
                // Its own part of the least sum is that of its lower end.
                (Some(low), None, 1) => low.saturating_sub(least - ranges.lower[number]),
                (None, Some(high), -1) => largest.saturating_add(ranges.lower[number]) - high,
                _ => return None,
            };
            most = most.max(needed);
        }
        Some(most)
    }

    /// What a constraint is of, for people.
    fn rule(&self, tag: Tag) -> String {
        let rules = self.deck.rulebook().rules();
        match tag {
            MEANING => "what numbers mean".to_owned(),
            tag if tag >= WISH => format!("wish {}", tag - WISH + 1),
            tag => match rules.get(tag as usize) {
                Some(rule) => format!("rule {}", rule.id),
                None => "a rule".to_owned(),
            },
        }
    }
}

/// The least and the most that a row's sum can be within the ranges.
fn ends(row: &Row, ranges: &Bounds) -> (i64, i64) {
    let narrow = |end: i128| end.clamp(i64::MIN.into(), i64::MAX.into()) as i64;
    let (least, most) = ranges.extent(&plain(&row.terms));
    (narrow(least), narrow(most))
}

/// A sum by the index of its unknowns, each once.
fn plain(terms: &[(Unknown, i64)]) -> Vec<(usize, i64)> {
    let mut terms = terms.iter().map(|(at, by)| (at.index(), *by)).collect();
    gather(&mut terms);
    terms
}

impl AtLeast {
    pub(super) fn sum(&self) -> Sum<'_> {
        Sum {
            terms: &self.terms,
            low: Some(self.least),
            high: None,
        }
    }
}

impl Instance {
    /// The range of each number.
    pub(super) fn bounds(&self) -> Bounds {
        Bounds {
            lower: self.numbers.iter().map(|number| number.lower).collect(),
            upper: self.numbers.iter().map(|number| number.upper).collect(),
        }
    }

    /// The numbers as columns without costs.
    pub(super) fn columns(&self) -> Vec<Column> {
        let column = |number: &Number| Column {
            lower: number.lower,
            upper: number.upper,
            cost: 0,
            first: false,
        };
        self.numbers.iter().map(column).collect()
    }

    /// Demands that a sum stays between two ends; what always holds is left out.
    fn between(
        &mut self,
        why: String,
        put: &impl Fn(&[(Unknown, i64)], i64) -> Affine,
        terms: &[(Unknown, i64)],
        low: Option<i64>,
        high: Option<i64>,
    ) {
        if let Some(low) = low {
            let sum = put(terms, 1);
            self.add(why.clone(), sum.terms, low - sum.constant);
        }
        if let Some(high) = high {
            let sum = put(terms, -1);
            self.add(why, sum.terms, -high - sum.constant);
        }
    }

    /// Demands that a sum of numbers is at least so much.
    fn add(&mut self, why: String, terms: Vec<(usize, i64)>, least: i64) {
        let mut terms = terms;
        gather(&mut terms);
        let constraint = AtLeast { terms, least };
        if self.least(&constraint.terms) >= least {
            return;
        }
        let at = self.constraints.len();
        if self.comments.last().is_none_or(|(_, last)| *last != why) {
            self.comments.push((at, why));
        }
        self.constraints.push(constraint);
    }

    /// The least that a sum can be.
    fn least(&self, terms: &[(usize, i64)]) -> i64 {
        let end = |(at, by): &(usize, i64)| {
            let number = &self.numbers[*at];
            by * if *by > 0 { number.lower } else { number.upper }
        };
        terms.iter().map(end).sum()
    }

    /// Whether some values satisfy every constraint.
    pub(super) fn holds(&self, values: &[i64]) -> bool {
        let within =
            |(number, value): (&Number, &i64)| (number.lower..=number.upper).contains(value);
        let met = |constraint: &AtLeast| {
            let terms = constraint.terms.iter();
            terms.map(|(at, by)| by * values[*at]).sum::<i64>() >= constraint.least
        };
        self.numbers.iter().zip(values).all(within) && self.constraints.iter().all(met)
    }

    /// What shall be least, of some values.
    pub(super) fn value(&self, values: &[i64]) -> i64 {
        self.objective.iter().map(|(at, by)| by * values[*at]).sum()
    }

    /// What the objective is beyond what its bits say: the lower ends of its numbers.
    pub(super) fn offset(&self) -> i64 {
        let terms = self.objective.iter();
        terms.map(|(at, by)| by * self.numbers[*at].lower).sum()
    }

    /// The numbers that are settled by how a deck differs from the one that it was; `None`: it
    /// cannot be said with these numbers.
    pub(super) fn of_deck(
        &self,
        old: &[i64],
        new: &dyn Fn(Unknown) -> i64,
    ) -> Option<Vec<(usize, i64)>> {
        let mut known = Vec::new();
        for (unknown, came, gone) in &self.copies {
            let by = new(*unknown) - old.get(unknown.index()).copied().unwrap_or(0);
            for (number, value) in [(came, by.max(0)), (gone, (-by).max(0))] {
                match number {
                    Some(number) if value <= self.numbers[*number].upper => {
                        known.push((*number, value));
                    }
                    None if value == 0 => {}
                    Some(_) | None => return None,
                }
            }
        }
        Some(known)
    }

    fn sum(&self, terms: &[(usize, i64)]) -> String {
        let mut sum = String::new();
        for (at, by) in terms {
            let number = &self.numbers[*at];
            for (bit, weight) in number.weights.iter().enumerate() {
                let _ = write!(sum, "{} {} ", by * weight, number.bit(bit));
            }
        }
        sum
    }

    /// The instance in the OPB format; `claim` is said on top, in comments.
    pub(super) fn opb(&self, claim: &str) -> String {
        let bits: usize = self.numbers.iter().map(|number| number.weights.len()).sum();
        let mut opb = format!(
            "* #variable= {bits} #constraint= {}\n",
            self.constraints.len()
        );
        for line in claim.lines() {
            let _ = writeln!(opb, "* {line}");
        }
        if !self.objective.is_empty() {
            let _ = writeln!(opb, "min: {};", self.sum(&self.objective));
        }
        let mut comments = self.comments.iter().peekable();
        for (at, constraint) in self.constraints.iter().enumerate() {
            if let Some((_, why)) = comments.next_if(|(from, _)| *from == at) {
                let _ = writeln!(opb, "* {why}");
            }
            let terms = constraint.terms.iter();
            let lower: i64 = terms.map(|(at, by)| by * self.numbers[*at].lower).sum();
            let sum = self.sum(&constraint.terms);
            let _ = writeln!(opb, "{sum}>= {} ;", constraint.least - lower);
        }
        opb
    }

    /// What each number is, a line each.
    pub(super) fn legend(&self) -> String {
        let mut legend = String::new();
        for number in &self.numbers {
            let Number {
                name,
                lower,
                upper,
                meaning,
                weights,
            } = number;
            let bits = weights.iter().enumerate();
            let bits: Vec<String> = bits
                .map(|(at, weight)| format!("{weight} {}", number.bit(at)))
                .collect();
            let start = if *lower == 0 {
                String::new()
            } else {
                format!("{lower} + ")
            };
            let _ = writeln!(
                legend,
                "{name} = {start}{}: {meaning} ({lower} to {upper})",
                bits.join(" + ")
            );
        }
        legend
    }
}
