//! What a deck holds, once its lines are added up: the form that rules judge.

use decklaw_cards::pool::{CardId, Pool};
use std::sync::Arc;

/// A set of sections of one format, a bit each; sections beyond the 64th are in no set.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct SectionSet(pub u64);

impl SectionSet {
    /// The set of one section.
    pub fn only(section: usize) -> SectionSet {
        SectionSet(if section < 64 { 1 << section } else { 0 })
    }

    /// Whether a section is in the set.
    #[inline]
    pub fn has(self, section: usize) -> bool {
        section < 64 && self.0 >> section & 1 == 1
    }

    /// The set of what is in either.
    #[must_use]
    pub fn and(self, other: SectionSet) -> SectionSet {
        SectionSet(self.0 | other.0)
    }

    /// Whether another set has all of these sections.
    pub fn is_within(self, other: SectionSet) -> bool {
        self.0 & !other.0 == 0
    }

    /// The one section of the set, if it is just one.
    pub fn single(self) -> Option<usize> {
        self.0.is_power_of_two().then(|| self.0.trailing_zeros() as usize)
    }

    /// The sections in the set, by index.
    pub fn iter(self) -> impl Iterator<Item = usize> {
        let mut left = self.0;
        std::iter::from_fn(move || {
            let section = (left != 0).then(|| left.trailing_zeros() as usize);
            left &= left.wrapping_sub(1);
            section
        })
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

/// What a deck holds. Holdings are sorted by card and section; each pair is there once.
#[derive(Debug, Clone)]
pub struct Contents<'p> {
    /// The pool that gives the cards their numbers.
    pub pool: &'p Pool,
    holdings: Vec<Holding>,
    /// Holdings before this index are of cards that the pool knows.
    known: usize,
    /// The holdings of known cards, section by section, and where each section's begin.
    by_section: Vec<Holding>,
    starts: Vec<usize>,
    /// How many different unknown cards there are.
    unknown_cards: usize,
    /// Whether it is only asked what is wrong, and not in which words.
    wordless: bool,
    /// Names of the cards that the pool does not know: folded, and as first written; sorted.
    unknown_names: Arc<Vec<(String, String)>>,
}

impl<'p> Contents<'p> {
    /// Adds up holdings. `unknown_names` are folded and shown names of the cards numbered from
    /// `pool.len()` on.
    pub fn new(
        pool: &'p Pool,
        holdings: Vec<Holding>,
        unknown_names: Vec<(String, String)>,
    ) -> Contents<'p> {
        Contents::sorted(pool, Contents::added_up(holdings), Arc::new(unknown_names))
    }

    /// Holdings sorted by card and section, those of one card in one section added up.
    pub fn added_up(mut holdings: Vec<Holding>) -> Vec<Holding> {
        let order =
            |holding: &Holding| u64::from(holding.card.0) << 16 | u64::from(holding.section);
        holdings.sort_unstable_by_key(order);
        holdings.dedup_by(|next, kept| {
            let same = (next.card, next.section) == (kept.card, kept.section);
            if same {
                kept.copies = kept.copies.saturating_add(next.copies);
            }
            same
        });
        holdings
    }

