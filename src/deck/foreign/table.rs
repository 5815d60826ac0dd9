//! Tables with the columns `count`, `name` and `section`.

use super::{Ask, Builder, quoted};
use crate::deck::{Deck, SyntaxError, line};
use crate::text::Span;
use std::borrow::Cow;

/// The columns of a deck's table, in the order in which they are written.
pub const COLUMNS: [&str; 3] = ["count", "name", "section"];

/// Reads a table. Its first row names the columns, in any order; without a column `section`,
/// or where its cell is empty, a card goes to the format's first shuffled section. Cells are
/// parted by commas, semicolons or tabs: whichever parts the first row.
pub(in crate::deck) fn read<'a, 'f>(
    source: &'a str,
    ask: Ask<'_, 'f>,
) -> Result<Deck<'a>, Vec<SyntaxError>> {
    let mut builder = Builder::new(source);
    builder.ask(ask);
    let head = source.lines().next().unwrap_or_default();
    let parts = |mark: &char| head.contains(*mark);
    let mark = [',', ';', '\t'].into_iter().find(parts).unwrap_or(',');
    let mut rows = csv::ReaderBuilder::new()
        .has_headers(false)
        .flexible(true)
        .delimiter(mark as u8)
        .from_reader(source.as_bytes());
    let mut columns = None;
    let mut row = csv::StringRecord::new();
    let mut start = 0;
    while !builder.full() {
        match rows.read_record(&mut row) {
            Ok(true) => {}
            Ok(false) => break,
            Err(error) => {
                let span = Span::new(start, source.len());
                builder.wrong(span, format!("This is no table: {error}."), "");
                break;
            }
        }
        let from = row.position().map_or(start, |at| at.byte() as usize);
        start = rows.position().byte() as usize;
        let written = source.get(from..start).unwrap_or_default();
        let span = builder.span(written.trim());
        match columns {
            None => match header(&mut builder, &row, span) {
                Some(found) => columns = Some(found),
                None => break,
            },
            Some(columns) => card(&mut builder, &row, columns, span),
        }
    }
    if columns.is_none() && builder.errors.is_empty() {
        missing(&mut builder, Span::default(), "count");
    }
    builder.finish()
}

/// Where `count`, `name` and `section` stand in a row.
type Columns = (usize, usize, Option<usize>);

fn header(builder: &mut Builder<'_, '_>, row: &csv::StringRecord, span: Span) -> Option<Columns> {
    let mut at = [None; 3];
    for (place, cell) in row.iter().enumerate() {
        let word = crate::name::fold(cell);
        let Some(column) = COLUMNS.iter().position(|column| *column == word) else {
            let message = format!("{} is no column of a deck.", quoted(cell));
            builder.wrong(
                span,
                message,
                "The columns are `count`, `name` and `section`.",
            );
            return None;
        };
        if at[column].replace(place).is_some() {
            let message = format!("The column `{word}` is there twice.");
            builder.wrong(span, message, "Keep one of the two.");
            return None;
        }
    }
    match at {
        [Some(count), Some(name), section] => Some((count, name, section)),
        [None, ..] => missing(builder, span, "count"),
        _ => missing(builder, span, "name"),
    }
}

fn missing(builder: &mut Builder<'_, '_>, span: Span, column: &str) -> Option<Columns> {
    let message = format!("The table has no column `{column}`.");
    builder.wrong(span, message, "Its first row is `count,name,section`.");
    None
}

fn card(
    builder: &mut Builder<'_, '_>,
    row: &csv::StringRecord,
    (count, name, section): Columns,
    span: Span,
) {
    let cell = |at: usize| row.get(at).unwrap_or_default().trim();
    if row.iter().all(|cell| cell.trim().is_empty()) {
        return;
    }
    let last = count.max(name).max(section.unwrap_or(0));
    if row
        .iter()
        .skip(last + 1)
        .any(|cell| !cell.trim().is_empty())
    {
        let message = "This row has more cells than the first one.";
        return builder.wrong(
            span,
            message,
            "Put a name that has the mark between cells in quotes.",
        );
    }
    let copies = match line::count(cell(count)) {
        Ok(copies) => copies,
        Err(wrong) => return builder.wrong_line(span, wrong),
    };
    let word = section.map_or("", cell);
    let section = match word {
        "" => builder.enter(builder.names.first, span),
        word => builder.section(word, span),
    };
    if let Some(section) = section {
        builder.card(section, copies, Cow::Owned(cell(name).to_owned()), span);
    }
}
