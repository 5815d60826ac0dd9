//! `match verify`: matches are dealt and played again, and compared.

use super::verified::Verified;
use super::{CliError, Judging, Output, Rules, Run, files, kinds, warn};
use crate::digest::whole;
use crate::render::{Kind, Written};
use crate::text::counted;
use rayon::prelude::*;
use std::path::PathBuf;

/// Rebuild matches from their inputs and compare
// Its moves are made again too. What is registered of cards is compared with the
// card pool: with that of --cards what differs is refused, otherwise it is a warning. With
// -o json a document for each file, with -o ndjson a line.
#[derive(Debug, clap::Args)]
#[command(mut_arg("output", kinds::<Verify>), after_help = "Example:\n  decklaw match verify match.json")]
pub(crate) struct Verify {
    /// The match files
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    #[command(flatten)]
    rules: Rules,
    #[command(flatten)]
    output: Output,
}

impl Written for Verify {
    const KINDS: &'static [Kind] = &[Kind::Human, Kind::Json, Kind::Ndjson];
}

impl Verify {
    pub(super) fn run(&self, run: &Run) -> Result<(), CliError> {
        let outputs = files::outputs::<Verify>(&self.output, None)?;
        crate::cli::run::start_threads()?;
        let judging = Judging::from(self.rules.clone());
        let files = self.files.par_iter();
        let verified: Vec<Verified> = files.map(|path| Verified::of(path, run, &judging)).collect();
        for file in &verified {
            file.warnings.iter().for_each(|warning| warn(run, warning));
            if let Some(failure) = file.failure.as_ref().filter(|_| verified.len() > 1) {
                run.complain("refused", &failure.message);
            }
        }
        files::finish(run, outputs, |kind| {
            let written = verified.iter().map(|file| match kind {
                Kind::Json => whole(serde_json::to_string_pretty(file)) + "\n",
                Kind::Ndjson => whole(serde_json::to_string(file)) + "\n",
                _ => file.text.clone(),
            });
            written.collect()
        })?;
        let all = verified.len();
        let mut failed: Vec<CliError> =
            verified.into_iter().filter_map(|file| file.failure).collect();
        if all == 1 {
            return failed.pop().map_or(Ok(()), Err);
        }
        let message = format!("{} of {} did not verify", failed.len(), counted(all as i64, "file"));
        match failed.iter().any(|failure| !failure.is_refusal) {
            _ if failed.is_empty() => Ok(()),
            true => Err(CliError::call(message)),
            false => Err(CliError::refused(message)),
        }
    }
}
