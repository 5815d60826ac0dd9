//! What people bring to a match that they play here.

use super::super::trouble::Trouble;
use super::{import, read, rulebook};
use decklaw_core::deck::Input;
use decklaw_core::format::Rulebook;
use decklaw_core::judge::Judge;
use decklaw_core::resolve::Decklist;
use decklaw_core::text::harmless;
use decklaw_table::matches::setup::Decks;
use decklaw_table::matches::{MatchDeck, MatchRules, Registered, Sections, SwapJudge};
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

/// The decks that seats bring, in any reader's words; the whole pool where the format plays it.
///
/// # Errors
/// A deck that cannot be read or is not legal, and why.
pub(crate) fn decks(
    judge: &Judge,
    (book, rules): &Seated,
    brought: &[String],
) -> Result<Vec<Registered>, Trouble> {
    let refuse = |error: decklaw_table::matches::MatchError| Trouble::from(&error);
    if let Decks::WholePool(name) = &rules.setup.decks {
        let deck = MatchDeck::of_pool(&rules.format, name, &rules.setup, book.pool());
        return Ok(vec![Registered::unjudged(deck.map_err(refuse)?)]);
    }
    let each = (1..).zip(brought).map(|(number, text)| {
        let imported = import(judge, Some(&rules.format), text.as_bytes(), None)?;
        let findings = imported.check["findings"].as_array();
        let errors = findings.into_iter().flatten().filter_map(|finding| {
            let error = finding["severity"] == "error";
            finding["message"].as_str().filter(|_| error)
        });
        let errors: Vec<&str> = errors.take(5).collect();
        let (true, Some(deck)) = (errors.is_empty(), &imported.deck) else {
            return Err(Trouble::new(
                422,
                format!("Deck {number} cannot be played: {}", errors.join("; ")),
                "Mend it in the builder, and bring it again.",
            ));
        };
        let resolved = read(judge, &rules.format, deck.get().as_bytes(), Input::Json)?;
        let resolved = resolved.ok_or_else(Trouble::defect)?;
        rules.register(&resolved).map_err(refuse)
    });
    each.collect()
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
