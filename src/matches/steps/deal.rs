//! Dealing: a block of cards off the top to each seat in turn, from the one that begins.

use super::{Flow, Step};
use crate::matches::MatchError;
use crate::matches::build::Build;
use serde::Deserialize;

/// Deals hands.
#[derive(Debug, Clone, Deserialize)]
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
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Cards {
    /// So many to everybody.
    Each(usize),
    /// So many in turn order; the last number goes on for the seats behind it.
    InTurn(Vec<usize>),
    /// As a setting says.
    Setting(String),
}

impl Step for Deal {
    fn zones(&self) -> Vec<&str> {
        vec![&self.from, &self.to]
    }

    fn settings(&self) -> Vec<&str> {
        match &self.cards {
            Cards::Setting(name) => vec![name],
            Cards::Each(_) | Cards::InTurn(_) => Vec::new(),
        }
    }

    fn run(&self, build: &mut Build<'_>) -> Result<Flow, MatchError> {
        for (turn, seat) in build.table.dealing_order().into_iter().enumerate() {
            let count = match &self.cards {
                Cards::Each(count) => *count,
                Cards::InTurn(counts) => counts
                    .get(turn)
                    .or(counts.last())
                    .copied()
                    .unwrap_or_default(),
                Cards::Setting(name) => {
                    let value = build.inputs.settings.get(name).copied().unwrap_or_default();
                    usize::try_from(value).unwrap_or_default()
                }
            };
            let from = build.table.place(seat, &self.from)?;
            let to = build.table.place(seat, &self.to)?;
            let block = build.table.take(from, count)?;
            build.table.zone_mut(to).slots.extend(block);
        }
        Ok(Flow::Done)
    }
}
