//! Where a match's chance comes from, and what its table is set up by.

use super::{CliError, Run};
use crate::cli::options::Setting;
use crate::matches::{Choice, NewMatch, Randomness, Settings};
use std::collections::BTreeMap;

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
                "anyone who knows the text of `--seed` can deal this again and see every hidden card; \
                 leave `--seed` out for a secret deal",
            );
        }
    }

    /// The seed of the call, or one from the system.
    pub(super) fn randomness(&self) -> Result<Randomness, CliError> {
        match &self.seed {
            Some(text) if text.trim().is_empty() => Err(CliError::call(
                "--seed is empty: everybody would guess it; leave it out for a secret deal",
            )),
            Some(text) => Ok(Randomness::from_text(text)),
            None => Ok(Randomness::from_system()?),
        }
    }
}

/// The inputs of a table other than decks and chance.
#[derive(Debug, clap::Args)]
pub(super) struct TableOptions {
    /// An option of the game, such as players=3
    #[arg(long = "option", value_name = "K=V")]
    choices: Vec<Setting>,
    /// Allow illegal decks; the file records it
    #[arg(long)]
    pub(super) allow_illegal: bool,
}

impl TableOptions {
    /// A match with the options of the call and settings, which are whole numbers.
    pub(super) fn new_match(&self, set: &[Setting]) -> Result<NewMatch, CliError> {
        let mut options = BTreeMap::new();
        for Setting { name, value } in &self.choices {
            let choice = Choice::parse(value);
            if options.insert(name.clone(), choice).is_some() {
                return Err(CliError::call(format!("--option {name} is given twice")));
            }
        }
        Ok(NewMatch { options, settings: settings(set)?, ..NewMatch::default() })
    }
}

/// The settings of the call: whole numbers.
pub(super) fn settings(set: &[Setting]) -> Result<Settings, CliError> {
    let mut settings = BTreeMap::new();
    for Setting { name, value } in set {
        let Ok(number) = value.parse() else {
            return Err(CliError::call(format!(
                "--set {name}={value}: the settings of a match are whole numbers"
            )));
        };
        if settings.insert(name.clone(), number).is_some() {
            return Err(CliError::call(format!("--set {name} is given twice")));
        }
    }
    Ok(settings)
}
