//! Decks as their authors wrote them: headers, sections and card lines with their places.
//!
//! A [`Deck`] borrows from its source text and knows no rules. Which words are sections
//! depends on the game: a [`Draft`] has the headers, and is read by the [`SectionNames`] of the
//! format that they name.

mod amend;
mod builder;
mod export;
mod group;
mod json;
mod kind;
mod link;
mod open;
mod read;
mod table;
mod text;
mod tree;
mod write;
mod xml;
mod yaml;
mod ydk;

pub use amend::{Amendment, amend};
pub use count::copies;
pub use decklaw_text::limits::deck::{
    LARGEST_FILE, MOST_CARD_LINES, MOST_COPIES, MOST_ERRORS, MOST_LEFT_OUT, MOST_NAME_BYTES,
    MOST_NAMES, MOST_SECTIONS,
};
pub use export::{moved_for_cockatrice, to_cockatrice, to_csv, to_list};
pub use link::{is_link, settings_apart, to_link};
pub use open::{OpenedDeck, open, open_file};
pub use read::{Draft, read};
pub use read::{lines_of, one_name_too_many};
pub use table::COLUMNS;
pub use write::{Listing, to_json, to_text, to_yaml};

use decklaw_cards::pasted::{count, heading, marks, quoted};
pub use decklaw_cards::sections::SectionNames;
use decklaw_cards::sections::board;
use decklaw_text::fault::{Code, Fault, Severity};
use decklaw_text::text::Span;
use std::borrow::Cow;
use std::fmt;

/// The file formats in which a deck can be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Input {
    /// decklaw's own text, and lists as players paste them from other programs.
    #[default]
    Text,
    /// A YAML mapping.
    Yaml,
    /// A JSON object.
    Json,
    /// A list of card numbers (`.ydk`), which the pool's column `id` turns into names.
    Ydk,
    /// XML of Cockatrice (`.cod`), LackeyCCG and Magic Online (`.dek`) or OCTGN (`.o8d`).
    Xml,
    /// A table with the columns `count`, `name` and `section` (`.csv`, and the only sheet of an
    /// `.xlsx` or `.ods`, which [`open`] turns into text).
    Table,
}

impl Input {
    /// Returns the format that a file's extension names, in any case of letters; text where it
    /// names none.
    pub fn of_path(path: &std::path::Path) -> Input {
        Input::of_ending(path).unwrap_or_default()
    }

    /// Returns the format that a file's extension names, in any case of letters; `None` where it
    /// is that of no deck.
    pub fn of_ending(path: &std::path::Path) -> Option<Input> {
        const ENDINGS: [(&str, Input); 11] = [
            ("txt", Input::Text),
            ("yaml", Input::Yaml),
            ("yml", Input::Yaml),
            ("json", Input::Json),
            ("ydk", Input::Ydk),
            ("cod", Input::Xml),
            ("dek", Input::Xml),
            ("o8d", Input::Xml),
            ("csv", Input::Table),
            ("xlsx", Input::Table),
            ("ods", Input::Table),
        ];
        let ending = path.extension()?.to_str()?;
        let known = ENDINGS.iter().find(|(known, _)| known.eq_ignore_ascii_case(ending));
        known.map(|(_, input)| *input)
    }
}

/// A value of a deck file and its place.
///
/// Every span of a deck counts bytes from the first one after a byte order mark, if the file
/// has one: they fit the text that [`without_bom`](decklaw_text::text::without_bom) leaves.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Located<T> {
    /// The value.
    pub value: T,
    /// Its bytes in the source.
    pub span: Span,
}

/// A deck: what a file says, line by line, before any rule is asked.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Deck<'a> {
    /// The header `Format`.
    pub format: Option<Located<Cow<'a, str>>>,
    /// The header `Name`.
    pub name: Option<Located<Cow<'a, str>>>,
    /// The header `Player`.
    pub player: Option<Located<Cow<'a, str>>>,
    /// The headers `Event`, `Date` and `Note`, in the order of the file.
    pub remarks: Vec<(&'static str, Located<Cow<'a, str>>)>,
    /// The sections in the order in which the file first names them.
    pub sections: Vec<Section<'a>>,
    /// The card lines in the order of the file.
    pub lines: Vec<CardLine<'a>>,
    /// The headings within sections, of a deck in text, in the order of the file.
    pub groups: Vec<Group<'a>>,
    /// Sections that are no part of the deck, with their cards.
    pub left_out: Vec<LeftOut<'a>>,
    /// What is worth knowing about how the file was read: columns that were passed over, say.
    pub notes: Vec<ReaderNote>,
}

/// A section that is no part of the deck, such as `Maybeboard` or `Tokens`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LeftOut<'a> {
    /// Its heading.
    pub section: Cow<'a, str>,
    /// Copies of all its cards.
    pub copies: u64,
    /// The first [`MOST_LEFT_OUT`] of its cards: copies and name.
    pub cards: Vec<(u32, Cow<'a, str>)>,
}

