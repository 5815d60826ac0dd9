//! How many more copies of each card fit.

use super::Deck;
use decklaw_core::pool::CardSet;
use decklaw_engine::solve::Rooms;
use serde::Serialize;

/// How many more copies of a card fit into a section of a deck. As JSON it has the keys of an entry
/// of `decklaw room -o json`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Room {
    /// The section's id.
    pub section: String,
    /// The card.
    pub card: String,
    /// The copies that are there.
    pub has: i64,
    /// How many more fit, each other card left as it is; `None`: as many as one likes.
    pub more: Option<i64>,
    /// The id of the rule that one copy more would break.
    pub rule: Option<String>,
    /// What it would say then.
    pub message: Option<String>,
}

impl Room {
    pub(super) fn of(deck: &Deck) -> Vec<Room> {
        let list = deck.list();
        let rooms = Rooms::of(list);
        let all = rooms.all(&CardSet::of(list.pool().len(), |_| true));
        let rules = list.rulebook().rules();
        let told = all.iter().map(|room| Room {
            section: list.sections()[usize::from(room.section)].clone(),
            card: list.name(room.card).to_owned(),
            has: list.copies(room.section, room.card),
            more: room.more,
            rule: room.rule.map(|rule| rules[rule].id.clone()),
            message: rooms.why(room),
        });
        told.collect()
    }
}
