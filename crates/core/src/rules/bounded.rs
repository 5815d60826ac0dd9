//! A number of the deck that must lie within bounds: what `size`, `distinct`, `values` and `total`
//! demand. The tree of [`demand`](super::demand) says when it does; a kind says it in its own words.

use super::demand::{Cond, Num, Weights};
use super::range::Range;
use super::{
    Asking, Compile, Constraint, Contents, Failing, Linear, Reading, SectionSet, Violation,
};
use crate::pool::{CardId, Pool};
use std::borrow::Cow;
use std::fmt::Debug;

/// A number and its bounds, with what is particular to a kind of rule.
#[derive(Debug)]
pub(super) struct Bounded<K> {
    pub(super) sections: SectionSet,
    /// What messages call the sections.
    pub(super) name: String,
    pub(super) num: Num,
    pub(super) range: Range,
    cond: Cond,
    pub(super) kind: K,
}

/// A number that is out of bounds, whatever unknown cards are.
#[derive(Debug, Clone, Copy)]
pub(super) struct OutOfBounds {
    /// The number that the deck has, at least.
    pub(super) number: i64,
    /// The bound.
    pub(super) limit: i64,
    pub(super) failing: Failing,
}

impl OutOfBounds {
    /// How far it is off.
    pub(super) fn off(self) -> i64 {
        self.limit.saturating_sub(self.number).saturating_abs()
    }
}

/// What is said of a number that is out of bounds.
#[derive(Debug)]
pub(super) struct Explanation {
    pub(super) message: String,
    pub(super) help: String,
    /// The cards to name.
    pub(super) cards: Vec<CardId>,
}

/// What is particular to a kind of rule that bounds a number.
pub(super) trait BoundedKind: Debug + Send + Sync + Sized {
    /// What is wrong, and what to do about it.
    fn missed(of: &Bounded<Self>, contents: &Contents<'_>, missed: OutOfBounds) -> Explanation;

    /// That unknown cards leave it open.
    fn open(of: &Bounded<Self>, contents: &Contents<'_>) -> String;

    /// What is demanded, a sentence.
    fn demand(of: &Bounded<Self>) -> String;

    /// Why every deck meets it, or none, a sentence.
    fn idle(of: &Bounded<Self>, pool: &Pool) -> Option<String>;

    /// The cards of a deck that count.
    fn counted(of: &Bounded<Self>, contents: &Contents<'_>) -> Vec<CardId> {
        of.num.there(contents)
    }

    /// How its number stands.
    fn meter(_of: &Bounded<Self>, _contents: &Contents<'_>) -> Option<Reading> {
        None
    }

    /// The sections whose cards have a say in what others count.
    fn heads(_of: &Bounded<Self>) -> SectionSet {
        SectionSet::default()
    }

    /// Other sections in which a card may mend a shortfall.
    fn filled_in(_of: &Bounded<Self>) -> SectionSet {
        SectionSet::default()
    }

    /// The conditions on which parts of it are asked.
    fn conditions(_of: &Bounded<Self>) -> Vec<Asking> {
        Vec::new()
    }
}

impl<K> Bounded<K> {
    pub(super) fn new(
        sections: SectionSet,
        num: Num,
        range: Range,
        kind: K,
        with: &Compile<'_>,
    ) -> Bounded<K> {
        Bounded {
            name: with.section_names(sections),
            cond: range.cond(&num),
            sections,
            num,
            range,
            kind,
        }
    }
}

impl<K: BoundedKind> Bounded<K> {
    /// A number as a meter; `None` where it has no bounds, or is 0 and may be.
    pub(super) fn reading(
        &self,
        contents: &Contents<'_>,
        called: String,
        value: i64,
    ) -> Option<Reading> {
        let (low, high) = self.range.ends(contents);
        let (least, most) = self.num.value(contents);
        let reading = Reading {
            section: self.sections.single(),
            called,
            value,
            low,
            high,
            is_uncertain: least != most,
        };
        let is_news = value != 0 || !reading.is_ok();
        (is_news && (low.is_some() || high.is_some())).then_some(reading)
    }

    #[cold]
    fn tell(&self, contents: &Contents<'_>) -> Violation {
        let (low, high) = self.num.value(contents);
        let (limit, failing) = self.range.missed((low, high), contents);
        let missed = OutOfBounds {
            number: low,
            limit,
            failing,
        };
        let said = K::missed(self, contents, missed);
        Violation::of_deck(failing, said.message, said.help)
            .in_section(self.sections.single())
            .with_numbers(limit, low)
            .naming(said.cards)
    }
}

impl<K: BoundedKind> Constraint for Bounded<K> {
    fn judge(&self, contents: &Contents<'_>, found: &mut Vec<Violation>) {
        found.extend(self.range.unset().cloned());
        match self.cond.holds(contents) {
            Some(true) => {}
            Some(false) => found.push(self.tell(contents)),
            None => {
                let open = Violation::unverified(K::open(self, contents));
                found.push(open.in_section(self.sections.single()));
            }
        }
    }

    fn demand(&self) -> String {
        K::demand(self)
    }

    fn cond(&self, _of: &Linear<'_>) -> Cow<'_, Cond> {
        Cow::Borrowed(&self.cond)
    }

    fn meter(&self, contents: &Contents<'_>) -> Option<Reading> {
        K::meter(self, contents)
    }

    fn full(&self, contents: &Contents<'_>, full: SectionSet) -> SectionSet {
        let all = match &self.num {
            Num::Sum(leaf) if matches!(leaf.cards, Weights::One) => leaf.sum(contents).0,
            _ => return SectionSet::default(),
        };
        match self.range.most(contents, full) {
            Some(most) if all >= most => self.sections,
            _ => SectionSet::default(),
        }
    }

    fn filled_in(&self) -> Option<SectionSet> {
        let others = self.range.least_of().and(K::filled_in(self));
        Some(self.sections.and(others))
    }

    fn counted(&self, contents: &Contents<'_>) -> Vec<CardId> {
        K::counted(self, contents)
    }

    fn heads(&self) -> SectionSet {
        K::heads(self)
    }

    fn idle(&self, pool: &Pool) -> Option<String> {
        K::idle(self, pool)
    }

    fn conditions(&self) -> Vec<Asking> {
        K::conditions(self)
    }
}
