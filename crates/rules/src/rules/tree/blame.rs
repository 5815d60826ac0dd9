//! Why a condition does not hold of a deck, and what could fix it.

use super::{Cond, FAR, Leaf, Num, Space, UnknownCards, Weights};
use crate::rules::{Contents, SectionSet};
use decklaw_cards::pool::{CardId, Pool};

/// The bound that a deck misses.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Blame<'c> {
    /// The number that misses it.
    pub num: &'c Num,
    /// The condition that bounds it.
    pub cond: &'c Cond,
    pub limit: i64,
    /// The number of the deck, at least and at most.
    pub least: i64,
    pub most: i64,
    /// Whether it is too small.
    pub(crate) is_short: bool,
}

impl Blame<'_> {
    /// How far the deck is off.
    pub(crate) fn off(&self) -> i64 {
        self.limit.saturating_sub(self.least).saturating_abs()
    }
}

impl Cond {
    /// The bound that a deck misses; `None`: it misses none for sure.
    pub(crate) fn blame(&self, contents: &Contents<'_>) -> Option<Blame<'_>> {
        match self {
            Cond::Within(num, low, high) => {
                let (least, most) = num.value(contents);
                let low = low.as_ref().map(|low| low.value(contents).0);
                let high = high.as_ref().map(|high| high.value(contents).1);
                let short = low.filter(|low| most < *low);
                Some(Blame {
                    num,
                    cond: self,
                    limit: short.or(high.filter(|high| least > *high))?,
                    least,
                    most,
                    is_short: short.is_some(),
                })
            }
            Cond::Among(num, options) => {
                let (least, most) = num.value(contents);
                let next = options.iter().copied().filter(|option| *option > least);
                let next = next.min();
                Some(Blame {
                    num,
                    cond: self,
                    limit: next.or(options.iter().copied().max())?,
                    least,
                    most,
                    is_short: next.is_some(),
                })
            }
            Cond::All(parts) => {
                let mut broken = parts.iter();
                broken.find(|part| part.holds(contents) == Some(false))?.blame(contents)
            }
            Cond::Any(parts) => parts.last()?.blame(contents),
        }
    }

    /// Adds the broken parts, where all parts must hold.
    pub fn broken<'c>(&'c self, contents: &Contents<'_>, found: &mut Vec<&'c Cond>) {
        match self {
            _ if self.holds(contents) != Some(false) => {}
            Cond::All(parts) => parts.iter().for_each(|part| part.broken(contents, found)),
            cond => found.push(cond),
        }
    }

    /// Whether cards that come in could make it hold.
    pub(crate) fn can_hold_by_adding(&self, contents: &Contents<'_>) -> bool {
        match self {
            Cond::Within(num, low, high) => {
                let (up, down) = num.moves();
                let moves = |end: &Option<Num>| end.as_ref().map_or((false, false), Num::moves);
                let ((_, low_down), (high_up, _)) = (moves(low), moves(high));
                let (least, most) = num.value(contents);
                let short = low.as_ref().is_some_and(|low| most < low.value(contents).0);
                let over = high.as_ref().is_some_and(|high| least > high.value(contents).1);
                (!short || up || low_down) && (!over || down || high_up)
            }
            Cond::All(parts) => {
                let mut broken = parts.iter().filter(|part| part.holds(contents) == Some(false));
                broken.all(|part| part.can_hold_by_adding(contents))
            }
            Cond::Any(parts) => parts.iter().any(|part| part.can_hold_by_adding(contents)),
            Cond::Among(num, options) => {
                let (up, down) = num.moves();
                let least = num.value(contents).0;
                options.iter().any(|option| if least < *option { up } else { down })
            }
        }
    }

    /// Limits what sections can still hold, while those that are full take no further card;
    /// whether that is news.
    pub(crate) fn limit(&self, contents: &Contents<'_>, space: &mut Space<'_>) -> bool {
        match self {
            Cond::Within(Num::Sum(leaf), _, Some(high)) if leaf.is_all() => {
                let mut of = SectionSet::default();
                high.leaves(&mut |leaf| of = of.and(leaf.sections));
                let (least, most) = high.value(contents);
                let is_fixed = space.room(of) == 0 && least == most;
                is_fixed && space.limit(leaf.sections, most.saturating_sub(leaf.sum(contents).0))
            }
            Cond::Among(Num::Sum(leaf), options) if leaf.is_all() => {
                let most = options.iter().copied().max();
                most.is_some_and(|most| {
                    space.limit(leaf.sections, most.saturating_sub(leaf.sum(contents).0))
                })
            }
            Cond::Within(..) | Cond::Among(..) => false,
            Cond::All(parts) => {
                parts.iter().fold(false, |is_news, part| part.limit(contents, space) | is_news)
            }
            // Where the others fail for good, the last must hold.
            Cond::Any(parts) => match parts.split_last() {
                Some((last, others))
                    if others.iter().all(|other| {
                        other.holds(contents) == Some(false) && space.room(other.sections()) == 0
                    }) =>
                {
                    last.limit(contents, space)
                }
                _ => false,
            },
        }
    }

