//! Many decks: threads judge while this one makes dicts of what they found.

use crate::answers::plain;
use crate::given::Text;
use decklaw::{Game, Report};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::collections::VecDeque;
use std::panic::resume_unwind;
use std::sync::mpsc::sync_channel;

/// Decks that a thread judges before it passes their reports on.
const BLOCK: usize = 128;
/// Blocks that a thread may be ahead.
const AHEAD: usize = 8;

/// The report of a deck.
pub(crate) fn report(game: &Game, text: &Text) -> Report {
    game.check_as(&text.name(), text, text.input())
}

/// The most threads that one call starts.
const MOST_THREADS: usize = 64;

/// How many threads judge.
pub(crate) fn threads(asked: Option<usize>) -> PyResult<usize> {
    match asked {
        Some(0) => Err(PyValueError::new_err("at least one thread is needed")),
        Some(threads) => Ok(threads.min(MOST_THREADS)),
        None => Ok(std::thread::available_parallelism().map_or(1, usize::from)),
    }
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
    let work = |_, block: &[Text]| -> Vec<Report> {
        block.iter().map(|text| report(game, text)).collect()
    };
    in_blocks(py, texts, threads, work, |reports| {
        for report in &reports {
            answers.push(plain(py, report)?.cast_into::<PyDict>()?);
        }
        Ok(())
    })?;
    Ok(answers)
}

/// Has threads work on blocks of `all`, each with the place of its first item, and takes what comes
/// of them in their order.
pub(crate) fn in_blocks<T: Sync, A: Send>(
    py: Python<'_>,
    all: &[T],
    threads: usize,
    work: impl Fn(usize, &[T]) -> A + Sync,
    mut take: impl FnMut(A) -> PyResult<()>,
) -> PyResult<()> {
    let threads = threads.min(all.len().div_ceil(BLOCK));
    let work = &work;
    std::thread::scope(|scope| {
        let (mut turns, mut running) = (VecDeque::new(), Vec::new());
        for own in 0..threads {
            let (give, turn) = sync_channel(AHEAD);
            turns.push_back(turn);
            running.push(scope.spawn(move || {
                for (place, block) in all.chunks(BLOCK).enumerate().skip(own).step_by(threads) {
                    // Nobody takes it any more where Python was interrupted.
                    if give.send(work(place * BLOCK, block)).is_err() {
                        break;
                    }
                }
            }));
        }
        // The threads take turns, and so do their blocks.
        while let Some(turn) = turns.pop_front() {
            let (done, turn) = py.detach(move || (turn.recv(), turn));
            let Ok(done) = done else { break };
            turns.push_back(turn);
            take(done)?;
            py.check_signals()?;
        }
        drop(turns);
        for thread in running {
            // A defect reaches the caller: no answer is missing in silence.
            py.detach(|| thread.join().unwrap_or_else(|defect| resume_unwind(defect)));
        }
        Ok(())
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
