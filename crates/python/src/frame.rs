//! Tables in, tables out: a column of decks becomes the columns of `check --summary`, `odds` or
//! `stats`. `python/decklaw/frames.py` knows the libraries of tables.

use crate::errors::{question, raised};
use crate::given::Text;
use crate::many::in_blocks;
use decklaw::pool::FieldKind;
use decklaw::render::{DECK_COLUMNS, Render};
use decklaw::report::table::{Shape, verdicts_by};
use decklaw::spreadsheet::{Cell, Sheet};
use decklaw::{AboutDeck, Finding, Game, Problem, ProblemKind, Report};
use pyo3::exceptions::{PyTypeError, PyUserWarning};
use pyo3::prelude::*;
use pyo3::types::PyFloat;
use std::collections::{BTreeMap, BTreeSet};

/// Columns of whole numbers; those of sections and of numbers of cards are more.
const WHOLE: [&str; 10] =
    ["deck", "size", "errors", "warnings", "notices", "count", "hand", "turn", "seen", "mulligans"];

/// Columns of other numbers.
const REAL: [&str; 2] = ["value", "probability"];

/// The most decks that a warning names.
const MOST_NAMED: usize = 5;

/// The decks of a table, each with the place of its game, or why there is none.
pub(crate) struct Decks {
    each: Vec<Result<(Text, usize), Problem>>,
    /// The game, and those of the formats that the table names.
    games: Vec<Game>,
}

/// Whether a cell holds nothing, in the ways of the libraries.
fn is_missing(cell: &Bound<'_, PyAny>) -> bool {
    let is_nan = || cell.cast::<PyFloat>().is_ok_and(|number| number.value().is_nan());
    let is_na = || cell.get_type().name().is_ok_and(|name| name == "NAType");
    cell.is_none() || is_nan() || is_na()
}

/// The cells of a column of a table.
fn column<'py>(frame: &Bound<'py, PyAny>, name: &str) -> PyResult<Vec<Bound<'py, PyAny>>> {
    let column = frame.py().import("decklaw.frames")?.getattr("column")?;
    column.call1((frame, name))?.extract()
}

