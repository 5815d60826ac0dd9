//! The state of a match as a page shows it: made of one reader's view and log, field by field. Cards
//! have names and slots here and no ids: an id says where a card was in a deck's list.

use decklaw_cards::pool::{NameField, Pool};
use decklaw_play::look::Mat;
use decklaw_play::matches::table::{Terms, Visibility};
use decklaw_play::matches::{
    CardView, LogLine, Match, MatchError, MatchLog, Reader, SeatId, View, ZoneView, zone_name,
};
use decklaw_text::text::escape_control;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

/// The most lines of a log that are sent at once.
const LINES: usize = 300;

/// The state of a match for one place at it, as a page gets it: that reader's own view and log,
/// field by field, cards by name and slot. With a pool the setup is over, and there are turns and
/// sums.
///
/// # Errors
/// A fault in the match.
pub fn position(
    made: &Match,
    log: &MatchLog,
    (pool, mat): (Option<&Pool>, Option<&Mat>),
    reader: Reader,
) -> Result<Value, MatchError> {
    let view = made.view(reader)?;
    let mut zones = Vec::new();
    let seen = |owner: Option<SeatId>, name: &str| {
        let zones = match owner {
            Some(seat) => made.table.seats.get(seat.index()).map(|seat| &seat.zones),
            None => Some(&made.table.shared),
        };
        let zone = zones.and_then(|zones| zones.iter().find(|zone| zone.name == name));
        zone.map(|zone| zone.seen)
    };
    zones_of(&mut zones, (&view, mat), None, &view.shared.zones, &seen);
    let mut seats = Map::new();
    for (id, table) in &view.seats {
        zones_of(&mut zones, (&view, mat), Some(*id), &table.zones, &seen);
        seats.insert(
            id.to_string(),
            json!({"name": escape_control(&table.name, false), "counters": table.counters,
                "spec": table.spec.clone().flatten()}),
        );
    }
    let mut out = json!({
        "format": view.format, "options": view.options,
        "for": view.reader, "first": view.first, "seats": seats, "zones": zones,
        "digest": made.inputs_digest(),
        "chance": made.inputs.randomness.seed_source,
        "rolls": view.shared.rolls,
    });
    let first = log.len().saturating_sub(LINES);
    let lines = log.lines(first, reader).map(|line| {
        let text = escape_control(line.text, false);
        json!(LogLine { text: &text, ..line })
    });
    out["log"] = json!({"first": first, "lines": lines.collect::<Vec<_>>()});
    if let Some(pool) = pool {
        let number = |name: &str, field: &str| {
            pool.number(pool.look_up(name, NameField::Name).card()?, field)
        };
        out["turn"] = json!(made.turn().number);
        out["step"] = json!(made.turn_step);
        out["active"] = json!(made.active);
        out["sums"] = json!(made.sums(number));
    }
    Ok(out)
}

fn zones_of(
    out: &mut Vec<Value>,
    (view, mat): (&View, Option<&Mat>),
    owner: Option<SeatId>,
    zones: &BTreeMap<String, ZoneView>,
    seen: &dyn Fn(Option<SeatId>, &str) -> Option<Visibility>,
) {
    for (name, zone) in zones {
        let full = match owner {
            Some(seat) => format!("{seat}.{name}"),
            None => name.clone(),
        };
        let terms: &Terms = &zone.terms;
        let card = |(slot, card): (usize, &CardView)| {
            let mut out = json!({"slot": slot});
            match card {
                CardView::Open(id) | CardView::Up { card: id, .. } => {
                    out["name"] = json!(view.cards.get(id).map(|name| escape_control(name, false)));
                }
                CardView::Down { .. } => out["down"] = json!(true),
            }
            if let Some(lying) = zone.lying.iter().find(|lying| lying.slot == slot) {
                for (key, value) in [
                    ("at", json!(lying.at)),
                    ("owner", json!(lying.owner)),
                    ("on", json!(lying.on)),
                ] {
                    if !value.is_null() {
                        out[key] = value;
                    }
                }
                if lying.sideways {
                    out["sideways"] = json!(true);
                }
                if !lying.counters.is_empty() {
                    out["counters"] = json!(lying.counters);
                }
            }
            out
        };
        let cards = zone.cards.as_ref();
        let cards: Option<Vec<Value>> =
            cards.map(|cards| cards.iter().enumerate().map(card).collect());
        let grid = terms.grid.as_ref().map(|grid| {
            json!({"rows": grid.rows, "columns": grid.columns, "home": grid.home, "touch": grid.touch})
        });
        out.push(json!({
            "zone": escape_control(&full, false), "owner": owner, "kind": escape_control(name, false), "name": escape_control(&zone_name(mat, name), false),
            "count": zone.count, "cards": cards, "seen": seen(owner, name), "grid": grid, "most": terms.most, "told": terms.told,
        }));
    }
}
