//! Conditions on which something is asked: whether they can hold, whether they go on holding, and
//! for which cards they do.

use super::{Cond, Contents, Leaf, Num, Strangers, Weights};
use crate::pool::CardId;

impl Leaf {
    /// Whether a card that the pool does not know makes it uncertain.
    pub(crate) fn is_clouded(&self) -> bool {
        match self.strangers {
            Strangers::No => false,
            Strangers::Any(low, high) | Strangers::One(_, low, high) => low != high,
        }
    }
}

impl Cond {
    /// Whether no card that comes in could make it fail once it holds.
    pub(crate) fn stays(&self) -> bool {
        match self {
            Cond::Within(num, low, high) => {
                let (up, down) = num.moves();
                let fixed =
                    |end: &Option<Num>| end.as_ref().is_none_or(|end| end.constant().is_some());
                fixed(low) && fixed(high) && (low.is_none() || !down) && (high.is_none() || !up)
            }
            Cond::All(parts) | Cond::Any(parts) => parts.iter().all(Cond::stays),
            Cond::Not(part) => part.negated().stays(),
            Cond::Among(..) => false,
            Cond::Given(..) => true,
        }
    }

    /// Adds the cards of a deck that make it hold, where a query picks them.
    pub(crate) fn reasons(&self, contents: &Contents<'_>, cards: &mut Vec<CardId>) {
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
            Cond::Among(..) | Cond::Not(_) | Cond::Given(..) => {}
        }
    }

    /// Whether no deck over so many cards can meet it, as far as its numbers tell at once.
    pub(crate) fn never(&self, len: usize) -> bool {
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
            Cond::Among(..) | Cond::Not(_) | Cond::Given(..) => false,
        }
    }

    /// How far a deck is from it: what its numbers lack or have too much, all added up; 1 where
    /// none of several holds.
    pub fn missed(&self, contents: &Contents<'_>) -> i64 {
        match self {
            Cond::Within(num, low, high) => {
                let (least, most) = num.value(contents);
                let short = low
                    .as_ref()
                    .map_or(0, |low| low.value(contents).0.saturating_sub(most));
                let over = high
                    .as_ref()
                    .map_or(0, |high| least.saturating_sub(high.value(contents).1));
                short.max(0).saturating_add(over.max(0))
            }
            Cond::All(parts) => parts.iter().map(|part| part.missed(contents)).sum(),
            Cond::Not(part) => part.negated().missed(contents),
            Cond::Among(..) | Cond::Any(_) | Cond::Given(..) => {
                i64::from(self.holds(contents) == Some(false))
            }
        }
    }

    /// The largest number that it names.
    pub fn largest(&self) -> i64 {
        match self {
            Cond::Within(_, low, high) => {
                let ends = [low, high].into_iter().flatten().filter_map(Num::constant);
                ends.map(i64::saturating_abs).max().unwrap_or(0)
            }
            Cond::All(parts) | Cond::Any(parts) => {
                parts.iter().map(Cond::largest).max().unwrap_or(0)
            }
            Cond::Among(_, options) => options
                .iter()
                .map(|at| at.saturating_abs())
                .max()
                .unwrap_or(0),
            Cond::Not(part) => part.largest(),
            Cond::Given(..) => 0,
        }
    }
}