impl Decks {
    /// The decks of a column, in the formats of another; by default all in that of the game.
    pub(crate) fn of(
        game: &Game,
        frame: &Bound<'_, PyAny>,
        deck: &str,
        format: Option<&str>,
    ) -> PyResult<Decks> {
        let py = frame.py();
        let cells = column(frame, deck)?;
        let formats = format.map(|format| column(frame, format)).transpose()?.unwrap_or_default();
        let (mut games, mut known) = (vec![game.clone()], BTreeMap::new());
        let mut place = |format: &Bound<'_, PyAny>| -> PyResult<Result<usize, Problem>> {
            let format: String = format.extract()?;
            let added = known.entry(format).or_insert_with_key(|format| {
                game.in_format(format).map(|game| {
                    games.push(game);
                    games.len() - 1
                })
            });
            Ok(added.clone())
        };
        let mut each = Vec::with_capacity(cells.len());
        for (row, cell) in cells.iter().enumerate() {
            if is_missing(cell) {
                let missing = Problem::new(ProblemKind::Deck, "the deck is missing");
                each.push(Err(missing.with_help("fill the cell")));
                continue;
            }
            let text: Text = cell.extract().map_err(|error: PyErr| {
                if !error.is_instance_of::<PyTypeError>(py) {
                    return error;
                }
                PyTypeError::new_err(format!("row {row}: {}", error.value(py)))
            })?;
            let game = match formats.get(row).filter(|format| !is_missing(format)) {
                Some(format) => place(format)?,
                None => Ok(0),
            };
            each.push(game.map(|game| (text, game)));
        }
        Ok(Decks { each, games })
    }

    /// The report of a deck.
    fn report(&self, deck: &Result<(Text, usize), Problem>) -> Report {
        match deck {
            Ok((text, game)) => self.games[*game].check_as("", text, text.input()),
            Err(problem) => {
                let help = problem.help.as_deref().unwrap_or_default();
                Report::unreadable(
                    String::new(),
                    Finding::unreadable(problem.message.clone(), help),
                )
            }
        }
    }

    /// The sections of the games, each once.
    fn sections(&self) -> PyResult<Vec<String>> {
        let mut all = Vec::new();
        for game in &self.games {
            for id in rules(game)?.format().game().section_names().ids {
                if !all.contains(id) {
                    all.push(id.clone());
                }
            }
        }
        Ok(all)
    }

    /// The table of `check --summary`.
    pub(crate) fn verdicts<'py>(&self, py: Python<'py>, threads: usize) -> PyResult<Columns<'py>> {
        let sections = self.sections()?;
        let names = || sections.iter().map(String::as_str).collect();
        let empty = verdicts_by(&[], names(), Shape::default()).columns;
        let mut columns = Columns::new(empty, &sections);
        let work = |first: usize, decks: &[_]| {
            let reports: Vec<Report> = decks.iter().map(|deck| self.report(deck)).collect();
            let sheet = verdicts_by(&reports, names(), Shape::default());
            Block {
                columns: sheet.columns,
                rows: numbered(sheet.rows, first..),
                ..Block::default()
            }
        };
        in_blocks(py, &self.each, threads, work, |block| columns.add(py, block))?;
        Ok(columns)
    }

    /// The table of the answers to a question about each deck. A deck that has no answer has a row
    /// with nothing else, and a warning.
    pub(crate) fn answers<'py, Q: AboutDeck + Clone + Sync>(
        &self,
        py: Python<'py>,
        threads: usize,
        ask: &Q,
        mut columns: Columns<'py>,
    ) -> PyResult<Columns<'py>>
    where
        Q::Answer: Render,
    {
        let work = |first: usize, decks: &[Result<(Text, usize), Problem>]| {
            let mut all = Vec::new();
            for (row, deck) in decks.iter().enumerate() {
                let row = first + row;
                let answer = deck.as_ref().map_err(Problem::clone).and_then(|(text, game)| {
                    self.games[*game].read_as(text, text.input())?.ask(ask.clone())
                });
                all.push(match answer {
                    Ok(answer) => {
                        let sheet = answer.sheets().into_iter().next();
                        let sheet = sheet.unwrap_or_else(|| Sheet::new("", [""; 0], []));
                        let rows = numbered(sheet.rows, std::iter::repeat(row));
                        Block { columns: sheet.columns, rows, warning: None }
                    }
                    // A question that is wrong for every deck has the place of its mistake, or is of
                    // a game that is wrong.
                    Err(problem)
                        if problem.place.is_some() || problem.kind == ProblemKind::Game =>
                    {
                        return Err(problem);
                    }
                    Err(problem) => self.without_answer(row, deck, &problem),
                });
            }
            Ok(all)
        };
        let mut warnings = Vec::new();
        in_blocks(py, &self.each, threads, work, |blocks| {
            for mut block in blocks.map_err(|problem| raised(py, problem))? {
                warnings.extend(block.warning.take());
                columns.add(py, block)?;
            }
            Ok(())
        })?;
        if !warnings.is_empty() {
            let more = warnings.len().saturating_sub(MOST_NAMED);
            warnings.truncate(MOST_NAMED);
            if more > 0 {
                warnings.push(format!("and {more} more"));
            }
            let message = format!("decks without an answer: {}", warnings.join("; "));
            PyErr::warn(
                py,
                &py.get_type::<PyUserWarning>(),
                &std::ffi::CString::new(message.replace('\0', "\u{fffd}"))?,
                1,
            )?;
        }
        Ok(columns)
    }

    fn without_answer(
        &self,
        row: usize,
        deck: &Result<(Text, usize), Problem>,
        problem: &Problem,
    ) -> Block {
        let report = self.report(deck);
        let of = |word: &Option<String>| Cell::some(word.as_deref());
        let cells = [of(&report.player), of(&report.format), of(&report.name)];
        let cells = [Cell::count(row)].into_iter().chain(cells).collect();
        let columns = DECK_COLUMNS.map(str::to_owned).to_vec();
        let warning = Some(format!("row {row}: {}", problem.message));
        Block { columns, rows: vec![cells], warning }
    }
}

