//! What a rule demands, as one tree: numbers of a deck, and conditions on them.
//!
//! A [`Num`] is a number that a deck comes to, and a [`Cond`] holds of a deck or does not, mostly
//! because a number lies within bounds. A verdict ([`Cond::holds`]), rows for the solver
//! ([`Rows`]), and words (`Cond::words`) are each one recursion over the tree.
//!
//! Cards that the pool does not know make a number uncertain: it is then a `Span`, from the
//! least to the most that it may be, and a condition may be open.

mod display;
mod finding;
mod rows;
mod standing;
mod value;

use display::words_of;
pub use rows::Rows;
pub(crate) use value::{Holds, Span};

use super::groups::Groups;
use super::{Cards, Compile, Contents, Linear, SectionSet};
use crate::pool::{CardId, CardSet};
use crate::query::Comparison;
use crate::yaml::Spanned;
use std::fmt::Debug;
use std::sync::Arc;

/// Farther than any number of a deck.
pub(crate) const FAR: i64 = 1 << 60;

/// A number that a deck comes to.
#[derive(Debug, Clone)]
pub enum Num {
    /// Always this number.
    Const(i64),
    /// By its index, the number of the card that a demand on each card is about: a constant once
    /// the demand is of that card.
    Own(Vec<Option<i64>>),
    /// Copies of cards, each times the weight of its card.
    Sum(Box<Leaf>),
    /// How many of some groups of cards the deck has enough copies of.
    Different {
        /// What makes cards one and the same; `None`: each card is alone, and is counted as often
        /// as its weight says.
        groups: Option<Arc<Groups>>,
        /// So many copies are enough; at least 1.
        least: i64,
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
    /// Copies of cards, each times the weight of its card, or times another where the card agrees
    /// with the deck's identity cards.
    Agreed(Box<Agreed>),
    /// The number where a condition holds, and else 0.
    When(Box<Cond>, Box<Num>),
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
pub enum Cond {
    /// The number is at least the first and at most the second, where they are given.
    Within(Num, Option<Num>, Option<Num>),
    /// The number is one of these.
    Among(Num, Vec<i64>),
    /// All of these hold.
    All(Vec<Cond>),
    /// One of these holds.
    Any(Vec<Cond>),
    /// This does not hold.
    Not(Box<Cond>),
    /// What no card decides, such as a setting that nobody gave: whether it holds, and clauses that
    /// say that it does, and that it does not.
    Given(bool, [String; 2]),
}

/// Copies of cards that count otherwise where the card agrees with the deck's identity cards.
#[derive(Debug, Clone)]
pub struct Agreed {
    /// What each card counts where it does not agree: every card of the pool has a weight.
    pub(crate) leaf: Leaf,
    /// By the card's index, what it counts where it agrees.
    pub(crate) then: Vec<i64>,
    /// Who agree.
    pub(crate) agrees: Arc<dyn Agreeing>,
    /// How often the first copy of a card counts, and each further one.
    pub(crate) copies: [i64; 2],
}

/// Who agrees with the deck's identity cards.
pub(crate) trait Agreeing: Debug + Send + Sync {
    /// The sections of the identity cards.
    fn sections(&self) -> SectionSet;

    /// Whether a card agrees; none does where there is no identity card.
    fn agrees(&self, contents: &Contents<'_>, card: CardId) -> bool;

    /// Of the cards that `concerns` picks, those that agree together or not at all, and the
    /// condition on which they do.
    fn classes(
        &self,
        of: &Linear<'_>,
        concerns: &dyn Fn(CardId) -> bool,
    ) -> Vec<(Cond, Vec<CardId>)>;
}

/// Which copies of a deck count, and how much each.
#[derive(Debug, Clone)]
pub struct Leaf {
    /// How much a copy of each card counts.
    pub cards: Weights,
    /// The sections that count.
    pub sections: SectionSet,
    /// Which cards that the pool does not know may count.
    pub strangers: Strangers,
    /// What is counted, in words.
    pub name: Name,
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
pub enum Weights {
    /// 1, whatever the card.
    One,
    /// 1 for these cards, and nothing for others.
    Set(CardSet),
    /// By the card's index.
    Each(Vec<i64>),
    /// Of a few cards, in their order; of others nothing.
    Few(Vec<(CardId, i64)>),
}

/// Which cards that the pool does not know may count, and how much a copy of them may count at
/// least and at most.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Strangers {
    /// None.
    No,
    /// All.
    Any(i64, i64),
    /// This one.
    One(CardId, i64, i64),
}

/// What is counted, in words.
#[derive(Debug, Clone, Default)]
pub struct Name {
    /// The field that is added up, or whose values are counted; none where copies are counted.
    pub(crate) field: Option<String>,
    /// Whether copies of one card are counted, and not cards.
    pub(crate) copies: bool,
    /// Which cards, behind "cards" and with a space before it.
    pub(crate) which: String,
    /// The sections; empty where it is the whole deck.
    pub(crate) place: String,
}

impl Strangers {
    /// Any unknown card may count, and may have any number; one below 0 only where a known card has.
    pub(crate) fn of_numbers(numbers: &[i64]) -> Strangers {
        let below = numbers.iter().any(|number| *number < 0);
        Strangers::Any(if below { -FAR } else { 0 }, FAR)
    }
}

impl Leaf {
    /// Copies of the cards of some sections that a query picks.
    pub(crate) fn of_cards(
        query: Option<&Spanned<String>>,
        sections: SectionSet,
        with: &mut Compile<'_>,
    ) -> Leaf {
        let (cards, strangers) = match with.cards(query) {
            Cards::All => (Weights::One, Strangers::Any(1, 1)),
            Cards::Some(set) => (Weights::Set(set), Strangers::Any(0, 1)),
        };
        Leaf {
            cards,
            sections,
            strangers,
            name: Name {
                which: with.which(query),
                place: with.section_names(sections),
                ..Name::default()
            },
        }
    }

    /// Copies of known cards, each times its weight.
    pub(crate) fn of(cards: Weights, sections: SectionSet) -> Leaf {
        Leaf {
            cards,
            sections,
            strangers: Strangers::No,
            name: Name::default(),
        }
    }

    /// Copies of one card.
    pub(crate) fn of_card(card: CardId, sections: SectionSet) -> Leaf {
        Leaf::of(Weights::Few(vec![(card, 1)]), sections)
    }

    /// Copies of some cards; a card may be named more than once.
    pub(crate) fn of_few(cards: impl IntoIterator<Item = CardId>, sections: SectionSet) -> Leaf {
        let mut few: Vec<(CardId, i64)> = cards.into_iter().map(|card| (card, 1)).collect();
        few.sort_unstable();
        few.dedup();
        Leaf::of(Weights::Few(few), sections)
    }

    /// How many copies there are, each times its weight.
    pub(crate) fn num(self) -> Num {
        Num::Sum(Box::new(self))
    }

    /// That a copy of its cards is there.
    pub(crate) fn is_there(&self) -> Cond {
        Cond::Within(self.clone().num(), Some(Num::Const(1)), None)
    }

    /// That none of its cards is there.
    pub(crate) fn is_absent(&self) -> Cond {
        Cond::Within(self.clone().num(), None, Some(Num::Const(0)))
    }

    /// Whether no card takes from what others count, so that it is 0 just where none is there.
    fn is_count(&self) -> bool {
        match &self.cards {
            Weights::One | Weights::Set(_) => true,
            Weights::Each(column) => column.iter().all(|weight| *weight >= 0),
            Weights::Few(few) => few.iter().all(|(_, weight)| *weight >= 0),
        }
    }

    /// The copies of a card where it counts.
    pub(crate) fn copies(&self, contents: &Contents<'_>, card: CardId) -> i64 {
        let own = contents.of_card(card).iter();
        let here = own.filter(|held| self.sections.has(usize::from(held.section)));
        here.fold(0, |sum, held| sum.saturating_add(held.copies))
    }

    /// What a copy of a known card counts; `None`: it is not among those that count.
    fn weight(&self, card: CardId) -> Option<i64> {
        match &self.cards {
            Weights::One => Some(1),
            Weights::Set(set) => set.has(card).then_some(1),
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
            Weights::Set(set) => set.iter().map(|card| (card, 1)).collect(),
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
            Num::Agreed(agreed) => see(&agreed.leaf),
            Num::When(cond, num) => {
                cond.leaves(see);
                num.leaves(see);
            }
            Num::Add(parts) | Num::Least(parts) | Num::Greatest(parts) => {
                parts.iter().for_each(|part| part.leaves(see));
            }
            Num::Times(_, num) | Num::Div(num, _) => num.leaves(see),
        }
    }

    /// Whether it counts all cards of some sections, and none is left out.
    pub(crate) fn is_all(&self) -> bool {
        match self {
            Num::Sum(leaf) | Num::Different { leaf, .. } => matches!(leaf.cards, Weights::One),
            _ => false,
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
                    Weights::Set(set) => !set.is_empty() && test(1),
                    Weights::Each(column) => column.iter().any(|weight| test(*weight)),
                    Weights::Few(few) => few.iter().any(|(_, weight)| test(*weight)),
                };
                (any(&|weight| weight > 0), any(&|weight| weight < 0))
            }
            Num::Extreme { .. }
            | Num::Different { .. }
            | Num::Picked { .. }
            | Num::Agreed(_)
            | Num::When(..) => (true, true),
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
    /// What every deck meets.
    pub(crate) fn always() -> Cond {
        Cond::All(Vec::new())
    }

    /// That a number is at most so large.
    pub(crate) fn at_most(num: Num, most: i64) -> Cond {
        Cond::Within(num, None, Some(Num::Const(most)))
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

    /// How many conditions on numbers it is made of.
    fn len(&self) -> usize {
        match self {
            Cond::All(parts) | Cond::Any(parts) => parts.iter().map(Cond::len).sum(),
            Cond::Not(part) => part.len(),
            Cond::Within(..) | Cond::Among(..) | Cond::Given(..) => 1,
        }
    }

    /// The ways to break it, of which there are few: each is a condition, and a deck breaks this
    /// just where it meets one of them. `None`: they are too many.
    pub fn ways_to_break(&self) -> Option<Vec<Cond>> {
        const MOST: usize = 200;
        (self.len() <= MOST).then(|| match self.negated() {
            Cond::Any(ways) => ways,
            way => vec![way],
        })
    }

    /// Calls `see` with each leaf.
    pub(crate) fn leaves<'n>(&'n self, see: &mut dyn FnMut(&'n Leaf)) {
        match self {
            Cond::Within(num, low, high) => {
                num.leaves(see);
                let ends = [low, high].into_iter().flatten();
                ends.for_each(|end| end.leaves(see));
            }
            Cond::Among(num, _) => num.leaves(see),
            Cond::All(parts) | Cond::Any(parts) => parts.iter().for_each(|part| part.leaves(see)),
            Cond::Not(part) => part.leaves(see),
            Cond::Given(..) => {}
        }
    }

    /// That a number is one of some, each option by itself.
    fn spelt(num: &Num, options: &[i64]) -> Cond {
        let is = |option: &i64| {
            let option = Some(Num::Const(*option));
            Cond::Within(num.clone(), option.clone(), option)
        };
        Cond::Any(options.iter().map(is).collect())
    }

    /// That one of some holds. Where all say that one number is this or that, it is one of these.
    pub(crate) fn any(parts: Vec<Cond>) -> Cond {
        let mut options = Vec::new();
        let mut words: Option<String> = None;
        for part in &parts {
            let Cond::Within(num, Some(Num::Const(low)), Some(Num::Const(high))) = part else {
                return Cond::Any(parts);
            };
            let same = words.get_or_insert_with(|| num.words()) == &num.words();
            if low != high || !same {
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
            None => Cond::Any(Vec::new()),
        }
    }

    /// What holds just where this does not, with `Not` nowhere in it.
    pub fn negated(&self) -> Cond {
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
            Cond::Among(num, options) => {
                let mut options = options.clone();
                options.sort_unstable();
                let first = options.first().map(|first| first.saturating_sub(1));
                let last = options.last().map(|last| last.saturating_add(1));
                let within = |low: Option<i64>, high: Option<i64>| {
                    Cond::Within(num.clone(), low.map(Num::Const), high.map(Num::Const))
                };
                let mut either = vec![within(None, first), within(last, None)];
                for pair in options.windows(2) {
                    let (low, high) = (pair[0].saturating_add(1), pair[1].saturating_sub(1));
                    either.extend((low <= high).then(|| within(Some(low), Some(high))));
                }
                Cond::Any(either)
            }
            Cond::All(parts) => Cond::Any(parts.iter().map(Cond::negated).collect()),
            Cond::Any(parts) => Cond::All(parts.iter().map(Cond::negated).collect()),
            Cond::Not(part) => part.plain(),
            Cond::Given(holds, [does, does_not]) => {
                Cond::Given(!holds, [does_not.clone(), does.clone()])
            }
        }
    }

    /// The same with `Not` nowhere in it.
    pub(crate) fn plain(&self) -> Cond {
        match self {
            Cond::Within(..) | Cond::Among(..) | Cond::Given(..) => self.clone(),
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
            Num::Different {
                groups,
                least,
                leaf,
            } => Num::Different {
                groups: groups.clone(),
                least: *least,
                leaf: Box::new(leaf.of_each(who)),
            },
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
            Num::Agreed(agreed) => Num::Agreed(Box::new(Agreed {
                leaf: agreed.leaf.of_each(who),
                ..(**agreed).clone()
            })),
            Num::When(cond, num) => {
                Num::When(Box::new(cond.of_each(who)?), Box::new(num.of_each(who)?))
            }
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
            | Num::Picked { .. }
            | Num::Agreed(_) => false,
            Num::When(cond, num) => cond.has_own() || num.has_own(),
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
            Cond::Among(num, options) => Cond::Among(num.of_each(who)?, options.clone()),
            Cond::All(parts) => Cond::All(all(parts)?),
            Cond::Any(parts) => Cond::Any(all(parts)?),
            Cond::Not(part) => Cond::Not(Box::new(part.of_each(who)?)),
            Cond::Given(..) => self.clone(),
        })
    }

    /// Whether it names a number of the card that it is about.
    pub(crate) fn has_own(&self) -> bool {
        match self {
            Cond::Within(num, low, high) => {
                num.has_own() || [low, high].into_iter().flatten().any(Num::has_own)
            }
            Cond::Among(num, _) => num.has_own(),
            Cond::All(parts) | Cond::Any(parts) => parts.iter().any(Cond::has_own),
            Cond::Not(part) => part.has_own(),
            Cond::Given(..) => false,
        }
    }
}

impl Num {
    /// One number compared with another. A constant becomes the bound.
    pub fn compared(&self, comparison: Comparison, right: &Num) -> Cond {
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
