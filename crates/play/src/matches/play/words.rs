//! What happened in a game, in sentences: each reader learns which cards were moved as far as it
//! could see them.

use crate::look::{Mat, titled};
use crate::matches::error::MatchError;
use crate::matches::fold::{Match, Turn, context, first_state};
use crate::matches::log::decision::{Decision, FirstPlayer, HandChoice, PickedCard};
use crate::matches::log::moves::{Move, SeatMove};
use crate::matches::seat::{Reader, SeatId};
use crate::matches::setup::Setup;
use crate::matches::state::State;
use crate::matches::table::{Card, CardPosition, Cell, Visibility, Zone, ZoneId};
use decklaw_text::text::{counted, listed};
use serde::Serialize;
use std::sync::Arc;

/// An entry of the log in words, as one reader may know it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct LogLine<'a> {
    /// The turn of a move; `None`: it is a decision of the setup.
    #[serde(flatten)]
    pub turn: Option<Turn>,
    /// The step of the turn, where its player said it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub step: Option<&'a str>,
    /// The sentence; of a move it begins with the player's name.
    pub text: &'a str,
}

/// An entry of the log in words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LogEntry {
    turn: Option<Turn>,
    step: Option<String>,
    public: String,
    /// The sentences of the readers who know more.
    own: Vec<(Reader, String)>,
}

impl LogEntry {
    /// The sentence, as a reader may know it.
    pub fn line(&self, reader: Reader) -> LogLine<'_> {
        let own = self.own.iter().find(|(own, _)| *own == reader);
        let text = own.map_or(&self.public, |(_, text)| text);
        LogLine { turn: self.turn, step: self.step.as_deref(), text }
    }
}

/// The log of a match in words, an entry for each decision of the setup and each move. Copies share
/// its blocks, so that a copy for each move of a long game is cheap.
#[derive(Debug, Clone, Default)]
pub struct MatchLog(Vec<Arc<Vec<Arc<LogEntry>>>>);

/// The entries of each block of a log but its last.
const BLOCK: usize = 128;

impl MatchLog {
    /// How many entries there are.
    pub fn len(&self) -> usize {
        let last = self.0.last().map_or(0, |block| block.len());
        self.0.len().saturating_sub(1) * BLOCK + last
    }

    /// Whether nothing was decided or moved.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    fn entries(&self, from: usize) -> impl Iterator<Item = &Arc<LogEntry>> {
        let blocks = self.0.iter().skip(from / BLOCK);
        blocks.flat_map(|block| block.iter()).skip(from % BLOCK)
    }

    /// The entries from a number on, as a reader may know them.
    pub fn lines(&self, from: usize, reader: Reader) -> impl Iterator<Item = LogLine<'_>> {
        self.entries(from).map(move |entry| entry.line(reader))
    }

    /// The log as it was after this many entries.
    pub fn until(&self, entries: usize) -> MatchLog {
        let mut log = MatchLog(self.0.iter().take(entries / BLOCK).cloned().collect());
        let rest = self.entries(log.len()).take(entries % BLOCK);
        rest.for_each(|entry| log.add(Arc::clone(entry)));
        log
    }

    /// Adds an entry.
    pub fn push(&mut self, entry: LogEntry) {
        self.add(Arc::new(entry));
    }

    fn add(&mut self, entry: Arc<LogEntry>) {
        match self.0.last_mut().filter(|block| block.len() < BLOCK) {
            Some(block) => Arc::make_mut(block).push(entry),
            None => self.0.push(Arc::new(vec![entry])),
        }
    }
}

/// A move between two states, as a reader saw it.
struct MoveSentence<'a> {
    made: &'a Match,
    mat: Option<&'a Mat>,
    before: &'a State,
    after: &'a State,
    reader: Reader,
    done: &'a SeatMove,
}

/// A card in a slot of a zone.
type CardAt = (Card, ZoneId, usize);

/// A card that the reader does not know.
const A_CARD: &str = "a card";

