//! What one seat, or the public, may see of a match.
//!
//! A view is built field by field of what its reader may see; nothing is copied whole and
//! cut down. It carries neither the seed nor anything from which a hidden card follows.

use crate::matches::choice::{Options, Settings};
use crate::matches::error::MatchError;
use crate::matches::fold::Match;
use crate::matches::log::decision::Pending;
use crate::matches::log::pending_words;
use crate::matches::random::{Seed, tagged};
use crate::matches::seat::Reader;
use crate::matches::seat::SeatId;
use crate::matches::setup::Setup;
use crate::matches::table::{Cell, Roll, Slot, Terms, Visibility, Zone, ZoneCards, face};
use crate::matches::written::{canonical, pretty};
use decklaw_text::digest::hex;
use decklaw_text::text::{counted, escape_control};
use serde::Serialize;
use std::collections::BTreeMap;
use std::sync::Arc;

/// The schema of views.
pub const VIEW_SCHEMA: &str = "decklaw/view/1";

/// A match as one reader may see it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct View {
    /// Always [`VIEW_SCHEMA`].
    pub schema: &'static str,
    /// The seat's letter, or `public`.
    #[serde(rename = "for")]
    pub reader: String,
    /// The format's id.
    pub format: String,
    /// The options.
    pub options: Options,
    /// The settings.
    pub settings: Settings,
    /// `setup` or `ready`.
    pub phase: &'static str,
    /// Who begins.
    pub first: Option<SeatId>,
    /// The seats from the one that begins.
    pub turn_order: Vec<SeatId>,
    /// The names of the cards that are shown, by id.
    pub cards: BTreeMap<String, String>,
    /// The middle of the table.
    pub shared: SharedView,
    /// What lies before each seat.
    pub seats: BTreeMap<SeatId, SeatView>,
    /// What is awaited.
    pub pending: Vec<Pending>,
}

/// The middle of the table.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SharedView {
    /// Its zones.
    pub zones: BTreeMap<String, ZoneView>,
    /// What was rolled, where the game has dice.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rolls: Option<Vec<Roll>>,
}

/// What lies before a seat.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SeatView {
    /// The player's name.
    pub name: String,
    /// The counters.
    pub counters: BTreeMap<String, i64>,
    /// The zones.
    pub zones: BTreeMap<String, ZoneView>,
    /// What was chosen in secret, once revealed, where the game has such a thing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub spec: Option<Option<String>>,
}

/// A zone as its reader may see it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ZoneView {
    /// How many cards lie there.
    pub count: usize,
    /// The cards that are shown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cards: Option<Vec<CardView>>,
    /// A digest that binds the zone's hidden cards without telling them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub commitment: Option<String>,
    /// How its cards lie, where there is something to say of one.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub lying: Vec<LyingView>,
    /// Who may look at it.
    #[serde(skip)]
    pub seen: Visibility,
    /// How the zone is played with.
    #[serde(skip)]
    pub terms: Arc<Terms>,
}

/// The position of a card within its zone, other than its place in the order.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct LyingView {
    /// Its slot.
    pub slot: usize,
    /// Its square.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub at: Option<Cell>,
    /// Whose it is, where that does not follow from where it lies.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub owner: Option<SeatId>,
    /// The slot of the card that it is attached to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub on: Option<usize>,
    /// What is counted on it.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub counters: BTreeMap<String, i64>,
    /// Whether it is turned sideways.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub sideways: bool,
    /// The same in words.
    #[serde(skip)]
    pub told: String,
}

/// A card as its reader may see it.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(untagged)]
pub enum CardView {
    /// A card of a zone that is seen whole.
    Open(String),
    /// A card that lies face up, or that its reader may see all the same.
    Up {
        /// Its id.
        card: String,
        /// How it lies.
        face: &'static str,
    },
    /// A card that lies face down.
    Down {
        /// Always `down`.
        face: &'static str,
    },
}

impl View {
    /// The view as JSON, indented, with a new line at its end.
    pub fn to_json(&self) -> String {
        pretty(self)
    }

