//! From the linear form of rules to a small integer program: bounds are narrowed, what is
//! settled is left out, and cards that nothing tells apart become one column.

use super::alike::{Class, only_card};
use super::program::{Column, Demand, Program};
use super::rows::{Working, narrow, unconditional};
use crate::rules::linear::{Linear, MEANING, Tag, Unknown};

/// What is to be made as small as possible.
#[derive(Debug, Clone, Copy)]
pub(super) enum Objective<'o> {
    /// Copies that change.
    Distance,
    /// A sum with factors that are not negative.
    Sum(&'o [(Unknown, i64)]),
    /// What each copy costs that goes, and that comes, by unknown, of so many at most.
    Liking {
        out: &'o [i64],
        into: &'o [i64],
        most: i64,
    },
}

/// How many copies of a card are looked at where no rule sets a limit.
#[derive(Debug, Clone, Copy)]
pub(super) enum Cap {
    /// As many as a deck can have.
    None,
    /// No more than this, or than the deck holds: a guess that keeps numbers small, and that
    /// proves nothing where it cut something off.
    Guess(i64),
    /// No more than so many beyond what the deck holds: true of every deck within that distance.
    Near(i64),
}

/// Where the value of an unknown comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Place {
    Fixed(i64),
    Column(usize),
    /// `base + more - fewer`.
    Moved {
        base: i64,
        more: Option<usize>,
        fewer: Option<usize>,
    },
    /// The same as another unknown.
    Same(Unknown),
}

/// Where the value of an unknown comes from, as others see it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Axis {
    /// A column of its own.
    Column(usize),
    /// It is always this number.
    Fixed(i64),
    /// Several columns.
    Shared,
}

/// A program, and how its columns become copies of cards.
#[derive(Debug)]
pub(super) struct Reduced {
    pub(super) program: Program,
    places: Vec<Place>,
    classes: Vec<Class>,
    sections: usize,
    copy_unknowns: usize,
    lower: Vec<i64>,
    upper: Vec<i64>,
    /// Whether alike cards share copies out among them.
    varied: bool,
    /// The columns that count copies that go, and copies that come.
    exchanges: Option<(usize, usize)>,
}

/// What a reduction starts from.
#[derive(Debug)]
pub(super) struct Task<'t, 'c> {
    pub(super) linear: &'t Linear<'c>,
    /// Copies that the deck holds now, by unknown.
    pub(super) old: &'t [i64],
    pub(super) objective: Objective<'t>,
    /// Further demands, such as what a wish that came first must keep.
    pub(super) besides: &'t [(Vec<(Unknown, i64)>, i64)],
    /// Cards that must not be merged with others.
    pub(super) apart: &'t [bool],
    /// Where each card stands in the order in which alike cards are taken.
    pub(super) rank: &'t [u32],
    /// Whether cards are alike only where the same rules treat them alike, not where
    /// different rules come to the same.
    pub(super) by_rule: bool,
    /// The copies that a card which comes in may have, in eighths; among alike cards it is
    /// their average. It asks for many different cards.
    pub(super) thin: Option<i64>,
    /// The most copies of a card where no rule sets a limit.
    pub(super) cap: Cap,
    /// The most copies that go and the most that come, where there is a limit of each.
    pub(super) exchanges: Option<i64>,
}

