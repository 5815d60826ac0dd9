//! Dealing: a block of cards off the top to each seat in turn, from the one that begins.

use super::build::Build;
use super::names::Names;
use super::step::{Flow, Step, Terms};
use crate::matches::error::MatchError;
use crate::matches::table::ZoneAt;
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
    /// So many to everybody.
    Each(usize),
    /// So many in turn order; the last number goes on for the seats behind it.
    InTurn(Vec<usize>),
    /// As a setting says.
    Setting(String),
}

#[derive(Debug)]
struct Dealing<'a> {
    from: ZoneAt,
    to: ZoneAt,
    cards: Counts<'a>,
}

#[derive(Debug)]
enum Counts<'a> {
    Each(usize),
    /// For the first seats in turn order, and for those behind them.
    InTurn(&'a [usize], usize),
}

impl Terms for Deal {
    fn compile<'a>(&'a self, names: &Names<'_>) -> Box<dyn Step + 'a> {
        let (from, to) = (names.zone(&self.from), names.zone(&self.to));
        let cards = match &self.cards {
            Cards::Each(count) => Counts::Each(*count),
            Cards::InTurn(counts) => match counts.last() {
                Some(last) => Counts::InTurn(counts, *last),
                None => {
                    names.miss("a step deals `in-turn` and says no number".to_owned());
                    Counts::Each(0)
                }
            },
            Cards::Setting(name) => match usize::try_from(names.setting(name)) {
                Ok(count) => Counts::Each(count),
                Err(_) => {
                    names.miss(format!("the setting `{name}` is below 0"));
                    Counts::Each(0)
                }
            },
        };
        Box::new(Dealing { from, to, cards })
    }
}

impl Step for Dealing<'_> {
    fn run(&self, build: &mut Build<'_>) -> Result<Flow, MatchError> {
        for (turn, seat) in build.table.dealing_order().into_iter().enumerate() {
            let count = match self.cards {
                Counts::Each(count) => count,
                Counts::InTurn(counts, behind) => counts.get(turn).copied().unwrap_or(behind),
            };
            let block = build.table.take(self.from.of(seat), count)?;
            let to = build.table.zone_mut(self.to.of(seat));
            to.slots.extend(block);
        }
        Ok(Flow::Done)
    }
}
