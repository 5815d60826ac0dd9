//! Statistics in a terminal, as a table and as a picture.

mod human;

pub use human::human;

use super::measure::nearest;
use super::{DeckStats, Value};
use crate::chart::Picture;
use decklaw_text::spreadsheet::Cell;

/// The columns of the long table behind those of the deck.
pub const COLUMNS: [&str; 4] = ["section", "metric", "key", "value"];

/// The rows of a deck in the long table: copies by section, then each statistic of all sections that
/// are counted. A sum has no keys: `mana.sum`, `mana.cards` and `mana.mean` are metrics, the last as
/// the nearest decimal.
pub fn csv_rows(deck: &DeckStats) -> Vec<[Cell; 4]> {
    let mut rows = Vec::new();
    for (section, copies) in &deck.sections {
        let (section, copies) = (Cell::text(section), Cell::Number(*copies));
        rows.push([section, Cell::text("cards"), Cell::empty(), copies]);
    }
    let mut row = |metric: &str, key: &str, value: Cell| {
        rows.push([Cell::empty(), Cell::text(metric), Cell::text(key), value]);
    };
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

/// The statistics as an SVG picture: a bar for each key, deck by deck.
pub fn to_svg(decks: &[DeckStats]) -> String {
    let mut picture = Picture::new("Statistics");
    for deck in decks {
        picture.heading(deck.name.as_deref().unwrap_or(&deck.deck));
        for measure in &deck.measures {
            match &measure.value {
                Value::Counts(counts) => {
                    picture.heading(&measure.name);
                    let copies = counts.iter().map(|(_, copies)| *copies);
                    let most = copies.max().unwrap_or(0).max(1);
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