impl<'a> LeftOut<'a> {
    fn of(section: Cow<'a, str>) -> LeftOut<'a> {
        LeftOut { section, ..LeftOut::default() }
    }

    fn push(&mut self, copies: u32, name: Cow<'a, str>) {
        self.copies += u64::from(copies);
        if self.cards.len() < MOST_LEFT_OUT {
            self.cards.push((copies, name));
        }
    }
}

/// Something worth knowing about how a deck's file was read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReaderNote {
    /// What was found.
    pub code: Code,
    /// How much it matters.
    pub severity: Severity,
    /// What was found, a sentence.
    pub message: String,
    /// What to do about it; may be empty.
    pub help: String,
    /// The names of its cards.
    pub cards: Vec<String>,
    /// Where, in bytes after any byte order mark, the first place first; none: the whole file.
    pub spans: Vec<Span>,
}

impl ReaderNote {
    /// A notice about a deck's file.
    pub fn notice(fault: Fault, message: String) -> ReaderNote {
        ReaderNote {
            code: Code::of_deck(fault),
            severity: Severity::Notice,
            message,
            help: String::new(),
            cards: Vec::new(),
            spans: Vec::new(),
        }
    }
}

/// A section that a deck file names (or implies, for cards before any section).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Section<'a> {
    /// The section's id where the game has it (see [`SectionNames::find`]), else its folded name.
    pub id: Cow<'a, str>,
    /// Where the file names it first; empty for the implied one.
    pub span: Span,
}

/// A heading in the game's own words within a section, such as `Monsters (23)`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Group<'a> {
    /// Its word, as it is written.
    pub word: &'a str,
    /// Which of [`Deck::lines`] are below it.
    pub lines: std::ops::Range<usize>,
    /// The fields that have the word, each with the word as cards have it.
    pub of: Vec<(String, String)>,
}

/// One card line: a count and a name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CardLine<'a> {
    /// Index into [`Deck::sections`].
    pub section: u16,
    /// Copies, at least 1.
    pub count: u32,
    /// The name as written, trimmed.
    pub name: Cow<'a, str>,
    /// The name's bytes in the source.
    pub span: Span,
    /// The digits of the count in the source; empty where it has none that can be edited.
    pub digits: Span,
    /// Line number, from 1.
    pub line: u32,
}

/// A place where a deck file could not be understood.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SyntaxError {
    /// What is wrong, a sentence.
    pub message: String,
    /// What to do about it, a sentence; may be empty.
    pub help: String,
    /// Where, in bytes after any byte order mark. In a file that is not UTF-8 it marks the
    /// bytes that are not.
    pub span: Span,
    /// Line number of the span's start, from 1.
    pub line: u32,
    /// Column of the span's start in characters, from 1.
    pub column: u32,
}

impl SyntaxError {
    /// An error about a stretch of a text, placed by counting the lines before it.
    fn at(source: &str, span: Span, message: impl Into<String>, help: impl Into<String>) -> Self {
        let place = decklaw_text::text::place(source, span.start);
        SyntaxError {
            message: message.into(),
            help: help.into(),
            span,
            line: u32::try_from(place.line).unwrap_or(u32::MAX),
            column: u32::try_from(place.column).unwrap_or(u32::MAX),
        }
    }

    /// Says something more of what to do about it.
    fn add_help(&mut self, more: &str) {
        if !self.help.is_empty() {
            self.help.push(' ');
        }
        self.help.push_str(more);
    }
}

impl fmt::Display for SyntaxError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let SyntaxError { line, column, message, help, .. } = self;
        write!(f, "line {line}, column {column}: {message}")?;
        if help.is_empty() { Ok(()) } else { write!(f, " {help}") }
    }
}

impl std::error::Error for SyntaxError {}

/// The headers of a deck, as they are written.
const HEADERS: [&str; 6] = ["Format", "Name", "Player", "Event", "Date", "Note"];

/// The position in [`HEADERS`] of a header's name, case ignored.
fn header(key: &str) -> Option<usize> {
    HEADERS.iter().position(|name| name.eq_ignore_ascii_case(key))
}

/// Whether a word is the name of a header, case ignored.
pub(crate) fn is_header(word: &str) -> bool {
    header(word).is_some()
}

impl<'a> Deck<'a> {
    /// Whether a header of [`HEADERS`] has a value.
    fn has(&self, header: usize) -> bool {
        match header {
            0 => self.format.is_some(),
            1 => self.name.is_some(),
            2 => self.player.is_some(),
            _ => HEADERS
                .get(header)
                .is_some_and(|key| self.remarks.iter().any(|(known, _)| known == key)),
        }
    }

    /// Notes something about how the file, or a part of it, was read.
    fn note(&mut self, fault: Fault, message: String, help: &str, span: Option<Span>) {
        self.notes.push(ReaderNote {
            help: help.to_owned(),
            spans: span.into_iter().collect(),
            ..ReaderNote::notice(fault, message)
        });
    }

    /// Keeps a header's value; an empty one is as good as none.
    fn set(&mut self, header: usize, value: Cow<'a, str>, span: Span) {
        if value.is_empty() {
            return;
        }
        let value = Located { value, span };
        match header {
            0 => self.format = Some(value),
            1 => self.name = Some(value),
            2 => self.player = Some(value),
            _ => self.remarks.push((HEADERS[header], value)),
        }
    }
}

/// Whether a name with marks around it, such as a set's code, is that of a card.
pub fn is_marked(pool: &decklaw_cards::pool::Pool, name: &str) -> bool {
    marks::strip(name, &|name| pool.has_name(name)).is_some()
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests;
