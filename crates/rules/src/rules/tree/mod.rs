//! What a rule demands, as one tree: numbers of a deck, and conditions on them.
//!
//! A [`Num`] is a number of a deck, and a [`Cond`] holds of a deck or does not, mostly because a
//! number lies within bounds. Judging ([`Cond::holds`]), blame (`Cond::blame`), solver rows
//! ([`Rows`]) and words are each one recursion over the tree.
//!
//! Cards that the pool does not know make a number uncertain: its value is a `Span`, from the
//! least to the most that it may be, and a condition may be open.

mod agreement;
mod blame;
mod each;
mod reach;
mod rows;
mod value;
mod words;

pub(crate) use blame::Blame;
pub(crate) use each::Subject;
pub(crate) use reach::{Accepted, Growth, Space};
pub use rows::Rows;
pub(crate) use words::bracketed;

use super::groups::Groups;
use super::identity::Identity;
use super::{Cards, Compile, SectionSet};
use decklaw_cards::pool::{CardId, CardSet};
use decklaw_cards::query::Comparison;
use decklaw_text::yaml::Spanned;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// Farther than any number of a deck.
pub(crate) const FAR: i64 = 1 << 60;

/// A number of a deck. Two are equal by what they count, never by their words.
#[derive(Debug, Clone, PartialEq)]
pub enum Num {
    /// Always this number.
    Const(i64),
    /// The number of the card that a demand on each card is about.
    Own {
        /// The field that has it, in words.
        field: String,
        /// By index; `None`: the card has none.
        column: Vec<Option<i64>>,
    },
    /// Copies of cards, each times the weight of its card.
    Sum(Box<Leaf>),
    /// The number of groups with at least `least` copies.
    Different {
        /// The groups; `None`: each card is one, and counts its weight.
        groups: Option<Arc<Groups>>,
        /// The copies that a group needs; at least 1.
        least: i64,
        /// The cards that count.
        leaf: Box<Leaf>,
    },
    /// The greatest or least weight of the cards that are there; 0 where none is.
    Extreme {
        /// Whether it is the greatest.
        greatest: bool,
        /// The cards that have such a number, with it.
        leaf: Box<Leaf>,
    },
    /// Copies that count otherwise where their card agrees with the identity cards.
    Agreed(Box<AgreementWeight>),
    /// The number where a condition holds, else 0.
    When(Box<Cond>, Box<Num>),
    /// The sum of these.
    Add(Vec<Num>),
    /// A multiple of a number.
    Times(i64, Box<Num>),
    /// A number divided by one of at least 1, rounded down.
    Div(Box<Num>, i64),
}

/// What holds of a deck, or does not.
#[derive(Debug, Clone, PartialEq)]
pub enum Cond {
    /// The number is at least the first and at most the second, where they are given.
    Within(Num, Option<Num>, Option<Num>),
    /// The number is one of these.
    Among(Num, Vec<i64>),
    /// All of these hold.
    All(Vec<Cond>),
    /// One of these holds; where none does, the last is blamed.
    Any(Vec<Cond>),
}

/// Copies of cards that count otherwise where the card agrees with the identity cards.
#[derive(Debug, Clone)]
pub struct AgreementWeight {
    /// What each card counts where it does not agree: every card of the pool has a weight.
    pub leaf: Leaf,
    /// By index, what it counts where it agrees.
    pub then: Vec<i64>,
    /// Which cards agree.
    pub(crate) identity: Arc<Identity>,
    /// How often the first copy of a card counts, and each further one.
    pub copies: [i64; 2],
    /// Which cards agree and what they then count, in words.
    pub words: String,
}

/// Which copies count, and how much each.
#[derive(Debug, Clone)]
pub struct Leaf {
    /// How much a copy of each card counts.
    pub cards: Weights,
    /// The sections that count.
    pub sections: SectionSet,
    /// How much a copy of an unknown card may count.
    pub unknown: UnknownCards,
    /// What is counted, in words.
    pub name: Name,
}

/// How much a copy of a card counts.
#[derive(Debug, Clone, PartialEq)]
pub enum Weights {
    /// 1, whatever the card.
    One,
    /// 1 for these cards.
    Set(CardSet),
    /// By index.
    Each(Vec<i64>),
    /// Of a few cards, in their order.
    Few(Vec<(CardId, i64)>),
}

/// How much a copy of a card that the pool does not know may count, at least and at most.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum UnknownCards {
    /// Nothing.
    Nothing,
    /// The same for all.
    Any(i64, i64),
    /// This card alone counts.
    One(CardId, i64, i64),
    /// By folded name; others as the span says.
    Named(Arc<FxHashMap<String, i64>>, (i64, i64)),
}

