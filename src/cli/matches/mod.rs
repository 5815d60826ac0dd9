//! `decklaw match`: seed a match, decide, look, prove, print, play on.

mod asides;
mod asking;
mod brought;
mod chance;
mod decide;
mod entrants;
#[cfg(feature = "paper")]
mod export;
mod failure;
mod files;
mod games;
mod goldfish;
mod kept;
mod line;
mod new;
mod play;
mod round;
mod secret;
mod share;
mod show;
mod turns;

use super::{Answer, Outcome, Refusal, Run, inputs, output};
use chance::Chance;
use failure::{Failure, warn};

/// The commands on match files; each says itself what it does.
#[derive(Debug, clap::Subcommand)]
pub(super) enum MatchCommand {
    New(new::New),
    Decide(decide::Decide),
    Seal(decide::Seal),
    View(show::ViewOf),
    Verify(show::Verify),
    Show(show::Show),
    Sheet(show::SheetOf),
    Next(decide::Next),
    #[command(subcommand)]
    Share(share::Share),
    Commit(round::Commit),
    Round(round::Round),
    Play(play::PlayOn),
    Log(show::Log),
    Goldfish(goldfish::Goldfish),
    #[cfg(feature = "paper")]
    Export(export::Export),
}

impl MatchCommand {
    /// Runs the command. A refusal is told on standard error and answers no.
    pub(super) fn run(&self, run: &Run) -> Answer {
        let ran = match self {
            MatchCommand::New(command) => command.run(run),
            MatchCommand::Decide(command) => command.run(run),
            MatchCommand::Seal(command) => command.run(run),
            MatchCommand::View(command) => command.run(run),
            MatchCommand::Verify(command) => command.run(run),
            MatchCommand::Show(command) => command.run(run),
            MatchCommand::Sheet(command) => command.run(run),
            MatchCommand::Next(command) => command.run(run),
            MatchCommand::Share(command) => command.run(run),
            MatchCommand::Commit(command) => command.run(run),
            MatchCommand::Round(command) => command.run(run),
            MatchCommand::Play(command) => command.run(run),
            MatchCommand::Log(command) => command.run(run),
            MatchCommand::Goldfish(command) => command.run(run),
            #[cfg(feature = "paper")]
            MatchCommand::Export(command) => command.run(run),
        };
        output::tell_given(run, &run.played_by());
        match ran {
            Ok(()) => Ok(Outcome::Yes),
            Err(Failure::Call(message)) => Err(Refusal(message)),
            Err(Failure::Refused(message)) => {
                run.complain("refused", &message);
                Ok(Outcome::No)
            }
        }
    }
}
