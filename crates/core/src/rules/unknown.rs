//! `unknown-card`: cards that the pool does not know.

use super::contents::each_card;
use super::demand::Cond;
use super::{
    Constraint, Contents, Failing, Fault, Linear, Rule, SectionSet, Severity, Violation, Where,
};
use crate::text::listed;
use std::borrow::Cow;

/// The rule's id, and its kind.
pub const ID: &str = "unknown-card";

/// The rule of every game that a deck names cards which exist.
pub(crate) fn rule(lenient: bool) -> Rule {
    Rule {
        place: 0,
        says: [None, None],
        id: ID.to_owned(),
        kind: ID,
        severity: if lenient {
            Severity::Notice
        } else {
            Severity::Error
        },
        source: String::new(),
        about: "Every card of a deck is one of the game's cards, by name.".to_owned(),
        because: None,
        constraint: Box::new(Unknown),
    }
}

/// The notice that unknown cards leave several demands open; `rules`: their ids, each once.
pub(crate) fn open(contents: &Contents<'_>, rules: &[&str]) -> Violation {
    /// A game may have a rule for each card.
    const MOST_NAMED: usize = 5;
    let everywhere = SectionSet(u64::MAX);
    let mut cards = Vec::new();
    each_card(contents.unknown(), everywhere, |card, _| cards.push(card));
    let named = rules.len().min(MOST_NAMED);
    let mut words: Vec<String> = rules[..named].iter().map(|id| format!("`{id}`")).collect();
    if rules.len() > named {
        words.push(format!("{} more", rules.len() - named));
    }
    let (noun, depend) = match rules.len() {
        1 => ("rule", "depends"),
        _ => ("rules", "depend"),
    };
    let (on, help) = match cards.as_slice() {
        [card] => (
            format!("`{}`", contents.name(*card)),
            "once the pool knows this card, it can be verified",
        ),
        _ => (
            format!("the {} unknown cards", cards.len()),
            "once the pool knows these cards, it can be verified",
        ),
    };
    let message = format!(
        "not verified: the {noun} {} {depend} on {on}",
        listed(&words, "and")
    );
    let mut notice = Violation::of_deck(Failing::Unverified, message, help.to_owned());
    if let [card] = cards.as_slice() {
        notice.place = Where::First(*card, everywhere);
    }
    notice.cards = cards;
    notice
}

#[derive(Debug)]
struct Unknown;

/// Decks made of thousands of unknown names are of another game: no more names are offered than
/// somebody would look at.
const MOST_SUGGESTIONS: usize = 500;

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
            let help = match near.as_slice() {
                [] => "check the spelling, or use a card file that has it, with `--cards FILE`"
                    .to_owned(),
                near => format!("did you mean {}?", listed(near, "or")),
            };
            let message = format!("no card is called `{name}`");
            found.push(
                Violation::of_deck(Failing::Excess, message, help)
                    .for_fault(Fault::NotInPool)
                    .about(card, Where::First(card, everywhere)),
            );
        });
    }

    /// Cards that the pool does not know are no unknowns of the linear form unless they stay.
    fn cond(&self, _: &Linear<'_>) -> Cow<'_, Cond> {
        Cow::Owned(Cond::always())
    }

    fn demand(&self) -> String {
        "Every card must be one that the card pool knows.".to_owned()
    }
}
