//! `unknown-card`: cards that the pool does not know.

use super::demand::{Lazy, Of, Unknown};
use super::tree::Leaf;
use super::{Demand, Fault, Rule, SectionSet, Severity};
use decklaw_cards::pool::{CardId, NameField, Pool};
use decklaw_text::text::listed;

/// The rule's id, and its kind.
pub const ID: &str = "unknown-card";

/// Decks made of thousands of unknown names are of another game: no more of them get nearest names
/// than a person would look at.
const MOST_NEAREST: usize = 100;

/// Where a card may be that the pool does not have.
const OTHER_CARDS: &str = "use a card file that has it, with `--cards FILE`";

/// The rule of every game that a deck names cards which exist.
pub(crate) fn rule(lenient: bool, pool: &Pool) -> Rule {
    let severity = if lenient { Severity::Notice } else { Severity::Error };
    let (known, everywhere) = (pool.len(), SectionSet(u64::MAX));
    let of = Of::Each {
        groups: None,
        cond: Lazy::new(known, move |card| {
            let card = CardId(card);
            (card.index() >= known).then(|| Leaf::of_card(card, everywhere, known).is_absent())
        }),
        always: Vec::new(),
    };
    let words = "Every card must be one that the card pool knows.".to_owned();
    let demand = Demand::new(everywhere, of, words, |broken, violation, found| {
        let (pool, card) = (broken.contents.pool, broken.card());
        let is_asked = card.index() < pool.len() + MOST_NEAREST;
        let near = is_asked.then(|| pool.near(broken.contents.name(card), NameField::Name).names);
        let near = near.unwrap_or_default().into_iter();
        let near: Vec<String> = near.map(|near| format!("`{near}`")).collect();
        let help = match near.as_slice() {
            [] if is_asked => format!("check the spelling, or {OTHER_CARDS}"),
            [] => format!(
                "check the spelling (near names are looked for of {MOST_NEAREST} cards only), or {OTHER_CARDS}"
            ),
            near => format!("did you mean {}?", listed(near, "or")),
        };
        found.push(violation.say(format!("no card is called {}", broken.name()), help));
    });
    let demand = Demand {
        fault: Some(Fault::NotInPool),
        has_numbers: false,
        unknown: Unknown::Judged,
        ..demand
    };
    let about = "Every card of a deck is one of the game's cards, by name.";
    Rule::of_every_game(ID, severity, about, demand)
}
