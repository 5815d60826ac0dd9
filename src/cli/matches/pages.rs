//! What is longer than a screen: page by page, and lists in columns.

use super::asking::is_screen;
use super::line::ask;
use super::{Failure, files};
use crate::cli::terminal;
use unicode_width::UnicodeWidthStr;

/// Clears the screen, and what was on it before.
pub(super) const CLEAR: &str = "\u{1b}[2J\u{1b}[3J\u{1b}[H";

/// The columns and rows of the screen.
pub(super) fn size() -> (usize, usize) {
    let size = terminal_size::terminal_size();
    size.map_or((80, 24), |(width, height)| {
        (usize::from(width.0), usize::from(height.0))
    })
}

/// Shows something that is longer than a message; on a screen until Enter is pressed. Answers
/// what was typed before Enter, if anything: it is the next thing that is wanted.
pub(super) fn shown(text: &str) -> Result<String, Failure> {
    if !is_screen() {
        files::print(text)?;
        return Ok(String::new());
    }
    let (columns, rows) = size();
    let lines = text.lines().flat_map(|line| broken(line, columns));
    let lines: Vec<String> = lines.collect();
    for page in lines.chunks(rows.saturating_sub(2).max(1)) {
        files::print(&format!("{CLEAR}{}\n", page.join("\n")))?;
        match ask("Enter goes on ")? {
            Some(typed) if typed.is_empty() => (),
            typed => return Ok(typed.unwrap_or_default()),
        }
    }
    Ok(String::new())
}

/// A line in lines of so many columns: it is broken at blanks, and keeps its indent.
fn broken(line: &str, columns: usize) -> Vec<String> {
    if line.width() <= columns {
        return vec![line.to_owned()];
    }
    let indent = line.len() - line.trim_start().len();
    let start = " ".repeat(indent.min(columns / 2));
    let room = columns.saturating_sub(start.len() + 2).max(10);
    let lines = terminal::wrapped(line.trim_start(), room).into_iter();
    let lines = lines.enumerate().map(|(number, line)| match number {
        0 => format!("{start}{line}"),
        _ => format!("{start}  {line}"),
    });
    lines.collect()
}

/// A list in so many columns of the screen: one item below the other, and side by side where
/// there are more than so many rows. What is longer than a line is broken at blanks.
pub(super) fn listed(items: &[String], columns: usize, rows: usize) -> Vec<String> {
    let widest = items.iter().map(|item| item.width()).max().unwrap_or(0) + 2;
    let side_by_side = (columns / widest).max(1);
    let needed = items.len().div_ceil(rows.max(1)).max(1);
    let down = items.len().div_ceil(side_by_side.min(needed)).max(1);
    if down >= items.len() {
        return items
            .iter()
            .flat_map(|item| broken(item, columns))
            .collect();
    }
    let line = |row: usize| {
        let mut line = String::new();
        for (number, item) in items.iter().skip(row).step_by(down).enumerate() {
            let blank = (number * widest).saturating_sub(line.width());
            line.push_str(&" ".repeat(blank));
            line.push_str(item);
        }
        line
    };
    (0..down).map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_stand_in_columns_where_they_are_long_and_lose_nothing() {
        let items: Vec<String> = (1..=54)
            .map(|number| format!("{number:>3}. card {number}"))
            .collect();
        for (columns, rows) in [(80, 20), (60, 20), (60, 40), (20, 10), (80, 60)] {
            let lines = listed(&items, columns, rows);
            let all = lines.join(" ");
            for item in &items {
                assert!(all.contains(item.trim()), "{item}");
            }
            assert!(lines.iter().all(|line| line.width() <= columns));
            assert!(
                lines.len() <= rows || columns < 60,
                "{columns} {rows}: {}",
                lines.len()
            );
        }
        let long = ["  1. a sentence that is much longer than the line is wide".to_owned()];
        let lines = listed(&long, 30, 20);
        assert!(
            lines.len() > 1 && lines.iter().all(|line| line.width() <= 30),
            "{lines:?}"
        );
        assert!(listed(&[], 80, 20).is_empty());
    }
}
