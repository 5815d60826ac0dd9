//! What should be known of a move.

use crate::matches::fold::Match;
use crate::matches::log::moves::Move;
use crate::matches::seat::SeatId;
use crate::matches::table::Zone;
use decklaw_core::text::{counted, harmless};

impl Match {
    /// What should be known of a move that was just made, though nothing forbids it: lines.
    pub fn remarks(&self, done: &Move) -> Vec<String> {
        let (by, to, cell) = match done {
            Move::Move { by, to, cell, .. } | Move::Token { by, to, cell, .. } => (*by, to, *cell),
            Move::Draw { by, to, .. } | Move::Give { by, to, .. } => (*by, to, None),
            Move::Random { by, to, .. } | Move::Attach { by, to, .. } => (*by, to, None),
            _ => return Vec::new(),
        };
        let Ok(place) = self.named(by, to) else {
            return Vec::new();
        };
        let table = &self.table;
        let zone = table.zone(place);
        let mut told = Vec::new();
        let loose = zone.slots.iter().filter(|slot| {
            let lying = table.lying.get(&slot.card);
            lying.is_none_or(|lying| lying.on.is_none())
        });
        let held = loose.count();
        if let Some(most) = zone.terms.most
            && held > most as usize
        {
            told.push(format!(
                "{to} holds {}; the rules let {most} lie there",
                counted(i64::try_from(held).unwrap_or(i64::MAX), "card")
            ));
        }
        if let (Some(cell), Some(grid)) = (cell, &zone.terms.grid)
            && let Some(touch) = &grid.touch
            && let Some(slot) = table.on_square(place, cell)
            && !table.touches_own(place, cell, zone.slots[slot].card, by)
        {
            told.push(format!(
                "{} touches none of {by}'s cards: {touch}",
                grid.name(cell)
            ));
        }
        told
    }

    /// What the cards of zones come to, where the game counts it: lines. `number` knows a card's
    /// field.
    pub fn sums(&self, number: impl Fn(&str, &str) -> Option<i64>) -> Vec<String> {
        let table = &self.table;
        let shared = table.shared.iter().map(|zone| (None, zone));
        let seats = table.seat_ids().zip(&table.seats);
        let own = seats.flat_map(|(id, seat)| seat.zones.iter().map(move |zone| (Some(id), zone)));
        let told = |(owner, zone): (Option<SeatId>, &Zone)| {
            let sum = zone.terms.sum.as_ref()?;
            let (mut total, mut down) = (0_i64, 0);
            for slot in &zone.slots {
                let lying = table.lying.get(&slot.card);
                if lying.is_some_and(|lying| lying.sideways) && !sum.sideways {
                    continue;
                }
                match slot.up {
                    true => {
                        let name = &table.instance(slot.card).name;
                        total = total.saturating_add(number(name, &sum.field).unwrap_or(0));
                    }
                    false => down += 1,
                }
            }
            let whose = owner.map_or(String::new(), |seat| format!("{seat}."));
            let mut line = format!("{whose}{}: {total} {}", zone.name, sum.called);
            if down > 0 {
                line.push_str(&format!(" and {} face down", counted(down, "card")));
            }
            Some(harmless(&line, false).into_owned())
        };
        shared.chain(own).filter_map(told).collect()
    }
}
