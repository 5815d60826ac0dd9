//! Standard output and standard error: the only doors to them.

use super::answer::without_numbers;
use super::options::Colour;
use super::{CliError, Run};
use crate::judge::Note;
use crate::text::escape_control;
pub(super) use crate::text::wrapped;
use std::borrow::Cow;
use std::io::{IsTerminal, Write};
use std::sync::PoisonError;
use unicode_width::UnicodeWidthStr;

impl Run {
    /// Remembers the name of a file, so that messages about it keep it in one line.
    pub(super) fn names(&self, name: &std::path::Path) {
        if name.as_os_str().as_encoded_bytes().contains(&b'\n') {
            let broken = self.broken_names.lock();
            let mut broken = broken.unwrap_or_else(PoisonError::into_inner);
            broken.push(name.to_string_lossy().into_owned());
        }
    }

    /// A message, safe for a terminal and a log. The words of the call and the names of files
    /// that it repeats stay in their line: what follows a line's end in one must not pass for the
    /// program's own words.
    pub(super) fn printable(&self, text: &str) -> String {
        let mut text = Cow::Borrowed(text);
        let words = self.arguments.iter().map(|word| word.to_string_lossy().into_owned());
        let met = self.broken_names.lock().unwrap_or_else(PoisonError::into_inner);
        for word in words.chain(met.iter().cloned()).filter(|word| word.contains('\n')) {
            // A part of the word may be all that is repeated, so each line's end is looked for with
            // the text around it.
            for (at, _) in word.match_indices('\n') {
                let before = word[..at].chars().next_back().map_or(0, char::len_utf8);
                let after = word[at + 1..].chars().next().map_or(0, char::len_utf8);
                let broken = &word[at - before..at + 1 + after];
                text = Cow::Owned(text.replace(broken, &escape_control(broken, false)));
            }
        }
        escape_control(&text, true).into_owned()
    }

    /// Says something about the run on standard error.
    pub(super) fn complain(&self, kind: &str, message: &str) {
        let message = self.printable(&without_numbers(message));
        let text = format!("{kind}: {message}\n");
        // A standard error that is full or closed costs no output and ends no run.
        self.aside(|| drop(std::io::stderr().write_all(text.as_bytes())));
    }

    /// Prints the notes of a deck on standard error.
    pub(super) fn print_notes(&self, deck: &str, notes: &[Note]) {
        /// The most of one deck; `check` lists all of them.
        const MOST: usize = 20;
        for note in notes.iter().take(MOST) {
            self.complain("note", &format!("{deck}: {note}"));
        }
        if let Some(more) = notes.len().checked_sub(MOST).filter(|more| *more > 0) {
            let help = format!("`decklaw check {deck}` lists them all");
            self.complain("note", &format!("{deck}: {more} more notes; {help}"));
        }
    }

    /// Reports on standard error that a file was written.
    pub(super) fn wrote(&self, file: &str) {
        if !self.screen.quiet {
            let text = format!("wrote {}\n", escape_control(file, false));
            self.aside(|| drop(std::io::stderr().write_all(text.as_bytes())));
        }
    }

    /// Shows what the command line's reader has to say: help and version, which are answers, or
    /// what is wrong with a call. Gives the status that the process ends with.
    pub(super) fn instruct(&self, said: &clap::Error) -> u8 {
        let text = said.render();
        let answers = !said.use_stderr();
        let painted =
            if answers { std::io::stdout().is_terminal() } else { std::io::stderr().is_terminal() };
        let plain = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        if answers {
            let text = if painted && !plain { text.ansi().to_string() } else { text.to_string() };
            return match print(text.as_bytes()) {
                Ok(()) => 0,
                Err(CliError { message, .. }) => {
                    self.complain("error", &message);
                    2
                }
            };
        }
        // It repeats words of the call, which may be anything.
        let text = self.printable(&text.to_string());
        let _ = std::io::stderr().write_all(text.as_bytes());
        2
    }

