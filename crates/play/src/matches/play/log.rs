//! What happened in a game, a line for each move: every reader is told which cards were moved
//! as far as it could see them.

use crate::matches::error::MatchError;
use crate::matches::fold::Match;
use crate::matches::log::moves::Move;
use crate::matches::seat::SeatId;
use crate::matches::state::State;
use crate::matches::table::{Card, Seen, ZoneId};
use crate::matches::view::Reader;

impl Match {
    /// The moves from a number on, in words, as a reader may know them.
    ///
    /// # Errors
    /// A seat at which nobody sits.
    pub fn told(&self, reader: Reader, from: usize) -> Result<Vec<String>, MatchError> {
        // A seat at which nobody sits has no view, either.
        self.view(reader)?;
        let seed = self.inputs.randomness.seed()?;
        let mut before = self.opening().clone();
        let mut earlier = before.clone();
        let mut lines = Vec::new();
        for (number, done) in self.moves().iter().enumerate() {
            let after = match done {
                Move::Undo { .. } => earlier,
                done => {
                    let mut after = before.clone();
                    after.act(&seed, done)?;
                    after
                }
            };
            if number >= from {
                lines.push(line(done, &before, &after, reader));
            }
            earlier = std::mem::replace(&mut before, after);
        }
        Ok(lines)
    }
}

impl Match {
    /// What a seat would do, in words that everybody may hear: a card of a hidden zone of its
    /// own is not told by its place there.
    pub fn public_line(&self, wanted: &Move) -> String {
        self.worded_for(wanted, Reader::Public)
    }
}

impl State {
    /// A move in words for a reader. Where a card lies in a hand says when it was drawn, and in
    /// a side deck something of its name: that is for who sees the zone, unless somebody who does
    /// not see it chose the place.
    fn worded_for(&self, done: &Move, reader: Reader) -> String {
        let by = done.by();
        let knows = |zone: &str| {
            let Ok(place) = self.named(by, zone) else {
                return true;
            };
            let theirs = self.table.zone(place).seen == Seen::ByOwner && place.seat == Some(by);
            !theirs || reader == Reader::Seat(by)
        };
        done.worded(&knows)
    }
}

/// A move in words, with the names of the cards that the reader saw before or after it, and
/// what came of it.
fn line(done: &Move, before: &State, after: &State, reader: Reader) -> String {
    let mut text = before.worded_for(done, reader);
    let names: Vec<&str> = seen(done, before, after, reader)
        .into_iter()
        .map(|card| before.table.instance(card).name.as_str())
        .collect();
    if !names.is_empty() {
        text.push_str(&format!(": {}", names.join(", ")));
    }
    match (done, after.last_roll) {
        (Move::Roll { .. }, Some((_, value))) => text.push_str(&format!(": {value}")),
        (Move::Count { seat, counter, .. }, _) => {
            let counters = after
                .table
                .seats
                .get(seat.index())
                .map(|seat| &seat.counters);
            let value = counters.and_then(|counters| counters.get(counter));
            text.extend(value.map(|value| format!(", now {value}")));
        }
        _ => (),
    }
    text
}

/// The cards of a move that a reader saw where they lay, or sees where they lie now.
fn seen(done: &Move, before: &State, after: &State, reader: Reader) -> Vec<Card> {
    let lay = |by: SeatId, zone: &str, first: u32, count: u32| -> Vec<(Card, ZoneId, usize)> {
        let Ok(place) = before.named(by, zone) else {
            return Vec::new();
        };
        let slots = before.table.zone(place).slots.iter().enumerate();
        let slots = slots.skip(first as usize).take(count as usize);
        slots.map(|(at, slot)| (slot.card, place, at)).collect()
    };
    // Where a card lies after the move.
    let sees_now = |by: SeatId, zone: &str, card: Card| {
        let Ok(place) = after.named(by, zone) else {
            return false;
        };
        let mut slots = after.table.zone(place).slots.iter();
        let at = slots.position(|slot| slot.card == card);
        at.is_some_and(|at| after.sees(reader, place, at))
    };
    let saw = |(_, place, at): &(Card, ZoneId, usize)| before.sees(reader, *place, *at);
    let (by, from, first, count, to) = match done {
        Move::Draw {
            by,
            from,
            to,
            count,
        } => (*by, from, 0, *count, to),
        Move::Move {
            by, from, slot, to, ..
        }
        | Move::Give { by, from, slot, to }
        | Move::Attach {
            by, from, slot, to, ..
        } => (*by, from, *slot, 1, to),
        Move::Flip { by, zone, slot }
        | Move::Turn { by, zone, slot }
        | Move::Mark { by, zone, slot, .. }
        | Move::Own { by, zone, slot, .. } => (*by, zone, *slot, 1, zone),
        // What a token is called stands in the move.
        Move::Remove { by, zone, slot } => {
            let cards = lay(*by, zone, *slot, 1).into_iter();
            return cards.filter(saw).map(|(card, ..)| card).collect();
        }
        Move::Random { by, from, to, .. } => {
            // The one that left is the one that is there no more.
            let Ok(place) = after.named(*by, from) else {
                return Vec::new();
            };
            let left = &after.table.zone(place).slots;
            let gone =
                |(card, ..): &(Card, ZoneId, usize)| !left.iter().any(|slot| slot.card == *card);
            let all = lay(*by, from, 0, u32::MAX).into_iter().filter(gone);
            let told = all.filter(|it| saw(it) || sees_now(*by, to, it.0));
            return told.map(|(card, ..)| card).collect();
        }
        Move::Look {
            by,
            zone,
            slot,
            count,
            to,
            ..
        } => {
            let shown = match reader {
                Reader::Seat(seat) => to.is_empty() || to.contains(&seat),
                Reader::Public => to.is_empty(),
            };
            let cards = lay(*by, zone, *slot, *count).into_iter();
            let told = cards.filter(|it| shown || saw(it));
            return told.map(|(card, ..)| card).collect();
        }
        Move::Count { .. }
        | Move::Shuffle { .. }
        | Move::Roll { .. }
        | Move::Pass { .. }
        | Move::Token { .. }
        | Move::Undo { .. } => return Vec::new(),
    };
    let cards = lay(by, from, first, count).into_iter();
    let told = cards.filter(|it| saw(it) || sees_now(by, to, it.0));
    told.map(|(card, ..)| card).collect()
}
