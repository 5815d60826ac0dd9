//! One door to the readers of every file format.

use super::builder::Builder;
use super::tree::Entry;
use super::{
    CardLine, Deck, Input, MOST_CARD_LINES, MOST_NAME_BYTES, MOST_NAMES, SectionNames, SyntaxError,
    json, kind, table, text, tree, xml, yaml, ydk,
};
use decklaw_cards::sections::ListedCopies;
use decklaw_text::fault::Fault;
use decklaw_text::text::Span;
use rustc_hash::FxHashSet;
use std::borrow::Cow;

/// Reads a deck whose format is known; [`SectionNames::OPEN`] where it is not. [`Draft`] reads one
/// whose headers name its format.
///
/// # Errors
/// Those of [`Draft::of`] and [`Draft::read`].
///
/// ```
/// use decklaw_decks::deck::{Input, SectionNames, read};
/// let deck = read(b"Name: Tide\n\n3 Moss Sprite\n", Input::Text, SectionNames::OPEN).unwrap();
/// assert_eq!((deck.lines[0].count, &*deck.lines[0].name), (3, "Moss Sprite"));
/// ```
pub fn read<'a>(
    source: &'a [u8],
    input: Input,
    names: SectionNames<'_>,
) -> Result<Deck<'a>, Vec<SyntaxError>> {
    Draft::of(source, input)?.read(names)
}

/// A deck whose headers are read, and whose cards are not yet: the sections by which they are read
/// are those of its format.
///
/// ```
/// use decklaw_decks::deck::{Draft, Input, SectionNames};
/// let draft = Draft::of(b"Format: shell\n\n3 Moss Sprite\n", Input::Text).unwrap();
/// assert_eq!(draft.format(), Some("shell"));
/// assert_eq!(draft.read(SectionNames::OPEN).unwrap().lines[0].count, 3);
/// ```
pub struct Draft<'a> {
    builder: Builder<'a, 'static>,
    body: Body<'a>,
    /// The kind of a file that has the ending of a text.
    sniffed: Option<Input>,
}

/// What is left of a file without its headers.
enum Body<'a> {
    /// A list, and whether it begins as Arena's do.
    Text(bool),
    Yaml(Vec<Entry<'a>>),
    Json(Vec<Entry<'a>>),
    Xml(xml::Outline<'a>),
    Ydk,
    Table,
}

impl std::fmt::Debug for Draft<'_> {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_struct("Draft").field("format", &self.format()).finish_non_exhaustive()
    }
}

impl<'a> Draft<'a> {
    /// Reads the headers of a deck.
    ///
    /// Text is decklaw's own or a list pasted from another program; a text that is plainly a file of
    /// another kind, such as XML, is read as that, which [`Deck::notes`] mentions.
    ///
    /// # Errors
    /// Bytes that are not UTF-8, NUL bytes, and what is no document of its kind: duplicate keys,
    /// alias bombs and deep nesting in YAML and JSON, say.
    pub fn of(source: &'a [u8], input: Input) -> Result<Draft<'a>, Vec<SyntaxError>> {
        let source = utf8(source)?;
        let sniffed = Some(source).filter(|_| input == Input::Text).and_then(kind::of);
        let mut builder = Builder::new(source, SectionNames::OPEN);
        let body = match sniffed.unwrap_or(input) {
            Input::Text => text::headers(&mut builder).map(Body::Text),
            Input::Yaml => yaml::document(source)
                .and_then(|document| tree::headers(&mut builder, document))
                .map(Body::Yaml),
            Input::Json => json::document(source)
                .and_then(|document| tree::headers(&mut builder, document))
                .map(Body::Json),
            Input::Xml => xml::headers(&mut builder).map(Body::Xml),
            Input::Ydk => Ok(Body::Ydk),
            Input::Table => Ok(Body::Table),
        };
        let body = body.map_err(|errors| with_kind(errors, sniffed))?;
        Ok(Draft { builder, body, sniffed })
    }

    /// Returns the format that the headers name, trimmed.
    pub fn format(&self) -> Option<&str> {
        self.builder.deck.format.as_ref().map(|format| &*format.value)
    }

    /// Reads the cards by the sections of a format; [`SectionNames::OPEN`] where it is not known,
    /// which is the caller's finding.
    ///
    /// # Errors
    /// Every place that is not understood, in the order of the file (at most 100); a deck with one
    /// such place is no deck.
    pub fn read(self, names: SectionNames<'_>) -> Result<Deck<'a>, Vec<SyntaxError>> {
        let Draft { builder, body, sniffed } = self;
        let source = builder.source;
        let builder = builder.with_names(names);
        let read = match body {
            Body::Text(about) => text::read(builder, about),
            Body::Json(sections) => tree::read(builder, sections),
            Body::Yaml(sections) => tree::read(builder, sections).map(|mut deck| {
                if !names.ids.is_empty() && source.contains('#') {
                    text::note_comments(&mut deck, source, &names);
                }
                deck
            }),
            Body::Xml(outline) => xml::read(builder, outline),
            Body::Ydk => ydk::read(builder),
            Body::Table => table::read(builder),
        };
        let mut deck = read.map_err(|errors| with_kind(errors, sniffed))?;
        if let Some(kind) = sniffed {
            let message = format!("read as: {}", in_words(kind));
            deck.note(Fault::Recoded, message, "", None);
        }
        if let Some(line) = deck.lines.get(MOST_CARD_LINES) {
            let message = format!("There are more than {MOST_CARD_LINES} lines of cards.");
            return Err(vec![SyntaxError::at(source, line.span, message, NO_DECK)]);
        }
        Ok(deck)
    }
}

/// Says in the first error as what kind of file a text was read.
fn with_kind(mut errors: Vec<SyntaxError>, sniffed: Option<Input>) -> Vec<SyntaxError> {
    if let (Some(first), Some(kind)) = (errors.first_mut(), sniffed) {
        first.add_help(&format!("The file is read as {}.", in_words(kind)));
    }
    errors
}

fn in_words(kind: Input) -> &'static str {
    match kind {
        Input::Xml => "XML",
        Input::Json => "JSON",
        Input::Ydk => "a list of card numbers (`.ydk`)",
        _ => "a table",
    }
}

/// What to do about a list that is larger than a deck can be.
const NO_DECK: &str = "A deck has some hundred. Put a collection into a table of its own.";

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
    let deck = read(text.as_bytes(), Input::Text, names)
        .map_err(|errors| errors.iter().map(ToString::to_string).collect::<Vec<_>>().join("; "))?;
    let line = |line: &CardLine<'_>| ListedCopies {
        section: deck.sections[usize::from(line.section)].id.to_string(),
        name: line.name.to_string(),
        copies: line.count,
    };
    Ok(deck.lines.iter().map(line).collect())
}
