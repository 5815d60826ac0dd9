//! The linear form of a format's rules: copies of cards as whole-number unknowns, and what
//! the rules demand of them as bounds and rows.
//!
//! They are made of the condition that a rule demands. Every row carries a tag, so that demands can
//! be left out one by one.

mod derived;

use super::{Contents, SectionSet};
use decklaw_cards::pool::{CardId, Pool};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// An unknown: the copies of a card in a section, or another number that a rule needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Unknown(pub u32);

impl Unknown {
    /// Its place among the domains.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// Who demands a row: an index that the caller gives a meaning.
pub type Tag = u32;

/// The tag of rows that only say what an unknown means; they always hold.
pub const MEANING: Tag = Tag::MAX;

/// What an unknown may be before any rule is asked.
#[derive(Debug, Clone)]
pub struct Domain {
    /// The least value.
    pub lower: i64,
    /// The greatest value.
    pub upper: i64,
    /// The card that it is about, by index; unknowns of alike cards may be merged.
    pub card: Option<u32>,
}

/// A demand on one unknown alone.
#[derive(Debug, Clone)]
pub struct Bound {
    /// Which unknown.
    pub unknown: Unknown,
    /// The least value, if there is one.
    pub lower: Option<i64>,
    /// The greatest value, if there is one.
    pub upper: Option<i64>,
    /// Who demands it.
    pub tag: Tag,
}

/// `low <= sum <= high`; where `when` is given, only if that flag is 1.
#[derive(Debug, Clone)]
pub struct Row {
    /// The unknowns of the sum with their factors.
    pub terms: Vec<(Unknown, i64)>,
    /// The least value of the sum, if there is one.
    pub low: Option<i64>,
    /// The greatest value of the sum, if there is one.
    pub high: Option<i64>,
    /// The flag that switches the row on.
    pub when: Option<Unknown>,
    /// Who demands it.
    pub tag: Tag,
}

/// An unknown that is 0 unless a sum of flags, and a number, is at least 1.
#[derive(Debug, Clone)]
pub struct Gate {
    /// Which unknown.
    pub unknown: Unknown,
    /// Those of many cards are the same.
    pub flags: Arc<[(Unknown, i64)]>,
    /// The number that is added to the flags.
    pub constant: i64,
    /// Who demands it.
    pub tag: Tag,
}

/// A sum of unknowns, and the least and the most that it may be.
type BoundedSum = (Vec<(Unknown, i64)>, Option<i64>, Option<i64>);

/// The demands on a deck in linear form.
#[derive(Debug)]
pub struct Linear<'c> {
    contents: &'c Contents<'c>,
    sections: usize,
    /// Unknown cards that stay in the deck as they are.
    kept: Vec<CardId>,
    tag: Tag,
    /// What is demanded now holds only where this flag is 1.
    guard: Option<Unknown>,
    /// What each unknown may be, by its index.
    pub domains: Vec<Domain>,
    /// Demands on one unknown alone.
    pub bounds: Vec<Bound>,
    /// How many bounds keep cards out of sections for all demands; `None`: all of them.
    refusing: Option<usize>,
    /// Demands on sums.
    pub rows: Vec<Row>,
    /// Unknowns that flags open.
    pub gates: Vec<Gate>,
    /// Indicators that a card is present, and where.
    pub presents: FxHashMap<(CardId, SectionSet), Unknown>,
    totals: FxHashMap<Vec<(Unknown, i64)>, Unknown>,
    anys: FxHashMap<Arc<[(Unknown, i64)]>, Unknown>,
    /// Flags that may be 1 only where a sum stays between two numbers.
    offs: FxHashMap<BoundedSum, Unknown>,
}

