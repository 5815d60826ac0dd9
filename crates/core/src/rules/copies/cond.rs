//! What a `copies` rule demands, as a condition.

use super::Limited;
use crate::pool::CardId;
use crate::rules::Linear;
use crate::rules::agreement::Price;
use crate::rules::demand::{Agreeing, Cond, Leaf, Num, Weights};
use crate::rules::groups::Groups;
use rustc_hash::FxHashMap;

/// Cards that agree with the identity cards together or not at all, with the condition on which
/// they do.
type Classes = Vec<(Cond, Vec<CardId>)>;

impl Limited {
    /// What it demands.
    pub(super) fn demanded(&self, of: &Linear<'_>) -> Cond {
        let (shared, silent) = &self.shared;
        let mut open = false;
        shared.leaves(&mut |leaf| {
            open |= leaf.is_clouded() && of.stranger_copies(leaf.sections) > 0;
        });
        let matched = self.matched.as_ref();
        open |= matched.is_some_and(|matched| of.stranger_copies(matched.agrees.sections()) > 0);
        if open || self.unset.is_some() {
            return Cond::always();
        }
        let said = matched.and_then(|matched| matched.agrees.cond_said(of));
        let classes = matched.map(|matched| {
            let concerns = |card| self.cards.has(card);
            matched.agrees.classes(of, &concerns)
        });
        let classes = classes.unwrap_or_default();
        let limits = match &self.by {
            Some((_, groups)) => self.of_groups(groups, &classes),
            None => self.of_cards(&classes, of),
        };
        let limits = Cond::All(limits).unless(silent.clone());
        Cond::All(said.into_iter().chain([limits]).collect())
    }

    /// The most, once a card's own number is added and the price has changed it.
    fn most_of(&self, own: i64, price: Price) -> Num {
        let shared = &self.shared.0;
        match (shared.constant(), price.times) {
            (Some(shared), _) => Num::Const(price.of(shared.saturating_add(own))),
            (None, 0) => Num::Const(price.plus),
            (None, times) => Num::Add(vec![
                Num::Times(times, Box::new(shared.clone())),
                Num::Const(price.of(own)),
            ]),
        }
    }

    /// What is demanded of each card by itself.
    fn of_cards(&self, classes: &Classes, of: &Linear<'_>) -> Vec<Cond> {
        let limit = |card: CardId, price| {
            let own = self.max.own(card)?;
            self.of_card(card, self.weight(card), own, price)
        };
        let Some(matched) = &self.matched else {
            let known = of.pool().ids().filter(|card| self.cards.has(*card));
            let known = known.filter_map(|card| limit(card, Price::SAME));
            let plain = self.weight.is_none() && self.cards.is_all() && !self.max.is_own();
            let strangers = of.strangers().into_iter().filter(|_| plain);
            let strangers = strangers.filter_map(|card| self.of_card(card, 1, 0, Price::SAME));
            return known.chain(strangers).collect();
        };
        let mut all = Vec::new();
        for (agrees, cards) in classes {
            let limits = |price: Price| {
                let each = cards.iter().filter_map(|card| limit(*card, price));
                Cond::All(each.collect())
            };
            all.extend(
                matched
                    .then
                    .map(|then| limits(then).unless(vec![agrees.negated()])),
            );
            all.push(limits(matched.otherwise).unless(vec![agrees.clone()]));
        }
        all
    }

    fn of_card(&self, card: CardId, weight: i64, own: i64, price: Price) -> Option<Cond> {
        let copies = Leaf::of_card(card, self.sections);
        let also = self.also_in.map(|also| Leaf::of_card(card, also));
        let mut unless: Vec<Cond> = also.iter().map(Leaf::is_absent).collect();
        let limit = match (self.most_of(own, price), weight) {
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
    fn of_groups(&self, groups: &Groups, classes: &Classes) -> Vec<Cond> {
        let mut class_of: FxHashMap<CardId, usize> = FxHashMap::default();
        for (at, (_, cards)) in classes.iter().enumerate() {
            class_of.extend(cards.iter().map(|card| (*card, at)));
        }
        // What becomes of a card's most, and the condition on which it does not.
        let cases = |card: CardId| match (&self.matched, class_of.get(&card)) {
            (Some(matched), Some(at)) => {
                let agrees = &classes[*at].0;
                let then = matched.then.map(|then| (Some(agrees.negated()), then));
                let otherwise = (Some(agrees.clone()), matched.otherwise);
                then.into_iter().chain([otherwise]).collect()
            }
            _ => vec![(None, Price::SAME)],
        };
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
            let same = same && self.matched.is_none();
            let plain = same && self.also_in.is_none();
            let most = own.map(|own| self.most_of(own, Price::SAME));
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
                for (not, price) in cases(*card) {
                    let most = Some(self.most_of(own, price));
                    let limit = Cond::Within(total.clone(), None, most);
                    let unless = also.iter().cloned().chain([here.is_absent()]).chain(not);
                    all.push(limit.unless(unless.collect()));
                }
            }
        }
        all
    }
}
