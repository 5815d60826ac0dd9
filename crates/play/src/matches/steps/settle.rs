//! What becomes of cards that are left, as was voted.

use super::build::Build;
use super::names::Names;
use super::step::{Flow, Step, Terms};
use crate::matches::error::MatchError;
use crate::matches::table::ZoneAt;
use serde::{Deserialize, Serialize};

/// Clears a zone: to one place when every vote was for it, otherwise into a pile, which is
/// then shuffled. With no card left nothing happens.
#[derive(Debug, Clone, Deserialize, Serialize)]
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

#[derive(Debug)]
struct Settling<'a> {
    from: ZoneAt,
    unanimous: &'a str,
    to: ZoneAt,
    otherwise: ZoneAt,
}

impl Terms for Settle {
    fn compile<'a>(&'a self, names: &Names<'_>) -> Box<dyn Step + 'a> {
        Box::new(Settling {
            from: names.zone(&self.from),
            unanimous: &self.unanimous,
            to: names.zone(&self.to),
            otherwise: names.zone(&self.otherwise),
        })
    }
}

impl Step for Settling<'_> {
    fn run(&self, build: &mut Build<'_>) -> Result<Flow, MatchError> {
        let unanimous = !build.votes.is_empty();
        let unanimous = unanimous && build.votes.iter().all(|vote| vote == self.unanimous);
        let target = if unanimous { self.to } else { self.otherwise };
        let mut pile = None;
        for seat in build.table.dealing_order() {
            let left = std::mem::take(&mut build.table.zone_mut(self.from.of(seat)).slots);
            if left.is_empty() {
                continue;
            }
            let to = target.of(seat);
            build.table.zone_mut(to).slots.extend(left);
            pile = Some(to);
        }
        if let (Some(pile), false) = (pile, unanimous) {
            build.table.shuffle(pile, &build.seed);
        }
        Ok(Flow::Done)
    }
}
