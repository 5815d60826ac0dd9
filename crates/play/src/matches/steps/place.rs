//! Laying cards off a pile, face up or face down: a bar, a draft's pool.

use super::{Act, Context, Names};
use crate::matches::error::MatchError;
use crate::matches::state::State;
use serde::{Deserialize, Serialize};

/// Lays cards off the top of a pile: to the middle, or before each seat in turn order.
#[derive(Debug, Clone, Deserialize, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Place {
    /// The pile to take from.
    pub from: String,
    /// The zone to lay to.
    pub to: String,
    /// The cards that are placed, in order.
    pub rows: Vec<Row>,
    /// Whether fewer are placed when the pile runs out; otherwise that is refused.
    #[serde(default)]
    pub as_far_as_it_goes: bool,
}

/// Some cards that lie alike.
#[derive(Debug, Clone, Deserialize, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Row {
    /// A number of cards face up.
    Up(usize),
    /// A number of cards face down.
    Down(usize),
}

impl Act for Place {
    fn names(&self) -> Names<'_> {
        Names { zones: vec![&self.from, &self.to], ..Names::default() }
    }

    fn begin(&self, state: &mut State, _context: &Context<'_>) -> Result<(), MatchError> {
        let mut done = Vec::new();
        for seat in state.table.dealing_order() {
            let to = state.table.place(seat, &self.to)?;
            if done.contains(&to) {
                continue;
            }
            done.push(to);
            let from = state.table.place(seat, &self.from)?;
            for row in &self.rows {
                let (mut count, up) = match row {
                    Row::Up(count) => (*count, true),
                    Row::Down(count) => (*count, false),
                };
                if self.as_far_as_it_goes {
                    count = count.min(state.table.zone(from).slots.len());
                }
                let mut block = state.table.take(from, count)?;
                block.iter_mut().for_each(|slot| slot.up = up);
                state.table.zone_mut(to).slots.extend(block);
            }
        }
        Ok(())
    }
}
