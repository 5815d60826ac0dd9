//! Where a match's chance comes from, as options say it.

use super::secret::read_secret;
use super::{Failure, Run};
use crate::matches::{Match, Randomness, Scheme, Secret};
use crate::text::harmless;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use std::path::{Path, PathBuf};

/// Where chance comes from.
#[derive(Debug, clap::Args)]
pub(super) struct Chance {
    /// A text that the deal follows from: for files that anyone can repeat, not for secrets
    #[arg(long, value_name = "TEXT", conflicts_with = "seed_part")]
    pub(super) seed: Option<String>,
    /// What each person brings to a common seed: 64 hex digits; two or more
    #[arg(long, value_name = "HEX")]
    pub(super) seed_part: Vec<String>,
    /// A file whose share is brought to the common seed without being shown; see `match share`
    #[arg(long, value_name = "FILE", conflicts_with = "seed")]
    pub(super) share_file: Option<PathBuf>,
    /// What each person committed to before the shares were shown; see `match share`
    #[arg(long, value_name = "HEX", requires = "seed_part")]
    pub(super) committed: Vec<String>,
    /// With --seed: a deal that hides nothing, since its text can be guessed; it has the ids of
    /// the first scheme
    #[arg(long, requires = "seed")]
    pub(super) practice: bool,
    /// The scheme of chance, to make again what was made before: decklaw-sha256ctr-1 or -2
    #[arg(long, value_name = "NAME", value_parser = scheme())]
    pub(super) scheme: Option<Scheme>,
}

/// Looking at a match whose seed can be guessed.
#[derive(Debug, Clone, Copy, clap::Args)]
pub(super) struct Practice {
    /// Look also where a dictionary finds the text that the match is seeded by
    #[arg(long)]
    practice: bool,
}

impl Practice {
    /// Refuses to show a match that hides something from its players, where anybody finds its
    /// seed.
    pub(super) fn allows(self, made: &Match, file: &Path) -> Result<(), Failure> {
        if self.practice {
            return Ok(());
        }
        made.opened().map_or(Ok(()), |text| {
            let file = file.display().to_string();
            Err(Failure::call(format!(
                "{}: a dictionary finds the text that this match is seeded by, `{}`: whoever \
                 tries sees every hidden card; make the match anew without `--seed`, or say \
                 `--practice` to go on with one that hides nothing",
                harmless(&file, false),
                harmless(&text, false)
            )))
        })
    }
}

/// Takes the name of a scheme.
pub(super) fn scheme() -> impl TypedValueParser<Value = Scheme> {
    PossibleValuesParser::new(Scheme::ALL.map(Scheme::name))
        .try_map(|name| Scheme::parse(&name).ok_or("there is no such scheme"))
}

impl Chance {
    /// The scheme of the call: ids tell nothing, but where nothing is hidden all the same.
    fn scheme(&self) -> Scheme {
        let usual = match self.practice {
            true => Scheme::Plain,
            false => Scheme::Blinded,
        };
        self.scheme.unwrap_or(usual)
    }

    /// What a text seeds, by the scheme of the call.
    pub(super) fn of_text(&self, text: &str) -> Randomness {
        Randomness::from_text(text).in_scheme(self.scheme())
    }

    /// Refuses a text that a dictionary finds, for a match that hides something.
    pub(super) fn hides(&self, made: &Match) -> Result<(), Failure> {
        let text = self.seed.as_ref().filter(|_| !self.practice);
        let Some(why) = text.and_then(|text| made.guessed(text)) else {
            return Ok(());
        };
        Err(Failure::call(format!(
            "a dictionary finds the text of `--seed` ({why}), and who has it sees every hidden \
             card; leave `--seed` out for a secret deal, let each player bring a share (`match \
             share`), or say `--practice` for a deal that hides nothing"
        )))
    }

    pub(super) fn randomness(&self, run: &Run) -> Result<Randomness, Failure> {
        let chance = self.given(run)?;
        Ok(chance.in_scheme(self.scheme()))
    }

    fn given(&self, run: &Run) -> Result<Randomness, Failure> {
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
