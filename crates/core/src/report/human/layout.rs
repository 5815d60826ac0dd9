//! Lines that fit a terminal.

use super::Style;
use std::borrow::Cow;
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// The columns that a text takes.
pub(super) fn columns(text: &str) -> usize {
    UnicodeWidthStr::width(text)
}

/// The columns that are set aside for a character: marks that sit on another count too, so
/// that what is cut by columns is bounded in bytes.
pub(super) fn cost(character: char) -> usize {
    character.width().unwrap_or(1).max(1)
}

/// What stands for text left out.
pub(super) fn ellipsis(style: &Style) -> &'static str {
    if style.unicode { "…" } else { "..." }
}

/// The beginning of a text that may be of any length.
pub(super) fn clip<'a>(text: &'a str, most: usize, style: &Style) -> Cow<'a, str> {
    let mut used = 0;
    for (at, character) in text.char_indices() {
        used += cost(character);
        if used > most {
            return Cow::Owned(format!("{}{}", &text[..at], ellipsis(style)));
        }
    }
    Cow::Borrowed(text)
}

/// A piece of a line that is not broken where it need not be.
#[derive(Debug)]
pub(super) struct Piece {
    /// What it says.
    pub(super) text: String,
    /// The number of a terminal's colour, with its attributes.
    pub(super) colour: Option<&'static str>,
    /// Spaces before it, unless it begins a further line.
    pub(super) gap: usize,
}

impl Piece {
    /// A piece without colour.
    pub(super) fn plain(gap: usize, text: impl Into<String>) -> Piece {
        Piece {
            text: text.into(),
            colour: None,
            gap,
        }
    }

    /// A piece in a colour.
    pub(super) fn painted(gap: usize, text: impl Into<String>, colour: &'static str) -> Piece {
        Piece {
            colour: Some(colour),
            ..Piece::plain(gap, text)
        }
    }

    /// The words of a text, one a piece.
    pub(super) fn words(text: &str) -> impl Iterator<Item = Piece> {
        text.split_whitespace().map(|word| Piece::plain(1, word))
    }
}

/// The columns of the longest word that is left whole.
const LONGEST_WORD: usize = 400;

/// Pieces in lines, the further ones indented; ends with a new line. What is longer than a line is
/// broken at its spaces, and never within a word: a path, a digest or an option that is longer
/// than a line stands on one of its own, so that it can be taken as a whole. What no path is as
/// long as is cut.
pub(super) fn lay(pieces: &[Piece], indent: usize, style: &Style) -> String {
    let width = style.width.max(indent + 8);
    let mut out = String::new();
    let mut column = 0;
    let mut fresh = true;
    let turn = |out: &mut String, column: &mut usize| {
        out.push('\n');
        out.extend(std::iter::repeat_n(' ', indent));
        *column = indent;
    };
    let mut lay_one = |text: &str, gap: usize, colour: Option<&str>| {
        let takes = columns(text);
        if !fresh && column + gap + takes > width {
            turn(&mut out, &mut column);
        } else {
            out.extend(std::iter::repeat_n(' ', gap));
            column += gap;
        }
        fresh = false;
        let colour = colour.filter(|_| style.colour);
        if let Some(colour) = colour {
            out.push_str("\u{1b}[");
            out.push_str(colour);
            out.push('m');
        }
        if takes <= LONGEST_WORD {
            out.push_str(text);
            column += takes;
        } else {
            for character in text.chars() {
                let takes = character.width().unwrap_or(0);
                if column + takes > width {
                    turn(&mut out, &mut column);
                }
                out.push(character);
                column += takes;
            }
        }
        if colour.is_some() {
            out.push_str("\u{1b}[0m");
        }
    };
    for piece in pieces {
        if indent + columns(&piece.text) <= width {
            lay_one(&piece.text, piece.gap, piece.colour);
        } else {
            for (at, word) in piece.text.split_whitespace().enumerate() {
                lay_one(word, if at == 0 { piece.gap } else { 1 }, piece.colour);
            }
        }
    }
    out.push('\n');
    out
}
