//! From the linear form of rules to a small integer program: bounds are narrowed, what is
//! settled is left out, and cards that nothing distinguishes become one column.

use super::gateway::gateways;
use super::program::{Bounds, gather};
use super::propagate::SharedImplication;
use super::reduced::{Class, Reduced};
use super::rows::{Place, Row, narrow, substitute, unconditional};
use decklaw_rules::rules::linear::{Gate, Linear, MEANING, Tag, Unknown};
use rustc_hash::FxHashSet;

/// What is to be made as small as possible.
#[derive(Debug, Clone, Copy)]
pub(super) enum Objective<'o> {
    /// Copies that change.
    Distance,
    /// A sum with factors that are not negative.
    Sum(&'o [(Unknown, i64)]),
    /// The cost of each copy that goes and that comes, by unknown, and of each card that changes in
    /// a section; at most `most` copies may change.
    Changes { out: &'o [i64], into: &'o [i64], card: i64, most: i64 },
}

/// How many copies of a card are looked at where no rule sets a limit.
#[derive(Debug, Clone, Copy)]
pub(super) enum Cap {
    /// As many as a deck can have.
    None,
    /// No more than this, or than the deck holds: a guess that keeps numbers small, and that
    /// proves nothing where it cut something off.
    Guess(i64),
    /// At most this many more than the deck holds: true of every deck within that distance.
    Near(i64),
}

/// What a reduction starts from.
#[derive(Debug, Clone, Copy)]
pub(super) struct Task<'t, 'c> {
    pub(super) linear: &'t Linear<'c>,
    /// Copies that the deck holds now, by unknown.
    pub(super) old: &'t [i64],
    pub(super) objective: Objective<'t>,
    /// Further demands, such as what a wish that came first must keep.
    pub(super) besides: &'t [(Vec<(Unknown, i64)>, i64)],
    /// Cards that must not be merged with others.
    pub(super) apart: &'t [bool],
    /// The position of each card in the order in which alike cards are taken.
    pub(super) rank: &'t [u32],
    /// Whether alike cards share copies out as players do.
    pub(super) shaped: bool,
    /// The most copies of a card where no rule sets a limit.
    pub(super) cap: Cap,
    /// The most copies that go and the most that come, where there is a limit of each.
    pub(super) exchanges: Option<i64>,
}

/// What is left of demands once bounds are narrowed, and what is settled is left out.
pub(super) struct Presolved {
    pub(super) rows: Vec<Row>,
    pub(super) gateways: Vec<SharedImplication>,
    pub(super) places: Vec<Option<Place>>,
    pub(super) bounds: Bounds,
    pub(super) classes: Vec<Class>,
}

impl Task<'_, '_> {
    /// Makes the program of the demands whose tags are `active`; `None` if bounds alone show
    /// that nothing satisfies them. `cut` becomes true where a guess cut copies off that the
    /// rules allow.
    pub(super) fn reduce(
        &self,
        active: &dyn Fn(Tag) -> bool,
        cut: &mut bool,
        effort: &mut u64,
    ) -> Option<Reduced> {
        // Some of a small effort is left for the search.
        *effort -= self.steps().min(*effort / 2);
        self.columns(&self.settle(active, cut)?)
    }

    /// The steps that a reduction takes, roughly.
    pub(super) fn steps(&self) -> u64 {
        /// This many unknowns, terms and gates take a step.
        const A_STEP: usize = 100;
        let rows = self.linear.rows.iter();
        let terms: usize = rows.map(|row| row.terms.len()).sum();
        let size = terms + self.linear.domains.len() + self.linear.gates.len();
        (size / A_STEP) as u64
    }

