//! `check --compare OLD NEW`: which decks a new banlist changes.

use crate::cli::entries::Entries;
use crate::cli::files::Readers;
use crate::cli::jobs::Batch;
use crate::cli::output::Figures;
use crate::cli::{Answer, Options, Outcome, Refusal, bar, inputs, output, side_by_side};
use crate::judge::{DeckReport, Finding, Judge, Verdict};
use crate::origin::Given;
use crate::report::{json, table};
use crate::rules::Severity;
use crate::spreadsheet::{Flavour, Table};
use crate::text::{counted, harmless};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::fmt::Write;

/// A deck whose verdict changes, or that is unreadable under either list.
struct Changed {
    before: DeckReport,
    after: DeckReport,
}

/// What came of the decks.
#[derive(Default)]
struct Compared {
    decks: usize,
    changed: Vec<Changed>,
    /// Those that cannot be read.
    unreadable: Vec<DeckReport>,
}

pub(super) fn run(entries: &Entries, lists: &[String], options: &Options) -> Answer {
    let (jobs, reading) = (entries.jobs(), &entries.reading);
    if options.banlist.is_some() {
        return Err(Refusal(
            "`--compare` names its lists itself; leave `--banlist` out".to_owned(),
        ));
    }
    let outputs = output::asked(options, &output::FIGURES, Readers::Anyone)?;
    let judge = |list: &String| {
        let options = Options {
            banlist: Some(list.clone()),
            ..options.clone()
        };
        inputs::judge(&options)
    };
    let judges: Vec<Judge> = lists.iter().map(judge).collect::<Result<_, _>>()?;
    let [old, new] = judges.as_slice() else {
        return Err(Refusal("`--compare` needs two lists: OLD NEW".to_owned()));
    };
    let both = |batch: Batch<'_>| {
        let mut buffer = Vec::new();
        let mut judged = Vec::new();
        batch.each(|job| {
            let handed = reading.read(job, &mut buffer);
            let by = |judge| {
                let report = handed.judge(judge);
                report.map_err(|error| inputs::refuse(&error))
            };
            let (before, after) = (by(old)?, by(new)?);
            let said = before.verdict != after.verdict || after.verdict == Verdict::Unreadable;
            judged.push(said.then_some(Changed { before, after }));
            Ok(())
        })?;
        Ok(judged)
    };
    let bar = bar::progress(options.quiet, jobs.length());
    let mut compared = Compared::default();
    side_by_side::in_order(jobs, both, |judged: Vec<Option<Changed>>| {
        compared.decks += judged.len();
        bar.add(judged.len());
        for one in judged.into_iter().flatten() {
            match one.after.verdict {
                Verdict::Unreadable => compared.unreadable.push(one.after),
                _ => compared.changed.push(one),
            }
        }
        Ok(())
    })?;
    drop(bar);
    for judge in [old, new] {
        let unused = judge.unused();
        if !unused.is_empty() {
            return Err(super::unfit(&unused));
        }
    }
    for mut output in outputs {
        let bytes = match output.kind {
            Figures::Human => {
                (shown(&compared) + &output::foot(&inputs_of([old, new]))).into_bytes()
            }
            Figures::Json => {
                crate::cli::json_text(&document(&compared, lists, [old, new])?)?.into_bytes()
            }
            Figures::Csv(flavour) => rows(&compared, flavour, [old, new])?,
        };
        output.write_data(&bytes, true)?;
        output.finish()?;
    }
    let lost = |changed: &Changed| changed.before.verdict == Verdict::Legal;
    let all_well = compared.unreadable.is_empty() && !compared.changed.iter().any(lost);
    Ok(if all_well { Outcome::Yes } else { Outcome::No })
}

impl Changed {
    /// The errors under the one list that are none under the other: why the verdict changes.
    fn reasons(&self) -> impl Iterator<Item = (&'static str, &Finding)> {
        let (before, after) = (&self.before.findings, &self.after.findings);
        let is_error = |finding: &&Finding| finding.severity == Severity::Error;
        let new = after.iter().filter(|finding| !before.contains(finding));
        let gone = before.iter().filter(|finding| !after.contains(finding));
        let (new, gone) = (new.filter(is_error), gone.filter(is_error));
        new.map(|finding| ("new", finding))
            .chain(gone.map(|finding| ("gone", finding)))
    }
}