impl Match {
    /// The log so far in words. `mat` has the names of zones and counters.
    ///
    /// # Errors
    /// A fault in the format file.
    pub fn log(&self, setup: &Setup, mat: Option<&Mat>) -> Result<MatchLog, MatchError> {
        let mut log = MatchLog::default();
        let setup = &*setup.for_seats(self.inputs.seats.len());
        let context = context(setup, &self.inputs, None)?;
        let mut before = first_state(setup, &context)?;
        for decision in &self.inputs.decisions {
            let mut after = before.clone();
            after.decide(&context, decision)?;
            log.push(self.decided_line(setup, (&before, &after), decision));
            before = after;
        }
        let seed = self.inputs.randomness.seed()?;
        let mut before = self.opening().clone();
        let mut earlier = before.clone();
        for done in self.moves() {
            let after = match done.what {
                Move::Undo {} => earlier,
                _ => {
                    let mut after = before.clone();
                    after.act(&seed, done)?;
                    after
                }
            };
            log.push(self.line((&before, &after), done, mat));
            earlier = std::mem::replace(&mut before, after);
        }
        Ok(log)
    }

    /// The newest move in words; `before` is the state before it.
    pub fn newest_line(&self, before: &State, mat: Option<&Mat>) -> Option<LogEntry> {
        Some(self.line((before, self), self.moves().last()?, mat))
    }

    /// A move between two states.
    fn line(
        &self,
        (before, after): (&State, &State),
        done: &SeatMove,
        mat: Option<&Mat>,
    ) -> LogEntry {
        let text =
            |reader| MoveSentence { made: self, mat, before, after, reader, done }.sentence();
        let public = text(Reader::Public);
        let seats = self.table.seat_ids().map(Reader::Seat);
        let own = seats.chain([Reader::Open]).map(|reader| (reader, text(reader)));
        LogEntry {
            turn: Some(self.turn_of(before)),
            step: before.turn_step.clone(),
            own: own.filter(|(_, own)| *own != public).collect(),
            public,
        }
    }

    /// A decision of the setup between two states.
    fn decided_line(
        &self,
        setup: &Setup,
        (before, after): (&State, &State),
        decision: &Decision,
    ) -> LogEntry {
        let cards = |count: usize| counted(count as i64, "card");
        let player = decision.seat().map_or_else(String::new, |seat| self.player(seat));
        let public = match decision {
            Decision::FirstPlayer(by) => {
                let first = after.table.first.map_or_else(String::new, |seat| self.player(seat));
                match by {
                    FirstPlayer::Random => format!("{first} begins, by chance."),
                    FirstPlayer::Choice { .. } => format!("{first} begins."),
                }
            }
            Decision::Swap { sections, .. } => {
                match sections.values().map(|section| section.out.len()).sum() {
                    0 => format!("{player} swapped no card."),
                    count => format!("{player} swapped {}.", cards(count)),
                }
            }
            Decision::Mulligan { choice: HandChoice::Mulligan, .. } => {
                format!("{player} took a mulligan.")
            }
            Decision::Mulligan { choice: HandChoice::Keep { bottom }, .. } => match bottom.len() {
                0 => format!("{player} kept their hand."),
                count => {
                    format!("{player} kept their hand and put {} under the deck.", cards(count))
                }
            },
            Decision::Roll(_) => {
                let rolls = after.table.rolls.iter().flatten().last().into_iter().flatten();
                let rolls: Vec<String> = rolls
                    .map(|(seat, value)| format!("{} rolled {value}", self.player(*seat)))
                    .collect();
                format!("{}.", listed(&rolls, "and"))
            }
            Decision::Spec { .. } => format!("{player} chose in secret."),
            Decision::Reveal { spec, .. } => format!("{player} revealed {}.", titled(spec)),
            Decision::Vote { choice, .. } => format!("{player} voted: {choice}."),
            Decision::Pick { seat, card } => {
                let picked = || {
                    let PickedCard::Slot(slot) = card else {
                        return None;
                    };
                    let pool = before.named(slot.pool.unwrap_or(*seat), setup.pool_zone()?).ok()?;
                    let slot = before.table.zone(pool).slots.get(slot.slot)?;
                    slot.up.then(|| before.table.instance(slot.card).name.clone())
                };
                let card = picked().unwrap_or_else(|| "a card".to_owned());
                format!("{player} picked {card}.")
            }
        };
        LogEntry { turn: None, step: None, public, own: Vec::new() }
    }

