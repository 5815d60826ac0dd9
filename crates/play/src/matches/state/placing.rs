//! Moves that lay cards somewhere: to a place in a zone, on a square, on another card.

use super::State;
use super::act::{check_counter, counted_up};
use crate::matches::error::MatchError;
use crate::matches::log::moves::{Move, SeatMove};
use crate::matches::seat::SeatId;
use crate::matches::table::{Card, CardPosition, Cell, Instance, Slot, Visibility, ZoneId};
use std::collections::BTreeMap;

impl State {
    /// Does a move that lays cards, or says how they lie.
    pub(super) fn lay_out(&mut self, done: &SeatMove) -> Result<(), MatchError> {
        let SeatMove { by, what } = done;
        match what {
            Move::Move { from, slot, to, at, up, cell, with } => {
                let (from, to) = (self.reach(*by, from)?, self.reach(*by, to)?);
                self.check_slot(from, *slot)?;
                self.check_cell(to, *cell)?;
                let room = self.table.zone(to).slots.len() - usize::from(from == to);
                if *at as usize > room {
                    return Err(MatchError::refused(format!(
                        "there is no place {at}: the zone holds {room}"
                    )));
                }
                let Slot { card, .. } = self.table.zone(from).slots[*slot as usize];
                let along = match with {
                    true => self.table.attached(from, card),
                    false => Vec::new(),
                };
                self.table.zone_mut(from).slots.remove(*slot as usize);
                let mixed = self.table.zone(to).seen == Visibility::CardByCard;
                let up = *up && mixed;
                self.table.zone_mut(to).slots.insert(*at as usize, Slot { card, up });
                self.table.moved(card, *by, from, to);
                if self.table.zone(to).terms.grid.is_some() {
                    self.table.lay(card, |lying| lying.at = cell.or(lying.at));
                }
                if from != to {
                    self.bring(&along, card, *by, from, to);
                }
            }
            Move::Attach { from, slot, to, on, up } => {
                let (from, to) = (self.reach(*by, from)?, self.reach(*by, to)?);
                self.check_slot(from, *slot)?;
                self.check_slot(to, *on)?;
                self.check_open(to)?;
                let Slot { card, .. } = self.table.zone(from).slots[*slot as usize];
                let Slot { card: host, .. } = self.table.zone(to).slots[*on as usize];
                // What is attached to an attached card lies on the same one.
                let host = self.table.lying(host).on.unwrap_or(host);
                if card == host {
                    return Err(MatchError::refused("a card cannot be attached to itself"));
                }
                let along = self.table.attached(from, card);
                self.table.zone_mut(from).slots.remove(*slot as usize);
                let up = *up && self.table.zone(to).seen == Visibility::CardByCard;
                let behind = self.behind(to, host);
                let slots = &mut self.table.zone_mut(to).slots;
                slots.insert(behind.min(slots.len()), Slot { card, up });
                self.table.moved(card, *by, from, to);
                for card in along.into_iter().filter(|_| from == to) {
                    self.table.lay(card, |lying| lying.on = None);
                }
                self.table.lay(card, |lying| {
                    lying.on = Some(host);
                    lying.at = None;
                });
            }
            Move::Mark { zone, slot, counter, change } => {
                let place = self.reach(*by, zone)?;
                self.check_slot(place, *slot)?;
                self.check_open(place)?;
                check_counter(counter)?;
                let card = self.table.zone(place).slots[*slot as usize].card;
                let value = self.table.lying(card).counters.get(counter).copied();
                let value = counted_up(value.unwrap_or_default(), *change)?;
                self.table.lay(card, |lying| match value {
                    0 => drop(lying.counters.remove(counter)),
                    value => drop(lying.counters.insert(counter.clone(), value)),
                });
            }
            Move::Own { zone, slot, seat } => {
                self.seated(*seat)?;
                let place = self.reach(*by, zone)?;
                self.check_slot(place, *slot)?;
                self.check_open(place)?;
                let card = self.table.zone(place).slots[*slot as usize].card;
                self.table.lay(card, |lying| lying.owner = Some(*seat));
            }
            Move::Token { name, to, cell } => {
                let to = self.reach(*by, to)?;
                self.check_open(to)?;
                self.check_cell(to, *cell)?;
                check_counter(name)?;
                let Ok(card) = u16::try_from(self.table.instances.len()) else {
                    return Err(MatchError::refused("no more tokens can be placed"));
                };
                let card = Card(card);
                self.tokens += 1;
                self.table.instances.push(Instance {
                    id: format!("T{:03}", self.tokens),
                    name: name.clone(),
                    records: BTreeMap::new(),
                });
                let up = self.table.zone(to).seen == Visibility::CardByCard;
                self.table.zone_mut(to).slots.insert(0, Slot { card, up });
                self.table.lay(card, |lying| {
                    lying.owner = Some(*by);
                    lying.at = *cell;
                });
            }
            Move::Remove { zone, slot } => {
                let place = self.reach(*by, zone)?;
                self.check_slot(place, *slot)?;
                let card = self.table.zone(place).slots[*slot as usize].card;
                if usize::from(card.0) < self.deck_cards() {
                    return Err(MatchError::refused(
                        "only a token is removed: a card of a deck is moved somewhere",
                    ));
                }
                self.table.zone_mut(place).slots.remove(*slot as usize);
                for other in self.table.attached(place, card) {
                    self.table.lay(other, |lying| lying.on = None);
                }
                self.table.lay(card, |lying| *lying = CardPosition::default());
            }
            _ => (),
        }
        Ok(())
    }