impl Task<'_, '_> {
    /// Makes the program of the demands whose tags are `active`; `None` if bounds alone show
    /// that nothing satisfies them. `cut` becomes true where a guess cut copies off that the
    /// rules allow.
    pub(super) fn reduce(&self, active: &dyn Fn(Tag) -> bool, cut: &mut bool) -> Option<Reduced> {
        let linear = self.linear;
        let on = |tag: Tag| tag == MEANING || active(tag);
        let mut lower: Vec<i64> = linear.domains.iter().map(|domain| domain.lower).collect();
        let mut upper: Vec<i64> = linear.domains.iter().map(|domain| domain.upper).collect();
        for bound in linear.bounds.iter().filter(|bound| on(bound.tag)) {
            let at = bound.unknown.index();
            lower[at] = lower[at].max(bound.lower.unwrap_or(i64::MIN));
            upper[at] = upper[at].min(bound.upper.unwrap_or(i64::MAX));
        }
        if lower.iter().zip(&upper).any(|(low, high)| low > high) {
            return None;
        }
        let plain = |terms: &[(Unknown, i64)]| -> Vec<(usize, i64)> {
            terms
                .iter()
                .map(|(unknown, by)| (unknown.index(), *by))
                .collect()
        };
        let mut rows: Vec<Working> = Vec::new();
        let mut conditional = Vec::new();
        for row in linear.rows.iter().filter(|row| on(row.tag)) {
            let mut working = Working {
                terms: plain(&row.terms),
                low: row.low,
                high: row.high,
                gated: None,
            };
            working.gather();
            match row.when {
                None => rows.push(working),
                Some(flag) => conditional.push((flag.index(), working)),
            }
        }
        for (terms, most) in self.besides {
            rows.push(Working {
                terms: plain(terms),
                low: None,
                high: Some(*most),
                gated: None,
            });
        }
        if !self.by_rule {
            narrow(&rows, &mut lower, &mut upper)?;
            if self.limit(&lower, &mut upper, cut) {
                narrow(&rows, &mut lower, &mut upper)?;
            }
        }
        let mut places = self.aliases(&lower, &mut upper);
        for gate in linear.gates.iter().filter(|gate| on(gate.tag)) {
            let at = gate.unknown.index();
            let most = upper[at];
            let itself = matches!(gate.flags.as_slice(), [(flag, 1)]
                if places[flag.index()] == Some(Place::Same(gate.unknown)));
            if most <= 0 || itself {
                continue;
            }
            let mut terms = vec![(at, 1)];
            terms.extend(
                plain(&gate.flags)
                    .iter()
                    .map(|(flag, by)| (*flag, -by * most)),
            );
            rows.push(Working {
                terms,
                low: None,
                high: Some(gate.constant * most),
                gated: Some((at, most)),
            });
        }
        for (flag, row) in conditional {
            rows.extend(unconditional(flag, row, &lower, &upper));
        }
        for row in &mut rows {
            for (at, _) in &mut row.terms {
                if let Some(Place::Same(other)) = places[*at] {
                    *at = other.index();
                }
            }
            row.gather();
        }
        if !self.by_rule {
            narrow(&rows, &mut lower, &mut upper)?;
        }
        rows.retain_mut(|row| row.settle(&lower, &upper));
        let aliases: Vec<bool> = places.iter().map(Option::is_some).collect();
        let classes = self.classes(&rows, &lower, &upper, &aliases);
        self.columns(rows, classes, &mut places, lower, upper)
    }

    /// Lets no card have more copies than the cap; whether that took anything away.
    fn limit(&self, lower: &[i64], upper: &mut [i64], cut: &mut bool) -> bool {
        let mut limited = false;
        for at in 0..self.linear.copy_unknowns() {
            let most = match self.cap {
                Cap::None => continue,
                Cap::Guess(most) => most.max(self.old(at)),
                Cap::Near(distance) => self.old(at).saturating_add(distance),
            };
            let most = most.max(lower[at]);
            if most < upper[at] {
                upper[at] = most;
                limited = true;
                *cut |= matches!(self.cap, Cap::Guess(_));
            }
        }
        limited
    }

    /// Flags that say that a card is somewhere are its copies themselves, where there is one
    /// copy at most.
    fn aliases(&self, lower: &[i64], upper: &mut [i64]) -> Vec<Option<Place>> {
        let mut places: Vec<Option<Place>> = vec![None; upper.len()];
        for ((card, sections), flag) in &self.linear.presents {
            let mut held = self
                .linear
                .within(*sections)
                .map(|section| self.linear.copies(*card, section))
                .filter(|copies| upper[copies.index()] > 0);
            match (held.next(), held.next()) {
                (None, _) if lower[flag.index()] == 0 => upper[flag.index()] = 0,
                (Some(only), None) if upper[only.index()] == 1 => {
                    places[flag.index()] = Some(Place::Same(only));
                }
                _ => {}
            }
        }
        places
    }

    pub(super) fn cost(&self) -> Vec<i64> {
        let mut cost = vec![0; self.linear.domains.len()];
        match self.objective {
            Objective::Distance => {}
            Objective::Sum(terms) => {
                for (unknown, by) in terms {
                    cost[unknown.index()] += by;
                }
            }
            Objective::Liking { into, .. } => cost[..into.len()].copy_from_slice(into),
        }
        cost
    }

    /// What a copy costs that goes, and one that comes.
    fn moving(&self, at: usize) -> (i64, i64) {
        match self.objective {
            Objective::Distance => (1, 1),
            Objective::Sum(_) => (0, 0),
            Objective::Liking { out, into, .. } => (out[at], into[at]),
        }
    }

