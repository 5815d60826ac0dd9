//! A deck, or the reason why there is none.

use super::{Judge, ReadDeck};
use crate::resolve::Resolved;
use decklaw_decks::deck::OpenedDeck;
use decklaw_text::{Problem, ProblemKind};

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
    pub fn deck<'b>(&self, opened: &'b OpenedDeck<'_>) -> Result<Resolved<'b>, Problem> {
        let message = match self.read(opened, None)? {
            ReadDeck::Deck(resolved) => return Ok(*resolved),
            ReadDeck::Unreadable { errors, .. } => {
                errors.first().map_or_else(String::new, ToString::to_string)
            }
            ReadDeck::Formatless { deck, unknown, .. } => {
                self.without_format(&deck, unknown.as_deref()).message
            }
        };
        Err(Problem::new(ProblemKind::Deck, message))
    }
}
