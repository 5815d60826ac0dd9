//! What each move does to the state.

use super::State;
use crate::matches::error::MatchError;
use crate::matches::log::moves::{Move, SeatMove};
use crate::matches::random::{Seed, Stream, below};
use crate::matches::seat::{Reader, SeatId};
use crate::matches::table::{Card, CardPosition, Slot, Visibility, ZoneId};
use decklaw_text::text::escape_control;
use std::collections::BTreeSet;

impl State {
    pub(in crate::matches) fn act(
        &mut self,
        seed: &Seed,
        done: &SeatMove,
    ) -> Result<(), MatchError> {
        self.carry_out(seed, done)?;
        self.blind_after(seed, done);
        Ok(())
    }

    fn carry_out(&mut self, seed: &Seed, done: &SeatMove) -> Result<(), MatchError> {
        let SeatMove { by, what } = done;
        match what {
            Move::Draw { from, to, count } => self.draw(*by, from, to, *count)?,
            Move::Move { .. }
            | Move::Attach { .. }
            | Move::Mark { .. }
            | Move::Own { .. }
            | Move::Token { .. }
            | Move::Remove { .. } => self.lay_out(done)?,
            Move::Flip { zone, slot } => {
                let place = self.reach(*by, zone)?;
                self.check_slot(place, *slot)?;
                if self.table.zone(place).seen != Visibility::CardByCard {
                    return Err(MatchError::refused("the cards of this zone all lie alike"));
                }
                let slot = &mut self.table.zone_mut(place).slots[*slot as usize];
                slot.up = !slot.up;
            }
            Move::Turn { zone, slot } => {
                let place = self.reach(*by, zone)?;
                self.check_slot(place, *slot)?;
                let zone = self.table.zone(place);
                if !matches!(zone.seen, Visibility::CardByCard | Visibility::ByAll) {
                    return Err(MatchError::refused("only cards that lie open can be turned"));
                }
                let card = zone.slots[*slot as usize].card;
                self.table.lay(card, |lying| lying.sideways = !lying.sideways);
            }
            Move::Count { seat, counter, change, .. } => {
                self.seated(*seat)?;
                check_counter(counter)?;
                let counters = &mut self.table.seats[seat.index()].counters;
                let value = counters.entry(counter.clone()).or_default();
                *value = counted_up(*value, *change)?;
            }
            Move::Look { zone, slot, count, to, leave } => {
                self.seated(*by)?;
                to.iter().try_for_each(|seat| self.seated(*seat))?;
                let place = self.named(*by, zone)?;
                let held = self.table.zone(place).slots.len() as u64;
                if *count == 0 || u64::from(*slot) + u64::from(*count) > held {
                    return Err(MatchError::refused(format!(
                        "there are no such cards: the zone holds {held}"
                    )));
                }
                let slots = *slot as usize..(*slot + *count) as usize;
                self.check_own(*by, place, &self.table.zone(place).slots[slots], leave)?;
            }
            Move::Give { from, slot, to } => {
                let (from, to) = (self.reach(*by, from)?, self.named(*by, to)?);
                self.check_slot(from, *slot)?;
                let Slot { card, .. } = self.table.zone_mut(from).slots.remove(*slot as usize);
                self.arrive(card, *by, from, to);
            }
            Move::Random { from, to, leave } => {
                let (from, to) = (self.named(*by, from)?, self.named(*by, to)?);
                self.check_own(*by, from, &[], leave)?;
                let held = self.table.zone(from).slots.len();
                if held == 0 {
                    return Err(MatchError::refused("there is no card to take"));
                }
                let mut words = Stream::new(seed, &format!("play/random/{}", self.taken));
                self.taken += 1;
                let at = below(&mut words, u32::try_from(held).unwrap_or(u32::MAX));
                let Slot { card, .. } = self.table.zone_mut(from).slots.remove(at as usize);
                self.arrive(card, *by, from, to);
            }
            Move::Shuffle { zone } => {
                let place = self.reach(*by, zone)?;
                // A card that stayed sideways would show where it went.
                for slot in self.table.zone(place).slots.clone() {
                    self.table.lay(slot.card, |lying| *lying = CardPosition::default());
                }
                self.table.shuffle(place, seed);
            }
            Move::Roll { sides } => {
                self.seated(*by)?;
                if *sides < 2 {
                    return Err(MatchError::refused("a die has two sides or more"));
                }
                let label = format!("play/roll/{}", self.rolls);
                let mut words = Stream::new(seed, &label);
                self.last_roll = Some((*by, below(&mut words, *sides) + 1));
                self.rolls += 1;
            }
            Move::Step { name } => {
                self.check_turn(*by)?;
                check_counter(name)?;
                if self.turn_step.as_ref() == Some(name) {
                    return Err(MatchError::refused("the turn is in that step already"));
                }
                self.turn_step = Some(name.clone());
            }
            Move::Pass {} => {
                self.check_turn(*by)?;
                self.turn_step = None;
                let next = (self.active.index() + 1) % self.table.seats.len();
                self.active = SeatId::ALL[next];
                self.turns += 1;
            }
            Move::Undo {} => (),
        }
        Ok(())
    }

    /// Refuses to take or to look at what another seat hides: its owner shows it or gives it. Of a
    /// zone in which cards lie face up and down, these cards are looked at. In old files the owner
    /// gave leave.
    fn check_own(
        &self,
        by: SeatId,
        place: ZoneId,
        cards: &[Slot],
        leave: &[SeatId],
    ) -> Result<(), MatchError> {
        let hides = match self.table.zone(place).seen {
            Visibility::ByAll => false,
            Visibility::CardByCard => cards.iter().any(|slot| !slot.up),
            Visibility::ByOwner | Visibility::ByNobody => true,
        };
        match place.seat.filter(|owner| hides && *owner != by && !leave.contains(owner)) {
            Some(owner) => Err(MatchError::refused(format!(
                "seat {owner} hides these cards, and may show or give them"
            ))),
            None => Ok(()),
        }
    }

