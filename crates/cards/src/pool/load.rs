//! Reading a card file: a table with a header, one row a card.

use super::{Column, Field, FieldKind, Identity, Pool, Spellings, Word};
use decklaw_text::name::{fold, tidy};
use decklaw_text::table::{self, Place, Sheet, Unit, key};
use decklaw_text::text::{counted, listed};
use decklaw_text::{Problem, ProblemKind, ReadError};
use rustc_hash::FxHashMap;
use std::fmt::Display;
use std::sync::Arc;

/// The most problems of one file that are reported.
const MOST_PROBLEMS: usize = 100;
/// The most columns that a card file may have.
pub(crate) const MOST_COLUMNS: usize = 64;

/// What is wrong with a card file, each with its place.
#[derive(Debug, Default)]
pub struct CardFileProblems(Vec<(Place, String)>);

impl CardFileProblems {
    /// Notes one: what is wrong and what to do about it, in a column where one cell is to blame.
    pub fn add(&mut self, place: Place, column: Option<&str>, message: impl Display) {
        let column = column.map_or_else(String::new, |column| format!(", column `{column}`"));
        self.0.push((place, format!("  {place}{column}: {message}")));
    }

    /// Whether there are as many as are reported.
    pub fn is_full(&self) -> bool {
        self.0.len() >= MOST_PROBLEMS
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// All of them, in the order of the file (at most 100): why it cannot be used.
    pub fn refusal(mut self) -> Problem {
        self.0.sort_by_key(|(place, _)| *place);
        self.0.truncate(MOST_PROBLEMS);
        let lines: Vec<String> = self.0.into_iter().map(|(_, line)| line).collect();
        let number = counted(lines.len() as i64, "problem");
        let message = format!("the card file has {number}:\n{}", lines.join("\n"));
        Problem::new(ProblemKind::Game, message)
    }
}

/// That a card file cannot be used, for one reason.
pub fn unusable(line: u64, message: impl Display) -> Problem {
    let mut problems = CardFileProblems::default();
    problems.add(Unit::Line.at(line), None, message);
    problems.refusal()
}

/// That a card file is no table.
pub(crate) fn no_table(error: ReadError) -> Problem {
    unusable(error.line.unwrap_or(1), ReadError { line: None, ..error })
}

/// The column of numbers by which other programs know cards; of several, parted by `;`. Every
/// game's file may have it.
pub const IDS: &str = "id";

/// The usual names of the column with the cards' names.
pub const NAMES: &[&[&str]] = &[&["name"], &["card name", "card"], &["title"]];

struct Row<'s> {
    identity: Identity,
    row: &'s table::Row,
}

impl Row<'_> {
    fn cell(&self, at: usize) -> &str {
        self.row.cell(at)
    }
}

impl Pool {
    /// Reads a card file. `fields` are those of the game; the file may leave out any of them.
    ///
    /// # Errors
    /// Every problem of the file: bytes of no plain encoding, a stray quote, a row with too
    /// many or too few cells, an unknown or doubled column, no `name`, a name twice (after
    /// folding), a value of the wrong type or out of range.
    ///
    /// ```
    /// use decklaw_cards::pool::{Field, FieldKind, NameField, Pool};
    /// let mana = Field { name: "mana".into(), kind: FieldKind::Number { min: 0, max: 99 } };
    /// let pool = Pool::read_csv(b"name,mana\nRain Caller,1\n", &[mana])?;
    /// let card = pool.look_up("rain caller", NameField::Name).card().expect("it is there");
    /// assert_eq!(pool.number(card, "mana"), Some(1));
    /// # Ok::<(), decklaw_text::Problem>(())
    /// ```
    pub fn read_csv(bytes: &[u8], fields: &[Field]) -> Result<Pool, Problem> {
        let sheet = table::read(bytes, None).map_err(no_table)?;
        Pool::of_sheet(&sheet, &decklaw_text::digest::sha256(bytes), fields)
    }

