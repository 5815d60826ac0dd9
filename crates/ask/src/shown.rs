//! Paragraphs and colours of the text for people.

use decklaw_judge::render::TextStyle;
use decklaw_text::text::{escape_control, wrapped};

/// A colour of the terminal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Paint {
    Green,
    Red,
    Yellow,
}

impl Paint {
    /// A text in this colour, where colours are shown.
    pub(crate) fn of(self, text: &str, page: &TextStyle) -> String {
        let code = match self {
            Paint::Red => 31,
            Paint::Green => 32,
            Paint::Yellow => 33,
        };
        if page.colour { format!("\u{1b}[{code}m{text}\u{1b}[0m") } else { text.to_owned() }
    }
}

/// Adds a text, its lines as wide as the page.
pub(crate) fn paragraph(out: &mut String, text: &str, paint: Option<Paint>, page: &TextStyle) {
    for line in wrapped(&escape_control(text, false), page.width) {
        out.push_str(&paint.map_or_else(|| line.clone(), |paint| paint.of(&line, page)));
        out.push('\n');
    }
}

/// Why there is no deck: lines that begin with `  - ` stay items of a list.
pub(crate) fn refused(text: &str, width: usize) -> String {
    let mut out = String::new();
    for line in escape_control(text, true).lines() {
        let (mark, rest) = match line.strip_prefix("  - ") {
            Some(rest) => ("  - ", rest),
            None => ("", line),
        };
        let parts = wrapped(rest, width.saturating_sub(mark.len()));
        for (at, part) in parts.iter().enumerate() {
            let indent = " ".repeat(mark.len());
            let start = if at == 0 { mark } else { indent.as_str() };
            out.push_str(&format!("{start}{part}\n"));
        }
    }
    out
}
