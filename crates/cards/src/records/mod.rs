//! Card files of records in JSON, as databases publish them.
//!
//! `read` makes of them the table that a pool is read from, so that all that is demanded of cards
//! is demanded of these, too. A game's file says how records become cards: see [`Mapping`].

mod json;
mod mapping;
mod tree;

pub use mapping::{ColumnEntry, Mapping, Places};
pub use tree::Path;

use crate::pool::{CardFileProblems, Field, FieldKind, MOST_COLUMNS, NAMES, no_table, unusable};
use decklaw_text::Problem;
use decklaw_text::limits::records::{LARGEST, MOST_RECORDS, MOST_TEXT};
use decklaw_text::name::fold;
use decklaw_text::table::{self, Place, Row, Sheet, Unit};
use decklaw_text::text::{DecodedText, decode};
use std::collections::BTreeSet;
use tree::Tree;

/// The most names that a message lists.
const MOST_TOLD: usize = 12;

/// Whether a file holds records in JSON; it is a table otherwise, if anything.
///
/// ```
/// use decklaw_cards::records::is_json;
/// assert!(is_json(b"[{\"name\": \"Ash\"}]"));
/// assert!(!is_json(b"name\nAsh\n"));
/// ```
pub fn is_json(bytes: &[u8]) -> bool {
    // UTF-16 has a zero byte next to each of these.
    let bare = decklaw_text::text::without_bom(bytes);
    let bare = bare.strip_prefix(b"\xff\xfe").unwrap_or(bare);
    let bare = bare.strip_prefix(b"\xfe\xff").unwrap_or(bare);
    let mut bytes_of_text = bare.iter().filter(|byte| !byte.is_ascii_whitespace() && **byte != 0);
    match bytes_of_text.next() {
        Some(b'[') => true,
        // RTF begins so.
        Some(b'{') => decklaw_text::text::document(bytes).is_none(),
        _ => false,
    }
}

/// The names of keys, for a message.
fn listed<T: AsRef<str>>(names: &[T]) -> String {
    let shown = names.iter().take(MOST_TOLD);
    let mut shown: Vec<String> = shown.map(|name| format!("`{}`", name.as_ref())).collect();
    if names.len() > MOST_TOLD {
        shown.push(format!("{} more", names.len() - MOST_TOLD));
    }
    if shown.is_empty() { "nothing".to_owned() } else { decklaw_text::text::listed(&shown, "and") }
}

/// Reads a card file: a table, of a workbook the `sheet` of that name, or records.
///
/// # Errors
/// As [`table::read`] and `read`.
pub fn sheet(
    bytes: &[u8],
    sheet: Option<&str>,
    mapping: &Mapping,
    fields: &[Field],
) -> Result<Sheet, Problem> {
    if is_json(bytes) {
        read(bytes, mapping, fields)
    } else {
        table::read(bytes, sheet).map_err(no_table)
    }
}

/// Reads records into a table. `fields` are those of the game's cards.
///
/// # Errors
/// All that is no record, and cells that cannot be made, each with its place; what goes beyond the
/// limits of [`limits`](decklaw_text::limits).
fn read(bytes: &[u8], mapping: &Mapping, fields: &[Field]) -> Result<Sheet, Problem> {
    if bytes.len() > LARGEST {
        let message = format!("the file is larger than {} MiB", LARGEST >> 20);
        return Err(unusable(1, message));
    }
    let DecodedText { text, encoding } = decode(bytes).map_err(no_table)?;
    let mut gathered = RecordCollector::new(mapping, fields);
    let mut number = 0;
    let mut sink = |record: Tree| {
        number += 1;
        gathered.take(number, &record)
    };
    let read = json::document(&text, mapping.rows.as_ref(), &mut sink);
    if let Err((line, message)) = read {
        gathered.problems.add(Unit::Line.at(line), None, message);
    }
    gathered.finish(encoding.note())
}

/// What was read so far.
struct RecordCollector<'m> {
    mapping: &'m Mapping,
    header: Vec<String>,
    /// Of each column that the mapping gives, what its cells may hold.
    kinds: Vec<Option<&'m FieldKind>>,
    /// Of each, whether any record has something there.
    met: Vec<bool>,
    rows: Vec<Row>,
    text: usize,
    /// The keys of records that nothing reads.
    unread: BTreeSet<String>,
    problems: CardFileProblems,
}

