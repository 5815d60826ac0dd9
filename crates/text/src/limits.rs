//! What is read has limits, and all of them are here: how much of a file, how many of its parts,
//! and how deep they may be nested. What goes beyond one is refused with a word.
//!
//! They hold for the command line and for a server alike. `docs/decks.md` lists them for people.

/// Of a deck.
pub mod deck {
    /// The largest number of copies that one line may give.
    pub const MOST_COPIES: u32 = 999_999;

    /// The most sections: many more than any game has, and few enough that what is done for each of
    /// them stays quick.
    pub const MOST_SECTIONS: usize = 1_000;

    /// The largest deck file that is read, in bytes.
    pub const LARGEST_FILE: u64 = 16 << 20;

    /// The most different names of cards in a deck that is judged, as they are spelled: more than
    /// any deck has, and few enough that what is found of each is reported within a deck's share of
    /// memory.
    pub const MOST_NAMES: usize = 50_000;

    /// The most bytes that the different names of a deck that is judged have together: what is
    /// found of a card repeats its name.
    pub const MOST_NAME_BYTES: usize = 4 << 20;

    /// The most lines of cards in a deck, however often they name the same one.
    pub const MOST_CARD_LINES: usize = 200_000;

    /// The most places that are reported of one file.
    pub const MOST_ERRORS: usize = 100;
    /// Cards of a section that is left out that are listed; all are counted.
    pub const MOST_LEFT_OUT: usize = 1_000;
}

/// Of a picture of a card.
pub mod picture {
    /// The largest file that pages show, in bytes.
    pub const LARGEST_FILE: u64 = 2 << 20;
}

/// Of a deck in YAML or JSON.
pub mod tree {
    /// The most values.
    pub const MOST_VALUES: usize = 200_000;

    /// How deep lists and mappings may be nested; a deck needs four levels.
    pub const DEEPEST: usize = 16;
}

/// Of a deck in XML.
pub mod xml {
    /// The most nodes. A deck of a thousand cards in a file that says each copy has some ten
    /// thousand.
    pub const MOST_NODES: u32 = 500_000;

    /// The deepest element: a program that reads deeper could run out of stack.
    pub const DEEPEST: usize = 32;

    /// The most attributes of one element; decks have some five.
    pub(crate) const MOST_ATTRIBUTES: usize = 64;

    /// The most namespaces that a document names; decks have two.
    pub(crate) const MOST_SPACES: usize = 64;
}

/// Of a card file of records in JSON.
pub mod records {
    /// The largest file, in bytes, as for a table: the databases of old games have some 200
    /// million.
    pub const LARGEST: usize = 256 << 20;
    /// The most records: as many as a sheet has rows.
    pub const MOST_RECORDS: u64 = 1 << 20;
    /// The most values in one record; a card has some hundred.
    pub const MOST_VALUES: usize = 50_000;
    /// The most bytes of text of all cells, as in a workbook.
    pub const MOST_TEXT: usize = 64 << 20;
}

/// Of a workbook.
#[cfg(feature = "xlsx")]
pub(crate) mod workbook {
    /// The largest one that is read, in bytes as it is packed.
    pub(crate) const LARGEST: usize = 64 << 20;
    /// The most bytes that its parts unpack to.
    pub(crate) const MOST_UNPACKED: u64 = 64 << 20;
    /// The most bytes of a text or a tag in a part: a cell of a spreadsheet has at most 32,767
    /// letters.
    pub(crate) const LONGEST_TEXT: usize = 1 << 20;
    /// The most parts.
    pub(crate) const MOST_PARTS: usize = 10_000;
    /// The most columns of a sheet that are read.
    pub(crate) const MOST_COLUMNS: u32 = 1024;
    /// The most rows of a sheet: more, no spreadsheet has.
    pub(crate) const MOST_ROWS: u32 = 1 << 20;
    /// The most bytes of text that a sheet says.
    pub(crate) const MOST_TEXT: usize = 64 << 20;
    /// The most cells of a sheet that are read, empty ones between others included.
    pub(crate) const MOST_CELLS: u64 = 4_000_000;
    /// The most cells of all sheets of an `.ods`, and the bytes that they come to with what they
    /// repeat: its reader makes all of them at once.
    pub(crate) const MOST_ODS_CELLS: u64 = 1_000_000;
    pub(crate) const MOST_COPIES: u64 = 64 << 20;
}

/// Of a query.
pub mod query {
    /// The most conditions in one query about hands.
    pub const MOST_TERMS: usize = 1000;

    /// The most levels of brackets inside each other.
    pub const DEEPEST: usize = 100;
}

/// Of what a publisher of banlists sends.
pub mod list {
    /// The most bytes of a list, after decoding.
    pub const LARGEST_LIST: u64 = 4 << 20;
}
