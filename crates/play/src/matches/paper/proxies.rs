//! Card faces side by side, on sheets of ten in a row.

use crate::paper::{Fonts, png};
use decklaw_text::Problem;
use std::collections::{BTreeMap, BTreeSet};

/// The card faces of one sheet: ten by seven, the last left to the back.
pub const SHEET_SLOTS: usize = COLUMNS * ROWS - 1;

const COLUMNS: usize = 10;
const ROWS: usize = 7;
/// The least rows of a sheet.
const LEAST: usize = 2;
/// A card's width in pixels.
const WIDE: u32 = 400;

/// The faces of some cards, each name in one slot.
#[derive(Debug, Clone)]
pub struct Proxies<'a> {
    slots: BTreeMap<&'a str, usize>,
}

impl<'a> Proxies<'a> {
    /// A slot for each name, in order of the names.
    ///
    /// ```
    /// let faces = decklaw_play::matches::Proxies::new(["Rain", "Moss", "Rain"]);
    /// assert_eq!((faces.sheets(), faces.slot("Rain")), (1, Some((0, 1))));
    /// ```
    pub fn new(names: impl IntoIterator<Item = &'a str>) -> Proxies<'a> {
        let names = names.into_iter().collect::<BTreeSet<&str>>();
        Proxies { slots: names.into_iter().zip(0..).collect() }
    }

    /// How many sheets there are.
    pub fn sheets(&self) -> usize {
        self.slots.len().div_ceil(SHEET_SLOTS)
    }

    /// The sheet of a name, from 0, and the slot in it, row by row from 0.
    pub fn slot(&self, name: &str) -> Option<(usize, usize)> {
        let slot = self.slots.get(name)?;
        Some((slot / SHEET_SLOTS, slot % SHEET_SLOTS))
    }

    /// Columns and rows of a sheet.
    pub fn grid(&self, sheet: usize) -> (usize, usize) {
        let rows = self.on(sheet).count().div_ceil(COLUMNS);
        (COLUMNS, rows.max(LEAST))
    }

    fn on(&self, sheet: usize) -> impl Iterator<Item = &'a str> {
        let names = self.slots.keys().copied();
        names.skip(sheet * SHEET_SLOTS).take(SHEET_SLOTS)
    }

    /// A sheet as a PNG picture, of each face as SVG. Gives the letters that no font has, too.
    ///
    /// # Errors
    /// A face that is no picture.
    pub fn png(
        &self,
        sheet: usize,
        face: impl Fn(&str) -> String,
        fonts: &mut Fonts,
    ) -> Result<(Vec<u8>, BTreeSet<char>), Problem> {
        let mut faces: Vec<String> = self.on(sheet).map(face).collect();
        let (columns, rows) = self.grid(sheet);
        // Slots without a card, so that every row is there.
        let empty = "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 250 350\"/>";
        faces.resize(columns * rows, empty.to_owned());
        png(&faces, COLUMNS as u32, WIDE, fonts)
    }
}
