//! Cards that no demand tells apart: they become one column of a program.

use super::gateway::Gateway;
use super::reduce::Task;
use super::rows::Working;
use decklaw_core::rules::linear::{Linear, Unknown};
use rustc_hash::FxHashMap;

/// Stands where a factor would for what is behind a gateway.
const BEHIND: i64 = i64::MAX;

/// Cards that nothing tells apart, in the order in which they are taken.
#[derive(Debug, Clone)]
pub(super) struct Class {
    pub(super) members: Vec<u32>,
    /// The unknowns of each card that the class shares are found by these of the first.
    pub(super) unknowns: Vec<Unknown>,
}

impl Task<'_, '_> {
    /// Groups the cards that the deck does not hold and that no row or gateway tells apart.
    pub(super) fn classes(
        &self,
        (rows, gateways): (&[Working], &[Gateway]),
        lower: &[i64],
        upper: &[i64],
        aliases: &[bool],
    ) -> Vec<Class> {
        let linear = self.linear;
        let (sections, cost) = (linear.sections(), self.cost());
        let cards = linear.copy_unknowns() / sections.max(1);
        let unknowns = Lists::of(cards, |tell| {
            for (at, domain) in linear.domains.iter().enumerate() {
                let open = lower[at] < upper[at] && !aliases[at];
                if let Some(card) = domain.card.filter(|_| open) {
                    tell(card as usize, &[at as i64]);
                }
            }
        });
        let mut position = vec![-1_i64; lower.len()];
        for card in 0..cards {
            for (place, at) in (0..).zip(unknowns.own(card)) {
                position[*at as usize] = place;
            }
        }
        // What each unknown does in rows and gateways of several cards, and each card's rows of its
        // own.
        let owners: Vec<Option<u32>> = rows.iter().map(|row| only_card(linear, row)).collect();
        let shared = Lists::of(lower.len(), |tell| {
            let owned = (0..).zip(rows).zip(&owners);
            for ((number, row), _) in owned.filter(|(_, owner)| owner.is_none()) {
                row.terms
                    .iter()
                    .for_each(|(at, by)| tell(*at, &[number, *by]));
            }
            for (number, gateway) in (rows.len() as i64..).zip(gateways) {
                let flags = gateway.flags.iter();
                flags.for_each(|(at, by)| tell(*at, &[number, *by]));
                let behind = gateway.behind.iter();
                behind.for_each(|at| tell(*at, &[number, BEHIND]));
            }
        });
        let local = Lists::of(cards, |tell| {
            for (row, owner) in rows.iter().zip(&owners) {
                let Some(card) = owner else { continue };
                let card = *card as usize;
                let ends = (row.low.unwrap_or(i64::MIN), row.high.unwrap_or(i64::MAX));
                tell(card, &[i64::MIN, ends.0, ends.1]);
                for (at, by) in &row.terms {
                    let which = match position[*at] {
                        -1 => -1 - *at as i64,
                        place => place,
                    };
                    tell(card, &[which, *by]);
                }
            }
        });
        let mut order: Vec<u32> = (0..cards as u32).collect();
        order.sort_by_key(|card| self.rank.get(*card as usize).copied().unwrap_or(*card));
        let mut signature: Vec<i64> = Vec::new();
        let mut found: FxHashMap<Box<[i64]>, usize> = FxHashMap::default();
        let mut classes: Vec<Class> = Vec::new();
        for card in order {
            let own = unknowns.own(card as usize);
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
            signature.clear();
            signature.extend_from_slice(local.own(card as usize));
            for at in own.iter().map(|at| *at as usize) {
                let kind = match at < linear.copy_unknowns() {
                    true => (at % sections) as i64,
                    false => -1,
                };
                signature.extend([i64::MAX, kind, lower[at], upper[at], cost[at]]);
                signature.extend_from_slice(shared.own(at));
            }
            match found.get(signature.as_slice()) {
                Some(known) => classes[*known].members.push(card),
                None => {
                    found.insert(signature.as_slice().into(), classes.len());
                    classes.push(class);
                }
            }
        }
        classes.sort_by_key(|class| class.members.iter().min().copied());
        classes
    }
}

/// Many short lists, one behind the other.
pub(super) struct Lists {
    starts: Vec<u32>,
    all: Vec<i64>,
}

impl Lists {
    /// So many lists of what `each` tells, which is asked twice: how much, and what.
    pub(super) fn of(count: usize, each: impl Fn(&mut dyn FnMut(usize, &[i64]))) -> Lists {
        let mut starts = vec![0_u32; count + 1];
        each(&mut |at, told| starts[at + 1] += told.len() as u32);
        for at in 0..count {
            starts[at + 1] += starts[at];
        }
        let mut next = starts.clone();
        let mut all = vec![0; starts[count] as usize];
        each(&mut |at, told| {
            let start = next[at] as usize;
            all[start..start + told.len()].copy_from_slice(told);
            next[at] += told.len() as u32;
        });
        Lists { starts, all }
    }

    pub(super) fn own(&self, at: usize) -> &[i64] {
        &self.all[self.starts[at] as usize..self.starts[at + 1] as usize]
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
