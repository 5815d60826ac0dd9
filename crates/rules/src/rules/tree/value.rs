//! The value of a deck, by interval arithmetic over what unknown cards may be.

use super::{AgreementWeight, Cond, FAR, Leaf, Num, UnknownCards, Weights};
use crate::rules::contents::each_card;
use crate::rules::groups::Groups;
use crate::rules::{Contents, Holding, SectionSet};
use decklaw_cards::pool::CardId;

/// The least and the most that a number may be; the same where every card is known.
pub(crate) type Span = (i64, i64);

/// Whether a condition holds; `None` where that depends on unknown cards.
pub(crate) type Holds = Option<bool>;

pub(super) fn near(number: i64) -> i64 {
    number.clamp(-FAR, FAR)
}

pub(super) fn plus(one: Span, other: Span) -> Span {
    (near(one.0.saturating_add(other.0)), near(one.1.saturating_add(other.1)))
}

pub(super) fn times(span: Span, by: i64) -> Span {
    let one = near(span.0.saturating_mul(by));
    let other = near(span.1.saturating_mul(by));
    (one.min(other), one.max(other))
}

/// What counts only where a condition holds.
pub(super) fn where_holds(holds: Holds, span: impl FnOnce() -> Span) -> Span {
    match holds {
        Some(true) => span(),
        Some(false) => (0, 0),
        None => {
            let (low, high) = span();
            (low.min(0), high.max(0))
        }
    }
}

impl Leaf {
    fn has(&self, held: &Holding) -> bool {
        self.sections.has(usize::from(held.section))
    }

    /// The copies of a card where it counts.
    pub fn copies(&self, contents: &Contents<'_>, card: CardId) -> i64 {
        let own = contents.of_card(card).iter();
        let here = own.filter(|held| self.has(held));
        here.fold(0, |sum, held| sum.saturating_add(held.copies))
    }

    /// Calls `see` with each known card of the deck that counts, its copies, and what a copy
    /// counts.
    pub fn held(&self, contents: &Contents<'_>, mut see: impl FnMut(CardId, i64, i64)) {
        let held = contents.known_in(self.sections);
        match &self.cards {
            Weights::Few(few) if few.len() < held.len() => {
                for (card, weight) in few {
                    let copies = self.copies(contents, *card);
                    if copies > 0 {
                        see(*card, copies, *weight);
                    }
                }
            }
            Weights::Few(few) if few.is_empty() => {}
            _ => each_card(held, self.sections, |card, copies| {
                if let Some(weight) = self.weight(card) {
                    see(card, copies, weight);
                }
            }),
        }
    }

    /// What a copy of an unknown card may count.
    fn unknown_weight(&self, contents: &Contents<'_>, card: CardId) -> Span {
        match &self.unknown {
            UnknownCards::Nothing => (0, 0),
            UnknownCards::Any(low, high) => (*low, *high),
            UnknownCards::One(one, low, high) if *one == card => (*low, *high),
            UnknownCards::One(..) => (0, 0),
            UnknownCards::Named(names, others) => match names.get(contents.folded(card)) {
                Some(weight) => (*weight, *weight),
                None => *others,
            },
        }
    }

    /// What its unknown cards may count, each once, or where `copies` says so, each copy.
    pub(super) fn unknown_span(&self, contents: &Contents<'_>, copies: bool) -> Span {
        let mut sum = (0, 0);
        if contents.unknown().is_empty() || self.unknown == UnknownCards::Nothing {
            return sum;
        }
        each_card(self.unknown_held(contents), self.sections, |card, held| {
            let weight = self.unknown_weight(contents, card);
            sum = plus(sum, times(weight, if copies { held } else { 1 }));
        });
        sum
    }

    /// What is held of the unknown cards that may count, and perhaps of others: a leaf of one card
    /// is asked for each of thousands.
    fn unknown_held<'c>(&self, contents: &'c Contents<'_>) -> &'c [Holding] {
        match &self.unknown {
            UnknownCards::One(card, ..) => contents.of_card(*card),
            _ => contents.unknown(),
        }
    }

    /// The sum of the copies that are there, each times its weight.
    pub fn sum(&self, contents: &Contents<'_>) -> Span {
        let mut sum = 0_i64;
        match &self.cards {
            Weights::One => sum = contents.count(self.sections, |_| true),
            Weights::Set(set) => sum = contents.count(self.sections, |card| set.has(card)),
            Weights::Each(_) | Weights::Few(_) => self.held(contents, |_, copies, weight| {
                sum = sum.saturating_add(copies.saturating_mul(weight));
            }),
        }
        plus((near(sum), near(sum)), self.unknown_span(contents, true))
    }

