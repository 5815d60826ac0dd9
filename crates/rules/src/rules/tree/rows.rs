//! Conditions as rows for the solver.

use super::{AgreementWeight, Cond, Leaf, Num, UnknownCards, Weights};
use crate::rules::Linear;
use crate::rules::groups::Groups;
use crate::rules::linear::Unknown;
use decklaw_cards::pool::CardId;
use std::collections::BTreeMap;

/// Beyond any number of a deck, and small enough to be multiplied.
const WIDE: i64 = 1 << 36;

/// A sum of unknowns and a constant.
#[derive(Debug, Clone, Default)]
struct Affine {
    terms: Vec<(Unknown, i64)>,
    constant: i64,
}

impl Affine {
    fn add(&mut self, by: i64, other: &Affine) {
        let more = other.terms.iter();
        self.terms.extend(more.map(|(at, weight)| (*at, weight.saturating_mul(by))));
        self.constant = self.constant.saturating_add(other.constant.saturating_mul(by));
    }

    /// The terms with no unknown in two of them.
    fn collected(mut self) -> Affine {
        self.terms.sort_unstable_by_key(|(at, _)| *at);
        self.terms.dedup_by(|next, kept| {
            let same = next.0 == kept.0;
            if same {
                kept.1 = kept.1.saturating_add(next.1);
            }
            same
        });
        self.terms.retain(|(_, by)| *by != 0);
        self
    }
}

/// Adds conditions to a linear form.
pub struct Rows<'l, 'c> {
    linear: &'l mut Linear<'c>,
    /// Whether other conditions may be about the same numbers, so that each gets an unknown.
    shared: bool,
}

impl<'l, 'c> Rows<'l, 'c> {
    /// Rows in this linear form, for its current tag and guard.
    pub fn of(linear: &'l mut Linear<'c>) -> Rows<'l, 'c> {
        Rows { linear, shared: true }
    }

    /// The same for conditions about numbers that no other is about.
    pub fn apart(linear: &'l mut Linear<'c>) -> Rows<'l, 'c> {
        Rows { linear, shared: false }
    }

    /// Demands a condition: whole numbers of copies satisfy the rows just where it holds, or may
    /// hold for unknown cards that stay in the deck.
    pub fn demand(&mut self, cond: &Cond) {
        if let Some(leaf) = self.none(cond) {
            // Of each card by itself, so that it is a bound and no row.
            for unknown in self.unknowns(leaf) {
                self.linear.at_most(unknown, 0);
            }
            return;
        }
        match cond {
            Cond::Within(num, low, high) => self.within(num, low.as_ref(), high.as_ref()),
            Cond::Among(num, options) => {
                let mut sum = self.number(num);
                let zero = Some(sum.constant.saturating_neg());
                let flags: Vec<_> = options.iter().map(|_| self.linear.flag()).collect();
                let one = flags.iter().map(|flag| (*flag, 1)).collect();
                self.linear.row(one, Some(1), Some(1));
                let is = flags.iter().zip(options);
                sum.terms.extend(is.map(|(flag, option)| (*flag, option.saturating_neg())));
                self.linear.row(sum.terms, zero, zero);
            }
            Cond::All(parts) => parts.iter().for_each(|part| self.demand(part)),
            Cond::Any(parts) => self.any(parts),
        }
    }

    fn never(&mut self) {
        let never = self.linear.number(0, 0);
        self.linear.row(vec![(never, 1)], Some(1), None);
    }

    /// Demands one of several conditions.
    fn any(&mut self, parts: &[Cond]) {
        let Some((last, others)) = parts.split_last() else {
            self.never();
            return;
        };
        let nones: Vec<Leaf> = parts.iter().filter_map(|part| self.none(part).cloned()).collect();
        let rest = parts.iter().filter(|part| self.none(part).is_none());
        let rest: Vec<&Cond> = rest.collect();
        match (nones.as_slice(), rest.as_slice()) {
            // Something is demanded where certain cards are there.
            ([_, ..], [only]) if std::ptr::eq(*only, last) && self.some(only).is_none() => {
                let here: Vec<Unknown> = nones.iter().map(|leaf| self.here(leaf)).collect();
                let guard = here.into_iter().reduce(|all, one| self.linear.both(all, one));
                self.guarded(guard, only);
            }
            // Certain cards are there only where something else is, or is not.
            ([first, more @ ..], rest) => {
                let mut sum = Affine::default();
                for leaf in more {
                    if leaf.weighed(self.linear.pool().len()).len() == 1 {
                        sum.terms.push((self.here(leaf), -1));
                        sum.constant += 1;
                    } else {
                        sum.terms.push((self.only_where(&leaf.is_absent()), 1));
                    }
                }
                for part in rest {
                    match self.some(part).cloned() {
                        Some(leaf) => {
                            let unknowns = self.unknowns(&leaf).into_iter();
                            sum.terms.extend(unknowns.map(|unknown| (unknown, 1)));
                        }
                        None => sum.terms.push((self.only_where(part), 1)),
                    }
                }
                let sum = self.named(sum);
                let unknowns = self.unknowns(first);
                self.linear.gated(&unknowns, &sum.terms, sum.constant);
            }
            ([], [_]) => self.demand(last),
            ([], _) => {
                let offs: Vec<Unknown> = others.iter().map(|part| self.only_where(part)).collect();
                let guard = self.linear.unless(&offs);
                self.guarded(Some(guard), last);
            }
        }
    }

