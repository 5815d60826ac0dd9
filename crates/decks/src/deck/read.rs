//! One door to the readers of every file format.

use super::{
    CardLine, Deck, Input, MOST_CARD_LINES, MOST_NAME_BYTES, MOST_NAMES, SectionNames, SyntaxError,
    json, kind, table, text, xml, yaml, ydk,
};
use decklaw_cards::sections::ListedCopies;
use decklaw_text::fault::Fault;
use decklaw_text::text::Span;
use rustc_hash::FxHashSet;
use std::borrow::Cow;

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
/// use decklaw_decks::deck::{Input, read};
/// let deck = read(b"Name: Tide\n\n3 Moss Sprite\n", Input::Text, &mut |_| None).unwrap();
/// assert_eq!((deck.lines[0].count, &*deck.lines[0].name), (3, "Moss Sprite"));
/// ```
pub fn read<'a, 'f>(
    source: &'a [u8],
    input: Input,
    names: &mut dyn FnMut(Option<&str>) -> Option<SectionNames<'f>>,
) -> Result<Deck<'a>, Vec<SyntaxError>> {
    let source = utf8(source)?;
    let text = Some(source).filter(|_| input == Input::Text);
    let kind = text.and_then(kind::of);
    let read = match kind.unwrap_or(input) {
        Input::Text => text::read(source, names),
        Input::Yaml => yaml::read(source, names),
        Input::Json => json::read(source, names),
        Input::Ydk => ydk::read(source, names),
        Input::Xml => xml::read(source, names),
        Input::Table => table::read(source, names),
    };
    let name = kind.map(|kind| match kind {
        Input::Xml => "XML",
        Input::Json => "JSON",
        Input::Ydk => "a list of card numbers (`.ydk`)",
        _ => "a table",
    });
    let mut deck = read.map_err(|mut errors| {
        if let (Some(first), Some(name)) = (errors.first_mut(), name) {
            first.add_help(&format!("The file is read as {name}."));
        }
        errors
    })?;
    if let Some(name) = name {
        deck.note(Fault::Recoded, format!("read as: {name}"), "", None);
    }
    if let Some(line) = deck.lines.get(MOST_CARD_LINES) {
        let message = format!("There are more than {MOST_CARD_LINES} lines of cards.");
        return Err(vec![SyntaxError::at(source, line.span, message, NO_DECK)]);
    }
    Ok(deck)
}

/// What to do about a list that is larger than a deck can be.
const NO_DECK: &str =
    "A deck has some hundred; a collection is no deck, and belongs in a table of its own.";

/// Returns the error of a list with more names than a deck may have, or longer ones
/// ([`MOST_NAMES`], [`MOST_NAME_BYTES`]). `source` is the text that the deck was read from.
pub fn one_name_too_many(deck: &Deck<'_>, source: &str) -> Option<SyntaxError> {
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
    let message = if names.len() > MOST_NAMES {
        format!("There are more than {MOST_NAMES} different names of cards.")
    } else {
        let most = MOST_NAME_BYTES >> 20;
        format!("The names of its cards have more than {most} MiB.")
    };
    Some(SyntaxError::at(source, line.span, message, NO_DECK))
}

/// Returns the text of a file: UTF-8, no NUL, every line ended by LF or CRLF.
fn utf8(source: &[u8]) -> Result<&str, Vec<SyntaxError>> {
    const AS_UTF8: &str = "Save the deck as plain text in UTF-8.";
    let source = decklaw_text::text::without_bom(source);
    let text = std::str::from_utf8(source);
    let valid = match text {
        Ok(text) => Cow::Borrowed(text),
        Err(error) => String::from_utf8_lossy(&source[..error.valid_up_to()]),
    };
    let wrong = |at: usize, length: usize, what: &str, help: &str| {
        let before = &source[..at];
        let line = memchr::memchr_iter(b'\n', before).count() + 1;
        let start = memchr::memrchr(b'\n', before).map_or(0, |end| end + 1);
        let message = format!("Byte {} of line {line} is {what}.", at - start + 1);
        let span = Span::new(at, at + length);
        Err(vec![SyntaxError::at(&valid, span, message, help)])
    };
    let text = match text {
        Ok(text) => text,
        Err(error) => {
            let at = error.valid_up_to();
            let length = error.error_len().unwrap_or(source.len() - at);
            let bytes = source[at..at + length].iter();
            let bytes: Vec<String> = bytes.map(|byte| format!("{byte:02X}")).collect();
            let is_utf16 = source.starts_with(b"\xff\xfe") || source.starts_with(b"\xfe\xff");
            let what = if is_utf16 {
                "the file starts like UTF-16 but is not"
            } else {
                "that is not UTF-8"
            };
            let what = format!("{}: {what}", bytes.join(" "));
            return wrong(at, length, &what, AS_UTF8);
        }
    };
    match decklaw_text::text::unfit(source) {
        Some(at) if source[at] == 0 => wrong(at, 1, "NUL, which no text has", AS_UTF8),
        Some(at) => {
            let what = "`\u{fffd}`: another program lost a letter here";
            let help = "Write the letter again, and save the deck as plain text in UTF-8.";
            wrong(at, 3, what, help)
        }
        None => match lone_return(source) {
            Some(at) => {
                let help = "Save the deck with lines that end in LF or CRLF.";
                wrong(at, 1, "a carriage return alone", help)
            }
            None => Ok(text),
        },
    }
}

/// Finds a carriage return that no line feed follows. Programs disagree whether it ends a line,
/// so lines could not be numbered.
fn lone_return(source: &[u8]) -> Option<usize> {
    memchr::memchr_iter(b'\r', source).find(|&at| source.get(at + 1) != Some(&b'\n'))
}

/// The lines of a deck as text, by a game's sections: what examples of rules are read with.
///
/// # Errors
/// What is wrong with it, in words.
pub fn lines_of(text: &str, names: SectionNames<'_>) -> Result<Vec<ListedCopies>, String> {
    let deck = read(text.as_bytes(), Input::Text, &mut |_: Option<&str>| Some(names));
    let deck = deck
        .map_err(|errors| errors.iter().map(ToString::to_string).collect::<Vec<_>>().join("; "))?;
    let line = |line: &CardLine<'_>| ListedCopies {
        section: deck.sections[usize::from(line.section)].id.to_string(),
        name: line.name.to_string(),
        copies: line.count,
    };
    Ok(deck.lines.iter().map(line).collect())
}
