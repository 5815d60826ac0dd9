//! Where a match's chance comes from, as options say it.

use super::secret::read_secret;
use super::{Failure, Run};
use crate::matches::{Randomness, Secret};
use std::path::PathBuf;

/// Where chance comes from.
#[derive(Debug, clap::Args)]
pub(super) struct Chance {
    /// Deal by this text, which is public
    #[arg(long, value_name = "TEXT", conflicts_with = "seed_part")]
    pub(super) seed: Option<String>,
    /// Each person's share of a common seed (64 hex digits)
    #[arg(long, value_name = "HEX")]
    pub(super) seed_part: Vec<String>,
    /// A file with a share that is not shown
    #[arg(long, value_name = "FILE", conflicts_with = "seed")]
    pub(super) share_file: Option<PathBuf>,
    /// The commitment to each share; see `match share`
    #[arg(long, value_name = "HEX", requires = "seed_part")]
    pub(super) committed: Vec<String>,
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
    pub(super) fn randomness(&self, run: &Run) -> Result<Randomness, Failure> {
        let mut parts = self.seed_part.clone();
        if let Some(file) = &self.share_file {
            parts.push(read_secret(run, file)?.hex());
        }
        Ok(match (&self.seed, parts.as_slice()) {
            (Some(text), _) if text.trim().is_empty() => {
                return Err(Failure::call(
                    "--seed is empty: everybody would guess it; leave it out for a secret deal",
                ));
            }
            (Some(text), _) => Randomness::from_text(text),
            (None, []) => Randomness::from_system()?,
            (None, parts) => {
                if !self.committed.is_empty() {
                    check(parts, &self.committed)?;
                }
                Randomness::from_parts(parts)?
            }
        })
    }
}

/// Whether each share is one that was committed to, and each commitment was kept.
fn check(parts: &[String], committed: &[String]) -> Result<(), Failure> {
    let mut open: Vec<&String> = committed.iter().collect();
    for part in parts {
        let share = Secret::read(&part.to_ascii_lowercase())?;
        let commitment = share.share_commitment();
        let Some(at) = open.iter().position(|known| **known == commitment) else {
            return Err(Failure::refused(format!(
                "nobody committed to the share {part}: who brings another one than they \
                 committed to may have chosen it"
            )));
        };
        open.remove(at);
    }
    match open.first() {
        None => Ok(()),
        Some(left) => Err(Failure::refused(format!(
            "the share of the commitment {left} is missing"
        ))),
    }
}
