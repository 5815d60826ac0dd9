//! Reading a card file: CSV with a header, one row a card.

use super::{Column, Field, FieldKind, Identity, Pool};
use crate::name::{fold, tidy};
use crate::text::{counted, listed};
use rustc_hash::FxHashMap;

/// The most problems of one file that are reported.
pub(crate) const MOST_PROBLEMS: usize = 100;
/// The most columns that a card file may have.
const MOST_COLUMNS: usize = 64;

/// Something wrong with a card file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CardFileProblem {
    /// Line of the file, from 1.
    pub line: u64,
    /// The column's name, where one cell is to blame.
    pub column: Option<String>,
    /// What is wrong and what would mend it.
    pub message: String,
}

impl std::fmt::Display for CardFileProblem {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(out, "line {}", self.line)?;
        if let Some(column) = &self.column {
            write!(out, ", column `{column}`")?;
        }
        write!(out, ": {}", self.message)
    }
}

/// A card file that cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the card file has {}:\n{}", counted(problems.len() as i64, "problem"), lines(problems))]
pub struct CardFileError {
    /// Everything found, in the order of the file (at most 100).
    pub problems: Vec<CardFileProblem>,
}

fn lines(problems: &[CardFileProblem]) -> String {
    let lines: Vec<String> = problems
        .iter()
        .map(|problem| format!("  {problem}"))
        .collect();
    lines.join("\n")
}

/// The column of numbers by which other programs know cards; of several, parted by `;`. Every
/// game's file may have it.
pub const IDS: &str = "id";

struct Row {
    identity: Identity,
    cells: csv::StringRecord,
}

impl Pool {
    /// Reads a card file. `fields` are those of the game; the file may leave out any of them.
    ///
    /// # Errors
    /// Every problem of the file: bytes that are not UTF-8, a stray quote, a row with too
    /// many or too few cells, an unknown or doubled column, no `name`, a name twice (after
    /// folding), a value of the wrong type or out of range.
    ///
    /// ```
    /// use decklaw::pool::{Field, FieldKind, Pool};
    /// let mana = Field { name: "mana".into(), kind: FieldKind::Number { min: 0, max: 99 } };
    /// let pool = Pool::read_csv(b"name,mana\nRain Caller,1\n", &[mana])?;
    /// let card = pool.find("rain caller").expect("it is there");
    /// assert_eq!(pool.number(card, "mana"), Some(1));
    /// # Ok::<(), decklaw::pool::CardFileError>(())
    /// ```
    pub fn read_csv(bytes: &[u8], fields: &[Field]) -> Result<Pool, CardFileError> {
        let mut problems = Vec::new();
        let (header, mut rows) = match read_rows(bytes, &mut problems) {
            Some(read) => read,
            None => return Err(CardFileError { problems }),
        };
        let mut fields = fields.to_vec();
        // Other programs know cards by numbers, which are no business of the game's.
        if header.iter().any(|name| name == IDS) && fields.iter().all(|field| field.name != IDS) {
            fields.push(Field {
                name: IDS.to_owned(),
                kind: FieldKind::List { values: Vec::new() },
            });
        }
        let places = place_columns(&header, &fields, &mut problems);
        rows.sort_by(|a, b| {
            (&a.identity.folded, a.identity.line).cmp(&(&b.identity.folded, b.identity.line))
        });
        for pair in rows.windows(2) {
            let (first, again) = (&pair[0].identity, &pair[1].identity);
            if first.folded == again.folded {
                problems.push(CardFileProblem {
                    line: u64::from(again.line),
                    column: Some("name".into()),
                    message: format!("`{}` stands on line {} already", again.name, first.line),
                });
            }
        }
        if let Some(at) = header.iter().position(|name| name == IDS) {
            doubled_ids(at, &rows, &mut problems);
        }
        let columns: Vec<Option<Column>> = fields
            .iter()
            .zip(&places)
            .map(|(field, place)| place.map(|at| read_column(field, at, &rows, &mut problems)))
            .collect();
        if !problems.is_empty() {
            problems.sort_by_key(|problem| problem.line);
            problems.truncate(MOST_PROBLEMS);
            return Err(CardFileError { problems });
        }
        let cards = rows.into_iter().map(|row| row.identity).collect();
        let sha256 = crate::digest::sha256(bytes);
        let mut pool = Pool::assemble(fields, columns, cards, sha256);
        pool.note_spellings();
        Ok(pool)
    }
}

