//! The cards of one section that hands are drawn from.

use super::OddsError;
use super::wrong;
use decklaw_cards::pool::{CardId, Pool};
use decklaw_judge::Note;
use decklaw_judge::resolve::{Decklist, Resolved};
use decklaw_rules::rules::Fault;
use decklaw_text::name::fold;
use decklaw_text::text::listed;

/// The most cards of a section.
const MOST_CARDS: u32 = 1_000_000;

/// The section of a deck that hands are drawn from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DrawnSection {
    /// Its id.
    pub section: String,
    /// A note on the sections that are not drawn from, where the question names none.
    pub note: Option<Note>,
}

impl DrawnSection {
    /// The section that is `asked` for, by its name or id; else `own`, which the game's odds file
    /// names; else the first that is shuffled. Where the deck lacks that, its first.
    pub fn of(resolved: &Resolved<'_>, asked: Option<&str>, own: Option<&str>) -> DrawnSection {
        let game = resolved.rulebook().format().game();
        let names = game.section_names();
        if let Some(asked) = asked {
            let section = names.find(asked).unwrap_or(asked).to_owned();
            return DrawnSection { section, note: None };
        }
        let there = &resolved.deck().sections;
        let has = |id: &str| there.iter().any(|section| section.id == id);
        let wanted = own.unwrap_or(names.first);
        let section = match there.first() {
            Some(first) if !has(wanted) => &*first.id,
            _ => wanted,
        };
        let called = |id: &str| {
            let mut own = game.sections().iter();
            own.find(|own| own.id == id).map_or_else(|| id.to_owned(), |own| own.name.clone())
        };
        let others = game.sections().iter().filter(|other| {
            own.is_none() && other.shuffled && other.id != section && has(&other.id)
        });
        let others: Vec<&str> = others.map(|other| other.name.as_str()).collect();
        let drawn = called(section);
        let remark = match (others.as_slice(), section == wanted) {
            ([], true) => None,
            ([], false) => Some(format!(
                "The deck has no {}, so cards are drawn from its {drawn}.",
                called(wanted)
            )),
            (others, _) => Some(format!(
                "Cards are drawn from the {drawn}, and not from the {}.",
                listed(others, "and")
            )),
        };
        let note = remark.map(|remark| Note::new("odds", Fault::LeftOut, remark));
        DrawnSection { section: section.to_owned(), note }
    }
}

/// The cards of one shuffled section, each with its copies.
#[derive(Debug, Clone)]
pub struct Population<'p> {
    pool: &'p Pool,
    cards: Vec<(CardId, u32)>,
    unknown: u32,
    size: u32,
}

impl<'p> Population<'p> {
    /// Cards with their copies, which add up for the same card, and the number of cards that the
    /// pool does not know: these are in no group but `[]`.
    ///
    /// # Errors
    /// No card at all, or more than 1,000,000.
    ///
    /// ```
    /// use decklaw_cards::pool::Pool;
    /// use decklaw_engine::odds::Population;
    /// let pool = Pool::of_names(["Moss Sprite", "Rain Caller"]);
    /// let copies = pool.ids().map(|card| (card, 3));
    /// assert_eq!(Population::new(&pool, copies, 0)?.size(), 6);
    /// # Ok::<(), decklaw_engine::odds::OddsError>(())
    /// ```
    pub fn new(
        pool: &'p Pool,
        copies: impl IntoIterator<Item = (CardId, u32)>,
        unknown: u32,
    ) -> Result<Population<'p>, OddsError> {
        let mut cards: Vec<(CardId, u32)> =
            copies.into_iter().filter(|(_, copies)| *copies > 0).collect();
        cards.sort_unstable();
        cards.dedup_by(|again, first| {
            let same = again.0 == first.0;
            if same {
                first.1 = first.1.saturating_add(again.1);
            }
            same
        });
        let known: u64 = cards.iter().map(|(_, copies)| u64::from(*copies)).sum();
        let size = known + u64::from(unknown);
        match u32::try_from(size) {
            Ok(0) => Err(OddsError::no_cards()),
            Ok(size) if size <= MOST_CARDS => Ok(Population { pool, cards, unknown, size }),
            _ => {
                let message =
                    format!("{size} cards are too many; at most {MOST_CARDS} are counted");
                Err(OddsError::no_hand(message))
            }
        }
    }

    /// The cards of a section of a deck, by its id.
    ///
    /// # Errors
    /// A section that the deck does not have, a deck without cards, and as for [`Population::new`].
    pub fn of_section(
        resolved: &'p Resolved<'_>,
        section: &str,
    ) -> Result<Population<'p>, OddsError> {
        let wanted = fold(section);
        let deck = resolved.deck();
        let at = deck.sections.iter().position(|known| known.id == wanted);
        match at.and_then(|at| resolved.section(at)) {
            Some(at) => Population::of_list(resolved.list(), at),
            None if deck.lines.is_empty() => Err(OddsError::no_cards()),
            None => {
                let known: Vec<&str> = deck.sections.iter().map(|known| &*known.id).collect();
                let known = listed(&known, "and");
                let message = format!("the deck has no section `{section}`; it has {known}");
                Err(wrong(message, "").into())
            }
        }
    }

    /// The cards of a section of a list, by its index.
    ///
    /// # Errors
    /// As for [`Population::new`].
    pub fn of_list(list: &'p Decklist, section: usize) -> Result<Population<'p>, OddsError> {
        let (mut known, mut unknown) = (Vec::new(), 0_u32);
        let inside = |held: &decklaw_rules::rules::Holding| usize::from(held.section) == section;
        for held in list.holdings().filter(inside) {
            let copies = u32::try_from(held.copies).unwrap_or(u32::MAX);
            if list.knows(held.card) {
                known.push((held.card, copies));
            } else {
                unknown = unknown.saturating_add(copies);
            }
        }
        Population::new(list.pool(), known, unknown)
    }

    /// The pool of the cards.
    pub fn pool(&self) -> &'p Pool {
        self.pool
    }

    /// The cards with their copies, in canonical order, each once.
    pub fn cards(&self) -> &[(CardId, u32)] {
        &self.cards
    }

    /// The cards without their copies.
    pub(crate) fn ids(&self) -> impl Iterator<Item = CardId> {
        self.cards.iter().map(|(card, _)| *card)
    }

    /// The number of cards that the pool does not know.
    pub fn unknown(&self) -> u32 {
        self.unknown
    }

    /// The number of all cards, at least 1.
    pub fn size(&self) -> u32 {
        self.size
    }
}
