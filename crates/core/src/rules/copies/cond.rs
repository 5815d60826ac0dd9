//! What a `copies` rule demands, as a condition.

use super::Limited;
use crate::pool::CardId;
use crate::rules::Linear;
use crate::rules::demand::{Cond, Leaf, Num, Weights};
use crate::rules::groups::Groups;

impl Limited {
    /// What it demands.
    pub(super) fn demanded(&self, of: &Linear<'_>) -> Cond {
        let (shared, silent) = &self.shared;
        let mut open = false;
        shared.leaves(&mut |leaf| {
            open |= leaf.is_clouded() && of.stranger_copies(leaf.sections) > 0;
        });
        if open || self.unset.is_some() {
            return Cond::always();
        }
        let limits = match &self.by {
            Some((_, groups)) => self.of_groups(groups),
            None => self.of_cards(of),
        };
        Cond::All(limits).unless(silent.clone())
    }

    /// The most, once a card's own number is added.
    fn most_of(&self, own: i64) -> Num {
        let shared = &self.shared.0;
        match shared.constant() {
            Some(shared) => Num::Const(shared.saturating_add(own)),
            None => Num::Add(vec![shared.clone(), Num::Const(own)]),
        }
    }

    /// What is demanded of each card by itself.
    fn of_cards(&self, of: &Linear<'_>) -> Vec<Cond> {
        let limit = |card: CardId| {
            let own = self.max.own(card)?;
            self.of_card(card, self.weight(card), own)
        };
        let known = of.pool().ids().filter(|card| self.cards.has(*card));
        let known = known.filter_map(limit);
        let plain = self.weight.is_none() && self.cards.is_all() && !self.max.is_own();
        let strangers = of.strangers().into_iter().filter(|_| plain);
        let strangers = strangers.filter_map(|card| self.of_card(card, 1, 0));
        known.chain(strangers).collect()
    }

    fn of_card(&self, card: CardId, weight: i64, own: i64) -> Option<Cond> {
        let copies = Leaf::of_card(card, self.sections);
        let also = self.also_in.map(|also| Leaf::of_card(card, also));
        let mut unless: Vec<Cond> = also.iter().map(Leaf::is_absent).collect();
        let limit = match (self.most_of(own), weight) {
            (Num::Const(most), 1..) => Cond::at_most(copies.num(), most.div_euclid(weight).max(0)),
            (Num::Const(most), _) if most < 0 => copies.is_absent(),
            (Num::Const(_), _) => return None,
            // A negative bound lets no copy in, and says nothing where there is none.
            (most, _) => {
                unless.push(copies.is_absent());
                let weighed = Leaf::of(Weights::Few(vec![(card, weight)]), self.sections);
                Cond::Within(weighed.num(), None, Some(most))
            }
        };
        Some(limit.unless(unless))
    }

    /// What is demanded of cards that are one and the same: together they stay within the bound
    /// of each of those that are there.
    fn of_groups(&self, groups: &Groups) -> Vec<Cond> {
        let mut all = Vec::new();
        for group in 0..groups.len() as u32 {
            let members = groups.members(group).iter().copied();
            let members: Vec<CardId> = members.filter(|card| self.cards.has(*card)).collect();
            let Some(first) = members.first().copied() else {
                continue;
            };
            let weighed = members.iter().map(|card| (*card, self.weight(*card)));
            let total = Leaf::of(Weights::Few(weighed.collect()), self.sections).num();
            // Where all have the same fixed bound, whether one is there need not be asked.
            let own = self.max.own(first);
            let same = members.iter().all(|card| self.max.own(*card) == own);
            let plain = same && self.also_in.is_none();
            let most = own.map(|own| self.most_of(own));
            if let Some(most) = most.and_then(|most| most.constant())
                && plain
                && most >= 0
            {
                all.push(Cond::at_most(total, most));
                continue;
            }
            let also = self
                .also_in
                .map(|also| Leaf::of_few(members.iter().copied(), also).is_absent());
            let some = if same { &members[..1] } else { &members };
            for card in some {
                let Some(own) = self.max.own(*card) else {
                    continue;
                };
                let here = match same {
                    true => Leaf::of_few(members.iter().copied(), self.sections),
                    false => Leaf::of_card(*card, self.sections),
                };
                let limit = Cond::Within(total.clone(), None, Some(self.most_of(own)));
                let unless = also.iter().cloned().chain([here.is_absent()]);
                all.push(limit.unless(unless.collect()));
            }
        }
        all
    }
}
