//! The state of the table: every card in exactly one zone, every counter.

mod places;

pub use places::{CardPosition, Cell, Grid, Sum, Terms};

use crate::matches::choice::Choice;
use crate::matches::error::MatchError;
use crate::matches::random::{Seed, Stream, shuffle};
use crate::matches::seat::SeatId;
use serde::ser::{Serialize, SerializeMap, SerializeSeq, Serializer};
use serde::{Deserialize, Serialize as SerializeAs};
use std::collections::BTreeMap;
use std::sync::Arc;

/// One card on the table, by its place in the canonical order of its deck.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Card(pub(crate) u16);

/// What is known of one card on the table.
#[derive(Debug, Clone)]
pub struct Instance {
    /// Its id, such as `A001`: it says nothing of other cards, in the second scheme.
    pub id: String,
    /// Its name.
    pub name: String,
    /// What was registered of it.
    pub records: BTreeMap<String, Choice>,
}

/// Who may look at the cards of a zone.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, SerializeAs)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Visibility {
    /// Nobody, not even the owner.
    ByNobody,
    /// The owner alone.
    ByOwner,
    /// Everybody.
    ByAll,
    /// Each card lies face up or face down for everybody.
    CardByCard,
}

/// A card in a zone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Slot {
    /// The card.
    pub card: Card,
    /// Whether it lies face up; means something only where zones mix faces.
    pub up: bool,
}

/// A zone with its cards, the top first.
#[derive(Debug, Clone)]
pub struct Zone {
    /// Its name.
    pub name: String,
    /// Who may look at it.
    pub seen: Visibility,
    /// Its cards.
    pub slots: Vec<Slot>,
    /// How it is played with.
    pub terms: Arc<Terms>,
    /// The name under which it is shuffled: the section that it holds.
    pile: String,
    shuffles: u32,
}

impl Zone {
    /// An empty zone. `pile` is the name under which it is shuffled.
    pub(super) fn new(name: &str, seen: Visibility, pile: &str, terms: &Terms) -> Zone {
        Zone {
            name: name.to_owned(),
            seen,
            slots: Vec::new(),
            terms: Arc::new(terms.clone()),
            pile: pile.to_owned(),
            shuffles: 0,
        }
    }

    /// The section that it holds at first; of any other zone, its own name.
    pub(super) fn pile(&self) -> &str {
        &self.pile
    }
}

/// What lies before one seat.
#[derive(Debug, Clone)]
pub struct SeatTable {
    /// Its counters.
    pub counters: BTreeMap<String, i64>,
    /// Its zones, by name.
    pub zones: Vec<Zone>,
    /// What it chose in secret: `None` where the game has no such thing, and empty inside
    /// until all have revealed.
    pub spec: Option<Option<String>>,
}

/// A zone of a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ZoneId {
    /// Whose it is; `None` in the middle.
    pub seat: Option<SeatId>,
    index: usize,
}

/// Values of one throw of the dice, by seat.
pub type Roll = BTreeMap<SeatId, u8>;

/// A table: cards, zones, counters, and who begins.
#[derive(Debug, Clone)]
pub struct Table {
    /// Every card, deck by deck in canonical order.
    pub instances: Vec<Instance>,
    /// The zones in the middle, by name.
    pub shared: Vec<Zone>,
    /// What was rolled, where the game has dice.
    pub rolls: Option<Vec<Roll>>,
    /// What lies before each seat, in seat order.
    pub seats: Vec<SeatTable>,
    /// Who begins.
    pub first: Option<SeatId>,
    /// Whether seats two apart play as partners.
    pub partners: bool,
    /// How cards lie, where there is something to say.
    pub(in crate::matches) lying: BTreeMap<Card, CardPosition>,
}

impl Table {
    /// The zone that a name means for a seat: its own, or the one in the middle.
    ///
    /// # Errors
    /// A name that this table does not have: a fault in the format file.
    pub fn place(&self, seat: SeatId, name: &str) -> Result<ZoneId, MatchError> {
        let at = |zones: &[Zone]| zones.iter().position(|zone| zone.name == name);
        if let Some(index) = self.seats.get(seat.index()).and_then(|table| at(&table.zones)) {
            return Ok(ZoneId { seat: Some(seat), index });
        }
        match at(&self.shared) {
            Some(index) => Ok(ZoneId { seat: None, index }),
            None => Err(MatchError::call(format!(
                "the format file names a zone `{name}` that this game does not have"
            ))),
        }
    }

    /// The zones of a name: one for each seat, in seat order, or the one in the middle.
    ///
    /// # Errors
    /// As [`place`](Table::place).
    pub fn places(&self, name: &str) -> Result<Vec<ZoneId>, MatchError> {
        let places = self.seat_ids().map(|seat| self.place(seat, name));
        let mut places: Vec<ZoneId> = places.collect::<Result<_, _>>()?;
        places.dedup();
        Ok(places)
    }

    /// The cards of a zone, each with its id and its name.
    pub fn named(&self, place: ZoneId) -> Vec<(String, String)> {
        let instances = self.zone(place).slots.iter();
        let instances = instances.map(|slot| self.instance(slot.card));
        instances.map(|instance| (instance.id.clone(), instance.name.clone())).collect()
    }