    /// The most copies of so many alike cards together.
    fn most(&self, count: i64, lower: i64, upper: i64) -> i64 {
        match self.thin {
            Some(eighths) => upper.min(lower.max((count * eighths + 7) / 8)),
            None => upper,
        }
    }

    pub(super) fn old(&self, unknown: usize) -> i64 {
        self.old.get(unknown).copied().unwrap_or(0)
    }

    /// Copies that go and copies that come whatever the columns are.
    fn settled(&self, places: &[Option<Place>]) -> (i64, i64) {
        let (mut gone, mut came) = (0, 0);
        for (at, place) in places.iter().enumerate().take(self.linear.copy_unknowns()) {
            if let Some(Place::Fixed(value)) = place {
                gone += (self.old(at) - value).max(0);
                came += (value - self.old(at)).max(0);
            }
        }
        (gone, came)
    }

    fn columns(
        &self,
        rows: Vec<Working>,
        classes: Vec<Class>,
        places: &mut [Option<Place>],
        lower: Vec<i64>,
        upper: Vec<i64>,
    ) -> Option<Reduced> {
        let linear = self.linear;
        let cost = self.cost();
        let moved = !matches!(self.objective, Objective::Sum(_));
        let distance = matches!(self.objective, Objective::Distance);
        let copies = linear.copy_unknowns();
        let mut program = Program::default();
        let mut column = |lower: i64, upper: i64, cost: i64| {
            program.columns.push(Column {
                lower,
                upper,
                cost,
                first: false,
            });
            program.columns.len() - 1
        };
        // How many cards a column stands for.
        let mut times = vec![1_i64; lower.len()];
        for class in &classes {
            let count = class.members.len() as i64;
            for unknown in &class.unknowns {
                let at = unknown.index();
                let old = self.old(at);
                times[at] = count;
                places[at] = Some(if moved && at < copies && old != 0 {
                    let most = self.most(1, lower[at].max(old), upper[at]);
                    let up = (0.max(lower[at] - old), 0.max(most - old));
                    let down = (0.max(old - upper[at]), 0.max(old - lower[at]));
                    let (leaving, coming) = self.moving(at);
                    let mut side = |(low, high): (i64, i64), each: i64| {
                        (high > 0).then(|| column(low, high, each))
                    };
                    Place::Moved {
                        base: old,
                        more: side(up, coming),
                        fewer: side(down, leaving),
                    }
                } else {
                    let each = match moved && at < copies {
                        true => self.moving(at).1,
                        false => cost[at],
                    };
                    let (least, most) = (lower[at] * count, upper[at] * count);
                    let most = match at < copies {
                        true => self.most(count, least, most),
                        false => most,
                    };
                    Place::Column(column(least, most, each))
                });
            }
        }
        let representative: Vec<bool> = {
            let mut first = vec![true; copies / linear.sections().max(1)];
            for class in &classes {
                for member in &class.members {
                    first[*member as usize] = false;
                }
                if let Some(card) = class
                    .unknowns
                    .first()
                    .and_then(|unknown| linear.domains[unknown.index()].card)
                {
                    first[card as usize] = true;
                }
            }
            first
        };
        for (at, domain) in linear.domains.iter().enumerate() {
            if places[at].is_some() {
                continue;
            }
            if lower[at] == upper[at] {
                places[at] = Some(Place::Fixed(lower[at]));
                if distance && at < copies {
                    program.fixed_cost += (lower[at] - self.old(at)).abs();
                } else {
                    program.fixed_cost += cost[at] * lower[at];
                }
            } else if domain.card.is_none() {
                program.columns.push(Column {
                    lower: lower[at],
                    upper: upper[at],
                    cost: cost[at],
                    first: true,
                });
                places[at] = Some(Place::Column(program.columns.len() - 1));
            }
        }
        for row in rows {
            let own = only_card(linear, &row);
            if own.is_some_and(|card| !representative[card as usize]) {
                continue;
            }
            let count = own.map_or(1, |_| {
                let of_card = row
                    .terms
                    .iter()
                    .find(|(at, _)| linear.domains[*at].card.is_some());
                of_card.map_or(1, |(at, _)| times[*at])
            });
            if let Some(halves) = halves(&row, places, &upper) {
                program.demands.extend(halves);
                continue;
            }
            let stands = |at: usize| {
                let card = linear.domains[at].card;
                card.is_none_or(|card| representative[card as usize])
            };
            let own_count = |at: usize| match linear.domains[at].card {
                None => count,
                Some(_) => 1,
            };
            let kept = row.terms.iter().filter(|(at, _)| stands(*at));
            let (mut terms, shift) =
                placed(kept.map(|(at, by)| (*at, by * own_count(*at))), places);
            terms.sort_unstable();
            let low = row.low.map(|low| low * count - shift);
            let high = row.high.map(|high| high * count - shift);
            if terms.is_empty() {
                if low.is_some_and(|low| low > 0) || high.is_some_and(|high| high < 0) {
                    return None;
                }
                continue;
            }
            program.demands.push(Demand { terms, low, high });
        }
        let exchanges = self.exchanges.map(|most| {
            let settled = self.settled(places);
            exchanges(&mut program, places, copies, most, settled)
        });
        if let (Objective::Liking { most, .. }, Some((out, into))) = (self.objective, exchanges) {
            program.demands.push(Demand {
                terms: vec![(out, 1), (into, 1)],
                low: None,
                high: Some(most),
            });
        }
        Some(Reduced {
            program,
            exchanges,
            places: places
                .iter()
                .map(|place| place.clone().unwrap_or(Place::Fixed(0)))
                .collect(),
            classes,
            sections: linear.sections(),
            copy_unknowns: copies,
            lower,
            upper,
            varied: self.thin.is_some(),
        })
    }
}

