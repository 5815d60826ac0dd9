//! Cards that no demand distinguishes: they become one column of a program.

use super::program::Bounds;
use super::propagate::{Lists, SharedImplication};
use super::reduce::Task;
use super::reduced::Class;
use super::rows::Row;
use crate::partition::partition;
use decklaw_rules::rules::linear::{Linear, Unknown};

/// Stands where a factor would for what is behind a gateway.
const BEHIND: i64 = i64::MAX;

impl Task<'_, '_> {
    /// Groups the cards that the deck does not hold and that no row or gateway distinguishes.
    pub(super) fn classes(
        &self,
        (rows, gateways): (&[Row], &[SharedImplication]),
        bounds: &Bounds,
        aliases: &[bool],
    ) -> Vec<Class> {
        let linear = self.linear;
        let (sections, cost) = (linear.sections(), self.cost());
        let cards = linear.copy_unknowns() / sections.max(1);
        let unknowns = Lists::of(cards, |add| {
            for (at, domain) in linear.domains.iter().enumerate() {
                let open = !bounds.is_fixed(at) && !aliases[at];
                if let Some(card) = domain.card.filter(|_| open) {
                    add(card as usize, &[at as i64]);
                }
            }
        });
        let mut position = vec![-1_i64; linear.domains.len()];
        for card in 0..cards {
            for (place, at) in (0..).zip(unknowns.own(card)) {
                position[*at as usize] = place;
            }
        }
        // What each unknown does in rows and gateways of several cards, and each card's rows of its
        // own.
        let owners: Vec<Option<u32>> = rows.iter().map(|row| only_card(linear, row)).collect();
        let shared = Lists::of(linear.domains.len(), |add| {
            let owned = (0..).zip(rows).zip(&owners);
            for ((number, row), _) in owned.filter(|(_, owner)| owner.is_none()) {
                let terms = row.demand.terms.iter();
                terms.for_each(|(at, by)| add(*at, &[number, *by]));
            }
            for (number, gateway) in (rows.len() as i64..).zip(gateways) {
                let flags = gateway.flags.iter();
                flags.for_each(|(at, by)| add(*at, &[number, *by]));
                let behind = gateway.behind.iter();
                behind.for_each(|at| add(*at, &[number, BEHIND]));
            }
        });
        let local = Lists::of(cards, |add| {
            for (row, owner) in rows.iter().zip(&owners) {
                let Some(card) = owner else { continue };
                let card = *card as usize;
                let row = &row.demand;
                let ends = (row.low.unwrap_or(i64::MIN), row.high.unwrap_or(i64::MAX));
                add(card, &[i64::MIN, ends.0, ends.1]);
                for (at, by) in &row.terms {
                    let which = match position[*at] {
                        -1 => -1 - *at as i64,
                        place => place,
                    };
                    add(card, &[which, *by]);
                }
            }
        });
        let mut order: Vec<u32> = (0..cards as u32).collect();
        order.sort_by_key(|card| self.rank.get(*card as usize).copied().unwrap_or(*card));
        order.retain(|card| !unknowns.own(*card as usize).is_empty());
        let signature = |card: &u32| {
            let card = *card as usize;
            let start = card * sections;
            let is_held = (start..start + sections).any(|at| self.old(at) != 0);
            if is_held || self.apart.get(card).copied().unwrap_or(false) {
                // A class of its own.
                return vec![card as i64];
            }
            let mut signature = local.own(card).to_vec();
            for at in unknowns.own(card).iter().map(|at| *at as usize) {
                let kind = if at < linear.copy_unknowns() { (at % sections) as i64 } else { -1 };
                let (lower, upper) = (bounds.lower[at], bounds.upper[at]);
                signature.extend([i64::MAX, kind, lower, upper, cost[at]]);
                signature.extend_from_slice(shared.own(at));
            }
            signature
        };
        let mut classes: Vec<Class> = Vec::new();
        for (card, class) in order.iter().zip(partition(order.iter().map(signature))) {
            match classes.get_mut(class) {
                Some(known) => known.members.push(*card),
                None => {
                    let own = unknowns.own(*card as usize).iter();
                    classes.push(Class {
                        members: vec![*card],
                        unknowns: own.map(|at| Unknown(*at as u32)).collect(),
                    });
                }
            }
        }
        classes.sort_by_key(|class| class.members.iter().min().copied());
        classes
    }
}

/// The one card whose unknowns a row has, if it is just one.
pub(super) fn only_card(linear: &Linear<'_>, row: &Row) -> Option<u32> {
    let terms = row.demand.terms.iter();
    let mut cards = terms.filter_map(|(at, _)| linear.domains[*at].card);
    let first = cards.next()?;
    cards.all(|card| card == first).then_some(first)
}
