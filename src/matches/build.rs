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

/// Sections of a deck, each a list of names with counts.
pub type Sections = BTreeMap<String, Vec<(String, u32)>>;

/// What judges a deck that a player has changed between games.
pub trait SwapJudge {
    /// Whether the sections that are played are a legal deck after a swap. Answers what the
    /// whole deck, with the sections that stay aside, breaks all the same, a sentence each.
    ///
    /// # Errors
    /// What the played sections break, a sentence.
    fn judge(&self, played: &Sections, whole: &Sections) -> Result<Vec<String>, String>;
}

/// A setup as far as its decisions carry it.
#[derive(Debug, Clone)]
pub(super) struct Built {
    /// The table.
    pub table: Table,
    /// What is awaited, in seat order; empty when the table is ready to play.
    pub pending: Vec<Value>,
    /// What the judge of a swap remarked.
    pub remarks: Vec<String>,
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
    remarks: Vec<String>,
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

    /// Has a seat's changed deck judged, where the decision that changed it is a new one:
    /// the sections that are played, and the whole deck.
    ///
    /// # Errors
    /// What the played sections break.
    pub fn judge(
        &mut self,
        seat: SeatId,
        played: &Sections,
        whole: &Sections,
    ) -> Result<(), MatchError> {
        if let Some((judge, from)) = self.judge
            && self.decisions.taken() > from
        {
            let remarks = judge.judge(played, whole).map_err(MatchError::Refused)?;
            let of_seat = |remark| format!("seat {seat}, after the swap: {remark}");
            self.remarks.extend(remarks.into_iter().map(of_seat));
        }
        Ok(())
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
        remarks: Vec::new(),
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
                    remarks: build.remarks,
                });
            }
            Err(error) => return Err(build.decisions.blame(error)),
        }
    }
    build.decisions.finish()?;
    Ok(Built {
        table: build.table,
        pending: Vec::new(),
        remarks: build.remarks,
    })
}