    /// The cards of the deck that count, each once.
    pub(crate) fn there(&self, contents: &Contents<'_>) -> Vec<CardId> {
        let mut cards = Vec::new();
        self.held(contents, |card, _, weight| {
            cards.extend((weight != 0).then_some(card));
        });
        if matches!(self.unknown, UnknownCards::One(..) | UnknownCards::Named(..)) {
            each_card(self.unknown_held(contents), self.sections, |card, _| {
                let (low, _) = self.unknown_weight(contents, card);
                cards.extend((low > 0).then_some(card));
            });
        }
        cards
    }

    /// Calls `see` with each group that has at least `least` copies.
    pub fn groups(
        &self,
        groups: &Groups,
        least: i64,
        contents: &Contents<'_>,
        mut see: impl FnMut(u32),
    ) {
        let chosen = |card: CardId| self.weight(card).is_some();
        self.held(contents, |card, _, _| {
            for group in groups.of_card(card) {
                if !groups.is_first(*group, card, contents, self.sections, chosen) {
                    continue;
                }
                let mut copies = 0_i64;
                if least > 1 {
                    groups.each_held(*group, contents, self.sections, |held, more| {
                        copies = copies.saturating_add(if chosen(held) { more } else { 0 });
                        copies < least
                    });
                }
                if least <= 1 || copies >= least {
                    see(*group);
                }
            }
        });
    }
}

impl AgreementWeight {
    /// How often this number of copies counts.
    pub fn times(&self, copies: i64) -> i64 {
        let [first, further] = self.copies;
        first.saturating_add(further.saturating_mul(copies - 1))
    }

    /// What a copy of a card counts.
    pub fn price(&self, contents: &Contents<'_>, card: CardId) -> i64 {
        let price = self.leaf.weight(card).unwrap_or(0);
        let then = self.then[card.index()];
        if then != price && self.identity.agrees(contents, card) { then } else { price }
    }

    fn value(&self, contents: &Contents<'_>) -> Span {
        // An unknown identity card may agree with any card.
        let open = contents.count_unknown(self.identity.sections()) > 0;
        let mut sum = (0, 0);
        let sections = self.leaf.sections;
        each_card(contents.known_in(sections), sections, |card, copies| {
            let prices = if open {
                let price = self.leaf.weight(card).unwrap_or(0);
                let then = self.then[card.index()];
                (price.min(then), price.max(then))
            } else {
                let price = self.price(contents, card);
                (price, price)
            };
            sum = plus(sum, times(prices, self.times(copies)));
        });
        plus(sum, self.leaf.unknown_span(contents, true))
    }
}

impl Num {
    /// The cards of a deck that it counts, each once, in canonical order.
    pub(crate) fn there(&self, contents: &Contents<'_>) -> Vec<CardId> {
        let mut cards = Vec::new();
        self.add_there(contents, &mut cards);
        cards.sort_unstable();
        cards.dedup();
        cards
    }

    fn add_there(&self, contents: &Contents<'_>, cards: &mut Vec<CardId>) {
        match self {
            Num::Const(_) | Num::Own { .. } => {}
            Num::Sum(leaf) => cards.extend(leaf.there(contents)),
            Num::Extreme { leaf, .. } => leaf.held(contents, |card, _, _| cards.push(card)),
            Num::Different { groups, leaf, .. } => {
                let grouped = |card: &CardId| match groups {
                    Some(groups) => !groups.of_card(*card).is_empty(),
                    None => true,
                };
                cards.extend(leaf.there(contents).into_iter().filter(grouped));
            }
            Num::Agreed(agreed) => {
                let sections = agreed.leaf.sections;
                each_card(contents.known_in(sections), sections, |card, _| {
                    cards.extend((agreed.price(contents, card) != 0).then_some(card));
                });
            }
            Num::When(cond, num) => {
                if cond.holds(contents) == Some(true) {
                    num.add_there(contents, cards);
                }
            }
            Num::Add(parts) => parts.iter().for_each(|part| part.add_there(contents, cards)),
            Num::Times(_, num) | Num::Div(num, _) => num.add_there(contents, cards),
        }
    }

