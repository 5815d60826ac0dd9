//! A deck, or the reason why there is none.

use super::{Judge, JudgeError, ReadDeck};
use crate::resolve::Resolved;
use decklaw_decks::deck::{OpenedDeck, SyntaxError};

/// A reason why there is no deck.
#[derive(Debug, thiserror::Error)]
pub enum DeckError {
    /// The judge's own inputs are wrong.
    #[error(transparent)]
    Judge(#[from] JudgeError),
    /// It cannot be read; all errors.
    #[error("{}", .0.first().map_or_else(String::new, ToString::to_string))]
    Unreadable(Vec<SyntaxError>),
    /// It names no format.
    #[error("the deck names no format")]
    NoFormat,
    /// It names an unknown format; a sentence.
    #[error("{0}")]
    UnknownFormat(String),
}

impl Judge {
    /// Reads a deck that was [opened](Judge::open) and looks up its names.
    ///
    /// # Errors
    /// A text that is not a deck of a known format.
    ///
    /// ```
    /// use decklaw_decks::{Input, deck::OpenedDeck};
    /// use decklaw_judge::Judge;
    /// let judge = Judge::built_in("2026-06-01".parse()?);
    /// let opened = OpenedDeck::plain(b"Format: any\n\n3 Ash\n2 Bell\n".as_slice(), Input::Text);
    /// let deck = judge.deck(&opened)?;
    /// assert_eq!(deck.list().count(0), 5);
    /// assert!(judge.deck(&OpenedDeck::plain(b"3 Ash\n".as_slice(), Input::Text)).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn deck<'b>(&self, opened: &'b OpenedDeck<'_>) -> Result<Resolved<'b>, DeckError> {
        match self.read(opened, None)? {
            ReadDeck::Deck(resolved) => Ok(*resolved),
            ReadDeck::Unreadable { errors, .. } => Err(DeckError::Unreadable(errors)),
            ReadDeck::Formatless { unknown, .. } => Err(match unknown {
                Some(why) => DeckError::UnknownFormat(why),
                None => DeckError::NoFormat,
            }),
        }
    }
}