    /// The first half of it, without columns.
    fn settle(&self, active: &dyn Fn(Tag) -> bool, cut: &mut bool) -> Option<Presolved> {
        let linear = self.linear;
        let on = |tag: Tag| tag == MEANING || active(tag);
        let mut bounds = Bounds {
            lower: linear.domains.iter().map(|domain| domain.lower).collect(),
            upper: linear.domains.iter().map(|domain| domain.upper).collect(),
        };
        for bound in linear.bounds.iter().filter(|bound| on(bound.tag)) {
            let at = bound.unknown.index();
            bounds.lower[at] = bounds.lower[at].max(bound.lower.unwrap_or(i64::MIN));
            bounds.upper[at] = bounds.upper[at].min(bound.upper.unwrap_or(i64::MAX));
        }
        if bounds.is_crossed() {
            return None;
        }
        let plain = |terms: &[(Unknown, i64)]| -> Vec<(usize, i64)> {
            terms.iter().map(|(unknown, by)| (unknown.index(), *by)).collect()
        };
        let mut rows: Vec<Row> = Vec::new();
        let mut conditional = Vec::new();
        for row in linear.rows.iter().filter(|row| on(row.tag)) {
            let mut terms = plain(&row.terms);
            gather(&mut terms);
            let own = Row::new(terms, row.low, row.high);
            match row.when {
                None => rows.push(own),
                Some(flag) => conditional.push((flag.index(), own)),
            }
        }
        for (terms, most) in self.besides {
            rows.push(Row::new(plain(terms), None, Some(*most)));
        }
        narrow(&rows, &[], &mut bounds)?;
        if self.limit(&mut bounds, cut) {
            narrow(&rows, &[], &mut bounds)?;
        }
        let mut places = self.aliases(&mut bounds);
        self.exclusive(&rows, &bounds.lower, &mut places);
        let gates = linear.gates.iter().filter(|gate| on(gate.tag));
        let (mut gateways, own) = gateways(gates, linear, &places, &bounds.upper);
        rows.extend(own);
        let conditions: FxHashSet<usize> = conditional.iter().map(|(flag, _)| *flag).collect();
        let only = |gate: &&Gate| gate.constant == 0 && on(gate.tag);
        let gates = linear.gates.iter().filter(only);
        let gated = gates.filter_map(|gate| match &*gate.flags {
            [(flag, 1)] => Some((flag.index(), gate.unknown.index())),
            _ => None,
        });
        let gated: FxHashSet<(usize, usize)> =
            gated.filter(|(flag, _)| conditions.contains(flag)).collect();
        for (flag, row) in conditional {
            let is_gone = |at: usize| gated.contains(&(flag, at));
            rows.extend(unconditional(flag, row, &bounds, is_gone));
        }
        for row in &mut rows {
            substitute(&mut row.demand.terms, &places);
        }
        narrow(&rows, &gateways, &mut bounds)?;
        gateways.retain_mut(|gateway| gateway.settle(&bounds, &mut rows));
        rows.retain_mut(|row| row.settle(&bounds));
        let aliases: Vec<bool> = places.iter().map(Option::is_some).collect();
        let classes = self.classes((&rows, &gateways), &bounds, &aliases);
        Some(Presolved { rows, gateways, places, bounds, classes })
    }

    /// Lets no card have more copies than the cap; whether that took anything away.
    fn limit(&self, Bounds { lower, upper }: &mut Bounds, cut: &mut bool) -> bool {
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
    fn aliases(&self, Bounds { lower, upper }: &mut Bounds) -> Vec<Option<Place>> {
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

    /// Flags that say that some copies are there are the sum of these copies, where a row lets
    /// just one of them be.
    fn exclusive(&self, rows: &[Row], lower: &[i64], places: &mut [Option<Place>]) {
        let linear = self.linear;
        // The first row that lets just one of its unknowns be, by unknown.
        let mut single = vec![usize::MAX; lower.len()];
        for (at, row) in rows.iter().map(|row| &row.demand).enumerate() {
            let counts = |(unknown, by): &(usize, i64)| *by >= 1 && lower[*unknown] >= 0;
            if row.high == Some(1)
                && row.low.is_none_or(|low| low <= 0)
                && row.terms.iter().all(counts)
            {
                for (unknown, _) in &row.terms {
                    single[*unknown] = single[*unknown].min(at);
                }
            }
        }
        let cost = self.cost();
        let anys = linear.anys();
        let mut asked = vec![0_u32; lower.len()];
        for gate in &linear.gates {
            asked[gate.unknown.index()] += 1;
            gate.flags.iter().for_each(|(flag, _)| asked[flag.index()] += 1);
        }
        for (held, flag) in anys {
            let at = flag.index();
            let row = held.first().map(|(unknown, _)| single[unknown.index()]);
            let together = |row: usize| {
                let mut each = held.iter().map(|(unknown, _)| unknown.index());
                row != usize::MAX
                    && each.all(|unknown| single[unknown] == row && places[unknown].is_none())
            };
            // Nothing but its own gates makes it what it is.
            let own = asked[at] == held.len() as u32 + 1;
            if own && lower[at] == 0 && cost[at] == 0 && row.is_some_and(together) {
                let all = held.iter().map(|(unknown, _)| *unknown);
                places[at] = Some(Place::Total(all.collect()));
            }
        }
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
            Objective::Changes { into, .. } => cost[..into.len()].copy_from_slice(into),
        }
        cost
    }

    pub(super) fn old(&self, unknown: usize) -> i64 {
        self.old.get(unknown).copied().unwrap_or(0)
    }
}
