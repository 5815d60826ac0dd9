//! The demands of rules and wishes as a pseudo-Boolean instance in the OPB format, written from the
//! linear form of the rules before anything is reduced, so that a fault of the reduction does not
//! get in.
//!
//! The copies of a card in a section are `old + p - m`: what the deck has, what comes in and what
//! goes. A number is its lower bound and a sum of bits, whose weights are 1, 2, 4 … and a last one
//! that completes the number's range.

use crate::solve::problem::{Problem, WISH};
use crate::solve::program::{Bounds, Column, Demand, Program, gather, tighten};
use crate::solve::propagate::{Constraint, Propagator};
use decklaw_cards::pool::CardId;
use decklaw_judge::resolve::Decklist;
use decklaw_rules::rules::linear::{Linear, MEANING, Row, Tag, Unknown};
use std::collections::BTreeMap;
use std::fmt::Write;

/// A whole number as a sum of bits.
#[derive(Debug)]
pub(super) struct Number {
    pub(super) name: String,
    /// A description for people.
    meaning: String,
    /// The value of each bit; their sum is the number's range.
    pub(super) weights: Vec<i64>,
}

impl Number {
    fn new(name: String, range: i64, meaning: String) -> Number {
        let (mut weights, mut rest, mut weight) = (Vec::new(), range, 1_i64);
        while rest > 0 {
            let own = weight.min(rest);
            weights.push(own);
            rest -= own;
            weight = weight.saturating_mul(2);
        }
        Number { name, meaning, weights }
    }

    /// The name of a bit.
    pub(super) fn bit(&self, at: usize) -> String {
        format!("{}b{at}", self.name)
    }

