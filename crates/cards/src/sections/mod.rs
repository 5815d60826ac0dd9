//! The sections of a game as a reader of decks knows them.

pub mod board;

/// What a reader must know of a game: the names of its sections, and the cards if they are known.
#[derive(Debug, Clone, Copy)]
pub struct SectionNames<'f> {
    /// `(folded name or alias, id)` of every section. Empty and [`open`](Self::open) for
    /// formats in which a deck may name any section.
    pub names: &'f [(String, String)],
    /// Ids in the order in which to list them.
    pub ids: &'f [String],
    /// Where cards before any section go.
    pub first: &'f str,
    /// Whether a word that is no known section makes a new one, its id the folded name.
    pub open: bool,
    /// The cards, where they are known: they show which marks behind a name are no part of it.
    pub pool: Option<&'f crate::pool::Pool>,
}

impl<'f> SectionNames<'f> {
    /// Those of an unknown format: every word is a section.
    pub const OPEN: SectionNames<'static> =
        SectionNames { names: &[], ids: &[], first: "main", open: true, pool: None };

    /// The id of the section that a word names, case and white space ignored: a word of the format,
    /// or one that deck builders of many games use for its main deck or its side deck.
    pub fn find(&self, word: &str) -> Option<&'f str> {
        self.named(word).or_else(|| self.usual(word))
    }

    /// The id of the section that the format calls so.
    pub(crate) fn named(&self, word: &str) -> Option<&'f str> {
        // What differs in ASCII case alone folds to the same.
        let plain = |(name, _): &&(String, String)| name.eq_ignore_ascii_case(word);
        let found = self.names.iter().find(plain).or_else(|| {
            if decklaw_text::name::folds_by_case(word) {
                return None;
            }
            let folded = decklaw_text::name::fold(word);
            self.names.iter().find(|(name, _)| *name == folded)
        });
        found.map(|(_, id)| id.as_str())
    }
}

/// A line of a deck, in words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListedCopies {
    /// The section's id.
    pub section: String,
    /// The card's name, as it is written.
    pub name: String,
    /// The copies, at least 1.
    pub copies: u32,
}
