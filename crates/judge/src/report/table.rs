//! Reports as tables: a finding a row, or a deck a row. docs/spreadsheets.md has the columns.

use crate::judge::{Finding, Report};
use crate::report::json;
use decklaw_decks::submissions::Submission;
use decklaw_rules::banlist::lock::Lock;
use decklaw_rules::format::Rulebook;
use decklaw_rules::rules::{Fault, Severity, Verdict};
use decklaw_text::spreadsheet::{Cell, Flavour, Sheet, Table};
use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;

/// Columns of a finding.
const FINDING: [&str; 18] = [
    "deck", "player", "format", "name", "verdict", "rule", "severity", "section", "cards", "limit",
    "actual", "line", "column", "message", "help", "source", "code", "banlist",
];

/// Columns of a deck, before those of its sections.
const DECK: [&str; 6] = ["deck", "player", "format", "name", "verdict", "size"];

/// Columns of a deck, behind those of its sections.
const COUNTS: [&str; 7] =
    ["errors", "warnings", "notices", "first_finding", "banlist", "hash", "remark"];

/// Columns of what a form says of a deck apart from the deck itself.
const FORM: [&str; 8] =
    ["player_id", "row", "time", "late", "counts", "replaces", "beside", "file"];

/// The most findings of one deck in a workbook: it is put together in memory.
const MOST_FINDINGS: usize = 20_000;

/// The most sections that have a column: decks of format `any` may name thousands.
const MOST_SECTIONS: usize = 100;

/// What all tables of a run have in common.
#[derive(Debug, Clone, Copy, Default)]
pub struct Shape {
    /// Whether the decks are those of a form.
    pub form: bool,
}

impl Shape {
    /// The columns of the table of findings.
    fn columns(self) -> impl Iterator<Item = &'static str> {
        let form = FORM.into_iter().filter(move |_| self.form);
        FINDING.into_iter().chain(form)
    }

    /// The cells of [`FORM`], where the decks are those of a form.
    fn form(self, submission: Option<&Submission>) -> Vec<Cell> {
        let Some(row) = submission.filter(|_| self.form) else {
            return vec![Cell::empty(); if self.form { FORM.len() } else { 0 }];
        };
        let number = |row: u64| Cell::Number(i64::try_from(row).unwrap_or(i64::MAX));
        let replaces: Vec<String> = row.replaces.iter().map(u64::to_string).collect();
        vec![
            Cell::some(row.identity.as_deref()),
            number(row.row),
            row.at.map_or_else(|| Cell::some(row.time.as_deref()), Cell::Time),
            Cell::text(row.lateness()),
            Cell::text(if row.counts { "yes" } else { "no" }),
            Cell::text(replaces.join("; ")),
            row.beside.map_or_else(Cell::empty, number),
            Cell::some(row.file.as_deref()),
        ]
    }

    /// The rows of a deck in the table of findings: one for each of a limited number of findings,
    /// and one where there is none.
    fn rows<'r>(
        self,
        report: &'r Report,
        most: usize,
    ) -> impl Iterator<Item = Vec<Cell>> + use<'r> {
        let form = self.form(report.submission.as_ref());
        let row = move |finding: Option<&Finding>| {
            let mut row = finding_cells(report, finding).to_vec();
            row.extend(form.iter().cloned());
            row
        };
        let left = report.findings.len().saturating_sub(most);
        let more = (left > 0).then(|| {
            let message = format!("{left} more findings of this deck");
            let help = "csv and JSON list them all";
            let more = Finding::of_file(Fault::CutShort, Severity::Notice, message, help);
            row(Some(&Finding { rule: "more".to_owned(), ..more }))
        });
        let none = report.findings.is_empty().then(|| row(None));
        let all = report.findings.iter().take(most);
        let rows = all.map(move |finding| row(Some(finding)));
        rows.chain(none).chain(more)
    }
}

/// The cells of [`FINDING`].
fn finding_cells(report: &Report, finding: Option<&Finding>) -> [Cell; 18] {
    let number = |number: Option<i64>| Cell::maybe(number);
    let place = |place: Option<usize>| place.map_or_else(Cell::empty, Cell::count);
    let text = |of: fn(&Finding) -> Option<&str>| Cell::some(finding.and_then(of));
    [
        Cell::text(&report.deck),
        Cell::some(report.player.as_deref()),
        Cell::some(report.format.as_deref()),
        Cell::some(report.name.as_deref()),
        Cell::text(report.verdict.word()),
        text(|one| Some(&one.rule)),
        text(|one| Some(one.severity.word())),
        text(|one| one.section.as_deref()),
        Cell::text(finding.map_or_else(String::new, |one| one.cards.join("; "))),
        number(finding.and_then(|one| one.limit)),
        number(finding.and_then(|one| one.actual)),
        place(finding.and_then(|one| one.line)),
        place(finding.and_then(|one| one.column)),
        text(|one| Some(&one.message)),
        text(|one| one.help.as_deref()),
        text(|one| one.source.as_deref()),
        Cell::text(finding.map_or_else(String::new, |one| one.code.to_string())),
        list_cell(report),
    ]
}

/// The id of the list that a deck was judged by.
fn list_cell(report: &Report) -> Cell {
    let list = report.rulebook.as_deref().and_then(Rulebook::list);
    Cell::some(list.map(|list| list.id.as_str()))
}

/// The sections that decks have cards in, each once, in their formats' order.
pub fn sections<'r>(reports: impl IntoIterator<Item = &'r Report>) -> Vec<&'r str> {
    let (mut seen, mut all) = (BTreeSet::new(), Vec::new());
    for (section, _) in reports.into_iter().flat_map(|report| &report.cards) {
        if all.len() < MOST_SECTIONS && seen.insert(section.as_str()) {
            all.push(section.as_str());
        }
    }
    all
}