/// What is counted, in words.
#[derive(Debug, Clone, Default)]
pub struct Name {
    /// In the singular; empty: a card, or a copy.
    pub noun: String,
    /// What one of them is.
    pub unit: Unit,
    /// Which cards, behind "cards" and with a space before it.
    pub which: String,
    /// The sections; empty for the whole deck.
    pub place: String,
}

/// What is counted one by one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Unit {
    /// Cards.
    #[default]
    Cards,
    /// Copies of one card.
    Copies,
    /// Values of a field that cards have.
    Values,
    /// Points, such as the mana of cards: a word without a plural.
    Points,
}

impl PartialEq for AgreementWeight {
    fn eq(&self, other: &AgreementWeight) -> bool {
        let same = (&self.leaf, &self.then, self.copies);
        same == (&other.leaf, &other.then, other.copies)
            && Arc::ptr_eq(&self.identity, &other.identity)
    }
}

impl PartialEq for Leaf {
    /// The words for it decide nothing.
    fn eq(&self, other: &Leaf) -> bool {
        let same = (&self.cards, self.sections, &self.unknown);
        same == (&other.cards, other.sections, &other.unknown)
    }
}

impl UnknownCards {
    /// Unknown cards that may have any number; a negative one only where a known card has one.
    pub(crate) fn of_numbers(numbers: impl IntoIterator<Item = i64>) -> UnknownCards {
        let below = numbers.into_iter().any(|number| number < 0);
        UnknownCards::Any(if below { -FAR } else { 0 }, FAR)
    }
}

impl Leaf {
    /// Copies of the cards of some sections that a query picks.
    pub(crate) fn of_cards(
        query: Option<&Spanned<String>>,
        sections: SectionSet,
        with: &mut Compile<'_>,
    ) -> Leaf {
        let (cards, unknown) = match with.cards(query) {
            Cards::All => (Weights::One, UnknownCards::Any(1, 1)),
            Cards::Some(set) => (Weights::Set(set), UnknownCards::Any(0, 1)),
        };
        let name = Name {
            which: with.which(query),
            place: with.section_names(sections),
            ..Name::default()
        };
        Leaf { cards, sections, unknown, name }
    }

    /// Copies of known cards, each times its weight.
    pub fn of(cards: Weights, sections: SectionSet) -> Leaf {
        Leaf { cards, sections, unknown: UnknownCards::Nothing, name: Name::default() }
    }

    /// Copies of some cards; a card may be named more than once.
    pub(crate) fn of_few(cards: impl IntoIterator<Item = CardId>, sections: SectionSet) -> Leaf {
        let mut few: Vec<(CardId, i64)> = cards.into_iter().map(|card| (card, 1)).collect();
        few.sort_unstable();
        few.dedup();
        Leaf::of(Weights::Few(few), sections)
    }

    /// Copies of one card, known or not.
    pub fn of_card(card: CardId, sections: SectionSet, known: usize) -> Leaf {
        let mut leaf = Leaf::of(Weights::Few(Vec::new()), sections);
        if card.index() < known {
            leaf.cards = Weights::Few(vec![(card, 1)]);
        } else {
            leaf.unknown = UnknownCards::One(card, 1, 1);
        }
        leaf
    }

    /// The same where unknown cards may count so much.
    pub(crate) fn with_unknown(self, unknown: UnknownCards) -> Leaf {
        Leaf { unknown, ..self }
    }

    /// How many copies there are, each times its weight.
    pub fn num(self) -> Num {
        Num::Sum(Box::new(self))
    }

    /// That a copy is there.
    pub fn is_there(&self) -> Cond {
        Cond::at_least(self.clone().num(), 1)
    }

    /// That no copy is there.
    pub(crate) fn is_absent(&self) -> Cond {
        Cond::at_most(self.clone().num(), 0)
    }

    /// Whether no weight is negative, so that the sum is 0 just where no card is there.
    fn is_count(&self) -> bool {
        match &self.cards {
            Weights::One | Weights::Set(_) => true,
            Weights::Each(column) => column.iter().all(|weight| *weight >= 0),
            Weights::Few(few) => few.iter().all(|(_, weight)| *weight >= 0),
        }
    }

    /// Whether it counts every card of its sections.
    pub fn is_all(&self) -> bool {
        matches!(self.cards, Weights::One)
    }

