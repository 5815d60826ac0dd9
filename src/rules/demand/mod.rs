//! What a rule demands, as one tree: numbers of a deck, and conditions on them.
//!
//! A [`Num`] is a number that a deck comes to, and a [`Cond`] holds of a deck or does not, mostly
//! because a number lies within bounds. A verdict ([`Cond::holds`]), rows for the solver
//! ([`Rows`]), and words ([`Cond::words`]) are each one recursion over the tree.
//!
//! Cards that the pool does not know make a number uncertain: it is then a [`Span`], from the
//! least to the most that it may be, and a condition may be open.

mod finding;
mod rows;
mod standing;
mod value;
mod words;

pub(crate) use rows::Rows;
pub(crate) use value::Holds;
use words::words_of;

use super::{Contents, SectionSet};
use crate::pool::CardId;
use crate::query::Comparison;

/// Farther than any number of a deck.
const FAR: i64 = 1 << 60;

/// A number that a deck comes to.
#[derive(Debug, Clone)]
pub(crate) enum Num {
    /// Always this number.
    Const(i64),
    /// By its index, the number of the card that a demand on each card is about: a constant once
    /// the demand is [of that card](Cond::of_each).
    Own(Vec<Option<i64>>),
    /// Copies of cards, each times the weight of its card.
    Sum(Box<Leaf>),
    /// How many of some groups of cards the deck has any card of.
    Different {
        /// The cards of each group.
        groups: Vec<Vec<CardId>>,
        /// Which cards, where, and what the groups are called.
        leaf: Box<Leaf>,
    },
    /// The greatest weight of the cards that are there, or the least; 0 where none is.
    Extreme {
        /// Whether it is the greatest.
        greatest: bool,
        /// The cards that have such a number, with it.
        leaf: Box<Leaf>,
    },
    /// Copies of cards, each times the weight of its card, where other cards of the deck say which
    /// cards count.
    Picked {
        /// All that may count, which unknown cards may, and what it is called.
        leaf: Box<Leaf>,
        /// Known cards, and when they count.
        classes: Vec<(Cond, Leaf)>,
    },
    /// All of these, added up.
    Add(Vec<Num>),
    /// A number so many times.
    Times(i64, Box<Num>),
    /// A number divided by one of at least 1, rounded down.
    Div(Box<Num>, i64),
    /// The least of some numbers, of which there is at least one.
    Least(Vec<Num>),
    /// The greatest of some numbers, of which there is at least one.
    Greatest(Vec<Num>),
}

/// What holds of a deck, or does not.
#[derive(Debug, Clone)]
pub(crate) enum Cond {
    /// The number is at least the first and at most the second, where they are given.
    Within(Num, Option<Num>, Option<Num>),
    /// All of these hold.
    All(Vec<Cond>),
    /// One of these holds.
    Any(Vec<Cond>),
    /// This does not hold.
    Not(Box<Cond>),
    /// What the deck declares: whether it holds, whatever its cards, and clauses that say that it
    /// does, and that it does not.
    Declared(bool, [String; 2]),
}

/// Which copies of a deck count, and how much each.
#[derive(Debug, Clone)]
pub(crate) struct Leaf {
    pub(crate) cards: Weights,
    pub(crate) sections: SectionSet,
    /// Which cards that the pool does not know may count.
    pub(crate) strangers: Strangers,
    /// What is counted, in words.
    pub(crate) name: Name,
}

/// What a demand on each card, or on each group of cards, is about.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Who<'w> {
    /// These cards that the pool knows, in their order.
    Known(&'w [CardId]),
    /// A card that the pool does not know.
    Stranger(CardId),
    /// Nobody yet: what holds of them holds of everybody of whom the deck has no card.
    Nobody,
}

/// How much a copy of a card counts.
#[derive(Debug, Clone)]
pub(crate) enum Weights {
    /// 1, whatever the card.
    One,
    /// By the card's index.
    Each(Vec<i64>),
    /// Of a few cards, in their order; of others nothing.
    Few(Vec<(CardId, i64)>),
}

/// Which cards that the pool does not know may count, and how much a copy of them may count at
/// least and at most.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Strangers {
    /// None.
    No,
    /// All.
    Any(i64, i64),
    /// This one.
    One(CardId, i64, i64),
}

