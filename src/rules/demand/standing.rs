//! Conditions on which something is asked: whether they can hold, whether they go on holding, and
//! for which cards they do.

use super::{Cond, Contents, Leaf, Num, Strangers, Weights};
use crate::pool::CardId;

impl Leaf {
    /// Whether a card that the pool does not know makes it uncertain.
    pub(in crate::rules) fn is_clouded(&self) -> bool {
        match self.strangers {
            Strangers::No => false,
            Strangers::Any(low, high) | Strangers::One(_, low, high) => low != high,
        }
    }
}

impl Cond {
    /// Whether no card that comes in could make it fail once it holds.
    pub(in crate::rules) fn stays(&self) -> bool {
        match self {
            Cond::Within(num, low, high) => {
                let (up, down) = num.moves();
                let fixed =
                    |end: &Option<Num>| end.as_ref().is_none_or(|end| end.constant().is_some());
                fixed(low) && fixed(high) && (low.is_none() || !down) && (high.is_none() || !up)
            }
            Cond::All(parts) | Cond::Any(parts) => parts.iter().all(Cond::stays),
            Cond::Not(part) => part.negated().stays(),
            Cond::Declared(..) => true,
        }
    }

    /// Adds the cards of a deck that make it hold, where a query picks them.
    pub(in crate::rules) fn reasons(&self, contents: &Contents<'_>, cards: &mut Vec<CardId>) {
        if self.holds(contents) != Some(true) {
            return;
        }
        match self {
            Cond::Within(num, low, _) => {
                if low.as_ref().is_some_and(|low| low.value(contents).0 > 0) {
                    num.leaves(&mut |leaf| {
                        if !matches!(leaf.cards, Weights::One) {
                            cards.extend(leaf.there(contents));
                        }
                    });
                }
            }
            Cond::All(parts) | Cond::Any(parts) => {
                parts.iter().for_each(|part| part.reasons(contents, cards));
            }
            Cond::Not(_) | Cond::Declared(..) => {}
        }
    }

    /// Whether no deck over so many cards can meet it, as far as its numbers tell at once.
    pub(in crate::rules) fn never(&self, len: usize) -> bool {
        match self {
            Cond::Within(num, low, high) => {
                let end = |end: &Option<Num>| end.as_ref().and_then(Num::constant);
                let (low, high) = (end(low), end(high));
                let counts_none = num
                    .counts()
                    .is_some_and(|leaf| leaf.weighed(len).is_empty());
                low.zip(high).is_some_and(|(low, high)| low > high)
                    || (num.counts().is_some() && high.is_some_and(|high| high < 0))
                    || (counts_none && low.is_some_and(|low| low > 0))
            }
            Cond::All(parts) => parts.iter().any(|part| part.never(len)),
            Cond::Any(parts) => parts.iter().all(|part| part.never(len)),
            Cond::Not(_) | Cond::Declared(..) => false,
        }
    }
}
