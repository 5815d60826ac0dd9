//! From a deck as it is written to the cards that it holds: the one place where names become
//! cards.
//!
//! A [`Resolved`] deck is what every answer is about. The judge, odds, statistics and a match
//! ask it which card a line means, which names are no cards, and what a section holds; a
//! [`Decklist`] is the same without its text, open to change, as an editor and a repair need
//! it. Both have one digest, [`deck_hash`].

mod decklist;
mod digest;

pub use decklist::{Change, Decklist};
pub use digest::{content_hash, deck_hash};

use decklaw_cards::pool::{CardId, NameField, Pool};
use decklaw_decks::deck::{CardLine, Deck, ReaderNote};
use decklaw_rules::format::Rulebook;
use decklaw_rules::rules::Contents;
use decklaw_text::name::{fold, tidy};
use std::collections::BTreeMap;
use std::sync::Arc;

/// A deck whose names were looked up.
#[derive(Debug, Clone)]
pub struct Resolved<'b> {
    deck: Deck<'b>,
    text: &'b str,
    of_format: Arc<Rulebook>,
    list: Decklist,
    /// The card of each line.
    cards: Vec<CardId>,
    /// The lines whose names were found loosely.
    loose: Vec<usize>,
    /// Where the format has each section of the deck.
    places: Vec<Option<usize>>,
    /// What is to be known of its file and its names, apart from the notes of its reader.
    notes: Vec<ReaderNote>,
    /// Whether the cards of its game are those that come with the program.
    of_samples: bool,
}

impl<'b> Resolved<'b> {
    /// Looks up the names of a deck that was read from `text`, in the pool of its format's
    /// rules. Where those know no cards at all, the deck's own names are the pool.
    pub fn new(deck: Deck<'b>, text: &'b str, of_format: Arc<Rulebook>) -> Resolved<'b> {
        let rulebook = rules_for(&deck, &of_format);
        let names = deck.lines.iter().map(|line| line.name.as_ref());
        let (cards, unknown, loose) = look_up(rulebook.pool(), names);
        let places = places(&deck, &rulebook);
        let list = Decklist::resolved(&deck, rulebook, (&cards, unknown), &places);
        Resolved {
            deck,
            text,
            of_format,
            list,
            cards,
            loose,
            places,
            notes: Vec::new(),
            of_samples: false,
        }
    }

    /// Adds notes about its file and its names, and whether the cards of its game are those that
    /// come with the program.
    pub(crate) fn noted(&mut self, notes: impl IntoIterator<Item = ReaderNote>, of_samples: bool) {
        self.notes.extend(notes);
        self.of_samples = of_samples;
    }

    /// What its reader left out, moved, split, decoded and read loosely.
    pub(crate) fn reader_notes(&self) -> impl Iterator<Item = &ReaderNote> {
        self.notes.iter().chain(&self.deck.notes)
    }

    /// Whether the cards of its game are those that come with the program.
    pub(crate) fn is_of_samples(&self) -> bool {
        self.of_samples
    }

    /// The deck as it is written.
    pub fn deck(&self) -> &Deck<'b> {
        &self.deck
    }

    /// The text that its spans count in.
    pub fn text(&self) -> &'b str {
        self.text
    }

    /// What it holds, by section and card.
    pub fn list(&self) -> &Decklist {
        &self.list
    }

    /// The same, to be changed.
    pub fn into_list(self) -> Decklist {
        self.list
    }

    /// The rules by which it is judged.
    pub fn rulebook(&self) -> &Arc<Rulebook> {
        self.list.rulebook()
    }

    /// The rules of its format, before its own names became part of them.
    pub fn of_format(&self) -> &Arc<Rulebook> {
        &self.of_format
    }

    /// Whether its own names are the pool.
    pub fn names_its_cards(&self) -> bool {
        !Arc::ptr_eq(self.of_format.pool(), self.list.pool())
    }

    /// The cards that it is made of.
    pub fn pool(&self) -> &Arc<Pool> {
        self.list.pool()
    }

    /// The card of each of its lines; from the pool's length on, one that the pool does not
    /// know.
    pub fn cards(&self) -> &[CardId] {
        &self.cards
    }

    /// The lines that name a card without its accents, apostrophes or hyphens, with the card.
    pub fn loose_lines(&self) -> impl Iterator<Item = (&CardLine<'b>, CardId)> {
        let lines = self.loose.iter();
        lines.filter_map(|at| Some((self.deck.lines.get(*at)?, *self.cards.get(*at)?)))
    }

    /// The index among [`Decklist::sections`] of a section of the deck.
    pub fn section(&self, of_deck: usize) -> Option<usize> {
        self.places.get(of_deck).copied().flatten()
    }

    /// The form that rules judge.
    pub fn contents(&self) -> Contents<'_> {
        self.list.contents()
    }

    /// The digest of its content.
    pub fn hash(&self) -> String {
        self.list.hash()
    }
}

/// The rules for a deck: those of its format, over the deck's own names where they know no cards
/// at all.
fn rules_for(deck: &Deck<'_>, of_format: &Arc<Rulebook>) -> Arc<Rulebook> {
    if of_format.pool().is_empty() {
        let names = deck.lines.iter().map(|line| line.name.as_ref());
        Arc::new(of_format.over_names(names))
    } else {
        Arc::clone(of_format)
    }
}

/// Where a format has each section of a deck. A format whose sections are open has those of
/// the deck.
fn places(deck: &Deck<'_>, rulebook: &Rulebook) -> Vec<Option<usize>> {
    let names = rulebook.format().game().section_names();
    let place = |(at, section): (usize, &decklaw_decks::deck::Section<'_>)| {
        if names.open { Some(at) } else { names.ids.iter().position(|id| *id == section.id) }
    };
    deck.sections.iter().enumerate().map(place).collect()
}

/// Names that a pool does not know: folded, and as they are shown, which is the smallest of
/// their spellings. Sorted.
type UnknownNames = Arc<Vec<(String, String)>>;

/// The card of each name. Those that the pool does not know are numbered from its length on,
/// in the order of their folded names. The last are the names that are written
/// [loosely](Lookup::is_loose), by index.
fn look_up<'n>(
    pool: &Pool,
    names: impl Iterator<Item = &'n str>,
) -> (Vec<CardId>, UnknownNames, Vec<usize>) {
    let mut cards = Vec::with_capacity(names.size_hint().0);
    let mut loose = Vec::new();
    let mut unknown: BTreeMap<String, String> = BTreeMap::new();
    let mut pending: Vec<(usize, String)> = Vec::new();
    for (at, name) in names.enumerate() {
        let found = pool.look_up(name, NameField::Name);
        if found.is_loose() {
            loose.push(at);
        }
        let card = found.card().unwrap_or_else(|| {
            let folded = fold(name).into_owned();
            let shown = tidy(name);
            let smallest =
                unknown.entry(folded.clone()).or_insert_with(|| shown.clone().into_owned());
            if *shown < **smallest {
                *smallest = shown.into_owned();
            }
            pending.push((at, folded));
            CardId(u32::MAX)
        });
        cards.push(card);
    }
    let unknown: Vec<(String, String)> = unknown.into_iter().collect();
    for (at, folded) in pending {
        let place = unknown.partition_point(|(known, _)| *known < folded);
        cards[at] = CardId(u32::try_from(pool.len() + place).unwrap_or(u32::MAX));
    }
    (cards, Arc::new(unknown), loose)
}
