//! Names that differ from a card's name in marks only.

use super::Finding;
use crate::deck::CardLine;
use crate::name::{fold, tidy};
use crate::pool::CardId;
use crate::resolve::Resolved;
use crate::rules::unknown::ID;
use crate::rules::{Code, Fault, Severity};
use crate::text::Span;

/// The notices about names that were found without their accents, apostrophes or hyphens.
pub(super) fn notices(resolved: &Resolved<'_>) -> Vec<Finding> {
    let notice = |(line, card): (&CardLine<'_>, CardId)| {
        let name = resolved.pool().name(card);
        let message = format!("`{}` is read as `{name}`", tidy(&line.name));
        let mut finding = Finding::of_file(Fault::Lookalike, Severity::Notice, message, "");
        finding.rule = ID.to_owned();
        finding.code = Code::new(ID, Fault::Lookalike);
        finding.cards = vec![name.to_owned()];
        let place = crate::text::place(resolved.text(), line.span.start);
        finding.at(place, vec![line.span])
    };
    resolved.loose_lines().map(notice).collect()
}

/// The warnings about names that differ only in marks that look alike, in a deck
/// whose own names are the pool.
pub(super) fn warnings(resolved: &Resolved<'_>) -> Vec<Finding> {
    let (deck, pool) = (resolved.deck(), resolved.pool());
    let mut warnings = Vec::new();
    for alike in pool.lookalikes() {
        let names: Vec<String> = alike.iter().map(|card| pool.name(*card).to_owned()).collect();
        let quoted: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
        let mut finding = Finding::of_file(
            Fault::Lookalike,
            Severity::Warning,
            format!(
                "{} are {} cards here, and look like one",
                crate::text::listed(&quoted, "and"),
                names.len()
            ),
            &format!("if one is meant, write {} everywhere", quoted[0]),
        );
        finding.rule = ID.to_owned();
        finding.code = Code::new(ID, Fault::Lookalike);
        let is_one = |name: &str| {
            let name = fold(name);
            alike.iter().any(|card| pool.folded(*card) == name)
        };
        let lines = deck.lines.iter().filter(|line| is_one(&line.name));
        let spans: Vec<Span> = lines.map(|line| line.span).collect();
        finding.cards = names;
        if let Some(first) = spans.first() {
            let place = crate::text::place(resolved.text(), first.start);
            finding = finding.at(place, spans);
        }
        warnings.push(finding);
    }
    warnings
}
