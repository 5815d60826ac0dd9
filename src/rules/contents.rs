//! What a deck holds, once its lines are added up: the form that rules judge.

use crate::pool::{CardId, Pool};

/// A set of sections of one format, a bit each; sections beyond the 64th are in no set.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct SectionSet(pub u64);

impl SectionSet {
    /// The set of one section.
    pub fn only(section: usize) -> SectionSet {
        SectionSet(
            u32::try_from(section)
                .ok()
                .and_then(|bit| 1_u64.checked_shl(bit))
                .unwrap_or(0),
        )
    }

    /// Whether a section is in the set.
    #[inline]
    pub fn has(self, section: usize) -> bool {
        SectionSet::only(section).0 & self.0 != 0
    }

    /// The set of what is in either.
    #[must_use]
    pub fn and(self, other: SectionSet) -> SectionSet {
        SectionSet(self.0 | other.0)
    }

    /// The one section of the set, if it is just one.
    pub fn single(self) -> Option<usize> {
        self.0
            .is_power_of_two()
            .then(|| self.0.trailing_zeros() as usize)
    }

    /// The sections in the set, by index.
    pub fn iter(self) -> impl Iterator<Item = usize> {
        (0..64).filter(move |section| self.has(*section))
    }
}

/// The copies of one card in one section.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Holding {
    /// The card; from [`Pool::len`] on, a card that the pool does not know.
    pub card: CardId,
    /// Index of the section in the format (in format `any`, in the deck).
    pub section: u16,
    /// Copies, at least 1.
    pub copies: i64,
}

/// What a deck holds. Holdings are sorted by card and section; each pair stands once.
#[derive(Debug, Clone)]
pub struct Contents<'p> {
    /// The pool that gives the cards their numbers.
    pub pool: &'p Pool,
    holdings: Vec<Holding>,
    /// Holdings before this index are of cards that the pool knows.
    known: usize,
    /// Names of the cards that the pool does not know: folded and as first spelt, sorted.
    strangers: Vec<(String, String)>,
}

impl<'p> Contents<'p> {
    /// Adds up holdings. `strangers` are folded and shown names of the cards numbered from
    /// `pool.len()` on.
    pub fn new(
        pool: &'p Pool,
        mut holdings: Vec<Holding>,
        strangers: Vec<(String, String)>,
    ) -> Contents<'p> {
        holdings.sort_unstable_by_key(|holding| (holding.card, holding.section));
        holdings.dedup_by(|next, kept| {
            let same = (next.card, next.section) == (kept.card, kept.section);
            if same {
                kept.copies = kept.copies.saturating_add(next.copies);
            }
            same
        });
        let known = holdings.partition_point(|holding| holding.card.index() < pool.len());
        Contents {
            pool,
            holdings,
            known,
            strangers,
        }
    }

    /// Everything held.
    #[inline]
    pub fn all(&self) -> &[Holding] {
        &self.holdings
    }

    /// What is held of cards that the pool knows.
    #[inline]
    pub fn known(&self) -> &[Holding] {
        &self.holdings[..self.known]
    }

    /// What is held of cards that the pool does not know.
    #[inline]
    pub fn unknown(&self) -> &[Holding] {
        &self.holdings[self.known..]
    }

    /// A card's name as the pool spells it, or for an unknown card, as the deck does.
    pub fn name(&self, card: CardId) -> &str {
        match self.stranger(card) {
            Some((_, shown)) => shown,
            None => self.pool.name(card),
        }
    }

    /// A card's folded name.
    pub fn folded(&self, card: CardId) -> &str {
        match self.stranger(card) {
            Some((folded, _)) => folded,
            None => self.pool.folded(card),
        }
    }

    fn stranger(&self, card: CardId) -> Option<&(String, String)> {
        self.strangers
            .get(card.index().checked_sub(self.pool.len())?)
    }

    /// Copies of known cards in some sections that `pick` picks.
    #[inline]
    pub fn count(&self, sections: SectionSet, pick: impl Fn(CardId) -> bool) -> i64 {
        let picked =
            |holding: &&Holding| sections.has(usize::from(holding.section)) && pick(holding.card);
        self.known()
            .iter()
            .filter(picked)
            .map(|holding| holding.copies)
            .sum()
    }

    /// Copies of unknown cards in some sections.
    #[inline]
    pub fn count_unknown(&self, sections: SectionSet) -> i64 {
        let inside = |holding: &&Holding| sections.has(usize::from(holding.section));
        self.unknown()
            .iter()
            .filter(inside)
            .map(|holding| holding.copies)
            .sum()
    }

    /// Other holdings with the same pool and the same unknown names.
    #[must_use]
    pub fn holding(&self, holdings: Vec<Holding>) -> Contents<'p> {
        Contents::new(self.pool, holdings, self.strangers.clone())
    }

    /// The same contents without the holdings that `refused` picks.
    #[must_use]
    pub fn without(&self, refused: impl Fn(&Holding) -> bool) -> Contents<'p> {
        let keep = |holding: &&Holding| !refused(holding);
        let holdings: Vec<Holding> = self.holdings.iter().filter(keep).copied().collect();
        let known = holdings.partition_point(|holding| holding.card.index() < self.pool.len());
        Contents {
            pool: self.pool,
            holdings,
            known,
            strangers: self.strangers.clone(),
        }
    }
}

/// Calls `see` with each card of some holdings and its copies in some sections, for cards
/// that have any there.
#[inline]
pub(super) fn each_card(
    holdings: &[Holding],
    sections: SectionSet,
    mut see: impl FnMut(CardId, i64),
) {
    let mut at = 0;
    while let Some(first) = holdings.get(at) {
        let mut copies = 0_i64;
        while let Some(holding) = holdings
            .get(at)
            .filter(|holding| holding.card == first.card)
        {
            if sections.has(usize::from(holding.section)) {
                copies = copies.saturating_add(holding.copies);
            }
            at += 1;
        }
        if copies > 0 {
            see(first.card, copies);
        }
    }
}