/// What is counted, in words.
#[derive(Debug, Clone, Default)]
pub(crate) struct Name {
    /// The field that is added up, or whose values are counted; none where copies are counted.
    pub(crate) field: Option<String>,
    /// Whether copies of one card are counted, and not cards.
    pub(crate) copies: bool,
    /// Which cards, behind "cards" and with a space before it.
    pub(crate) which: String,
    /// The sections; empty where it is the whole deck.
    pub(crate) place: String,
}

impl Leaf {
    /// What a copy of a known card counts; `None`: it is not among those that count.
    fn weight(&self, card: CardId) -> Option<i64> {
        match &self.cards {
            Weights::One => Some(1),
            Weights::Each(column) => column
                .get(card.index())
                .copied()
                .filter(|weight| *weight != 0),
            Weights::Few(few) => {
                let at = few.binary_search_by_key(&card, |(card, _)| *card).ok()?;
                Some(few[at].1)
            }
        }
    }

    /// The cards of a pool of so many that count, with what a copy counts.
    pub(crate) fn weighed(&self, len: usize) -> Vec<(CardId, i64)> {
        let all = (0..len as u32).map(CardId);
        match &self.cards {
            Weights::One => all.map(|card| (card, 1)).collect(),
            Weights::Each(column) => all
                .zip(column.iter().copied())
                .filter(|one| one.1 != 0)
                .collect(),
            Weights::Few(few) => few.clone(),
        }
    }

    /// Copies of unknown cards that may count, and what each may count at least and at most.
    fn unknown(&self, contents: &Contents<'_>) -> (i64, i64, i64) {
        match self.strangers {
            Strangers::No => (0, 0, 0),
            _ if contents.unknown().is_empty() => (0, 0, 0),
            Strangers::Any(low, high) => (contents.count_unknown(self.sections), low, high),
            Strangers::One(card, low, high) => {
                let here = contents.of_card(card).iter();
                let here = here.filter(|held| self.sections.has(usize::from(held.section)));
                (here.map(|held| held.copies).sum(), low, high)
            }
        }
    }
}

impl Num {
    /// Calls `see` with each leaf.
    pub(crate) fn leaves<'n>(&'n self, see: &mut dyn FnMut(&'n Leaf)) {
        match self {
            Num::Const(_) | Num::Own(_) => {}
            Num::Sum(leaf) | Num::Different { leaf, .. } | Num::Extreme { leaf, .. } => see(leaf),
            Num::Picked { leaf, classes } => {
                see(leaf);
                classes.iter().for_each(|(cond, _)| cond.leaves(see));
            }
            Num::Add(parts) | Num::Least(parts) | Num::Greatest(parts) => {
                parts.iter().for_each(|part| part.leaves(see));
            }
            Num::Times(_, num) | Num::Div(num, _) => num.leaves(see),
        }
    }

    /// The number, where it is the same for every deck.
    pub(crate) fn constant(&self) -> Option<i64> {
        match self {
            Num::Const(number) => Some(*number),
            _ => None,
        }
    }

    /// Whether a card that comes in could make it greater, and whether less.
    pub(crate) fn moves(&self) -> (bool, bool) {
        match self {
            Num::Const(_) | Num::Own(_) => (false, false),
            Num::Sum(leaf) => {
                let any = |test: &dyn Fn(i64) -> bool| match &leaf.cards {
                    Weights::One => test(1),
                    Weights::Each(column) => column.iter().any(|weight| test(*weight)),
                    Weights::Few(few) => few.iter().any(|(_, weight)| test(*weight)),
                };
                (any(&|weight| weight > 0), any(&|weight| weight < 0))
            }
            Num::Different { groups, .. } => (!groups.is_empty(), false),
            Num::Extreme { .. } | Num::Picked { .. } => (true, true),
            Num::Add(parts) | Num::Least(parts) | Num::Greatest(parts) => parts
                .iter()
                .map(Num::moves)
                .fold((false, false), |all, one| (all.0 | one.0, all.1 | one.1)),
            Num::Times(by, num) => {
                let (up, down) = num.moves();
                match by.signum() {
                    1 => (up, down),
                    0 => (false, false),
                    _ => (down, up),
                }
            }
            Num::Div(num, _) => num.moves(),
        }
    }
}

