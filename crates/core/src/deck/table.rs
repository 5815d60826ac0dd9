//! Tables with the columns `count`, `name` and `section`.

use super::builder::{Ask, Builder};
use super::count::{self, CountedName, Wrong};
use super::{Deck, SyntaxError, quoted};
use crate::rules::Fault;
use crate::table;
use crate::text::Span;
use std::borrow::Cow;

/// The columns of a deck's table, in the order in which they are written.
pub const COLUMNS: [&str; 3] = ["count", "name", "section"];

/// Columns of a form's export, which no deck has.
const OF_FORMS: [&str; 6] = ["timestamp", "player", "playername", "yourname", "deck", "decklist"];

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
    let layout = table::Layout::of(source.as_bytes());
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
        let from = row.position().map_or(start, |at| before + at.byte() as usize);
        start = before + rows.position().byte() as usize;
        let written = source.get(from..start).unwrap_or_default();
        let span = builder.span(written.trim());
        if row.iter().all(|cell| cell.trim().is_empty()) {
            continue;
        }
        let cells: Vec<&str> = row.iter().map(str::trim).collect();
        let Some(columns) = columns else {
            match Columns::of(&cells) {
                Ok((found, aside)) => {
                    columns = Some(found);
                    if !aside.is_empty() {
                        let aside = table::quoted(&aside);
                        let about = "passed over, since they do not say which card it is";
                        let message = format!("{about}: {aside}");
                        builder.deck.note(Fault::LeftOut, message, "", None);
                    }
                    continue;
                }
                Err(wrong) => {
                    builder.wrong_line(span, wrong);
                    break;
                }
            }
        };
        match columns.card(&cells) {
            Ok((given, word)) => {
                let section = match word {
                    "" => builder.enter(builder.names.first, span),
                    word => builder.section(word, span),
                };
                if let Some(section) = section {
                    let name = Cow::Owned(given.name.to_owned());
                    builder.card(section, given.count, name, span);
                }
            }
            Err(wrong) => builder.wrong_line(span, wrong),
        }
    }
    if columns.is_none() && builder.errors.is_empty() {
        builder.wrong_line(Span::default(), missing("count"));
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

/// Where the columns of a table are.
#[derive(Debug, Clone, Copy)]
pub(super) struct Columns {
    count: usize,
    name: usize,
    section: Option<usize>,
    /// A column that says `yes` of a card in the sideboard.
    side: Option<usize>,
    /// The number of columns.
    all: usize,
}

impl Columns {
    /// Finds the columns that the first row names. Also returns those that say nothing of a deck.
    pub(super) fn of(cells: &[&str]) -> Result<(Columns, Vec<String>), Wrong> {
        let names: Vec<String> = cells.iter().map(|cell| (*cell).to_owned()).collect();
        let find = |spellings| {
            table::column(&names, spellings).map_err(|table::RepeatedColumn(doubled)| {
                let message = format!("The columns {} are the same.", table::quoted(&doubled));
                Wrong::new(message, "Keep one of the two.")
            })
        };
        let side: &[&[&str]] = &[&["sideboarded"]];
        let [count, name] = [find(table::COUNTS)?, find(crate::pool::NAMES)?];
        let [section, side] = [find(table::SECTIONS)?, find(side)?];
        let found = [count, name, section, side];
        let is_count = |name: &String| count::count(name).is_ok();
        if let Some(at) = names.iter().take(2).position(is_count)
            && found == [None; 4]
            && names.len() > 1
        {
            let message = "The first row is a card, and does not name the columns.";
            let columns = if at == 0 { "count,name" } else { "name,count" };
            let help = format!("Write `{columns}` on a line above it.");
            return Err(Wrong::new(message, help));
        }
        let others = names.iter().enumerate();
        let others = others.filter(|(at, name)| !found.contains(&Some(*at)) && !name.is_empty());
        let (aside, odd): (Vec<_>, Vec<_>) =
            others.map(|(_, name)| name.clone()).partition(|name| table::is_aside(name));
        if let Some(name) = odd.first() {
            let message = format!("{} is no column of a deck.", quoted(name));
            let mut help = "The columns are `count`, `name` and `section`.".to_owned();
            if names.iter().any(|name| OF_FORMS.contains(&&*table::key(name))) {
                help.push_str(" Read the export of a form with `--submissions FILE`.");
            }
            return Err(Wrong::new(message, help));
        }
        let count = count.ok_or_else(|| missing("count"))?;
        let name = name.ok_or_else(|| missing("name"))?;
        let empty = cells.iter().rev().take_while(|cell| cell.is_empty());
        let all = cells.len() - empty.count();
        let columns = Columns { count, name, section, side, all };
        Ok((columns, aside))
    }

    /// Reads a row: its card, and the word of its section, which may be empty.
    pub(super) fn card<'c>(&self, cells: &[&'c str]) -> Result<(CountedName<'c>, &'c str), Wrong> {
        let cell = |at: usize| cells.get(at).copied().unwrap_or_default();
        let is_longer = cells.iter().skip(self.all).any(|cell| !cell.is_empty());
        if cells.len() < self.all || is_longer {
            let cells = crate::text::counted(cells.len() as i64, "cell");
            let message = format!("This row has {cells}, and the first one {}.", self.all);
            let help =
                "Write a cell for each column, and a name with the mark between cells in quotes.";
            return Err(Wrong::new(message, help));
        }
        let (digits, name) = (cell(self.count), cell(self.name));
        let count = count::count(digits)?;
        if name.is_empty() {
            let help = "Give it one, or take it out.";
            return Err(Wrong::new("This card has no name.", help));
        }
        let side = self.side.map(cell).map(crate::name::fold);
        let word = match (self.section, side.as_deref()) {
            (Some(section), _) => cell(section),
            (None, Some("yes" | "true" | "1")) => "sideboard",
            (None, None | Some("no" | "false" | "0" | "")) => "",
            (None, Some(other)) => {
                let message = format!("{} is neither yes nor no.", quoted(other));
                let help = "Say whether the card is in the sideboard.";
                return Err(Wrong::new(message, help));
            }
        };
        let given = CountedName { count, digits, name };
        Ok((given, word))
    }
}

fn missing(column: &str) -> Wrong {
    let message = format!("The table has no column `{column}`.");
    Wrong::new(message, "Its first row is `count,name,section`.")
}