    fn guarded(&mut self, guard: Option<Unknown>, cond: &Cond) {
        let shared = self.shared;
        self.linear.guarded(guard, |linear| Rows { linear, shared }.demand(cond));
    }

    /// The cards of a condition that holds just where none of them is there.
    fn none<'n>(&self, cond: &'n Cond) -> Option<&'n Leaf> {
        match cond {
            Cond::Within(Num::Sum(leaf), None, Some(Num::Const(0))) if leaf.is_count() => {
                (self.unknown(leaf, true).0 <= 0).then_some(leaf)
            }
            _ => None,
        }
    }

    /// The cards of a condition that holds just where one of them is there.
    fn some<'n>(&self, cond: &'n Cond) -> Option<&'n Leaf> {
        match cond {
            Cond::Within(Num::Sum(leaf), Some(Num::Const(1)), None) if leaf.is_count() => {
                self.is_known(leaf).then_some(leaf)
            }
            _ => None,
        }
    }

    /// The copies of the cards that count.
    fn unknowns(&self, leaf: &Leaf) -> Vec<Unknown> {
        let cards = leaf.weighed(self.linear.pool().len()).into_iter();
        let cards = cards.filter(|(_, weight)| *weight != 0);
        cards
            .flat_map(|(card, _)| self.linear.sum(card, leaf.sections, 1))
            .map(|(unknown, _)| unknown)
            .collect()
    }

    fn held(&self, leaf: &Leaf) -> Vec<(Unknown, i64)> {
        let unknowns = self.unknowns(leaf).into_iter();
        unknowns.map(|unknown| (unknown, 1)).collect()
    }

    /// A flag that is 1 where one of some cards is there.
    fn here(&mut self, leaf: &Leaf) -> Unknown {
        match leaf.weighed(self.linear.pool().len()).as_slice() {
            [(card, _)] => self.linear.present(*card, leaf.sections),
            _ => {
                let held = self.held(leaf);
                self.linear.any(&held)
            }
        }
    }

    /// A flag that may be 1 only where a condition holds, or may hold for unknown cards.
    fn only_where(&mut self, cond: &Cond) -> Unknown {
        if let Some(leaf) = self.none(cond) {
            let total = self.linear.total(self.held(leaf));
            return self.linear.off(vec![(total, 1)], None, Some(0));
        }
        if let Cond::Within(num, low, high) = cond {
            let fixed = |end: &Option<Num>| end.as_ref().map(Num::constant);
            let (low_at, high_at) = (fixed(low), fixed(high));
            if low_at != Some(None) && high_at != Some(None) {
                let sum = self.bounded(num, low.is_some());
                let by = |end: Option<Option<i64>>| {
                    end.flatten().map(|end| end.saturating_sub(sum.constant))
                };
                let (low, high) = (by(low_at), by(high_at));
                return self.linear.off(sum.terms, low, high);
            }
        }
        let flag = self.linear.flag();
        self.only(flag, cond);
        flag
    }

    /// The flag that is 1 just where a condition holds.
    pub fn flag(&mut self, cond: &Cond) -> Unknown {
        if let Some(leaf) = self.some(cond) {
            let held = self.held(leaf);
            return self.linear.any(&held);
        }
        match cond {
            Cond::All(parts) => {
                let each: Vec<Unknown> = parts.iter().map(|part| self.flag(part)).collect();
                self.linear.each(&each)
            }
            _ if self.none(cond).is_some_and(|leaf| self.is_known(leaf)) => {
                let some = self.flag(&cond.negated());
                self.linear.opposite(some)
            }
            _ => {
                let flag = self.only_where(cond);
                let off = self.linear.opposite(flag);
                self.only(off, &cond.negated());
                flag
            }
        }
    }

    fn only(&mut self, flag: Unknown, cond: &Cond) {
        let shared = self.shared;
        self.linear.guarded_meaning(flag, |linear| Rows { linear, shared }.demand(cond));
    }

    /// A sum that is 0 just where a condition holds, and otherwise may be as small as
    /// [`Cond::missed`] says.
    pub fn miss(&mut self, cond: &Cond) -> Vec<(Unknown, i64)> {
        match cond {
            Cond::All(parts) => parts.iter().flat_map(|part| self.miss(part)).collect(),
            Cond::Within(num, low, high) => {
                let mut missed = Vec::new();
                for (end, is_low) in [(low, true), (high, false)] {
                    let Some(end) = end else { continue };
                    let mut over = self.affine(num);
                    over.add(-1, &self.affine(end));
                    let mut over = over.collected();
                    let zero = Some(over.constant.saturating_neg());
                    let off = self.linear.number(0, i64::MAX / 4);
                    over.terms.push((off, if is_low { 1 } else { -1 }));
                    let (low, high) = if is_low { (zero, None) } else { (None, zero) };
                    self.linear.row(over.terms, low, high);
                    missed.push((off, 1));
                }
                missed
            }
            Cond::Among(..) | Cond::Any(_) => {
                let (met, missed) = (self.only_where(cond), self.linear.flag());
                self.linear.row(vec![(met, 1), (missed, 1)], Some(1), None);
                vec![(missed, 1)]
            }
        }
    }

    fn within(&mut self, num: &Num, low: Option<&Num>, high: Option<&Num>) {
        let sum = self.bounded(num, low.is_some());
        let fixed = |end: Option<&Num>| end.is_none_or(|end| end.constant().is_some());
        if fixed(low) && fixed(high) {
            let end = |end: Option<&Num>| {
                end.and_then(Num::constant).map(|end| end.saturating_sub(sum.constant))
            };
            let (low, high) = (end(low), end(high));
            self.row(sum.terms, low, high);
            return;
        }
        for (end, is_low) in [(low, true), (high, false)] {
            let Some(end) = end else { continue };
            let mut over = sum.clone();
            over.add(-1, &self.affine(end));
            let over = over.collected();
            let zero = Some(over.constant.saturating_neg());
            let (low, high) = if is_low { (zero, None) } else { (None, zero) };
            self.row(over.terms, low, high);
        }
    }

    /// A number that is to lie within bounds, at least something too, or at most something alone.
    fn bounded(&mut self, num: &Num, from_below: bool) -> Affine {
        let sum = if from_below { self.affine(num) } else { self.at_least(num) };
        self.named(sum)
    }

    fn row(&mut self, terms: Vec<(Unknown, i64)>, low: Option<i64>, high: Option<i64>) {
        if terms.is_empty() && low.is_none_or(|low| low <= 0) && high.is_none_or(|high| high >= 0) {
            return;
        }
        self.linear.row(terms, low, high);
    }

    fn number(&mut self, num: &Num) -> Affine {
        let sum = self.affine(num);
        self.named(sum)
    }

    /// The same sum as one unknown, where others may be about it and it is long.
    fn named(&mut self, mut sum: Affine) -> Affine {
        const FEW: usize = 8;
        if sum.terms.len() > FEW && self.shared {
            sum.terms = vec![(self.linear.total(sum.terms), 1)];
        }
        sum
    }

    /// A sum that is no less than a number, and may be just that: enough where the number may be
    /// at most something.
    fn at_least(&mut self, num: &Num) -> Affine {
        match num {
            Num::Different { groups: None, least: 1, leaf } => {
                let mut sum = Affine::default();
                for (card, weight) in leaf.weighed(self.linear.pool().len()) {
                    let flag = if weight > 0 {
                        self.linear.present(card, leaf.sections)
                    } else {
                        self.enough(vec![card], leaf, 1)
                    };
                    sum.terms.push((flag, weight));
                }
                self.add_unknown(leaf, false, &mut sum);
                sum
            }
            Num::Add(parts) => {
                let mut sum = Affine::default();
                for part in parts {
                    sum.add(1, &self.at_least(part));
                }
                sum.collected()
            }
            num => self.affine(num),
        }
    }

    /// The flag that is 1 exactly where at least `least` copies of some cards are there.
    fn enough(&mut self, cards: Vec<CardId>, leaf: &Leaf, least: i64) -> Unknown {
        let held = cards.into_iter().flat_map(|card| self.linear.sum(card, leaf.sections, 1));
        let held: Vec<_> = held.collect();
        if least <= 1 {
            return self.linear.any(&held);
        }
        let enough = self.linear.off(held.clone(), Some(least), None);
        let short = self.linear.off(held, None, Some(least - 1));
        let either = vec![(enough, 1), (short, 1)];
        self.linear.means(either, Some(1), Some(1));
        enough
    }

    /// Adds what unknown cards that stay in the deck may count: copies, or each card once.
    fn add_unknown(&mut self, leaf: &Leaf, copies: bool, sum: &mut Affine) {
        let (low, high) = self.unknown(leaf, copies);
        if low == high {
            sum.constant = sum.constant.saturating_add(low);
        } else {
            let unknown = self.linear.number(low.max(-WIDE), high.min(WIDE));
            sum.terms.push((unknown, 1));
        }
    }

    /// What unknown cards that stay in the deck may count.
    fn unknown(&self, leaf: &Leaf, copies: bool) -> (i64, i64) {
        if self.linear.keeps_unknown() {
            leaf.unknown_span(self.linear.contents(), copies)
        } else {
            (0, 0)
        }
    }

    /// Whether no unknown card that stays in the deck counts.
    fn is_known(&self, leaf: &Leaf) -> bool {
        self.unknown(leaf, true) == (0, 0)
    }

    /// The groups that may have cards of a leaf, with those cards.
    fn groups(&self, groups: &Groups, leaf: &Leaf) -> Vec<(u32, Vec<CardId>)> {
        let mut members: BTreeMap<u32, Vec<CardId>> = BTreeMap::new();
        for (card, _) in leaf.weighed(self.linear.pool().len()) {
            for group in groups.of_card(card) {
                members.entry(*group).or_default().push(card);
            }
        }
        members.into_iter().collect()
    }

    /// A sum that counts only where a flag is 1.
    fn where_flag(&mut self, flag: Unknown, num: Affine) -> Affine {
        let mut sum = Affine::default();
        if num.constant != 0 {
            sum.terms.push((flag, num.constant));
        }
        let never_negative = |(at, _): &(Unknown, i64)| self.linear.domains[at.index()].lower >= 0;
        if !num.terms.iter().all(never_negative) {
            let product = self.linear.number(-WIDE, WIDE);
            let off = self.linear.opposite(flag);
            let mut terms = num.terms;
            terms.push((product, -1));
            self.linear.guarded_meaning(flag, |linear| linear.row(terms, Some(0), Some(0)));
            self.linear
                .guarded_meaning(off, |linear| linear.row(vec![(product, 1)], Some(0), Some(0)));
            sum.terms.push((product, 1));
            return sum;
        }
        for sign in [1, -1] {
            let some = num.terms.iter().filter(|(_, by)| by.signum() == sign);
            let some: Vec<_> = some.map(|(at, by)| (*at, by * sign)).collect();
            if !some.is_empty() {
                sum.terms.push((self.linear.product(flag, some), sign));
            }
        }
        sum
    }

    /// Copies that count otherwise where their card agrees with the identity cards.
    fn agreed(&mut self, agreed: &AgreementWeight) -> Affine {
        let leaf = &agreed.leaf;
        let mut sum = Affine::default();
        let ids: Vec<CardId> = self.linear.pool().ids().collect();
        for card in ids {
            let price = leaf.weight(card).unwrap_or(0);
            self.add_card(agreed, card, price, &mut sum);
        }
        let change = |card: CardId| agreed.then[card.index()] - leaf.weight(card).unwrap_or(0);
        let classes = match self.linear.unknown_copies(agreed.identity.sections()) {
            0 => {
                let classes = agreed
                    .identity
                    .classes_where_somebody_is(self.linear, &|card| change(card) != 0);
                let classes = classes.into_iter();
                classes.map(|(cond, cards)| (self.flag(&cond), cards)).collect()
            }
            // What an unknown identity card says may make any card agree.
            _ => {
                let changed = self.linear.pool().ids().filter(|card| change(*card) != 0);
                let changed: Vec<CardId> = changed.collect();
                let free = |card| (self.linear.flag(), vec![card]);
                changed.into_iter().map(free).collect::<Vec<_>>()
            }
        };
        for (flag, cards) in classes {
            let mut changes = Affine::default();
            for card in cards {
                self.add_card(agreed, card, change(card), &mut changes);
            }
            let changes = self.where_flag(flag, changes);
            sum.add(1, &changes);
        }
        self.add_unknown(leaf, true, &mut sum);
        sum
    }

    /// Adds the value of a card whose copies count this much.
    fn add_card(&mut self, agreed: &AgreementWeight, card: CardId, price: i64, sum: &mut Affine) {
        if price == 0 {
            return;
        }
        let [first, further] = agreed.copies;
        let sections = agreed.leaf.sections;
        if further != 0 {
            let each = self.linear.sum(card, sections, price.saturating_mul(further));
            sum.terms.extend(each);
        }
        if first != further {
            let flag = self.enough(vec![card], &agreed.leaf, 1);
            sum.terms.push((flag, price.saturating_mul(first - further)));
        }
    }

    fn affine(&mut self, num: &Num) -> Affine {
        match num {
            Num::Const(number) => Affine { terms: Vec::new(), constant: *number },
            Num::Own { .. } => Affine::default(),
            Num::Sum(leaf) => self.sum(leaf),
            Num::Different { groups, least, leaf } => {
                let mut sum = Affine::default();
                match groups {
                    None => {
                        for (card, weight) in leaf.weighed(self.linear.pool().len()) {
                            sum.terms.push((self.enough(vec![card], leaf, *least), weight));
                        }
                    }
                    Some(groups) => {
                        for (_, cards) in self.groups(groups, leaf) {
                            sum.terms.push((self.enough(cards, leaf, *least), 1));
                        }
                    }
                }
                self.add_unknown(leaf, false, &mut sum);
                sum
            }
            Num::Extreme { greatest, leaf } => self.extreme(*greatest, leaf),
            Num::Agreed(agreed) => self.agreed(agreed),
            Num::When(cond, num) => {
                let flag = self.flag(cond);
                let num = self.affine(num);
                self.where_flag(flag, num)
            }
            Num::Add(parts) => {
                let mut sum = Affine::default();
                for part in parts {
                    sum.add(1, &self.affine(part));
                }
                sum.collected()
            }
            Num::Times(by, num) => {
                let mut sum = Affine::default();
                sum.add(*by, &self.affine(num));
                sum
            }
            Num::Div(num, by) => {
                let sum = self.affine(num);
                let quotient = self.linear.quotient(sum.terms, 1, sum.constant, *by);
                Affine { terms: vec![(quotient, 1)], constant: 0 }
            }
        }
    }

    fn sum(&mut self, leaf: &Leaf) -> Affine {
        let mut sum = Affine::default();
        for (card, weight) in leaf.weighed(self.linear.pool().len()) {
            sum.terms.extend(self.linear.sum(card, leaf.sections, weight));
        }
        self.add_unknown(leaf, true, &mut sum);
        sum
    }

    /// The greatest or least number: from one value that some card has to the next, a step for
    /// whether any card is beyond it.
    fn extreme(&mut self, greatest: bool, leaf: &Leaf) -> Affine {
        let mut cards: Vec<(i64, CardId)> = match &leaf.cards {
            Weights::Few(few) => few.iter().map(|(card, weight)| (*weight, *card)).collect(),
            _ => leaf
                .weighed(self.linear.pool().len())
                .into_iter()
                .map(|(card, weight)| (weight, card))
                .collect(),
        };
        cards.sort_unstable();
        if !greatest {
            cards.reverse();
        }
        let (mut sum, mut before) = (Affine::default(), 0);
        for at in 0..cards.len() {
            let value = cards[at].0;
            if at > 0 && value == cards[at - 1].0 {
                continue;
            }
            let beyond = cards[at..].iter();
            let held = beyond.flat_map(|(_, card)| self.linear.sum(*card, leaf.sections, 1));
            let held: Vec<_> = held.collect();
            sum.terms.push((self.linear.any(&held), value.saturating_sub(before)));
            before = value;
        }
        if let UnknownCards::Any(low, high) = leaf.unknown
            && self.linear.unknown_copies(leaf.sections) > 0
        {
            // What an unknown card says may take the place of any known number.
            let (low, high) = if greatest { (low.min(0), WIDE) } else { (-WIDE, high.max(0)) };
            sum.terms.push((self.linear.number(low.max(-WIDE), high.min(WIDE)), 1));
        }
        sum
    }
}
