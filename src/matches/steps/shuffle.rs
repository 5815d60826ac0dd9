//! Shuffling: each seat's own pile, or the one in the middle.

use super::{Flow, Step};
use crate::matches::MatchError;
use crate::matches::build::Build;
use serde::Deserialize;

/// Shuffles a pile.
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Shuffle {
    /// The zone.
    pub pile: String,
}

impl Step for Shuffle {
    fn zones(&self) -> Vec<&str> {
        vec![&self.pile]
    }

    fn run(&self, build: &mut Build<'_>) -> Result<Flow, MatchError> {
        for place in build.table.places(&self.pile)? {
            build.table.shuffle(place, &build.seed);
        }
        Ok(Flow::Done)
    }
}