impl Cond {
    /// Calls `see` with each leaf.
    pub(crate) fn leaves<'n>(&'n self, see: &mut dyn FnMut(&'n Leaf)) {
        match self {
            Cond::Within(num, low, high) => {
                num.leaves(see);
                let ends = [low, high].into_iter().flatten();
                ends.for_each(|end| end.leaves(see));
            }
            Cond::All(parts) | Cond::Any(parts) => parts.iter().for_each(|part| part.leaves(see)),
            Cond::Not(part) => part.leaves(see),
            Cond::Declared(..) => {}
        }
    }

    /// What holds just where this does not, with `Not` nowhere in it.
    pub(crate) fn negated(&self) -> Cond {
        match self {
            Cond::Within(num, low, high) => {
                let by = |end: &Num, by: i64| match end {
                    Num::Const(number) => Num::Const(number.saturating_add(by)),
                    end => Num::Add(vec![end.clone(), Num::Const(by)]),
                };
                let below = low
                    .as_ref()
                    .map(|low| Cond::Within(num.clone(), None, Some(by(low, -1))));
                let above = high
                    .as_ref()
                    .map(|high| Cond::Within(num.clone(), Some(by(high, 1)), None));
                let mut either: Vec<Cond> = below.into_iter().chain(above).collect();
                match either.len() {
                    1 => either.remove(0),
                    _ => Cond::Any(either),
                }
            }
            Cond::All(parts) => Cond::Any(parts.iter().map(Cond::negated).collect()),
            Cond::Any(parts) => Cond::All(parts.iter().map(Cond::negated).collect()),
            Cond::Not(part) => part.plain(),
            Cond::Declared(holds, [does, does_not]) => {
                Cond::Declared(!holds, [does_not.clone(), does.clone()])
            }
        }
    }

    /// The same with `Not` nowhere in it.
    pub(crate) fn plain(&self) -> Cond {
        match self {
            Cond::Within(..) | Cond::Declared(..) => self.clone(),
            Cond::All(parts) => Cond::All(parts.iter().map(Cond::plain).collect()),
            Cond::Any(parts) => Cond::Any(parts.iter().map(Cond::plain).collect()),
            Cond::Not(part) => part.negated(),
        }
    }
}

impl Leaf {
    /// The same of some cards alone.
    fn of_each(&self, who: Who<'_>) -> Leaf {
        let (cards, strangers) = match who {
            Who::Known(cards) => {
                let own = |card: &CardId| Some((*card, self.weight(*card)?));
                let strangers = match self.strangers {
                    // An unknown card may be of any group, and is no card that is known.
                    Strangers::Any(low, high) if !self.name.copies => {
                        Strangers::Any(low.min(0), high.max(0))
                    }
                    _ => Strangers::No,
                };
                (cards.iter().filter_map(own).collect(), strangers)
            }
            Who::Stranger(card) => {
                let strangers = match self.strangers {
                    Strangers::Any(low, high) => Strangers::One(card, low, high),
                    other => other,
                };
                (Vec::new(), strangers)
            }
            Who::Nobody => (Vec::new(), Strangers::No),
        };
        Leaf {
            cards: Weights::Few(cards),
            strangers,
            sections: self.sections,
            name: self.name.clone(),
        }
    }
}