    /// The zone at a place of this table.
    pub fn zone(&self, place: ZoneId) -> &Zone {
        match place.seat {
            Some(seat) => &self.seats[seat.index()].zones[place.index],
            None => &self.shared[place.index],
        }
    }

    /// The same, to change.
    pub fn zone_mut(&mut self, place: ZoneId) -> &mut Zone {
        match place.seat {
            Some(seat) => &mut self.seats[seat.index()].zones[place.index],
            None => &mut self.shared[place.index],
        }
    }

    /// The seats, in order.
    pub fn seat_ids(&self) -> impl Iterator<Item = SeatId> + use<> {
        SeatId::ALL.into_iter().take(self.seats.len())
    }

    /// The seats from the one that begins; none until that is known.
    pub fn turn_order(&self) -> Vec<SeatId> {
        let Some(first) = self.first else {
            return Vec::new();
        };
        let seats = SeatId::ALL.into_iter().take(self.seats.len());
        seats.clone().cycle().skip(first.index()).take(self.seats.len()).collect()
    }

    /// The order in which seats are dealt to: from the one that begins, and where that is
    /// not yet known, seat by seat.
    pub fn dealing_order(&self) -> Vec<SeatId> {
        match self.first {
            Some(_) => self.turn_order(),
            None => self.seat_ids().collect(),
        }
    }

    /// The card of an id.
    pub fn card(&self, id: &str) -> Option<Card> {
        let at = self.instances.iter().position(|instance| instance.id == id)?;
        Some(Card(at as u16))
    }

    /// What is known of a card of this table.
    pub fn instance(&self, card: Card) -> &Instance {
        &self.instances[usize::from(card.0)]
    }

    /// Every zone: those in the middle by name, then each seat's.
    pub(super) fn all_places(&self) -> Vec<ZoneId> {
        let shared = (0..self.shared.len()).map(|index| ZoneId { seat: None, index });
        let seats = self.seat_ids().zip(&self.seats);
        let own = seats.flat_map(|(seat, table)| {
            (0..table.zones.len()).map(move |index| ZoneId { seat: Some(seat), index })
        });
        shared.chain(own).collect()
    }

    /// Shuffles a zone: its cards in canonical order, then the frozen shuffle, under the next
    /// label of its pile.
    pub fn shuffle(&mut self, place: ZoneId, seed: &Seed) {
        let zone = self.zone_mut(place);
        let label = match place.seat {
            Some(seat) => format!("{seat}.{}/{}", zone.pile, zone.shuffles),
            None => format!("{}/{}", zone.pile, zone.shuffles),
        };
        zone.shuffles += 1;
        zone.slots.sort_unstable_by_key(|slot| slot.card);
        shuffle(&mut zone.slots, &mut Stream::new(seed, &label));
    }

    /// Takes cards off the top of a zone.
    ///
    /// # Errors
    /// Fewer cards than that.
    pub fn take(&mut self, from: ZoneId, count: usize) -> Result<Vec<Slot>, MatchError> {
        let zone = self.zone_mut(from);
        let held = zone.slots.len();
        if held < count {
            let whose = from.seat.map_or(String::new(), |seat| format!("{seat}'s "));
            let name = &zone.name;
            return Err(MatchError::refused(format!(
                "{whose}{name} has too few cards to deal: of {count} that are needed it holds {held}"
            )));
        }
        Ok(zone.slots.drain(..count).collect())
    }
}

/// A zone's cards as match files write them.
pub(crate) struct ZoneCards<'a>(pub &'a Zone, pub &'a Table);

impl Serialize for ZoneCards<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let ZoneCards(zone, table) = self;
        let mut list = serializer.serialize_seq(Some(zone.slots.len()))?;
        for slot in &zone.slots {
            let card = table.instance(slot.card).id.as_str();
            let face = (zone.seen == Visibility::CardByCard).then(|| face(slot.up));
            let lying = table.lying.get(&slot.card).map(|lying| LyingSlot {
                at: lying.at,
                owner: lying.owner,
                on: lying.on.map(|card| table.instance(card).id.as_str()),
                counters: &lying.counters,
                sideways: lying.sideways,
            });
            match (face, &lying) {
                (None, None) => list.serialize_element(card)?,
                _ => list.serialize_element(&SlotJson { card, face, lying })?,
            }
        }
        list.end()
    }
}

#[derive(serde::Serialize)]
struct SlotJson<'a> {
    card: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    face: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    lying: Option<LyingSlot<'a>>,
}

/// How a card lies, where a move said so.
#[derive(serde::Serialize)]
struct LyingSlot<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    at: Option<Cell>,
    #[serde(skip_serializing_if = "Option::is_none")]
    owner: Option<SeatId>,
    /// The card that it is attached to.
    #[serde(skip_serializing_if = "Option::is_none")]
    on: Option<&'a str>,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    counters: &'a BTreeMap<String, i64>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    sideways: bool,
}

/// The word for how a card lies.
pub(crate) fn face(up: bool) -> &'static str {
    if up { "up" } else { "down" }
}

/// Zones by name.
pub(crate) struct ZonesByName<'a>(pub &'a [Zone], pub &'a Table);

impl Serialize for ZonesByName<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for zone in self.0 {
            map.serialize_entry(&zone.name, &ZoneCards(zone, self.1))?;
        }
        map.end()
    }
}
