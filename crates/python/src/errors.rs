//! What is raised: the classes of `decklaw.errors`.

use crate::answers::plain;
use decklaw::{Error, Report};
use pyo3::call::PyCallArgs;
use pyo3::prelude::*;

/// An exception of `decklaw.errors`, made of what its class takes.
fn made<'py>(py: Python<'py>, class: &str, of: impl PyCallArgs<'py>) -> PyErr {
    let made = (|| {
        let class = py.import("decklaw.errors")?.getattr(class)?;
        class.call1(of)
    })();
    match made {
        Ok(exception) => PyErr::from_value(exception),
        Err(error) => error,
    }
}

/// The exception of a call that cannot be carried out.
pub(crate) fn question(py: Python<'_>, message: &str) -> PyErr {
    made(py, "QuestionError", (message,))
}

/// The exception of a game that cannot be made.
pub(crate) fn game(py: Python<'_>, message: &str) -> PyErr {
    made(py, "GameError", (message,))
}

/// The exception of a deck that may not be dealt, by its place in the call, from 0.
pub(crate) fn illegal(py: Python<'_>, index: usize, report: &Report) -> PyErr {
    match plain(py, report) {
        Ok(report) => made(py, "IllegalDeckError", (index, report)),
        Err(error) => error,
    }
}

/// The exception of an error of the library.
pub(crate) fn raised(py: Python<'_>, error: Error) -> PyErr {
    let message = error.to_string();
    match error {
        Error::Game(_) => made(py, "GameError", (message,)),
        Error::Unreadable(report) => match plain(py, &*report) {
            Ok(report) => made(py, "UnreadableError", (message, report)),
            Err(error) => error,
        },
        Error::Question { span, .. } => {
            let span = span.map(|span| (span.start, span.end));
            made(py, "QuestionError", (message, span))
        }
        Error::Impossible(reasons) => made(py, "ImpossibleError", (message, reasons)),
        Error::Unknown => made(py, "WorkLimitError", (message,)),
        Error::Match(_) => made(py, "MatchError", (message,)),
        _ => made(py, "Error", (message,)),
    }
}
