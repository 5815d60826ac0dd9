//! Shuffling: each seat's own pile, or the one in the middle.

use super::build::Build;
use super::names::Names;
use super::step::{Flow, Step, Terms};
use crate::matches::error::MatchError;
use crate::matches::table::ZoneAt;
use serde::{Deserialize, Serialize};

/// Shuffles a pile.
#[derive(Debug, Clone, Deserialize, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Shuffle {
    /// The zone.
    pub pile: String,
}

#[derive(Debug)]
struct Shuffling {
    pile: ZoneAt,
}

impl Terms for Shuffle {
    fn compile<'a>(&'a self, names: &Names<'_>) -> Box<dyn Step + 'a> {
        Box::new(Shuffling {
            pile: names.zone(&self.pile),
        })
    }
}

impl Step for Shuffling {
    fn run(&self, build: &mut Build<'_>) -> Result<Flow, MatchError> {
        for place in build.table.places(self.pile) {
            build.table.shuffle(place, &build.seed);
        }
        Ok(Flow::Done)
    }
}