    /// What a player is called: by name, or by the seat.
    pub fn player(&self, seat: SeatId) -> String {
        match self.inputs.seats.get(seat.index()) {
            Some(about) if about.name != seat.letter() => about.name.clone(),
            _ => format!("Seat {seat}"),
        }
    }

    /// What should be known of a move that was just made, though nothing forbids it.
    pub fn remarks(&self, done: &SeatMove, mat: Option<&Mat>) -> Vec<String> {
        let by = done.by;
        let (to, cell) = match &done.what {
            Move::Move { to, cell, .. } | Move::Token { to, cell, .. } => (to, *cell),
            Move::Draw { to, .. }
            | Move::Give { to, .. }
            | Move::Random { to, .. }
            | Move::Attach { to, .. } => (to, None),
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
    fn player(&self, seat: SeatId) -> String {
        self.made.player(seat)
    }

    /// A zone as a person names it: their own without an owner.
    fn zone(&self, name: &str) -> String {
        let (owner, zone) = match name.split_once('.') {
            Some((seat, zone)) => (SeatId::parse(seat), zone),
            None => (None, name),
        };
        match (zone, owner.filter(|owner| *owner != self.done.by)) {
            ("hand", None) => "their hand".to_owned(),
            ("hand", Some(owner)) => format!("{}’s hand", self.player(owner)),
            (zone, None) => zone_name(self.mat, zone),
            (zone, Some(owner)) => {
                format!("{}’s {}", self.player(owner), zone_name(self.mat, zone))
            }
        }
    }

    fn counter(&self, id: &str) -> String {
        let known = self.mat.and_then(|mat| mat.counters.iter().find(|known| known.id == id));
        known.map_or_else(|| titled(id), |known| known.name.clone())
    }

    /// A zone of a state, by the name that the move has for it.
    fn place<'s>(&self, state: &'s State, name: &str) -> Option<(ZoneId, &'s Zone)> {
        let place = state.named(self.done.by, name).ok()?;
        Some((place, state.table.zone(place)))
    }

    fn seen_as(&self, zone: &str) -> Option<Visibility> {
        Some(self.place(self.before, zone)?.1.seen)
    }

    /// The place in a zone to which a card moves, where the reader may know it.
    fn spot(&self, to: &str, at: u32, cell: Option<Cell>) -> String {
        let name = self.zone(to);
        let Some((_, zone)) = self.place(self.before, to) else {
            return name;
        };
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

    /// Cards of a zone before the move, from a slot on.
    fn cards_at(&self, zone: &str, first: u32, count: u32) -> Vec<CardAt> {
        let Some((place, zone)) = self.place(self.before, zone) else {
            return Vec::new();
        };
        let slots = zone.slots.iter().enumerate().skip(first as usize).take(count as usize);
        slots.map(|(at, slot)| (slot.card, place, at)).collect()
    }

    fn saw(&self, (_, place, at): &CardAt) -> bool {
        self.before.sees(self.reader, *place, *at)
    }

    /// Whether the reader sees a card in a zone after the move.
    fn sees_now(&self, zone: &str, card: Card) -> bool {
        let place = self.place(self.after, zone);
        place.is_some_and(|(place, zone)| {
            let at = zone.slots.iter().position(|slot| slot.card == card);
            at.is_some_and(|at| self.after.sees(self.reader, place, at))
        })
    }

    fn name(&self, card: Card) -> &str {
        &self.before.table.instance(card).name
    }

    /// The card in a slot, by its name if the reader sees it.
    fn card(&self, zone: &str, slot: u32) -> &str {
        let cards = self.cards_at(zone, slot, 1);
        cards.iter().find(|it| self.saw(it)).map_or(A_CARD, |it| self.name(it.0))
    }

    /// How the card of a slot lies in a state, and whether face up.
    fn lying(&self, state: &State, zone: &str, slot: u32) -> (bool, CardPosition) {
        let slot = self.place(state, zone).and_then(|(_, zone)| zone.slots.get(slot as usize));
        slot.map(|slot| (slot.up, state.table.lying(slot.card))).unwrap_or_default()
    }

    /// The cards of the move that the reader saw where they lay, or sees where they lie now.
    fn seen(&self) -> Vec<&str> {
        let mut is_shown = false;
        let (mut cards, to) = match &self.done.what {
            Move::Draw { from, to, count } => (self.cards_at(from, 0, *count), to),
            Move::Move { from, slot, to, .. }
            | Move::Give { from, slot, to }
            | Move::Attach { from, slot, to, .. } => (self.cards_at(from, *slot, 1), to),
            Move::Flip { zone, slot } | Move::Turn { zone, slot } => {
                (self.cards_at(zone, *slot, 1), zone)
            }
            Move::Random { from, to, .. } => {
                // The card that left is the one that is there no more.
                let now = self.place(self.after, from);
                let stays = |card: Card| {
                    now.is_none_or(|(_, zone)| zone.slots.iter().any(|slot| slot.card == card))
                };
                let mut cards = self.cards_at(from, 0, u32::MAX);
                cards.retain(|it| !stays(it.0));
                (cards, to)
            }
            Move::Look { zone, slot, count, to, .. } => {
                is_shown = match self.reader {
                    Reader::Seat(seat) => to.is_empty() || to.contains(&seat),
                    Reader::Public => to.is_empty(),
                    Reader::Open => true,
                };
                (self.cards_at(zone, *slot, *count), zone)
            }
            _ => return Vec::new(),
        };
        cards.retain(|it| is_shown || self.saw(it) || self.sees_now(to, it.0));
        cards.into_iter().map(|it| self.name(it.0)).collect()
    }

    /// Cards of the move: those that the reader saw by name, the others by number.
    fn cards(&self, count: u32) -> String {
        match (self.seen().as_slice(), count) {
            ([], 1) => A_CARD.to_owned(),
            ([], count) => counted(i64::from(count), "card"),
            (names, _) => listed(names, "and"),
        }
    }

    /// How a card comes to lie in a zone where cards lie face up and down.
    fn face(&self, up: bool, to: &str) -> &'static str {
        let is_mixed = self.seen_as(to) == Some(Visibility::CardByCard);
        if is_mixed && !up { " face down" } else { "" }
    }

    /// The move in words; with a note where it was another's turn.
    fn sentence(&self) -> String {
        // Life and the like change in another's turn, too, and a roll moves nothing.
        let is_free = matches!(
            self.done.what,
            Move::Undo {} | Move::Count { .. } | Move::Roll { .. } | Move::Look { .. }
        );
        let is_out_of_turn = !is_free && self.done.by != self.before.active;
        let sentence = self.words();
        match is_out_of_turn {
            true => format!("{}, out of turn.", sentence.trim_end_matches('.')),
            false => sentence,
        }
    }

    fn words(&self) -> String {
        let SeatMove { by, what } = self.done;
        let player = self.player(*by);
        match what {
            Move::Draw { from, to, count } => {
                let cards = self.cards(*count);
                match (self.seen_as(from), to.as_str()) {
                    (Some(Visibility::ByNobody), "hand") => format!("{player} drew {cards}."),
                    _ => {
                        let (from, to) = (self.zone(from), self.zone(to));
                        format!("{player} moved {cards} from {from} to {to}.")
                    }
                }
            }
            Move::Move { from, to, at, up, cell, .. } => {
                let (card, spot) = (self.cards(1), self.spot(to, *at, *cell));
                let face = self.face(*up, to);
                let is_open = |seen| matches!(seen, Visibility::ByAll | Visibility::CardByCard);
                match from.as_str() {
                    "hand" if self.seen_as(to).is_some_and(is_open) => {
                        format!("{player} played {card}{face} to {spot}.")
                    }
                    from if from == to && cell.is_none() => {
                        format!("{player} moved {card} in {spot}.")
                    }
                    from => {
                        format!("{player} moved {card}{face} from {} to {spot}.", self.zone(from))
                    }
                }
            }
            Move::Attach { from, to, on, up, .. } => {
                let (card, face, from) = (self.cards(1), self.face(*up, to), self.zone(from));
                format!("{player} attached {card}{face} from {from} to {}.", self.card(to, *on))
            }
            Move::Mark { zone, slot, counter, change } => {
                let (_, lying) = self.lying(self.before, zone, *slot);
                let was = lying.counters.get(counter).copied().unwrap_or_default();
                let (card, counter) = (self.card(zone, *slot), self.counter(counter));
                format!("{player}: {counter} of {card} {was} → {}.", was.saturating_add(*change))
            }
            Move::Own { zone, slot, seat } => {
                let card = self.card(zone, *slot);
                if seat == by {
                    format!("{player} took control of {card}.")
                } else {
                    format!("{player} gave control of {card} to {}.", self.player(*seat))
                }
            }
            Move::Token { name, to, cell } => {
                format!("{player} made the token {name} in {}.", self.spot(to, u32::MAX, *cell))
            }
            Move::Remove { zone, slot } => {
                format!("{player} removed the token {}.", self.card(zone, *slot))
            }
            Move::Flip { zone, slot } => {
                let is_up = self.lying(self.after, zone, *slot).0;
                let face = if is_up { "up" } else { "down" };
                format!("{player} turned {} face {face}.", self.cards(1))
            }
            Move::Turn { zone, slot } => {
                let (_, lying) = self.lying(self.after, zone, *slot);
                let way = if lying.sideways { "sideways" } else { "upright" };
                format!("{player} turned {} {way}.", self.cards(1))
            }
            Move::Count { seat, counter, change } => {
                let own = self.before.table.seats.get(seat.index());
                let was = own.and_then(|seat| seat.counters.get(counter)).copied();
                let (was, counter) = (was.unwrap_or_default(), self.counter(counter));
                let now = was.saturating_add(*change);
                if seat == by {
                    format!("{player}: {counter} {was} → {now}.")
                } else {
                    format!("{player}: {}’s {counter} {was} → {now}.", self.player(*seat))
                }
            }
            Move::Look { zone, count, to, .. } => {
                let (cards, zone) = (self.cards(*count), self.zone(zone));
                match to.as_slice() {
                    [] => format!("{player} showed {cards} of {zone} to everybody."),
                    [one] if one == by => format!("{player} looked at {cards} of {zone}."),
                    seats => {
                        let seats: Vec<_> = seats.iter().map(|seat| self.player(*seat)).collect();
                        format!("{player} showed {cards} of {zone} to {}.", listed(&seats, "and"))
                    }
                }
            }
            Move::Give { from, to, .. } => {
                let (card, from, to) = (self.cards(1), self.zone(from), self.zone(to));
                format!("{player} gave {card} from {from} to {to}.")
            }
            Move::Random { from, to, .. } => {
                let (card, from, to) = (self.cards(1), self.zone(from), self.zone(to));
                format!("{player} moved {card} at random from {from} to {to}.")
            }
            Move::Shuffle { zone } => format!("{player} shuffled {}.", self.zone(zone)),
            Move::Roll { sides } => match self.after.last_roll {
                Some((_, value)) if *sides == 6 => format!("{player} rolled {value}."),
                Some((_, value)) => format!("{player} rolled {value} of {sides}."),
                None => format!("{player} rolled a die."),
            },
            Move::Step { name } => format!("{player}: {name}."),
            Move::Pass {} => format!("{player} ended the turn."),
            Move::Undo {} => format!("{player} took back the last move."),
        }
    }
}
