//! `decklaw match`: seed a match, decide, look, prove, print, play on.

mod brought;
mod chance;
mod decide;
mod export;
mod failure;
mod files;
pub(super) mod games;
mod new;
mod play;
mod show;

use super::options::{Both, Full, Judging, OfMatch, With, Writing};
use super::output::Text;
use super::{Answer, Outcome, Refusal, Run, inputs, output};
use chance::Chance;
use failure::{Failure, warn};
use files::{MatchFile, MatchFiles, View};

/// The commands on match files; each says itself what it does.
#[derive(Debug, clap::Subcommand)]
pub(super) enum MatchCommand {
    New(With<new::New, Full<MatchFiles>>),
    Decide(With<decide::Decide, Both<OfMatch, Writing<MatchFile>>>),
    View(With<show::ViewOf, Writing<View>>),
    Verify(With<show::Verify, Both<OfMatch, Writing<show::Verify>>>),
    Show(With<show::Show, Writing<Text>>),
    Sheet(With<show::SheetOf, Writing<show::SheetOf>>),
    Next(With<decide::Next, Writing<MatchFile>>),
    Play(With<play::PlayOn, Judging>),
    Export(With<export::Export, Both<OfMatch, Writing<Text>>>),
}

impl MatchCommand {
    /// Runs the command. A refusal is told on standard error and answers no.
    pub(super) fn run(&self, run: &Run) -> Answer {
        let ran = match self {
            MatchCommand::New(command) => command.run(run, new::New::run),
            MatchCommand::Decide(command) => command.run(run, decide::Decide::run),
            MatchCommand::View(command) => command.run(run, show::ViewOf::run),
            MatchCommand::Verify(command) => command.run(run, show::Verify::run),
            MatchCommand::Show(command) => command.run(run, show::Show::run),
            MatchCommand::Sheet(command) => command.run(run, show::SheetOf::run),
            MatchCommand::Next(command) => command.run(run, decide::Next::run),
            MatchCommand::Play(command) => command.run(run, play::PlayOn::run),
            MatchCommand::Export(command) => command.run(run, export::Export::run),
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