/// Adds the columns that count what goes and what comes to a program of a distance.
fn exchanges(
    program: &mut Program,
    places: &[Option<Place>],
    copies: usize,
    most: i64,
    settled: (i64, i64),
) -> (usize, usize) {
    let (mut out, mut into): (Vec<usize>, Vec<usize>) = (Vec::new(), Vec::new());
    for place in places.iter().take(copies) {
        match place {
            Some(Place::Column(column)) => into.push(*column),
            Some(Place::Moved { more, fewer, .. }) => {
                into.extend(more);
                out.extend(fewer);
            }
            _ => {}
        }
    }
    let mut count = |mut columns: Vec<usize>, settled: i64| {
        // Alike cards have one column among them.
        columns.sort_unstable();
        columns.dedup();
        let total = program.columns.len();
        program.columns.push(Column {
            lower: 0,
            upper: most,
            cost: 0,
            first: false,
        });
        let mut terms: Vec<(usize, i64)> = columns.into_iter().map(|column| (column, 1)).collect();
        terms.push((total, -1));
        program.demands.push(Demand {
            terms,
            low: Some(-settled),
            high: Some(-settled),
        });
        total
    };
    (count(out, settled.0), count(into, settled.1))
}

/// A sum of unknowns as a sum of columns, and what is settled of it.
fn placed(
    terms: impl Iterator<Item = (usize, i64)>,
    places: &[Option<Place>],
) -> (Vec<(usize, i64)>, i64) {
    let (mut placed, mut shift) = (Vec::new(), 0_i64);
    for (at, by) in terms {
        match places[at] {
            Some(Place::Column(column)) => placed.push((column, by)),
            Some(Place::Moved { base, more, fewer }) => {
                shift += base * by;
                placed.extend(more.map(|column| (column, by)));
                placed.extend(fewer.map(|column| (column, -by)));
            }
            Some(Place::Fixed(value)) => shift += value * by,
            Some(Place::Same(_)) | None => {}
        }
    }
    (placed, shift)
}

/// A gate before copies of which some are there already, as two rows: what stays, and what
/// comes in. Together they say what the one row says, and say it to the relaxation, too, to
/// which `base - fewer + more <= most × gate` is nearly nothing.
fn halves(row: &Working, places: &[Option<Place>], upper: &[i64]) -> Option<Vec<Demand>> {
    let (at, most) = row.gated?;
    let Some(Place::Moved { base, more, fewer }) = places[at] else {
        return None;
    };
    let high = row.high.filter(|high| high % most == 0)?;
    let whole = |(other, by): &(usize, i64)| match *other == at {
        true => *by == 1,
        false => by % most == 0,
    };
    let own = row.terms.iter().filter(|(other, _)| *other == at).count();
    if own != 1 || base <= 0 || base >= most || !row.terms.iter().all(whole) {
        return None;
    }
    let gates = row.terms.iter().filter(|(other, _)| *other != at);
    let (gates, open) = placed(gates.map(|(other, by)| (*other, -by / most)), places);
    let open = open + high / most;
    let half = |column: Option<usize>, by: i64, room: i64, there: i64| {
        let mut terms: Vec<(usize, i64)> = gates.iter().map(|(at, by)| (*at, -by * room)).collect();
        terms.extend(column.map(|column| (column, by)));
        terms.sort_unstable();
        Demand {
            terms,
            low: None,
            high: Some(room * open - there),
        }
    };
    let mut demands = vec![half(fewer, -1, base, base)];
    if more.is_some() {
        demands.push(half(more, 1, upper[at] - base, 0));
    }
    Some(demands)
}

