//! Files of a kind of their own that stand in a text file, as a browser or a chat saves them:
//! their beginnings tell which.

use super::{Ask, cockatrice, lackey, table, ydk};
use crate::deck::{Deck, SyntaxError, json};
use crate::pool::NAMES;
use crate::table::{COUNTS, column, read_header};

/// A kind of file that a text plainly is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum FileKind {
    /// Cockatrice's XML.
    Cockatrice,
    /// The XML of LackeyCCG, of MTGO and of OCTGN.
    Lackey,
    /// JSON.
    Json,
    /// A list of card numbers.
    Ydk,
    /// A table with the columns of a deck.
    Table,
}

/// The most bytes that are looked at for the root of a document.
const HEAD: usize = 2000;

/// The kind of file that a text plainly is; `None`: a deck in lines, or nothing.
pub(super) fn of(source: &str) -> Option<FileKind> {
    let text = source.trim_start();
    match text.as_bytes().first()? {
        b'<' => {
            let head: String = text.chars().take(HEAD).collect();
            let head = head.to_ascii_lowercase();
            let root = |name: &str| {
                let mut after = head.match_indices(name).map(|(at, _)| at + name.len());
                after.any(|at| head[at..].starts_with([' ', '>', '\n', '\r', '\t', '/']))
            };
            match (root("<cockatrice_deck"), root("<deck")) {
                (true, _) => Some(FileKind::Cockatrice),
                (_, true) => Some(FileKind::Lackey),
                _ => None,
            }
        }
        b'{' => Some(FileKind::Json).filter(|_| text.contains('"')),
        b'#' => Some(FileKind::Ydk).filter(|_| is_ydk(text)),
        _ => Some(FileKind::Table).filter(|_| is_table(text)),
    }
}

/// Whether there is nothing but numbers of cards, and the sections of such files.
fn is_ydk(text: &str) -> bool {
    let numbers = |line: &str| line.bytes().all(|byte| byte.is_ascii_digit());
    let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    let (mut main, mut cards) = (false, false);
    let only = lines.all(|line| {
        main |= line == "#main";
        cards |= numbers(line);
        line.starts_with('#') || line == "!side" || numbers(line)
    });
    only && main && cards
}

/// Whether the first line names the columns of a deck.
fn is_table(text: &str) -> bool {
    let Some(first) = text.lines().next() else {
        return false;
    };
    let has = |header: &[String], spellings| matches!(column(header, spellings), Ok(Some(_)));
    // `Name: ;x` is a header of a deck in text.
    let cell = first.split([',', ';', '\t']).next().unwrap_or_default();
    cell.len() < first.len()
        && !cell.trim_end().ends_with(':')
        && read_header(first.as_bytes())
            .is_ok_and(|(header, _)| has(&header, COUNTS) && has(&header, NAMES))
}

impl FileKind {
    /// Reads a text as one of this kind, and says so.
    ///
    /// # Errors
    /// What its reader does not understand.
    pub(super) fn read<'a, 'f>(
        self,
        source: &'a str,
        ask: Ask<'_, 'f>,
    ) -> Result<Deck<'a>, Vec<SyntaxError>> {
        let (read, kind) = match self {
            FileKind::Cockatrice => (cockatrice(source, ask), "Cockatrice's XML (`.cod`)"),
            FileKind::Lackey => (lackey(source, ask), "XML of LackeyCCG, MTGO or OCTGN"),
            FileKind::Json => (json::read(source, ask), "JSON"),
            FileKind::Ydk => (ydk(source, ask), "a list of card numbers (`.ydk`)"),
            FileKind::Table => (table(source, ask), "a table"),
        };
        match read {
            Ok(mut deck) => {
                deck.notes.push(format!("read as: {kind}"));
                Ok(deck)
            }
            Err(mut errors) => {
                if let Some(first) = errors.first_mut() {
                    let told = format!("The file is read as {kind}.");
                    first.add_help(&told);
                }
                Err(errors)
            }
        }
    }
}
