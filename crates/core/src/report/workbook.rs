//! Reports as a workbook: a sheet each for verdicts, findings and inputs.

use super::json;
use super::table::{self, Shape};
use crate::banlist::lock::Lock;
use crate::format::Rulebook;
use crate::judge::Report;
use crate::spreadsheet::Cell;
use rust_xlsxwriter::{DocProperties, ExcelDateTime, Format, Workbook, Worksheet, XlsxError};
use std::collections::BTreeMap;

/// The most findings of one deck: a workbook is put together in memory.
const MOST_FINDINGS: usize = 20_000;

/// The most characters that a cell holds.
const LONGEST: usize = 32_767;

/// All decks of a run as the bytes of an `.xlsx` file, the same for the same reports. Text
/// stays text, whatever it begins with, and numbers are numbers. `lock` is what the run was
/// held to, and `form` whether the decks are those of a form.
///
/// # Errors
/// More rows than a sheet holds (1,048,576).
pub fn workbook(
    reports: &[Report],
    rules: &BTreeMap<String, &Rulebook>,
    as_of: &str,
    lock: Option<&Lock>,
    form: bool,
) -> Result<Vec<u8>, XlsxError> {
    let rulebook = |report: &Report| rules.get(report.format.as_deref()?).copied();
    let mut shapes = Vec::new();
    for (name, summary) in [("verdicts", true), ("findings", false)] {
        let shape = Shape { summary, form };
        shapes.push((name, shape));
    }
    let sheets = shapes.iter().map(|(name, shape)| -> Sheet<'_> {
        let rows = |report| table::cells(report, rulebook(report), lock, shape, MOST_FINDINGS);
        (
            name,
            shape.columns(),
            Box::new(reports.iter().flat_map(rows)),
        )
    });
    of_sheets(sheets, rules, as_of, lock)
}

/// A sheet: its name, its columns and its rows, each made when it is written.
pub type Sheet<'s> = (
    &'static str,
    Vec<String>,
    Box<dyn Iterator<Item = Vec<Cell>> + 's>,
);

/// Sheets as the bytes of an `.xlsx` file, and behind them one of what decided.
///
/// # Errors
/// More rows than a sheet holds (1,048,576).
pub fn of_sheets<'s>(
    sheets: impl IntoIterator<Item = Sheet<'s>>,
    rules: &BTreeMap<String, &Rulebook>,
    as_of: &str,
    lock: Option<&Lock>,
) -> Result<Vec<u8>, XlsxError> {
    let mut book = Workbook::new();
    // The hour at which it is made would make each file another one.
    let made = ExcelDateTime::from_ymd(2000, 1, 1)?;
    book.set_properties(&DocProperties::new().set_creation_datetime(&made));
    for (name, columns, rows) in sheets {
        sheet(book.add_worksheet(), name, &columns, rows)?;
    }
    let text = |text: &str| Cell::Text(text.to_owned());
    let mut inputs = vec![vec![text("day"), text(as_of), text("")]];
    if let Some(lock) = lock {
        let day = lock.day.to_string();
        inputs.push(vec![text("lock"), text(&day), text(&lock.seal)]);
    }
    for (id, rulebook) in rules {
        let entry = |what: &str, value: &str| {
            let about = format!("{id} {what}");
            vec![Cell::Text(about), text(value), text("")]
        };
        let with = |digest: &str, row: Vec<Cell>| {
            let mut row = row;
            row[2] = text(digest);
            row
        };
        inputs.push(with(&rulebook.format().game().sha256, entry("format", id)));
        inputs.push(with(rulebook.pool().sha256(), entry("cards", "")));
        for (name, value) in rulebook.settings() {
            inputs.push(entry(&format!("setting {name}"), &value.to_string()));
        }
        if let Some(list) = rulebook.list() {
            inputs.push(with(&list.sha256, entry("banlist", &list.id)));
            let effective = list.effective.to_string();
            inputs.push(entry("banlist effective", &effective));
        }
        for given in rulebook.given() {
            inputs.push(entry("not built in", &given.to_string()));
        }
        inputs.push(with(json::inputs_digest(rulebook), entry("all inputs", "")));
    }
    let columns = ["input", "value", "sha256"];
    sheet(book.add_worksheet(), "inputs", &columns, inputs)?;
    book.save_to_buffer()
}

fn sheet<C: AsRef<str>>(
    sheet: &mut Worksheet,
    name: &str,
    columns: &[C],
    rows: impl IntoIterator<Item = Vec<Cell>>,
) -> Result<(), XlsxError> {
    sheet.set_name(name)?;
    let bold = Format::new().set_bold();
    for (at, column) in (0_u16..).zip(columns) {
        sheet.write_string_with_format(0, at, column.as_ref(), &bold)?;
    }
    sheet.set_freeze_panes(1, 0)?;
    let mut last = 0;
    for (row, cells) in (1_u32..).zip(rows) {
        for (column, cell) in (0_u16..).zip(cells) {
            match cell {
                Cell::Text(text) if text.is_empty() => {}
                Cell::Text(text) => {
                    let shown: String = text.chars().take(LONGEST).collect();
                    sheet.write_string(row, column, shown)?;
                }
                // Beyond 2^53 a spreadsheet's number would be another one.
                Cell::Number(number) if number.unsigned_abs() > 1 << 53 => {
                    sheet.write_string(row, column, number.to_string())?;
                }
                Cell::Number(number) => {
                    sheet.write_number(row, column, number as f64)?;
                }
                Cell::Decimal(number) => {
                    sheet.write_number(row, column, number)?;
                }
            }
        }
        last = row;
    }
    if last > 0 {
        let width = u16::try_from(columns.len() - 1).unwrap_or(0);
        sheet.autofilter(0, 0, last, width)?;
    }
    sheet.autofit();
    Ok(())
}
