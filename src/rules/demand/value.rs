//! What a deck comes to, by interval arithmetic over what unknown cards may be.

use super::{Cond, Contents, FAR, Leaf, Num, Weights};
use crate::pool::CardId;
use crate::rules::contents::each_card;

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
    fn held(&self, contents: &Contents<'_>, mut see: impl FnMut(CardId, i64, i64)) {
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

    fn sum(&self, contents: &Contents<'_>) -> Span {
        let mut sum = 0_i64;
        self.held(contents, |_, copies, weight| {
            sum = sum.saturating_add(copies.saturating_mul(weight));
        });
        let (copies, low, high) = self.unknown(contents);
        let more = (copies.saturating_mul(low), copies.saturating_mul(high));
        plus((near(sum), near(sum)), more)
    }

    /// The cards of the deck that count, each once.
    pub(super) fn there(&self, contents: &Contents<'_>) -> Vec<CardId> {
        let mut cards = Vec::new();
        self.held(contents, |card, _, weight| {
            cards.extend((weight != 0).then_some(card))
        });
        cards
    }
}

impl Num {
    /// The cards of a deck that it counts, each once; none where it is no count of cards.
    pub(super) fn there(&self, contents: &Contents<'_>) -> Vec<CardId> {
        match self {
            Num::Sum(leaf) => leaf.there(contents),
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
            Num::Different { groups, leaf } => {
                let held = |card: &CardId| {
                    let mut own = contents.of_card(*card).iter();
                    own.any(|held| leaf.sections.has(usize::from(held.section)))
                };
                let count = groups.iter().filter(|group| group.iter().any(held)).count() as i64;
                let mut strangers = 0;
                if !matches!(leaf.strangers, super::Strangers::No) {
                    each_card(contents.unknown(), leaf.sections, |_, _| strangers += 1);
                }
                (count, count + strangers)
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
    pub(crate) fn holds(&self, contents: &Contents<'_>) -> Holds {
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
            Cond::All(parts) => Cond::all(parts, contents),
            Cond::Any(parts) => {
                let not = parts
                    .iter()
                    .map(|part| part.holds(contents).map(|holds| !holds));
                all(not).map(|none| !none)
            }
            Cond::Not(part) => part.holds(contents).map(|holds| !holds),
            Cond::Declared(holds, _) => Some(*holds),
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
