//! `decklaw match`: seed a match, decide, look, prove, print, play on.

#[cfg(feature = "paper")]
mod addresses;
mod decide;
mod entered;
#[cfg(feature = "paper")]
mod export;
mod files;
pub(super) mod games;
mod new;
mod next;
mod options;
#[cfg(feature = "server")]
mod play;
mod show;
mod verified;
mod verify;
mod view;

use super::options::{ConfigurationOptions, Judging, Output, Rules, kinds};
use super::{Answer, CliError, Outcome, Run, inputs};
use options::Chance;

/// The commands on match files; each says itself what it does.
#[derive(Debug, clap::Subcommand)]
pub(super) enum MatchCommand {
    New(Box<new::New>),
    Decide(decide::Decide),
    View(view::ViewOf),
    Verify(verify::Verify),
    Show(show::Show),
    Sheet(show::SheetOf),
    Next(next::Next),
    #[cfg(feature = "server")]
    Play(play::PlayOn),
    #[cfg(feature = "paper")]
    Export(export::Export),
}

impl MatchCommand {
    /// Runs the command.
    pub(super) fn run(&self, run: &Run) -> Answer {
        match self {
            MatchCommand::New(command) => command.run(run),
            MatchCommand::Decide(command) => command.run(run),
            MatchCommand::View(command) => command.run(run),
            MatchCommand::Verify(command) => command.run(run),
            MatchCommand::Show(command) => command.run(run),
            MatchCommand::Sheet(command) => command.run(run),
            MatchCommand::Next(command) => command.run(run),
            #[cfg(feature = "server")]
            MatchCommand::Play(command) => command.run(run),
            #[cfg(feature = "paper")]
            MatchCommand::Export(command) => command.run(run),
        }
        .map(|()| Outcome::Yes)
    }
}

/// Prints a note about a file that is all right.
fn warn(run: &Run, message: &str) {
    run.complain("warning", message);
}
