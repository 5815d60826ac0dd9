//! What every answer about a deck says of that deck.

use decklaw_judge::resolve::Resolved;
use decklaw_judge::{Note, render::DeckNotes};
use decklaw_rules::rules::Fault;
use serde::Serialize;
use std::ops::Deref;

/// The notes of an answer about a deck. They are made of the deck itself, so that no answer lacks
/// what its reader left out, moved, split, decoded, read loosely or did not know.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct Notes(Vec<Note>);

impl Notes {
    /// Those of a deck.
    pub(crate) fn of(resolved: &Resolved<'_>) -> Notes {
        Notes(resolved.notes())
    }

    /// None yet, of a question without a deck.
    pub(crate) fn without_deck() -> Notes {
        Notes(Vec::new())
    }

    /// Adds notes of the answer itself.
    pub(crate) fn extend(&mut self, notes: impl IntoIterator<Item = Note>) {
        self.0.extend(notes);
    }

    /// Adds that the work limit ended a search.
    pub(crate) fn limit(&mut self, message: impl Into<String>) {
        self.0.push(Note::new("search", Fault::Limit, message));
    }

    /// Adds that the work limit ended a choice or an explanation.
    pub(crate) fn cut_short(&mut self, message: impl Into<String>) {
        self.0.push(Note::new("search", Fault::CutShort, message));
    }

    /// Adds sentences on what queries and wishes ask for and no card has.
    pub(crate) fn unmatched(&mut self, sentences: impl IntoIterator<Item = String>) {
        self.0.extend(sentences.into_iter().map(no_such_word));
    }

    /// The same for an output.
    pub(crate) fn about<'a>(&'a self, deck: &'a str) -> Option<Vec<DeckNotes<'a>>> {
        Some(vec![DeckNotes { deck, notes: &self.0 }])
    }
}

/// A note on what a query asks for and no card has.
pub(crate) fn no_such_word(sentence: String) -> Note {
    Note::new("query", Fault::NoSuchWord, sentence)
}

impl Deref for Notes {
    type Target = [Note];

    fn deref(&self) -> &[Note] {
        &self.0
    }
}

impl From<Notes> for Vec<Note> {
    fn from(notes: Notes) -> Vec<Note> {
        notes.0
    }
}