    /// Whether colours are wanted on standard output.
    pub(super) fn colour(&self) -> bool {
        match self.screen.color {
            Colour::Always => true,
            Colour::Never => false,
            Colour::Auto => {
                let refused = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
                !refused && std::io::stdout().is_terminal()
            }
        }
    }

    /// A table's text, harmless and without trailing spaces. No column is so narrow that a word
    /// of it is cut: a table of long names is rather wider than the terminal.
    pub(super) fn shown(&self, mut table: comfy_table::Table) -> String {
        let mut widest = vec![0_usize; table.column_count()];
        for row in table.header().into_iter().chain(table.row_iter()) {
            for (widest, cell) in widest.iter_mut().zip(row.cell_iter()) {
                let content = cell.content();
                let words = content.split_whitespace().map(UnicodeWidthStr::width);
                *widest = words.max().unwrap_or(0).max(*widest);
            }
        }
        for (column, widest) in table.column_iter_mut().zip(widest) {
            let width = u16::try_from(widest).unwrap_or(u16::MAX);
            let width = width.saturating_add(column.padding_width());
            let least = comfy_table::Width::Fixed(width);
            column.set_constraint(comfy_table::ColumnConstraint::LowerBoundary(least));
        }
        // A large table is held once at a time: as cells, as lines, as text.
        let lines: Vec<String> = table.lines().collect();
        drop(table);
        let mut text = String::with_capacity(lines.iter().map(|line| line.len() + 1).sum());
        for line in lines {
            text.push_str(line.trim_end());
            text.push('\n');
        }
        self.printable(&text)
    }
}

/// How wide lines may be.
pub(super) fn width() -> usize {
    known_width().unwrap_or(80).clamp(20, 120)
}

/// The columns of the terminal, where there is one or its width is given.
fn known_width() -> Option<usize> {
    let given = std::env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok());
    let asked = || terminal_size::terminal_size().map(|(width, _)| usize::from(width.0));
    given.or_else(asked)
}

/// Breaks lines that are wider than the terminal at spaces, and indents the rest of a line by two
/// columns. Without a known width, returns the text.
pub(super) fn fitted(text: &str) -> String {
    let Some(width) = known_width().map(|width| width.max(20)) else {
        return text.to_owned();
    };
    let mut out = String::new();
    for line in text.lines() {
        if line.width() <= width {
            out.push_str(line);
            out.push('\n');
            continue;
        }
        let content = line.trim_start();
        let own = line.len() - content.len();
        let below = (own + 2).min(width / 2);
        let mut indent = own.min(width / 2);
        let mut shown = " ".repeat(indent);
        let mut used = indent;
        for word in content.split_inclusive(' ') {
            let wide = word.trim_end().width();
            if used + wide > width && used > indent {
                out.push_str(shown.trim_end());
                out.push('\n');
                indent = below;
                shown = " ".repeat(indent);
                used = indent;
                // Spaces between columns mean nothing at the start of a line.
                if wide == 0 {
                    continue;
                }
            }
            shown.push_str(word);
            used += word.width();
        }
        out.push_str(shown.trim_end());
        out.push('\n');
    }
    out
}

/// Writes results to standard output. A reader who has seen enough is no error.
///
/// # Errors
/// When they cannot be written.
pub(super) fn print(text: &[u8]) -> Result<(), CliError> {
    let mut out = std::io::stdout().lock();
    match out.write_all(text).and_then(|()| out.flush()) {
        Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => Ok(()),
        Err(error) => Err(CliError::call(format!("standard output: {error}"))),
        Ok(()) => Ok(()),
    }
}

/// An empty table as wide as the terminal.
pub(super) fn table(head: &[&str]) -> comfy_table::Table {
    let mut table = comfy_table::Table::new();
    table.load_style(comfy_table::presets::NOTHING);
    table.set_content_arrangement(comfy_table::ContentArrangement::Dynamic);
    table.set_width(u16::try_from(width()).unwrap_or(80));
    table.set_header(head.to_vec());
    table
}
