//! What a row of a form says.

use super::columns::{Columns, DeckColumn};
use crate::deck::{self, Input};
use decklaw_text::name::tidy;
use std::path::{Component, Path, PathBuf};

/// A row of a table.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Row {
    /// Its number in the spreadsheet, as Excel counts: empty lines too.
    pub number: u64,
    /// Who hands the deck in.
    pub player: Option<String>,
    /// What distinguishes players of the same name, where the form asks for it.
    pub identity: Option<String>,
    /// When, as the form wrote it.
    pub time: Option<String>,
    /// Which format it is for.
    pub format: Option<String>,
    /// The deck's cell, or its cells joined.
    pub deck: Vec<u8>,
    /// The cells of columns that are carried along, with what outputs call these.
    pub carried: Vec<(String, String)>,
    /// Why its cells are no deck that can be read.
    unfit: Option<String>,
}

/// What a deck's cell is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Cell {
    /// Nothing.
    Empty,
    /// The deck itself.
    Deck,
    /// The name of a deck's file, beneath the table's folder.
    File(PathBuf),
    /// The name of a file that a row must not name, and why.
    Refused(String),
}

impl Row {
    /// Whether it has no deck at all.
    pub fn is_empty(&self) -> bool {
        self.unfit.is_none() && String::from_utf8_lossy(&self.deck).trim().is_empty()
    }

    /// Whether the row has more cells than the header.
    pub fn is_unfit(&self) -> bool {
        self.unfit.is_some()
    }

    /// What the deck's cell is. A cell of one line that ends as a deck file does names a file;
    /// it must be beneath the table's folder, without `..` and not by a link out of it.
    pub fn cell(&self, folder: &Path) -> Cell {
        if let Some(why) = &self.unfit {
            return Cell::Refused(why.clone());
        }
        // Nearly every deck is seen to have many lines without reading it as text.
        if let trimmed @ [first, .., last] = self.deck.trim_ascii()
            && first.is_ascii()
            && last.is_ascii()
            && memchr::memchr2(b'\n', b'\r', trimmed).is_some()
        {
            return Cell::Deck;
        }
        let text = String::from_utf8_lossy(&self.deck);
        let text = text.trim();
        if text.is_empty() {
            return Cell::Empty;
        }
        if text.contains(['\n', '\r']) {
            return Cell::Deck;
        }
        if deck::is_link(text) {
            return Cell::Deck;
        }
        if text.contains("://") {
            return Cell::Refused(format!("`{text}` is a link; decklaw does not download decks"));
        }
        let path = Path::new(text);
        if Input::of_ending(path).is_none() {
            return Cell::Deck;
        }
        let outside = || Cell::Refused(format!("`{text}` is outside of the table's folder"));
        let plain = |part: Component<'_>| matches!(part, Component::Normal(_) | Component::CurDir);
        if !path.components().all(plain) || text.contains('\\') {
            return outside();
        }
        let (Ok(folder), Ok(place)) = (folder.canonicalize(), folder.join(path).canonicalize())
        else {
            return Cell::Refused(format!("no file `{text}` next to the table"));
        };
        if !place.starts_with(&folder) {
            return outside();
        }
        Cell::File(place)
    }
}

impl Columns {
    /// What a row of a table says, by these columns.
    pub fn row(&self, row: &decklaw_text::table::Row) -> Row {
        let cell = |at: usize| Some(row.cell(at).trim()).filter(|cell| !cell.is_empty());
        let text = |at: Option<usize>| at.and_then(cell);
        let mut read = Row { number: row.sheet_row, ..Row::default() };
        read.unfit = surplus(row, self.header.len());
        if read.is_unfit() {
            return read;
        }
        let identity = self.identity.zip(text(self.identity.map(|id| id.at)));
        read.player = self.name_of(text).map(|name| tidy(&name).into_owned());
        read.identity = identity.and_then(|(id, cell)| id.of(cell)).map(str::to_owned);
        read.time = text(self.time).map(str::to_owned);
        read.format = text(self.format).map(str::to_owned);
        match self.deck.as_slice() {
            [DeckColumn { section: None, at }] => {
                read.deck.extend_from_slice(row.cell(*at).as_bytes());
            }
            parts => {
                let parts = parts.iter().map(|part| (part.section.as_deref(), row.cell(part.at)));
                read.unfit = join(&mut read.deck, parts).err();
            }
        }
        let carried = self.carried.iter();
        let carried = carried.map(|(at, name)| (name.clone(), row.cell(*at).trim().to_owned()));
        read.carried.extend(carried);
        read
    }
}