    /// Whether unknown cards make it uncertain.
    pub(crate) fn is_clouded(&self) -> bool {
        match &self.unknown {
            UnknownCards::Nothing => false,
            UnknownCards::Any(low, high) | UnknownCards::One(_, low, high) => low != high,
            UnknownCards::Named(_, (low, high)) => low != high,
        }
    }

    /// What a copy of a known card counts; `None`: it does not count.
    pub fn weight(&self, card: CardId) -> Option<i64> {
        match &self.cards {
            Weights::One => Some(1),
            Weights::Set(set) => set.has(card).then_some(1),
            Weights::Each(column) => {
                let weight = column.get(card.index()).copied();
                weight.filter(|weight| *weight != 0)
            }
            Weights::Few(few) => {
                let at = few.binary_search_by_key(&card, |(card, _)| *card).ok()?;
                Some(few[at].1)
            }
        }
    }

    /// The cards of a pool of `len` cards that count, each with its weight.
    pub(crate) fn weighed(&self, len: usize) -> Vec<(CardId, i64)> {
        let all = (0..len as u32).map(CardId);
        match &self.cards {
            Weights::One => all.map(|card| (card, 1)).collect(),
            Weights::Set(set) => set.iter().map(|card| (card, 1)).collect(),
            Weights::Each(column) => {
                let each = all.zip(column.iter().copied());
                each.filter(|one| one.1 != 0).collect()
            }
            Weights::Few(few) => few.clone(),
        }
    }
}

impl Num {
    /// Calls `see` with each leaf, those of conditions in it among them.
    pub fn leaves<'n>(&'n self, see: &mut dyn FnMut(&'n Leaf)) {
        match self {
            Num::Const(_) | Num::Own { .. } => {}
            Num::Sum(leaf) | Num::Different { leaf, .. } | Num::Extreme { leaf, .. } => see(leaf),
            Num::Agreed(agreed) => see(&agreed.leaf),
            Num::When(cond, num) => {
                cond.leaves(see);
                num.leaves(see);
            }
            Num::Add(parts) => parts.iter().for_each(|part| part.leaves(see)),
            Num::Times(_, num) | Num::Div(num, _) => num.leaves(see),
        }
    }

    /// The number, where it is the same for every deck.
    pub fn constant(&self) -> Option<i64> {
        match self {
            Num::Const(number) => Some(*number),
            _ => None,
        }
    }

    /// The same plus a fixed number.
    pub fn plus(&self, by: i64) -> Num {
        match self {
            Num::Const(number) => Num::Const(number.saturating_add(by)),
            num if by == 0 => num.clone(),
            num => Num::Add(vec![num.clone(), Num::Const(by)]),
        }
    }

    /// The sum of some numbers.
    pub fn sum(mut parts: Vec<Num>) -> Num {
        match parts.len() {
            1 => parts.remove(0),
            _ => Num::Add(parts),
        }
    }

    /// One number compared with another. A constant becomes the bound.
    pub fn compared(&self, comparison: Comparison, right: &Num) -> Cond {
        if self.constant().is_some() && right.constant().is_none() {
            let turned = match comparison {
                Comparison::Less => Comparison::More,
                Comparison::AtMost => Comparison::AtLeast,
                Comparison::More => Comparison::Less,
                Comparison::AtLeast => Comparison::AtMost,
                same => same,
            };
            return right.compared(turned, self);
        }
        let within = |low: Option<Num>, high: Option<Num>| Cond::Within(self.clone(), low, high);
        match comparison {
            Comparison::Is | Comparison::Equal => within(Some(right.clone()), Some(right.clone())),
            Comparison::NotEqual => Cond::Any(vec![
                within(None, Some(right.plus(-1))),
                within(Some(right.plus(1)), None),
            ]),
            Comparison::Less => within(None, Some(right.plus(-1))),
            Comparison::AtMost => within(None, Some(right.clone())),
            Comparison::More => within(Some(right.plus(1)), None),
            Comparison::AtLeast => within(Some(right.clone()), None),
        }
    }
}

impl Cond {
    /// What every deck meets.
    pub fn always() -> Cond {
        Cond::All(Vec::new())
    }

    /// What no deck meets.
    pub fn never() -> Cond {
        Cond::Any(Vec::new())
    }

    /// That a number is at least so large.
    pub fn at_least(num: Num, least: i64) -> Cond {
        Cond::Within(num, Some(Num::Const(least)), None)
    }

    /// That a number is at most so large.
    pub fn at_most(num: Num, most: i64) -> Cond {
        Cond::Within(num, None, Some(Num::Const(most)))
    }

