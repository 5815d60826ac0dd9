//! Markdown tables in pasted lists.

use super::pasted::Reader;
use super::{dress, quoted};
use crate::deck::line::{self, Wrong};
use crate::table;
use crate::text::Span;
use std::borrow::Cow;

/// Where the columns of a Markdown table stand, and how many there are.
#[derive(Clone, Copy)]
pub(super) struct Columns {
    count: usize,
    name: usize,
    section: Option<usize>,
    all: usize,
}

impl<'a> Reader<'a, '_> {
    /// A row of a Markdown table.
    pub(super) fn row(&mut self, line: &'a str, cells: &[&'a str]) {
        if dress::is_rule(cells) {
            return;
        }
        let Some(columns) = self.table else {
            match columns(cells) {
                Ok(columns) => self.table = Some(columns),
                Err(wrong) => self.wrong(line, wrong),
            }
            return;
        };
        let Columns {
            count,
            name,
            section,
            all,
        } = columns;
        if cells.len() != all {
            let message = format!(
                "This row has {}, and the first one {all}.",
                crate::text::counted(cells.len() as i64, "cell")
            );
            let help = "Write a cell for each column, an empty one too.";
            return self.wrong(line, Wrong::new(message, help));
        }
        let cell = |at: usize| cells.get(at).copied().unwrap_or_default();
        let copies = match line::count(cell(count)) {
            Ok(copies) => copies,
            Err(wrong) => return self.wrong(line, wrong),
        };
        let word = section.map(cell).filter(|word| !word.is_empty());
        let place = match (word, self.section) {
            (Some(word), _) => self.builder.section(word, self.builder.span(line)),
            (None, Some(section)) => Some(section),
            (None, None) => {
                let start = self.builder.span(line).start;
                self.builder
                    .enter(self.builder.names.first, Span::new(start, start))
            }
        };
        let name = self.plain(cell(name));
        self.cards += u64::from(copies);
        let span = self.builder.span(name);
        if let Some(section) = place {
            self.builder
                .card(section, copies, Cow::Borrowed(name), span);
        }
    }
}

/// The columns that the first row of a Markdown table names.
fn columns(cells: &[&str]) -> Result<Columns, Wrong> {
    let names: Vec<String> = cells.iter().map(|cell| (*cell).to_owned()).collect();
    let at = |spellings| {
        table::column(&names, spellings).map_err(|table::Doubled(doubled)| {
            let columns = table::quoted(&doubled);
            let message = format!("The columns {columns} say the same.");
            Wrong::new(message, "Keep one of the two.")
        })
    };
    let section = at(table::SECTIONS)?;
    let (Some(count), Some(name)) = (at(table::COUNTS)?, at(crate::pool::NAMES)?) else {
        let message = format!("{} names no columns of a deck.", table::quoted(&names));
        let help =
            "The first row of a table is `| Count | Name |`, with `Section` if there are several.";
        return Err(Wrong::new(message, help));
    };
    let found = [Some(count), Some(name), section];
    let odd = names
        .iter()
        .enumerate()
        .find(|(at, name)| !found.contains(&Some(*at)) && !table::is_aside(name));
    if let Some((_, name)) = odd {
        let message = format!("{} is no column of a deck.", quoted(name));
        let help = "The columns are `Count`, `Name` and `Section`.";
        return Err(Wrong::new(message, help));
    }
    Ok(Columns {
        count,
        name,
        section,
        all: names.len(),
    })
}
