//! What words mean at a table: the beginnings of zones, slots, squares and counters.

use crate::matches::error::{MatchError, MatchErrorKind};
use crate::matches::fold::Match;
use crate::matches::seat::SeatId;
use crate::matches::table::{Cell, Seen, ZoneId};
use crate::matches::view::Reader;
use decklaw_core::text::{harmless, listed};
use std::collections::BTreeSet;

pub(super) fn seat_of(word: &str) -> Option<SeatId> {
    SeatId::parse(&word.to_ascii_uppercase())
}

pub(super) fn refused<T>(why: impl Into<String>) -> Result<T, MatchError> {
    Err(MatchErrorKind::Move.call(why.into()))
}

/// Somebody who types at a table.
pub(super) struct Typist<'a> {
    pub(super) play: &'a Match,
    pub(super) by: SeatId,
}

impl Typist<'_> {
    /// The words of a line, those of a zone's name together: what is shown as `energy class` is one
    /// word here, as if it were quoted.
    pub(super) fn joined(&self, words: Vec<String>) -> Vec<String> {
        let table = &self.play.table;
        let zones = table.seats.iter().flat_map(|seat| &seat.zones);
        let names = zones.chain(&table.shared).map(|zone| spelled(&zone.name));
        let names: BTreeSet<String> = names.filter(|name| name.contains('_')).collect();
        let mut joined: Vec<String> = Vec::new();
        for word in words {
            joined.push(word);
            // The longest name that ends here.
            let ends = |begin: &usize| {
                let words = joined.get(*begin..).unwrap_or_default();
                let (first, rest) = words.split_first()?;
                // `B.energy class` is a zone of another seat.
                let name = first
                    .split_once('.')
                    .map_or(first.as_str(), |(_, name)| name);
                let name = rest
                    .iter()
                    .fold(name.to_owned(), |name, word| name + "_" + word);
                names.contains(&spelled(&name)).then_some(*begin)
            };
            if let Some(begin) = (0..joined.len().saturating_sub(1)).find_map(|begin| ends(&begin))
            {
                let name = joined.split_off(begin).join(" ");
                joined.push(name);
            }
        }
        joined
    }

    /// The full name of a zone, as moves record it.
    pub(super) fn zone(&self, word: &str) -> Result<String, MatchError> {
        let table = &self.play.table;
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
        let start = &spelled(start);
        if let Some(name) = names().find(|name| spelled(name) == *start) {
            return Ok(full(name));
        }
        // Where nothing begins so, the move itself says what there is.
        let begun: Vec<&str> = names()
            .filter(|name| spelled(name).starts_with(start.as_str()))
            .collect();
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
        let now = self.play;
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
        self.play.named(self.by, zone).ok()
    }

    /// The square that a word means in a zone that has squares.
    pub(super) fn cell(&self, zone: &str, word: &str) -> Option<Cell> {
        let zone = self.play.table.zone(self.place(zone)?);
        zone.terms.grid.as_ref()?;
        Cell::parse(word)
    }

    /// Where a card goes that is moved: how a row without a named space is filled.
    pub(super) fn first_free(&self, zone: &str) -> Option<Cell> {
        let place = self.place(zone)?;
        let table = &self.play.table;
        let grid = table.zone(place).terms.grid.as_ref()?;
        let mut cells = grid.cells().filter(|_| grid.rows == 1);
        cells.find(|cell| table.on_square(place, *cell).is_none())
    }

    /// Whether a card lies face up in a zone where nothing else is said.
    pub(super) fn up(&self, from: &str, slot: u32, to: &str) -> bool {
        let (Some(from), Some(to)) = (self.place(from), self.place(to)) else {
            return true;
        };
        let slots = &self.play.table.zone(from).slots;
        let same = from == to && self.play.table.zone(to).seen == Seen::CardByCard;
        // Within a zone a card that lies face down stays so.
        !same || slots.get(slot as usize).is_none_or(|slot| slot.up)
    }

    /// The counter of a seat that a word means: see [`counter_among`].
    pub(super) fn counter(
        &self,
        seat: SeatId,
        word: &str,
        new: bool,
    ) -> Result<String, MatchError> {
        let seats = &self.play.table.seats;
        let known = seats.get(seat.index()).map(|seat| seat.counters.keys());
        counter_among(known.into_iter().flatten(), word, new)
    }

    /// The counter of a card that lies on the table: see [`counter_among`].
    pub(super) fn counter_on(
        &self,
        zone: &str,
        slot: u32,
        word: &str,
        new: bool,
    ) -> Result<String, MatchError> {
        let table = &self.play.table;
        let place = self.place(zone);
        let card = place.and_then(|place| table.zone(place).slots.get(slot as usize));
        let known = card.map(|slot| table.lying(slot.card).counters);
        let known = known.unwrap_or_default();
        counter_among(known.keys(), word, new)
    }
}

/// A counter by its name or a beginning that no other has. Any other word names none: a new counter
/// is made where the line says that it is new, so that no misspelt word makes one.
fn counter_among<'a>(
    known: impl Iterator<Item = &'a String>,
    word: &str,
    new: bool,
) -> Result<String, MatchError> {
    let known: Vec<&str> = known.map(String::as_str).collect();
    let same = |name: &&&str| spelled(name) == spelled(word);
    if let Some(name) = known.iter().find(same) {
        return Ok((*name).to_owned());
    }
    if new {
        return Ok(word.to_owned());
    }
    let begun = known
        .iter()
        .filter(|name| spelled(name).starts_with(&spelled(word)));
    let begun: Vec<&str> = begun.copied().filter(|_| !word.is_empty()).collect();
    let shown = harmless(word, false);
    const NEW: &str = "to make one, type `new` at the end of the line";
    match begun.as_slice() {
        [one] => Ok((*one).to_owned()),
        [] if known.is_empty() => refused(format!(
            "there is no counter `{shown}`, nor any other; {NEW}"
        )),
        [] => refused(format!(
            "there is no counter `{shown}`; there is {}; {NEW}",
            listed(&known, "and")
        )),
        several => refused(format!("`{shown}` could be {}", several.join(", "))),
    }
}

/// A name of the table's, so that it is one however it is shown: small letters, and a space, a dash
/// or an underscore between words.
pub(super) fn spelled(name: &str) -> String {
    let letters = name.chars().map(|letter| match letter {
        ' ' | '-' => '_',
        other => other,
    });
    letters.flat_map(char::to_lowercase).collect()
}
