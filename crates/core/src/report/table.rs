//! Reports as tables: a finding a row, or a deck a row.

use crate::banlist::lock::Lock;
use crate::format::Rulebook;
use crate::judge::{Finding, Report};
use crate::origin::in_one_line;
use crate::rules::{Fault, Severity};
use crate::spreadsheet::{Cell, Flavour, Table};
use crate::submissions::Submission;
use std::io::Write;

/// Columns of the table of findings.
pub const FINDINGS: [&str; 16] = [
    "deck", "player", "format", "verdict", "rule", "severity", "section", "cards", "limit",
    "actual", "line", "column", "message", "help", "source", "code",
];

/// Columns that say what decided: behind those of a finding, and,
/// less the banlist that a deck has already, behind those of a deck.
pub const INPUTS: [&str; 5] = [
    "banlist",
    "banlist sha256",
    "locked for",
    "lock seal",
    "not built in",
];

/// Columns of the table of decks.
pub const DECKS: [&str; 14] = [
    "player",
    "deck",
    "format",
    "name",
    "verdict",
    "cards",
    "sections",
    "errors",
    "warnings",
    "notices",
    "hash",
    "banlist",
    "first finding",
    "remark",
];

/// A finding of a deck as a row of [`FINDINGS`].
pub fn finding(report: &Report, finding: &Finding) -> [Cell; 16] {
    let place = |part: Option<usize>| part.map_or_else(|| Cell::text(""), Cell::count);
    let own = |text: &Option<String>| Cell::text(text.as_deref().unwrap_or_default());
    [
        Cell::text(&report.deck),
        own(&report.player),
        own(&report.format),
        Cell::text(report.verdict.word()),
        Cell::text(&finding.rule),
        Cell::text(finding.severity.word()),
        own(&finding.section),
        Cell::text(finding.cards.join("; ")),
        Cell::maybe(finding.limit),
        Cell::maybe(finding.actual),
        place(finding.line),
        place(finding.column),
        Cell::text(&finding.message),
        own(&finding.help),
        own(&finding.source),
        Cell::text(finding.code.to_string()),
    ]
}

/// A deck as a row of [`DECKS`]. The first finding is the first error, or else the first of
/// all; sections are shown as `main 25; side 1`.
fn deck(report: &Report, rulebook: Option<&Rulebook>) -> [Cell; 14] {
    let own = |text: &Option<String>| Cell::text(text.as_deref().unwrap_or_default());
    let of = |severity| Cell::count(report.count(severity));
    let is_error = |finding: &&Finding| finding.severity == Severity::Error;
    let first = report.findings.iter().find(is_error);
    let first = first.or(report.findings.first());
    let list = rulebook.and_then(Rulebook::list);
    let sections = report.cards.iter().filter(|(_, copies)| *copies > 0);
    let sections: Vec<String> = sections
        .map(|(section, copies)| format!("{section} {copies}"))
        .collect();
    let remark = report
        .submission
        .as_ref()
        .map(|submission| submission.remark());
    [
        own(&report.player),
        Cell::text(&report.deck),
        own(&report.format),
        own(&report.name),
        Cell::text(report.verdict.word()),
        Cell::Number(report.size()),
        Cell::text(sections.join("; ")),
        of(Severity::Error),
        of(Severity::Warning),
        of(Severity::Notice),
        own(&report.hash),
        Cell::text(list.map_or("", |list| &list.id)),
        Cell::text(first.map_or_else(String::new, |finding| {
            format!("{}: {}", finding.rule, finding.message)
        })),
        Cell::text(remark.unwrap_or_default()),
    ]
}

/// What decided, as a row of [`INPUTS`].
fn inputs(rulebook: Option<&Rulebook>, lock: Option<&Lock>) -> [Cell; 5] {
    let list = rulebook.and_then(Rulebook::list);
    [
        Cell::text(list.map_or("", |list| &list.id)),
        Cell::text(list.map_or("", |list| &list.sha256)),
        Cell::text(lock.map_or_else(String::new, |lock| lock.day.to_string())),
        Cell::text(lock.map_or("", |lock| &lock.seal)),
        Cell::text(rulebook.map_or_else(String::new, |rulebook| in_one_line(rulebook.given()))),
    ]
}

