//! From inputs to a table: the steps in order, until one awaits a decision.

use super::MatchError;
use super::decision::Decisions;
use super::inputs::{Inputs, SeatId};
use super::random::{Seed, Stream};
use super::setup::Setup;
use super::steps::Flow;
use super::table::Table;
use serde_json::Value;
use std::collections::BTreeMap;

/// What judges a deck that a player has changed between games.
pub trait SwapJudge {
    /// Whether these sections, each a list of names with counts, are a legal deck.
    ///
    /// # Errors
    /// What the deck breaks, a sentence.
    fn judge(&self, sections: &BTreeMap<String, Vec<(String, u32)>>) -> Result<(), String>;
}

/// A setup as far as its decisions carry it.
#[derive(Debug, Clone)]
pub(super) struct Built {
    /// The table.
    pub table: Table,
    /// What is awaited, in seat order; empty when the table is ready to play.
    pub pending: Vec<Value>,
}

/// What a step works on.
pub struct Build<'a> {
    /// The match's inputs.
    pub inputs: &'a Inputs,
    /// The table so far.
    pub table: Table,
    /// What chance follows from.
    pub seed: Seed,
    /// The decisions, taken one by one.
    pub decisions: Decisions<'a>,
    /// Every vote so far.
    pub votes: Vec<String>,
    /// What each seat committed to, by seat.
    pub commitments: BTreeMap<SeatId, [u8; 32]>,
    judge: Option<(&'a dyn SwapJudge, usize)>,
}

impl Build<'_> {
    /// Whether an option is on.
    pub fn on(&self, option: Option<&String>) -> bool {
        let value = option.and_then(|name| self.inputs.options.get(name));
        value == Some(&super::options::Choice::Flag(true))
    }

    /// The stream of a label.
    pub fn stream(&self, label: &str) -> Stream {
        Stream::new(&self.seed, label)
    }

    /// Has a changed deck judged, where the decision that changed it is a new one.
    ///
    /// # Errors
    /// What the deck breaks.
    pub fn judge(&self, sections: &BTreeMap<String, Vec<(String, u32)>>) -> Result<(), MatchError> {
        match self.judge {
            Some((judge, from)) if self.decisions.taken() > from => {
                judge.judge(sections).map_err(MatchError::Refused)
            }
            _ => Ok(()),
        }
    }
}

/// Builds the table that the inputs make. `judge` has a say about decisions from a number on.
///
/// # Errors
/// A decision that is not allowed where it stands, or too few cards.
pub(super) fn build(
    setup: &Setup,
    inputs: &Inputs,
    judge: Option<(&dyn SwapJudge, usize)>,
) -> Result<Built, MatchError> {
    let seed = inputs.randomness.seed()?;
    let mut table = Table::lay_out(setup, inputs)?;
    for step in setup
        .steps
        .iter()
        .filter(|step| step.when.holds(&inputs.options))
    {
        step.action.as_step().prepare(&mut table);
    }
    let mut build = Build {
        inputs,
        table,
        seed,
        decisions: Decisions::new(&inputs.decisions),
        votes: Vec::new(),
        commitments: BTreeMap::new(),
        judge,
    };
    for step in setup
        .steps
        .iter()
        .filter(|step| step.when.holds(&inputs.options))
    {
        match step.action.as_step().run(&mut build) {
            Ok(Flow::Done) => (),
            Ok(Flow::Awaiting(pending)) => {
                return Ok(Built {
                    table: build.table,
                    pending,
                });
            }
            Err(error) => return Err(build.decisions.blame(error)),
        }
    }
    build.decisions.finish()?;
    Ok(Built {
        table: build.table,
        pending: Vec::new(),
    })
}
