//! One cell of a card file: what it may say, and a pool in which some say something else.

use super::{CardId, Column, Field, FieldKind, IDS, Pool, Word};
use decklaw_text::text::listed;
use std::sync::{Arc, OnceLock};

/// The content of one cell.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Cell {
    /// Of a text, a word or a query.
    Text(Option<Word>),
    /// Of a number.
    Number(Option<i64>),
    /// Of a list.
    List(Arc<[Word]>),
}

impl Field {
    /// Reads a cell, as that of a card file is read.
    ///
    /// # Errors
    /// What is wrong with it, a clause.
    pub fn cell(&self, text: &str) -> Result<Cell, String> {
        let text = text.trim();
        let word = |item: &str| match self.canonical(item) {
            Some(word) => Ok(Word::from(word)),
            None => Err(self.strange(item)),
        };
        Ok(match &self.kind {
            FieldKind::Number { .. } => Cell::Number(self.number(text)?),
            FieldKind::List { .. } => {
                Cell::List(self.items(text).map(word).collect::<Result<_, _>>()?)
            }
            _ if text.is_empty() => Cell::Text(None),
            FieldKind::Word { .. } => Cell::Text(Some(word(text)?)),
            FieldKind::Text | FieldKind::Query => Cell::Text(Some(text.into())),
        })
    }

    /// The number of a cell of this field, which holds numbers.
    pub(super) fn number(&self, cell: &str) -> Result<Option<i64>, String> {
        let (min, max) = self.range();
        // Spreadsheets write whole numbers as `2.0` where a column has empty cells.
        match cell.strip_suffix(".0").unwrap_or(cell).parse::<i64>() {
            _ if cell.is_empty() => Ok(None),
            Ok(number) if (min..=max).contains(&number) => Ok(Some(number)),
            Ok(number) => Err(format!("{number} is impossible; it must be from {min} to {max}")),
            Err(_) => Err(format!("`{cell}` is not a whole number")),
        }
    }

    /// The least and the greatest number that a cell may hold.
    fn range(&self) -> (i64, i64) {
        match self.kind {
            FieldKind::Number { min, max } => (min, max),
            _ => (i64::MIN, i64::MAX),
        }
    }

    /// The items of a cell of this field, which holds lists.
    pub(super) fn items<'c>(&self, cell: &'c str) -> impl Iterator<Item = &'c str> + use<'c> {
        // No word that a game knows has a comma in it, and lists are often written with one.
        let comma = self.name == IDS || !self.words().is_empty();
        cell.split(move |c| c == ';' || (comma && c == ','))
            .map(str::trim)
            .filter(|item| !item.is_empty())
    }

    /// That a word is none of those that a cell may hold.
    pub(super) fn strange(&self, word: &str) -> String {
        format!("`{word}` is not one of the values {}", listed(&self.words(), "or"))
    }
}

impl Column {
    fn put(&mut self, card: CardId, cell: Cell) {
        match (self, cell) {
            (Column::Text(cells), Cell::Text(text)) => cells[card.index()] = text,
            (Column::Number(cells), Cell::Number(number)) => cells[card.index()] = number,
            (Column::List(cells), Cell::List(words)) => cells[card.index()] = words,
            // A cell is read by the field of its column.
            (Column::Text(_) | Column::Number(_) | Column::List(_), _) => {}
        }
    }
}

impl Pool {
    /// The same cards with other cells, each given by the index of its field. Fields that the
    /// card file lacks are passed over.
    #[must_use]
    pub fn with_cells(&self, cells: impl IntoIterator<Item = (CardId, usize, Cell)>) -> Pool {
        let mut pool = self.clone();
        // What was found in the cells.
        pool.used = OnceLock::new();
        pool.titles = vec![OnceLock::new(); pool.fields.len() + 1];
        for (card, field, cell) in cells {
            if let Some(column) = &mut pool.columns[field] {
                column.put(card, cell);
            }
        }
        pool
    }
}
