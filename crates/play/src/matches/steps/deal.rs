//! Dealing: a block of cards off the top to each seat in turn, from the one that begins.

use super::{Act, Context, Names, Step};
use crate::matches::error::MatchError;
use crate::matches::state::State;
use serde::{Deserialize, Serialize};

/// Deals hands.
#[derive(Debug, Clone, Deserialize, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Deal {
    /// The pile to deal from.
    pub from: String,
    /// The zone to deal to.
    pub to: String,
    /// How many cards.
    pub cards: Cards,
}

/// How many cards each seat is dealt.
#[derive(Debug, Clone, Deserialize, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Cards {
    /// The same number of cards to everybody.
    Each(usize),
    /// A number of cards for each seat in turn order; the last number goes on for the seats behind
    /// it.
    InTurn(Vec<usize>),
    /// As a setting says.
    Setting(String),
}

impl Act for Deal {
    fn names(&self) -> Names<'_> {
        let mut names = Names { zones: vec![&self.from, &self.to], ..Names::default() };
        match &self.cards {
            Cards::Each(_) | Cards::InTurn(_) => (),
            Cards::Setting(setting) => names.settings.push(setting),
        }
        names
    }

    fn faults(&self, _before: &[Step]) -> Vec<String> {
        let is_empty = matches!(&self.cards, Cards::InTurn(counts) if counts.is_empty());
        Vec::from_iter(is_empty.then(|| "a step deals `in-turn` and says no number".to_owned()))
    }

    fn begin(&self, state: &mut State, context: &Context<'_>) -> Result<(), MatchError> {
        for (turn, seat) in state.table.dealing_order().into_iter().enumerate() {
            let count = match &self.cards {
                Cards::Each(count) => *count,
                Cards::InTurn(counts) => {
                    let count = counts.get(turn).or(counts.last());
                    count.copied().unwrap_or_default()
                }
                Cards::Setting(setting) => {
                    let value = context.inputs.settings.get(setting);
                    let count = value.and_then(|value| usize::try_from(*value).ok());
                    count.ok_or_else(|| {
                        let message =
                            format!("the setting `{setting}` must be given, and 0 or more");
                        MatchError::call(message)
                    })?
                }
            };
            let from = state.table.place(seat, &self.from)?;
            let to = state.table.place(seat, &self.to)?;
            let block = state.table.take(from, count)?;
            state.table.zone_mut(to).slots.extend(block);
        }
        Ok(())
    }
}
