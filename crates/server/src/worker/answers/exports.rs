//! Files with all of an event.

use crate::trouble::Trouble;
use decklaw_core::report::workbook;
use decklaw_core::spreadsheet::Flavour;
use decklaw_event::{Event, sheet};

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
    let sheet = sheet("decks", &listed, event.seal(), |_| true);
    Ok(sheet.with_inputs(&[]).csv(Flavour::Excel)?)
}

/// A workbook with a sheet for each list.
fn workbook(event: &Event) -> Result<Vec<u8>, Trouble> {
    let listed = event.listed(&event.standing()?)?;
    let book = workbook::workbook(event.workbook_sheets(&listed));
    book.map_err(|error| Trouble::new(500, error.to_string(), ""))
}
