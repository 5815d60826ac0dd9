//! Decks, pools and judges for these tests.

use decklaw::banlist::Lists;
use decklaw::deck::{self, Input};
use decklaw::format::Catalogue;
use decklaw::judge::Judge;
use decklaw::resolve::Decklist;
use std::sync::Arc;

/// A judge with the built-in games, on a fixed day.
pub(crate) fn judge() -> Judge {
    let day = "2026-06-01".parse().unwrap();
    Judge::new(Catalogue::built_in(), Lists::default(), day)
}

/// Reads a deck in the native dialect.
pub(crate) fn read(judge: &Judge, text: &str) -> Option<Decklist> {
    let draft = deck::Draft::of(text.as_bytes(), Input::Text).ok()?;
    let rulebook = judge.rulebook(draft.format()?).ok()?;
    let deck = draft.read(rulebook.format().game().section_names()).ok()?;
    Some(Decklist::of(&deck, Arc::clone(&rulebook)))
}

/// Numbers that look random and are the same on every run (xorshift64*).
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Random {
        Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    /// A number below `end`.
    pub(crate) fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 33) as usize % end
    }
}
