//! Names that differ from a card's name in marks only.

use crate::resolve::Resolved;
use decklaw_cards::pool::CardId;
use decklaw_decks::deck::{CardLine, ReaderNote};
use decklaw_rules::rules::unknown::ID;
use decklaw_rules::rules::{Code, Fault, Severity};
use decklaw_text::name::{fold, tidy};
use decklaw_text::text::Span;

/// The notices about names that were found without their accents, apostrophes or hyphens.
pub(super) fn notices(resolved: &Resolved<'_>) -> Vec<ReaderNote> {
    let notice = |(line, card): (&CardLine<'_>, CardId)| {
        let name = resolved.pool().name(card);
        let message = format!("`{}` is read as `{name}`", tidy(&line.name));
        ReaderNote {
            code: Code::new(ID, Fault::Lookalike),
            cards: vec![name.to_owned()],
            spans: vec![line.span],
            ..ReaderNote::notice(Fault::Lookalike, message)
        }
    };
    resolved.loose_lines().map(notice).collect()
}

/// The warnings about names that differ only in marks that look alike, in a deck
/// whose own names are the pool.
pub(super) fn warnings(resolved: &Resolved<'_>) -> Vec<ReaderNote> {
    let (deck, pool) = (resolved.deck(), resolved.pool());
    let mut warnings = Vec::new();
    for alike in pool.lookalikes() {
        let names: Vec<String> = alike.iter().map(|card| pool.name(*card).to_owned()).collect();
        let quoted: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
        let message = format!(
            "{} are {} cards here, and look like one",
            decklaw_text::text::listed(&quoted, "and"),
            names.len()
        );
        let is_one = |name: &str| {
            let name = fold(name);
            alike.iter().any(|card| pool.folded(*card) == name)
        };
        let lines = deck.lines.iter().filter(|line| is_one(&line.name));
        let spans: Vec<Span> = lines.map(|line| line.span).collect();
        warnings.push(ReaderNote {
            code: Code::new(ID, Fault::Lookalike),
            severity: Severity::Warning,
            help: format!("if one is meant, write {} everywhere", quoted[0]),
            cards: names,
            spans,
            ..ReaderNote::notice(Fault::Lookalike, message)
        });
    }
    warnings
}
