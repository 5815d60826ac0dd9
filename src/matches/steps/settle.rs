//! What becomes of cards that are left, as was voted.

use super::{Flow, Step};
use crate::matches::MatchError;
use crate::matches::build::Build;
use serde::Deserialize;

/// Clears a zone: to one place when every vote was for it, otherwise into a pile, which is
/// then shuffled. With no card left nothing happens.
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Settle {
    /// The zone to clear: each seat's, in turn order, or the one in the middle.
    pub from: String,
    /// The choice that every vote must have been for.
    pub unanimous: String,
    /// Where the cards then go.
    pub to: String,
    /// The pile into which they are shuffled otherwise.
    pub otherwise: String,
}

impl Step for Settle {
    fn zones(&self) -> Vec<&str> {
        vec![&self.from, &self.to, &self.otherwise]
    }

    fn run(&self, build: &mut Build<'_>) -> Result<Flow, MatchError> {
        let unanimous = !build.votes.is_empty();
        let unanimous = unanimous && build.votes.iter().all(|vote| *vote == self.unanimous);
        let target = if unanimous { &self.to } else { &self.otherwise };
        let mut pile = None;
        for seat in build.table.dealing_order() {
            let from = build.table.place(seat, &self.from)?;
            let left = std::mem::take(&mut build.table.zone_mut(from).slots);
            if left.is_empty() {
                continue;
            }
            let to = build.table.place(seat, target)?;
            build.table.zone_mut(to).slots.extend(left);
            pile = Some(to);
        }
        if let (Some(pile), false) = (pile, unanimous) {
            build.table.shuffle(pile, &build.seed);
        }
        Ok(Flow::Done)
    }
}
