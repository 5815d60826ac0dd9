//! `compare OLD NEW`: which decks a new banlist changes.

use crate::cli::asking::OfDecks;
use crate::cli::entries::Entries;
use crate::cli::jobs::Batch;
use crate::cli::output::Outputs;
use crate::cli::{Answer, Options, Refusal, Run, inputs, side_by_side};
use crate::judge::{DeckReport, Finding, Judge, Verdict};
use crate::report::answers::{Answer as About, Answers, State};
use crate::report::compared::{Changed, Compared, given};
use crate::report::json;
use crate::report::table;
use crate::spreadsheet::Cell;
use serde_json::json;
use std::fmt::Write;

pub(super) fn run(entries: &Entries, lists: [&String; 2], run: &Run) -> Answer {
    let (jobs, reading) = (entries.jobs(), &entries.reading);
    let outputs = Outputs::open(run)?;
    let judge = |list: &String| {
        inputs::judge(&run.with(Options {
            banlist: Some(list.clone()),
            ..(*run.options).clone()
        }))
    };
    let [old, new] = lists.map(judge);
    let (old, new): (&Judge, &Judge) = (&old?, &new?);
    let both = |batch: Batch<'_>| {
        let mut buffer = Vec::new();
        let mut judged = Vec::new();
        batch.each(|job| {
            let handed = reading.read(old, job, &mut buffer);
            let by = |judge| {
                let report = handed.judge(judge);
                report.map_err(|error| inputs::refuse(&error))
            };
            let (before, after) = (by(old)?, by(new)?);
            judged.push((after.counts(), Changed::of(before, after)));
            Ok(())
        })?;
        Ok(judged)
    };
    let bar = run.progress(run.options.quiet, jobs.length());
    let mut compared = Compared::default();
    side_by_side::in_order(jobs, both, |judged: Vec<(bool, Option<Changed>)>| {
        bar.add(judged.len());
        for (counts, one) in judged {
            compared.add(counts, one);
        }
        Ok(())
    })?;
    drop(bar);
    for judge in [old, new] {
        inputs::fitting(run, judge)?;
    }
    let mut header = vec!["before", "change"];
    header.extend(table::FINDINGS);
    let all = Answers {
        schema: "decklaw/compare-deck/1",
        question: "compare",
        columns: header,
        form: None,
        answers: abouts(&compared)?,
    };
    let human = || compared.to_human();
    let json = || {
        let lists = [lists[0].as_str(), lists[1].as_str()];
        compared.to_json(lists, [old, new])
    };
    let report = OfDecks {
        answers: &all,
        judge: new,
        human: &human,
        json: &json,
        is_well: compared.is_well(),
    };
    outputs.emit(run, &report, &given([old, new]))
}

/// What is said of each deck that changes or cannot be read.
fn abouts(compared: &Compared) -> Result<Vec<About>, Refusal> {
    let mut all = Vec::new();
    let cells = |report: &DeckReport, finding: &Finding, before: &str, change: &str| {
        let mut row = vec![Cell::text(before), Cell::text(change)];
        row.extend(table::finding(report, finding));
        row
    };
    for report in &compared.unreadable {
        let word = report.verdict.word();
        let mut about = About::unreadable(report);
        let rows = report.findings.iter();
        about.rows = rows.map(|one| cells(report, one, word, word)).collect();
        let findings = json::findings(&report.findings)?;
        about.value.insert("findings".to_owned(), findings);
        all.push(about);
    }
    for one in &compared.changed {
        let (before, after) = (one.before.verdict, one.after.verdict);
        let mut about = About::about(&one.after);
        let mut said = format!("{}, now {}", before.word(), after.word());
        for (when, finding) in one.reasons() {
            about
                .rows
                .push(cells(&one.after, finding, before.word(), when));
            let _ = write!(said, "\n{when}: {}: {}", finding.rule, finding.message);
        }
        let of = |wanted: &str| -> Vec<Finding> {
            let reasons = one.reasons().filter(|(when, _)| *when == wanted);
            reasons.map(|(_, finding)| finding.clone()).collect()
        };
        for (key, value) in [
            ("before", json!(before)),
            ("after", json!(after)),
            ("hash", json!(one.after.hash)),
            ("new", json::findings(&of("new"))?),
            ("gone", json::findings(&of("gone"))?),
        ] {
            about.value.insert(key.to_owned(), value);
        }
        if before == Verdict::Legal {
            about.state = State::Fails("changed", said);
        }
        all.push(about);
    }
    Ok(all)
}