impl<'m> RecordCollector<'m> {
    fn new(mapping: &'m Mapping, fields: &'m [Field]) -> RecordCollector<'m> {
        let columns = mapping.columns.iter();
        let header: Vec<String> = columns.map(|entry| entry.name.value.clone()).collect();
        let of = |name: &String| {
            let field = fields.iter().find(|field| field.name == *name);
            field.map(|field| &field.kind)
        };
        RecordCollector {
            mapping,
            kinds: header.iter().map(of).collect(),
            met: vec![false; header.len()],
            header,
            rows: Vec::new(),
            text: 0,
            unread: BTreeSet::new(),
            problems: CardFileProblems::default(),
        }
    }

    fn refuse(&mut self, place: Place, column: Option<&str>, message: String) {
        if !self.problems.is_full() {
            self.problems.add(place, column, message);
        }
    }

    /// Takes a record. An error ends the reading.
    fn take(&mut self, number: u64, record: &Tree) -> Result<(), String> {
        if self.rows.len() as u64 >= MOST_RECORDS {
            return Err(format!("there are more than {MOST_RECORDS} records"));
        }
        let place = Unit::Record.at(number);
        let Tree::Parts(parts) = record else {
            let message = "this is a word or a list, and no record with names and values";
            self.refuse(place, None, message.to_owned());
            return Ok(());
        };
        let cells = if self.mapping.columns.is_empty() {
            self.own_cells(place, parts)?
        } else {
            self.mapped_cells(place, record, parts)
        };
        self.text += cells.iter().map(String::len).sum::<usize>();
        if self.text > MOST_TEXT {
            let most = MOST_TEXT >> 20;
            return Err(format!("the cards have more than {most} MiB of text"));
        }
        let cells = cells.iter().map(|cell| cell.trim());
        self.rows.push(Row::new(number, cells));
        Ok(())
    }

    /// Notes a key that nothing reads.
    fn pass_over(&mut self, key: &str) {
        // More than anybody would read are of no database.
        const MOST: usize = 1_000;
        if self.unread.len() < MOST && !self.unread.contains(key) {
            self.unread.insert(key.to_owned());
        }
    }

    /// The cells of a record whose columns the mapping gives.
    fn mapped_cells(
        &mut self,
        place: Place,
        record: &Tree,
        parts: &[(String, Tree)],
    ) -> Vec<String> {
        let mapping = self.mapping;
        for (key, _) in parts {
            let read = |path: &Path| path.first().is_none_or(|first| first == key);
            if !self.unread.contains(key) && !mapping.paths().any(read) {
                self.pass_over(key);
            }
        }
        let mut cells = Vec::with_capacity(mapping.columns.len());
        for (at, entry) in mapping.columns.iter().enumerate() {
            self.met[at] |= self.met[at] || {
                let texts = |path: &Path| path.texts(record);
                let mut found = entry.from.all().iter().map(texts);
                found.any(|texts| texts.is_ok_and(|texts| !texts.is_empty()))
            };
            let cell = entry.cell(record, self.kinds[at]).unwrap_or_else(|message| {
                self.refuse(place, Some(&entry.name.value), message);
                String::new()
            });
            cells.push(cell);
        }
        cells
    }

    /// The cells of a record whose values are the columns of their own names.
    fn own_cells(&mut self, place: Place, parts: &[(String, Tree)]) -> Result<Vec<String>, String> {
        let here = Path::here();
        let mut cells: Vec<Vec<&str>> = vec![Vec::new(); self.header.len()];
        for (key, value) in parts {
            let Ok(texts) = here.texts(value) else {
                self.pass_over(key);
                continue;
            };
            let at = self.header.iter().position(|name| name == key);
            if at.is_none() && self.header.len() == MOST_COLUMNS {
                return Err(format!(
                    "the records have more than {MOST_COLUMNS} different values; the game's file can say with `cards` which are columns"
                ));
            }
            let at = at.unwrap_or_else(|| {
                self.header.push(key.clone());
                cells.push(Vec::new());
                self.header.len() - 1
            });
            cells[at].extend(texts);
        }
        let joined = |(at, words): (usize, Vec<&str>)| {
            let parted = words.iter().find(|word| words.len() > 1 && word.contains(';'));
            if let Some(word) = parted {
                let message = format!("`{word}` is one of several words, and `;` would part it");
                let column = self.header[at].clone();
                self.refuse(place, Some(&column), message);
            }
            words.join("; ")
        };
        Ok(cells.into_iter().enumerate().map(joined).collect())
    }

    fn finish(mut self, note: Option<&str>) -> Result<Sheet, Problem> {
        let named = |header: &[String]| {
            let folded: Vec<String> = header.iter().map(|name| fold(name).into_owned()).collect();
            !matches!(table::column(&folded, NAMES), Ok(None))
        };
        if self.problems.is_empty() && !named(&self.header) {
            let mut keys: Vec<&String> = self.header.iter().chain(&self.unread).collect();
            keys.sort_unstable();
            let message = format!(
                "no record has a `name`: they have {}; the game's file can say with `cards` where records and their names lie",
                listed(&keys)
            );
            self.refuse(Unit::Line.at(1), None, message);
        }
        if !self.problems.is_empty() {
            return Err(self.problems.refusal());
        }
        let mut notes: Vec<String> = note.map(str::to_owned).into_iter().collect();
        let any = !self.rows.is_empty();
        for (entry, _) in
            self.mapping.columns.iter().zip(&self.met).filter(|(_, met)| any && !**met)
        {
            notes.push(format!(
                "no record has anything at {}, so that no card has a value in `{}`",
                listed(&entry.from.all().iter().map(Path::to_string).collect::<Vec<_>>()),
                entry.name.value
            ));
        }
        let mut aside: Vec<String> = Vec::new();
        if !self.unread.is_empty() {
            let unread: Vec<&String> = self.unread.iter().collect();
            let shown = format!("{} of the records ignored", listed(&unread));
            if self.mapping.columns.is_empty() {
                notes.push(format!("{shown}: a cell of a table has no parts of its own"))
            } else {
                aside.push(format!("{shown}: no column comes from there"))
            }
        }
        Ok(Sheet {
            header: self.header,
            header_row: 1,
            rows: self.rows,
            notes,
            separator: None,
            unit: Unit::Record,
            aside,
        })
    }
}
