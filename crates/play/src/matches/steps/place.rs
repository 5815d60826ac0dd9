//! Laying cards off a pile, face up or face down: a bar, a draft's pool.

use super::build::Build;
use super::names::Names;
use super::step::{Flow, Step, Terms};
use crate::matches::error::MatchError;
use crate::matches::table::ZoneAt;
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
    /// What is laid, in order.
    pub rows: Vec<Row>,
    /// Whether fewer are laid when the pile runs out; otherwise that is refused.
    #[serde(default)]
    pub as_far_as_it_goes: bool,
}

/// Some cards that lie alike.
#[derive(Debug, Clone, Deserialize, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Row {
    /// So many face up.
    Up(usize),
    /// So many face down.
    Down(usize),
}

#[derive(Debug)]
struct Placing<'a> {
    from: ZoneAt,
    to: ZoneAt,
    rows: &'a [Row],
    as_far_as_it_goes: bool,
}

impl Terms for Place {
    fn compile<'a>(&'a self, names: &Names<'_>) -> Box<dyn Step + 'a> {
        Box::new(Placing {
            from: names.zone(&self.from),
            to: names.zone(&self.to),
            rows: &self.rows,
            as_far_as_it_goes: self.as_far_as_it_goes,
        })
    }
}

impl Step for Placing<'_> {
    fn run(&self, build: &mut Build<'_>) -> Result<Flow, MatchError> {
        let mut done = Vec::new();
        for seat in build.table.dealing_order() {
            let to = self.to.of(seat);
            if done.contains(&to) {
                continue;
            }
            done.push(to);
            let from = self.from.of(seat);
            for row in self.rows {
                let (count, up) = match row {
                    Row::Up(count) => (*count, true),
                    Row::Down(count) => (*count, false),
                };
                let held = build.table.zone(from).slots.len();
                let count = if self.as_far_as_it_goes {
                    count.min(held)
                } else {
                    count
                };
                let mut block = build.table.take(from, count)?;
                block.iter_mut().for_each(|slot| slot.up = up);
                build.table.zone_mut(to).slots.extend(block);
            }
        }
        Ok(Flow::Done)
    }
}
