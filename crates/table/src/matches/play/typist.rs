//! What words mean at a table: the beginnings of zones, slots, squares and counters.

use super::Play;
use crate::matches::error::{MatchError, MatchErrorKind};
use crate::matches::seat::SeatId;
use crate::matches::table::{Cell, Seen, ZoneId};
use crate::matches::view::Reader;
use decklaw_core::text::{harmless, listed};

pub(super) fn seat_of(word: &str) -> Option<SeatId> {
    SeatId::parse(&word.to_ascii_uppercase())
}

pub(super) fn refused<T>(why: impl Into<String>) -> Result<T, MatchError> {
    Err(MatchErrorKind::Move.call(why.into()))
}

/// Somebody who types at a table.
pub(super) struct Typist<'a> {
    pub(super) play: &'a Play,
    pub(super) by: SeatId,
}

impl Typist<'_> {
    /// The full name of a zone, as moves record it.
    pub(super) fn zone(&self, word: &str) -> Result<String, MatchError> {
        let table = &self.play.now.table;
        let (owner, start) = match word.split_once('.') {
            Some((seat, rest)) => match seat_of(seat) {
                Some(seat) => (Some(seat), rest),
                None => (None, word),
            },
            None => (None, word),
        };
        let seat = owner.unwrap_or(self.by);
        let own = table.seats.get(seat.index());
        let own = own.map_or(&[][..], |seat| &seat.zones);
        let shared = match owner {
            Some(_) => &[][..],
            None => &table.shared,
        };
        let names = || own.iter().chain(shared).map(|zone| zone.name.as_str());
        let full = |name: &str| match owner {
            Some(seat) => format!("{seat}.{name}"),
            None => name.to_owned(),
        };
        if names().any(|name| name == start) {
            return Ok(full(start));
        }
        // Where nothing begins so, the move itself says what there is.
        let begun: Vec<&str> = names().filter(|name| name.starts_with(start)).collect();
        match begun.as_slice() {
            [one] if !start.is_empty() => Ok(full(one)),
            [] => Ok(word.to_owned()),
            // The hand is what is named most.
            several if several.contains(&"hand") => Ok(full("hand")),
            several => refused(format!(
                "`{}` could be {}",
                harmless(word, false),
                several.join(", ")
            )),
        }
    }

    /// The slot that a word means in a zone: a number, a square, the beginning of a name.
    pub(super) fn slot(&self, zone: &str, word: &str) -> Result<u32, MatchError> {
        if let Ok(number) = word.parse() {
            return Ok(number);
        }
        let now = &self.play.now;
        let place = now.named(self.by, zone)?;
        let held = now.table.zone(place);
        let at = |slot: usize| u32::try_from(slot).unwrap_or(u32::MAX);
        let shown = harmless(word, false);
        if held.terms.grid.is_some()
            && let Some(cell) = Cell::parse(word)
        {
            return match now.table.on_square(place, cell) {
                Some(slot) => Ok(at(slot)),
                None => refused(format!("no card lies at {shown}")),
            };
        }
        let folded = word.to_lowercase();
        let seen = |slot: usize| now.sees(Reader::Seat(self.by), place, slot);
        let named = held.slots.iter().enumerate().filter(|(slot, card)| {
            let name = &now.table.instance(card.card).name;
            seen(*slot) && name.to_lowercase().starts_with(&folded)
        });
        let found: Vec<(usize, &str)> = named
            .map(|(slot, card)| (slot, now.table.instance(card.card).name.as_str()))
            .collect();
        match found.as_slice() {
            [] => refused(format!(
                "`{shown}` is no slot of {zone}: type a number, or how a card that you see begins"
            )),
            // Copies are alike.
            [(slot, name), rest @ ..] if rest.iter().all(|(_, other)| other == name) => {
                Ok(at(*slot))
            }
            _ => refused(format!("`{shown}` begins several cards of {zone}")),
        }
    }

    fn place(&self, zone: &str) -> Option<ZoneId> {
        self.play.now.named(self.by, zone).ok()
    }

    /// The square that a word means in a zone that has squares.
    pub(super) fn cell(&self, zone: &str, word: &str) -> Option<Cell> {
        let zone = self.play.now.table.zone(self.place(zone)?);
        zone.terms.grid.as_ref()?;
        Cell::parse(word)
    }

    /// Where a card goes that is moved: how a row without a named space is filled.
    pub(super) fn first_free(&self, zone: &str) -> Option<Cell> {
        let place = self.place(zone)?;
        let table = &self.play.now.table;
        let grid = table.zone(place).terms.grid.as_ref()?;
        let mut cells = grid.cells().filter(|_| grid.rows == 1);
        cells.find(|cell| table.on_square(place, *cell).is_none())
    }

    /// Whether a card lies face up in a zone where nothing else is said.
    pub(super) fn up(&self, from: &str, slot: u32, to: &str) -> bool {
        let (Some(from), Some(to)) = (self.place(from), self.place(to)) else {
            return true;
        };
        let slots = &self.play.now.table.zone(from).slots;
        let same = from == to && self.play.now.table.zone(to).seen == Seen::CardByCard;
        // Within a zone a card that lies face down stays so.
        !same || slots.get(slot as usize).is_none_or(|slot| slot.up)
    }

    /// The counter of a seat that a word means: see [`counter_among`].
    pub(super) fn counter(
        &self,
        seat: SeatId,
        word: &str,
        change: i64,
    ) -> Result<String, MatchError> {
        let seats = &self.play.now.table.seats;
        let known = seats.get(seat.index()).map(|seat| seat.counters.keys());
        counter_among(known.into_iter().flatten(), word, change)
    }

    /// The counter of a card that lies on the table: see [`counter_among`].
    pub(super) fn counter_on(
        &self,
        zone: &str,
        slot: u32,
        word: &str,
        change: i64,
    ) -> Result<String, MatchError> {
        let table = &self.play.now.table;
        let place = self.place(zone);
        let card = place.and_then(|place| table.zone(place).slots.get(slot as usize));
        let known = card.map(|slot| table.lying(slot.card).counters);
        let known = known.unwrap_or_default();
        counter_among(known.keys(), word, change)
    }
}

/// A counter by its name or a beginning that no other has. Any other word names a new counter,
/// which must be counted up: what is counted down is there already, so that the word is misspelt.
fn counter_among<'a>(
    known: impl Iterator<Item = &'a String>,
    word: &str,
    change: i64,
) -> Result<String, MatchError> {
    let known: Vec<&str> = known.map(String::as_str).collect();
    if known.contains(&word) {
        return Ok(word.to_owned());
    }
    let begun = known.iter().filter(|name| name.starts_with(word));
    let begun: Vec<&str> = begun.copied().filter(|_| !word.is_empty()).collect();
    let shown = harmless(word, false);
    match begun.as_slice() {
        [one] => Ok((*one).to_owned()),
        [] if change > 0 => Ok(word.to_owned()),
        [] if known.is_empty() => refused(format!(
            "there is no counter `{shown}`, nor any other; a new one is counted up"
        )),
        [] => refused(format!(
            "there is no counter `{shown}`; there is {}; a new one is counted up",
            listed(&known, "and")
        )),
        several => refused(format!("`{shown}` could be {}", several.join(", "))),
    }
}
