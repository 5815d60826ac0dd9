//! What people bring to a match that they play here.

use super::{import, read};
use crate::table::Seated;
use crate::trouble::Trouble;
use decklaw_core::deck::Input;
use decklaw_core::judge::Judge;
use decklaw_table::matches::setup::Decks;
use decklaw_table::matches::{MatchDeck, Registered};

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
        let findings = imported.findings().into_iter();
        let errors = findings.filter(|finding| finding.severity == "error");
        let errors: Vec<String> = errors.map(|finding| finding.message).take(5).collect();
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
