//! `match share`: shares of a common seed, committed to before any is shown, so that nobody can
//! choose theirs by what the others' are.

use super::secret::{read_secret, secret_in};
use super::{Failure, Run, files};
use crate::cli::options::{With, Writing};
use crate::cli::output::Text;
use std::path::PathBuf;

/// Shares of a common seed: commit to yours first, show it when all are committed
#[derive(Debug, clap::Subcommand)]
pub(crate) enum Share {
    Commit(With<CommitShare, Writing<Text>>),
    Reveal(With<RevealShare, Writing<Text>>),
}

impl Share {
    pub(super) fn run(&self, run: &Run) -> Result<(), Failure> {
        match self {
            Share::Commit(command) => command.run(run, CommitShare::run),
            Share::Reveal(command) => command.run(run, RevealShare::run),
        }
    }
}

/// The commitment to your share, for everybody at the table
// A secret file that does not exist gets a new share first.
#[derive(Debug, clap::Args)]
pub(crate) struct CommitShare {
    /// The file that keeps your share
    #[arg(long, value_name = "FILE")]
    secret_file: PathBuf,
}

impl CommitShare {
    fn run(&self, run: &Run) -> Result<(), Failure> {
        let outputs = files::outputs::<Text>(run)?;
        let share = secret_in(run, &self.secret_file)?;
        files::finish(outputs, |_| format!("{}\n", share.share_commitment()))
    }
}

/// Your share, once everybody has committed to theirs
#[derive(Debug, clap::Args)]
pub(crate) struct RevealShare {
    /// The file that keeps your share
    #[arg(long, value_name = "FILE")]
    secret_file: PathBuf,
}

impl RevealShare {
    fn run(&self, run: &Run) -> Result<(), Failure> {
        let outputs = files::outputs::<Text>(run)?;
        let share = read_secret(run, &self.secret_file)?;
        files::finish(outputs, |_| format!("{}\n", share.hex()))
    }
}
