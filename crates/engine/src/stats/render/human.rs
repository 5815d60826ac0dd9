//! Statistics in a terminal: bars for one deck, a column for each of several.

use crate::stats::measure::nearest;
use crate::stats::{DeckStats, Measure, Value};
use decklaw_text::text::{counted, escape_control, wrapped};
use std::fmt::Write as _;
use unicode_width::{UnicodeWidthChar as _, UnicodeWidthStr as _};

/// The widest column of keys.
const KEYS: usize = 18;
/// The longest bar.
const LONGEST: usize = 40;
/// The cell of a deck that does not have a key.
const EMPTY: &str = "·";

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
    let mut lines = |text: &str| {
        let text = escape_control(text, false);
        let lines = if text.width() <= width {
            text.into_owned()
        } else {
            wrapped(&text, width).join("\n")
        };
        out.push_str(&lines);
        out.push('\n');
    };
    lines(&title(deck));
    let sections = deck.sections.iter();
    let mut cards: Vec<String> = sections.map(|(id, copies)| format!("{id} {copies}")).collect();
    cards.push(format!("{} different", deck.different));
    if deck.unknown > 0 {
        cards.push(format!("{} unknown", deck.unknown));
    }
    lines(&format!("Cards: {}", cards.join(", ")));
    let mut is_after_bars = true;
    for measure in &deck.measures {
        let name = escape_control(&measure.name, false);
        match &measure.value {
            Value::Counts(counts) => {
                // Writing to a string cannot fail; so below.
                let _ = writeln!(out, "\n{name}");
                bars(&mut out, counts, width);
                is_after_bars = true;
            }
            Value::Sum { .. } => {
                if std::mem::take(&mut is_after_bars) {
                    out.push('\n');
                }
                for line in wrapped(&format!("{name}: {}", sum(&measure.value)), width) {
                    let _ = writeln!(out, "{line}");
                }
            }
        }
    }
    out
}

fn bars(out: &mut String, counts: &[(String, i64)], width: usize) {
    if counts.is_empty() {
        out.push_str("  no cards\n");
        return;
    }
    let copies = counts.iter().map(|(_, copies)| *copies);
    let most = copies.max().unwrap_or(0).max(1);
    let digits = most.to_string().len();
    let keys = counts.iter().map(|(key, _)| key.width());
    let keys = keys.max().unwrap_or(0).min(KEYS);
    let longest = width.saturating_sub(keys + digits + 4).min(LONGEST);
    for (key, copies) in counts {
        let eighths = (i128::from(*copies) * 8 * longest as i128 / i128::from(most)) as usize;
        let mut bar = "█".repeat(eighths / 8);
        bar.push_str(["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"][eighths % 8]);
        let line = format!("  {} {copies:>digits$} {bar}", padded(key, keys));
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
            let mean = format!("{:.3}", nearest((over, under)));
            let mean = mean.trim_end_matches('0').trim_end_matches('.');
            format!("{sum} on {on}, mean {mean} ({over}/{under})")
        }
    }
}

/// A row of the table of several decks: a heading, or a label and a cell for each deck.
struct Row {
    label: String,
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
    let labels = rows.iter().filter(|row| !row.cells.is_empty());
    let labels = labels.map(|row| row.label.width());
    let label = labels.max().unwrap_or(0).min(KEYS + 2);
    let cells = rows.iter().flat_map(|row| &row.cells).map(String::len);
    let cell = cells.max().unwrap_or(1).max(digits) + 2;
    let across = ((width - label) / cell).max(1);
    for first in (0..decks.len()).step_by(across) {
        let columns = first..decks.len().min(first + across);
        let numbers = columns.clone().map(|at| format!("{:>cell$}", at + 1));
        let numbers: String = numbers.collect();
        let _ = writeln!(out, "\n{}{numbers}", padded("", label));
        for row in &rows {
            let line = if row.cells.is_empty() {
                cut(&row.label, width)
            } else {
                let cells = row.cells[columns.clone()].iter();
                let cells: String = cells.map(|text| format!("{text:>cell$}")).collect();
                format!("{}{cells}", padded(&row.label, label))
            };
            let _ = writeln!(out, "{}", line.trim_end());
        }
    }
    out
}