/// Why a row does not fit a header of this number of columns: it has more cells. `None`: it fits.
pub fn surplus(row: &decklaw_text::table::Row, columns: usize) -> Option<String> {
    let is_long = row.cells().skip(columns).any(|cell| !cell.trim().is_empty());
    let cells = i64::try_from(row.len()).unwrap_or(i64::MAX);
    is_long.then(|| {
        format!(
            "row {} has {} where the header names {columns}, so that a cell may be in another's \
             place; put a cell that holds a separator in quotation marks",
            row.sheet_row,
            decklaw_text::text::counted(cells, "cell"),
        )
    })
}

/// Joins the parts of a deck: the headers that are in any of them, and each
/// below the section that it fills.
///
/// # Errors
/// Why they are no parts of one deck, for people.
fn join<'c>(
    deck: &mut Vec<u8>,
    parts: impl Iterator<Item = (Option<&'c str>, &'c str)>,
) -> Result<(), String> {
    let mut cards = String::new();
    for (section, cell) in parts.filter(|(_, cell)| !cell.is_empty()) {
        let one_line = !cell.contains(['\n', '\r']);
        if one_line && Input::of_ending(Path::new(cell)).is_some() {
            return Err(format!(
                "`{cell}` is the name of a file, and a deck in several columns is in their cells"
            ));
        }
        let mut lines = cell.lines().peekable();
        let is_header = |line: &&str| {
            let key = line.split_once(':').map(|(key, _)| key.trim());
            line.trim().is_empty() || key.is_some_and(deck::is_header)
        };
        while let Some(line) = lines.next_if(is_header) {
            if !line.trim().is_empty() {
                deck.extend_from_slice(line.trim().as_bytes());
                deck.push(b'\n');
            }
        }
        if let Some(section) = section {
            cards.push_str(&format!("\n[{section}]"));
        }
        for line in lines {
            cards.push('\n');
            cards.push_str(line);
        }
        cards.push('\n');
    }
    deck.extend_from_slice(cards.trim_end().as_bytes());
    if !cards.is_empty() {
        deck.push(b'\n');
    }
    Ok(())
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_joined_below_their_sections_and_headers_go_first() {
        let joined = |parts: &[(Option<&'static str>, &'static str)]| {
            let mut deck = Vec::new();
            join(&mut deck, parts.iter().copied()).map(|()| String::from_utf8(deck).ok())
        };
        let text = |text: &str| Ok(Some(text.to_owned()));
        assert_eq!(
            joined(&[(Some("main"), "Name: Tide\n\n2 A\n1 B"), (Some("side"), "3 C")]),
            text("Name: Tide\n\n[main]\n2 A\n1 B\n\n[side]\n3 C\n")
        );
        assert_eq!(joined(&[(Some("main"), ""), (Some("side"), "")]), text(""));
        assert_eq!(joined(&[(None, "2 A"), (Some("side"), "")]), text("\n2 A\n"));
        assert!(joined(&[(Some("main"), "2 A"), (Some("side"), "ana.txt")]).is_err());
        assert_eq!(
            joined(&[(None, "Name: Tide\n2 A"), (Some("extra"), "")]),
            text("Name: Tide\n\n2 A\n")
        );
        assert_eq!(joined(&[(None, ""), (Some("extra"), "")]), text(""));
    }
}
