//! Answers as dicts: the program's JSON, with decks as text in addition.

use decklaw::{BuildAnswer, FixAnswer, Table, TuneAnswer};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};
use serde::Serialize;

/// An answer as Python's own kinds.
pub(crate) fn plain<'py>(
    py: Python<'py>,
    answer: &(impl Serialize + ?Sized),
) -> PyResult<Bound<'py, PyAny>> {
    Ok(pythonize::pythonize(py, answer)?)
}

/// An answer, and the deck in it as the key `text`.
fn with_text<'py>(
    py: Python<'py>,
    answer: &impl Serialize,
    text: Option<&str>,
) -> PyResult<Bound<'py, PyAny>> {
    let answer = plain(py, answer)?;
    answer.cast::<PyDict>()?.set_item("text", text)?;
    Ok(answer)
}

/// Of `fix` and `swap`.
pub(crate) fn fixed<'py>(py: Python<'py>, answer: &FixAnswer) -> PyResult<Bound<'py, PyAny>> {
    with_text(py, answer, answer.text())
}

/// Of `build`.
pub(crate) fn built<'py>(py: Python<'py>, answer: &BuildAnswer) -> PyResult<Bound<'py, PyAny>> {
    with_text(py, answer, answer.outcome.found().ok().map(ToString::to_string).as_deref())
}

/// Of `tune`: each step has its deck.
pub(crate) fn tuned<'py>(py: Python<'py>, answer: &TuneAnswer) -> PyResult<Bound<'py, PyAny>> {
    let dict = plain(py, answer)?;
    let steps = dict.get_item("steps")?;
    for (step, own) in steps.cast::<PyList>()?.iter().zip(&answer.steps) {
        step.cast::<PyDict>()?.set_item("text", own.text())?;
    }
    Ok(dict)
}

/// Of `deal`, `decide` and `verify`.
#[derive(Serialize)]
pub(crate) struct TableAnswer {
    file: String,
    awaited: Vec<decklaw::Pending>,
}

impl From<Table> for TableAnswer {
    fn from(table: Table) -> TableAnswer {
        TableAnswer { file: table.to_json(), awaited: table.awaited().to_vec() }
    }
}