    /// The same of a table that was read already; `sha256` is the digest of its file.
    ///
    /// # Errors
    /// As [`read_csv`](Pool::read_csv), but for what is no table.
    pub fn of_sheet(sheet: &Sheet, sha256: &str, fields: &[Field]) -> Result<Pool, Problem> {
        let mut problems = CardFileProblems::default();
        let Some((header, mut rows)) = read_rows(sheet, fields, &mut problems) else {
            return Err(problems.refusal());
        };
        let mut fields = fields.to_vec();
        // Other programs know cards by numbers, which are no business of the game's.
        if header.iter().any(|name| name == IDS) && fields.iter().all(|field| field.name != IDS) {
            fields
                .push(Field { name: IDS.to_owned(), kind: FieldKind::List { values: Vec::new() } });
        }
        let place = |line: u32| sheet.unit.at(u64::from(line));
        let places = place_columns(&header, &fields, &mut problems);
        rows.sort_by(|a, b| {
            (&a.identity.folded, a.identity.line).cmp(&(&b.identity.folded, b.identity.line))
        });
        for pair in rows.windows(2) {
            let (first, again) = (&pair[0].identity, &pair[1].identity);
            if first.folded == again.folded {
                let before = place(first.line).in_words();
                let message = format!("`{}` is {before} already", again.name);
                problems.add(place(again.line), Some("name"), message);
            }
        }
        if let Some(at) = header.iter().position(|name| name == IDS) {
            doubled_ids(at, &rows, sheet.unit, &mut problems);
        }
        let mut written = vec![Spellings::default(); fields.len()];
        let mut read = |(field, place): (usize, &Option<usize>)| {
            let (field, written) = (&fields[field], &mut written[field]);
            place.map(|at| read_column(field, at, (&rows, sheet.unit), written, &mut problems))
        };
        let columns: Vec<Option<Column>> = places.iter().enumerate().map(&mut read).collect();
        if !problems.is_empty() {
            return Err(problems.refusal());
        }
        let cards = rows.into_iter().map(|row| row.identity).collect();
        let mut pool = Pool::assemble(fields, columns, cards, sha256.to_owned());
        pool.written = written;
        pool.notes.clone_from(&sheet.notes);
        pool.aside.clone_from(&sheet.aside);
        pool.unit = sheet.unit;
        pool.note_spellings();
        Ok(pool)
    }
}

/// The fields that a card file without a game's types has: a column with `;` anywhere is a
/// list, one of whole numbers (empty allowed) a number, any other text.
///
/// # Errors
/// When the file is no table; [`Pool::read_csv`] says why.
pub fn infer_fields(bytes: &[u8]) -> Result<Vec<Field>, Problem> {
    infer_fields_of(&table::read(bytes, None).map_err(no_table)?)
}

/// The same of a table that was read already.
///
/// # Errors
/// As [`infer_fields`].
pub fn infer_fields_of(sheet: &Sheet) -> Result<Vec<Field>, Problem> {
    let mut problems = CardFileProblems::default();
    let Some((header, rows)) = read_rows(sheet, &[], &mut problems) else {
        return Err(problems.refusal());
    };
    let kind = |at: usize| {
        let cells = || rows.iter().map(|row| row.cell(at));
        if cells().any(|cell| cell.contains(';')) {
            FieldKind::List { values: Vec::new() }
        } else if cells().all(|cell| cell.is_empty() || cell.parse::<i64>().is_ok())
            && cells().any(|cell| !cell.is_empty())
        {
            FieldKind::Number { min: i64::MIN, max: i64::MAX }
        } else {
            FieldKind::Word { values: Vec::new(), open: true }
        }
    };
    let named = header.iter().enumerate().filter(|(_, name)| *name != "name" && !name.is_empty());
    Ok(named.map(|(at, name)| Field { name: name.clone(), kind: kind(at) }).collect())
}

