//! One shape between an answer and the kinds of output that it is written in.

use crate::judge::Note;
use crate::resolve::Resolved;
use decklaw_text::Problem;
use decklaw_text::digest::whole;
use decklaw_text::spreadsheet::{Cell, Flavour, Sheet};
use serde_json::Value;

/// A kind of output.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Text for people.
    Human,
    /// One JSON document for programs.
    Json,
    /// A line of JSON for each deck.
    Ndjson,
    /// A table for spreadsheets.
    Csv(Flavour),
    /// A report for build servers.
    Junit,
    /// Annotations for the workflows of GitHub.
    Github,
    /// A workbook.
    Xlsx,
    /// Data in a format of its own, by its name: a deck, a match file, a PDF.
    Data(&'static str),
}

impl Kind {
    /// The word for it in `-o KIND`.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Human => "human",
            Kind::Json => "json",
            Kind::Ndjson => "ndjson",
            Kind::Csv(Flavour::Plain) => "csv",
            Kind::Csv(Flavour::Excel) => "csv-excel",
            Kind::Junit => "junit",
            Kind::Github => "github",
            Kind::Xlsx => "xlsx",
            Kind::Data(name) => name,
        }
    }

    /// Whether it is written once, of all decks together.
    pub fn is_document(self) -> bool {
        matches!(self, Kind::Json | Kind::Junit | Kind::Xlsx)
    }
}

/// The kinds of answers that have a table.
pub const FIGURES: &[Kind] = &[
    Kind::Human,
    Kind::Json,
    Kind::Csv(Flavour::Plain),
    Kind::Csv(Flavour::Excel),
    #[cfg(feature = "xlsx")]
    Kind::Xlsx,
];

/// The kinds of answers about decks that have a table, and a line for each deck.
pub const FIGURES_BY_DECK: &[Kind] = &[
    Kind::Human,
    Kind::Json,
    Kind::Ndjson,
    Kind::Csv(Flavour::Plain),
    Kind::Csv(Flavour::Excel),
    #[cfg(feature = "xlsx")]
    Kind::Xlsx,
];

/// What is written in some kinds of output.
pub trait Written {
    /// The kinds; the first is the default.
    const KINDS: &'static [Kind];
}

/// The layout of text for people.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TextStyle {
    /// The columns of a line.
    pub width: usize,
    /// Whether colours are shown.
    pub colour: bool,
}

/// What an answer is in one kind of output.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Rendering {
    /// A report of what was found.
    Report(Vec<u8>),
    /// Data of a format of its own, such as a deck.
    Data(Vec<u8>),
    /// There is no such data: why, a sentence.
    Missing(String),
}

/// The result of rendering. What cannot be rendered is a table with more rows than a workbook holds.
pub type Rendered<T> = Result<T, Problem>;

/// The answer to a question, in each kind of output that it has.
pub trait Render {
    /// The text for people.
    fn human(&self, _page: &TextStyle) -> String {
        String::new()
    }

    /// The document for programs.
    ///
    /// # Errors
    /// None in practice: it is plain data.
    fn json(&self) -> serde_json::Result<Value> {
        Ok(Value::Null)
    }

    /// The columns and rows of its table, where it has one.
    fn table(&self) -> (Vec<&'static str>, Vec<Vec<Cell>>) {
        (Vec::new(), Vec::new())
    }

    /// The sheets of its workbook; the first is the table of `csv`.
    fn sheets(&self) -> Vec<Sheet<'_>> {
        let (columns, rows) = self.table();
        vec![Sheet::new("answers", columns, rows)]
    }

    /// What is to be known of its decks and of itself; `None`: it is about no deck, or has verdicts,
    /// whose findings say so.
    fn notes(&self) -> Option<Vec<DeckNotes<'_>>> {
        None
    }

    /// What it is in a kind that is rendered in no common way; `None`: this kind is.
    ///
    /// # Errors
    /// As [`Rendered`] says.
    fn body(&self, _kind: Kind) -> Rendered<Option<Rendering>> {
        Ok(None)
    }

    /// Whether the answer is what one hopes for: what the exit status says.
    fn is_ok(&self) -> bool {
        true
    }
}

/// The notes of an answer about a deck.
#[derive(Debug, Clone, Copy)]
pub struct DeckNotes<'a> {
    /// What the deck is called.
    pub deck: &'a str,
    /// What is to be known of it.
    pub notes: &'a [Note],
}

/// The first columns of every table of decks.
pub const DECK_COLUMNS: [&str; 4] = ["deck", "player", "format", "name"];

/// What a table says of a deck besides its path: the other cells of [`DECK_COLUMNS`].
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct DeckLabel {
    /// Its player.
    pub player: Option<String>,
    /// The format's id.
    pub format: String,
    /// Its name.
    pub name: Option<String>,
}

impl DeckLabel {
    /// That of a deck.
    pub fn of(resolved: &Resolved<'_>) -> DeckLabel {
        let deck = resolved.deck();
        DeckLabel {
            player: deck.player.as_ref().map(|player| player.value.to_string()),
            format: resolved.rulebook().format().id().to_owned(),
            name: deck.name.as_ref().map(|name| name.value.to_string()),
        }
    }

    /// A row of a deck that is called `deck`.
    pub fn row(&self, deck: &str, cells: impl IntoIterator<Item = Cell>) -> Vec<Cell> {
        let own = [
            Cell::text(deck),
            Cell::some(self.player.as_deref()),
            Cell::text(&self.format),
            Cell::some(self.name.as_deref()),
        ];
        own.into_iter().chain(cells).collect()
    }
}

/// The columns of a table of decks.
pub fn deck_columns(columns: &[&'static str]) -> Vec<&'static str> {
    DECK_COLUMNS.into_iter().chain(columns.iter().copied()).collect()
}

/// The sheet of notes.
#[cfg(feature = "xlsx")]
fn notes(all: Vec<DeckNotes<'_>>) -> Sheet<'_> {
    let rows = all.into_iter().flat_map(|DeckNotes { deck, notes }| {
        notes.iter().map(move |note| {
            vec![
                Cell::text(deck),
                Cell::text(note.code.to_string()),
                Cell::text(&note.message),
                note.line.map_or_else(Cell::empty, Cell::count),
                Cell::text(note.cards.join("; ")),
            ]
        })
    });
    Sheet::new("notes", ["deck", "code", "message", "line", "cards"], rows)
}

/// Renders an answer in one kind of output.
///
/// # Errors
/// As [`Rendered`] says.
pub fn render(report: &dyn Render, kind: Kind, page: &TextStyle) -> Rendered<Rendering> {
    if let Some(body) = report.body(kind)? {
        return Ok(body);
    }
    Ok(Rendering::Report(match kind {
        Kind::Json => {
            (whole(serde_json::to_string_pretty(&whole(report.json()))) + "\n").into_bytes()
        }
        Kind::Csv(flavour) => match report.sheets().into_iter().next() {
            Some(sheet) => whole(sheet.csv(flavour)),
            None => Vec::new(),
        },
        #[cfg(feature = "xlsx")]
        Kind::Xlsx => {
            let mut sheets = report.sheets();
            sheets.extend(report.notes().map(notes));
            crate::report::workbook::workbook(sheets)?
        }
        _ => report.human(page).into_bytes(),
    }))
}