    /// The same of holdings that are added up already, with names that others share: a deck
    /// that is judged again and again need not copy them.
    pub fn sorted(
        pool: &'p Pool,
        holdings: Vec<Holding>,
        unknown_names: Arc<Vec<(String, String)>>,
    ) -> Contents<'p> {
        let known = holdings.partition_point(|holding| holding.card.index() < pool.len());
        let sections = holdings[..known].iter().map(|holding| holding.section);
        let count = sections.max().map_or(0, |last| usize::from(last) + 1);
        let mut starts = vec![0; count + 1];
        for holding in &holdings[..known] {
            starts[usize::from(holding.section) + 1] += 1;
        }
        for section in 0..count {
            starts[section + 1] += starts[section];
        }
        let mut by_section = holdings[..known].to_vec();
        let mut next = starts.clone();
        for holding in &holdings[..known] {
            let place = &mut next[usize::from(holding.section)];
            by_section[*place] = *holding;
            *place += 1;
        }
        let unknown = &holdings[known..];
        let others = unknown.windows(2).filter(|pair| pair[0].card != pair[1].card);
        let unknown_cards = usize::from(!unknown.is_empty()) + others.count();
        Contents {
            pool,
            holdings,
            known,
            by_section,
            starts,
            unknown_cards,
            wordless: false,
            unknown_names,
        }
    }

    /// The same, judged without sentences: where decks are tried by the hundred, making them
    /// would take most of the time.
    #[must_use]
    pub fn wordless(self) -> Contents<'p> {
        Contents { wordless: true, ..self }
    }

    /// Whether it is judged without sentences.
    pub(super) fn is_wordless(&self) -> bool {
        self.wordless
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

    /// What is held of known cards where some sections are, and perhaps elsewhere: for one
    /// section just what it holds, so that a rule about it need not look at the whole deck.
    #[inline]
    pub fn known_in(&self, sections: SectionSet) -> &[Holding] {
        match sections.single() {
            Some(only) => self.known_in_section(only),
            None => self.known(),
        }
    }

    /// What one section holds of known cards.
    #[inline]
    pub fn known_in_section(&self, section: usize) -> &[Holding] {
        match self.starts.get(section..) {
            Some([start, end, ..]) => &self.by_section[*start..*end],
            _ => &[],
        }
    }

    /// What is held of one card.
    pub fn of_card(&self, card: CardId) -> &[Holding] {
        let from = self.holdings.partition_point(|holding| holding.card < card);
        let behind = &self.holdings[from..];
        &behind[..behind.partition_point(|holding| holding.card == card)]
    }

    /// What is held of cards that the pool does not know.
    #[inline]
    pub fn unknown(&self) -> &[Holding] {
        &self.holdings[self.known..]
    }

    /// How many different cards of it the pool does not know.
    pub fn unknown_cards(&self) -> usize {
        self.unknown_cards
    }

    /// A card's name as the pool spells it, or for an unknown card, as the deck does.
    pub fn name(&self, card: CardId) -> &str {
        match self.unknown_name(card) {
            Some((_, shown)) => shown,
            None => self.pool.name(card),
        }
    }

    /// A card's folded name.
    pub fn folded(&self, card: CardId) -> &str {
        match self.unknown_name(card) {
            Some((folded, _)) => folded,
            None => self.pool.folded(card),
        }
    }

    /// Adds a card's folded name as a JSON string in canonical form.
    pub fn write_canonical(&self, card: CardId, bytes: &mut Vec<u8>) {
        match self.unknown_name(card) {
            Some((folded, _)) => decklaw_text::digest::canonical_string(bytes, folded),
            None => bytes.extend_from_slice(self.pool.canonical(card)),
        }
    }

    fn unknown_name(&self, card: CardId) -> Option<&(String, String)> {
        self.unknown_names.get(card.index().checked_sub(self.pool.len())?)
    }

    /// Copies of known cards in some sections that `pick` picks.
    #[inline]
    pub fn count(&self, sections: SectionSet, pick: impl Fn(CardId) -> bool) -> i64 {
        let picked =
            |holding: &&Holding| sections.has(usize::from(holding.section)) && pick(holding.card);
        self.known_in(sections).iter().filter(picked).map(|holding| holding.copies).sum()
    }

    /// Copies of unknown cards in some sections.
    #[inline]
    pub fn count_unknown(&self, sections: SectionSet) -> i64 {
        let inside = |holding: &&Holding| sections.has(usize::from(holding.section));
        self.unknown().iter().filter(inside).map(|holding| holding.copies).sum()
    }

    /// Other holdings with the same pool and the same unknown names.
    #[must_use]
    pub fn holding(&self, holdings: Vec<Holding>) -> Contents<'p> {
        Contents::sorted(self.pool, Contents::added_up(holdings), Arc::clone(&self.unknown_names))
    }

    /// The same contents with this number of copies of a known card in a section, at least one.
    #[must_use]
    pub fn with(&self, holding: Holding) -> Contents<'p> {
        let mut contents = self.clone();
        let key = |held: &Holding| (held.card, held.section);
        let found = contents.holdings.binary_search_by_key(&key(&holding), key);
        match found {
            Ok(_) => contents.hold(holding),
            Err(at) => {
                contents.holdings.insert(at, holding);
                contents.known += 1;
                let section = usize::from(holding.section);
                if contents.starts.len() < section + 2 {
                    contents.starts.resize(section + 2, contents.by_section.len());
                }
                let place = contents.place_in_section(&holding);
                contents.by_section.insert(place, holding);
                contents.starts[section + 1..].iter_mut().for_each(|start| *start += 1);
            }
        }
        contents
    }

    /// Changes the copies of what is held.
    pub fn hold(&mut self, holding: Holding) {
        let key = |held: &Holding| (held.card, held.section);
        if let Ok(at) = self.holdings.binary_search_by_key(&key(&holding), key) {
            let place = self.place_in_section(&holding);
            self.holdings[at] = holding;
            self.by_section[place] = holding;
        }
    }

    /// The index of a card in the order of an existing section, or where it would be inserted.
    fn place_in_section(&self, holding: &Holding) -> usize {
        let start = self.starts[usize::from(holding.section)];
        let inside = self.known_in_section(usize::from(holding.section));
        start + inside.partition_point(|held| held.card < holding.card)
    }

    /// The same contents without the holdings that `refused` picks.
    #[must_use]
    pub fn without(&self, refused: impl Fn(&Holding) -> bool) -> Contents<'p> {
        let keep = |holding: &&Holding| !refused(holding);
        let holdings = self.holdings.iter().filter(keep).copied().collect();
        Contents {
            wordless: self.wordless,
            ..Contents::sorted(self.pool, holdings, Arc::clone(&self.unknown_names))
        }
    }
}

/// Calls `see` with each card of some holdings and its copies in some sections, for cards
/// that have any there.
#[inline]
pub(crate) fn each_card(
    holdings: &[Holding],
    sections: SectionSet,
    mut see: impl FnMut(CardId, i64),
) {
    if let Some(only) = sections.single() {
        // A card is once in a section: there is nothing to add up.
        for holding in holdings {
            if usize::from(holding.section) == only {
                see(holding.card, holding.copies);
            }
        }
        return;
    }
    let mut at = 0;
    while let Some(first) = holdings.get(at) {
        let mut copies = 0_i64;
        while let Some(holding) = holdings.get(at).filter(|holding| holding.card == first.card) {
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
