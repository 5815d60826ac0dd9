//! What is said of moves and typed for them.

mod alone;
mod display;
mod helped;
mod log;
pub(super) mod typed;
mod typist;

use crate::matches::fold::Match;
use crate::matches::log::moves::Move;
use crate::matches::seat::SeatId;
use crate::matches::table::Seen;

impl Match {
    /// The zone from which a seat draws where none is named: the first that nobody may see.
    pub(super) fn pile(&self, by: SeatId) -> &str {
        let own = self.table.seats.get(by.index());
        let own = own.map_or(&[][..], |seat| &seat.zones);
        let mut zones = own.iter().chain(&self.table.shared);
        let pile = zones.find(|zone| zone.seen == Seen::ByNobody);
        pile.map_or("", |zone| zone.name.as_str())
    }

    /// Moves that a seat can make and that need nobody's leave: to draw a card, to lay one of its
    /// hand among open cards, to end its turn. There are many more, such as counting: a program that
    /// knows the game makes those itself.
    pub fn moves_of(&self, by: SeatId) -> Vec<Move> {
        let own = self.table.seats.get(by.index());
        let Some(own) = own.filter(|_| self.pending.is_empty()) else {
            return Vec::new();
        };
        let zones = || own.zones.iter().chain(&self.table.shared);
        let hand = own.zones.iter().find(|zone| zone.name == "hand");
        let piles = zones().filter(|zone| zone.seen == Seen::ByNobody && !zone.slots.is_empty());
        let draws = hand.into_iter().zip(piles).map(|(hand, pile)| Move::Draw {
            by,
            from: pile.name.clone(),
            to: hand.name.clone(),
            count: 1,
        });
        let open = || zones().filter(|zone| matches!(zone.seen, Seen::ByAll | Seen::CardByCard));
        let slots = hand.map_or(0, |hand| {
            u32::try_from(hand.slots.len()).unwrap_or(u32::MAX)
        });
        let laid = (0..slots).flat_map(|slot| {
            open().map(move |zone| Move::Move {
                by,
                from: "hand".to_owned(),
                slot,
                to: zone.name.clone(),
                at: 0,
                up: true,
                cell: None,
                with: false,
            })
        });
        let pass = (self.active == by).then_some(Move::Pass { by });
        draws.chain(laid).chain(pass).collect()
    }
}
