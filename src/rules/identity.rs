//! The one card of a section that speaks for the whole deck.

use super::{Contents, SectionSet};
use crate::pool::CardId;

/// What a section says about who speaks for the deck.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Identity {
    /// Just this card, which the pool knows.
    Known(CardId),
    /// Just this card, which the pool does not know.
    Unknown(CardId),
    /// No card: nothing can be said.
    Nobody,
    /// Several cards, or several copies of one: which of them is meant cannot be said.
    Several,
}

impl Identity {
    /// The one card of a section.
    pub fn of(contents: &Contents<'_>, section: usize) -> Identity {
        let section = SectionSet::only(section);
        let mut held = contents
            .all()
            .iter()
            .filter(|holding| section.has(usize::from(holding.section)));
        match (held.next(), held.next()) {
            (Some(only), None) if only.copies == 1 => {
                if only.card.index() < contents.pool.len() {
                    Identity::Known(only.card)
                } else {
                    Identity::Unknown(only.card)
                }
            }
            (None, _) => Identity::Nobody,
            _ => Identity::Several,
        }
    }
}
