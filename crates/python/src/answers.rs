//! What is answered, as dicts.

use decklaw::{Built, Change, Error, Fixed, Mended, Odds, Renamed, Report, Table, Tuned};
use pyo3::prelude::*;
use serde::Serialize;

/// A serialisable answer as Python's own kinds.
pub(crate) fn plain<'py>(
    py: Python<'py>,
    answer: &(impl Serialize + ?Sized),
) -> PyResult<Bound<'py, PyAny>> {
    Ok(pythonize::pythonize(py, answer)?)
}

/// Of `odds`: what the library serialises, and what it tells besides.
#[derive(Serialize)]
pub(crate) struct OddsAnswer {
    #[serde(flatten)]
    odds: Odds,
    hand: Option<u32>,
    remarks: Vec<String>,
}

impl From<Odds> for OddsAnswer {
    fn from(odds: Odds) -> OddsAnswer {
        OddsAnswer {
            hand: odds.hand,
            remarks: odds.remarks.clone(),
            odds,
        }
    }
}

/// Of `fix`.
#[derive(Serialize)]
pub(crate) struct FixAnswer {
    deck: String,
    changes: Vec<Change>,
    distance: i64,
    bound: i64,
    optimal: bool,
    after: Report,
    renamed: Vec<Renamed>,
}

impl FixAnswer {
    /// What came of a repair or an exchange.
    pub(crate) fn of(found: Fixed) -> Result<FixAnswer, Error> {
        match found {
            Fixed::Proven(mended) => Ok(FixAnswer::mended(mended, None)),
            Fixed::AtLeast(bound, mended) => Ok(FixAnswer::mended(mended, Some(bound))),
            Fixed::Impossible(why) => Err(Error::Impossible(why)),
            _ => Err(Error::Unknown),
        }
    }

    fn mended(mended: Mended, bound: Option<i64>) -> FixAnswer {
        FixAnswer {
            deck: mended.deck.text().to_owned(),
            bound: bound.unwrap_or(mended.distance),
            optimal: bound.is_none(),
            distance: mended.distance,
            after: mended.deck.check(),
            changes: mended.changes,
            renamed: mended.renamed,
        }
    }
}

/// Of `build`.
#[derive(Serialize)]
pub(crate) struct BuildAnswer {
    deck: String,
    optimal: bool,
    missed: Vec<i64>,
    after: Report,
}

impl From<Built> for BuildAnswer {
    fn from(built: Built) -> BuildAnswer {
        BuildAnswer {
            deck: built.deck.text().to_owned(),
            optimal: built.proven,
            after: built.deck.check(),
            missed: built.missed,
        }
    }
}

#[derive(Serialize)]
struct Likelihood {
    probability: f64,
    fraction: String,
}

#[derive(Serialize)]
struct Step {
    exchanges: u32,
    deck: String,
    changes: Vec<Change>,
    probability: f64,
    fraction: String,
    optimal: bool,
    bound: f64,
    after: Report,
}

/// Of `tune`.
#[derive(Serialize)]
pub(crate) struct TuneAnswer {
    before: Likelihood,
    repaired: bool,
    steps: Vec<Step>,
}

impl From<Tuned> for TuneAnswer {
    fn from(tuned: Tuned) -> TuneAnswer {
        let steps = tuned.steps.into_iter().map(|step| Step {
            exchanges: step.exchanges,
            deck: step.deck.text().to_owned(),
            after: step.deck.check(),
            changes: step.changes,
            probability: step.probability,
            fraction: step.fraction,
            optimal: step.proven,
            bound: step.bound,
        });
        TuneAnswer {
            before: Likelihood {
                probability: tuned.before,
                fraction: tuned.before_fraction,
            },
            repaired: tuned.repaired,
            steps: steps.collect(),
        }
    }
}

/// Of `deal`, `decide` and `verify`.
#[derive(Serialize)]
pub(crate) struct TableAnswer {
    file: String,
    awaited: Vec<serde_json::Value>,
}

impl From<Table> for TableAnswer {
    fn from(table: Table) -> TableAnswer {
        TableAnswer {
            file: table.to_json(),
            awaited: table.awaited().to_vec(),
        }
    }
}
