//! Decks, pools and judges for these tests.

use decklaw::banlist::Lists;
use decklaw::deck::{self, Input};
use decklaw::format::Catalogue;
use decklaw::report::Judge;
use decklaw::rules::Rulebook;
use decklaw::solve::Decklist;
use std::sync::Arc;

/// A judge with the built-in games, on a fixed day.
pub(crate) fn judge() -> Judge {
    let day = "2026-06-01".parse().unwrap();
    Judge::new(Catalogue::built_in(), Lists::default(), day)
}

/// Reads a deck in the native dialect.
pub(crate) fn read(judge: &Judge, text: &str) -> Option<Decklist> {
    let mut found: Option<Arc<Rulebook>> = None;
    let slot = std::cell::OnceCell::new();
    let deck = deck::read(text.as_bytes(), Input::Text, &mut |own| {
        let rulebook = judge.rulebook(own?).ok()?;
        found = Some(Arc::clone(&rulebook));
        let kept: &Arc<Rulebook> = slot.get_or_init(|| rulebook);
        Some(kept.format().game().section_names())
    })
    .ok()?;
    let rulebook = Decklist::rulebook_for(&deck, found?).unwrap();
    Some(Decklist::of(&deck, rulebook))
}
