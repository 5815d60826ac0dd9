//! One door to the readers of every file format.

use super::{
    Deck, Input, MOST_CARD_LINES, MOST_NAME_BYTES, MOST_NAMES, SectionNames, SyntaxError, json,
    kind, table, text, xml, yaml, ydk,
};
use crate::text::Span;
use rustc_hash::FxHashSet;

/// Reads a deck. `names` is called with the deck's own format header (trimmed), and
/// answers with the sections of the format by which the deck is to be read; `None` (no such
/// format: the caller's finding, not the reader's) reads it with open sections.
///
/// Text is decklaw's own or a list pasted from another program; a text that is plainly a file of
/// another kind, such as XML, is read as that, which [`Deck::notes`] mentions.
///
/// # Errors
/// Every place that is not understood, in the order of the file (at most 100); a deck with
/// one such place is no deck. Bytes that are not UTF-8, NUL bytes, duplicate keys, alias
/// bombs and deep nesting in YAML and JSON are such places too.
///
/// ```
/// use decklaw_core::deck::{Input, read};
/// let deck = read(b"Name: Tide\n\n3 Moss Sprite\n", Input::Text, &mut |_| None).unwrap();
/// assert_eq!((deck.lines[0].count, &*deck.lines[0].name), (3, "Moss Sprite"));
/// ```
pub fn read<'a, 'f>(
    source: &'a [u8],
    input: Input,
    names: &mut dyn FnMut(Option<&str>) -> Option<SectionNames<'f>>,
) -> Result<Deck<'a>, Vec<SyntaxError>> {
    let source = utf8(source)?;
    let deck = match input {
        Input::Text => match kind::of(source) {
            Some(kind) => kind::read(kind, source, names),
            None => text::read(source, names),
        },
        Input::Yaml => yaml::read(source, names),
        Input::Json => json::read(source, names),
        Input::Ydk => ydk::read(source, names),
        Input::Xml => xml::read(source, names),
        Input::Table => table::read(source, names),
    }?;
    if let Some(line) = deck.lines.get(MOST_CARD_LINES) {
        let message = format!("There are more than {MOST_CARD_LINES} lines of cards.");
        return Err(vec![SyntaxError::at(source, line.span, message, NO_DECK)]);
    }
    Ok(deck)
}

/// What is larger than a deck can be.
const NO_DECK: &str =
    "A deck has some hundred; a collection is no deck, and belongs in a table of its own.";

/// The place of a name that is one more than a deck may have, or too long beside the others
/// ([`MOST_NAMES`], [`MOST_NAME_BYTES`]): such a list is no deck. `source` is the text that the
/// deck was read from.
pub(crate) fn one_name_too_many(deck: &Deck<'_>, source: &str) -> Option<SyntaxError> {
    let lines = &deck.lines;
    let long = || lines.iter().map(|line| line.name.len()).sum::<usize>() > MOST_NAME_BYTES;
    if lines.len() <= MOST_NAMES && !long() {
        return None;
    }
    let (mut names, mut bytes) = (FxHashSet::default(), 0);
    let line = lines.iter().find(|line| {
        if names.insert(&*line.name) {
            bytes += line.name.len();
        }
        names.len() > MOST_NAMES || bytes > MOST_NAME_BYTES
    })?;
    let message = match names.len() > MOST_NAMES {
        true => format!("There are more than {MOST_NAMES} different names of cards."),
        false => format!(
            "The names of its cards have more than {} MiB.",
            MOST_NAME_BYTES >> 20
        ),
    };
    Some(SyntaxError::at(source, line.span, message, NO_DECK))
}

/// The text of a file, if it is text: UTF-8, no NUL, every line ended by LF or CRLF.
fn utf8(source: &[u8]) -> Result<&str, Vec<SyntaxError>> {
    let source = crate::text::without_bom(source);
    let wrong = match std::str::from_utf8(source) {
        Err(error) => {
            let at = error.valid_up_to();
            let end = error.error_len().map_or(source.len(), |length| at + length);
            not_utf8(source, at, end)
        }
        Ok(text) => {
            let unfit = crate::text::unfit(source);
            if let Some(at) = unfit.filter(|at| source[*at] != 0) {
                let message = format!(
                    "{} is `\u{fffd}`, which stands where another program has lost a letter.",
                    nth_byte(source, at)
                );
                let help = "Write the letter again, and save the deck as plain text in UTF-8.";
                SyntaxError::at(text, Span::new(at, at + 3), message, help)
            } else if let Some(at) = unfit {
                let message = format!("{} is NUL, which no text has.", nth_byte(source, at));
                let help = "Save the deck as plain text in UTF-8.";
                SyntaxError::at(text, Span::new(at, at + 1), message, help)
            } else if let Some(at) = lone_return(source) {
                let message = format!("{} is a carriage return alone.", nth_byte(source, at));
                let help = "Save the deck with lines that end in LF or CRLF.";
                SyntaxError::at(text, Span::new(at, at + 1), message, help)
            } else {
                return Ok(text);
            }
        }
    };
    Err(vec![wrong])
}

/// A carriage return that no line feed follows. Programs disagree whether it ends a line,
/// so lines could not be numbered.
fn lone_return(source: &[u8]) -> Option<usize> {
    memchr::memchr_iter(b'\r', source).find(|&at| source.get(at + 1) != Some(&b'\n'))
}

fn nth_byte(source: &[u8], at: usize) -> String {
    let before = &source[..at];
    let line = memchr::memchr_iter(b'\n', before).count() + 1;
    let start = memchr::memrchr(b'\n', before).map_or(0, |end| end + 1);
    format!("Byte {} of line {line}", at - start + 1)
}

fn not_utf8(source: &[u8], at: usize, end: usize) -> SyntaxError {
    let valid = String::from_utf8_lossy(&source[..at]);
    let bytes: Vec<String> = source[at..end]
        .iter()
        .map(|byte| format!("{byte:02X}"))
        .collect();
    let utf16 = source.starts_with(b"\xff\xfe") || source.starts_with(b"\xfe\xff");
    let what = if utf16 {
        "the file begins as UTF-16 does, and is none"
    } else {
        "that is not UTF-8"
    };
    let message = format!("{} is {}: {what}.", nth_byte(source, at), bytes.join(" "));
    let help = "Save the deck as plain text in UTF-8.";
    SyntaxError::at(&valid, Span::new(at, end), message, help)
}
