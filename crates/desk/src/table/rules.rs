//! What a table is played by.

use crate::site::rulebook;
use crate::trouble::Trouble;
use decklaw_core::format::Rulebook;
use decklaw_core::judge::Judge;
use decklaw_core::resolve::Decklist;
use decklaw_core::text::harmless;
use decklaw_table::matches::{MatchRules, Sections, SwapJudge};
use std::sync::Arc;

/// A format with its card pool, and what its matches are played by.
pub(crate) type Seated = (Arc<Rulebook>, MatchRules);

/// A format as matches need it.
///
/// # Errors
/// An unknown one, or one whose file says nothing about setup.
pub(crate) fn seated(judge: &Judge, format: &str) -> Result<Seated, Trouble> {
    let book = rulebook(judge, format)?;
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

/// Judges what is swapped between games.
pub(crate) struct Swaps(pub(crate) Arc<Rulebook>);

impl Swaps {
    fn broken(&self, sections: &Sections) -> Vec<String> {
        let cards = sections.iter().flat_map(|(section, cards)| {
            let card = move |(name, count): &'_ (String, u32)| (name.clone(), i64::from(*count));
            cards.iter().map(move |it| (section.as_str(), card(it)))
        });
        let cards: Vec<(&str, (String, i64))> = cards.collect();
        let named = cards
            .iter()
            .map(|(section, (name, count))| (*section, name.as_str(), *count));
        let errors = Decklist::of_names(Arc::clone(&self.0), named).errors();
        let told = errors.into_iter();
        told.map(|(rule, why)| format!("{rule}: {}", harmless(&why, false)))
            .collect()
    }
}

impl SwapJudge for Swaps {
    fn judge(&self, played: &Sections, whole: &Sections) -> Result<Vec<String>, String> {
        match self.broken(played).as_slice() {
            [] => Ok(self.broken(whole)),
            reasons => Err(format!(
                "the deck after the swap is not legal: {}",
                reasons.join("; ")
            )),
        }
    }
}