/// The names of columns with copies by section: the sections' ids. A name that another column
/// has gets `section_` before it.
pub fn section_columns<'s>(sections: &[&'s str], others: &[&str]) -> Vec<String> {
    let name = |section: &&'s str| {
        if others.contains(section) { format!("section_{section}") } else { (*section).to_owned() }
    };
    sections.iter().map(name).collect()
}

/// The copies of a deck in all sections; nothing where it cannot be read.
pub fn size(report: &Report) -> Cell {
    Cell::maybe((report.verdict != Verdict::Unreadable).then(|| report.size()))
}

/// The copies of a deck in some sections; nothing where the deck has no such section.
pub fn copies(report: Option<&Report>, sections: &[&str]) -> Vec<Cell> {
    let of = |section: &&str| {
        let mut cards = report?.cards.iter();
        let (_, copies) = cards.find(|(id, _)| id == section)?;
        Some(Cell::Number(*copies))
    };
    let cells = sections.iter().map(|section| of(section).unwrap_or_else(Cell::empty));
    cells.collect()
}

/// A deck a row, with a column for each section in which decks have cards. The first finding is the
/// first error, or else the first of all.
pub fn verdicts(reports: &[Report], shape: Shape) -> Sheet<'_> {
    verdicts_by(reports, sections(reports), shape)
}

/// The same with columns for these sections.
pub fn verdicts_by<'r>(reports: &'r [Report], sections: Vec<&'r str>, shape: Shape) -> Sheet<'r> {
    let form = || FORM.into_iter().filter(|_| shape.form);
    let others: Vec<&str> = DECK.into_iter().chain(COUNTS).chain(FORM).collect();
    let mut columns: Vec<String> = DECK.map(str::to_owned).to_vec();
    columns.extend(section_columns(&sections, &others));
    columns.extend(COUNTS.into_iter().chain(form()).map(str::to_owned));
    let row = move |report: &Report| {
        let of = |severity| Cell::count(report.count(severity));
        let first = report
            .by_severity()
            .first()
            .map_or_else(String::new, |one| format!("{}: {}", one.rule, one.message));
        let submission = report.submission.as_ref();
        let remark = submission.map(Submission::remark);
        let mut row = vec![
            Cell::text(&report.deck),
            Cell::some(report.player.as_deref()),
            Cell::some(report.format.as_deref()),
            Cell::some(report.name.as_deref()),
            Cell::text(report.verdict.word()),
            size(report),
        ];
        row.extend(copies(Some(report), &sections));
        row.extend([
            of(Severity::Error),
            of(Severity::Warning),
            of(Severity::Notice),
            Cell::text(first),
            list_cell(report),
            Cell::some(report.hash.as_deref()),
            Cell::text(remark.unwrap_or_default()),
        ]);
        row.extend(shape.form(submission));
        row
    };
    Sheet::new("verdicts", columns, reports.iter().map(row))
}

/// A finding a row, and a row for each deck without any.
pub fn findings(reports: &[Report], shape: Shape) -> Sheet<'_> {
    let rows = move |report| shape.rows(report, MOST_FINDINGS);
    Sheet::new("findings", shape.columns(), reports.iter().flat_map(rows))
}

/// What decided the decks of each format.
pub fn judged_by(
    rules: &BTreeMap<String, &Rulebook>,
    as_of: &str,
    lock: Option<&Lock>,
) -> Sheet<'static> {
    let row =
        |about: &str, value: Cell, digest: &str| vec![Cell::text(about), value, Cell::text(digest)];
    let mut rows = vec![row("day", Cell::text(as_of), "")];
    if let Some(lock) = lock {
        rows.push(row("lock", Cell::Day(lock.day), &lock.seal));
    }
    for (id, rulebook) in rules {
        let mut add = |what: &str, value: Cell, digest: &str| {
            rows.push(row(&format!("{id} {what}"), value, digest));
        };
        let source = |what: &str| Cell::some(rulebook.sources().get(what).map(String::as_str));
        add("format", source("format"), &rulebook.format().game().sha256);
        add("cards", source("cards"), rulebook.pool().sha256());
        for (name, value) in rulebook.settings() {
            add(&format!("setting {name}"), Cell::text(value.to_string()), "");
        }
        if let Some(list) = rulebook.list() {
            add("banlist", Cell::text(&list.id), &list.sha256);
            add("banlist effective", Cell::Day(list.effective), "");
        }
        add("all inputs", Cell::empty(), json::inputs_digest(rulebook));
    }
    Sheet::new("judged_by", ["input", "value", "sha256"], rows)
}

/// The first line of the table of findings, which is written deck by deck.
///
/// # Errors
/// None in practice; a writer's error otherwise.
pub fn header(flavour: Flavour, shape: Shape) -> csv::Result<Vec<u8>> {
    let columns: Vec<&str> = shape.columns().collect();
    Table::new(Vec::new(), flavour, &columns)?.finish()
}

/// Writes the rows of a deck in the table of findings.
///
/// # Errors
/// Those of writing.
pub fn rows(
    out: &mut dyn Write,
    report: &Report,
    flavour: Flavour,
    shape: Shape,
) -> csv::Result<()> {
    let mut table = Table::more(out, flavour);
    for row in shape.rows(report, usize::MAX) {
        table.row(row.iter().map(Cell::shown))?;
    }
    table.finish().map(drop)
}
