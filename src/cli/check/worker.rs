//! `stream`: a worker for a program that hands decks over one by one.

use super::request::Request;
use crate::cli::{Answer, CliError, Outcome, Run, inputs};
use crate::deck::LARGEST_FILE;
use crate::judge::{Finding, Judge, Report, Verdict};
use crate::report::json;
use crate::rules::Severity;
use crate::text::listed;
use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, BufRead, BufReader, BufWriter, Read, Write};

/// Room for a line that is kept from one line to the next.
const KEPT: usize = 1 << 20;

/// A line of the input, without what ends it.
enum Line {
    Whole,
    /// More bytes than a deck may have.
    TooLong,
}

/// Judges each line of standard input as a deck in JSON, and answers each with a line. Nothing
/// is kept of a deck that is answered.
///
/// # Errors
/// A wrong banlist, game or setting, and input or output that fails: also where nobody reads the
/// answers any more, since a deck that is not answered may be illegal.
pub(super) fn run(run: &Run, judge: &Judge, named: bool, brief: bool) -> Answer {
    // With a format on the command line the unused options are known now. Otherwise an option that
    // this worker's decks do not use may serve another's, so the report comes at the end.
    let unused = || judge.unused();
    if named {
        inputs::fitting(run, judge)?;
    }
    let mut counts: BTreeMap<&'static str, u64> = BTreeMap::new();
    answers(judge, brief, &mut counts)?;
    super::warn_of_pools(run, judge);
    if !unused().is_empty() {
        let message = format!("no deck of this stream uses {}", listed(&unused(), "or"));
        run.complain("warning", &message);
    } else if !named {
        inputs::fitting(run, judge)?;
    }
    if !run.screen.quiet {
        let all: u64 = counts.values().sum();
        let each = counts.iter().map(|(word, count)| format!("{count} {word}"));
        let each: Vec<String> = each.collect();
        let kinds =
            if each.is_empty() { String::new() } else { format!(": {}", listed(&each, "and")) };
        let decks = crate::text::counted(i64::try_from(all).unwrap_or(i64::MAX), "deck");
        run.complain("note", &format!("{decks}{kinds}"));
    }
    let legal = counts.keys().all(|word| *word == Verdict::Legal.word());
    Ok(if legal { Outcome::Yes } else { Outcome::No })
}

/// Answers every line, and counts the verdicts.
fn answers(
    judge: &Judge,
    brief: bool,
    counts: &mut BTreeMap<&'static str, u64>,
) -> Result<(), CliError> {
    let mut input = BufReader::with_capacity(1 << 16, io::stdin().lock());
    let mut output = BufWriter::with_capacity(1 << 16, io::stdout().lock());
    let (mut line, mut answer) = (Vec::new(), Vec::new());
    let mut number = 0_u64;
    loop {
        // A program that waits for an answer before it writes on gets all there are.
        let waits = memchr::memchr(b'\n', input.buffer()).is_none();
        if waits {
            read_on(output.flush(), number)?;
        }
        let read = next_line(&mut input, &mut line);
        let Some(read) =
            read.map_err(|error| CliError::call(format!("standard input: {error}")))?
        else {
            return read_on(output.flush(), number);
        };
        number += 1;
        let name = format!("- line {number}");
        let (mut passed, mut named) = (String::new(), false);
        let report = match read {
            Line::TooLong => unreadable(
                name,
                format!("the line is longer than {} MiB", LARGEST_FILE >> 20),
                "a deck is a few kilobytes",
            ),
            Line::Whole if line.trim_ascii().is_empty() => {
                let help = "each line must be a deck in JSON";
                unreadable(name, "the line is empty".to_owned(), help)
            }
            Line::Whole => match Request::read(&line) {
                Err(why) => unreadable(name, why, "see `decklaw stream --help`"),
                Ok(request) => {
                    (passed, named) = (request.passed, request.named);
                    let deck = request.deck.as_deref().unwrap_or(&line);
                    let format = request.format.as_deref();
                    match judge.judge_as(&name, deck, request.input, format) {
                        Ok(report) => report,
                        Err(error) => {
                            // What is answered already is not taken back.
                            read_on(output.flush(), number)?;
                            return Err(error.into());
                        }
                    }
                }
            },
        };
        *counts.entry(report.verdict.word()).or_default() += 1;
        answer.clear();
        // Memory takes it.
        let _ = if brief {
            write_brief(&mut answer, &report, named)
        } else {
            json::write_line(&mut answer, &report)
        };
        answer.splice(1..1, passed.bytes());
        read_on(output.write_all(&answer), number)?;
        line.shrink_to(KEPT);
        answer.shrink_to(KEPT);
    }
}

fn unreadable(name: String, message: String, help: &str) -> Report {
    Report::unreadable(name, Finding::unreadable(message, help))
}

/// Reads the next line; `None` at the end. A last line needs no end of its own.
fn next_line(input: &mut impl BufRead, line: &mut Vec<u8>) -> io::Result<Option<Line>> {
    line.clear();
    // A deck of the largest size, and the two bytes that end its line.
    let most = LARGEST_FILE + 2;
    if input.by_ref().take(most).read_until(b'\n', line)? == 0 {
        return Ok(None);
    }
    let ended = line.pop_if(|last| *last == b'\n').is_some();
    line.pop_if(|last| ended && *last == b'\r');
    if line.len() as u64 <= LARGEST_FILE {
        return Ok(Some(Line::Whole));
    }
    line.clear();
    if !ended {
        input.skip_until(b'\n')?;
    }
    Ok(Some(Line::TooLong))
}

/// Writes no more of a verdict than who it is about, the word, and the rules that are broken.
fn write_brief(out: &mut Vec<u8>, report: &Report, named: bool) -> serde_json::Result<()> {
    #[derive(serde::Serialize)]
    struct Brief<'r> {
        #[serde(skip_serializing_if = "Option::is_none")]
        deck: Option<&'r str>,
        verdict: &'r str,
        rules: BTreeSet<&'r str>,
    }
    let errors = report.findings.iter();
    let errors = errors.filter(|finding| finding.severity == Severity::Error);
    let brief = Brief {
        deck: (!named).then_some(report.deck.as_str()),
        verdict: report.verdict.word(),
        rules: errors.map(|finding| finding.rule.as_str()).collect(),
    };
    serde_json::to_writer(&mut *out, &brief)?;
    out.push(b'\n');
    Ok(())
}

/// That the output is still read.
fn read_on(written: io::Result<()>, line: u64) -> Result<(), CliError> {
    written.map_err(|error| match error.kind() {
        io::ErrorKind::BrokenPipe => CliError::call(format!(
            "standard output: the reader has closed it, and line {line} may not be answered"
        )),
        _ => CliError::call(format!("standard output: {error}")),
    })
}
