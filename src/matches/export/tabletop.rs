//! A start position as a save of Tabletop Simulator.
//!
//! A `CustomDeck` entry is a sheet of faces; a card's id is the sheet's number times 100 plus
//! the slot, row by row from 0. Piles are `DeckCustom` objects whose contained cards keep
//! their order; hands lie in `HandTrigger` zones, and older programs read the `Hands` block.

use crate::matches::file::Match;
use crate::matches::paper::proxies::Proxies;
use crate::matches::seat::SeatId;
use crate::matches::table::{Seen, Slot, Zone};
use crate::matches::written::pretty;
use serde_json::{Map, Value, json};

/// Seat by seat: the colour, where the hand lies, and which way it faces, in degrees.
const SEATS: [(&str, f64, f64, f64); 4] = [
    ("White", 0.0, -22.0, 0.0),
    ("Green", 0.0, 22.0, 180.0),
    ("Red", -34.0, 0.0, 90.0),
    ("Blue", 34.0, 0.0, 270.0),
];

/// How far apart piles and fanned cards lie.
const PILE: f64 = 3.0;
const FAN: f64 = 0.8;

/// The save: every zone in order, hands in hand. `faces` and `back` are the addresses of the
/// sheets and of the back.
pub fn tabletop_save(start: &Match, proxies: &Proxies<'_>, faces: &[String], back: &str) -> String {
    let mut save = Save {
        start,
        proxies,
        faces,
        back,
        objects: Vec::new(),
    };
    save.row(&start.table.shared, None);
    let mut hands = Vec::new();
    for (seat, table) in start.table.seat_ids().zip(&start.table.seats) {
        let transform = hand_zone(seat);
        let (colour, ..) = SEATS[seat.index()];
        hands.push(json!({"Color": colour, "Transform": transform}));
        let zone = json!({"Name": "HandTrigger", "Transform": transform, "Nickname": "",
            "Locked": true, "FogColor": colour});
        save.add(zone);
        save.row(&table.zones, Some(seat));
    }
    let note = note(start);
    let value = json!({
        "SaveName": format!("{} ({})", start.inputs.format, start.generated_for()),
        "GameMode": "", "Date": "", "Table": "Table_RPG", "Sky": "Sky_Museum", "Note": note,
        "Rules": "", "LuaScript": "", "LuaScriptState": "", "XmlUI": "",
        "Gravity": 0.5, "PlayArea": 1.0,
        "Hands": {"Enable": true, "DisableUnused": false, "Hiding": 0, "HandTransforms": hands},
        "ObjectStates": save.objects,
    });
    pretty(&value)
}

impl Match {
    /// Who plays, for a title.
    fn generated_for(&self) -> String {
        let names: Vec<&str> = self
            .inputs
            .seats
            .iter()
            .map(|seat| seat.name.as_str())
            .collect();
        names.join(", ")
    }
}

/// Who begins, and every counter: what a table of cards cannot show.
fn note(start: &Match) -> String {
    let mut lines = Vec::new();
    if let Some(first) = start.table.first {
        lines.push(format!("{} begins", SEATS[first.index()].0));
    }
    for (seat, table) in start.table.seat_ids().zip(&start.table.seats) {
        for (counter, value) in &table.counters {
            lines.push(format!("{} {counter}: {value}", SEATS[seat.index()].0));
        }
    }
    lines.join("\n")
}

fn place(x: f64, y: f64, z: f64, turned: f64, down: bool) -> Value {
    json!({"posX": x, "posY": y, "posZ": z, "rotX": 0.0, "rotY": turned,
        "rotZ": if down { 180.0 } else { 0.0 }, "scaleX": 1.0, "scaleY": 1.0, "scaleZ": 1.0})
}

fn hand_zone(seat: SeatId) -> Value {
    let (_, x, z, turned) = SEATS[seat.index()];
    json!({"posX": x, "posY": 3.0, "posZ": z, "rotX": 0.0, "rotY": turned, "rotZ": 0.0,
        "scaleX": 14.0, "scaleY": 6.0, "scaleZ": 5.0})
}

