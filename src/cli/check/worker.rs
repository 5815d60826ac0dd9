//! `stream`: a worker for a program that hands decks over one by one.

use crate::cli::{Answer, Outcome, Refusal, Run, inputs};
use crate::deck::{Input, LARGEST_FILE};
use crate::judge::{DeckReport, Finding, Judge, Verdict};
use crate::report::json;
use crate::text::listed;
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
/// A banlist or the like that is wrong, and input or output that fails. A reader of the
/// answers who has seen enough is no error.
pub(super) fn run(run: &Run, judge: &Judge, named: bool) -> Answer {
    // With a format on the command line it is known by now what fits it. Else what does not
    // fit the decks of this worker may fit those of another, so that is said at the end.
    let unused = || judge.unused();
    if named {
        inputs::fitting(run, judge)?;
    }
    let mut all_legal = true;
    if answers(judge, &mut all_legal)? {
        super::warn_of_lists(run, judge);
        if !unused().is_empty() {
            let message = format!("{} fits no deck of this stream", listed(&unused(), "and"));
            run.complain("warning", &message);
        } else if !named {
            inputs::fitting(run, judge)?;
        }
    }
    Ok(if all_legal { Outcome::Yes } else { Outcome::No })
}

/// Answers every line; `false` when nobody reads the answers any more.
fn answers(judge: &Judge, all_legal: &mut bool) -> Result<bool, Refusal> {
    let mut input = BufReader::with_capacity(1 << 16, io::stdin().lock());
    let mut output = BufWriter::with_capacity(1 << 16, io::stdout().lock());
    let (mut line, mut answer) = (Vec::new(), Vec::new());
    let mut number = 0_u64;
    loop {
        // Whoever waits for an answer before writing on gets all there are.
        let waits = memchr::memchr(b'\n', input.buffer()).is_none();
        if waits && !read_on(output.flush())? {
            return Ok(false);
        }
        let read = next_line(&mut input, &mut line);
        let Some(read) = read.map_err(|error| Refusal(format!("standard input: {error}")))? else {
            return read_on(output.flush());
        };
        number += 1;
        let name = format!("- line {number}");
        let report = match read {
            Line::TooLong => unreadable(
                name,
                format!("the line is longer than {} MiB", LARGEST_FILE >> 20),
                "a deck is a few kilobytes",
            ),
            Line::Whole if line.trim_ascii().is_empty() => {
                let mend = "each line must be a deck in JSON";
                unreadable(name, "the line is empty".to_owned(), mend)
            }
            Line::Whole => match judge.judge(&name, &line, Input::Json) {
                Ok(report) => report,
                Err(error) => {
                    // What is answered already is not taken back.
                    read_on(output.flush())?;
                    return Err(inputs::refuse(&error));
                }
            },
        };
        *all_legal &= report.verdict == Verdict::Legal;
        answer.clear();
        // Memory takes it.
        let _ = json::write_line(&mut answer, &report);
        if !read_on(output.write_all(&answer))? {
            return Ok(false);
        }
        line.shrink_to(KEPT);
        answer.shrink_to(KEPT);
    }
}

fn unreadable(name: String, message: String, mend: &str) -> DeckReport {
    DeckReport::unreadable(name, Finding::of_file(message, mend.to_owned()))
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

/// Whether somebody reads on.
fn read_on(written: io::Result<()>) -> Result<bool, Refusal> {
    match written {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(false),
        Err(error) => Err(Refusal(format!("standard output: {error}"))),
    }
}