/// The names of the columns as the game has them, where a header spells them in another usual
/// way.
fn header_of(sheet: &Sheet, fields: &[Field]) -> Vec<String> {
    let mut header: Vec<String> = sheet.header.iter().map(|name| fold(name).into_owned()).collect();
    let known =
        |name: &str| name == "name" || name == IDS || fields.iter().any(|field| field.name == name);
    for column in header.iter_mut().filter(|column| !known(column)) {
        let wanted = key(column);
        let mut same = fields.iter().filter(|field| key(&field.name) == wanted);
        if let (Some(field), None) = (same.next(), same.next()) {
            column.clone_from(&field.name);
        }
    }
    if !header.iter().any(|name| name == "name")
        && let Ok(Some(at)) = table::column(&header, NAMES)
        && !fields.iter().any(|field| field.name == header[at])
    {
        header[at] = "name".to_owned();
    }
    header
}

/// The header's folded names and the rows, or `None` when nothing can be read at all.
fn read_rows<'s>(
    sheet: &'s Sheet,
    fields: &[Field],
    problems: &mut CardFileProblems,
) -> Option<(Vec<String>, Vec<Row<'s>>)> {
    let mut refuse = |line: u64, column: Option<&str>, message: String| {
        problems.add(sheet.unit.at(line), column, message);
        problems.is_full()
    };
    let header = header_of(sheet, fields);
    let first = sheet.header_row;
    let Some(name_at) = header.iter().position(|name| name == "name") else {
        let message = format!(
            "no column `name`; the first line must name the columns, and names {}",
            table::quoted(&sheet.header)
        );
        refuse(first, None, message);
        return None;
    };
    if header.len() > MOST_COLUMNS {
        let message = format!("{} columns; at most {MOST_COLUMNS} are read", header.len());
        refuse(first, None, message);
        return None;
    }
    let mut rows = Vec::new();
    for row in &sheet.rows {
        let line = row.number;
        let cells = row.len();
        let mut behind = (header.len()..cells).map(|at| row.cell(at));
        let short = sheet.separator.filter(|_| cells < header.len());
        if short.is_some() || behind.any(|cell| !cell.is_empty()) {
            let separator = match sheet.separator {
                Some(';') => "a semicolon",
                Some('\t') => "a tab",
                _ => "a comma",
            };
            let message = format!(
                "{} where the header names {}; put a cell that holds {separator} in quotation marks",
                counted(cells as i64, "cell"),
                header.len()
            );
            if refuse(line, None, message) {
                break;
            }
            continue;
        }
        let name = tidy(row.cell(name_at));
        let wrong = if name.is_empty() {
            "a card needs a name"
        } else if row.cell(name_at).contains(['\n', '\r']) {
            "a name over several lines: is a quotation mark missing or one too many?"
        } else {
            let identity = Identity {
                folded: fold(&name).into(),
                name: name.into(),
                line: u32::try_from(line).unwrap_or(u32::MAX),
            };
            rows.push(Row { identity, row });
            continue;
        };
        if refuse(line, Some("name"), wrong.to_owned()) {
            break;
        }
    }
    Some((header, rows))
}

/// Where each field's column is in the file.
fn place_columns(
    header: &[String],
    fields: &[Field],
    problems: &mut CardFileProblems,
) -> Vec<Option<usize>> {
    for (at, name) in header.iter().enumerate() {
        if name.is_empty() {
            // A column without a name is none if it is empty.
            continue;
        }
        let message = if header[..at].contains(name) {
            "this column is in the header twice".to_owned()
        } else if name != "name" && !fields.iter().any(|field| field.name == *name) {
            let mut known = vec!["name"];
            known.extend(fields.iter().map(|field| field.name.as_str()));
            if fields.iter().all(|field| field.name != IDS) {
                known.push(IDS);
            }
            let near = decklaw_text::name::nearest(name, known.iter().copied());
            let meant =
                near.first().map_or_else(String::new, |near| format!("; did you mean `{near}`?"));
            format!(
                "this game's cards have no such column{meant} (they have {})",
                listed(&known, "and")
            )
        } else {
            continue;
        };
        problems.add(Unit::Line.at(1), Some(name), message);
    }
    let place = |field: &Field| header.iter().position(|name| *name == field.name);
    fields.iter().map(place).collect()
}

