//! The linear form of a format's rules: copies of cards as whole-number unknowns, and what
//! the rules demand of them as bounds and rows.
//!
//! Each rule kind adds its own with [`Constraint::linear`](super::Constraint::linear). Every
//! row carries a tag, so that demands can be left out one by one.

use super::{Contents, SectionSet};
use crate::pool::{CardId, Pool};
use rustc_hash::FxHashMap;

/// An unknown: the copies of a card in a section, or a number that a rule needs besides.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Unknown(pub(crate) u32);

impl Unknown {
    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }
}

/// Who demands a row: an index that the caller gives a meaning.
pub type Tag = u32;

/// The tag of rows that only say what an unknown means; they always hold.
pub const MEANING: Tag = Tag::MAX;

/// What an unknown may be before any rule is asked.
#[derive(Debug, Clone)]
pub(crate) struct Domain {
    pub(crate) lower: i64,
    pub(crate) upper: i64,
    /// The card that it is about, by index; unknowns of alike cards may be merged.
    pub(crate) card: Option<u32>,
}

#[derive(Debug, Clone)]
pub(crate) struct Bound {
    pub(crate) unknown: Unknown,
    pub(crate) lower: Option<i64>,
    pub(crate) upper: Option<i64>,
    pub(crate) tag: Tag,
}

/// `low <= sum <= high`; where `when` is given, only if that flag is 1.
#[derive(Debug, Clone)]
pub(crate) struct Row {
    pub(crate) terms: Vec<(Unknown, i64)>,
    pub(crate) low: Option<i64>,
    pub(crate) high: Option<i64>,
    pub(crate) when: Option<Unknown>,
    pub(crate) tag: Tag,
}

/// An unknown that is 0 unless a sum of flags, and a number, is at least 1.
#[derive(Debug, Clone)]
pub(crate) struct Gate {
    pub(crate) unknown: Unknown,
    pub(crate) flags: Vec<(Unknown, i64)>,
    pub(crate) constant: i64,
    pub(crate) tag: Tag,
}

