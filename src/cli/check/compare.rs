//! `check --compare OLD NEW`: which decks a new banlist changes.

use crate::cli::files::Readers;
use crate::cli::walk::Source;
use crate::cli::{Answer, Options, Outcome, Refusal, inputs, output};
use crate::deck::Input;
use crate::report::{DeckReport, Finding, Judge, JudgeError, Verdict, json, table};
use crate::rules::Severity;
use crate::spreadsheet::{Flavour, Table};
use crate::text::{counted, harmless};
use rayon::prelude::*;
use serde_json::{Value, json};
use std::fmt::Write;

#[derive(Debug, Clone, Copy)]
enum Kind {
    Human,
    Json,
    Csv(Flavour),
}

const KINDS: [(&str, Kind); 4] = [
    ("human", Kind::Human),
    ("json", Kind::Json),
    ("csv", Kind::Csv(Flavour::Plain)),
    ("csv-excel", Kind::Csv(Flavour::Excel)),
];

/// A deck whose verdict changes.
struct Changed {
    before: DeckReport,
    after: DeckReport,
}

pub(super) fn run(sources: &[Source], lists: &[String], stdin: Input, options: &Options) -> Answer {
    if options.banlist.is_some() {
        return Err(Refusal(
            "`--compare` names its lists itself; leave `--banlist` out".to_owned(),
        ));
    }
    let outputs = output::asked(options, &KINDS, Readers::Anyone)?;
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
    let both = |source: &Source| -> Result<Option<Changed>, JudgeError> {
        let mut buffer = Vec::new();
        let name = source.name();
        if source.read(&mut buffer).is_err() {
            return Ok(None);
        }
        let input = source.input(stdin);
        let before = old.judge(&name, &buffer, input)?;
        let after = new.judge(&name, &buffer, input)?;
        let changes = before.verdict != after.verdict;
        Ok(changes.then_some(Changed { before, after }))
    };
    let judged: Vec<Result<Option<Changed>, JudgeError>> = sources.par_iter().map(both).collect();
    let mut changed = Vec::new();
    for judged in judged {
        changed.extend(judged.map_err(|error| inputs::refuse(&error))?);
    }
    for judge in [old, new] {
        let unused = judge.unused();
        if !unused.is_empty() {
            return Err(super::unfit(&unused));
        }
    }
    for mut output in outputs {
        let bytes = match output.kind {
            Kind::Human => shown(&changed, sources.len()).into_bytes(),
            Kind::Json => crate::cli::json_text(&document(&changed, lists)?)?.into_bytes(),
            Kind::Csv(flavour) => rows(&changed, flavour)?,
        };
        output.write(&bytes)?;
        output.finish()?;
    }
    let lost = |changed: &Changed| changed.before.verdict == Verdict::Legal;
    Ok(if changed.iter().any(lost) {
        Outcome::No
    } else {
        Outcome::Yes
    })
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

fn shown(changed: &[Changed], decks: usize) -> String {
    let mut out = String::new();
    for one in changed {
        let (before, after) = (one.before.verdict.word(), one.after.verdict.word());
        let _ = writeln!(out, "{}: {before}, now {after}", one.after.deck);
        for (when, finding) in one.reasons() {
            let line = finding
                .place
                .map_or_else(String::new, |place| format!("line {}: ", place.line));
            let sign = if when == "new" { '+' } else { '-' };
            let _ = writeln!(out, "  {sign} {line}{}: {}", finding.rule, finding.message);
            if when == "new" && !finding.mend.is_empty() {
                let _ = writeln!(out, "      {}", finding.mend);
            }
        }
    }
    let total = counted(i64::try_from(decks).unwrap_or(i64::MAX), "deck");
    let _ = writeln!(out, "{total}: {} with another verdict", changed.len());
    harmless(&out, true).into_owned()
}

fn document(changed: &[Changed], lists: &[String]) -> Result<Value, Refusal> {
    let mut decks = Vec::new();
    for one in changed {
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
    Ok(json!({"schema": "decklaw/compare/1", "old": lists[0], "new": lists[1], "decks": decks}))
}

fn rows(changed: &[Changed], flavour: Flavour) -> csv::Result<Vec<u8>> {
    let mut header = vec!["before", "change"];
    header.extend(table::FINDINGS);
    let mut table = Table::new(Vec::new(), flavour, &header)?;
    for one in changed {
        for (when, finding) in one.reasons() {
            let mut row = vec![one.before.verdict.word().to_owned(), when.to_owned()];
            row.extend(table::finding(&one.after, finding).map(|cell| cell.shown()));
            table.row(row)?;
        }
    }
    table.finish()
}