    /// Lays a card that left a zone at the end of another, as cards come there.
    pub(super) fn arrive(&mut self, card: Card, by: SeatId, from: ZoneId, to: ZoneId) {
        let zone = self.table.zone_mut(to);
        let up = zone.terms.come_up && zone.seen == Visibility::CardByCard;
        zone.slots.push(Slot { card, up });
        self.table.moved(card, by, from, to);
    }

    /// The slot behind a card and all that is attached to it.
    fn behind(&self, place: ZoneId, host: Card) -> usize {
        let slots = self.table.zone(place).slots.iter();
        let group = slots
            .enumerate()
            .filter(|(_, slot)| slot.card == host || self.table.lying(slot.card).on == Some(host));
        group.map(|(at, _)| at + 1).max().unwrap_or(0)
    }

    /// Brings what was attached to a card that went from one zone to another.
    fn bring(&mut self, along: &[Card], host: Card, by: SeatId, from: ZoneId, to: ZoneId) {
        for card in along {
            let zone = self.table.zone_mut(from);
            let Some(at) = zone.slots.iter().position(|slot| slot.card == *card) else {
                continue;
            };
            let mut slot = zone.slots.remove(at);
            let target = self.table.zone(to);
            let open = !matches!(target.seen, Visibility::ByOwner | Visibility::ByNobody);
            slot.up = slot.up && target.seen == Visibility::CardByCard;
            let behind = self.behind(to, host);
            self.table.zone_mut(to).slots.insert(behind, slot);
            let counters = self.table.lying(*card).counters;
            self.table.moved(*card, by, from, to);
            if open {
                self.table.lay(*card, |lying| {
                    lying.on = Some(host);
                    lying.counters = counters;
                });
            }
        }
    }

    fn check_open(&self, place: ZoneId) -> Result<(), MatchError> {
        match self.table.zone(place).seen {
            Visibility::CardByCard | Visibility::ByAll => Ok(()),
            Visibility::ByOwner | Visibility::ByNobody => {
                Err(MatchError::refused("this is for cards that lie open on the table"))
            }
        }
    }

    fn check_cell(&self, to: ZoneId, cell: Option<Cell>) -> Result<(), MatchError> {
        let Some(cell) = cell else {
            return Ok(());
        };
        let message = match &self.table.zone(to).terms.grid {
            Some(grid) if grid.holds(cell) => return Ok(()),
            Some(grid) => {
                let last = Cell { column: grid.columns - 1, row: grid.rows - 1 };
                format!("there is no square {cell}: the last one is {}", grid.name(last))
            }
            None => "this zone has no squares".to_owned(),
        };
        Err(MatchError::refused(message))
    }
}
