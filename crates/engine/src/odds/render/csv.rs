//! The report as a table: a row for each answer, each turn of it and each value of a total.

use crate::odds::session::{Found, OddsReport, Reply};
use crate::odds::{Distribution, Fraction};
use decklaw_core::spreadsheet::Cell;

/// The columns of the table.
pub const HEADER: [&str; 13] = [
    "deck",
    "query",
    "name",
    "hand",
    "turn",
    "seen",
    "value",
    "probability",
    "fraction",
    "method",
    "mulligan",
    "limit",
    "keep",
];

/// The rows of the table.
pub fn rows(report: &OddsReport) -> Vec<Vec<Cell>> {
    let each = report.answers.iter().map(|found| of_answer(report, found));
    let cells = |row: Vec<String>| row.iter().map(|cell| Cell::number(cell)).collect();
    each.flatten().map(cells).collect()
}

fn of_answer(report: &OddsReport, found: &Found) -> Vec<Vec<String>> {
    let row = |turn: String, seen: String, value: String, cells: [String; 3]| {
        let hand = found.hand.map_or_else(String::new, |hand| hand.to_string());
        let name = found.name.clone().unwrap_or_default();
        let mut row = vec![report.deck.clone(), found.query().to_owned(), name, hand];
        row.extend([turn, seen, value]);
        row.extend(cells);
        row.push(found.policy.mulligan.word().to_owned());
        row.push(found.policy.limit.to_string());
        row.push(found.keep().unwrap_or_default().to_owned());
        row
    };
    match &found.answer {
        Reply::Query(answer) | Reply::Path(answer) => {
            let nothing = String::new;
            let number =
                |number: Option<u32>| number.map_or_else(nothing, |number| number.to_string());
            let (turn, seen) = (number(found.turn), number(found.seen()));
            let first = row(turn, seen, nothing(), cells(&answer.likelihood));
            let turns = answer.turns.iter().map(|turn| {
                let (number, seen) = (turn.turn.to_string(), turn.seen.to_string());
                row(number, seen, nothing(), cells(&turn.likelihood))
            });
            std::iter::once(first).chain(turns).collect()
        }
        Reply::Total(answer) => {
            let values = |turn: String, seen: String, total: &Distribution| {
                let each = total.values.iter().map(|(value, share)| {
                    let value = value.to_string();
                    row(turn.clone(), seen.clone(), value, cells(share))
                });
                each.collect::<Vec<_>>()
            };
            let mut rows = values(String::new(), String::new(), &answer.total);
            for turn in &answer.turns {
                let (number, seen) = (turn.turn.to_string(), turn.seen.to_string());
                rows.extend(values(number, seen, &turn.total));
            }
            rows
        }
        Reply::Refused(refused) => {
            let cells = || [String::new(), String::new(), "refused".to_owned()];
            let number =
                |number: Option<u32>| number.map_or_else(String::new, |number| number.to_string());
            let first = row(
                number(found.turn),
                number(found.seen()),
                String::new(),
                cells(),
            );
            let turns = refused.turns.iter().map(|(turn, seen)| {
                row(turn.to_string(), seen.to_string(), String::new(), cells())
            });
            std::iter::once(first).chain(turns).collect()
        }
    }
}

fn cells(fraction: &Fraction) -> [String; 3] {
    [
        fraction.nearest().to_string(),
        fraction.to_string(),
        "exact".to_owned(),
    ]
}