/// Columns of what a form says of a deck besides the deck itself, behind all others.
pub const FORM: [&str; 8] = [
    "player id",
    "row",
    "time",
    "late",
    "counts",
    "replaces",
    "beside",
    "file",
];

/// Which columns a table has.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Shape {
    /// A row a deck, not a row a finding.
    pub summary: bool,
    /// Whether the decks are those of a form.
    pub form: bool,
}

impl Shape {
    /// The columns: own ones, and behind them those of the form where there is one.
    fn with(&self, own: &[&str]) -> Vec<String> {
        let mut columns: Vec<String> = own.iter().map(|name| (*name).to_owned()).collect();
        if self.form {
            columns.extend(FORM.map(str::to_owned));
        }
        columns
    }

    /// The columns of a table: of decks with `summary`, else of findings.
    pub fn columns(&self) -> Vec<String> {
        match self.summary {
            true => self.with(&[&DECKS[..], &INPUTS[1..]].concat()),
            false => self.with(&[&FINDINGS[..], &INPUTS].concat()),
        }
    }

    /// What a form says of a deck, in the columns that stand behind all others.
    fn form_cells(&self, submission: Option<&Submission>) -> Vec<Cell> {
        let Some(row) = submission.filter(|_| self.form) else {
            return Vec::new();
        };
        let number = |row: u64| Cell::Number(i64::try_from(row).unwrap_or(i64::MAX));
        let own = |text: &Option<String>| Cell::text(text.as_deref().unwrap_or_default());
        let replaces: Vec<String> = row.replaces.iter().map(u64::to_string).collect();
        vec![
            own(&row.identity),
            number(row.row),
            own(&row.time),
            Cell::text(row.lateness()),
            Cell::text(if row.counts { "yes" } else { "no" }),
            Cell::text(replaces.join("; ")),
            row.beside.map_or_else(|| Cell::text(""), number),
            own(&row.file),
        ]
    }
}

/// The rows of a deck in the [columns](Shape::columns) of a table, one by one: one with `summary`,
/// else one for each finding, up to `most` of them, and one that says how many more there are.
/// `lock` is what the run was held to.
pub fn cells<'r>(
    report: &'r Report,
    rulebook: Option<&'r Rulebook>,
    lock: Option<&Lock>,
    shape: &Shape,
    most: usize,
) -> Box<dyn Iterator<Item = Vec<Cell>> + 'r> {
    let inputs = inputs(rulebook, lock);
    let form = shape.form_cells(report.submission.as_ref());
    if shape.summary {
        let row = [&deck(report, rulebook)[..], &inputs[1..], &form].concat();
        return Box::new(std::iter::once(row));
    }
    let row = move |one: &Finding| [&finding(report, one)[..], &inputs, &form].concat();
    let left = report.findings.len().saturating_sub(most);
    let last = (left > 0).then(|| {
        let message = format!("{left} more findings of this deck");
        let help = "csv and JSON list them all";
        let mut last = Finding::of_file(Fault::Recoded, Severity::Notice, message, help);
        last.rule = "more".to_owned();
        row(&last)
    });
    let rows = report.findings.iter().take(most).map(row);
    Box::new(rows.chain(last))
}

/// The first line of a table.
///
/// # Errors
/// None in practice; a writer's error otherwise.
pub fn header(flavour: Flavour, shape: &Shape) -> csv::Result<Vec<u8>> {
    Table::new(Vec::new(), flavour, &shape.columns())?.finish()
}

/// Writes the rows of a deck as [`cells`] gives them.
///
/// # Errors
/// Those of writing.
pub fn rows(
    out: impl Write,
    report: &Report,
    rulebook: Option<&Rulebook>,
    lock: Option<&Lock>,
    (flavour, shape): (Flavour, &Shape),
) -> csv::Result<()> {
    if !shape.summary && report.findings.is_empty() {
        return Ok(());
    }
    let mut table = Table::more(out, flavour);
    for row in cells(report, rulebook, lock, shape, usize::MAX) {
        table.row(row.iter().map(Cell::shown))?;
    }
    table.finish().map(drop)
}