impl Num {
    fn of_each(&self, who: Who<'_>) -> Option<Num> {
        let all = |parts: &[Num]| {
            parts
                .iter()
                .map(|part| part.of_each(who))
                .collect::<Option<Vec<Num>>>()
        };
        Some(match self {
            Num::Const(number) => Num::Const(*number),
            Num::Own(column) => match who {
                Who::Known([card, ..]) => Num::Const((*column.get(card.index())?)?),
                _ => return None,
            },
            Num::Sum(leaf) => Num::Sum(Box::new(leaf.of_each(who))),
            Num::Different { groups, leaf } => {
                let Who::Known(cards) = who else {
                    return Some(Num::Different {
                        groups: Vec::new(),
                        leaf: Box::new(leaf.of_each(who)),
                    });
                };
                let inside = |group: &Vec<CardId>| -> Vec<CardId> {
                    let group = group.iter().copied();
                    group
                        .filter(|card| cards.binary_search(card).is_ok())
                        .collect()
                };
                let groups = groups
                    .iter()
                    .map(inside)
                    .filter(|group| !group.is_empty())
                    .collect();
                Num::Different {
                    groups,
                    leaf: Box::new(leaf.of_each(who)),
                }
            }
            Num::Extreme { greatest, leaf } => Num::Extreme {
                greatest: *greatest,
                leaf: Box::new(leaf.of_each(who)),
            },
            Num::Picked { leaf, classes } => Num::Picked {
                leaf: Box::new(leaf.of_each(who)),
                classes: classes
                    .iter()
                    .map(|(cond, leaf)| (cond.clone(), leaf.of_each(who)))
                    .collect(),
            },
            Num::Add(parts) => Num::Add(all(parts)?),
            Num::Times(by, num) => Num::Times(*by, Box::new(num.of_each(who)?)),
            Num::Div(num, by) => Num::Div(Box::new(num.of_each(who)?), *by),
            Num::Least(parts) => Num::Least(all(parts)?),
            Num::Greatest(parts) => Num::Greatest(all(parts)?),
        })
    }

    fn has_own(&self) -> bool {
        match self {
            Num::Own(_) => true,
            Num::Const(_)
            | Num::Sum(_)
            | Num::Different { .. }
            | Num::Extreme { .. }
            | Num::Picked { .. } => false,
            Num::Add(parts) | Num::Least(parts) | Num::Greatest(parts) => {
                parts.iter().any(Num::has_own)
            }
            Num::Times(_, num) | Num::Div(num, _) => num.has_own(),
        }
    }
}

impl Cond {
    /// A demand on each card, or on each group of cards, as it is demanded of some; `None`: nothing
    /// is demanded of a card that lacks a number which the demand names.
    pub(crate) fn of_each(&self, who: Who<'_>) -> Option<Cond> {
        let all = |parts: &[Cond]| {
            parts
                .iter()
                .map(|part| part.of_each(who))
                .collect::<Option<Vec<Cond>>>()
        };
        let end = |end: &Option<Num>| match end {
            Some(end) => end.of_each(who).map(Some),
            None => Some(None),
        };
        Some(match self {
            Cond::Within(num, low, high) => Cond::Within(num.of_each(who)?, end(low)?, end(high)?),
            Cond::All(parts) => Cond::All(all(parts)?),
            Cond::Any(parts) => Cond::Any(all(parts)?),
            Cond::Not(part) => Cond::Not(Box::new(part.of_each(who)?)),
            Cond::Declared(..) => self.clone(),
        })
    }

    /// Whether it names a number of the card that it is about.
    pub(crate) fn has_own(&self) -> bool {
        match self {
            Cond::Within(num, low, high) => {
                num.has_own() || [low, high].into_iter().flatten().any(Num::has_own)
            }
            Cond::All(parts) | Cond::Any(parts) => parts.iter().any(Cond::has_own),
            Cond::Not(part) => part.has_own(),
            Cond::Declared(..) => false,
        }
    }
}

impl Num {
    /// One number compared with another. A constant becomes the bound.
    pub(crate) fn compared(&self, comparison: Comparison, right: &Num) -> Cond {
        let left = self;
        if left.constant().is_some() && right.constant().is_none() {
            let turned = match comparison {
                Comparison::Less => Comparison::More,
                Comparison::AtMost => Comparison::AtLeast,
                Comparison::More => Comparison::Less,
                Comparison::AtLeast => Comparison::AtMost,
                same => same,
            };
            return right.compared(turned, left);
        }
        let by = |by: i64| match right {
            Num::Const(number) => Num::Const(number.saturating_add(by)),
            right => Num::Add(vec![right.clone(), Num::Const(by)]),
        };
        let within = |low: Option<Num>, high: Option<Num>| Cond::Within(left.clone(), low, high);
        match comparison {
            Comparison::Is | Comparison::Equal => within(Some(right.clone()), Some(right.clone())),
            Comparison::NotEqual => {
                Cond::Any(vec![within(None, Some(by(-1))), within(Some(by(1)), None)])
            }
            Comparison::Less => within(None, Some(by(-1))),
            Comparison::AtMost => within(None, Some(right.clone())),
            Comparison::More => within(Some(by(1)), None),
            Comparison::AtLeast => within(Some(right.clone()), None),
        }
    }
}
