//! Statistics of a whole field: not deck by deck, but what most have of a thing.

use crate::stats::DeckStats;
use decklaw_core::text::{counted, harmless};
use std::fmt::Write as _;
use unicode_width::UnicodeWidthStr as _;

/// The widest column of what is counted.
const WIDEST: usize = 36;

/// A thing that is counted, and how many of it each deck has that has any.
struct Row {
    metric: String,
    key: String,
    values: Vec<f64>,
}

/// Of each statistic how many decks have it, and the lowest, the mean and the highest of those,
/// in lines of at most `width` columns, 60 or more.
pub fn field(decks: &[DeckStats], width: usize) -> String {
    let mut rows: Vec<Row> = Vec::new();
    for deck in decks {
        for [_, metric, key, value] in super::csv_rows(deck) {
            let Ok(value) = value.parse() else { continue };
            match rows
                .iter_mut()
                .find(|row| row.metric == metric && row.key == key)
            {
                Some(row) => row.values.push(value),
                None => rows.push(Row {
                    metric,
                    key,
                    values: vec![value],
                }),
            }
        }
    }
    let label = |row: &Row| harmless(&format!("{} {}", row.metric, row.key), false).into_owned();
    let labels = rows.iter().map(|row| label(row).width());
    let most = WIDEST.min(width.saturating_sub(40).max(12));
    let wide = labels.max().unwrap_or_default().min(most);
    let number = counted(i64::try_from(decks.len()).unwrap_or(i64::MAX), "deck");
    let mut out = format!("{number}\n");
    // Writing to a string cannot fail.
    let _ = writeln!(
        out,
        "  {:wide$}  {:>6}  {:>8}  {:>8}  {:>8}",
        "", "decks", "lowest", "mean", "highest"
    );
    for row in &rows {
        let lowest = row.values.iter().copied().fold(f64::INFINITY, f64::min);
        let highest = row.values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let mean = row.values.iter().sum::<f64>() / row.values.len() as f64;
        let label = super::human::padded(&label(row), wide);
        let _ = writeln!(
            out,
            "  {label}  {:>6}  {:>8}  {:>8}  {:>8}",
            row.values.len(),
            short(lowest),
            short(mean),
            short(highest)
        );
    }
    out
}

/// A number with at most two decimals.
fn short(number: f64) -> String {
    let text = format!("{number:.2}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}
