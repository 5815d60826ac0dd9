//! Statistics in a terminal: bars for one deck, a column a deck for several.

use crate::stats::{DeckStats, Value};
use decklaw_core::text::{counted, harmless};
use std::fmt::Write as _;
use unicode_width::UnicodeWidthStr as _;

/// The widest column of keys.
const KEYS: usize = 18;
/// The longest bar.
const LONGEST: usize = 40;

/// The statistics in lines of at most `width` columns, 40 or more.
pub fn human(decks: &[DeckStats], width: usize) -> String {
    let width = width.max(40);
    match decks {
        [] => String::new(),
        [deck] => one(deck, width),
        decks => many(decks, width),
    }
}

fn one(deck: &DeckStats, width: usize) -> String {
    let mut out = String::new();
    // Writing to a string cannot fail; so below.
    let title = harmless(&title(deck), false).into_owned();
    let lines = match title.width() <= width {
        true => vec![title],
        // A path that is longer than a line stays whole.
        false => decklaw_core::text::wrapped(&title, width),
    };
    for line in lines {
        let _ = writeln!(out, "{line}");
    }
    let mut cards: Vec<String> = deck
        .sections
        .iter()
        .map(|(id, copies)| format!("{id} {copies}"))
        .collect();
    cards.push(format!("{} different", deck.different));
    if deck.unknown > 0 {
        cards.push(format!("{} unknown", deck.unknown));
    }
    for line in decklaw_core::text::wrapped(&format!("Cards: {}", cards.join(", ")), width) {
        let _ = writeln!(out, "{}", harmless(&line, false));
    }
    let mut bars_above = true;
    for measure in &deck.measures {
        let name = harmless(&measure.name, false);
        match &measure.value {
            Value::Counts(counts) => {
                let _ = writeln!(out, "\n{name}");
                bars(&mut out, counts, width);
                bars_above = true;
            }
            Value::Sum { .. } => {
                out.push_str(if std::mem::take(&mut bars_above) {
                    "\n"
                } else {
                    ""
                });
                for line in
                    decklaw_core::text::wrapped(&format!("{name}: {}", sum(&measure.value)), width)
                {
                    let _ = writeln!(out, "{line}");
                }
            }
        }
    }
    out
}

fn bars(out: &mut String, counts: &[(String, i64)], width: usize) {
    if counts.is_empty() {
        let _ = writeln!(out, "  no cards");
        return;
    }
    let most = counts
        .iter()
        .map(|(_, copies)| *copies)
        .max()
        .unwrap_or(0)
        .max(1);
    let number = most.to_string().len();
    let keys = counts
        .iter()
        .map(|(key, _)| key.width())
        .max()
        .unwrap_or(0)
        .min(KEYS);
    let room = (width.saturating_sub(keys + number + 4)).min(LONGEST);
    for (key, copies) in counts {
        let eighths = (i128::from(*copies) * 8 * room as i128 / i128::from(most)) as usize;
        let mut bar = "█".repeat(eighths / 8);
        bar.push_str(["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"][eighths % 8]);
        let line = format!("  {} {copies:>number$} {bar}", padded(key, keys));
        let _ = writeln!(out, "{}", line.trim_end());
    }
}

/// A sum and its mean in words: `112 on 40 cards, mean 2.8 (14/5)`.
pub(super) fn sum(value: &Value) -> String {
    let Value::Sum { sum, cards } = value else {
        return String::new();
    };
    let on = counted(*cards, "card");
    match value.mean() {
        None => format!("{sum} on {on}"),
        Some((over, 1)) => format!("{sum} on {on}, mean {over}"),
        Some((over, under)) => {
            let mean = format!("{:.3}", over as f64 / under as f64);
            let mean = mean.trim_end_matches('0').trim_end_matches('.');
            format!("{sum} on {on}, mean {mean} ({over}/{under})")
        }
    }
}

/// One row of the table of several decks.
struct Row {
    label: String,
    heading: bool,
    cells: Vec<String>,
}

fn many(decks: &[DeckStats], width: usize) -> String {
    let mut out = String::new();
    let digits = decks.len().to_string().len();
    for (number, deck) in decks.iter().enumerate() {
        let line = format!("{:>digits$}  {}", number + 1, title(deck));
        let _ = writeln!(out, "{}", cut(&line, width));
    }
    let rows = rows(decks);
    let labels = rows
        .iter()
        .filter(|row| !row.heading)
        .map(|row| row.label.width());
    let label = labels.max().unwrap_or(0).min(KEYS + 2);
    let cells = rows.iter().flat_map(|row| &row.cells).map(String::len);
    let cell = cells.max().unwrap_or(1).max(digits) + 2;
    let across = ((width - label) / cell).max(1);
    for first in (0..decks.len()).step_by(across) {
        let chosen = first..decks.len().min(first + across);
        let numbers: String = chosen
            .clone()
            .map(|at| format!("{:>cell$}", at + 1))
            .collect();
        let _ = writeln!(out, "\n{}{numbers}", padded("", label));
        for row in &rows {
            let line = match row.heading {
                true => cut(&row.label, width),
                false => {
                    let cells = row.cells[chosen.clone()].iter();
                    let cells: String = cells.map(|text| format!("{text:>cell$}")).collect();
                    format!("{}{cells}", padded(&row.label, label))
                }
            };
            let _ = writeln!(out, "{}", line.trim_end());
        }
    }
    out
}