/// The columns of a table of decks.
pub(crate) fn deck_columns(columns: &[&'static str]) -> Vec<String> {
    decklaw::render::deck_columns(columns).into_iter().map(str::to_owned).collect()
}

/// The rules of a game.
fn rules(game: &Game) -> PyResult<std::sync::Arc<decklaw::format::Rulebook>> {
    Python::attach(|py| game.rulebook().map_err(|problem| raised(py, problem)))
}

/// The columns of the table of cards, and the fields that are numbers.
pub(crate) fn card_columns(game: &Game) -> PyResult<(Vec<String>, Vec<String>)> {
    let rules = rules(game)?;
    let fields = rules.pool().fields();
    let names: Vec<&str> = fields.iter().map(|field| field.name.as_str()).collect();
    let columns = decklaw::card_columns(&names);
    let own = &columns[columns.len() - names.len()..];
    let numbers = own.iter().zip(fields);
    let numbers = numbers.filter(|(_, field)| matches!(field.kind, FieldKind::Number { .. }));
    let numbers = numbers.map(|(name, _)| name.clone()).collect();
    Ok((columns, numbers))
}

/// Rows whose first cells are the numbers of their decks' rows in the table that was given.
fn numbered(
    rows: impl Iterator<Item = Vec<Cell>>,
    numbers: impl IntoIterator<Item = usize>,
) -> Vec<Vec<Cell>> {
    let rows = rows.zip(numbers).map(|(mut row, number)| {
        row[0] = Cell::count(number);
        row
    });
    rows.collect()
}

/// Rows of a table, and what is to be known of their deck.
#[derive(Default)]
struct Block {
    columns: Vec<String>,
    rows: Vec<Vec<Cell>>,
    warning: Option<String>,
}

/// A column of a table.
struct Column<'py> {
    name: String,
    /// `n` for whole numbers, `r` for others, `t` for texts.
    kind: char,
    values: Vec<Bound<'py, PyAny>>,
    /// The newest text: those of many rows are the same.
    newest: Option<(String, Bound<'py, PyAny>)>,
}

/// The columns of a table that is being made.
pub(crate) struct Columns<'py> {
    all: Vec<Column<'py>>,
    whole: BTreeSet<String>,
    rows: usize,
}

impl<'py> Columns<'py> {
    /// Columns that the table has in any case; `whole` are those of whole numbers besides [`WHOLE`].
    pub(crate) fn new(names: Vec<String>, whole: &[String]) -> Columns<'py> {
        let whole = whole.iter().cloned().chain(WHOLE.map(str::to_owned));
        let mut columns = Columns { all: Vec::new(), whole: whole.collect(), rows: 0 };
        for name in names {
            columns.place(0, name);
        }
        columns
    }

    /// The place of a column, which may be a new one; it is probably at `near`.
    fn place(&mut self, near: usize, name: String) -> usize {
        if self.all.get(near).is_some_and(|column| column.name == name) {
            return near;
        }
        let found = self.all.iter().position(|column| column.name == name);
        found.unwrap_or_else(|| {
            let kind = match &name {
                name if REAL.contains(&name.as_str()) => 'r',
                name if self.whole.contains(name) => 'n',
                _ => 't',
            };
            self.all.push(Column { name, kind, values: Vec::new(), newest: None });
            self.all.len() - 1
        })
    }

    fn add(&mut self, py: Python<'py>, block: Block) -> PyResult<()> {
        let places = block.columns.into_iter().enumerate();
        let places: Vec<usize> = places.map(|(near, name)| self.place(near, name)).collect();
        let none = py.None().into_bound(py);
        let after = self.rows + block.rows.len();
        for place in &places {
            self.all[*place].values.resize_with(self.rows, || none.clone());
        }
        for row in block.rows {
            for (place, cell) in places.iter().zip(row) {
                self.all[*place].push(py, cell)?;
            }
        }
        for column in &mut self.all {
            column.values.resize_with(after, || none.clone());
        }
        self.rows = after;
        Ok(())
    }

    /// A table of the kind of `frame`.
    pub(crate) fn like(self, frame: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let columns = self.all.into_iter();
        let columns: Vec<_> =
            columns.map(|column| (column.name, column.kind, column.values)).collect();
        frame.py().import("decklaw.frames")?.getattr("like")?.call1((frame, columns))
    }
}

impl<'py> Column<'py> {
    fn push(&mut self, py: Python<'py>, cell: Cell) -> PyResult<()> {
        let value = match (cell, self.kind) {
            (cell, _) if cell.is_empty() => py.None().into_bound(py),
            (Cell::Number(number), 'r') => PyFloat::new(py, number as f64).into_any(),
            (Cell::Number(number), 'n') => number.into_pyobject(py)?.into_any(),
            (Cell::Decimal(number), 'r') => PyFloat::new(py, number).into_any(),
            // A total beyond 64 bits.
            (Cell::Text(text), 'r') => match text.parse() {
                Ok(number) => PyFloat::new(py, number).into_any(),
                Err(_) => return Err(question(py, &format!("`{text}` is no number"))),
            },
            (Cell::Text(text), _) => self.text(py, text),
            (cell, _) => self.text(py, cell.shown()),
        };
        self.values.push(value);
        Ok(())
    }

    fn text(&mut self, py: Python<'py>, text: String) -> Bound<'py, PyAny> {
        match &self.newest {
            Some((newest, value)) if *newest == text => value.clone(),
            _ => {
                let value = pyo3::types::PyString::new(py, &text).into_any();
                self.newest = Some((text, value.clone()));
                value
            }
        }
    }
}