struct Save<'a> {
    start: &'a Match,
    proxies: &'a Proxies<'a>,
    faces: &'a [String],
    back: &'a str,
    objects: Vec<Value>,
}

impl Save<'_> {
    fn add(&mut self, mut object: Value) {
        object["GUID"] = format!("{:06x}", self.objects.len() + 1).into();
        self.objects.push(object);
    }

    /// Lays zones side by side: in the middle, or before a seat with its hand behind them.
    fn row(&mut self, zones: &[Zone], seat: Option<SeatId>) {
        let spread = |zone: &Zone| match zone.seen {
            Seen::CardByCard => PILE + FAN * zone.slots.len().saturating_sub(1) as f64,
            _ => PILE,
        };
        let piles = || {
            zones
                .iter()
                .filter(|zone| seat.is_none() || zone.name != "hand")
        };
        let mut along = -piles().map(spread).sum::<f64>() / 2.0 + PILE / 2.0;
        for zone in piles() {
            match zone.seen {
                Seen::CardByCard => {
                    for (number, slot) in zone.slots.iter().enumerate() {
                        let at = along + FAN * number as f64;
                        self.card(slot, seat, at, 0.0, number, !slot.up, &zone.name);
                    }
                }
                seen => self.pile(zone, seat, along, seen != Seen::ByAll),
            }
            along += spread(zone);
        }
        let hand = zones
            .iter()
            .find(|zone| seat.is_some() && zone.name == "hand");
        let held = hand.map_or(&[][..], |hand| &hand.slots);
        for (number, slot) in held.iter().enumerate() {
            let at = (number as f64 - held.len() as f64 / 2.0) * FAN;
            self.card(slot, seat, at, -1.0, number, false, "hand");
        }
    }

    /// A position on the table: `along` to the right of a seat's middle, in the hand zone
    /// where `out` is -1, before it where `out` is 0.
    fn at(seat: Option<SeatId>, along: f64, out: f64, high: usize, down: bool) -> Value {
        let y = 1.5 + 0.05 * high as f64;
        let Some(seat) = seat else {
            return place(along, y, 0.0, 180.0, down);
        };
        let (_, x, z, turned) = SEATS[seat.index()];
        let inward = if out < 0.0 { 0.0 } else { 9.0 };
        let (sin, cos) = turned.to_radians().sin_cos();
        // Whole hundredths: no platform's sine shows in the file.
        let round = |number: f64| (number * 100.0).round() / 100.0;
        let x = round(x + along * cos + inward * sin);
        let z = round(z - along * sin + inward * cos);
        place(x, y, z, (turned + 180.0) % 360.0, down)
    }

    #[allow(clippy::too_many_arguments)]
    fn card(
        &mut self,
        slot: &Slot,
        seat: Option<SeatId>,
        along: f64,
        out: f64,
        high: usize,
        down: bool,
        zone: &str,
    ) {
        let transform = Save::at(seat, along, out, high, down);
        let mut card = self.contained(slot);
        card["Transform"] = transform;
        card["Description"] = zone.into();
        self.add(card);
    }

    fn pile(&mut self, zone: &Zone, seat: Option<SeatId>, along: f64, down: bool) {
        let transform = Save::at(seat, along, 0.0, 0, down);
        match zone.slots.as_slice() {
            [] => (),
            [one] => self.card(one, seat, along, 0.0, 0, down, &zone.name),
            slots => {
                // The first of the list lies uppermost face down; turned over, the last does.
                let mut cards: Vec<Value> = slots.iter().map(|slot| self.contained(slot)).collect();
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
        let (columns, rows) = Proxies::grid();
        let number = (sheet + 1).to_string();
        let entry = json!({"FaceURL": self.faces.get(sheet), "BackURL": self.back,
            "NumWidth": columns, "NumHeight": rows, "BackIsHidden": true, "UniqueBack": false});
        json!({"Name": "Card", "Transform": place(0.0, 1.0, 0.0, 180.0, true),
            "Nickname": instance.name, "Description": "", "GMNotes": instance.id,
            "HideWhenFaceDown": true, "Hands": true,
            "CardID": (sheet + 1) * 100 + slot, "CustomDeck": {number: entry}})
    }
}
