//! The names of columns, in their usual spellings.

use crate::name::lenient;
use crate::text::listed;
use std::collections::BTreeSet;
use std::sync::LazyLock;

/// The usual names of a column of copies.
pub const COUNTS: &[&[&str]] = &[
    &["count"],
    &["quantity", "qty", "copies", "amount"],
    &["total qty", "owned", "have", "number", "#", "x"],
    &["reg qty"],
];

/// The usual names of a column of sections.
pub const SECTIONS: &[&[&str]] = &[&["section"], &["board", "zone", "deck section"], &["category"]];

/// The names of columns in other programs' tables that have neither cards nor copies.
static ASIDE: LazyLock<BTreeSet<String>> = LazyLock::new(|| {
    let names = include_str!("aside.txt").lines();
    names.flat_map(|line| line.split(" | ")).map(key).collect()
});

/// Whether a column's name is one of other programs that says nothing of cards and copies.
pub fn is_aside(name: &str) -> bool {
    ASIDE.contains(&key(name))
}

/// A column that a header has twice, in two spellings: their names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RepeatedColumn(pub Vec<String>);

/// The name of a column as it is compared: letters and digits alone, in any case, with British
/// and American spellings alike.
///
/// ```
/// use decklaw_text::table::key;
/// assert_eq!(key("Card Name"), key("card_name"));
/// assert_eq!(key("Colour"), key("color"));
/// ```
pub fn key(name: &str) -> String {
    let letters = |c: &char| c.is_alphanumeric() || *c == '#';
    let key: String = lenient(name).chars().filter(letters).collect();
    key.replace("our", "or").replace("nce", "nse")
}

/// Where a column is, from 0. `spellings` are its names; those of a later list count only where
/// the header has none of an earlier one.
///
/// # Errors
/// Two columns of one list.
pub fn column(header: &[String], spellings: &[&[&str]]) -> Result<Option<usize>, RepeatedColumn> {
    let keys: Vec<String> = header.iter().map(|name| key(name)).collect();
    for names in spellings {
        let names: Vec<String> = names.iter().map(|name| key(name)).collect();
        let places: Vec<usize> = (0..keys.len()).filter(|at| names.contains(&keys[*at])).collect();
        match places.as_slice() {
            [] => {}
            [place] => return Ok(Some(*place)),
            several => {
                return Err(RepeatedColumn(several.iter().map(|at| header[*at].clone()).collect()));
            }
        }
    }
    Ok(None)
}

/// The names of columns, for messages.
pub fn quoted(names: &[String]) -> String {
    let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    listed(&names, "and")
}
