//! A row of a table, its cells in one piece of text: a card file has hundreds of thousands.

/// What the rows of a card file are in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub enum Unit {
    /// Lines, or the rows of a sheet.
    #[default]
    Line,
    /// Records, wherever their lines break.
    Record,
}

impl Unit {
    /// The row of a number.
    pub fn at(self, number: u64) -> Place {
        Place { unit: self, number }
    }
}

/// A row of a card file in messages: `line 3`, `record 3`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// What it is.
    pub unit: Unit,
    /// Its number, from 1.
    pub number: u64,
}

impl Place {
    /// The place in a sentence: `on line 3`, `in record 3`.
    pub fn in_words(self) -> String {
        match self.unit {
            Unit::Line => format!("on {self}"),
            Unit::Record => format!("in {self}"),
        }
    }
}

impl std::fmt::Display for Place {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let unit = match self.unit {
            Unit::Line => "line",
            Unit::Record => "record",
        };
        write!(out, "{unit} {}", self.number)
    }
}

/// A row of a table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Row {
    /// Its number, from 1: the line of a text at which it begins, or the row of a sheet.
    pub number: u64,
    /// The row of the spreadsheet, as other programs count: lines within a cell are of one row.
    pub sheet_row: u64,
    /// Its cells, one behind the other, and where each ends.
    text: Box<str>,
    ends: Box<[u32]>,
}

impl Row {
    /// A row of cells. No cell may begin beyond the fourth gigabyte of its row; files are smaller.
    pub fn new<'c>(number: u64, cells: impl Iterator<Item = &'c str> + Clone) -> Row {
        let mut text = String::with_capacity(cells.clone().map(str::len).sum());
        let ends = cells.map(|cell| {
            text.push_str(cell);
            u32::try_from(text.len()).unwrap_or(u32::MAX)
        });
        let ends = ends.collect();
        Row { number, sheet_row: number, text: text.into(), ends }
    }

    /// The cell of a column; nothing where the row ends before it.
    pub fn cell(&self, at: usize) -> &str {
        let Some(end) = self.ends.get(at) else {
            return "";
        };
        let start = at.checked_sub(1).map_or(0, |before| self.ends[before]);
        let range = start as usize..*end as usize;
        self.text.get(range).unwrap_or_default()
    }

    /// How many cells it has.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether it has no cell.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// Its cells, without white space around them.
    pub fn cells(&self) -> impl Iterator<Item = &str> + Clone {
        (0..self.len()).map(|at| self.cell(at))
    }
}
