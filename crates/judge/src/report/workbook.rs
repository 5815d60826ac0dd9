//! Sheets as a workbook.

use decklaw_text::spreadsheet::{Cell, Sheet};
use decklaw_text::{Problem, ProblemKind};
use rust_xlsxwriter::{DocProperties, ExcelDateTime, Format, Workbook, Worksheet, XlsxError};

/// The most characters that a cell holds.
const LONGEST: usize = 32_767;

/// Sheets as the bytes of an `.xlsx` file, the same for the same sheets. Text stays text even if it
/// looks like a formula; numbers are numbers; days and times are dates. A column that is empty in
/// every row is left out.
///
/// # Errors
/// More rows than a sheet holds (1,048,576).
pub fn workbook<'s>(sheets: impl IntoIterator<Item = Sheet<'s>>) -> Result<Vec<u8>, Problem> {
    filled(sheets).map_err(|error| match error {
        XlsxError::RowColumnLimitError => {
            let message = "a sheet of a workbook holds at most 1,048,576 rows; write CSV instead";
            Problem::new(ProblemKind::Limit, message)
        }
        error => Problem::of(ProblemKind::Limit, &error),
    })
}

fn filled<'s>(sheets: impl IntoIterator<Item = Sheet<'s>>) -> Result<Vec<u8>, XlsxError> {
    let mut book = Workbook::new();
    // The current time would make every file different.
    let made = ExcelDateTime::from_ymd(2000, 1, 1)?;
    book.set_properties(&DocProperties::new().set_creation_datetime(&made));
    for sheet in sheets {
        fill(book.add_worksheet(), sheet)?;
    }
    book.save_to_buffer()
}

fn fill(worksheet: &mut Worksheet, sheet: Sheet<'_>) -> Result<(), XlsxError> {
    worksheet.set_name(sheet.name)?;
    let rows: Vec<Vec<Cell>> = sheet.rows.collect();
    let is_filled =
        |at: usize| rows.iter().any(|row| row.get(at).is_some_and(|cell| !cell.is_empty()));
    let columns: Vec<usize> =
        (0..sheet.columns.len()).filter(|at| rows.is_empty() || is_filled(*at)).collect();
    let bold = Format::new().set_bold();
    let day = Format::new().set_num_format("yyyy-mm-dd");
    let time = Format::new().set_num_format("yyyy-mm-dd hh:mm");
    for (column, at) in (0_u16..).zip(&columns) {
        worksheet.write_string_with_format(0, column, &sheet.columns[*at], &bold)?;
    }
    worksheet.set_freeze_panes(1, 0)?;
    for (row, cells) in (1_u32..).zip(&rows) {
        for (column, at) in (0_u16..).zip(&columns) {
            match cells.get(*at) {
                None => {}
                Some(Cell::Text(text)) if text.is_empty() => {}
                Some(Cell::Text(text)) => {
                    let shown: String = text.chars().take(LONGEST).collect();
                    worksheet.write_string(row, column, shown)?;
                }
                // A spreadsheet cannot hold whole numbers beyond 2^53.
                Some(Cell::Number(number)) if number.unsigned_abs() > 1 << 53 => {
                    worksheet.write_string(row, column, number.to_string())?;
                }
                Some(Cell::Number(number)) => {
                    worksheet.write_number(row, column, *number as f64)?;
                }
                Some(Cell::Decimal(number)) => {
                    worksheet.write_number(row, column, *number)?;
                }
                Some(Cell::Day(date)) => {
                    let date = ExcelDateTime::parse_from_str(&date.to_string())?;
                    worksheet.write_datetime_with_format(row, column, &date, &day)?;
                }
                Some(Cell::Time(at)) => {
                    let at = ExcelDateTime::parse_from_str(&at.to_string())?;
                    worksheet.write_datetime_with_format(row, column, &at, &time)?;
                }
            }
        }
    }
    if let (false, [_, rest @ ..]) = (rows.is_empty(), columns.as_slice()) {
        let last = u32::try_from(rows.len()).unwrap_or(u32::MAX);
        let width = u16::try_from(rest.len()).unwrap_or(u16::MAX);
        worksheet.autofilter(0, 0, last, width)?;
    }
    worksheet.autofit();
    Ok(())
}