    /// The sections that a card must come into to fix a shortfall.
    pub(crate) fn filled_in(&self) -> SectionSet {
        let mut sections = SectionSet::default();
        let mut add = |more: SectionSet| sections = sections.and(more);
        match self {
            Cond::Within(num, Some(low), _) => {
                add(num.filled_in());
                add(low.filled_in());
            }
            Cond::Within(num, None, high) => {
                add(num.filled_in());
                add(high.as_ref().map_or_else(SectionSet::default, Num::filled_in));
            }
            Cond::Among(num, _) => add(num.filled_in()),
            Cond::All(parts) | Cond::Any(parts) => {
                parts.iter().for_each(|part| add(part.filled_in()));
            }
        }
        sections
    }

    /// Adds the cards of a deck that make it hold, where a query picks them.
    pub fn reasons(&self, contents: &Contents<'_>, cards: &mut Vec<CardId>) {
        if self.holds(contents) != Some(true) {
            return;
        }
        match self {
            Cond::Within(num, Some(low), _) if low.value(contents).0 > 0 => {
                num.leaves(&mut |leaf| {
                    if !leaf.is_all() {
                        cards.extend(leaf.there(contents));
                    }
                });
            }
            Cond::Within(..) | Cond::Among(..) => {}
            Cond::All(parts) | Cond::Any(parts) => {
                parts.iter().for_each(|part| part.reasons(contents, cards));
            }
        }
    }

    /// How far a deck is from it: what its numbers lack or have too much, all added up; 1 where
    /// none of several holds.
    pub fn missed(&self, contents: &Contents<'_>) -> i64 {
        match self {
            Cond::Within(num, low, high) => {
                let (least, most) = num.value(contents);
                let short =
                    low.as_ref().map_or(0, |low| low.value(contents).0.saturating_sub(most));
                let over =
                    high.as_ref().map_or(0, |high| least.saturating_sub(high.value(contents).1));
                short.max(0).saturating_add(over.max(0))
            }
            Cond::All(parts) => parts.iter().map(|part| part.missed(contents)).sum(),
            Cond::Among(..) | Cond::Any(_) => i64::from(self.holds(contents) == Some(false)),
        }
    }

    /// Whether every deck over a pool meets it, or none does, by the ranges of its
    /// numbers.
    pub(crate) fn is_always(&self, pool: &Pool) -> Option<bool> {
        let range = |num: &Num| num.range(pool);
        match self {
            Cond::Within(num, low, high) => {
                let (least, most) = range(num);
                let low = low.as_ref().map_or((-FAR, -FAR), range);
                let high = high.as_ref().map_or((FAR, FAR), range);
                if most < low.0 || least > high.1 || low.0 > high.1 {
                    Some(false)
                } else {
                    (least >= low.1 && most <= high.0).then_some(true)
                }
            }
            Cond::Among(num, options) => {
                let (least, most) = range(num);
                let inside = |option: &&i64| (least..=most).contains(*option);
                let count = options.iter().filter(inside).count() as i64;
                match count {
                    0 => Some(false),
                    _ => (count > most.saturating_sub(least)).then_some(true),
                }
            }
            Cond::All(parts) => {
                let each: Vec<Option<bool>> =
                    parts.iter().map(|part| part.is_always(pool)).collect();
                if each.contains(&Some(false)) {
                    Some(false)
                } else {
                    each.iter().all(|one| *one == Some(true)).then_some(true)
                }
            }
            Cond::Any(parts) => {
                let each: Vec<Option<bool>> =
                    parts.iter().map(|part| part.is_always(pool)).collect();
                if each.contains(&Some(true)) {
                    Some(true)
                } else {
                    each.iter().all(|one| *one == Some(false)).then_some(false)
                }
            }
        }
    }
}

