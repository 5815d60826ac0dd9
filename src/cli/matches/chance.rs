//! Where a match's chance comes from, as options say it.

use super::{Failure, Run};
use crate::matches::Randomness;

/// Where chance comes from.
#[derive(Debug, clap::Args)]
pub(super) struct Chance {
    /// Deal from this public text
    #[arg(long, value_name = "TEXT")]
    pub(super) seed: Option<String>,
}

impl Chance {
    /// Says of a seed from a text that it keeps no secret.
    pub(super) fn warn(&self, run: &Run) {
        if self.seed.is_some() {
            run.complain(
                "note",
                "whoever knows the text of `--seed` can deal this again and see every hidden card; \
                 leave `--seed` out for a secret deal",
            );
        }
    }

    /// The seed of the call, or one from the system.
    pub(super) fn randomness(&self) -> Result<Randomness, Failure> {
        match &self.seed {
            Some(text) if text.trim().is_empty() => Err(Failure::call(
                "--seed is empty: everybody would guess it; leave it out for a secret deal",
            )),
            Some(text) => Ok(Randomness::from_text(text)),
            None => Ok(Randomness::from_system()?),
        }
    }
}
