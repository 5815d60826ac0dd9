//! What a table is played by.

use crate::trouble::Trouble;
use decklaw_ask::JudgeEntry;
use decklaw_core::format::Rulebook;
use decklaw_play::matches::MatchRules;
use std::sync::Arc;

/// A format with its card pool, and what its matches are played by.
pub(crate) type Seated = (Arc<Rulebook>, MatchRules);

/// A format as matches need it.
///
/// # Errors
/// An unknown one, or one whose file says nothing about setup.
pub(crate) fn seated(judge: &JudgeEntry, format: &str) -> Result<Seated, Trouble> {
    let book = judge.rules(format)?;
    let rules = MatchRules::of_format(book.format());
    let rules = rules.map_err(|error| Trouble::wrong(error.to_string()))?;
    let rules = rules.ok_or_else(|| {
        Trouble::wrong(format!(
            "The format file of {} says nothing about how a match starts.",
            book.format().id()
        ))
    })?;
    Ok((book, rules))
}

/// The same for one player alone.
pub(super) fn alone((book, mut rules): Seated) -> Seated {
    rules.setup = rules.setup.alone();
    (book, rules)
}