    /// The bits of a value, counted from the lower bound.
    pub(super) fn bits(&self, value: i64) -> Vec<bool> {
        let mut rest = value;
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

/// Numbers, what they must satisfy, and the objective.
#[derive(Debug, Default)]
pub(super) struct Instance {
    pub(super) numbers: Vec<Number>,
    pub(super) range: Bounds,
    pub(super) demands: Vec<Demand>,
    /// Empty where any solution will do.
    pub(super) objective: Vec<(usize, i64)>,
    /// The numbers that select a case, where one must hold.
    pub(super) cases: Vec<usize>,
    /// The comment before a demand, by its index.
    comments: Vec<(usize, String)>,
    /// The copies of cards: the unknown, and the numbers that come in and go.
    copies: Vec<(Unknown, Option<usize>, Option<usize>)>,
}

/// The parts of an instance.
pub(super) struct Source<'s, 'c> {
    pub(super) problem: &'s Problem<'c>,
    /// The most copies of a card that come into a section.
    pub(super) most_in: i64,
    pub(super) limits: Vec<Limit>,
    /// The most copies that come, and the most that go.
    pub(super) most_exchanged: Option<i64>,
    /// Cases; one of them must hold.
    pub(super) one_of: Option<&'s [Case]>,
    pub(super) goal: Goal<'s>,
}

/// A sum, the most that it may be, and the reason.
pub(super) type Limit = (Vec<(Unknown, i64)>, i64, String);

/// Conditions that hold together.
#[derive(Debug)]
pub(in crate::solve) struct Case {
    /// A description for people.
    pub(in crate::solve) name: String,
    pub(in crate::solve) ends: Vec<Ends>,
}

/// A sum, and the least and the most that it may be.
pub(in crate::solve) type Ends = (Vec<(Unknown, i64)>, Option<i64>, Option<i64>);

/// The objective of an instance.
#[derive(Debug, Clone, Copy)]
pub(super) enum Goal<'s> {
    /// None: any solution will do.
    Any,
    /// The number of copies that change.
    Changed,
    Sum(&'s [(Unknown, i64)]),
}

/// A sum of numbers and a constant.
#[derive(Debug, Clone, Default)]
struct Affine {
    terms: Vec<(usize, i64)>,
    constant: i64,
}

/// A number has no bound.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Unbounded;

/// An instance in the making.
#[derive(Default)]
struct Writer {
    instance: Instance,
    /// The value of each unknown; `None`: no demand has it.
    values: Vec<Option<Affine>>,
}

impl Writer {
    fn sum(&self, terms: &[(Unknown, i64)]) -> Affine {
        let mut sum = Affine::default();
        for (unknown, by) in terms {
            if let Some(value) = &self.values[unknown.index()] {
                sum.constant += by * value.constant;
                let own = value.terms.iter();
                sum.terms.extend(own.map(|(at, sign)| (*at, sign * by)));
            }
        }
        gather(&mut sum.terms);
        sum
    }

    /// Demands that a sum of unknowns is between two ends.
    fn demand(&mut self, why: &str, terms: &[(Unknown, i64)], low: Option<i64>, high: Option<i64>) {
        let Affine { terms, constant } = self.sum(terms);
        let (low, high) = (low.map(|low| low - constant), high.map(|high| high - constant));
        self.instance.add(why, Demand { terms, low, high });
    }
}

impl Source<'_, '_> {
    /// Writes the instance.
    ///
    /// # Errors
    /// A number without a bound.
    pub(super) fn instance(&self) -> Result<Instance, Unbounded> {
        let linear = &self.problem.linear;
        let ranges = self.ranges();
        let mut writer = Writer::default();
        self.numbers(&mut writer, &ranges)?;
        let on = |tag: Tag| self.is_on(tag);
        for bound in linear.bounds.iter().filter(|bound| on(bound.tag)) {
            let terms = [(bound.unknown, 1)];
            writer.demand(&self.rule(bound.tag), &terms, bound.lower, bound.upper);
        }
        for row in linear.rows.iter().filter(|row| on(row.tag)) {
            let why = self.rule(row.tag);
            let Some(flag) = row.when else {
                writer.demand(&why, &row.terms, row.low, row.high);
                continue;
            };
            let (least, most) = ends(row, &ranges);
            let with = |by: i64| [&row.terms[..], &[(flag, by)]].concat();
            if let Some(low) = row.low.filter(|low| *low > least) {
                writer.demand(&why, &with(least - low), Some(least), None);
            }
            if let Some(high) = row.high.filter(|high| *high < most) {
                writer.demand(&why, &with(most - high), None, Some(most));
            }
        }
        for gate in linear.gates.iter().filter(|gate| on(gate.tag)) {
            let most = ranges.upper[gate.unknown.index()].max(0);
            let flags = gate.flags.iter().map(|(flag, by)| (*flag, -by * most));
            let terms: Vec<_> = flags.chain([(gate.unknown, 1)]).collect();
            let high = Some(most * gate.constant);
            writer.demand(&self.rule(gate.tag), &terms, None, high);
        }
        for (terms, most, why) in &self.limits {
            writer.demand(why, terms, None, Some(*most));
        }
        if let Some(most) = self.most_exchanged {
            let copies = &writer.instance.copies;
            let came: Vec<_> = copies.iter().filter_map(|of| Some((of.1?, 1))).collect();
            let gone: Vec<_> = copies.iter().filter_map(|of| Some((of.2?, 1))).collect();
            for (terms, does) in [(came, "come"), (gone, "go")] {
                let (low, high) = (None, Some(most));
                let why = format!("no more than {most} copies {does}");
                writer.instance.add(&why, Demand { terms, low, high });
            }
        }
        if let Some(cases) = self.one_of {
            writer.cases(cases);
        }
        self.objective(&mut writer);
        Ok(writer.instance)
    }

    fn is_on(&self, tag: Tag) -> bool {
        tag == MEANING || self.problem.counts(tag)
    }

    /// Whether a demand has each unknown.
    fn used(&self) -> Vec<bool> {
        let linear = &self.problem.linear;
        let mut used = vec![false; linear.domains.len()];
        let mut note = |terms: &[(Unknown, i64)]| {
            let unknowns = terms.iter().map(|(unknown, _)| unknown.index());
            unknowns.for_each(|at| used[at] = true);
        };
        for row in linear.rows.iter().filter(|row| self.is_on(row.tag)) {
            note(&row.terms);
            row.when.iter().for_each(|flag| note(&[(*flag, 1)]));
        }
        for bound in linear.bounds.iter().filter(|bound| self.is_on(bound.tag)) {
            note(&[(bound.unknown, 1)]);
        }
        for gate in linear.gates.iter().filter(|gate| self.is_on(gate.tag)) {
            note(&[(gate.unknown, 1)]);
            note(&gate.flags);
        }
        self.limits.iter().for_each(|(terms, ..)| note(terms));
        let cases = self.one_of.unwrap_or_default().iter();
        cases.for_each(|case| case.ends.iter().for_each(|(terms, ..)| note(terms)));
        if let Goal::Sum(terms) = self.goal {
            note(terms);
        }
        used
    }

    /// Makes the numbers of all unknowns that a demand has. Copies of other cards stay.
    fn numbers(&self, writer: &mut Writer, ranges: &Bounds) -> Result<(), Unbounded> {
        /// A wider range means that its rule sets the number no bound.
        const WIDEST: i64 = 1 << 37;
        let Problem { linear, deck, old, .. } = self.problem;
        let sections = linear.sections().max(1);
        let Writer { instance, values } = writer;
        for (at, used) in self.used().into_iter().enumerate() {
            let (lower, upper) = (ranges.lower[at], ranges.upper[at]);
            if !used {
                values.push(None);
                continue;
            }
            if upper.saturating_sub(lower) > WIDEST {
                return Err(Unbounded);
            }
            let mut value = Affine::default();
            if at < linear.copy_unknowns() {
                let (card, section) = (at / sections, at % sections);
                let name = deck.name(CardId(card as u32));
                let place = &deck.sections()[section];
                let old = old[at];
                value.constant = old;
                let mut number = |letter: &str, most: i64, does: &str, by: i64| {
                    (most > 0).then(|| {
                        let meaning =
                            format!("copies of \"{name}\" that {does} {place}, where {old} are");
                        let name = format!("{letter}{card}s{section}");
                        let number = instance.number(name, (0, most), meaning);
                        value.terms.push((number, by));
                        number
                    })
                };
                let came = number("p", upper - old, "come into", 1);
                let gone = number("m", old - lower, "go from", -1);
                instance.copies.push((Unknown(at as u32), came, gone));
            } else if lower == upper {
                value.constant = lower;
            } else {
                let meaning = "a number that the constraints around it define".to_owned();
                let number = instance.number(format!("a{at}"), (lower, upper), meaning);
                value.terms.push((number, 1));
            }
            values.push(Some(value));
        }
        Ok(())
    }

    fn objective(&self, writer: &mut Writer) {
        let objective = match self.goal {
            Goal::Any => return,
            Goal::Changed => {
                let copies = writer.instance.copies.iter();
                let changed = copies.flat_map(|(_, came, gone)| came.iter().chain(gone));
                changed.map(|number| (*number, 1)).collect()
            }
            Goal::Sum(terms) => writer.sum(terms).terms,
        };
        let instance = &mut writer.instance;
        instance.objective = objective;
        if instance.objective.is_empty() {
            // The checker knows no objective without a variable.
            let meaning = "nothing: no rule speaks of any card".to_owned();
            let nothing = instance.number("nothing".to_owned(), (0, 1), meaning);
            instance.objective.push((nothing, 1));
        }
    }

    /// The range of each unknown: of copies by how many may come and go, of others by what they
    /// mean.
    fn ranges(&self) -> Bounds {
        /// Larger numbers have no bound of their own.
        const MOST_NEEDED: i64 = 1 << 37;
        let Problem { linear, old, .. } = self.problem;
        let mut bounds = Bounds {
            lower: linear.domains.iter().map(|domain| domain.lower).collect(),
            upper: linear.domains.iter().map(|domain| domain.upper).collect(),
        };
        let copies = linear.copy_unknowns();
        for (at, old) in old.iter().enumerate().take(copies) {
            let (lower, upper) = (&mut bounds.lower[at], &mut bounds.upper[at]);
            *upper = (*upper).max(*old).min(old.saturating_add(self.most_in));
            *lower = (*lower).min(*old);
        }
        let defining = |row: &&Row| row.tag == MEANING && row.when.is_none();
        let rows: Vec<Demand> = (linear.rows.iter().filter(defining))
            .map(|row| Demand { terms: plain(&row.terms), low: row.low, high: row.high })
            .collect();
        let fixed = bounds.clone();
        let constraint = |at: usize| Constraint::Sum(rows[at].sum());
        let propagator = Propagator::new(bounds.lower.len(), rows.len(), constraint);
        // What copies may be, the rules say, and not the meaning of other numbers.
        let tighten = |at: usize, bounds: &mut Bounds, moved: &mut Vec<usize>| {
            let is_possible = tighten(rows[at].sum(), bounds, moved);
            moved.retain(|at| {
                if *at < copies {
                    (bounds.lower[*at], bounds.upper[*at]) = (fixed.lower[*at], fixed.upper[*at]);
                }
                *at >= copies
            });
            is_possible
        };
        propagator.run(0..rows.len(), 40 * rows.len(), &mut bounds, tighten);
        // Numbers by cases define others.
        while by_cases(linear, &mut bounds) {
            propagator.run(0..rows.len(), 40 * rows.len(), &mut bounds, tighten);
        }
        for at in copies..bounds.upper.len() {
            if bounds.upper[at] > MOST_NEEDED
                && let Some(most) = self.most_needed(at, &bounds)
            {
                bounds.upper[at] = most.max(bounds.lower[at]);
            }
        }
        bounds
    }

    /// The most of a number that can be needed whatever the others are, where more of it only makes
    /// demands easier, such as the distance from a preferred wish.
    fn most_needed(&self, number: usize, ranges: &Bounds) -> Option<i64> {
        let linear = &self.problem.linear;
        let bounds = linear.bounds.iter();
        let own = bounds.filter(|bound| bound.unknown.index() == number);
        let mut most = own.filter_map(|bound| bound.lower).max().unwrap_or(0);
        for row in &linear.rows {
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

    /// The source of a demand, for people.
    fn rule(&self, tag: Tag) -> String {
        let rules = self.problem.deck.rulebook().rules();
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

/// The rows of a number, each with its factor.
type Guards<'r> = Vec<(&'r Row, i64)>;

/// Narrows wide numbers that are one thing or another by which of some flags is on, one of which
/// must be: the product of a flag and a sum, or the least of some numbers. Whether any is narrower.
fn by_cases(linear: &Linear<'_>, bounds: &mut Bounds) -> bool {
    /// Numbers of decks are smaller.
    const WIDE: i64 = 1 << 24;
    let mut is_news = false;
    let means = || linear.rows.iter().filter(|row| row.tag == MEANING);
    // The rows of each wide number where a flag is on.
    let mut guarded: BTreeMap<usize, BTreeMap<Unknown, Guards<'_>>> = BTreeMap::new();
    for row in means() {
        let Some(flag) = row.when else { continue };
        for (unknown, by) in &row.terms {
            let at = unknown.index();
            if bounds.upper[at].saturating_sub(bounds.lower[at]) > WIDE {
                guarded.entry(at).or_default().entry(flag).or_default().push((row, *by));
            }
        }
    }
    let one_of = means().filter(|row| {
        row.when.is_none() && row.low == Some(1) && row.terms.iter().all(|(_, by)| *by == 1)
    });
    for flags in one_of {
        for (at, rows) in &guarded {
            let cases: Option<Vec<_>> =
                flags.terms.iter().map(|(flag, _)| rows.get(flag)).collect();
            let Some(cases) = cases else { continue };
            let of_case = |rows: &Vec<(&Row, i64)>| {
                rows.iter().fold((i128::MIN, i128::MAX), |(low, high), (row, by)| {
                    let (least, most) = within(row, *at, *by, bounds);
                    (low.max(least), high.min(most))
                })
            };
            let ranges = cases.into_iter().map(of_case);
            let Some((low, high)) =
                ranges.reduce(|one, other| (one.0.min(other.0), one.1.max(other.1)))
            else {
                continue;
            };
            let (lower, upper) = (&mut bounds.lower[*at], &mut bounds.upper[*at]);
            let (low, high) = (low.max((*lower).into()) as i64, high.min((*upper).into()) as i64);
            if low <= high && (low, high) != (*lower, *upper) {
                (*lower, *upper) = (low, high);
                is_news = true;
            }
        }
    }
    is_news
}

/// What a row lets one of its unknowns be, whose factor is this.
fn within(row: &Row, unknown: usize, by: i64, bounds: &Bounds) -> (i128, i128) {
    let rest: Vec<(usize, i64)> =
        plain(&row.terms).into_iter().filter(|(at, _)| *at != unknown).collect();
    let (least, most) = bounds.extent(&rest);
    let by = i128::from(by);
    let floor = |number: i128| number.div_euclid(by.abs());
    let low = row.low.map(|low| i128::from(low) - most);
    let high = row.high.map(|high| i128::from(high) - least);
    let (low, high) =
        if by > 0 { (low, high) } else { (high.map(|end| -end), low.map(|end| -end)) };
    (low.map_or(i128::MIN, |low| -floor(-low)), high.map_or(i128::MAX, floor))
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

impl Writer {
    /// Demands that one of some cases holds.
    fn cases(&mut self, cases: &[Case]) {
        for (at, Case { name, ends }) in (1..).zip(cases) {
            let meaning = format!("1 only where {name}");
            let selector = self.instance.number(format!("case{at}"), (0, 1), meaning);
            self.instance.cases.push(selector);
            for (terms, low, high) in ends {
                let Affine { terms, constant } = self.sum(terms);
                let (least, most) = self.instance.range.extent(&terms);
                let with = |by: i64| [&terms[..], &[(selector, by)]].concat();
                let why = format!("case {at}: {name}");
                if let Some(low) = low.map(|low| low - constant) {
                    let least = (least as i64).min(low);
                    let (terms, low) = (with(least - low), Some(least));
                    let high = None;
                    self.instance.add(&why, Demand { terms, low, high });
                }
                if let Some(high) = high.map(|high| high - constant) {
                    let most = (most as i64).max(high);
                    let (terms, high) = (with(most - high), Some(most));
                    let low = None;
                    self.instance.add(&why, Demand { terms, low, high });
                }
            }
        }
        let selectors = self.instance.cases.iter();
        let one = Demand {
            terms: selectors.map(|selector| (*selector, 1)).collect(),
            low: Some(1),
            high: None,
        };
        self.instance.add("one of the cases holds", one);
    }
}

impl Instance {
    /// Adds a number.
    fn number(&mut self, name: String, (lower, upper): (i64, i64), meaning: String) -> usize {
        self.numbers.push(Number::new(name, upper - lower, meaning));
        self.range.lower.push(lower);
        self.range.upper.push(upper);
        self.numbers.len() - 1
    }

    /// Adds a demand, but for the ends that always hold.
    fn add(&mut self, why: &str, mut demand: Demand) {
        if !demand.drop_implied(&self.range) {
            return;
        }
        if self.comments.last().is_none_or(|(_, last)| last != why) {
            self.comments.push((self.demands.len(), why.to_owned()));
        }
        self.demands.push(demand);
    }

    /// The numbers as columns, and the demands.
    pub(super) fn program(&self, demands: Vec<Demand>) -> Program {
        let Bounds { lower, upper } = &self.range;
        let column = |(lower, upper): (&i64, &i64)| Column {
            lower: *lower,
            upper: *upper,
            cost: 0,
            first: false,
        };
        Program { columns: lower.iter().zip(upper).map(column).collect(), demands, fixed_cost: 0 }
    }

    /// The objective of some values.
    pub(super) fn value(&self, values: &[i64]) -> i64 {
        self.objective.iter().map(|(at, by)| by * values[*at]).sum()
    }

    /// The numbers that a deck fixes; `None`: it is outside their ranges.
    pub(super) fn of_deck(
        &self,
        problem: &Problem<'_>,
        deck: &Decklist,
    ) -> Option<Vec<(usize, i64)>> {
        let sections = problem.linear.sections().max(1);
        let mut known = Vec::new();
        for (unknown, came, gone) in &self.copies {
            let at = unknown.index();
            let copies = deck.copies((at % sections) as u16, CardId((at / sections) as u32));
            let by = copies - problem.old[at];
            for (number, value) in [(came, by.max(0)), (gone, (-by).max(0))] {
                match number {
                    Some(number) if value <= self.range.upper[*number] => {
                        known.push((*number, value));
                    }
                    None if value == 0 => {}
                    Some(_) | None => return None,
                }
            }
        }
        Some(known)
    }

    fn sum(&self, terms: &[(usize, i64)], sign: i64) -> String {
        let mut sum = String::new();
        for (at, by) in terms {
            let number = &self.numbers[*at];
            for (bit, weight) in number.weights.iter().enumerate() {
                let _ = write!(sum, "{} {} ", sign * by * weight, number.bit(bit));
            }
        }
        sum
    }

    /// The number of constraints: an end of a demand is one.
    pub(super) fn constraints(&self) -> usize {
        let ends = |demand: &Demand| demand.low.iter().chain(&demand.high).count();
        self.demands.iter().map(ends).sum()
    }

    /// The instance in the OPB format, with the claim as a comment.
    pub(super) fn opb(&self, claim: &str) -> String {
        let bits: usize = self.numbers.iter().map(|number| number.weights.len()).sum();
        let constraints = self.constraints();
        let mut opb = format!("* #variable= {bits} #constraint= {constraints}\n");
        for line in claim.lines() {
            let _ = writeln!(opb, "* {line}");
        }
        if !self.objective.is_empty() {
            let _ = writeln!(opb, "min: {};", self.sum(&self.objective, 1));
        }
        let mut comments = self.comments.iter().peekable();
        for (at, Demand { terms, low, high }) in self.demands.iter().enumerate() {
            if let Some((_, why)) = comments.next_if(|(from, _)| *from == at) {
                let _ = writeln!(opb, "* {why}");
            }
            let lower = terms.iter().map(|(at, by)| by * self.range.lower[*at]);
            let lower: i64 = lower.sum();
            for (sign, end) in [(1, low), (-1, high)] {
                if let Some(end) = end {
                    let sum = self.sum(terms, sign);
                    let _ = writeln!(opb, "{sum}>= {} ;", sign * (end - lower));
                }
            }
        }
        opb
    }

    /// The meaning of each number, a line each.
    pub(super) fn legend(&self) -> String {
        let mut legend = String::new();
        for (at, number) in self.numbers.iter().enumerate() {
            let (lower, upper) = (self.range.lower[at], self.range.upper[at]);
            let weights = number.weights.iter().enumerate();
            let bits = weights.map(|(at, weight)| format!("{weight} {}", number.bit(at)));
            let start = (lower != 0).then(|| lower.to_string());
            let sum: Vec<String> = start.into_iter().chain(bits).collect();
            let Number { name, meaning, .. } = number;
            let sum = sum.join(" + ");
            let _ = writeln!(legend, "{name} = {sum}: {meaning} ({lower} to {upper})");
        }
        legend
    }
}