    /// All of some conditions.
    pub fn all(mut parts: Vec<Cond>) -> Cond {
        match parts.len() {
            1 => parts.remove(0),
            _ => Cond::All(parts),
        }
    }

    /// That this holds where none of some others does.
    #[must_use]
    pub(crate) fn unless(self, mut others: Vec<Cond>) -> Cond {
        if others.is_empty() {
            return self;
        }
        others.push(self);
        Cond::Any(others)
    }

    /// Calls `see` with each leaf.
    pub fn leaves<'n>(&'n self, see: &mut dyn FnMut(&'n Leaf)) {
        match self {
            Cond::Within(num, low, high) => {
                num.leaves(see);
                let ends = [low, high].into_iter().flatten();
                ends.for_each(|end| end.leaves(see));
            }
            Cond::Among(num, _) => num.leaves(see),
            Cond::All(parts) | Cond::Any(parts) => parts.iter().for_each(|part| part.leaves(see)),
        }
    }

    /// The sections of its leaves.
    pub fn sections(&self) -> SectionSet {
        let mut sections = SectionSet::default();
        self.leaves(&mut |leaf| sections = sections.and(leaf.sections));
        sections
    }

    /// That one of some holds. Where all say that one number is this or that, it is one of these.
    pub fn any(parts: Vec<Cond>) -> Cond {
        let mut options = Vec::new();
        let mut first: Option<&Num> = None;
        for part in &parts {
            let Cond::Within(num, Some(Num::Const(low)), Some(Num::Const(high))) = part else {
                return Cond::Any(parts);
            };
            if low != high || *first.get_or_insert(num) != num {
                return Cond::Any(parts);
            }
            options.push(*low);
        }
        match parts.into_iter().next() {
            Some(Cond::Within(num, ..)) if options.len() > 1 => {
                options.sort_unstable();
                options.dedup();
                Cond::Among(num, options)
            }
            Some(only) => only,
            None => Cond::never(),
        }
    }

    /// What holds just where this does not.
    pub fn negated(&self) -> Cond {
        match self {
            Cond::Within(num, low, high) => {
                let below = low.as_ref().map(|low| low.plus(-1));
                let above = high.as_ref().map(|high| high.plus(1));
                let below = below.map(|end| Cond::Within(num.clone(), None, Some(end)));
                let above = above.map(|end| Cond::Within(num.clone(), Some(end), None));
                let mut either: Vec<Cond> = below.into_iter().chain(above).collect();
                match either.len() {
                    1 => either.remove(0),
                    _ => Cond::Any(either),
                }
            }
            Cond::Among(num, options) => {
                let mut options = options.clone();
                options.sort_unstable();
                let within = |low: Option<i64>, high: Option<i64>| {
                    Cond::Within(num.clone(), low.map(Num::Const), high.map(Num::Const))
                };
                let first = options.first().map(|first| first.saturating_sub(1));
                let last = options.last().map(|last| last.saturating_add(1));
                let mut either = vec![within(None, first), within(last, None)];
                for pair in options.windows(2) {
                    let (low, high) = (pair[0].saturating_add(1), pair[1].saturating_sub(1));
                    either.extend((low <= high).then(|| within(Some(low), Some(high))));
                }
                Cond::Any(either)
            }
            Cond::All(parts) => Cond::Any(parts.iter().map(Cond::negated).collect()),
            Cond::Any(parts) => Cond::All(parts.iter().map(Cond::negated).collect()),
        }
    }

    /// The ways to break it: a deck breaks this just where it meets one of them. `None`: they are
    /// too many.
    pub fn ways_to_break(&self) -> Option<Vec<Cond>> {
        const MOST: usize = 200;
        (self.len() <= MOST).then(|| match self.negated() {
            Cond::Any(ways) => ways,
            way => vec![way],
        })
    }

    /// How many conditions on numbers it is made of.
    fn len(&self) -> usize {
        match self {
            Cond::All(parts) | Cond::Any(parts) => parts.iter().map(Cond::len).sum(),
            Cond::Within(..) | Cond::Among(..) => 1,
        }
    }

    /// The largest number that it names.
    pub fn largest(&self) -> i64 {
        let ends = match self {
            Cond::Within(_, low, high) => {
                let ends = [low, high].into_iter().flatten();
                ends.filter_map(Num::constant).collect()
            }
            Cond::All(parts) | Cond::Any(parts) => parts.iter().map(Cond::largest).collect(),
            Cond::Among(_, options) => options.clone(),
        };
        ends.into_iter().map(i64::saturating_abs).max().unwrap_or(0)
    }
}