    /// The view for people to read: the cards of a zone with their slots, as decisions and
    /// moves count them, and their ids.
    pub fn to_text(&self) -> String {
        let reader = match self.reader.as_str() {
            "public" => "the public".to_owned(),
            "open" => "a judge".to_owned(),
            seat => format!("seat {seat}"),
        };
        let zones = |zones: &BTreeMap<String, ZoneView>| -> String {
            let line = |(name, zone): (&String, &ZoneView)| {
                let lines = self.lines(zone).into_iter().enumerate();
                let cards: Vec<String> =
                    lines.map(|(slot, card)| format!("{slot}. {card}")).collect();
                let name = escape_control(name, false);
                match cards.as_slice() {
                    [] => format!("  {name}: {}\n", counted(zone.count as i64, "card")),
                    cards => format!("  {name} ({}): {}\n", zone.count, cards.join(" · ")),
                }
            };
            zones.iter().map(line).collect()
        };
        let mut text = format!("{} as {reader} sees it ({})\n", self.format, self.phase);
        if let Some(first) = self.first {
            text.push_str(&format!("Seat {first} begins\n"));
        }
        text.push_str(&zones(&self.shared.zones));
        for roll in self.rolls() {
            text.push_str(&format!("  rolled: {roll}\n"));
        }
        for (seat, view) in &self.seats {
            text.push_str(&format!("Seat {seat}: {}\n", escape_control(&view.name, false)));
            for counter in view.counted() {
                text.push_str(&format!("  {counter}\n"));
            }
            text.push_str(&zones(&view.zones));
        }
        for pending in self.open() {
            text.push_str(&format!("{pending}\n"));
        }
        text
    }

    /// Each throw of the dice, in words.
    pub(super) fn rolls(&self) -> impl Iterator<Item = String> {
        self.shared.rolls.iter().flatten().map(|roll| {
            let values = roll.iter().map(|(seat, value)| format!("{seat} {value}"));
            values.collect::<Vec<_>>().join(", ")
        })
    }

    /// What is still to decide, in words.
    pub(super) fn open(&self) -> impl Iterator<Item = String> {
        let pending = self.pending.iter();
        pending.map(|it| format!("Still to decide: {}", escape_control(&pending_words(it), false)))
    }

    /// The zones with their owners and names: those in the middle, then each seat's.
    pub fn zones(&self) -> impl Iterator<Item = (Option<SeatId>, &str, &ZoneView)> {
        let shared = self.shared.zones.iter().map(|(name, zone)| (None, name.as_str(), zone));
        let seats = self.seats.iter();
        shared.chain(seats.flat_map(|(seat, view)| {
            view.zones.iter().map(move |(name, zone)| (Some(*seat), name.as_str(), zone))
        }))
    }

    /// The cards of a zone that are shown, each in words: its name, its id, how it lies.
    pub(super) fn lines(&self, zone: &ZoneView) -> Vec<String> {
        let line = |(slot, card): (usize, &CardView)| {
            let mut line = match card {
                CardView::Open(id) | CardView::Up { card: id, .. } => {
                    let name = self.cards.get(id).map_or("", String::as_str);
                    format!("{} [{id}]", escape_control(name, false))
                }
                CardView::Down { .. } => "(face down)".to_owned(),
            };
            let lying = zone.lying.iter().find(|lying| lying.slot == slot);
            if let Some(lying) = lying.filter(|lying| !lying.told.is_empty()) {
                line.push_str(&format!(" ({})", escape_control(&lying.told, false)));
            }
            line
        };
        zone.cards.iter().flatten().enumerate().map(line).collect()
    }
}

impl SeatView {
    /// Its counters and what it chose, in words.
    pub(super) fn counted(&self) -> Vec<String> {
        let counters = self.counters.iter();
        let counters =
            counters.map(|(name, value)| format!("{}: {value}", escape_control(name, false)));
        let spec = self.spec.iter().flatten();
        let spec = spec.map(|spec| format!("spec: {}", escape_control(spec, false)));
        counters.chain(spec).collect()
    }
}

impl Match {
    /// The cards that a seat may choose from for what is awaited of it, with their ids: lines for
    /// people, and none where there is nothing to choose.
    ///
    /// # Errors
    /// A fault in the format file.
    pub fn text_for(&self, setup: &Setup, seat: SeatId) -> Result<String, MatchError> {
        let mut text = String::new();
        let prompts = self.prompts(setup)?.into_iter();
        let own = prompts.filter(|prompt| prompt.seat == Some(seat) && prompt.secret);
        let lists = own.flat_map(|prompt| prompt.options);
        for list in lists.flat_map(|option| option.cards) {
            let mut cards: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
            for (id, name) in &list.of {
                cards.entry(name).or_default().push(id);
            }
            let cards = cards.iter();
            let cards = cards
                .map(|(name, ids)| format!("{} [{}]", escape_control(name, false), ids.join(" ")));
            let cards = cards.collect::<Vec<_>>().join(" · ");
            text.push_str(&format!("  {}: {cards}\n", list.text));
        }
        Ok(text)
    }

