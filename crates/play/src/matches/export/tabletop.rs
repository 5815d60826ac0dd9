//! A start position as a save of Tabletop Simulator.
//!
//! A `CustomDeck` entry is a sheet of faces; a card's id is the sheet's number times 100 plus
//! the slot, row by row from 0. Piles are `DeckCustom` objects whose contained cards keep
//! their order; hands lie in `HandTrigger` zones, and older programs read the `Hands` block.
//! Squares and spaces are drawn on the table, and cards snap to them.

use super::layout::{CARD, FAN, HAND, Shelf, TablePosition, chairs, shelf};
use crate::matches::file::Match;
use crate::matches::paper::proxies::Proxies;
use crate::matches::seat::SeatId;
use crate::matches::table::{CardPosition, Slot, Visibility, Zone};
use crate::matches::written::pretty;
use serde_json::{Map, Value, json};

/// A match whose setup still waits for decisions: nobody can play from it yet.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the setup is not finished: {} still awaited", if *.0 == 1 { "1 decision is".to_owned() } else { format!("{} decisions are", .0) })]
pub struct UnfinishedMatch(
    /// How many decisions are awaited.
    pub usize,
);

/// The save: every zone in order, hands in hand. `faces` and `back` are the addresses of the
/// sheets and of the back.
///
/// # Errors
/// When the setup is not finished.
pub fn tabletop_save(
    start: &Match,
    proxies: &Proxies<'_>,
    faces: &[String],
    back: &str,
) -> Result<String, UnfinishedMatch> {
    if !start.pending.is_empty() {
        return Err(UnfinishedMatch(start.pending.len()));
    }
    let mut save = Save {
        start,
        proxies,
        faces,
        back,
        objects: Vec::new(),
        named: 0,
        snaps: Vec::new(),
        lines: Vec::new(),
    };
    let middle = TablePosition::MIDDLE;
    let shared = start.table.shared.iter().map(|zone| (zone, None));
    save.shelf(&shared.collect::<Vec<_>>(), &middle);
    let chairs = chairs(start.table.seats.len());
    let mut hands = Vec::new();
    for ((seat, table), chair) in start.table.seat_ids().zip(&start.table.seats).zip(chairs) {
        let transform = chair.hand();
        hands.push(json!({"Color": chair.colour, "Transform": transform}));
        save.add(json!({"Name": "HandTrigger", "Transform": transform, "Nickname": "",
            "Locked": true, "FogColor": chair.colour}));
        let piles = table.zones.iter().filter(|zone| zone.name != HELD);
        let piles: Vec<_> = piles.map(|zone| (zone, Some(seat))).collect();
        save.shelf(&piles, &chair.shelf());
        let held = table.zones.iter().find(|zone| zone.name == HELD);
        save.hand(held.map_or(&[][..], |hand| &hand.slots), &chair.spot());
    }
    let value = json!({
        "SaveName": format!("{} ({})", start.inputs.format, start.generated_for()),
        "GameMode": "", "Date": "", "Table": "Table_RPG", "Sky": "Sky_Museum",
        "Note": note(start),
        "Rules": "", "LuaScript": "", "LuaScriptState": "", "XmlUI": "",
        "Gravity": 0.5, "PlayArea": 1.0,
        "Hands": {"Enable": true, "DisableUnused": false, "Hiding": 0, "HandTransforms": hands},
        "SnapPoints": save.snaps,
        "VectorLines": save.lines,
        "ObjectStates": save.objects,
    });
    Ok(pretty(&value))
}

/// The zone that is held in hand.
const HELD: &str = "hand";

impl Match {
    /// Who plays, for a title.
    fn generated_for(&self) -> String {
        let names: Vec<&str> = self.inputs.seats.iter().map(|seat| seat.name.as_str()).collect();
        names.join(", ")
    }
}

/// Who begins, who are partners, and every counter: what a table of cards cannot show.
fn note(start: &Match) -> String {
    let table = &start.table;
    let chairs = chairs(table.seats.len());
    let colour = |seat: SeatId| chairs.get(seat.index()).map_or("", |chair| chair.colour);
    let mut lines = Vec::new();
    if let Some(first) = table.first {
        lines.push(format!("{} begins", colour(first)));
    }
    if table.partners {
        let seats: Vec<SeatId> = table.seat_ids().collect();
        for (one, other) in seats.iter().zip(seats.iter().skip(2)) {
            let (one, other) = (colour(*one), colour(*other));
            lines.push(format!("{one} and {other} are partners"));
        }
    }
    for (seat, table) in table.seat_ids().zip(&table.seats) {
        for (counter, value) in &table.counters {
            lines.push(format!("{} {counter}: {value}", colour(seat)));
        }
    }
    lines.join("\n")
}

struct Save<'a> {
    start: &'a Match,
    proxies: &'a Proxies<'a>,
    faces: &'a [String],
    back: &'a str,
    objects: Vec<Value>,
    /// How many objects have an id, those in piles included.
    named: usize,
    snaps: Vec<Value>,
    lines: Vec<Value>,
}