/// The fields that a card file without a game's types has: a column with `;` anywhere is a
/// list, one of whole numbers (empty allowed) a number, any other text.
///
/// # Errors
/// When the file is no CSV; [`Pool::read_csv`] tells why.
pub fn infer_fields(bytes: &[u8]) -> Result<Vec<Field>, CardFileError> {
    let mut problems = Vec::new();
    let Some((header, rows)) = read_rows(bytes, &mut problems) else {
        return Err(CardFileError { problems });
    };
    let kind = |at: usize| {
        let cells = || {
            rows.iter()
                .map(|row| row.cells.get(at).unwrap_or("").trim())
        };
        if cells().any(|cell| cell.contains(';')) {
            FieldKind::List { values: Vec::new() }
        } else if cells().all(|cell| cell.is_empty() || cell.parse::<i64>().is_ok())
            && cells().any(|cell| !cell.is_empty())
        {
            FieldKind::Number {
                min: i64::MIN,
                max: i64::MAX,
            }
        } else {
            FieldKind::Word {
                values: Vec::new(),
                open: true,
            }
        }
    };
    let named = header
        .iter()
        .enumerate()
        .filter(|(_, name)| *name != "name");
    Ok(named
        .map(|(at, name)| Field {
            name: name.clone(),
            kind: kind(at),
        })
        .collect())
}

/// The header's folded names and the rows, or `None` when nothing can be read at all.
fn read_rows(bytes: &[u8], problems: &mut Vec<CardFileProblem>) -> Option<(Vec<String>, Vec<Row>)> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    if let Some(at) = memchr::memchr(0, bytes) {
        let line = 1 + memchr::memchr_iter(b'\n', &bytes[..at]).count() as u64;
        let message = "a NUL byte: this is no text file".to_owned();
        problems.push(CardFileProblem {
            line,
            column: None,
            message,
        });
        return None;
    }
    let mut reader = csv::ReaderBuilder::new()
        .trim(csv::Trim::All)
        .from_reader(bytes);
    let header: Vec<String> = match reader.headers() {
        Ok(header) => header.iter().map(|name| fold(name).into_owned()).collect(),
        Err(error) => {
            problems.push(csv_problem(&error, bytes));
            return None;
        }
    };
    let Some(name_at) = header.iter().position(|name| name == "name") else {
        let message = "there is no column `name`; the first line must name the columns".to_owned();
        problems.push(CardFileProblem {
            line: 1,
            column: None,
            message,
        });
        return None;
    };
    if header.len() > MOST_COLUMNS {
        let message = format!("{} columns; at most {MOST_COLUMNS} are read", header.len());
        problems.push(CardFileProblem {
            line: 1,
            column: None,
            message,
        });
        return None;
    }
    let mut rows = Vec::new();
    for record in reader.into_records() {
        if problems.len() >= MOST_PROBLEMS {
            break;
        }
        let cells = match record {
            Ok(cells) => cells,
            Err(error) => {
                problems.push(csv_problem(&error, bytes));
                continue;
            }
        };
        let begin = cells.position();
        let line = begin.map_or(0, |begin| crate::text::line_of_row(bytes, begin));
        let name = tidy(cells.get(name_at).unwrap_or(""));
        let mut refuse = |message: &str| {
            let column = Some("name".to_owned());
            problems.push(CardFileProblem {
                line,
                column,
                message: message.to_owned(),
            });
        };
        if name.is_empty() {
            refuse("a card needs a name");
            continue;
        }
        if name.contains(['\n', '\r']) {
            refuse("a name over several lines: is a quotation mark missing or one too many?");
            continue;
        }
        let identity = Identity {
            folded: fold(&name).into(),
            name: name.into(),
            line: u32::try_from(line).unwrap_or(u32::MAX),
        };
        rows.push(Row { identity, cells });
    }
    Some((header, rows))
}

