//! Files with all of an event.

use crate::trouble::Trouble;
use decklaw_core::report::workbook::{Sheet, of_sheets};
use decklaw_core::spreadsheet::{Cell, Flavour, Table};
use decklaw_event::{Event, LISTS, columns, rows};

/// A file with all of an event, by its name.
///
/// # Errors
/// No such file, and an event that cannot be read.
pub(crate) fn export(event: &Event, name: &str) -> Result<Vec<u8>, Trouble> {
    let wrong = |error: &dyn std::fmt::Display| Trouble::new(500, error.to_string(), "");
    match name {
        "decks.csv" => table(event).map_err(|error| wrong(&error)),
        "decks.xlsx" => workbook(event),
        _ => Err(Trouble::none("such file")),
    }
}

/// Every player as a row, safe to open in a spreadsheet.
fn table(event: &Event) -> Result<Vec<u8>, Box<dyn std::error::Error>> {
    let listed = event.listed(&event.standing()?)?;
    let columns = columns(&listed);
    let columns: Vec<&str> = columns.iter().map(String::as_str).collect();
    let mut table = Table::of_report(Vec::new(), Flavour::Excel, &columns, &[])?;
    for row in rows(&listed, event.seal(), |_| true) {
        table.row(row.iter().map(Cell::shown))?;
    }
    Ok(table.finish()?)
}

/// A workbook with a sheet for each list.
fn workbook(event: &Event) -> Result<Vec<u8>, Trouble> {
    let listed = event.listed(&event.standing()?)?;
    let columns = columns(&listed);
    let seal = event.seal();
    let sheets = LISTS.iter().map(|list| -> Sheet<'_> {
        let rows = rows(&listed, seal, move |one| one.is_on(list));
        (list, columns.clone(), Box::new(rows))
    });
    let judge = event.judge();
    let met = judge.met();
    let rules = met
        .iter()
        .map(|(id, rulebook)| (id.clone(), &**rulebook))
        .collect();
    let book = of_sheets(sheets, &rules, &judge.day().to_string(), judge.lock());
    book.map_err(|error| Trouble::new(500, error.to_string(), ""))
}