    /// What a reader may see of the match.
    ///
    /// # Errors
    /// An empty seat.
    pub fn view(&self, reader: Reader) -> Result<View, MatchError> {
        let table = &self.table;
        if let Reader::Seat(seat) = reader
            && seat.index() >= table.seats.len()
        {
            return Err(MatchError::call(format!("seat {seat} is empty")));
        }
        let seed = self.inputs.randomness.seed()?;
        let mut cards = BTreeMap::new();
        let mut views = |zones: &[Zone], owner: Option<SeatId>| -> BTreeMap<String, ZoneView> {
            let mut seen = BTreeMap::new();
            for zone in zones {
                seen.insert(
                    zone.name.clone(),
                    self.zone_view(zone, owner, reader, &seed, &mut cards),
                );
            }
            seen
        };
        let shared = SharedView { zones: views(&table.shared, None), rolls: table.rolls.clone() };
        let mut seats = BTreeMap::new();
        for (seat, on_table) in self.inputs.seats.iter().zip(&table.seats) {
            let view = SeatView {
                name: seat.name.clone(),
                counters: on_table.counters.clone(),
                zones: views(&on_table.zones, Some(seat.seat)),
                spec: on_table.spec.clone(),
            };
            seats.insert(seat.seat, view);
        }
        Ok(View {
            schema: VIEW_SCHEMA,
            reader: match reader {
                Reader::Seat(seat) => seat.to_string(),
                Reader::Public => "public".to_owned(),
                Reader::Open => "open".to_owned(),
            },
            format: self.inputs.format.clone(),
            options: self.inputs.options.clone(),
            settings: self.inputs.settings.clone(),
            phase: self.phase(),
            first: table.first,
            turn_order: table.turn_order(),
            cards,
            shared,
            seats,
            pending: self.pending.clone(),
        })
    }

    fn zone_view(
        &self,
        zone: &Zone,
        owner: Option<SeatId>,
        reader: Reader,
        seed: &Seed,
        names: &mut BTreeMap<String, String>,
    ) -> ZoneView {
        let mut show = |slot: &Slot| {
            let card = self.table.instance(slot.card);
            names.insert(card.id.clone(), card.name.clone());
            card.id.clone()
        };
        let own = owner.is_some_and(|seat| reader == Reader::Seat(seat));
        let whole = match zone.seen {
            _ if reader == Reader::Open => true,
            Visibility::ByAll => true,
            Visibility::ByOwner => own,
            Visibility::ByNobody | Visibility::CardByCard => false,
        };
        let hidden = match zone.seen {
            _ if reader == Reader::Open => false,
            Visibility::CardByCard => zone.slots.iter().any(|slot| !slot.up),
            Visibility::ByAll | Visibility::ByOwner | Visibility::ByNobody => !whole,
        };
        let cards = match zone.seen {
            Visibility::CardByCard => {
                let card = |slot: &Slot| {
                    if slot.up || reader == Reader::Open {
                        CardView::Up { card: show(slot), face: face(slot.up) }
                    } else {
                        CardView::Down { face: face(false) }
                    }
                };
                Some(zone.slots.iter().map(card).collect())
            }
            _ if whole => Some(zone.slots.iter().map(|slot| CardView::Open(show(slot))).collect()),
            _ => None,
        };
        let commitment = hidden.then(|| {
            let whose = owner.map_or("shared", SeatId::letter);
            // A zone that does not change must not reveal that.
            let happened = self.inputs.decisions.len() + self.moves().len();
            let label = format!("{whose}.{}/{happened}", zone.name);
            let blind = tagged("decklaw/blind/1\0", &[seed.bytes(), label.as_bytes()]);
            let listed = canonical(&ZoneCards(zone, &self.table));
            hex(&tagged("decklaw/commit/1\0", &[&blind, &listed]))
        });
        let lying = match zone.seen {
            Visibility::ByAll | Visibility::CardByCard => self.lying_views(zone, owner),
            Visibility::ByOwner | Visibility::ByNobody => Vec::new(),
        };
        ZoneView {
            count: zone.slots.len(),
            cards,
            commitment,
            lying,
            seen: zone.seen,
            terms: Arc::clone(&zone.terms),
        }
    }

    /// How the cards of an open zone lie, in the order of their slots.
    fn lying_views(&self, zone: &Zone, whose: Option<SeatId>) -> Vec<LyingView> {
        let table = &self.table;
        let slot_of = |card| zone.slots.iter().position(|slot| slot.card == card);
        let each = zone.slots.iter().enumerate().filter_map(|(slot, held)| {
            let lying = table.lying.get(&held.card)?;
            let view = LyingView {
                slot,
                at: lying.at,
                owner: table.named_owner(whose, zone, lying),
                on: lying.on.and_then(slot_of),
                counters: lying.counters.clone(),
                sideways: lying.sideways,
                told: table.lies(whose, zone, slot),
            };
            (!view.told.is_empty()).then_some(view)
        });
        each.collect()
    }
}
