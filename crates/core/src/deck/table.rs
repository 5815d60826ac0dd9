//! Tables with the columns `count`, `name` and `section`.

use super::builder::{Ask, Builder};
use super::{Deck, SyntaxError, line, quoted};
use crate::table;
use crate::text::Span;
use std::borrow::Cow;

/// The columns of a deck's table, in the order in which they are written.
pub const COLUMNS: [&str; 3] = ["count", "name", "section"];

/// Columns of a form's export, which no deck has.
const OF_FORMS: [&str; 6] = [
    "timestamp",
    "player",
    "playername",
    "yourname",
    "deck",
    "decklist",
];

/// Reads a table. Its first row names the columns, in any order and in their usual spellings;
/// without a column `section`, or where its cell is empty, a card goes to the format's first
/// shuffled section. Cells are parted by commas, semicolons or tabs: whichever parts the first
/// row into most.
pub(super) fn read<'a, 'f>(
    source: &'a str,
    ask: Ask<'_, 'f>,
) -> Result<Deck<'a>, Vec<SyntaxError>> {
    let mut builder = Builder::new(source);
    builder.ask(ask);
    let Ok((_, layout)) = table::read_header(source.as_bytes()) else {
        missing(&mut builder, Span::default(), "count");
        return builder.finish();
    };
    if let Some(error) = table::misquoted(source.as_bytes(), layout.separator) {
        let line = usize::try_from(error.line.unwrap_or(1)).unwrap_or(1);
        let before = source.split_inclusive('\n').take(line - 1);
        let start = before.map(str::len).sum();
        let written = source[start..].lines().next().unwrap_or_default();
        let span = Span::new(start, start + written.len());
        builder.wrong(span, sentence(&error.message), sentence(&error.help));
        return builder.finish();
    }
    let (_, text) = layout.table(source.as_bytes());
    let mut rows = csv::ReaderBuilder::new()
        .has_headers(false)
        .flexible(true)
        .delimiter(layout.separator)
        .from_reader(text);
    let before = source.len() - text.len();
    let mut columns = None;
    let mut row = csv::StringRecord::new();
    let mut start = before;
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
        let from = row
            .position()
            .map_or(start, |at| before + at.byte() as usize);
        start = before + rows.position().byte() as usize;
        let written = source.get(from..start).unwrap_or_default();
        let span = builder.span(written.trim());
        if row.iter().all(|cell| cell.trim().is_empty()) {
            continue;
        }
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

/// A message as the sentence that a deck's errors are.
fn sentence(message: &str) -> String {
    let mut letters = message.chars();
    let first = letters.next().map(char::to_uppercase);
    let first: String = first.into_iter().flatten().collect();
    format!("{first}{}.", letters.as_str())
}

/// Where the columns stand in a row, and how many there are.
#[derive(Debug, Clone, Copy)]
struct Columns {
    count: usize,
    name: usize,
    section: Option<usize>,
    /// A column that says `yes` of what stands in the sideboard.
    side: Option<usize>,
    all: usize,
}

fn header(builder: &mut Builder<'_, '_>, row: &csv::StringRecord, span: Span) -> Option<Columns> {
    let names: Vec<String> = row.iter().map(|cell| cell.trim().to_owned()).collect();
    let mut found = [None; 4];
    let wanted = [
        ("count", table::COUNTS),
        ("name", crate::pool::NAMES),
        ("section", table::SECTIONS),
        ("sideboarded", &[&["sideboarded"][..]]),
    ];
    for (at, (column, spellings)) in wanted.into_iter().enumerate() {
        match table::column(&names, spellings) {
            Ok(place) => found[at] = place,
            Err(table::Doubled(doubled)) => {
                let message = match doubled.iter().all(|name| *name == doubled[0]) {
                    true => format!("The column `{column}` is there twice."),
                    false => format!(
                        "The columns {} may each be the `{column}`.",
                        table::quoted(&doubled)
                    ),
                };
                builder.wrong(span, message, "Keep one of the two.");
                return None;
            }
        }
    }
    let is_count = |name: &String| line::count(name).is_ok();
    if let Some(at) = names.iter().position(is_count).filter(|at| *at < 2)
        && found == [None; 4]
        && names.len() > 1
    {
        let message = "The first row is a card, and does not name the columns.";
        let columns = if at == 0 { "count,name" } else { "name,count" };
        builder.wrong(
            span,
            message,
            format!("Write `{columns}` on a line above it."),
        );
        return None;
    }
    let mut aside = Vec::new();
    for (at, name) in names.iter().enumerate() {
        if found.contains(&Some(at)) || name.is_empty() {
            continue;
        }
        if !table::is_aside(name) {
            let message = format!("{} is no column of a deck.", quoted(name));
            let help = "The columns are `count`, `name` and `section`.";
            builder.wrong(span, message, help);
            let key = |name: &String| table::key(name);
            if names.iter().map(key).any(|key| OF_FORMS.contains(&&*key)) {
                builder.add_help(span, "Read the export of a form with `--submissions FILE`.");
            }
            return None;
        }
        aside.push(name.clone());
    }
    if !aside.is_empty() {
        let columns = table::quoted(&aside);
        let note = format!("passed over, since they do not say which card it is: {columns}");
        builder.deck.note(note);
    }
    let [count, name, section, side] = found;
    match (count, name) {
        (Some(count), Some(name)) => Some(Columns {
            count,
            name,
            section,
            side,
            all: names.len()
                - names
                    .iter()
                    .rev()
                    .take_while(|name| name.is_empty())
                    .count(),
        }),
        (None, _) => missing(builder, span, "count"),
        _ => missing(builder, span, "name"),
    }
}

fn missing(builder: &mut Builder<'_, '_>, span: Span, column: &str) -> Option<Columns> {
    let message = format!("The table has no column `{column}`.");
    builder.wrong(span, message, "Its first row is `count,name,section`.");
    None
}

fn card(builder: &mut Builder<'_, '_>, row: &csv::StringRecord, columns: Columns, span: Span) {
    let cell = |at: usize| row.get(at).unwrap_or_default().trim();
    let Columns { count, name, .. } = columns;
    if row.len() < columns.all {
        let message = format!(
            "This row has {}, and the first one {}.",
            crate::text::counted(row.len() as i64, "cell"),
            columns.all
        );
        let help = "Write a cell for each column, an empty one too.";
        return builder.wrong(span, message, help);
    }
    let mut behind = row.iter().skip(columns.all);
    if behind.any(|cell| !cell.trim().is_empty()) {
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
    let word = match (columns.section, columns.side) {
        (Some(section), _) => cell(section),
        (None, Some(side)) => match crate::name::fold(cell(side)).as_ref() {
            "yes" | "true" | "1" => "sideboard",
            "no" | "false" | "0" | "" => "",
            _ => {
                let message = format!("{} is neither yes nor no.", quoted(cell(side)));
                return builder.wrong(span, message, "Say whether it stands in the sideboard.");
            }
        },
        (None, None) => "",
    };
    let section = match word {
        "" => builder.enter(builder.names.first, span),
        word => builder.section(word, span),
    };
    if let Some(section) = section {
        builder.card(section, copies, Cow::Owned(cell(name).to_owned()), span);
    }
}