impl Save<'_> {
    /// Gives an object what every object has: an id of its own, and a script, which is empty.
    fn named(&mut self, mut object: Value) -> Value {
        self.named += 1;
        object["GUID"] = format!("{:06x}", self.named).into();
        for script in ["LuaScript", "LuaScriptState", "XmlUI"] {
            object[script] = "".into();
        }
        object
    }

    fn add(&mut self, object: Value) {
        let object = self.named(object);
        self.objects.push(object);
    }

    /// Lays zones side by side.
    fn shelf(&mut self, zones: &[(&Zone, Option<SeatId>)], at: &TablePosition) {
        let shelves = shelf(zones.iter().map(|(zone, _)| *zone));
        for ((zone, seat), place) in zones.iter().zip(shelves) {
            match (&zone.terms.grid, zone.seen) {
                (Some(_), _) => self.squares(zone, *seat, at, &place),
                (None, Visibility::CardByCard) => {
                    for (number, slot) in zone.slots.iter().enumerate() {
                        let along = place.first + FAN * number as f64;
                        self.card(zone, slot, &at.moved(along, place.inward), number);
                    }
                }
                (None, _) => self.pile(zone, &at.moved(place.first, place.inward)),
            }
        }
    }

    /// A zone of squares: each drawn, with a point to which cards snap, and its cards on them.
    fn squares(&mut self, zone: &Zone, seat: Option<SeatId>, at: &TablePosition, place: &Shelf) {
        let Some(grid) = &zone.terms.grid else {
            return;
        };
        for cell in grid.cells() {
            let (along, inward) = place.cell(cell, grid);
            let spot = at.moved(along, inward);
            self.snaps.push(spot.snap());
            self.lines.push(spot.square());
        }
        // What has no square of its own lies on the first, as a heap would.
        for (number, slot) in zone.slots.iter().enumerate() {
            let table = &self.start.table;
            let mut lying = table.lying(slot.card);
            for _ in 0..zone.slots.len() {
                match (lying.at, lying.on) {
                    (None, Some(on)) => lying = table.lying(on),
                    _ => break,
                }
            }
            let cell = lying.at.or_else(|| grid.cells().next());
            let (along, inward) =
                cell.map_or((place.first, place.inward), |cell| place.cell(cell, grid));
            let mut spot = at.moved(along, inward);
            let owner = table.lying(slot.card).owner.filter(|_| seat.is_none());
            let chairs = chairs(table.seats.len());
            if let Some(chair) = owner.and_then(|owner| chairs.get(owner.index())) {
                spot.turned = chair.turned;
            }
            self.card(zone, slot, &spot, number);
        }
    }

    /// A hand, all of it within its zone.
    fn hand(&mut self, held: &[Slot], at: &TablePosition) {
        let gaps = held.len().saturating_sub(1).max(1) as f64;
        let apart = FAN.min((HAND.0 - 2.0 * CARD.0) / gaps);
        for (number, slot) in held.iter().enumerate() {
            let along = (number as f64 - gaps / 2.0) * apart;
            let along = if held.len() == 1 { 0.0 } else { along };
            let mut card = self.contained(slot);
            card["Transform"] = at.moved(along, 0.0).transform(number, false, false);
            card["Description"] = HELD.into();
            self.add(card);
        }
    }

    /// A card on the table.
    fn card(&mut self, zone: &Zone, slot: &Slot, at: &TablePosition, high: usize) {
        let down = match zone.seen {
            Visibility::CardByCard => !slot.up,
            seen => seen != Visibility::ByAll,
        };
        let lying = self.start.table.lying(slot.card);
        let mut card = self.contained(slot);
        card["Transform"] = at.transform(high, down, lying.sideways);
        card["Description"] = description(zone, &lying).into();
        self.add(card);
    }

    fn pile(&mut self, zone: &Zone, at: &TablePosition) {
        let down = zone.seen != Visibility::ByAll;
        match zone.slots.as_slice() {
            [] => (),
            [one] => self.card(zone, one, at, 0),
            slots => {
                // The first of the list lies uppermost face down; turned over, the last does.
                let mut cards: Vec<Value> = slots
                    .iter()
                    .map(|slot| {
                        let card = self.contained(slot);
                        self.named(card)
                    })
                    .collect();
                if !down {
                    cards.reverse();
                }
                let ids: Vec<Value> = cards.iter().map(|card| card["CardID"].clone()).collect();
                let mut sheets = Map::new();
                for card in &cards {
                    if let Some(used) = card["CustomDeck"].as_object() {
                        sheets.extend(used.clone());
                    }
                }
                let transform = at.transform(0, down, false);
                self.add(json!({"Name": "DeckCustom", "Transform": transform,
                    "Nickname": zone.name, "Description": "", "HideWhenFaceDown": true,
                    "DeckIDs": ids, "CustomDeck": sheets, "ContainedObjects": cards}));
            }
        }
    }

    /// A card as it lies in a pile.
    fn contained(&self, slot: &Slot) -> Value {
        let instance = self.start.table.instance(slot.card);
        let (sheet, slot) = self.proxies.slot(&instance.name).unwrap_or_default();
        let (columns, rows) = self.proxies.grid(sheet);
        let number = (sheet + 1).to_string();
        let entry = json!({"FaceURL": self.faces.get(sheet), "BackURL": self.back,
            "NumWidth": columns, "NumHeight": rows, "BackIsHidden": true, "UniqueBack": false});
        json!({"Name": "Card", "Transform": TablePosition::MIDDLE.transform(0, true, false),
            "Nickname": instance.name, "Description": "", "GMNotes": instance.id,
            "HideWhenFaceDown": true, "Hands": true,
            "CardID": (sheet + 1) * 100 + slot, "CustomDeck": {number: entry}})
    }
}

/// The zone of a card, and what is counted on it.
fn description(zone: &Zone, lying: &CardPosition) -> String {
    let counters = lying.counters.iter();
    let counters = counters.map(|(counter, value)| format!("{counter}: {value}"));
    let lines = std::iter::once(zone.name.clone()).chain(counters);
    lines.collect::<Vec<_>>().join("\n")
}
