//! Statistics shown: in a terminal, as a table, in JSON and as a picture.

mod human;

pub use human::human;

use super::{DeckStats, Value};
use decklaw_core::chart::Picture;
use decklaw_core::spreadsheet::Cell;
use serde_json::{Map, Value as Json, json};

/// The columns of the long table.
pub fn csv_header() -> [&'static str; 4] {
    ["deck", "metric", "key", "value"]
}

/// The rows of a deck in the long table: copies by section, then each statistic. A sum has no keys:
/// `mana.sum`, `mana.cards` and `mana.mean` are metrics, the last as the nearest decimal.
pub fn csv_rows(deck: &DeckStats) -> Vec<[Cell; 4]> {
    let mut rows = Vec::new();
    let mut row = |metric: &str, key: &str, value: Cell| {
        rows.push([
            Cell::text(&deck.deck),
            Cell::text(metric),
            Cell::text(key),
            value,
        ]);
    };
    for (section, copies) in &deck.sections {
        row("cards", section, Cell::Number(*copies));
    }
    row("different", "", Cell::Number(deck.different));
    row("unknown", "", Cell::Number(deck.unknown));
    for measure in &deck.measures {
        let id = &measure.id;
        match &measure.value {
            Value::Counts(counts) => {
                for (key, copies) in counts {
                    row(id, key, Cell::Number(*copies));
                }
            }
            Value::Sum { sum, cards } => {
                row(&format!("{id}.sum"), "", Cell::number(&sum.to_string()));
                row(&format!("{id}.cards"), "", Cell::Number(*cards));
                if let Some(mean) = measure.value.mean() {
                    row(&format!("{id}.mean"), "", Cell::Decimal(nearest(mean)));
                }
            }
        }
    }
    rows
}

impl serde::Serialize for DeckStats {
    /// As an entry of `decklaw/stats/1`.
    fn serialize<S: serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        deck_json(self).serialize(to)
    }
}

/// A deck's entry in the document.
fn deck_json(deck: &DeckStats) -> Json {
    let sections: Map<String, Json> = deck
        .sections
        .iter()
        .map(|(id, copies)| (id.clone(), json!(copies)))
        .collect();
    let metrics: Vec<Json> = deck
        .measures
        .iter()
        .map(|measure| match &measure.value {
            Value::Counts(counts) => json!({
                "id": measure.id,
                "name": measure.name,
                "counts": counts
                    .iter()
                    .map(|(key, value)| json!({"key": key, "value": value}))
                    .collect::<Vec<_>>(),
            }),
            Value::Sum { sum, cards } => json!({
                "id": measure.id,
                "name": measure.name,
                "sum": exact(*sum),
                "cards": cards,
                "mean": measure.value.mean().map(nearest),
                "mean_fraction": measure.value.mean().map(|(over, under)| format!("{over}/{under}")),
            }),
        })
        .collect();
    json!({
        "deck": deck.deck,
        "format": deck.format,
        "name": deck.name,
        "player": deck.player,
        "cards": sections,
        "different": deck.different,
        "unknown": deck.unknown,
        "metrics": metrics,
    })
}

/// A whole number as JSON has it: sums beyond 64 bits, which take absurd decks, as text.
fn exact(number: i128) -> Json {
    i64::try_from(number).map_or_else(|_| json!(number.to_string()), Json::from)
}

fn nearest((over, under): (i128, i128)) -> f64 {
    over as f64 / under as f64
}

/// The statistics as an SVG picture: a bar for each key, deck by deck.
pub fn to_svg(decks: &[DeckStats]) -> String {
    let mut picture = Picture::new("Statistics");
    for deck in decks {
        picture.heading(deck.name.as_deref().unwrap_or(&deck.deck));
        for measure in &deck.measures {
            match &measure.value {
                Value::Counts(counts) => {
                    picture.heading(&measure.name);
                    let most = counts
                        .iter()
                        .map(|(_, copies)| *copies)
                        .max()
                        .unwrap_or(0)
                        .max(1);
                    for (key, copies) in counts {
                        picture.bar(key, *copies as f64 / most as f64, &copies.to_string());
                    }
                }
                Value::Sum { .. } => {
                    let text = format!("{}: {}", measure.name, human::sum(&measure.value));
                    picture.heading(&text);
                }
            }
        }
    }
    picture.finish()
}
