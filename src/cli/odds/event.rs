//! `odds --submissions`: one question over every deck of a form.

use super::{Odds, defaults, refuse};
use crate::cli::asking::{self, OfDecks};
use crate::cli::entries::Entries;
use crate::cli::{Answer, Refusal, Run, inputs, output, remedies};
use crate::judge::{DeckReport, Judge};
use crate::odds::render::{HEADER, ShowWork, rows, to_json};
use crate::odds::{self, OddsError, OddsReport, Population};
use crate::report::answers::{Answer as About, Answers, State};
use crate::report::json;
use crate::resolve::Resolved;
use crate::text::{counted, harmless};
use serde_json::Value;
use std::collections::BTreeSet;
use std::fmt::Write;

/// A question, and what the decks that count answer: the probability or the mean of each.
struct Asked {
    query: String,
    /// Whether the numbers are probabilities.
    probable: bool,
    values: Vec<(f64, String)>,
}

pub(super) fn run(asked: &Odds, entries: &Entries, run: &Run) -> Answer {
    let judge = inputs::judge(run)?;
    let outputs = output::Outputs::open(run)?;
    let all = asking::ask(
        run,
        entries,
        &judge,
        run.options.quiet,
        &|report, resolved| one(asked, &judge, report, resolved),
    )?;
    let (mut decks, mut remarks) = (0_usize, Vec::<(String, usize)>::new());
    let mut questions: Vec<Asked> = Vec::new();
    let mut abouts = Vec::new();
    for (about, report) in all {
        if let Some(report) = report.filter(|_| about.counts()) {
            let own = report.answers.iter().flat_map(|found| &found.remarks);
            decks += 1;
            let told: BTreeSet<&String> = own.chain(&report.remarks).collect();
            for remark in told {
                match remarks.iter_mut().find(|(known, _)| known == remark) {
                    Some((_, times)) => *times += 1,
                    None => remarks.push((remark.clone(), 1)),
                }
            }
            add(&mut questions, &report, &about.called());
        }
        abouts.push(about);
    }
    let all = Answers {
        schema: "decklaw/odds-deck/1",
        question: "odds",
        columns: HEADER.to_vec(),
        form: entries.form().map(|form| form.carried()),
        answers: abouts,
    };
    let complaints = all.complaints();
    for complaint in &complaints {
        run.complain("error", complaint);
    }
    for (remark, times) in &remarks {
        // What is said of one deck in a hundred is not said of the question.
        let of = match *times == decks {
            true => String::new(),
            false => format!("{times} of {decks} decks: "),
        };
        run.complain("notice", &format!("{of}{remark}"));
    }
    asking::tell_form(run, entries, &all.answers, run.options.quiet);
    let human = || shown(&questions, run.options.verbose);
    let json = || {
        let decks: Vec<_> = all
            .answers
            .iter()
            .map(About::to_json)
            .collect::<Result<_, _>>()?;
        Ok(serde_json::json!({
            "schema": "decklaw/odds-event/1",
            "as_of": judge.day().to_string(),
            "rules": json::rules(&judge)?,
            "decks": decks,
        }))
    };
    let report = OfDecks {
        answers: &all,
        judge: &judge,
        human: &human,
        json: &json,
        is_well: complaints.is_empty(),
    };
    outputs.emit(run, &report, &judge.given_so_far())
}

/// Asks of one deck.
fn one(
    asked: &Odds,
    judge: &Judge,
    report: &DeckReport,
    resolved: Option<&Resolved<'_>>,
) -> Result<(About, Option<OddsReport>), Refusal> {
    let Some(resolved) = resolved else {
        return Ok((About::unreadable(report), None));
    };
    let game = resolved.rulebook().format().game();
    let defaults = defaults(judge, game.id())?;
    let drawn = asked.drawing.drawn(&defaults, resolved);
    let answered = Population::of_section(resolved, &drawn.section)
        .and_then(|population| odds::answer(&report.deck, &population, &defaults, &asked.asked()));
    let mut about = About::about(report);
    let answered = match answered {
        Ok(answered) => OddsReport {
            remarks: drawn.remark.into_iter().chain(answered.remarks).collect(),
            ..answered
        },
        Err(error) if is_of_the_deck(&error) => {
            about.state = State::Unreadable(remedies::message(&error));
            return Ok((about, None));
        }
        // What is wrong with the question is wrong for every deck.
        Err(error) => return Err(refuse(error)),
    };
    about.rows = rows(&answered);
    let document = to_json(&answered, ShowWork(asked.show_work))?;
    if let Value::Object(mut document) = document {
        document.remove("schema");
        document.remove("deck");
        about.value = document;
    }
    Ok((about, Some(answered)))
}

/// Whether another deck may well have an answer.
fn is_of_the_deck(error: &OddsError) -> bool {
    matches!(
        error,
        OddsError::NoCards
            | OddsError::TooManyCards { .. }
            | OddsError::HandTooLarge { .. }
            | OddsError::TooFewToSetAside { .. }
            | OddsError::NoSection { .. }
            | OddsError::NeverGiven { .. }
            | OddsError::TooMuchWork { .. }
    )
}

/// Adds what a deck answers.
fn add(questions: &mut Vec<Asked>, report: &OddsReport, called: &str) {
    for found in &report.answers {
        let (value, probable) = found.value();
        let query = found.query();
        let known = questions.iter_mut().find(|one| one.query == query);
        match known {
            Some(one) => one.values.push((value, called.to_owned())),
            None => questions.push(Asked {
                query: query.to_owned(),
                probable,
                values: vec![(value, called.to_owned())],
            }),
        }
    }
}

/// The questions with the lowest, the middle and the highest answer; with `verbose` every one.
fn shown(questions: &[Asked], verbose: bool) -> String {
    let mut out = String::new();
    for question in questions {
        let number = |value: f64| match question.probable {
            true => format!("{:6.2} %", value * 100.0),
            false => format!("{value:8.3}"),
        };
        let mut values: Vec<&(f64, String)> = question.values.iter().collect();
        values.sort_by(|one, other| one.0.total_cmp(&other.0).then(one.1.cmp(&other.1)));
        // Writing to a string cannot fail.
        let _ = writeln!(out, "{}", harmless(&question.query, false));
        let decks = counted(i64::try_from(values.len()).unwrap_or(i64::MAX), "deck");
        let _ = writeln!(out, "  {decks}");
        let middle = values.get(values.len() / 2);
        for (word, found) in [
            ("lowest", values.first()),
            ("middle", middle),
            ("highest", values.last()),
        ] {
            if let Some((value, called)) = found {
                let called = harmless(called, false);
                let _ = writeln!(out, "  {word:7}  {}  {called}", number(*value));
            }
        }
        if verbose {
            out.push('\n');
            for (value, called) in &question.values {
                let _ = writeln!(out, "  {}  {}", number(*value), harmless(called, false));
            }
        }
        out.push('\n');
    }
    out.trim_end_matches('\n').to_owned() + "\n"
}