    /// The value of a deck.
    pub fn value(&self, contents: &Contents<'_>) -> Span {
        match self {
            Num::Const(number) => (*number, *number),
            Num::Own { .. } => (0, 0),
            Num::Sum(leaf) => leaf.sum(contents),
            Num::Different { groups, least, leaf } => {
                let mut count = 0_i64;
                match groups {
                    None => leaf.held(contents, |_, copies, weight| {
                        count = count.saturating_add(if copies >= *least { weight } else { 0 });
                    }),
                    Some(groups) => leaf.groups(groups, *least, contents, |_| count += 1),
                }
                plus((count, count), leaf.unknown_span(contents, false))
            }
            Num::Extreme { greatest, leaf } => {
                let mut found: Option<i64> = None;
                leaf.held(contents, |_, _, weight| {
                    found = Some(match (found, greatest) {
                        (None, _) => weight,
                        (Some(before), true) => before.max(weight),
                        (Some(before), false) => before.min(weight),
                    });
                });
                let (low, high) = match leaf.unknown {
                    UnknownCards::Any(low, high) if contents.count_unknown(leaf.sections) > 0 => {
                        (low, high)
                    }
                    _ => return (found.unwrap_or(0), found.unwrap_or(0)),
                };
                match (found, greatest) {
                    (None, _) => (low.min(0), high.max(0)),
                    (Some(found), true) => (found, found.max(high)),
                    (Some(found), false) => (found.min(low), found),
                }
            }
            Num::Agreed(agreed) => agreed.value(contents),
            Num::When(cond, num) => where_holds(cond.holds(contents), || num.value(contents)),
            Num::Add(parts) => {
                parts.iter().fold((0, 0), |sum, part| plus(sum, part.value(contents)))
            }
            Num::Times(by, num) => times(num.value(contents), *by),
            Num::Div(num, by) => {
                let (low, high) = num.value(contents);
                (low.div_euclid(*by), high.div_euclid(*by))
            }
        }
    }

    /// The same as far as cards are known, and whether unknown cards make it uncertain.
    pub(crate) fn known_value(&self, contents: &Contents<'_>) -> (i64, bool) {
        let (low, high) = self.value(contents);
        if low == high {
            return (low, false);
        }
        let known = contents.holding(contents.known().to_vec());
        (self.value(&known).0, true)
    }
}

impl Cond {
    /// Whether all of some conditions hold of a deck.
    pub(crate) fn all_hold(parts: &[Cond], contents: &Contents<'_>) -> Holds {
        all(parts.iter().map(|part| part.holds(contents)))
    }

    /// Whether it holds of a deck.
    pub fn holds(&self, contents: &Contents<'_>) -> Holds {
        match self {
            Cond::Within(num, low, high) => {
                let (least, most) = num.value(contents);
                let end = |end: &Option<Num>, none: i64| {
                    end.as_ref().map_or((none, none), |end| end.value(contents))
                };
                let (low, high) = (end(low, i64::MIN), end(high, i64::MAX));
                if most < low.0 || least > high.1 {
                    Some(false)
                } else if least >= low.1 && most <= high.0 {
                    Some(true)
                } else {
                    None
                }
            }
            Cond::Among(num, options) => {
                let (least, most) = num.value(contents);
                let mut options = options.iter();
                if !options.any(|option| (least..=most).contains(option)) {
                    Some(false)
                } else {
                    (least == most).then_some(true)
                }
            }
            Cond::All(parts) => Cond::all_hold(parts, contents),
            Cond::Any(parts) => {
                let not = parts.iter().map(|part| part.holds(contents).map(|holds| !holds));
                all(not).map(|none| !none)
            }
        }
    }
}

impl Cond {
    /// The most copies of a known card in some sections that are known to meet it; -1 where it
    /// limits anything but the copies of this card there.
    pub(crate) fn safe_copies(&self, card: CardId, sections: SectionSet) -> i64 {
        let Cond::Within(Num::Sum(leaf), None, Some(Num::Const(most))) = self else {
            return -1;
        };
        match (&leaf.cards, &leaf.unknown) {
            (Weights::Few(few), UnknownCards::Nothing)
                if *most >= 0 && leaf.sections.is_within(sections) =>
            {
                match few.as_slice() {
                    [(own, weight @ 1..)] if *own == card => most / weight,
                    _ => -1,
                }
            }
            _ => -1,
        }
    }
}

fn all(parts: impl Iterator<Item = Holds>) -> Holds {
    let mut all = Some(true);
    for part in parts {
        match part {
            Some(false) => return Some(false),
            None => all = None,
            Some(true) => {}
        }
    }
    all
}

impl Cond {
    /// Adds the cards of a deck that its numbers count.
    pub(crate) fn add_counted(&self, contents: &Contents<'_>, cards: &mut Vec<CardId>) {
        match self {
            Cond::Within(num, ..) | Cond::Among(num, _) => cards.extend(num.there(contents)),
            Cond::All(parts) | Cond::Any(parts) => {
                parts.iter().for_each(|part| part.add_counted(contents, cards));
            }
        }
    }
}