fn csv_problem(error: &csv::Error, bytes: &[u8]) -> CardFileProblem {
    let begin = error.position();
    let line = begin.map_or(1, |begin| crate::text::line_of_row(bytes, begin));
    let message = match error.kind() {
        csv::ErrorKind::UnequalLengths {
            expected_len, len, ..
        } => format!(
            "{} where the header names {expected_len}; put a cell that holds a comma in quotation marks",
            counted(*len as i64, "cell")
        ),
        csv::ErrorKind::Utf8 { .. } => "not UTF-8; save the file as UTF-8".to_owned(),
        _ => error.to_string(),
    };
    CardFileProblem {
        line,
        column: None,
        message,
    }
}

/// Where each field's column stands in the file.
fn place_columns(
    header: &[String],
    fields: &[Field],
    problems: &mut Vec<CardFileProblem>,
) -> Vec<Option<usize>> {
    for (at, name) in header.iter().enumerate() {
        let message = if header[..at].contains(name) {
            "this column stands in the header twice".to_owned()
        } else if name != "name" && !fields.iter().any(|field| field.name == *name) {
            let mut known = vec!["name"];
            known.extend(fields.iter().map(|field| field.name.as_str()));
            if fields.iter().all(|field| field.name != IDS) {
                known.push(IDS);
            }
            format!(
                "this game's cards have no such column; they have {}",
                listed(&known, "and")
            )
        } else {
            continue;
        };
        problems.push(CardFileProblem {
            line: 1,
            column: Some(name.clone()),
            message,
        });
    }
    let place = |field: &Field| header.iter().position(|name| *name == field.name);
    fields.iter().map(place).collect()
}

/// A number that two cards have would mean either.
fn doubled_ids(at: usize, rows: &[Row], problems: &mut Vec<CardFileProblem>) {
    let mut seen: FxHashMap<&str, u32> = FxHashMap::default();
    for row in rows {
        let ids = row.cells.get(at).unwrap_or("").split(';').map(str::trim);
        for id in ids.filter(|id| !id.is_empty()) {
            let line = row.identity.line;
            let bare = id.trim_start_matches('0');
            if let Some(first) = seen.insert(bare, line).filter(|first| *first != line) {
                problems.push(CardFileProblem {
                    line: u64::from(line.max(first)),
                    column: Some(IDS.to_owned()),
                    message: format!("`{id}` is the card on line {} already", line.min(first)),
                });
            }
        }
    }
}

fn read_column(
    field: &Field,
    at: usize,
    rows: &[Row],
    problems: &mut Vec<CardFileProblem>,
) -> Column {
    let mut refuse = |row: &Row, message: String| {
        if problems.len() < MOST_PROBLEMS {
            let line = u64::from(row.identity.line);
            problems.push(CardFileProblem {
                line,
                column: Some(field.name.clone()),
                message,
            });
        }
    };
    let unknown = |cell: &str| {
        format!(
            "`{cell}` is none of the values {}",
            listed(&field.words(), "or")
        )
    };
    let cells = || {
        rows.iter()
            .map(|row| (row, row.cells.get(at).unwrap_or("")))
    };
    match &field.kind {
        FieldKind::Number { min, max } => Column::Number(
            cells()
                .map(|(row, cell)| match cell.parse::<i64>() {
                    _ if cell.is_empty() => None,
                    Ok(number) if (*min..=*max).contains(&number) => Some(number),
                    Ok(number) => {
                        refuse(
                            row,
                            format!("{number} is impossible; it must be from {min} to {max}"),
                        );
                        None
                    }
                    Err(_) => {
                        refuse(row, format!("`{cell}` is not a whole number"));
                        None
                    }
                })
                .collect(),
        ),
        FieldKind::List { .. } => Column::List(
            cells()
                .map(|(row, cell)| {
                    let items = cell
                        .split(';')
                        .map(str::trim)
                        .filter(|item| !item.is_empty());
                    let known = items.filter_map(|item| {
                        let word = field.canonical(item);
                        if word.is_none() {
                            refuse(row, unknown(item));
                        }
                        word.map(Into::into)
                    });
                    known.collect()
                })
                .collect(),
        ),
        FieldKind::Text | FieldKind::Word { .. } | FieldKind::Query => Column::Text(
            cells()
                .map(|(row, cell)| {
                    if cell.is_empty() {
                        return None;
                    }
                    let word = field.canonical(cell);
                    if word.is_none() {
                        refuse(row, unknown(cell));
                    }
                    word.map(Into::into)
                })
                .collect(),
        ),
    }
}
