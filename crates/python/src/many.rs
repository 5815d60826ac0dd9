//! Many decks: threads judge while this one makes dicts of what they found.

use crate::answers::plain;
use crate::given::Text;
use decklaw::{Game, Report};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::collections::VecDeque;
use std::panic::resume_unwind;
use std::sync::mpsc::sync_channel;

/// Decks that a thread judges before it hands over their reports.
const BLOCK: usize = 128;
/// Blocks that a thread may be ahead.
const AHEAD: usize = 8;

/// The report of a deck.
pub(crate) fn report(game: &Game, text: &Text) -> Report {
    game.check_as(&text.name(), text, text.input())
}

/// The reports of some decks, in their order.
pub(crate) fn judged<'py>(
    py: Python<'py>,
    game: &Game,
    texts: &[Text],
    threads: usize,
) -> PyResult<Vec<Bound<'py, PyDict>>> {
    let _paused = Collector::paused(py)?;
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
                    let reports: Vec<Report> =
                        block.iter().map(|text| report(game, text)).collect();
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
                answers.push(plain(py, report)?.cast_into::<PyDict>()?);
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
            // It cannot fail, and nobody could be informed here.
            let _ = collector.call_method0("enable");
        }
    }
}
