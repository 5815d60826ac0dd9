//! A `copies` rule in linear form.

use super::Limited;
use crate::pool::CardId;
use crate::rules::Linear;
use crate::rules::agreement::Price;
use crate::rules::demand::{Cond, Rows};
use crate::rules::linear::Unknown;
use rustc_hash::FxHashMap;

/// The bound in linear form, without a card's own number: the sum of terms and a constant, where
/// `when` is 1.
struct LinearBound {
    terms: Vec<(Unknown, i64)>,
    constant: i64,
    when: Option<Unknown>,
}

/// By card, the flag that is 1 where it agrees, and the one that is 1 where not.
type Agreed = FxHashMap<CardId, (Unknown, Unknown)>;

impl Limited {
    /// Demands it in linear form.
    pub(super) fn demanded(&self, linear: &mut Linear<'_>) {
        if self.unset.is_some() {
            return;
        }
        if let Some(matched) = &self.matched {
            if linear.stranger_copies(matched.agrees.sections()) > 0 {
                return;
            }
            matched.agrees.demand_said(linear, |_| Vec::new());
        }
        let (num, silent) = &self.shared;
        let mut open = false;
        num.leaves(&mut |leaf| {
            open |= leaf.is_clouded() && linear.stranger_copies(leaf.sections) > 0;
        });
        if open {
            return;
        }
        let (terms, constant) = Rows::of(linear).sum_of(num);
        let off = |cond: &Cond| Rows::of(linear).only_where(cond);
        let off: Vec<Unknown> = silent.iter().map(off).collect();
        let when = (!off.is_empty()).then(|| linear.unless(&off));
        let bound = LinearBound {
            terms,
            constant,
            when,
        };
        let agreed = self.agreed(linear);
        if let Some((_, groups)) = &self.by {
            for group in 0..groups.len() as u32 {
                self.group(groups.members(group), &bound, &agreed, linear);
            }
            return;
        }
        let known = linear.pool().ids().filter(|card| self.cards.has(*card));
        let plain = self.weight.is_none() && self.cards.is_all() && !self.max.is_own();
        let strangers = match plain && self.matched.is_none() {
            true => linear.strangers(),
            false => Vec::new(),
        };
        for card in known.chain(strangers) {
            let known = card.index() < linear.pool().len();
            let own = if known { self.max.own(card) } else { Some(0) };
            let Some(own) = own else { continue };
            let weight = if known { self.weight(card) } else { 1 };
            for (agrees, price) in self.cases(card, &agreed) {
                self.card(card, weight, own, agrees, price, &bound, linear);
            }
        }
    }

    /// The flags that are 1 just where cards agree with the identity cards, and where not.
    fn agreed(&self, linear: &mut Linear<'_>) -> Agreed {
        let mut agreed = Agreed::default();
        let Some(matched) = &self.matched else {
            return agreed;
        };
        let flags = matched.agrees.flags(linear, |card| self.cards.has(card));
        for (flag, cards) in flags {
            let not = linear.opposite(flag);
            agreed.extend(cards.into_iter().map(|card| (card, (flag, not))));
        }
        agreed
    }

    /// What becomes of a card's most, and the flag that says when.
    fn cases(&self, card: CardId, agreed: &Agreed) -> Vec<(Option<Unknown>, Price)> {
        let Some((matched, (flag, not))) = self.matched.as_ref().zip(agreed.get(&card)) else {
            return vec![(None, Price::SAME)];
        };
        let then = matched.then.map(|then| (Some(*flag), then));
        let otherwise = (Some(*not), matched.otherwise);
        then.into_iter().chain([otherwise]).collect()
    }