/// The demands on a deck in linear form.
#[derive(Debug)]
pub struct Linear<'c> {
    contents: &'c Contents<'c>,
    sections: usize,
    /// Unknown cards that stay in the deck as they are.
    kept: Vec<CardId>,
    tag: Tag,
    pub(crate) domains: Vec<Domain>,
    pub(crate) bounds: Vec<Bound>,
    pub(crate) rows: Vec<Row>,
    pub(crate) gates: Vec<Gate>,
    /// Indicators that a card is present, and where.
    pub(crate) presents: FxHashMap<(CardId, SectionSet), Unknown>,
    totals: FxHashMap<Vec<(Unknown, i64)>, Unknown>,
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
            domains,
            bounds: Vec::new(),
            rows: Vec::new(),
            gates: Vec::new(),
            presents: FxHashMap::default(),
            totals: FxHashMap::default(),
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
    pub fn strangers(&self) -> Vec<CardId> {
        self.kept.clone()
    }

    /// Copies of unknown cards that stay in some sections.
    pub fn stranger_copies(&self, sections: SectionSet) -> i64 {
        match self.kept.is_empty() {
            true => 0,
            false => self.contents.count_unknown(sections),
        }
    }

    /// The copies of a card in a section.
    pub fn copies(&self, card: CardId, section: usize) -> Unknown {
        Unknown((card.index() * self.sections + section) as u32)
    }

    /// How many unknowns are copies of cards.
    pub(crate) fn copy_unknowns(&self) -> usize {
        (self.contents.pool.len() + self.kept.len()) * self.sections
    }

    /// The copies of a card in each of some sections, as a sum.
    pub fn sum(&self, card: CardId, sections: SectionSet, weight: i64) -> Vec<(Unknown, i64)> {
        self.within(sections)
            .map(|section| (self.copies(card, section), weight))
            .collect()
    }

    /// The largest number that a demand names.
    pub(crate) fn largest(&self) -> i64 {
        let rows = self.rows.iter().flat_map(|row| [row.low, row.high]);
        let bounds = self
            .bounds
            .iter()
            .flat_map(|bound| [bound.lower, bound.upper]);
        rows.chain(bounds)
            .flatten()
            .map(i64::saturating_abs)
            .max()
            .unwrap_or(0)
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
        self.bounds.push(Bound {
            unknown,
            lower: None,
            upper: Some(upper),
            tag: self.tag,
        });
    }

    /// Demands that an unknown is at least so large.
    pub fn at_least(&mut self, unknown: Unknown, lower: i64) {
        self.bounds.push(Bound {
            unknown,
            lower: Some(lower),
            upper: None,
            tag: self.tag,
        });
    }

    /// Demands that a sum stays between two numbers.
    pub fn row(&mut self, terms: Vec<(Unknown, i64)>, low: Option<i64>, high: Option<i64>) {
        self.row_if(None, terms, low, high);
    }

    /// Demands that a sum stays between two numbers if a flag is 1.
    pub fn row_if(
        &mut self,
        when: Option<Unknown>,
        terms: Vec<(Unknown, i64)>,
        low: Option<i64>,
        high: Option<i64>,
    ) {
        match (terms.as_slice(), when) {
            ([(only, 1)], None) => self.bounds.push(Bound {
                unknown: *only,
                lower: low,
                upper: high,
                tag: self.tag,
            }),
            _ => self.rows.push(Row {
                terms,
                low,
                high,
                when,
                tag: self.tag,
            }),
        }
    }

    /// The unknown that is a sum.
    pub fn total(&mut self, mut terms: Vec<(Unknown, i64)>) -> Unknown {
        terms.sort_unstable();
        if let [(only, 1)] = terms.as_slice() {
            return *only;
        }
        if let Some(known) = self.totals.get(&terms) {
            return *known;
        }
        let total = self.number(i64::MIN / 4, i64::MAX / 4);
        self.totals.insert(terms.clone(), total);
        terms.push((total, -1));
        self.rows.push(Row {
            terms,
            low: Some(0),
            high: Some(0),
            when: None,
            tag: MEANING,
        });
        total
    }

    /// The flag that must be 1 where a card is in any of some sections.
    pub fn present(&mut self, card: CardId, sections: SectionSet) -> Unknown {
        if let Some(known) = self.presents.get(&(card, sections)) {
            return *known;
        }
        let flag = self.unknown(0, 1, Some(card.0));
        self.presents.insert((card, sections), flag);
        for section in self.within(sections) {
            self.gates.push(Gate {
                unknown: self.copies(card, section),
                flags: vec![(flag, 1)],
                constant: 0,
                tag: MEANING,
            });
        }
        flag
    }

    /// Demands that a card is in none of some sections unless `constant` and the sum of some
    /// flags is at least 1.
    pub fn needs(
        &mut self,
        card: CardId,
        sections: SectionSet,
        flags: &[(Unknown, i64)],
        constant: i64,
    ) {
        for section in self.within(sections) {
            self.gates.push(Gate {
                unknown: self.copies(card, section),
                flags: flags.to_vec(),
                constant,
                tag: self.tag,
            });
        }
    }

    /// Demands that the one card of the section `by`, where there is just one, permits every
    /// card of some sections that `concerns` concerns.
    pub(super) fn permission(
        &mut self,
        sections: SectionSet,
        by: usize,
        concerns: impl Fn(CardId) -> bool,
        permits: impl Fn(CardId, CardId) -> bool,
    ) {
        let pool = self.contents.pool;
        let refused = self.refused_in(by);
        let heads: Vec<CardId> = pool.ids().filter(|head| !refused[head.index()]).collect();
        let mut kinds: FxHashMap<Vec<bool>, Vec<CardId>> = FxHashMap::default();
        let mut order: Vec<Vec<bool>> = Vec::new();
        for card in pool.ids().filter(|card| concerns(*card)) {
            let by_whom: Vec<bool> = heads.iter().map(|head| permits(*head, card)).collect();
            if by_whom.iter().all(|permitted| *permitted) {
                continue;
            }
            let cards = kinds.entry(by_whom).or_insert_with_key(|key| {
                order.push(key.clone());
                Vec::new()
            });
            cards.push(card);
        }
        if order.is_empty() {
            return;
        }
        // The rule is silent where the section holds nobody, or several.
        let all = pool
            .ids()
            .map(CardId::index)
            .chain(self.kept.iter().map(|card| card.index()));
        let everyone: Vec<(Unknown, i64)> = all
            .map(|card| (self.copies(CardId(card as u32), by), 1))
            .collect();
        let total = self.total(everyone);
        let (nobody, several) = (self.flag(), self.flag());
        let tag = std::mem::replace(&mut self.tag, MEANING);
        self.row_if(Some(nobody), vec![(total, 1)], None, Some(0));
        self.row_if(Some(several), vec![(total, 1)], Some(2), None);
        self.tag = tag;
        let kept: Vec<(Unknown, i64)> = self
            .kept
            .iter()
            .map(|card| (self.copies(*card, by), 1))
            .collect();
        for by_whom in order {
            let permitting = heads.iter().zip(&by_whom).filter(|(_, permits)| **permits);
            let mut terms: Vec<(Unknown, i64)> = permitting
                .map(|(head, _)| (self.copies(*head, by), 1))
                .collect();
            terms.extend(&kept);
            terms.extend([(nobody, 1), (several, 1)]);
            let permitted = self.total(terms);
            for card in &kinds[&by_whom] {
                self.needs(*card, sections, &[(permitted, 1)], 0);
            }
        }
    }

    /// The cards that bounds keep out of a section so far, by index.
    fn refused_in(&self, section: usize) -> Vec<bool> {
        let mut refused = vec![false; self.contents.pool.len()];
        for bound in &self.bounds {
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