fn shown(compared: &Compared) -> String {
    let mut out = String::new();
    let tell = |out: &mut String, sign: char, finding: &Finding, mend: bool| {
        let line = finding
            .place
            .map_or_else(String::new, |place| format!("line {}: ", place.line));
        let _ = writeln!(out, "  {sign} {line}{}: {}", finding.rule, finding.message);
        if mend && !finding.mend.is_empty() {
            let _ = writeln!(out, "      {}", finding.mend);
        }
    };
    for report in &compared.unreadable {
        let _ = writeln!(out, "{}: unreadable", report.row_and_player());
        for finding in &report.findings {
            tell(&mut out, '?', finding, true);
        }
    }
    for one in &compared.changed {
        let (before, after) = (one.before.verdict.word(), one.after.verdict.word());
        let _ = writeln!(out, "{}: {before}, now {after}", one.after.row_and_player());
        for (when, finding) in one.reasons() {
            let sign = if when == "new" { '+' } else { '-' };
            tell(&mut out, sign, finding, when == "new");
        }
    }
    let total = counted(i64::try_from(compared.decks).unwrap_or(i64::MAX), "deck");
    let _ = write!(
        out,
        "{total}: {} with another verdict",
        compared.changed.len()
    );
    let _ = match compared.unreadable.len() {
        0 => writeln!(out),
        unreadable => writeln!(out, ", {unreadable} unreadable"),
    };
    harmless(&out, true).into_owned()
}

/// What decided under either list and is not built in.
fn inputs_of(judges: [&Judge; 2]) -> Vec<Given> {
    let given = judges.into_iter().flat_map(Judge::given_so_far);
    let given: BTreeSet<Given> = given.collect();
    given.into_iter().collect()
}

fn document(compared: &Compared, lists: &[String], judges: [&Judge; 2]) -> Result<Value, Refusal> {
    let mut decks = Vec::new();
    for one in &compared.changed {
        let of = |wanted: &str| -> Vec<Finding> {
            let reasons = one.reasons().filter(|(when, _)| *when == wanted);
            reasons.map(|(_, finding)| finding.clone()).collect()
        };
        decks.push(json!({
            "deck": one.after.deck,
            "format": one.after.format,
            "player": one.after.player,
            "before": one.before.verdict,
            "after": one.after.verdict,
            "hash": one.after.hash,
            "new": json::findings(&of("new"))?,
            "gone": json::findings(&of("gone"))?,
        }));
    }
    let mut unreadable = Vec::new();
    for report in &compared.unreadable {
        unreadable.push(json!({
            "deck": report.deck,
            "player": report.player,
            "findings": json::findings(&report.findings)?,
        }));
    }
    let [old, new] = judges;
    Ok(json!({
        "schema": "decklaw/compare/1",
        "as_of": old.day().to_string(),
        "old": lists[0],
        "new": lists[1],
        "decks": decks,
        "unreadable": unreadable,
        "rules": {"old": json::rules(old)?, "new": json::rules(new)?},
        "inputs": inputs_of(judges),
    }))
}

fn rows(compared: &Compared, flavour: Flavour, judges: [&Judge; 2]) -> csv::Result<Vec<u8>> {
    let mut header = vec!["before", "change"];
    header.extend(table::FINDINGS);
    let mut table = Table::of_report(Vec::new(), flavour, &header, &inputs_of(judges))?;
    for report in &compared.unreadable {
        let word = report.verdict.word();
        for finding in &report.findings {
            let mut row = vec![word.to_owned(), word.to_owned()];
            row.extend(table::finding(report, finding).map(|cell| cell.shown()));
            table.row(row)?;
        }
    }
    for one in &compared.changed {
        for (when, finding) in one.reasons() {
            let mut row = vec![one.before.verdict.word().to_owned(), when.to_owned()];
            row.extend(table::finding(&one.after, finding).map(|cell| cell.shown()));
            table.row(row)?;
        }
    }
    table.finish()
}
