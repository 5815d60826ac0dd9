//! Goldfishing: a deck played by one person against nobody, to see how it draws.
//!
//! It is a match of one seat, set up as its game says but for what needs another player, and
//! played on at the same table that knows no rules.

use super::inputs::SeatId;
use super::moves::Move;
use super::play::Play;
use super::setup::{Decks, Seats, Setup};
use super::steps::Kind;
use super::{MatchError, NewMatch};
use crate::odds::DrawSchedule;

/// The schema of goldfish files.
pub const GOLDFISH_SCHEMA: &str = "decklaw/goldfish/1";

/// The counter of what has happened that changes how many cards are drawn.
pub const EVENTS: &str = "events";

impl Setup {
    /// The same setup for one seat: shuffling, dealing, laying out and mulligans stay; what
    /// another player decides, dice and swaps fall away. Formats that take decks of any
    /// sections may deal from `section` instead of the usual one.
    ///
    /// # Errors
    /// A section where the format does not take any.
    pub fn alone(&self, section: Option<&str>) -> Result<Setup, MatchError> {
        let mut alone = self.clone();
        alone.seats = Seats::Between(1, 1);
        if matches!(alone.decks, Decks::WholePool(_)) {
            alone.decks = Decks::Shared;
        }
        alone.steps.retain(|step| {
            matches!(
                step.action,
                Kind::Shuffle(_) | Kind::Deal(_) | Kind::Place(_) | Kind::Mulligan(_)
            )
        });
        let Some(section) = section else {
            return Ok(alone);
        };
        if !self.open {
            return Err(MatchError::refused(
                "this game is dealt from its own section, not from another",
            ));
        }
        for zone in alone.zones.seat.values_mut() {
            if zone.holds.as_ref() == self.sections.first() {
                zone.holds = Some(section.to_owned());
            }
        }
        alone.sections = vec![section.to_owned()];
        Ok(alone)
    }

    /// The section to deal from where a deck lacks the usual one: the first it names.
    pub fn dealt_instead(&self, wanted: &NewMatch, first: Option<&str>) -> Option<String> {
        let usual = self.sections.first()?;
        let lacks = |section: &String| wanted.decks.iter().all(|deck| deck.cards_in(section) == 0);
        (self.open && lacks(usual)).then(|| first.map(str::to_owned))?
    }
}

impl Play {
    /// The move that begins the player's next turn: it draws `number` cards, or as many as
    /// the game does, and no more than there are. What its players do about an empty deck
    /// is theirs.
    pub fn next_turn(&self, draws: Option<DrawSchedule>, number: Option<u32>) -> Move {
        let by = self.now.active;
        let size = |zone: Option<&super::table::Zone>| {
            zone.map_or(0, |zone| {
                u32::try_from(zone.slots.len()).unwrap_or(u32::MAX)
            })
        };
        let hand = |play: &super::table::Table| {
            let seat = play.seats.get(by.index());
            size(seat.and_then(|seat| seat.zones.iter().find(|zone| zone.name == "hand")))
        };
        let turn = u32::try_from(self.now.turns + 1).unwrap_or(u32::MAX);
        let owed = number.unwrap_or_else(|| {
            let (opening, held) = (hand(&self.start.table), hand(&self.now.table));
            draws.map_or(0, |draws| {
                draws.on_turn(turn, opening, held, self.events(by))
            })
        });
        let from = self.pile(by).to_owned();
        let left = self.now.reach(by, &from).ok();
        let left = size(left.map(|place| self.now.table.zone(place)));
        Move::Next {
            by,
            from,
            to: "hand".to_owned(),
            count: owed.min(left),
        }
    }

    /// How often the player said that something happened that changes the draws.
    fn events(&self, by: SeatId) -> u32 {
        let seat = self.now.table.seats.get(by.index());
        let count = seat.and_then(|seat| seat.counters.get(EVENTS));
        count.map_or(0, |count| u32::try_from(*count).unwrap_or(0))
    }
}
