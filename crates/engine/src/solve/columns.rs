//! The columns of a program, and its demands in them: one column for the copies of alike cards
//! in a section, two for copies where some are there already.

use super::alike::only_card;
use super::program::{Column, Demand, Program};
use super::reduce::{Objective, Presolved, Task};
use super::reduced::{Class, Reduced};
use super::rows::{Place, Row};

impl Task<'_, '_> {
    /// What a copy costs that goes, and one that comes.
    fn moving(&self, at: usize) -> (i64, i64) {
        match self.objective {
            Objective::Distance => (1, 1),
            Objective::Sum(_) => (0, 0),
            Objective::Changes { out, into, .. } => (out[at], into[at]),
        }
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

    /// The position of each column: those of a class where its first card is.
    fn ranks(&self, classes: &[Class], places: &[Option<Place>], columns: usize) -> Vec<u32> {
        let mut ranks = vec![u32::MAX; columns];
        for class in classes {
            let Some(first) = class.members.first() else {
                continue;
            };
            let rank = self.rank.get(*first as usize).copied().unwrap_or(*first);
            for unknown in &class.unknowns {
                let own = match places[unknown.index()] {
                    Some(Place::Column(column)) => [Some(column), None],
                    Some(Place::Moved { more, fewer, .. }) => [more, fewer],
                    _ => [None, None],
                };
                own.into_iter().flatten().for_each(|column| ranks[column] = rank);
            }
        }
        ranks
    }

    /// Makes each card that changes in a section cost something, however many copies of it do. Of
    /// alike cards as many copies go to each as its bound lets.
    fn charge_cards(
        &self,
        program: &mut Program,
        places: &[Option<Place>],
        (upper, classes): (&[i64], &[Class]),
    ) {
        let Objective::Changes { card, .. } = self.objective else {
            return;
        };
        let copies = self.linear.copy_unknowns();
        for class in classes {
            let count = class.members.len() as i64;
            let unknowns = class.unknowns.iter().map(|unknown| unknown.index());
            for at in unknowns.filter(|at| *at < copies) {
                let (columns, each) = match places[at] {
                    Some(Place::Column(column)) => ([Some(column), None], Some(upper[at])),
                    Some(Place::Moved { more, fewer, .. }) => ([more, fewer], None),
                    _ => continue,
                };
                for column in columns.into_iter().flatten() {
                    let own = &mut program.columns[column];
                    let each = each.unwrap_or(own.upper);
                    if each <= 1 {
                        own.cost += card;
                        continue;
                    }
                    let cards = program.columns.len();
                    program.columns.push(Column {
                        lower: 0,
                        upper: count,
                        cost: card,
                        first: false,
                    });
                    program.demands.push(Demand {
                        terms: vec![(column, -1), (cards, each)],
                        low: Some(0),
                        high: None,
                    });
                }
            }
        }
    }

    /// The program of rows, with a column for what each class has in common.
    pub(super) fn columns(&self, settled: &Presolved) -> Option<Reduced> {
        let Presolved { rows, gateways, places, bounds, classes } = settled;
        let (lower, upper) = (&bounds.lower, &bounds.upper);
        let mut places = places.clone();
        let linear = self.linear;
        let cost = self.cost();
        let moved = !matches!(self.objective, Objective::Sum(_));
        let distance = matches!(self.objective, Objective::Distance);
        let copies = linear.copy_unknowns();
        let mut program = Program::default();
        let mut column = |lower: i64, upper: i64, cost: i64| {
            program.columns.push(Column { lower, upper, cost, first: false });
            program.columns.len() - 1
        };
        // How many cards a column represents.
        let mut times = vec![1_i64; lower.len()];
        for class in classes {
            let count = class.members.len() as i64;
            for unknown in &class.unknowns {
                let at = unknown.index();
                let old = self.old(at);
                times[at] = count;
                places[at] = Some(if moved && at < copies && old != 0 {
                    let up = (0.max(lower[at] - old), 0.max(upper[at] - old));
                    let down = (0.max(old - upper[at]), 0.max(old - lower[at]));
                    let (leaving, coming) = self.moving(at);
                    let mut side = |(low, high): (i64, i64), each: i64| {
                        (high > 0).then(|| column(low, high, each))
                    };
                    Place::Moved { base: old, more: side(up, coming), fewer: side(down, leaving) }
                } else {
                    let each = if moved && at < copies { self.moving(at).1 } else { cost[at] };
                    Place::Column(column(lower[at] * count, upper[at] * count, each))
                });
            }
        }
        let representative: Vec<bool> = {
            let mut first = vec![true; copies / linear.sections().max(1)];
            for class in classes {
                for member in &class.members {
                    first[*member as usize] = false;
                }
                if let Some(card) =
                    class.unknowns.first().and_then(|unknown| linear.domains[unknown.index()].card)
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
        let stands = |at: usize| {
            let card = linear.domains[at].card;
            card.is_none_or(|card| representative[card as usize])
        };
        for gateway in gateways {
            for at in gateway.behind.iter().copied().filter(|at| stands(*at)) {
                if let Some(Place::Moved { .. }) = places[at]
                    && let Some(halves) = halves(&gateway.row(at, upper[at]), &places, upper)
                {
                    program.demands.extend(halves);
                    continue;
                }
                let most = upper[at] * times[at];
                let flags = gateway.flags.iter().filter(|(flag, _)| stands(*flag));
                let flags = flags.map(|(flag, by)| (*flag, -by * most));
                let terms = std::iter::once((at, 1)).chain(flags);
                let ends = (None, Some(gateway.constant * most));
                program.demands.extend(demand(terms, ends, &places)?);
            }
        }
        for row in rows {
            let own = only_card(linear, row);
            if own.is_some_and(|card| !representative[card as usize]) {
                continue;
            }
            if let Some(halves) = halves(row, &places, upper) {
                program.demands.extend(halves);
                continue;
            }
            let count = own.map_or(1, |_| {
                let mut terms = row.demand.terms.iter();
                let of_card = terms.find(|(at, _)| linear.domains[*at].card.is_some());
                of_card.map_or(1, |(at, _)| times[*at])
            });
            let own_count = |at: usize| match linear.domains[at].card {
                None => count,
                Some(_) => 1,
            };
            let kept = row.demand.terms.iter().filter(|(at, _)| stands(*at));
            let terms = kept.map(|(at, by)| (*at, by * own_count(*at)));
            let ends =
                (row.demand.low.map(|low| low * count), row.demand.high.map(|high| high * count));
            program.demands.extend(demand(terms, ends, &places)?);
        }
        self.charge_cards(&mut program, &places, (upper, classes));
        let exchanges = self.exchanges.map(|most| {
            let settled = self.settled(&places);
            exchanges(&mut program, &places, copies, most, settled)
        });
        if let (Objective::Changes { most, .. }, Some((out, into))) = (self.objective, exchanges) {
            program.demands.push(Demand {
                terms: vec![(out, 1), (into, 1)],
                low: None,
                high: Some(most),
            });
        }
        let mut reduced = Reduced {
            rank: self.ranks(classes, &places, program.columns.len()),
            set: Vec::new(),
            fold: None,
            program,
            exchanges,
            places: places.into_iter().map(|place| place.unwrap_or(Place::Fixed(0))).collect(),
            classes: classes.clone(),
            sections: linear.sections(),
            copy_unknowns: copies,
            bounds: bounds.clone(),
            // What each card costs is counted with as many copies of it as go.
            shaped: self.shaped && !matches!(self.objective, Objective::Changes { card: 1.., .. }),
        };
        reduced.open(exchanges.into_iter().flat_map(<[usize; 2]>::from));
        Some(reduced)
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
        program.columns.push(Column { lower: 0, upper: most, cost: 0, first: false });
        let mut terms: Vec<(usize, i64)> = columns.into_iter().map(|column| (column, 1)).collect();
        terms.push((total, -1));
        program.demands.push(Demand { terms, low: Some(-settled), high: Some(-settled) });
        total
    };
    (count(out, settled.0), count(into, settled.1))
}

/// A sum of unknowns between two ends as a demand on columns, if it says anything of them;
/// outside: `None` where it cannot be.
fn demand(
    terms: impl Iterator<Item = (usize, i64)>,
    (low, high): (Option<i64>, Option<i64>),
    places: &[Option<Place>],
) -> Option<Option<Demand>> {
    let (mut terms, shift) = placed(terms, places);
    terms.sort_unstable();
    let (low, high) = (low.map(|low| low - shift), high.map(|high| high - shift));
    if !terms.is_empty() {
        return Some(Some(Demand { terms, low, high }));
    }
    let fails = low.is_some_and(|low| low > 0) || high.is_some_and(|high| high < 0);
    (!fails).then_some(None)
}

/// A sum of unknowns as a sum of columns, and what is settled of it.
fn placed(
    terms: impl Iterator<Item = (usize, i64)>,
    places: &[Option<Place>],
) -> (Vec<(usize, i64)>, i64) {
    let (mut placed, mut shift) = (Vec::with_capacity(terms.size_hint().1.unwrap_or(0)), 0_i64);
    for (at, by) in terms {
        match places[at] {
            Some(Place::Column(column)) => placed.push((column, by)),
            Some(Place::Moved { base, more, fewer }) => {
                shift += base * by;
                placed.extend(more.map(|column| (column, by)));
                placed.extend(fewer.map(|column| (column, -by)));
            }
            Some(Place::Fixed(value)) => shift += value * by,
            Some(Place::Same(_) | Place::Total(_)) | None => {}
        }
    }
    (placed, shift)
}

/// A gate before copies where some are there already, as two rows: what stays, and what
/// comes in. Together they say what the one row says, and say it to the relaxation, too, to
/// which `base - fewer + more <= most × gate` is nearly nothing.
fn halves(row: &Row, places: &[Option<Place>], upper: &[i64]) -> Option<Vec<Demand>> {
    let (at, most) = row.gated?;
    let Some(Place::Moved { base, more, fewer }) = places[at] else {
        return None;
    };
    let row = &row.demand;
    let high = row.high.filter(|high| high % most == 0)?;
    let whole = |(other, by): &(usize, i64)| {
        if *other == at { *by == 1 } else { by % most == 0 }
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
        Demand { terms, low: None, high: Some(room * open - there) }
    };
    let mut demands = vec![half(fewer, -1, base, base)];
    if more.is_some() {
        demands.push(half(more, 1, upper[at] - base, 0));
    }
    Some(demands)
}
