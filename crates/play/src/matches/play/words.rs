//! What happened in a game, in sentences: each reader learns which cards were moved as far as it
//! could see them.

use crate::matches::error::MatchError;
use crate::matches::fold::{Match, Turn};
use crate::matches::log::moves::Move;
use crate::matches::seat::SeatId;
use crate::matches::state::State;
use crate::matches::table::{Card, CardPosition, Cell, Visibility, ZoneId};
use crate::matches::view::Reader;
use decklaw_rules::format::display::{Mat, titled};
use decklaw_text::text::{counted, listed};
use serde::Serialize;

/// A move in words.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct LogLine {
    /// The turn in which it was made.
    #[serde(flatten)]
    pub turn: Turn,
    /// The sentence; it begins with the player's name.
    pub text: String,
}

/// Whether a sentence says that a move was made, or that a player asks for it.
#[derive(Clone, Copy, PartialEq)]
enum Tense {
    Made,
    Asked,
}

/// A move between two states, as a reader saw it.
struct MoveSentence<'a> {
    made: &'a Match,
    mat: Option<&'a Mat>,
    before: &'a State,
    /// `None`: the move is only asked for.
    after: Option<&'a State>,
    reader: Reader,
}

impl Match {
    /// Every move in words, as a reader may know it. `mat` has the names of zones and counters.
    ///
    /// # Errors
    /// An empty seat.
    pub fn sentences(&self, reader: Reader, mat: Option<&Mat>) -> Result<Vec<LogLine>, MatchError> {
        // An empty seat has no view, either.
        self.view(reader)?;
        let seed = self.inputs.randomness.seed()?;
        let mut before = self.opening().clone();
        let mut earlier = before.clone();
        let mut lines = Vec::new();
        for done in self.moves() {
            let after = match done {
                Move::Undo { .. } => earlier,
                done => {
                    let mut after = before.clone();
                    after.act(&seed, done)?;
                    after
                }
            };
            let telling =
                MoveSentence { made: self, mat, before: &before, after: Some(&after), reader };
            let text = telling.sentence(done);
            let turn = self.turn_of(&before);
            lines.push(LogLine { turn, text });
            earlier = std::mem::replace(&mut before, after);
        }
        Ok(lines)
    }

    /// A move that a seat asks for, in words that everybody may hear.
    pub fn asked(&self, wanted: &Move, mat: Option<&Mat>) -> String {
        let telling =
            MoveSentence { made: self, mat, before: self, after: None, reader: Reader::Public };
        telling.sentence(wanted)
    }

    /// What a player is called: by name, or by the seat.
    pub fn player(&self, seat: SeatId) -> String {
        match self.inputs.seats.get(seat.index()) {
            Some(about) if about.name != seat.letter() => about.name.clone(),
            _ => format!("Seat {seat}"),
        }
    }

    /// What should be known of a move that was just made, though nothing forbids it.
    pub fn remarks(&self, done: &Move, mat: Option<&Mat>) -> Vec<String> {
        let (by, to, cell) = match done {
            Move::Move { by, to, cell, .. } | Move::Token { by, to, cell, .. } => (*by, to, *cell),
            Move::Draw { by, to, .. }
            | Move::Give { by, to, .. }
            | Move::Random { by, to, .. }
            | Move::Attach { by, to, .. } => (*by, to, None),
            _ => return Vec::new(),
        };
        let Ok(place) = self.named(by, to) else {
            return Vec::new();
        };
        let zone = self.table.zone(place);
        let is_loose = |card: Card| self.table.lying(card).on.is_none();
        let held = zone.slots.iter().filter(|slot| is_loose(slot.card)).count();
        let mut remarks = Vec::new();
        if let Some(most) = zone.terms.most.filter(|most| held > *most as usize) {
            let name = zone_name(mat, &zone.name);
            remarks.push(format!("{name} has {held} cards; the rules allow {most}."));
        }
        if let (Some(cell), Some(grid)) = (cell, &zone.terms.grid)
            && let Some(touch) = &grid.touch
            && let Some(slot) = self.table.on_square(place, cell)
            && !self.table.touches_own(place, cell, zone.slots[slot].card, by)
        {
            let (cell, player) = (grid.name(cell), self.player(by));
            remarks.push(format!("{cell} touches no card of {player}: {touch}."));
        }
        remarks
    }
}