    /// Demands the limit of one card.
    #[expect(clippy::too_many_arguments, reason = "one row of a form, cell by cell")]
    fn card(
        &self,
        card: CardId,
        weight: i64,
        own: i64,
        agrees: Option<Unknown>,
        price: Price,
        bound: &LinearBound,
        linear: &mut Linear<'_>,
    ) {
        let max = price.of(bound.constant.saturating_add(own));
        let less = lessened(bound, price);
        let sum = |weight: i64| linear.sum(card, self.sections, weight);
        let (terms, high): (Vec<_>, i64) = match (weight, less.is_empty()) {
            (1.., true) => (sum(1).collect(), max.div_euclid(weight).max(0)),
            (_, true) if max < 0 => (sum(1).collect(), 0),
            (_, true) => return,
            // A negative bound lets no copy in, and says nothing where there is none.
            (_, false) => (sum(weight).chain(less.iter().copied()).collect(), max),
        };
        let mut whens: Vec<Unknown> = agrees.into_iter().collect();
        whens.extend(self.also_in.map(|also| linear.present(card, also)));
        if !less.is_empty() {
            whens.push(linear.present(card, self.sections));
        }
        let when = together(&whens, linear);
        linear.guarded(bound.when, |linear| {
            linear.row_if(when, terms, None, Some(high))
        });
    }

    /// Demands the limit of cards that are one and the same: together they stay within the
    /// bound of each of those that are there.
    fn group(
        &self,
        members: &[CardId],
        bound: &LinearBound,
        agreed: &Agreed,
        linear: &mut Linear<'_>,
    ) {
        let members: Vec<CardId> = members
            .iter()
            .copied()
            .filter(|card| self.cards.has(*card))
            .collect();
        let Some(first) = members.first().copied() else {
            return;
        };
        let mut terms = Vec::new();
        for card in &members {
            terms.extend(linear.sum(*card, self.sections, self.weight(*card)));
        }
        // Where all have the same fixed bound, whether one is there need not be asked.
        let own = self.max.own(first);
        let same = members.iter().all(|card| self.max.own(*card) == own);
        let same = same && self.matched.is_none();
        let plain = same && bound.terms.is_empty() && self.also_in.is_none();
        let enough = self
            .max
            .own(first)
            .map(|own| bound.constant.saturating_add(own));
        if let Some(max) = enough.filter(|max| plain && *max >= 0) {
            linear.guarded(bound.when, |linear| linear.row(terms, None, Some(max)));
            return;
        }
        let copies: Vec<_> = members
            .iter()
            .flat_map(|card| linear.sum(*card, self.sections, 1))
            .collect();
        let also = self.also_in.map(|also| {
            let held: Vec<_> = members
                .iter()
                .flat_map(|card| linear.sum(*card, also, 1))
                .collect();
            linear.any(&held)
        });
        let classes = match same {
            true => vec![(first, copies)],
            false => members
                .iter()
                .map(|card| (*card, linear.sum(*card, self.sections, 1).collect()))
                .collect(),
        };
        for (card, held) in classes {
            let Some(own) = self.max.own(card) else {
                continue;
            };
            let here = linear.any(&held);
            for (agrees, price) in self.cases(card, agreed) {
                let whens: Vec<Unknown> = also.into_iter().chain([here]).chain(agrees).collect();
                let when = together(&whens, linear);
                let max = price.of(bound.constant.saturating_add(own));
                let mut terms = terms.clone();
                terms.extend(lessened(bound, price));
                linear.guarded(bound.when, |linear| {
                    linear.row_if(when, terms, None, Some(max))
                });
            }
        }
    }
}

/// What cards take from the bound, once that is changed.
fn lessened(bound: &LinearBound, price: Price) -> Vec<(Unknown, i64)> {
    let terms = bound.terms.iter();
    let terms = terms.map(|(at, by)| (*at, by.saturating_mul(price.times).saturating_neg()));
    terms.filter(|(_, by)| *by != 0).collect()
}

/// A flag that is 1 where all of these are; `None`: there are none.
fn together(flags: &[Unknown], linear: &mut Linear<'_>) -> Option<Unknown> {
    let (first, rest) = flags.split_first()?;
    Some(rest.iter().fold(*first, |all, one| linear.both(all, *one)))
}