/// The sections and statistics of the decks, in the order in which they first occur.
fn rows(decks: &[DeckStats]) -> Vec<Row> {
    let mut rows = Vec::new();
    let mut row = |label: &str, cells: Vec<String>| {
        let label = escape_control(label, false).into_owned();
        rows.push(Row { label, cells });
    };
    row("Cards", Vec::new());
    let sections = |deck: &'_ DeckStats| deck.sections.clone();
    for id in union(decks.iter().map(sections)) {
        let copies = |deck: &DeckStats| find(&deck.sections, &id).map(|copies| copies.to_string());
        let cells = decks.iter().map(|deck| copies(deck).unwrap_or_default());
        row(&format!("  {id}"), cells.collect());
    }
    let different = decks.iter().map(|deck| deck.different.to_string());
    row("  different", different.collect());
    if decks.iter().any(|deck| deck.unknown > 0) {
        let unknown = decks.iter().map(|deck| deck.unknown.to_string());
        row("  unknown", unknown.collect());
    }
    let ids = |deck: &'_ DeckStats| {
        let measures = deck.measures.iter();
        measures.map(|measure| (measure.id.clone(), 0)).collect()
    };
    for id in union(decks.iter().map(ids)) {
        let own = |deck: &'_ DeckStats| deck.measures.iter().position(|own| own.id == id);
        let measures: Vec<Option<&Measure>> =
            decks.iter().map(|deck| own(deck).map(|at| &deck.measures[at])).collect();
        let name = measures.iter().flatten().next();
        row(name.map_or(&id, |measure| &measure.name), Vec::new());
        for key in keys(&measures) {
            let cell = |measure: &Option<&Measure>| match measure.map(|measure| &measure.value) {
                Some(Value::Counts(counts)) => find(counts, &key).filter(|copies| *copies > 0),
                _ => None,
            };
            let cell =
                |measure| cell(measure).map_or(EMPTY.to_owned(), |copies| copies.to_string());
            row(&format!("  {key}"), measures.iter().map(cell).collect());
        }
        let values = || measures.iter().map(|measure| measure.map(|own| &own.value));
        if values().flatten().any(|value| matches!(value, Value::Sum { .. })) {
            let sum = |value: Option<&Value>| match value {
                Some(Value::Sum { sum, .. }) => sum.to_string(),
                _ => EMPTY.to_owned(),
            };
            let mean = |value: Option<&Value>| match value.and_then(Value::mean) {
                Some(mean) => format!("{:.2}", nearest(mean)),
                None => EMPTY.to_owned(),
            };
            row("  sum", values().map(sum).collect());
            row("  mean", values().map(mean).collect());
        }
    }
    rows
}

/// The keys of a statistic of several decks, in the order in which each deck has them.
fn keys(measures: &[Option<&Measure>]) -> Vec<String> {
    let counts = measures.iter().flatten().map(|measure| match &measure.value {
        Value::Counts(counts) => counts.clone(),
        Value::Sum { .. } => Vec::new(),
    });
    let mut keys = union(counts);
    let orders = || measures.iter().flatten().map(|measure| &measure.order);
    let words: Vec<&String> = orders().flatten().flatten().collect();
    let is_numeric = orders().all(Option::is_none);
    keys.sort_by_cached_key(|key| {
        let number = key.parse::<i64>().ok().filter(|_| is_numeric);
        let place = words.iter().position(|word| *word == key);
        let place = place.unwrap_or(words.len());
        (key.starts_with('('), number, place, key.clone())
    });
    keys
}

fn find(counts: &[(String, i64)], key: &str) -> Option<i64> {
    let found = counts.iter().find(|(known, _)| known == key);
    found.map(|(_, copies)| *copies)
}

/// The keys of all lists in the order in which they first occur.
fn union(lists: impl Iterator<Item = Vec<(String, i64)>>) -> Vec<String> {
    let mut seen = std::collections::HashSet::new();
    let keys = lists.flatten().map(|(key, _)| key);
    keys.filter(|key| seen.insert(key.clone())).collect()
}

fn title(deck: &DeckStats) -> String {
    let name = deck.name.as_ref();
    let name = name.map_or(String::new(), |name| format!("  \"{name}\""));
    format!("{}  {}{name}", deck.deck, deck.format)
}

/// A text without control characters, of at most `width` columns.
fn cut(text: &str, width: usize) -> String {
    let text = escape_control(text, false);
    if text.width() <= width {
        return text.into_owned();
    }
    let mut out = String::new();
    for character in text.chars() {
        if out.width() + character.width().unwrap_or(0) + 1 > width {
            break;
        }
        out.push(character);
    }
    out + "…"
}

/// The same, of exactly `width` columns.
fn padded(text: &str, width: usize) -> String {
    let text = cut(text, width);
    let space = width.saturating_sub(text.width());
    text + &" ".repeat(space)
}
