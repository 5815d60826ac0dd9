//! Decks as their authors wrote them: headers, sections and card lines with their places.
//!
//! A [`Deck`] borrows from its source text and knows no rules. Which words are sections
//! depends on the game, so a reader asks a [`SectionNames`] about them.

mod json;
mod text;
mod write;
mod yaml;

use crate::text::Span;
use std::borrow::Cow;

/// The file formats in which a deck can be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Input {
    /// The native text dialect.
    #[default]
    Text,
    /// A YAML mapping.
    Yaml,
    /// A JSON object.
    Json,
}

impl Input {
    /// The format that a file's extension tells; text where it tells none.
    pub fn of_path(path: &std::path::Path) -> Input {
        match path.extension().and_then(|ending| ending.to_str()) {
            Some("yaml" | "yml") => Input::Yaml,
            Some("json") => Input::Json,
            _ => Input::Text,
        }
    }
}

/// A value of a deck file and where it stands.
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
}

/// A section that a deck file names (or implies, for cards before any section).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Section<'a> {
    /// The section's id where the game has it (see [`SectionNames::find`]), else its folded name.
    pub id: Cow<'a, str>,
    /// Where the file names it first; empty for the implied one.
    pub span: Span,
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
    /// Line number, from 1.
    pub line: u32,
}

/// A place where a deck file could not be understood.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SyntaxError {
    /// What is wrong, a sentence.
    pub message: String,
    /// What would mend it, a sentence; may be empty.
    pub mend: String,
    /// Where.
    pub span: Span,
}

/// What a reader must know of a game: the names of its sections.
#[derive(Debug, Clone, Copy)]
pub struct SectionNames<'f> {
    /// `(folded name or alias, id)` of every section. Empty and [`open`](Self::open) for
    /// formats in which a deck may name any section.
    pub names: &'f [(String, String)],
    /// Ids in the order in which to list them.
    pub ids: &'f [String],
    /// Where cards before any section go.
    pub first: &'f str,
    /// Whether a word that is no known section makes a new one, its id the folded name.
    pub open: bool,
}

impl<'f> SectionNames<'f> {
    /// The id of the section that a word names, case and white space ignored.
    pub fn find(&self, word: &str) -> Option<&'f str> {
        let folded = crate::name::fold(word);
        let found = self.names.iter().find(|(name, _)| *name == folded)?;
        Some(found.1.as_str())
    }
}

/// The largest number of copies that one line may give.
pub const MOST_COPIES: u32 = 999_999;

/// The largest deck file that is read, in bytes.
pub const LARGEST_FILE: u64 = 16 << 20;

/// Reads a deck. `names` is called once, with the deck's own format header (trimmed), and
/// answers with the sections of the format by which the deck is to be read; `None` (no such
/// format: the caller's finding, not the reader's) reads it with open sections.
///
/// # Errors
/// Every place that is not understood, in the order of the file (at most 100); a deck with
/// one such place is no deck. Bytes that are not UTF-8, NUL bytes, duplicate keys, alias
/// bombs and deep nesting in YAML and JSON are such places too.
pub fn read<'a, 'f>(
    source: &'a [u8],
    input: Input,
    names: &mut dyn FnMut(Option<&str>) -> Option<SectionNames<'f>>,
) -> Result<Deck<'a>, Vec<SyntaxError>> {
    let source = utf8(source)?;
    match input {
        Input::Text => text::read(source, names),
        Input::Yaml => yaml::read(source, names),
        Input::Json => json::read(source, names),
    }
}
