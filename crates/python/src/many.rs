//! Many decks: threads judge while this one makes dicts of what they found.

use crate::given::Text;
use decklaw::{Finding, Game, Report};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyString};
use std::collections::{HashMap, VecDeque};
use std::panic::resume_unwind;
use std::sync::mpsc::sync_channel;

/// Decks that a thread judges before it hands over their reports.
const BLOCK: usize = 128;
/// The most texts that reports share: those of the rules come at once, those of decks without end.
const MOST_WORDS: usize = 20_000;
/// Blocks that a thread may be ahead.
const AHEAD: usize = 8;

/// The reports of some decks, in their order.
pub(crate) fn judged<'py>(
    py: Python<'py>,
    game: &Game,
    texts: &[Text],
    threads: usize,
) -> PyResult<Vec<Bound<'py, PyDict>>> {
    let _paused = Collector::paused(py)?;
    let mut words = Words::default();
    let mut answers = Vec::with_capacity(texts.len());
    let blocks = texts.len().div_ceil(BLOCK);
    let threads = threads.min(blocks);
    std::thread::scope(|scope| {
        let (mut turns, mut running) = (VecDeque::new(), Vec::new());
        for first in 0..threads {
            let (give, turn) = sync_channel(AHEAD);
            turns.push_back(turn);
            running.push(scope.spawn(move || {
                for block in texts.chunks(BLOCK).skip(first).step_by(threads) {
                    let reports: Vec<Report> = block.iter().map(|text| game.check(text)).collect();
                    // Nobody takes them any more where Python was interrupted.
                    if give.send(reports).is_err() {
                        break;
                    }
                }
            }));
        }
        // The threads take turns, and so do their blocks.
        while let Some(turn) = turns.pop_front() {
            let (reports, turn) = py.detach(move || (turn.recv(), turn));
            let Ok(reports) = reports else { break };
            turns.push_back(turn);
            for report in &reports {
                answers.push(words.report(py, report)?);
            }
            py.check_signals()?;
        }
        drop(turns);
        for thread in running {
            // A defect reaches the caller: no report is missing in silence.
            py.detach(|| thread.join().unwrap_or_else(|defect| resume_unwind(defect)));
        }
        Ok(answers)
    })
}

/// Python's search for cycles, paused: reports have none, and while millions are made it would look
/// through all of them again and again.
struct Collector<'py>(Option<Bound<'py, PyModule>>);

impl<'py> Collector<'py> {
    fn paused(py: Python<'py>) -> PyResult<Collector<'py>> {
        let collector = py.import("gc")?;
        if !collector.call_method0("isenabled")?.is_truthy()? {
            return Ok(Collector(None));
        }
        collector.call_method0("disable")?;
        Ok(Collector(Some(collector)))
    }
}

impl Drop for Collector<'_> {
    fn drop(&mut self) {
        if let Some(collector) = &self.0 {
            // It cannot fail, and there is nobody here to tell.
            let _ = collector.call_method0("enable");
        }
    }
}

/// What comes again in report after report, made once: ids, names of cards, sentences, and a finding
/// of which others are copies with other values, which never grow.
#[derive(Default)]
struct Words<'py> {
    known: HashMap<String, Bound<'py, PyString>>,
    alike: Option<Bound<'py, PyDict>>,
}

impl<'py> Words<'py> {
    fn word(&mut self, py: Python<'py>, word: &str) -> Bound<'py, PyString> {
        if let Some(known) = self.known.get(word) {
            return known.clone();
        }
        let made = PyString::new(py, word);
        if self.known.len() < MOST_WORDS {
            self.known.insert(word.to_owned(), made.clone());
        }
        made
    }

    fn may(&mut self, py: Python<'py>, word: Option<&String>) -> Option<Bound<'py, PyString>> {
        word.map(|word| self.word(py, word))
    }

    /// As `plain` makes it; a test compares both.
    fn report(&mut self, py: Python<'py>, report: &Report) -> PyResult<Bound<'py, PyDict>> {
        let cards = PyDict::new(py);
        for (section, copies) in &report.cards {
            cards.set_item(self.word(py, section), copies)?;
        }
        let findings = report.findings.iter().map(|one| self.finding(py, one));
        let findings = findings.collect::<PyResult<Vec<_>>>()?;
        let made = PyDict::new(py);
        made.set_item(intern!(py, "verdict"), self.word(py, report.verdict))?;
        made.set_item(intern!(py, "format"), self.may(py, report.format.as_ref()))?;
        made.set_item(intern!(py, "name"), &report.name)?;
        made.set_item(intern!(py, "player"), &report.player)?;
        made.set_item(intern!(py, "cards"), cards)?;
        made.set_item(intern!(py, "hash"), &report.hash)?;
        made.set_item(intern!(py, "findings"), PyList::new(py, findings)?)?;
        Ok(made)
    }

    fn finding(&mut self, py: Python<'py>, found: &Finding) -> PyResult<Bound<'py, PyDict>> {
        let cards: Vec<_> = found.cards.iter().map(|card| self.word(py, card)).collect();
        let made = match &self.alike {
            Some(alike) => alike.copy()?,
            None => PyDict::new(py),
        };
        made.set_item(intern!(py, "rule"), self.word(py, &found.rule))?;
        made.set_item(intern!(py, "code"), self.word(py, &found.code))?;
        made.set_item(intern!(py, "severity"), self.word(py, found.severity))?;
        made.set_item(intern!(py, "section"), self.may(py, found.section.as_ref()))?;
        made.set_item(intern!(py, "cards"), PyList::new(py, cards)?)?;
        made.set_item(intern!(py, "message"), self.word(py, &found.message))?;
        made.set_item(intern!(py, "help"), self.may(py, found.help.as_ref()))?;
        made.set_item(intern!(py, "limit"), found.limit)?;
        made.set_item(intern!(py, "actual"), found.actual)?;
        made.set_item(intern!(py, "source"), self.may(py, found.source.as_ref()))?;
        made.set_item(intern!(py, "line"), found.line)?;
        made.set_item(intern!(py, "column"), found.column)?;
        self.alike.get_or_insert_with(|| made.clone());
        Ok(made)
    }
}