impl<'c> Linear<'c> {
    /// The unknowns of a deck, without any demand. `most` is the largest number of copies of
    /// one card in a section. Cards that the pool does not know stay where `keep` says so,
    /// and otherwise are not among the unknowns.
    pub fn new(contents: &'c Contents<'c>, sections: usize, most: i64, keep: bool) -> Linear<'c> {
        let pool = contents.pool;
        let mut domains = Vec::with_capacity(2 * pool.len() * sections);
        for card in pool.ids() {
            domains.extend((0..sections).map(|_| Domain {
                lower: 0,
                upper: most,
                card: Some(card.0),
            }));
        }
        let mut kept = Vec::new();
        for holding in contents.unknown().iter().filter(|_| keep) {
            if kept.last() != Some(&holding.card) {
                kept.push(holding.card);
            }
        }
        for card in &kept {
            let held = |section: usize| {
                let mut own = contents.of_card(*card).iter();
                let here = own.find(|holding| usize::from(holding.section) == section);
                here.map_or(0, |holding| holding.copies)
            };
            domains.extend((0..sections).map(|section| Domain {
                lower: held(section),
                upper: held(section),
                card: Some(card.0),
            }));
        }
        Linear {
            contents,
            sections,
            kept,
            tag: MEANING,
            guard: None,
            domains,
            bounds: Vec::new(),
            refusing: None,
            rows: Vec::new(),
            gates: Vec::new(),
            presents: FxHashMap::default(),
            totals: FxHashMap::default(),
            anys: FxHashMap::default(),
            offs: FxHashMap::default(),
        }
    }

    /// Says who demands the rows that follow.
    pub fn tagged(&mut self, tag: Tag) {
        self.tag = tag;
    }

    /// The cards.
    pub fn pool(&self) -> &'c Pool {
        self.contents.pool
    }

    /// What the deck holds now.
    pub fn contents(&self) -> &'c Contents<'c> {
        self.contents
    }

    /// How many sections there are.
    pub fn sections(&self) -> usize {
        self.sections
    }

    /// The sections of a set that there are.
    pub fn within(&self, sections: SectionSet) -> impl Iterator<Item = usize> + use<> {
        let count = self.sections;
        sections.iter().filter(move |section| *section < count)
    }

    /// Cards that the pool does not know and that stay in the deck.
    pub fn unknown_cards(&self) -> &[CardId] {
        &self.kept
    }

    /// Whether any of them is there.
    pub(crate) fn keeps_unknown(&self) -> bool {
        !self.kept.is_empty()
    }

    /// Copies of unknown cards that stay in some sections.
    pub fn unknown_copies(&self, sections: SectionSet) -> i64 {
        if self.keeps_unknown() { self.contents.count_unknown(sections) } else { 0 }
    }

    /// The copies of a card in a section.
    pub fn copies(&self, card: CardId, section: usize) -> Unknown {
        Unknown((card.index() * self.sections + section) as u32)
    }

    /// How many unknowns are copies of cards.
    pub fn copy_unknowns(&self) -> usize {
        (self.contents.pool.len() + self.kept.len()) * self.sections
    }

    /// The copies of a card in each of some sections, as a sum.
    pub fn sum(
        &self,
        card: CardId,
        sections: SectionSet,
        weight: i64,
    ) -> impl Iterator<Item = (Unknown, i64)> + use<> {
        let first = card.index() * self.sections;
        self.within(sections).map(move |section| (Unknown((first + section) as u32), weight))
    }

    /// The largest number that a demand names.
    pub fn largest(&self) -> i64 {
        let rows = self.rows.iter().flat_map(|row| [row.low, row.high]);
        let bounds = self.bounds.iter().flat_map(|bound| [bound.lower, bound.upper]);
        rows.chain(bounds).flatten().map(i64::saturating_abs).max().unwrap_or(0)
    }

    fn unknown(&mut self, lower: i64, upper: i64, card: Option<u32>) -> Unknown {
        let unknown = Unknown(self.domains.len() as u32);
        self.domains.push(Domain { lower, upper, card });
        unknown
    }

    /// A new whole number between two bounds.
    pub fn number(&mut self, lower: i64, upper: i64) -> Unknown {
        self.unknown(lower, upper, None)
    }

    /// A new number that is 0 or 1.
    pub fn flag(&mut self) -> Unknown {
        self.number(0, 1)
    }

    /// Demands that an unknown is at most so large.
    pub fn at_most(&mut self, unknown: Unknown, upper: i64) {
        self.between(unknown, None, Some(upper));
    }

    /// Demands that an unknown is at least so large.
    pub fn at_least(&mut self, unknown: Unknown, lower: i64) {
        self.between(unknown, Some(lower), None);
    }

    /// Demands that an unknown stays between two numbers: of each card, mostly, so it is no row.
    fn between(&mut self, unknown: Unknown, lower: Option<i64>, upper: Option<i64>) {
        match self.guard {
            None => self.bounds.push(Bound { unknown, lower, upper, tag: self.tag }),
            Some(_) => self.row(vec![(unknown, 1)], lower, upper),
        }
    }

    /// Demands that a sum stays between two numbers.
    pub fn row(&mut self, terms: Vec<(Unknown, i64)>, low: Option<i64>, high: Option<i64>) {
        self.row_if(None, terms, low, high);
    }

    /// Demands that a sum stays between two numbers if a flag is 1.
    pub(crate) fn row_if(
        &mut self,
        when: Option<Unknown>,
        terms: Vec<(Unknown, i64)>,
        low: Option<i64>,
        high: Option<i64>,
    ) {
        let when = match (self.guard, when) {
            (Some(guard), Some(when)) => Some(self.both(guard, when)),
            (guard, when) => guard.or(when),
        };
        match (terms.as_slice(), when) {
            ([(only, by @ 1..)], None) => {
                let low = low.map(|low| low.saturating_neg().div_euclid(*by).saturating_neg());
                let high = high.map(|high| high.div_euclid(*by));
                self.between(*only, low, high);
            }
            _ => self.rows.push(Row { terms, low, high, when, tag: self.tag }),
        }
    }

    /// Adds demands that hold only where a flag is 1.
    pub fn guarded(&mut self, guard: Option<Unknown>, add: impl FnOnce(&mut Self)) {
        let before = self.guard;
        self.guard = match (before, guard) {
            (Some(before), Some(guard)) => Some(self.both(before, guard)),
            (before, guard) => guard.or(before),
        };
        add(self);
        self.guard = before;
    }

    /// Defines a flag: the rows added hold where the flag is 1, for every tag.
    pub(crate) fn guarded_meaning(&mut self, flag: Unknown, add: impl FnOnce(&mut Self)) {
        self.meaning(|linear| linear.guarded(Some(flag), add));
    }

    /// Defines unknowns: the rows added hold for every tag.
    fn meaning<R>(&mut self, say: impl FnOnce(&mut Self) -> R) -> R {
        let before = (self.tag, self.guard);
        (self.tag, self.guard) = (MEANING, None);
        let said = say(self);
        (self.tag, self.guard) = before;
        said
    }

    /// Says what unknowns mean, as [`Linear::row`] would demand it.
    pub fn means(&mut self, terms: Vec<(Unknown, i64)>, low: Option<i64>, high: Option<i64>) {
        self.meaning(|linear| linear.row(terms, low, high));
    }

    /// Demands that some unknowns are 0 unless `constant` and the sum of some flags, which
    /// together are never negative, is at least 1.
    pub fn gated(&mut self, unknowns: &[Unknown], flags: &[(Unknown, i64)], constant: i64) {
        let guard = self.guard.map(|guard| (guard, -1));
        let constant = constant + i64::from(guard.is_some());
        let flags: Arc<[(Unknown, i64)]> = flags.iter().copied().chain(guard).collect();
        let tag = self.tag;
        self.gates.extend(unknowns.iter().map(|unknown| Gate {
            unknown: *unknown,
            flags: Arc::clone(&flags),
            constant,
            tag,
        }));
    }

    /// What follows need not hold together: no bound of it keeps cards out for other demands.
    pub fn alternatives_follow(&mut self) {
        self.refusing = Some(self.bounds.len());
    }

    /// The cards that bounds keep out of a section so far, by index.
    pub(super) fn refused_in(&self, section: usize) -> Vec<bool> {
        let mut refused = vec![false; self.contents.pool.len()];
        for bound in self.bounds.iter().take(self.refusing.unwrap_or(usize::MAX)) {
            let index = bound.unknown.index();
            if bound.upper.is_some_and(|upper| upper <= 0)
                && index % self.sections == section
                && index / self.sections < refused.len()
                && index < self.copy_unknowns()
            {
                refused[index / self.sections] = true;
            }
        }
        refused
    }
}
