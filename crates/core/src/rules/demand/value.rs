//! What a deck comes to, by interval arithmetic over what unknown cards may be.

use super::{Agreed, Cond, Contents, FAR, Leaf, Num, Strangers, Weights};
use crate::pool::CardId;
use crate::rules::contents::each_card;
use crate::rules::groups::Groups;

/// The least and the most that a number may be; the same where every card is known.
pub(crate) type Span = (i64, i64);

/// Whether a condition holds; `None` where that depends on unknown cards.
pub(crate) type Holds = Option<bool>;

fn near(number: i64) -> i64 {
    number.clamp(-FAR, FAR)
}

fn plus(one: Span, other: Span) -> Span {
    (
        near(one.0.saturating_add(other.0)),
        near(one.1.saturating_add(other.1)),
    )
}

fn times(span: Span, by: i64) -> Span {
    let (one, other) = (
        near(span.0.saturating_mul(by)),
        near(span.1.saturating_mul(by)),
    );
    (one.min(other), one.max(other))
}

impl Leaf {
    /// Calls `see` with each known card of the deck that counts, its copies, and what a copy counts.
    pub(crate) fn held(&self, contents: &Contents<'_>, mut see: impl FnMut(CardId, i64, i64)) {
        let held = contents.known_in(self.sections);
        match &self.cards {
            Weights::Few(few) if few.len() < held.len() => {
                for (card, weight) in few {
                    let own = contents.of_card(*card).iter();
                    let own = own.filter(|held| self.sections.has(usize::from(held.section)));
                    let copies = own.fold(0_i64, |sum, held| sum.saturating_add(held.copies));
                    if copies > 0 {
                        see(*card, copies, *weight);
                    }
                }
            }
            _ => each_card(held, self.sections, |card, copies| {
                if let Some(weight) = self.weight(card) {
                    see(card, copies, weight);
                }
            }),
        }
    }

    /// What the copies that are there come to, each times its weight.
    pub(crate) fn sum(&self, contents: &Contents<'_>) -> Span {
        let mut sum = 0_i64;
        match &self.cards {
            Weights::One => sum = contents.count(self.sections, |_| true),
            Weights::Set(set) => sum = contents.count(self.sections, |card| set.has(card)),
            Weights::Each(_) | Weights::Few(_) => self.held(contents, |_, copies, weight| {
                sum = sum.saturating_add(copies.saturating_mul(weight));
            }),
        }
        let (copies, low, high) = self.unknown(contents);
        let more = (copies.saturating_mul(low), copies.saturating_mul(high));
        plus((near(sum), near(sum)), more)
    }

    /// The cards of the deck that count, each once.
    pub(crate) fn there(&self, contents: &Contents<'_>) -> Vec<CardId> {
        let mut cards = Vec::new();
        self.held(contents, |card, _, weight| {
            cards.extend((weight != 0).then_some(card))
        });
        cards
    }
}

impl Leaf {
    /// Calls `see` with each group of which so many copies are there.
    pub(crate) fn groups(
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

    /// Unknown cards that may count, each once, and how many groups each may add at least and at
    /// most.
    pub(super) fn unknown_kinds(&self, contents: &Contents<'_>) -> (i64, i64, i64) {
        let mut kinds = 0;
        match self.strangers {
            Strangers::No => (0, 0, 0),
            Strangers::Any(low, high) => {
                each_card(contents.unknown(), self.sections, |_, _| kinds += 1);
                (kinds, low, high)
            }
            Strangers::One(one, low, high) => {
                each_card(contents.unknown(), self.sections, |card, _| {
                    kinds += i64::from(card == one);
                });
                (kinds, low, high)
            }
        }
    }
}

impl Agreed {
    /// How often so many copies of a card count.
    pub(crate) fn times(&self, copies: i64) -> i64 {
        let [first, further] = self.copies;
        first.saturating_add(further.saturating_mul(copies - 1))
    }

    /// What a copy of a card counts.
    pub(crate) fn price(&self, contents: &Contents<'_>, card: CardId) -> i64 {
        let price = self.leaf.weight(card).unwrap_or(0);
        let then = self.then[card.index()];
        if then != price && self.agrees.agrees(contents, card) {
            then
        } else {
            price
        }
    }