    fn check_turn(&self, by: SeatId) -> Result<(), MatchError> {
        if by == self.active {
            Ok(())
        } else {
            Err(MatchError::refused(format!("it is seat {}'s turn", self.active)))
        }
    }

    /// Whether a reader may see the card in a slot of a zone.
    pub(in crate::matches) fn sees(&self, reader: Reader, place: ZoneId, slot: usize) -> bool {
        let zone = self.table.zone(place);
        match zone.seen {
            _ if reader == Reader::Open => true,
            Visibility::ByAll => true,
            Visibility::ByNobody => false,
            Visibility::CardByCard => zone.slots.get(slot).is_some_and(|slot| slot.up),
            Visibility::ByOwner => place.seat.is_some_and(|owner| reader == Reader::Seat(owner)),
        }
    }

    /// The cards that a reader sees.
    fn seen_by(&self, reader: Reader) -> BTreeSet<Card> {
        let places = self.table.all_places().into_iter();
        let seen = places.flat_map(|place| {
            let slots = self.table.zone(place).slots.iter().enumerate();
            slots.filter(move |(at, _)| self.sees(reader, place, *at)).map(|(_, slot)| slot.card)
        });
        seen.collect()
    }

    /// Whether a move that led from a position to this one showed somebody a card, or was of
    /// chance: then it is not taken back.
    pub(in crate::matches) fn reveals(&self, before: &State, done: &SeatMove) -> bool {
        let of_chance = matches!(
            done.what,
            Move::Draw { .. }
                | Move::Look { .. }
                | Move::Random { .. }
                | Move::Shuffle { .. }
                | Move::Roll { .. }
        );
        let news = |seat: SeatId| {
            let known = before.seen_by(Reader::Seat(seat));
            let now = self.seen_by(Reader::Seat(seat)).into_iter();
            let mut old = now.filter(|card| usize::from(card.0) < before.table.instances.len());
            old.any(|card| !known.contains(&card))
        };
        of_chance || self.table.seat_ids().any(news)
    }

    /// Takes cards off the top of a zone to the end of another.
    fn draw(&mut self, by: SeatId, from: &str, to: &str, count: u32) -> Result<(), MatchError> {
        let (from, to) = (self.reach(by, from)?, self.reach(by, to)?);
        let count = usize::try_from(count).unwrap_or(usize::MAX);
        let block = self.table.take(from, count)?;
        for slot in block {
            self.arrive(slot.card, by, from, to);
        }
        Ok(())
    }

    pub(in crate::matches) fn seated(&self, seat: SeatId) -> Result<(), MatchError> {
        if seat.index() < self.table.seats.len() {
            Ok(())
        } else {
            Err(MatchError::refused(format!("seat {seat} is empty")))
        }
    }

    pub(in crate::matches) fn check_slot(
        &self,
        place: ZoneId,
        slot: u32,
    ) -> Result<(), MatchError> {
        match self.table.zone(place).slots.len() {
            held if (slot as usize) < held => Ok(()),
            held => {
                Err(MatchError::refused(format!("there is no card {slot}: the zone holds {held}")))
            }
        }
    }

    /// The zone of a name such as `A.hand` or `draw_pile`, or one of the seat's own, as far
    /// as the seat may reach: into every zone but another's hidden ones.
    pub(in crate::matches) fn reach(&self, by: SeatId, name: &str) -> Result<ZoneId, MatchError> {
        let place = self.named(by, name)?;
        let hidden =
            matches!(self.table.zone(place).seen, Visibility::ByOwner | Visibility::ByNobody);
        if hidden && place.seat.is_some_and(|owner| owner != by) {
            return Err(MatchError::refused(format!("`{name}` is not seat {by}'s to touch")));
        }
        Ok(place)
    }

    /// The zone of a name, whether or not the seat may reach into it.
    pub(in crate::matches) fn named(&self, by: SeatId, name: &str) -> Result<ZoneId, MatchError> {
        self.seated(by)?;
        let named =
            name.split_once('.').and_then(|(seat, zone)| Some((SeatId::parse(seat)?, zone)));
        let (seat, zone) = named.unwrap_or((by, name));
        self.seated(seat)?;
        let unknown = |_| {
            let name = escape_control(name, false);
            MatchError::refused(format!("there is no zone `{name}` on this table"))
        };
        self.table.place(seat, zone).map_err(unknown)
    }
}

/// A counter that goes up or down.
pub(in crate::matches) fn counted_up(value: i64, change: i64) -> Result<i64, MatchError> {
    let changed = value.checked_add(change);
    changed
        .filter(|value| value.abs() < 1 << 53)
        .ok_or_else(|| MatchError::refused("no counter goes that far"))
}

/// The most characters of a counter's name.
const LONGEST_NAME: usize = 40;

/// Whether a counter may have this name: a terminal must be able to show it.
pub(in crate::matches) fn check_counter(name: &str) -> Result<(), MatchError> {
    let shown = escape_control(name, false);
    if name.trim().is_empty() || shown != name || name.chars().count() > LONGEST_NAME {
        let shown: String = shown.chars().take(LONGEST_NAME).collect();
        return Err(MatchError::refused(format!(
            "a counter cannot be called `{shown}`: its name has 1 to {LONGEST_NAME} characters, \
             none of them a control character"
        )));
    }
    Ok(())
}