/// A number that two cards have would mean either.
fn doubled_ids(at: usize, rows: &[Row<'_>], unit: Unit, problems: &mut CardFileProblems) {
    let mut seen: FxHashMap<&str, u32> = FxHashMap::default();
    for row in rows {
        let ids = row.cell(at).split([';', ',']).map(str::trim);
        for id in ids.filter(|id| !id.is_empty()) {
            let line = row.identity.line;
            let bare = id.trim_start_matches('0');
            if let Some(first) = seen.insert(bare, line).filter(|first| *first != line) {
                let place = |line: u32| unit.at(u64::from(line));
                let before = place(line.min(first)).in_words();
                let message = format!("`{id}` is the card {before} already");
                problems.add(place(line.max(first)), Some(IDS), message);
            }
        }
    }
}

fn read_column(
    field: &Field,
    at: usize,
    (rows, unit): (&[Row<'_>], Unit),
    written: &mut Spellings,
    problems: &mut CardFileProblems,
) -> Column {
    let mut refuse = |line: u32, message: String| {
        if !problems.is_full() {
            let place = unit.at(u64::from(line));
            problems.add(place, Some(&field.name), message);
        }
    };
    let mut strange = StrangeWords::default();
    // Asked once for each spelling, in the order of the cards.
    let mut canonical = |cell: &str| -> Option<Word> {
        let word = Word::from(field.canonical(cell)?);
        written
            .entry(Word::clone(&word))
            .or_insert_with(|| field.written(&word).unwrap_or(cell).into());
        Some(word)
    };
    let cells = rows.iter().map(|row| (row, row.cell(at)));
    // Most cells are equal to another one.
    let mut known: FxHashMap<&str, Option<Word>> = FxHashMap::default();
    let column = match &field.kind {
        FieldKind::Number { .. } => Column::Number(
            cells
                .map(|(row, cell)| match field.number(cell) {
                    Ok(number) => number,
                    Err(message) => {
                        refuse(row.identity.line, message);
                        None
                    }
                })
                .collect(),
        ),
        FieldKind::List { .. } => {
            let mut lists: FxHashMap<&str, Arc<[Word]>> = FxHashMap::default();
            let mut list = |(row, cell): (&Row<'_>, _)| {
                if let Some(list) = lists.get(cell) {
                    return Arc::clone(list);
                }
                let mut complete = true;
                let words = field.items(cell).filter_map(|item| {
                    let word = known.entry(item).or_insert_with(|| canonical(item));
                    if word.is_none() {
                        complete = false;
                        strange.count(item, row.identity.line);
                    }
                    word.clone()
                });
                let words: Arc<[Word]> = words.collect();
                if complete {
                    lists.insert(cell, Arc::clone(&words));
                }
                words
            };
            Column::List(cells.map(&mut list).collect())
        }
        FieldKind::Word { .. } => {
            let mut word = |(row, cell): (&Row<'_>, _)| {
                if str::is_empty(cell) {
                    return None;
                }
                let word = known.entry(cell).or_insert_with(|| canonical(cell));
                if word.is_none() {
                    strange.count(cell, row.identity.line);
                }
                word.clone()
            };
            Column::Text(cells.map(&mut word).collect())
        }
        FieldKind::Text | FieldKind::Query => {
            Column::Text(cells.map(|(_, cell)| (!cell.is_empty()).then(|| cell.into())).collect())
        }
    };
    for (word, line, count) in strange.0 {
        let many = match count {
            1 => String::new(),
            count => format!(" ({} have it)", counted(count, "cell")),
        };
        let message = format!(
            "{}{many}; correct it, or add it to `values` of the field in the game file",
            field.strange(&word)
        );
        refuse(line, message);
    }
    written.retain(|word, written| **word != **written);
    column
}

/// Words that are none of a field's values: each with the line of its first row and how many cells
/// have it, in the order of the rows.
#[derive(Default)]
struct StrangeWords(Vec<(String, u32, i64)>);

impl StrangeWords {
    fn count(&mut self, word: &str, line: u32) {
        if let Some((.., count)) = self.0.iter_mut().find(|(known, ..)| known == word) {
            *count += 1;
        } else if self.0.len() < MOST_PROBLEMS {
            self.0.push((word.to_owned(), line, 1));
        }
    }
}
