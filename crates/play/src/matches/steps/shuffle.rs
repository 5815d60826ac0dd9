//! Shuffling: each seat's own pile, or the one in the middle.

use super::{Act, Context, Names};
use crate::matches::error::MatchError;
use crate::matches::state::State;
use serde::{Deserialize, Serialize};

/// Shuffles a pile.
#[derive(Debug, Clone, Deserialize, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Shuffle {
    /// The zone.
    pub pile: String,
}

impl Act for Shuffle {
    fn names(&self) -> Names<'_> {
        Names { zones: vec![&self.pile], ..Names::default() }
    }

    fn begin(&self, state: &mut State, context: &Context<'_>) -> Result<(), MatchError> {
        for pile in state.table.places(&self.pile)? {
            state.table.shuffle(pile, &context.seed);
        }
        Ok(())
    }
}
