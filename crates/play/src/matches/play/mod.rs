//! Moves in words, the moves that a player has, and turns of a player alone.

mod alone;
pub(super) mod words;

use crate::matches::fold::Match;
use crate::matches::log::moves::{Move, SeatMove};
use crate::matches::seat::SeatId;
use crate::matches::table::{Slot, Visibility, Zone};
use serde::Serialize;

/// The sum of the cards of a zone, where the game counts it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ZoneSum {
    /// Whose zone it is; `None`: all seats share it.
    pub seat: Option<SeatId>,
    /// The zone's id.
    pub zone: String,
    /// What the sum is called.
    pub called: String,
    /// The sum of the cards that lie face up.
    pub total: i64,
    /// How many cards lie face down.
    pub down: usize,
}

impl Match {
    /// The zone from which a seat draws where none is named: the first that nobody may see.
    pub(super) fn pile(&self, by: SeatId) -> &str {
        let own = self.table.seats.get(by.index());
        let own = own.map_or(&[][..], |seat| &seat.zones);
        let mut zones = own.iter().chain(&self.table.shared);
        let pile = zones.find(|zone| zone.seen == Visibility::ByNobody);
        pile.map_or("", |zone| zone.name.as_str())
    }

    /// What a counter on a card is at; 0 where there is none.
    pub fn marked(&self, by: SeatId, zone: &str, slot: u32, counter: &str) -> i64 {
        let card = self.named(by, zone).ok().and_then(|place| {
            let slot = self.table.zone(place).slots.get(slot as usize)?;
            Some(slot.card)
        });
        let lying = card.map(|card| self.table.lying(card));
        lying.and_then(|lying| lying.counters.get(counter).copied()).unwrap_or_default()
    }

    /// Moves that a seat can make: to draw a card, to lay one of its hand among open cards, to end
    /// its turn. There are many more, such as counting: a program that knows the game makes those
    /// itself.
    pub fn moves_of(&self, by: SeatId) -> Vec<SeatMove> {
        let own = self.table.seats.get(by.index());
        let Some(own) = own.filter(|_| self.pending.is_empty()) else {
            return Vec::new();
        };
        let zones = || own.zones.iter().chain(&self.table.shared);
        let hand = own.zones.iter().find(|zone| zone.name == "hand");
        let piles =
            zones().filter(|zone| zone.seen == Visibility::ByNobody && !zone.slots.is_empty());
        let draws = hand.into_iter().zip(piles).map(|(hand, pile)| Move::Draw {
            from: pile.name.clone(),
            to: hand.name.clone(),
            count: 1,
        });
        let open = || {
            zones().filter(|zone| matches!(zone.seen, Visibility::ByAll | Visibility::CardByCard))
        };
        let slots = hand.map_or(0, |hand| u32::try_from(hand.slots.len()).unwrap_or(u32::MAX));
        let placed = (0..slots).flat_map(|slot| {
            open().map(move |zone| Move::Move {
                from: "hand".to_owned(),
                slot,
                to: zone.name.clone(),
                at: 0,
                up: true,
                cell: None,
                with: false,
            })
        });
        let pass = (self.active == by).then_some(Move::Pass {});
        draws.chain(placed).chain(pass).map(|what| what.by(by)).collect()
    }

    /// The sum of the cards of zones, where the game counts it. `number` knows a card's field.
    pub fn sums(&self, number: impl Fn(&str, &str) -> Option<i64>) -> Vec<ZoneSum> {
        let table = &self.table;
        let shared = table.shared.iter().map(|zone| (None, zone));
        let seats = table.seat_ids().zip(&table.seats);
        let own = seats.flat_map(|(id, seat)| seat.zones.iter().map(move |zone| (Some(id), zone)));
        let sum_of = |(seat, zone): (Option<SeatId>, &Zone)| {
            let sum = zone.terms.sum.as_ref()?;
            let counts = zone.slots.iter().filter(|slot| {
                let lying = table.lying.get(&slot.card);
                sum.sideways || !lying.is_some_and(|lying| lying.sideways)
            });
            let (up, down): (Vec<&Slot>, Vec<&Slot>) = counts.partition(|slot| slot.up);
            let points = up.iter().map(|slot| {
                let name = &table.instance(slot.card).name;
                number(name, &sum.field).unwrap_or_default()
            });
            Some(ZoneSum {
                seat,
                zone: zone.name.clone(),
                called: sum.called.clone(),
                total: points.fold(0, i64::saturating_add),
                down: down.len(),
            })
        };
        shared.chain(own).filter_map(sum_of).collect()
    }
}
