//! `unknown-card`: cards that the pool does not know.

use super::contents::each_card;
use super::{
    Constraint, Contents, Failing, Fault, Linear, Rule, SectionSet, Severity, Violation, Where,
};
use crate::text::listed;

/// The rule's id, and its kind.
pub(crate) const ID: &str = "unknown-card";

/// The rule of every game that a deck names cards which exist.
pub(super) fn rule(lenient: bool) -> Rule {
    Rule {
        id: ID.to_owned(),
        kind: ID,
        severity: if lenient {
            Severity::Notice
        } else {
            Severity::Error
        },
        source: String::new(),
        about: "Every card of a deck is one of the game's cards, by name.".to_owned(),
        constraint: Box::new(Unknown),
    }
}

#[derive(Debug)]
struct Unknown;

/// Decks made of nothing but unknown names are of another game: no more names are offered
/// than a reader would look at.
const MOST_SUGGESTIONS: usize = 20;

impl Constraint for Unknown {
    fn judge(&self, contents: &Contents<'_>, found: &mut Vec<Violation>) {
        let everywhere = SectionSet(u64::MAX);
        let mut offered = 0;
        each_card(contents.unknown(), everywhere, |card, _| {
            let name = contents.name(card);
            offered += 1;
            let near = if offered <= MOST_SUGGESTIONS {
                contents.pool.nearest(name)
            } else {
                Vec::new()
            };
            let near: Vec<String> = near.iter().map(|near| format!("`{near}`")).collect();
            let mend = match near.as_slice() {
                [] => "check the spelling, or bring the cards with `--cards FILE`".to_owned(),
                near => format!("did you mean {}?", listed(near, "or")),
            };
            let message = format!("no card is called `{name}`");
            found.push(
                Violation::of_deck(Failing::Excess, message, mend)
                    .for_fault(Fault::NotInPool)
                    .about(card, Where::First(card, everywhere)),
            );
        });
    }

    /// Cards that the pool does not know are no unknowns of the linear form unless they stay.
    fn linear(&self, _linear: &mut Linear<'_>) {}

    fn demand(&self) -> String {
        "Every card must be one that the card pool knows.".to_owned()
    }
}
