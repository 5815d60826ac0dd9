//! What stands on the cards of a game, as pages draw it: the faces that are printed, too.

use crate::trouble::Trouble;
use decklaw_core::format::Rulebook;
use decklaw_core::judge::Judge;
use decklaw_table::paper::{Face, Layout};
use std::sync::Arc;

/// How the cards of a rulebook's pool look.
pub(crate) struct Looks {
    book: Arc<Rulebook>,
    layout: Layout,
}

impl Looks {
    /// Those that the game's folder declares, or else what is known of each card.
    ///
    /// # Errors
    /// What is wrong with the file that declares them.
    pub(crate) fn of(judge: &Judge, book: Arc<Rulebook>) -> Result<Looks, Trouble> {
        let format = book.format();
        let game = format.game();
        let declared = Layout::declared(judge.catalogue(), game);
        let declared = declared.map_err(|error| {
            let first = error.problems.first();
            let why = first.map_or("it is no text", |first| first.message.as_str());
            Trouble::wrong(format!("{}: {why}", error.name))
        })?;
        let inferred = || Layout::inferred(book.pool().fields(), &game.file.name);
        let layout = declared.unwrap_or_else(inferred);
        Ok(Looks { book, layout })
    }

    /// What stands on a card; of one that the pool does not know, its name.
    pub(crate) fn face(&self, name: &str) -> Face {
        self.layout.face_of(self.book.pool(), name)
    }
}