/// What players call a zone.
pub fn zone_name(mat: Option<&Mat>, zone: &str) -> String {
    let known = mat.and_then(|mat| mat.zones.iter().find(|known| known.id == zone));
    known.map_or_else(|| titled(zone), |known| known.name.clone())
}

impl MoveSentence<'_> {
    /// A zone as a person names it: their own without an owner.
    fn zone(&self, by: SeatId, name: &str) -> String {
        let (owner, zone) = match name.split_once('.') {
            Some((seat, zone)) => (SeatId::parse(seat), zone),
            None => (None, name),
        };
        let other = owner.filter(|owner| *owner != by);
        let zone = match (zone, other) {
            ("hand", None) => return "their hand".to_owned(),
            ("hand", Some(_)) => "hand".to_owned(),
            (zone, _) => zone_name(self.mat, zone),
        };
        match other {
            Some(owner) => format!("{}’s {zone}", self.made.player(owner)),
            None => zone,
        }
    }

    fn counter(&self, id: &str) -> String {
        let counters = self.mat.map_or(&[][..], |mat| &mat.counters);
        let known = counters.iter().find(|known| known.id == id);
        known.map_or_else(|| titled(id), |known| known.name.clone())
    }

    fn seen_as(&self, by: SeatId, zone: &str) -> Option<Visibility> {
        let place = self.before.named(by, zone).ok()?;
        Some(self.before.table.zone(place).seen)
    }

    /// The place in a zone to which a card moves, where the reader may know it.
    fn spot(&self, by: SeatId, to: &str, at: u32, cell: Option<Cell>) -> String {
        let name = self.zone(by, to);
        let Ok(place) = self.before.named(by, to) else {
            return name;
        };
        let zone = self.before.table.zone(place);
        match (cell, zone.seen, at) {
            (Some(cell), ..) => {
                let grid = zone.terms.grid.as_ref();
                let cell = grid.map_or_else(|| cell.to_string(), |grid| grid.name(cell));
                format!("{name} {cell}")
            }
            (None, Visibility::ByNobody, 0) => format!("the top of {name}"),
            (None, Visibility::ByNobody, at) if at as usize >= zone.slots.len() => {
                format!("the bottom of {name}")
            }
            _ => name,
        }
    }

    /// The card in a slot, by its name if the reader sees it.
    fn card(&self, by: SeatId, zone: &str, slot: u32) -> String {
        let named = || {
            let place = self.before.named(by, zone).ok()?;
            let card = self.before.table.zone(place).slots.get(slot as usize)?.card;
            let sees = self.before.sees(self.reader, place, slot as usize);
            sees.then(|| self.before.table.instance(card).name.clone())
        };
        named().unwrap_or_else(|| "a card".to_owned())
    }

    /// How a card of a slot lies, after the move if there is an after.
    fn lying(&self, state: &State, by: SeatId, zone: &str, slot: u32) -> (bool, CardPosition) {
        let slots = state.named(by, zone).ok().and_then(|place| {
            let slot = state.table.zone(place).slots.get(slot as usize)?;
            Some((slot.up, state.table.lying(slot.card)))
        });
        slots.unwrap_or_default()
    }

    fn sentence(&self, done: &Move) -> String {
        let by = done.by();
        let player = self.made.player(by);
        let tense = match self.after {
            Some(_) => Tense::Made,
            None => Tense::Asked,
        };
        let after = self.after.unwrap_or(self.before);
        let verb = |past: &str, base: &str| match tense {
            Tense::Made => past.to_owned(),
            Tense::Asked => format!("asks to {base}"),
        };
        // The cards of the move: those that the reader saw by name, the others by number.
        let cards = |count: u32| {
            let names = self.seen(done);
            let names: Vec<&str> = names
                .into_iter()
                .map(|card| self.before.table.instance(card).name.as_str())
                .collect();
            match (names.is_empty(), count) {
                (false, _) => listed(&names, "and"),
                (true, 1) => "a card".to_owned(),
                (true, count) => counted(i64::from(count), "card"),
            }
        };
        let face = |up: bool, to: &str| {
            let mixed = self.seen_as(by, to) == Some(Visibility::CardByCard);
            if mixed && !up { " face down" } else { "" }
        };
        match done {
            Move::Draw { from, to, count, .. } => {
                let (cards, from_zone) = (cards(*count), self.zone(by, from));
                match (self.seen_as(by, from), to.as_str()) {
                    (Some(Visibility::ByNobody), "hand") => {
                        format!("{player} {} {cards}.", verb("drew", "draw"))
                    }
                    _ => format!(
                        "{player} {} {cards} from {from_zone} to {}.",
                        verb("moved", "move"),
                        self.zone(by, to)
                    ),
                }
            }
            Move::Move { from, to, at, up, cell, .. } => {
                let (card, spot) = (cards(1), self.spot(by, to, *at, *cell));
                let face = face(*up, to);
                let opens = matches!(
                    self.seen_as(by, to),
                    Some(Visibility::ByAll | Visibility::CardByCard)
                );
                match from.as_str() {
                    "hand" if opens => {
                        format!("{player} {} {card}{face} to {spot}.", verb("played", "play"))
                    }
                    from if from == to && cell.is_none() => {
                        format!("{player} {} {card} in {spot}.", verb("moved", "move"))
                    }
                    from => format!(
                        "{player} {} {card}{face} from {} to {spot}.",
                        verb("moved", "move"),
                        self.zone(by, from)
                    ),
                }
            }
            Move::Attach { from, to, on, up, .. } => format!(
                "{player} {} {}{} from {} to {}.",
                verb("attached", "attach"),
                cards(1),
                face(*up, to),
                self.zone(by, from),
                self.card(by, to, *on)
            ),
            Move::Mark { zone, slot, counter, change, .. } => {
                let (_, lying) = self.lying(self.before, by, zone, *slot);
                let was = lying.counters.get(counter).copied().unwrap_or_default();
                let (card, counter) = (self.card(by, zone, *slot), self.counter(counter));
                let now = was.saturating_add(*change);
                format!("{player}: {counter} of {card} {was} → {now}.")
            }
            Move::Own { zone, slot, seat, .. } => {
                let card = self.card(by, zone, *slot);
                if seat == &by {
                    format!("{player} {} control of {card}.", verb("took", "take"))
                } else {
                    format!(
                        "{player} {} control of {card} to {}.",
                        verb("gave", "give"),
                        self.made.player(*seat)
                    )
                }
            }
            Move::Token { name, to, cell, .. } => format!(
                "{player} {} the token {name} in {}.",
                verb("made", "make"),
                self.spot(by, to, u32::MAX, *cell)
            ),
            Move::Remove { zone, slot, .. } => format!(
                "{player} {} the token {}.",
                verb("removed", "remove"),
                self.card(by, zone, *slot)
            ),
            Move::Flip { zone, slot, .. } => {
                let (up, _) = self.lying(after, by, zone, *slot);
                let (card, face) = (cards(1), if up { "up" } else { "down" });
                format!("{player} {} {card} face {face}.", verb("turned", "turn"))
            }
            Move::Turn { zone, slot, .. } => {
                let (_, lying) = self.lying(after, by, zone, *slot);
                let way = if lying.sideways { "sideways" } else { "upright" };
                format!("{player} {} {} {way}.", verb("turned", "turn"), cards(1))
            }
            Move::Count { seat, counter, change, .. } => {
                let counters = self.before.table.seats.get(seat.index());
                let was = counters.and_then(|seat| seat.counters.get(counter));
                let was = was.copied().unwrap_or_default();
                let now = was.saturating_add(*change);
                let counter = self.counter(counter);
                let whose = if seat == &by {
                    String::new()
                } else {
                    format!("{}’s ", self.made.player(*seat))
                };
                let asked = if tense == Tense::Asked { " asks for" } else { ":" };
                format!("{player}{asked} {whose}{counter} {was} → {now}.")
            }
            Move::Look { zone, count, to, .. } => {
                let (cards, zone) = (cards(*count), self.zone(by, zone));
                match to.as_slice() {
                    [] => format!(
                        "{player} {} {cards} of {zone} to everybody.",
                        verb("showed", "show")
                    ),
                    [one] if *one == by => {
                        format!("{player} {} {cards} of {zone}.", verb("looked at", "look at"))
                    }
                    seats => {
                        let seats: Vec<String> =
                            seats.iter().map(|seat| self.made.player(*seat)).collect();
                        let seats = listed(&seats, "and");
                        format!("{player} {} {cards} of {zone} to {seats}.", verb("showed", "show"))
                    }
                }
            }
            Move::Give { from, to, .. } => {
                let (card, from) = (cards(1), self.zone(by, from));
                let to = self.zone(by, to);
                format!("{player} {} {card} from {from} to {to}.", verb("gave", "give"))
            }
            Move::Random { from, to, .. } => format!(
                "{player} {} {} at random from {} to {}.",
                verb("moved", "move"),
                cards(1),
                self.zone(by, from),
                self.zone(by, to)
            ),
            Move::Shuffle { zone, .. } => {
                format!("{player} {} {}.", verb("shuffled", "shuffle"), self.zone(by, zone))
            }
            Move::Roll { sides, .. } => match after.last_roll.filter(|_| tense == Tense::Made) {
                Some((_, value)) if *sides == 6 => format!("{player} rolled {value}."),
                Some((_, value)) => format!("{player} rolled {value} of {sides}."),
                None => format!("{player} asks to roll a die."),
            },
            Move::Pass { .. } => format!("{player} {} the turn.", verb("ended", "end")),
            Move::Undo { .. } => {
                format!("{player} {} the last move.", verb("took back", "take back"))
            }
        }
    }

    /// The cards of a move that the reader saw where they lay, or sees where they lie now.
    fn seen(&self, done: &Move) -> Vec<Card> {
        let (before, reader) = (self.before, self.reader);
        let by = done.by();
        let lay = |zone: &str, first: u32, count: u32| -> Vec<(Card, ZoneId, usize)> {
            let Ok(place) = before.named(by, zone) else {
                return Vec::new();
            };
            let slots = before.table.zone(place).slots.iter().enumerate();
            let slots = slots.skip(first as usize).take(count as usize);
            slots.map(|(at, slot)| (slot.card, place, at)).collect()
        };
        let saw = |(_, place, at): &(Card, ZoneId, usize)| before.sees(reader, *place, *at);
        // Whether the reader sees a card where it lies after the move.
        let sees_now = |zone: &str, card: Card| {
            let Some((after, place)) =
                self.after.and_then(|after| Some((after, after.named(by, zone).ok()?)))
            else {
                return false;
            };
            let mut slots = after.table.zone(place).slots.iter();
            let at = slots.position(|slot| slot.card == card);
            at.is_some_and(|at| after.sees(reader, place, at))
        };
        let (from, first, count, to) = match done {
            Move::Draw { from, to, count, .. } => (from, 0, *count, to),
            Move::Move { from, slot, to, .. }
            | Move::Give { from, slot, to, .. }
            | Move::Attach { from, slot, to, .. } => (from, *slot, 1, to),
            Move::Flip { zone, slot, .. } | Move::Turn { zone, slot, .. } => (zone, *slot, 1, zone),
            Move::Random { from, to, .. } => {
                // The card that left is the one that is there no more.
                let left = |card: Card| {
                    let after = self.after?;
                    let place = after.named(by, from).ok()?;
                    let slots = &after.table.zone(place).slots;
                    Some(!slots.iter().any(|slot| slot.card == card))
                };
                let all = lay(from, 0, u32::MAX).into_iter();
                let gone = all.filter(|it| left(it.0) == Some(true));
                let known = gone.filter(|it| saw(it) || sees_now(to, it.0));
                return known.map(|(card, ..)| card).collect();
            }
            Move::Look { zone, slot, count, to, .. } => {
                let is_shown = self.after.is_some()
                    && match reader {
                        Reader::Seat(seat) => to.is_empty() || to.contains(&seat),
                        Reader::Public => to.is_empty(),
                    };
                let cards = lay(zone, *slot, *count).into_iter();
                let known = cards.filter(|it| is_shown || saw(it));
                return known.map(|(card, ..)| card).collect();
            }
            Move::Mark { .. }
            | Move::Own { .. }
            | Move::Remove { .. }
            | Move::Count { .. }
            | Move::Shuffle { .. }
            | Move::Roll { .. }
            | Move::Pass { .. }
            | Move::Token { .. }
            | Move::Undo { .. } => return Vec::new(),
        };
        let cards = lay(from, first, count).into_iter();
        let known = cards.filter(|it| saw(it) || sees_now(to, it.0));
        known.map(|(card, ..)| card).collect()
    }
}
