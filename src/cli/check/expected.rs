//! `--players`: who is expected to hand in a deck.

use crate::cli::{Refusal, Run, inputs};
use crate::report::overview::Expected;
use crate::submissions::{Columns, read_header};
use crate::table;
use std::path::Path;

/// The players of a list: a name a line, or a table with a column for the players, and maybe
/// one for what tells those of one name apart.
///
/// # Errors
/// A list that cannot be read, or says no player.
pub(super) fn players(run: &Run, path: &Path) -> Result<Vec<Expected>, Refusal> {
    let name = path.display().to_string();
    let (bytes, sheet) = inputs::read_table(run, path)?;
    let found = if table::is_workbook(&bytes) || sheet.is_some() {
        let sheet = table::read(&bytes, sheet.as_deref());
        of_table(&sheet.map_err(|error| Refusal(format!("{name}: {error}")))?)
    } else {
        let decoded = crate::text::decode(&bytes)
            .map_err(|error| Refusal(format!("{name}: line {}: {}", error.line, error.message)))?;
        let text = decoded.text;
        match read_header(text.as_bytes()) {
            Ok((header, _)) if Columns::people(&header).is_some() => {
                let sheet = table::read(&bytes, None);
                of_table(&sheet.map_err(|error| Refusal(format!("{name}: {error}")))?)
            }
            _ => Some(text.lines().map(|line| (line, "")).map(expected).collect()),
        }
    };
    let Some(found) = found else {
        return Err(Refusal(format!(
            "{name}: no column is plainly the player; call it `Player`, or give a name a line"
        )));
    };
    let found: Vec<Expected> = found
        .into_iter()
        .filter(|one: &Expected| !one.name.is_empty())
        .collect();
    match found.is_empty() {
        true => Err(Refusal(format!("{name}: nobody is on the list"))),
        false => Ok(found),
    }
}

fn of_table(sheet: &table::Sheet) -> Option<Vec<Expected>> {
    let (player, identity) = Columns::people(&sheet.header)?;
    let rows = sheet.rows.iter();
    let rows = rows.map(|row| (row.cell(player), identity.map_or("", |at| row.cell(at))));
    Some(rows.map(expected).collect())
}

fn expected((name, identity): (&str, &str)) -> Expected {
    Expected {
        name: name.trim().to_owned(),
        identity: Some(identity.trim().to_owned()).filter(|identity| !identity.is_empty()),
    }
}
