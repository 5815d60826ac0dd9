//! Lines that fit a terminal.

use std::borrow::Cow;
use textwrap::{Options, WordSeparator, WordSplitter};
use unicode_width::UnicodeWidthChar;

/// The columns of the longest word that is not broken: longer than any path or digest.
const LONGEST_WORD: usize = 400;

/// The beginning of a text that may be of any length.
pub(super) fn clip(text: &str, most: usize) -> Cow<'_, str> {
    let mut used = 0;
    for (at, character) in text.char_indices() {
        // Combining marks count too, so that the number of bytes is bounded.
        used += character.width().unwrap_or(1).max(1);
        if used > most {
            return Cow::Owned(format!("{}…", &text[..at]));
        }
    }
    Cow::Borrowed(text)
}

/// Wraps a text and ends it with a new line; further lines are indented. It breaks at spaces only,
/// so that a path, a digest or a date can be copied.
pub(super) fn wrap(text: &str, indent: usize, width: usize) -> String {
    let indent = " ".repeat(indent);
    let options = Options::new(width.max(20))
        .subsequent_indent(&indent)
        .break_words(false)
        .word_separator(WordSeparator::AsciiSpace)
        .word_splitter(WordSplitter::NoHyphenation);
    let words: Vec<Cow<'_, str>> = text.split(' ').map(|word| clip(word, LONGEST_WORD)).collect();
    textwrap::fill(&words.join(" "), options) + "\n"
}