impl Reduced {
    /// The copies of each card in each section that values of the columns mean, alike cards
    /// taken one after the other.
    pub(super) fn expand(&self, values: &[i64]) -> Vec<i64> {
        let mut copies: Vec<i64> = (0..self.copy_unknowns)
            .map(|at| self.value(at, values))
            .collect();
        for class in self.classes.iter().filter(|class| class.members.len() > 1) {
            self.share_out(class, values, &mut copies);
        }
        copies
    }

    /// Gives the copies of alike cards to each of them: as many to each as go, or as few as
    /// let every section have cards of its own.
    fn share_out(&self, class: &Class, values: &[i64], copies: &mut [i64]) {
        let count = class.members.len();
        let own = || {
            let unknowns = class.unknowns.iter().map(|unknown| unknown.index());
            unknowns.filter(|at| *at < self.copy_unknowns)
        };
        let more = |at: usize| self.value(at, values) - self.lower[at] * count as i64;
        let each = |at: usize, most: i64| most.min(self.upper[at] - self.lower[at]).max(1);
        let cards = |at: usize, most: i64| {
            more(at).max(0) as u64 as usize / each(at, most) as usize
                + usize::from(more(at) % each(at, most) > 0)
        };
        let fewest = own().map(more).max().unwrap_or(0).max(1);
        let most = match self.varied {
            true => {
                (1..fewest).find(|most| own().map(|at| cards(at, *most)).sum::<usize>() <= count)
            }
            false => None,
        };
        let mut next = 0;
        for at in own() {
            let section = at % self.sections;
            let of =
                |member: usize| class.members[member % count] as usize * self.sections + section;
            for member in 0..count {
                copies[of(member)] = self.lower[at];
            }
            let most = each(at, most.unwrap_or(i64::MAX));
            let mut left = more(at);
            while left > 0 {
                let taken = left.min(most);
                copies[of(next)] += taken;
                left -= taken;
                next += 1;
            }
        }
    }

    fn value(&self, at: usize, values: &[i64]) -> i64 {
        match self.places[at] {
            Place::Fixed(value) => value,
            Place::Column(column) => values[column],
            Place::Moved { base, more, fewer } => {
                base + more.map_or(0, |column| values[column])
                    - fewer.map_or(0, |column| values[column])
            }
            Place::Same(other) => self.value(other.index(), values),
        }
    }

    /// Where the value of an unknown comes from.
    pub(super) fn axis(&self, unknown: Unknown) -> Axis {
        match self.places[unknown.index()] {
            Place::Column(column) => Axis::Column(column),
            Place::Fixed(value) => Axis::Fixed(value),
            Place::Moved { .. } => Axis::Shared,
            Place::Same(other) => self.axis(other),
        }
    }

    /// Lets no more copies go, and no more come, than this.
    pub(super) fn limit_exchanges(&mut self, most: i64) {
        if let Some((out, into)) = self.exchanges {
            self.program.columns[out].upper = most;
            self.program.columns[into].upper = most;
        }
    }

    /// How many copies go, or come, whichever is more.
    pub(super) fn exchanged(&self, values: &[i64]) -> i64 {
        self.exchanges
            .map_or(0, |(out, into)| values[out].max(values[into]))
    }

    /// Whether any cards were merged.
    pub(super) fn is_merged(&self) -> bool {
        self.classes.iter().any(|class| class.members.len() > 1)
    }

    /// For each card the first of those that were merged with it.
    pub(super) fn firsts(&self) -> Vec<u32> {
        let cards = self.copy_unknowns / self.sections.max(1);
        let mut firsts: Vec<u32> = (0..cards as u32).collect();
        for class in &self.classes {
            let first = class.members.iter().min().copied();
            for member in &class.members {
                firsts[*member as usize] = first.unwrap_or(*member);
            }
        }
        firsts
    }
}
