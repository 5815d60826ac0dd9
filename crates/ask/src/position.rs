//! The state of a match as a page shows it: made of one reader's view and log, field by field. Cards
//! have names and slots here and no ids: an id says where a card was in a deck's list.

use decklaw_cards::pool::{NameField, Pool};
use decklaw_play::look::Mat;
use decklaw_play::matches::{
    CardView, LogLine, Match, MatchError, MatchLog, Reader, SeatId, View, ZoneView, zone_name,
};
use decklaw_text::text::escape_control;
use serde_json::{Map, Value, json};

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
    let seats = view.seats.iter().map(|(seat, table)| {
        let about = json!({"name": escape_control(&table.name, false), "counters": table.counters,
            "spec": table.spec.as_ref().and_then(Option::as_ref)});
        (seat.to_string(), about)
    });
    let seats: Map<String, Value> = seats.collect();
    let zones: Vec<Value> = view.zones().map(|zone| zone_of(&view, mat, zone)).collect();
    let mut out = json!({
        "format": view.format, "options": view.options,
        "for": view.reader, "first": view.first, "seats": seats, "zones": zones,
        "digest": made.inputs_digest(),
        "chance": made.inputs.randomness.seed_source,
        "rolls": view.shared.rolls,
    });
    let first = log.len().saturating_sub(LINES);
    let lines: Vec<Value> = log.lines(first, reader).map(shown_line).collect();
    out["log"] = json!({"first": first, "lines": lines});
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

/// A line of a log, as a page shows it.
pub(crate) fn shown_line(line: LogLine<'_>) -> Value {
    let text = escape_control(line.text, false);
    json!(LogLine { text: &text, ..line })
}

/// A zone of a view. Cards have names and slots.
fn zone_of(
    view: &View,
    mat: Option<&Mat>,
    (owner, name, zone): (Option<SeatId>, &str, &ZoneView),
) -> Value {
    let terms = &zone.terms;
    let card = |(slot, card): (usize, &CardView)| {
        let lying = zone.lying.iter().find(|lying| lying.slot == slot);
        let mut out = lying.map_or_else(|| json!({"slot": slot}), |lying| json!(lying));
        match card {
            CardView::Open(id) | CardView::Up { card: id, .. } => {
                out["name"] = json!(view.cards.get(id).map(|name| escape_control(name, false)));
            }
            CardView::Down { .. } => out["down"] = json!(true),
        }
        out
    };
    let cards = zone.cards.as_ref();
    let cards: Option<Vec<Value>> = cards.map(|cards| cards.iter().enumerate().map(card).collect());
    let full = owner.map_or_else(|| name.to_owned(), |seat| format!("{seat}.{name}"));
    json!({
        "zone": escape_control(&full, false), "owner": owner, "kind": escape_control(name, false),
        "name": escape_control(&zone_name(mat, name), false), "count": zone.count, "cards": cards,
        "seen": zone.seen, "grid": terms.grid, "most": terms.most, "told": terms.told,
    })
}
