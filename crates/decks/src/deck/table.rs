//! Tables with the columns `count`, `name` and `section`.

use super::board::{Board, Mention};
use super::builder::{Builder, Gap};
use super::count::{self, CountedName, Wrong};
use super::{Deck, MOST_ERRORS, SectionNames, SyntaxError, quoted};
use decklaw_text::fault::Fault;
use decklaw_text::table;
use decklaw_text::text::Span;
use std::borrow::Cow;

/// The columns of a deck's table, in the order in which they are written.
pub const COLUMNS: [&str; 3] = ["count", "name", "section"];

/// Columns of a form's export, which no deck has.
const OF_FORMS: [&str; 6] = ["timestamp", "player", "playername", "yourname", "deck", "decklist"];

/// Reads a table. Its first row names the columns, in any order and in their usual spellings;
/// without a column `section`, or where it is empty from the top, a card goes to the format's first
/// shuffled section. Cells are parted by commas, semicolons or tabs: whichever parts the first
/// row into most.
pub(super) fn read<'a>(mut builder: Builder<'a, '_>) -> Result<Deck<'a>, Vec<SyntaxError>> {
    let source = builder.source;
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
    let mut columns: Option<Columns> = None;
    let mut gaps = Vec::new();
    let mut gap = false;
    let mut row = csv::StringRecord::new();
    let mut start = before;
    while !builder.full() {
        match rows.read_record(&mut row) {
            Ok(true) => {}
            Ok(false) => break,
            Err(error) => {
                let span = Span::new(start, source.len());
                builder.wrong(span, format!("This is not a table: {error}."), "");
                break;
            }
        }
        let from = row.position().map_or(start, |at| before + at.byte() as usize);
        start = before + rows.position().byte() as usize;
        let written = source.get(from..start).unwrap_or_default();
        let span = builder.span(written.trim());
        gap |= begins_with_blank_line(written, source.get(..from).unwrap_or_default());
        if row.iter().all(|cell| cell.trim().is_empty()) {
            gap = true;
            continue;
        }
        let cells: Vec<&str> = row.iter().map(str::trim).collect();
        let Some(columns) = &mut columns else {
            match Columns::of(&cells) {
                Ok((found, aside)) => {
                    columns = Some(found);
                    if !aside.is_empty() {
                        let aside = table::quoted(&aside);
                        let about = "ignored: they do not say which card it is";
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
        let (given, word) = match columns.card(&cells, builder.names) {
            Ok(card) => card,
            Err(wrong) => {
                builder.wrong_line(span, wrong);
                continue;
            }
        };
        let section = match word {
            SectionCell::Empty | SectionCell::First => builder.enter(builder.names.first, span),
            SectionCell::Word(word) => builder.section(word, span),
        };
        let Some(section) = section else {
            continue;
        };
        builder.card(section, given.count, Cow::Owned(given.name.to_owned()), span);
        let is_first = builder.deck.lines.len() < 2;
        if std::mem::take(&mut gap) && !is_first && gaps.len() < MOST_ERRORS {
            let line = builder.deck.lines.last().map_or(0, |card| card.line);
            let (is_proven, is_commented) = (false, false);
            gaps.push(Gap { span, line, section, is_proven, is_commented });
        }
    }
    if columns.as_ref().is_some_and(|columns| !columns.says_sections) {
        builder.warn_of_gaps(&gaps);
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

/// Whether a row begins below a blank line. `before`: the text before it, which may end with the
/// first of the two signs of a line's end.
fn begins_with_blank_line(row: &str, before: &str) -> bool {
    let row = if before.ends_with('\r') { row.strip_prefix('\n').unwrap_or(row) } else { row };
    row.starts_with(['\r', '\n'])
}

/// Where the columns of a table are, and what its rows said so far.
#[derive(Debug, Clone)]
pub(super) struct Columns {
    count: usize,
    name: usize,
    section: Option<usize>,
    /// A column that says `yes` of a card in the sideboard.
    side: Option<usize>,
    /// Columns without a name, one behind the last among them.
    unnamed: Vec<usize>,
    /// The number of columns.
    all: usize,
    /// Whether a row named a section.
    says_sections: bool,
}

/// What a row says of the section of its card.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum SectionCell<'c> {
    /// Nothing, and no row above does.
    Empty,
    /// That it is not in the sideboard.
    First,
    /// A word that is not empty.
    Word(&'c str),
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
        let [count, name] = [find(table::COUNTS)?, find(decklaw_cards::pool::NAMES)?];
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
            let message = format!("{} is not a column of a deck.", quoted(name));
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
        let is_unnamed = |at: &usize| cells.get(*at).is_none_or(|cell| cell.is_empty());
        let unnamed = (0..=all).filter(is_unnamed).collect();
        let says_sections = false;
        Ok((Columns { count, name, section, side, unnamed, all, says_sections }, aside))
    }

    /// Reads a row: its card, and what it says of its section.
    pub(super) fn card<'c: 'n, 'n>(
        &mut self,
        cells: &[&'c str],
        names: SectionNames<'n>,
    ) -> Result<(CountedName<'c>, SectionCell<'n>), Wrong> {
        let cell = |at: usize| cells.get(at).copied().unwrap_or_default();
        let (section, column) = self.section(cells, names)?;
        let known = self.all + usize::from(column == Some(self.all));
        let is_longer = cells.iter().skip(known).any(|cell| !cell.is_empty());
        if cells.len() < self.all || is_longer {
            let cells = decklaw_text::text::counted(cells.len() as i64, "cell");
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
        match section {
            SectionCell::Word(_) => self.says_sections = true,
            // A cell that spans rows has its word in the first of them.
            SectionCell::Empty if self.says_sections => {
                let message = "This row says no section, and a row above it does.";
                return Err(Wrong::new(message, "Write the section into each row."));
            }
            SectionCell::Empty | SectionCell::First => {}
        }
        Ok((CountedName { count, digits, name }, section))
    }

    /// Reads what a row says of its section: in that column, else as `yes` or `no` of the
    /// sideboard, else in a column without a name, which it returns.
    fn section<'c: 'n, 'n>(
        &self,
        cells: &[&'c str],
        names: SectionNames<'n>,
    ) -> Result<(SectionCell<'n>, Option<usize>), Wrong> {
        let cell = |at: usize| cells.get(at).copied().unwrap_or_default();
        let word = self.section.map(cell).filter(|word| !word.is_empty());
        let side = self.side.map(|at| decklaw_text::name::fold(cell(at)));
        let is_side = match side.as_deref() {
            Some("yes" | "true" | "1") => Some(true),
            Some("no" | "false" | "0") => Some(false),
            None | Some("") => None,
            Some(other) => {
                let message = format!("{} is neither yes nor no.", quoted(other));
                return Err(Wrong::new(message, "Say whether the card is in the sideboard."));
            }
        };
        match (word, is_side) {
            (Some(word), Some(is_side)) if is_contrary(names, word, is_side) => {
                let message = format!(
                    "The section of this row is {}, and `sideboarded` says otherwise.",
                    quoted(word)
                );
                return Err(Wrong::new(message, "Take one of the two columns out."));
            }
            (Some(word), _) => return Ok((SectionCell::Word(word), None)),
            (None, Some(true)) => {
                return Ok((SectionCell::Word(names.side().unwrap_or("sideboard")), None));
            }
            (None, Some(false)) => return Ok((SectionCell::First, None)),
            (None, None) => {}
        }
        let unnamed = self.unnamed.iter().filter(|_| self.section.is_none());
        for (at, word) in unnamed.map(|at| (*at, cell(*at))) {
            if names.board(word).is_some() {
                return Ok((SectionCell::Word(word), Some(at)));
            }
            if names.mentions_other(word, names.first, Mention::Anywhere) {
                let message = format!("{} is in a column without a name.", quoted(word));
                let help = "If it is a section, name the column `section`.";
                return Err(Wrong::new(message, help));
            }
        }
        Ok((SectionCell::Empty, None))
    }
}

/// Whether a section and what `sideboarded` says cannot both be.
fn is_contrary(names: SectionNames<'_>, word: &str, is_side: bool) -> bool {
    let Some(Board::Section(id)) = names.board(word) else {
        return false;
    };
    (names.side() == Some(&*id)) != is_side && (is_side || names.side().is_some())
}

fn missing(column: &str) -> Wrong {
    let message = format!("The table has no column `{column}`.");
    Wrong::new(message, "Its first row is `count,name,section`.")
}