    fn value(&self, contents: &Contents<'_>) -> Span {
        // An unknown identity card may agree with any card.
        let open = contents.count_unknown(self.agrees.sections()) > 0;
        let mut sum = (0, 0);
        let sections = self.leaf.sections;
        each_card(contents.known_in(sections), sections, |card, copies| {
            let prices = match open {
                true => {
                    let price = self.leaf.weight(card).unwrap_or(0);
                    let then = self.then[card.index()];
                    (price.min(then), price.max(then))
                }
                false => {
                    let price = self.price(contents, card);
                    (price, price)
                }
            };
            sum = plus(sum, times(prices, self.times(copies)));
        });
        let (copies, low, high) = self.leaf.unknown(contents);
        plus(
            sum,
            (copies.saturating_mul(low), copies.saturating_mul(high)),
        )
    }
}

impl Num {
    /// The cards of a deck that it counts, each once; none where it is no count of cards.
    pub(crate) fn there(&self, contents: &Contents<'_>) -> Vec<CardId> {
        match self {
            Num::Sum(leaf) | Num::Different { leaf, .. } => leaf.there(contents),
            Num::Picked { classes, .. } => {
                let counted = classes.iter();
                let counted = counted.filter(|(cond, _)| cond.holds(contents) == Some(true));
                let mut cards: Vec<CardId> =
                    counted.flat_map(|(_, leaf)| leaf.there(contents)).collect();
                cards.sort_unstable();
                cards
            }
            _ => Vec::new(),
        }
    }

    /// What a deck comes to.
    pub(crate) fn value(&self, contents: &Contents<'_>) -> Span {
        match self {
            Num::Const(number) => (*number, *number),
            Num::Own(_) => (0, 0),
            Num::Sum(leaf) => leaf.sum(contents),
            Num::Different {
                groups,
                least,
                leaf,
            } => {
                let mut count = 0_i64;
                match groups {
                    None => leaf.held(contents, |_, copies, weight| {
                        count = count.saturating_add(if copies >= *least { weight } else { 0 });
                    }),
                    Some(groups) => leaf.groups(groups, *least, contents, |_| count += 1),
                }
                let (kinds, low, high) = leaf.unknown_kinds(contents);
                let more = (kinds.saturating_mul(low), kinds.saturating_mul(high));
                plus((count, count), more)
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
                let (copies, low, high) = leaf.unknown(contents);
                match (found, greatest, copies) {
                    (None, _, 0) => (0, 0),
                    (None, ..) => (low.min(0), high.max(0)),
                    (Some(found), _, 0) => (found, found),
                    (Some(found), true, _) => (found, found.max(high)),
                    (Some(found), false, _) => (found.min(low), found),
                }
            }
            Num::Picked { leaf, classes } => {
                let (copies, low, high) = leaf.unknown(contents);
                let unknown = (copies.saturating_mul(low), copies.saturating_mul(high));
                classes.iter().fold(unknown, |sum, (cond, leaf)| {
                    let (low, high) = leaf.sum(contents);
                    let counted = match cond.holds(contents) {
                        Some(true) => (low, high),
                        Some(false) => (0, 0),
                        None => (low.min(0), high.max(0)),
                    };
                    plus(sum, counted)
                })
            }
            Num::Agreed(agreed) => agreed.value(contents),
            Num::When(cond, num) => match cond.holds(contents) {
                Some(true) => num.value(contents),
                Some(false) => (0, 0),
                None => {
                    let (low, high) = num.value(contents);
                    (low.min(0), high.max(0))
                }
            },
            Num::Add(parts) => parts
                .iter()
                .fold((0, 0), |sum, part| plus(sum, part.value(contents))),
            Num::Times(by, num) => times(num.value(contents), *by),
            Num::Div(num, by) => {
                let (low, high) = num.value(contents);
                (low.div_euclid(*by), high.div_euclid(*by))
            }
            Num::Least(parts) => {
                let each = parts.iter().map(|part| part.value(contents));
                each.fold((FAR, FAR), |all, one| (all.0.min(one.0), all.1.min(one.1)))
            }
            Num::Greatest(parts) => {
                let each = parts.iter().map(|part| part.value(contents));
                each.fold((-FAR, -FAR), |all, one| {
                    (all.0.max(one.0), all.1.max(one.1))
                })
            }
        }
    }
}

impl Cond {
    /// Whether all of some conditions hold of a deck.
    pub(crate) fn all(parts: &[Cond], contents: &Contents<'_>) -> Holds {
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
                let inside = options.iter().filter(|at| (least..=most).contains(*at));
                match inside.count() {
                    0 => Some(false),
                    _ if least == most => Some(true),
                    _ => None,
                }
            }
            Cond::All(parts) => Cond::all(parts, contents),
            Cond::Any(parts) => {
                let not = parts
                    .iter()
                    .map(|part| part.holds(contents).map(|holds| !holds));
                all(not).map(|none| !none)
            }
            Cond::Not(part) => part.holds(contents).map(|holds| !holds),
            Cond::Given(holds, _) => Some(*holds),
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
