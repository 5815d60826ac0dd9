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
mod share;
mod show;
mod turns;

use super::{Answer, Options, Outcome, Refusal, inputs, terminal};
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
    pub(super) fn run(&self, options: &Options) -> Answer {
        let ran = match self {
            MatchCommand::New(command) => command.run(options),
            MatchCommand::Decide(command) => command.run(options),
            MatchCommand::Seal(command) => command.run(options),
            MatchCommand::View(command) => command.run(options),
            MatchCommand::Verify(command) => command.run(options),
            MatchCommand::Show(command) => command.run(options),
            MatchCommand::Sheet(command) => command.run(options),
            MatchCommand::Next(command) => command.run(options),
            MatchCommand::Share(command) => command.run(options),
            MatchCommand::Commit(command) => command.run(options),
            MatchCommand::Round(command) => command.run(options),
            MatchCommand::Play(command) => command.run(options),
            MatchCommand::Log(command) => command.run(options),
            MatchCommand::Goldfish(command) => command.run(options),
            #[cfg(feature = "paper")]
            MatchCommand::Export(command) => command.run(options),
        };
        match ran {
            Ok(()) => Ok(Outcome::Yes),
            Err(Failure::Call(message)) => Err(Refusal(message)),
            Err(Failure::Refused(message)) => {
                terminal::complain("refused", &message);
                Ok(Outcome::No)
            }
        }
    }
}
