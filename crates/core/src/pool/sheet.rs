//! Card files written out: CSV, or a workbook.

use super::{CardId, Field, FieldKind, Pool};
use crate::spreadsheet::{Flavour, Table};
#[cfg(feature = "xlsx")]
use rust_xlsxwriter::{DocProperties, ExcelDateTime, Format, Workbook, XlsxError};
use std::borrow::Cow;

/// The most characters that a cell holds.
#[cfg(feature = "xlsx")]
const LONGEST: usize = 32_767;

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
    /// use decklaw_core::pool::{CardFile, Field, FieldKind};
    /// let fields = [Field { name: "mana".into(), kind: FieldKind::Number { min: 0, max: 9 } }];
    /// assert_eq!(CardFile::template(&fields).to_csv(decklaw_core::spreadsheet::Flavour::Plain)?,
    ///     b"name,mana\nExample,1\n");
    /// # Ok::<(), csv::Error>(())
    /// ```
    pub fn template(fields: &'f [Field]) -> CardFile<'f> {
        let first = |field: &&Field| match &field.kind {
            FieldKind::Word { values, .. } | FieldKind::List { values } => values
                .first()
                .map_or_else(String::new, |value| value.word.clone()),
            FieldKind::Number { min, max } => 1.clamp(*min, *max).to_string(),
            FieldKind::Text | FieldKind::Query => String::new(),
        };
        let fields: Vec<&Field> = fields.iter().collect();
        let mut row = vec!["Example".to_owned()];
        row.extend(fields.iter().map(first));
        CardFile {
            fields,
            rows: Rows::Example(row),
        }
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
        CardFile {
            rows: Rows::Cards(pool, columns, cards.to_vec()),
            fields,
        }
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
                let cells = columns
                    .iter()
                    .map(|column| pool.shown_at(cards[at], *column));
                std::iter::once(Cow::Borrowed(pool.name(cards[at])))
                    .chain(cells)
                    .collect()
            }
        }
    }

    fn header(&self) -> Vec<&str> {
        let names = self.fields.iter().map(|field| field.name.as_str());
        std::iter::once("name").chain(names).collect()
    }

    /// As CSV.
    ///
    /// # Errors
    /// None in practice.
    pub fn to_csv(&self, flavour: Flavour) -> csv::Result<Vec<u8>> {
        let mut table = Table::new(Vec::new(), flavour, &self.header())?;
        for at in 0..self.len() {
            table.row(self.row(at))?;
        }
        table.finish()
    }

    /// As the bytes of an `.xlsx` file.
    ///
    /// # Errors
    /// More rows than a sheet holds (1,048,576).
    #[cfg(feature = "xlsx")]
    pub fn to_xlsx(&self) -> Result<Vec<u8>, XlsxError> {
        let mut book = Workbook::new();
        // The hour at which it is made would make each file another one.
        let made = ExcelDateTime::from_ymd(2000, 1, 1)?;
        book.set_properties(&DocProperties::new().set_creation_datetime(&made));
        let bold = Format::new().set_bold();
        let sheet = book.add_worksheet();
        sheet.set_name("cards")?;
        for (at, name) in (0_u16..).zip(self.header()) {
            sheet.write_string_with_format(0, at, name, &bold)?;
        }
        sheet.set_freeze_panes(1, 1)?;
        for (row, at) in (1_u32..).zip(0..self.len()) {
            for (column, cell) in (0_u16..).zip(self.row(at)) {
                let field = usize::from(column).checked_sub(1).map(|at| self.fields[at]);
                let number =
                    field.is_some_and(|field| matches!(field.kind, FieldKind::Number { .. }));
                match cell.parse::<i32>() {
                    Ok(value) if number => sheet.write_number(row, column, f64::from(value))?,
                    _ if cell.is_empty() => continue,
                    _ => {
                        let shown: String = cell.chars().take(LONGEST).collect();
                        sheet.write_string(row, column, shown)?
                    }
                };
            }
        }
        sheet.autofit();
        book.save_to_buffer()
    }
}
