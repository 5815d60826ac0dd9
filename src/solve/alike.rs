//! Cards that no demand tells apart: they become one column of a program.

use super::reduce::Task;
use super::rows::Working;
use crate::rules::linear::{Linear, Unknown};
use rustc_hash::FxHashMap;

/// Cards that nothing tells apart, in the order in which they are taken.
#[derive(Debug)]
pub(super) struct Class {
    pub(super) members: Vec<u32>,
    /// The unknowns of each card that the class shares are found by these of the first.
    pub(super) unknowns: Vec<Unknown>,
}

impl Task<'_, '_> {
    /// Groups the cards that the deck does not hold and that no row tells apart.
    pub(super) fn classes(
        &self,
        rows: &[Working],
        lower: &[i64],
        upper: &[i64],
        aliases: &[bool],
    ) -> Vec<Class> {
        let linear = self.linear;
        let (sections, cost) = (linear.sections(), self.cost());
        let cards = linear.copy_unknowns() / sections.max(1);
        let mut unknowns: Vec<Vec<usize>> = vec![Vec::new(); cards];
        for (at, domain) in linear.domains.iter().enumerate() {
            if let Some(card) = domain
                .card
                .filter(|_| lower[at] < upper[at] && !aliases[at])
            {
                unknowns[card as usize].push(at);
            }
        }
        let mut position = vec![-1_i64; lower.len()];
        for own in &unknowns {
            for (place, at) in (0..).zip(own) {
                position[*at] = place;
            }
        }
        // What each unknown does in rows of several cards, and each card's rows of its own.
        let mut shared: Vec<Vec<i64>> = vec![Vec::new(); lower.len()];
        let mut local: Vec<Vec<i64>> = vec![Vec::new(); cards];
        for (number, row) in (0..).zip(rows) {
            match only_card(linear, row) {
                Some(card) => {
                    let own = &mut local[card as usize];
                    own.extend([
                        i64::MIN,
                        row.low.unwrap_or(i64::MIN),
                        row.high.unwrap_or(i64::MAX),
                    ]);
                    for (at, by) in &row.terms {
                        let which = match position[*at] {
                            -1 => -1 - *at as i64,
                            place => place,
                        };
                        own.extend([which, *by]);
                    }
                }
                None => {
                    for (at, by) in &row.terms {
                        shared[*at].extend([number, *by]);
                    }
                }
            }
        }
        if self.by_rule {
            for bound in &linear.bounds {
                if let Some(card) = linear.domains[bound.unknown.index()].card {
                    local[card as usize].extend([
                        i64::MIN,
                        i64::from(bound.tag),
                        (bound.unknown.index() % sections) as i64,
                        bound.upper.unwrap_or(i64::MAX),
                    ]);
                }
            }
            self.tell_fixed(lower, upper, &mut local);
        }
        let mut order: Vec<u32> = (0..cards as u32).collect();
        order.sort_by_key(|card| self.rank.get(*card as usize).copied().unwrap_or(*card));
        let mut found: FxHashMap<Vec<i64>, usize> = FxHashMap::default();
        let mut classes: Vec<Class> = Vec::new();
        for card in order {
            let own = &unknowns[card as usize];
            if own.is_empty() {
                continue;
            }
            let class = Class {
                members: vec![card],
                unknowns: own.iter().map(|at| Unknown(*at as u32)).collect(),
            };
            let start = card as usize * sections;
            let held = (start..start + sections).any(|at| self.old(at) != 0);
            if held || self.apart.get(card as usize).copied().unwrap_or(false) {
                classes.push(class);
                continue;
            }
            let mut signature = std::mem::take(&mut local[card as usize]);
            for at in own {
                let kind = match *at < linear.copy_unknowns() {
                    true => (*at % sections) as i64,
                    false => -1,
                };
                signature.extend([i64::MAX, kind, lower[*at], upper[*at], cost[*at]]);
                signature.append(&mut shared[*at]);
            }
            match found.get(&signature) {
                Some(known) => classes[*known].members.push(card),
                None => {
                    found.insert(signature, classes.len());
                    classes.push(class);
                }
            }
        }
        classes.sort_by_key(|class| class.members.iter().min().copied());
        classes
    }

    /// What cards would do where no copy of them may stand: rows that are settled no longer tell
    /// it, and it decides which rule speaks first.
    fn tell_fixed(&self, lower: &[i64], upper: &[i64], local: &mut [Vec<i64>]) {
        let linear = self.linear;
        for (number, row) in (0..).zip(&linear.rows) {
            let cards = (row.terms.iter()).filter_map(|(at, _)| linear.domains[at.index()].card);
            let alone = cards.clone().min() == cards.max();
            for (at, by) in &row.terms {
                let at = at.index();
                let fixed = at < linear.copy_unknowns() && lower[at] >= upper[at];
                if let Some(card) = linear.domains[at].card.filter(|_| fixed) {
                    local[card as usize].extend([
                        i64::MIN,
                        if alone { i64::from(row.tag) } else { number },
                        (at % linear.sections()) as i64,
                        *by,
                        row.low.unwrap_or(i64::MIN),
                        row.high.unwrap_or(i64::MAX),
                    ]);
                }
            }
        }
    }
}

/// The one card whose unknowns a row has, if it is just one.
pub(super) fn only_card(linear: &Linear<'_>, row: &Working) -> Option<u32> {
    let mut cards = row
        .terms
        .iter()
        .filter_map(|(at, _)| linear.domains[*at].card);
    let first = cards.next()?;
    cards.all(|card| card == first).then_some(first)
}
