//! A report as a table: a row for each answer, each turn and each value of a total.

use crate::odds::{OddsReport, ReportEntry, Value};
use decklaw_text::spreadsheet::Cell;

/// The columns of the table.
pub const HEADER: [&str; 12] = [
    "query",
    "label",
    "hand",
    "turn",
    "seen",
    "value",
    "probability",
    "fraction",
    "method",
    "mulligan",
    "mulligans",
    "keep",
];

/// The rows of the table.
pub fn rows(report: &OddsReport) -> Vec<Vec<Cell>> {
    let mut rows = Vec::new();
    for entry in &report.answers {
        // The opening hand is turn 0, unless cards are drawn after it.
        let turn = entry.turn.or((entry.draws == 0).then_some(0));
        let seen = entry.seen().or(entry.hand);
        let answer = &entry.answer;
        add(&mut rows, entry, (turn, seen), &answer.value);
        for at in &answer.turns {
            let place = (Some(at.turn), Some(at.seen));
            add(&mut rows, entry, place, &at.value);
        }
    }
    rows
}

fn add(
    rows: &mut Vec<Vec<Cell>>,
    entry: &ReportEntry,
    (turn, seen): (Option<u32>, Option<u32>),
    value: &Value,
) {
    let number = |number: Option<u32>| Cell::maybe(number.map(i64::from));
    let shares = match value {
        Value::Probability(share) => vec![(None, share.as_ref())],
        Value::Total(None) => vec![(None, None)],
        Value::Total(Some(total)) => {
            let values = total.values.iter();
            values.map(|(value, share)| (Some(*value), Some(share))).collect()
        }
    };
    rows.extend(shares.into_iter().map(|(total, share)| {
        vec![
            Cell::text(&entry.answer.query),
            Cell::some(entry.name.as_deref()),
            number(entry.hand),
            number(turn),
            number(seen),
            total.map_or_else(Cell::empty, |total| Cell::number(&total.to_string())),
            share.map_or_else(Cell::empty, |share| Cell::Decimal(share.nearest())),
            Cell::text(share.map_or_else(String::new, ToString::to_string)),
            Cell::text(value.method()),
            Cell::text(entry.policy.mulligan.word()),
            number(Some(entry.policy.limit)),
            Cell::some(entry.keep()),
        ]
    }));
}
