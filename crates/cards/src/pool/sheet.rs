//! Card files written out.

use super::{CardId, Field, FieldKind, Pool};
use decklaw_text::spreadsheet::{Cell, Sheet};
use std::borrow::Cow;

/// A card file: the columns and the rows below them.
#[derive(Debug, Clone)]
pub struct CardFile<'f> {
    fields: Vec<&'f Field>,
    rows: Rows<'f>,
}

/// Rows are made one by one where they are written: all the cells of a large pool are much.
#[derive(Debug, Clone)]
enum Rows<'f> {
    Example(Vec<String>),
    Cards(&'f Pool, Vec<usize>, Vec<CardId>),
}

impl<'f> CardFile<'f> {
    /// The file to fill in, with one card as an example: of each column the first value that it
    /// may hold.
    ///
    /// ```
    /// use decklaw_cards::pool::{CardFile, Field, FieldKind};
    /// let fields = [Field { name: "mana".into(), kind: FieldKind::Number { min: 0, max: 9 } }];
    /// assert_eq!(CardFile::template(&fields).sheet().csv(decklaw_text::spreadsheet::Flavour::Plain)?,
    ///     b"name,mana\nExample,1\n");
    /// # Ok::<(), csv::Error>(())
    /// ```
    pub fn template(fields: &'f [Field]) -> CardFile<'f> {
        let first = |field: &&Field| match &field.kind {
            FieldKind::Word { values, .. } | FieldKind::List { values } => {
                values.first().map_or_else(String::new, |value| value.word.clone())
            }
            FieldKind::Number { min, max } => 1.clamp(*min, *max).to_string(),
            FieldKind::Text | FieldKind::Query => String::new(),
        };
        let fields: Vec<&Field> = fields.iter().collect();
        let mut row = vec!["Example".to_owned()];
        row.extend(fields.iter().map(first));
        CardFile { fields, rows: Rows::Example(row) }
    }

    /// Some cards of a pool, with every column that its own file has.
    ///
    /// # Panics
    /// If a card is of another pool.
    pub fn of(pool: &'f Pool, cards: &[CardId]) -> CardFile<'f> {
        let fields = pool.fields().iter();
        let there = fields.enumerate();
        let there = there.filter(|(at, _)| pool.columns[*at].is_some());
        let (columns, fields): (Vec<usize>, Vec<&Field>) = there.unzip();
        CardFile { rows: Rows::Cards(pool, columns, cards.to_vec()), fields }
    }

    fn len(&self) -> usize {
        match &self.rows {
            Rows::Example(_) => 1,
            Rows::Cards(_, _, cards) => cards.len(),
        }
    }

    /// The cells of a row, counted from 0.
    fn row(&self, at: usize) -> Vec<Cow<'_, str>> {
        match &self.rows {
            Rows::Example(row) => row.iter().map(|cell| Cow::Borrowed(&**cell)).collect(),
            Rows::Cards(pool, columns, cards) => {
                let cells = columns.iter().map(|column| pool.shown_at(cards[at], *column));
                std::iter::once(Cow::Borrowed(pool.name(cards[at]))).chain(cells).collect()
            }
        }
    }

    fn header(&self) -> Vec<&str> {
        let names = self.fields.iter().map(|field| field.name.as_str());
        std::iter::once("name").chain(names).collect()
    }

    /// As a sheet.
    pub fn sheet(&self) -> Sheet<'_> {
        let row = |at: usize| {
            let cells = self.row(at).into_iter().enumerate();
            let cells = cells.map(|(column, cell)| {
                let field = column.checked_sub(1).and_then(|at| self.fields.get(at));
                match field.map(|field| &field.kind) {
                    Some(FieldKind::Number { .. }) => Cell::number(&cell),
                    _ => Cell::text(cell),
                }
            });
            cells.collect()
        };
        Sheet::new("cards", self.header(), (0..self.len()).map(row))
    }
}
