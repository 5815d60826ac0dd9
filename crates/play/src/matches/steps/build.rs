//! What the steps of a setup work on.

use crate::matches::error::{MatchError, MatchErrorKind};
use crate::matches::inputs::Inputs;
use crate::matches::random::{Seed, Stream};
use crate::matches::seat::SeatId;
use crate::matches::steps::decisions::Decisions;
use crate::matches::table::Table;
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
    pub(in crate::matches) remarks: Vec<String>,
    pub(in crate::matches) judge: Option<(&'a dyn SwapJudge, usize)>,
}

impl Build<'_> {
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
            let remarks = judge
                .judge(played, whole)
                .map_err(|why| MatchErrorKind::Swap.refused(why))?;
            let of_seat = |remark| format!("seat {seat}, after the swap: {remark}");
            self.remarks.extend(remarks.into_iter().map(of_seat));
        }
        Ok(())
    }
}