/// Every section and statistic that a deck has, in the order in which they are first met.
fn rows(decks: &[DeckStats]) -> Vec<Row> {
    let plain = |label: String, cells: Vec<String>| Row {
        label,
        heading: false,
        cells,
    };
    let heading = |label: &str| Row {
        label: harmless(label, false).into_owned(),
        heading: true,
        cells: Vec::new(),
    };
    let mut rows = vec![heading("Cards")];
    let sections = union(
        decks
            .iter()
            .map(|deck| deck.sections.iter().map(|(id, _)| id.as_str()).collect()),
    );
    for id in sections {
        let copies = |deck: &DeckStats| {
            find(&deck.sections, id).map_or(String::new(), |copies| copies.to_string())
        };
        rows.push(plain(format!("  {id}"), decks.iter().map(copies).collect()));
    }
    rows.push(plain(
        "  different".to_owned(),
        decks
            .iter()
            .map(|deck| deck.different.to_string())
            .collect(),
    ));
    if decks.iter().any(|deck| deck.unknown > 0) {
        rows.push(plain(
            "  unknown".to_owned(),
            decks.iter().map(|deck| deck.unknown.to_string()).collect(),
        ));
    }
    let ids = union(decks.iter().map(|deck| {
        deck.measures
            .iter()
            .map(|measure| measure.id.as_str())
            .collect()
    }));
    for id in ids {
        let measures: Vec<_> = decks
            .iter()
            .map(|deck| deck.measures.iter().find(|measure| measure.id == id))
            .collect();
        let name = measures
            .iter()
            .flatten()
            .next()
            .map_or(id, |measure| &measure.name);
        rows.push(heading(name));
        let counts = |at: usize| match measures[at].map(|measure| &measure.value) {
            Some(Value::Counts(counts)) => counts.as_slice(),
            _ => &[],
        };
        let mut keys = union(
            (0..decks.len()).map(|at| counts(at).iter().map(|(key, _)| key.as_str()).collect()),
        );
        let orders = || measures.iter().flatten().map(|measure| &measure.order);
        let words: Vec<&String> = orders().flatten().flatten().collect();
        let numbers = orders().all(Option::is_none);
        // As each deck alone has them.
        keys.sort_by_key(|key| {
            let number = key.parse::<i64>().ok().filter(|_| numbers);
            let at = words.iter().position(|word| *word == key);
            (
                key.starts_with('('),
                number,
                at.unwrap_or(words.len()),
                *key,
            )
        });
        for key in keys {
            let cell = |at: usize| match find(counts(at), key) {
                Some(copies) if copies > 0 => copies.to_string(),
                _ => "·".to_owned(),
            };
            rows.push(plain(
                format!("  {key}"),
                (0..decks.len()).map(cell).collect(),
            ));
        }
        let sums = || {
            measures
                .iter()
                .map(|measure| measure.map(|measure| &measure.value))
        };
        if sums()
            .flatten()
            .any(|value| matches!(value, Value::Sum { .. }))
        {
            let sum = |value: Option<&Value>| match value {
                Some(Value::Sum { sum, .. }) => sum.to_string(),
                _ => "·".to_owned(),
            };
            let mean = |value: Option<&Value>| match value.and_then(Value::mean) {
                Some((over, under)) => format!("{:.2}", over as f64 / under as f64),
                None => "·".to_owned(),
            };
            rows.push(plain("  sum".to_owned(), sums().map(sum).collect()));
            rows.push(plain("  mean".to_owned(), sums().map(mean).collect()));
        }
    }
    rows
}

fn find(counts: &[(String, i64)], key: &str) -> Option<i64> {
    counts
        .iter()
        .find(|(known, _)| known == key)
        .map(|(_, copies)| *copies)
}

/// Words in the order in which they are first met.
fn union<'w>(lists: impl Iterator<Item = Vec<&'w str>>) -> Vec<&'w str> {
    let mut seen = std::collections::HashSet::new();
    lists.flatten().filter(|word| seen.insert(*word)).collect()
}

fn title(deck: &DeckStats) -> String {
    let name = deck
        .name
        .as_ref()
        .map_or(String::new(), |name| format!("  \"{name}\""));
    format!("{}  {}{name}", deck.deck, deck.format)
}

/// Harmless text of at most `width` columns.
fn cut(text: &str, width: usize) -> String {
    let text = harmless(text, false);
    if text.width() <= width {
        return text.into_owned();
    }
    let mut out = String::new();
    for character in text.chars() {
        if out.width() + unicode_width::UnicodeWidthChar::width(character).unwrap_or(0) + 1 > width
        {
            break;
        }
        out.push(character);
    }
    out + "…"
}

/// Harmless text of exactly `width` columns.
pub(super) fn padded(text: &str, width: usize) -> String {
    let text = cut(text, width);
    let space = width.saturating_sub(text.width());
    text + &" ".repeat(space)
}