impl Num {
    /// Whether a card that comes in could make it greater, and whether less.
    pub fn moves(&self) -> (bool, bool) {
        match self {
            Num::Const(_) | Num::Own { .. } => (false, false),
            Num::Sum(leaf) => leaf.signs(),
            Num::Extreme { .. } | Num::Different { .. } | Num::Agreed(_) | Num::When(..) => {
                (true, true)
            }
            Num::Add(parts) => parts
                .iter()
                .map(Num::moves)
                .fold((false, false), |all, one| (all.0 | one.0, all.1 | one.1)),
            Num::Times(by, num) => {
                let (up, down) = num.moves();
                if *by > 0 { (up, down) } else { (down, up) }
            }
            Num::Div(num, _) => num.moves(),
        }
    }

    /// The sections of the cards that it counts, and of those that decide which count.
    fn filled_in(&self) -> SectionSet {
        let mut sections = SectionSet::default();
        let mut add = |more: SectionSet| sections = sections.and(more);
        match self {
            Num::When(cond, num) => {
                cond.leaves(&mut |leaf| {
                    if leaf.is_clouded() {
                        add(leaf.sections);
                    }
                });
                add(num.filled_in());
            }
            Num::Agreed(agreed) => {
                add(agreed.leaf.sections);
                add(agreed.identity.sections());
            }
            Num::Add(parts) => parts.iter().for_each(|part| add(part.filled_in())),
            Num::Times(_, num) | Num::Div(num, _) => add(num.filled_in()),
            num => num.leaves(&mut |leaf| add(leaf.sections)),
        }
        sections
    }

    /// The least and the most that it is in any deck over a pool.
    fn range(&self, pool: &Pool) -> (i64, i64) {
        let clamp = |number: i64| number.clamp(-FAR, FAR);
        let far = |(up, down): (bool, bool)| {
            let low = if down { -FAR } else { 0 };
            (low, if up { FAR } else { 0 })
        };
        match self {
            Num::Const(number) => (*number, *number),
            Num::Own { .. } => (-FAR, FAR),
            Num::Sum(leaf) => far(leaf.signs()),
            Num::Different { groups, leaf, .. } => match groups {
                Some(groups) => {
                    let cards = leaf.weighed(pool.len()).into_iter();
                    let mut all: Vec<u32> =
                        cards.flat_map(|(card, _)| groups.of_card(card).iter().copied()).collect();
                    all.sort_unstable();
                    all.dedup();
                    (0, all.len() as i64)
                }
                None => leaf.weighed(pool.len()).iter().fold((0, 0), |(low, high), (_, weight)| {
                    (low + weight.min(&0), high + weight.max(&0))
                }),
            },
            Num::Extreme { leaf, .. } => {
                let cards = leaf.weighed(pool.len()).into_iter();
                cards.fold((0, 0), |(low, high), (_, weight)| (low.min(weight), high.max(weight)))
            }
            Num::Agreed(agreed) => {
                let then = Leaf::of(Weights::Each(agreed.then.clone()), agreed.leaf.sections);
                let (one, other) = (agreed.leaf.signs(), then.signs());
                far((one.0 | other.0, one.1 | other.1))
            }
            Num::When(cond, num) => {
                let (low, high) = num.range(pool);
                match cond.is_always(pool) {
                    Some(true) => (low, high),
                    Some(false) => (0, 0),
                    None => (low.min(0), high.max(0)),
                }
            }
            Num::Add(parts) => parts.iter().fold((0, 0), |(low, high), part| {
                let (least, most) = part.range(pool);
                (clamp(low.saturating_add(least)), clamp(high.saturating_add(most)))
            }),
            Num::Times(by, num) => {
                let (low, high) = num.range(pool);
                let one = clamp(low.saturating_mul(*by));
                let other = clamp(high.saturating_mul(*by));
                (one.min(other), one.max(other))
            }
            Num::Div(num, by) => {
                let (low, high) = num.range(pool);
                (low.div_euclid(*by), high.div_euclid(*by))
            }
        }
    }
}

impl Leaf {
    /// Whether a copy of some card counts more than 0, and whether of some less.
    fn signs(&self) -> (bool, bool) {
        let any = |test: &dyn Fn(i64) -> bool| match &self.cards {
            Weights::One => test(1),
            Weights::Set(set) => !set.is_empty() && test(1),
            Weights::Each(column) => column.iter().any(|weight| test(*weight)),
            Weights::Few(few) => few.iter().any(|(_, weight)| test(*weight)),
        };
        let named = match &self.unknown {
            UnknownCards::Named(names, _) => names.values().any(|weight| *weight > 0),
            UnknownCards::One(_, _, high) => *high > 0,
            UnknownCards::Nothing | UnknownCards::Any(..) => false,
        };
        (any(&|weight| weight > 0) || named, any(&|weight| weight < 0))
    }
}
