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
    each.flatten().collect()
}

/// A turn, the cards seen by then, and a value of a total, where there are such.
type Place = (Option<u32>, Option<u32>, Option<i128>);

fn of_answer(report: &OddsReport, found: &Found) -> Vec<Vec<Cell>> {
    let number = |number: Option<i64>| Cell::maybe(number);
    let row = |(turn, seen, value): Place, share: Option<&Fraction>| {
        vec![
            Cell::text(&report.deck),
            Cell::text(found.query()),
            Cell::some(found.name.as_deref()),
            number(found.hand.map(i64::from)),
            number(turn.map(i64::from)),
            number(seen.map(i64::from)),
            value.map_or_else(Cell::empty, |value| Cell::number(&value.to_string())),
            share.map_or_else(Cell::empty, |share| Cell::Decimal(share.nearest())),
            Cell::text(share.map_or_else(String::new, Fraction::to_string)),
            Cell::text(if share.is_some() { "exact" } else { "refused" }),
            Cell::text(found.policy.mulligan.word()),
            number(Some(i64::from(found.policy.limit))),
            Cell::some(found.keep()),
        ]
    };
    // The opening hand is turn 0, unless cards are drawn after it.
    let turn = found.turn.or((found.draws == 0).then_some(0));
    let seen = found.seen().or(found.hand);
    let first = (turn, seen, None);
    match &found.answer {
        Reply::Query(answer) | Reply::Path(answer) => {
            let turns = answer.turns.iter().map(|turn| {
                let place = (Some(turn.turn), Some(turn.seen), None);
                row(place, Some(&turn.likelihood))
            });
            let hand = row(first, Some(&answer.likelihood));
            std::iter::once(hand).chain(turns).collect()
        }
        Reply::Total(answer) => {
            let values = |(turn, seen): (Option<u32>, Option<u32>), total: &Distribution| {
                let each = total.values.iter();
                let each = each.map(|(value, share)| row((turn, seen, Some(*value)), Some(share)));
                each.collect::<Vec<_>>()
            };
            let mut rows = values((turn, seen), &answer.total);
            for turn in &answer.turns {
                rows.extend(values((Some(turn.turn), Some(turn.seen)), &turn.total));
            }
            rows
        }
        Reply::Refused(refused) => {
            let turns = refused.turns.iter();
            let turns = turns.map(|(turn, seen)| row((Some(*turn), Some(*seen), None), None));
            std::iter::once(row(first, None)).chain(turns).collect()
        }
    }
}
