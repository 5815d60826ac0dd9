//! A deck's file as text, where only the names of cards decide its encoding.

use super::{Judge, ReadDeck};
use decklaw_decks::deck::{self, Input, OpenedDeck};
use decklaw_text::ReadError;
use decklaw_text::text::Encoding;

impl Judge {
    /// Decodes a deck's bytes as [`deck::open`] does. Bytes that are not UTF-8 are read as
    /// Windows-1252 if every name with a non-ASCII letter is then in the pool. `stated` is as for
    /// [`Judge::read`].
    ///
    /// # Errors
    /// As for [`deck::open`].
    pub fn open<'b>(
        &self,
        bytes: &'b [u8],
        input: Input,
        stated: Option<&str>,
    ) -> Result<OpenedDeck<'b>, ReadError> {
        Ok(self.recoded(deck::open(bytes, input)?, input, stated))
    }

    /// The same for a local file, which may be a workbook.
    ///
    /// # Errors
    /// As for [`deck::open_file`].
    pub fn open_file<'b>(
        &self,
        bytes: &'b [u8],
        input: Input,
        stated: Option<&str>,
    ) -> Result<OpenedDeck<'b>, ReadError> {
        Ok(self.recoded(deck::open_file(bytes, input)?, input, stated))
    }

    /// Reads the text as Windows-1252 if the names of its cards fit.
    fn recoded<'b>(
        &self,
        mut opened: OpenedDeck<'b>,
        input: Input,
        stated: Option<&str>,
    ) -> OpenedDeck<'b> {
        if let Some(text) = opened.western.take()
            && self.knows_names(&text, input, stated)
        {
            opened.is(text, Encoding::Windows1252);
        }
        opened
    }

    /// Whether every name with a non-ASCII letter in a deck's text is in the pool. A text that is
    /// not a deck has no names.
    pub fn knows_names(&self, text: &str, input: Input, stated: Option<&str>) -> bool {
        let opened = OpenedDeck::plain(text.as_bytes(), input);
        let resolved = match self.read(&opened, stated) {
            Ok(ReadDeck::Deck(resolved)) => resolved,
            Ok(ReadDeck::Unreadable { .. }) => return true,
            // Errors of the rules are reported when the deck is judged.
            Ok(ReadDeck::Formatless { .. }) | Err(_) => return false,
        };
        if resolved.names_its_cards() {
            return false;
        }
        // A name that is only found without its accents decides nothing.
        let pool = resolved.pool();
        let mut lines = resolved.deck().lines.iter();
        lines.all(|line| line.name.is_ascii() || pool.has_name(&line.name))
    }
}
