//! What is raised: the classes of `decklaw.errors`.

use crate::answers::plain;
use decklaw::{NoDeck, Problem, ProblemKind, Report};
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

/// The exception of a text that is no deck, with what is wrong.
pub(crate) fn unreadable(py: Python<'_>, report: &Report) -> PyErr {
    let first = report.findings.first();
    let message = first.map_or_else(String::new, |first| first.message.clone());
    match plain(py, report) {
        Ok(report) => made(py, "UnreadableError", (message, report)),
        Err(error) => error,
    }
}

/// The exception where there is no deck.
pub(crate) fn no_deck(py: Python<'_>, none: &NoDeck) -> PyErr {
    let message = Problem::from(none).message;
    if none.impossible {
        made(py, "ImpossibleError", (message, none.reasons.clone()))
    } else {
        made(py, "WorkLimitError", (message,))
    }
}

/// The exception where no exchange is legal, proven or not.
pub(crate) fn impossible(py: Python<'_>, none: &NoDeck) -> PyErr {
    let message = Problem::from(none).message;
    made(py, "ImpossibleError", (message, none.reasons.clone()))
}

/// The exception of a problem of the library.
pub(crate) fn raised(py: Python<'_>, problem: Problem) -> PyErr {
    let Problem { kind, message, place, .. } = problem;
    match kind {
        ProblemKind::Query | ProblemKind::Deck => {
            let span = place.map(|place| (place.from, place.to));
            made(py, "QuestionError", (message, span))
        }
        ProblemKind::Game | ProblemKind::NotFound => made(py, "GameError", (message,)),
        ProblemKind::Impossible => made(py, "ImpossibleError", (message.clone(), vec![message])),
        ProblemKind::Limit => made(py, "WorkLimitError", (message,)),
        ProblemKind::Match => made(py, "MatchError", (message,)),
        _ => made(py, "Error", (message,)),
    }
}
