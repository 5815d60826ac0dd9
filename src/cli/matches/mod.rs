//! `decklaw match`: seed a match, decide, look, prove, print, play on.

mod asking;
mod brought;
mod decide;
mod entrants;
#[cfg(feature = "paper")]
mod export;
mod files;
mod games;
mod goldfish;
mod kept;
mod new;
mod play;
mod round;
mod share;
mod show;

use super::{Answer, Options, Outcome, Refusal, inputs, terminal};
use crate::matches::MatchError;

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

/// Why a match command failed, and whose answer it is.
#[derive(Debug)]
enum Failure {
    /// The call is wrong.
    Call(String),
    /// The answer is no.
    Refused(String),
}

impl Failure {
    fn call(message: impl Into<String>) -> Failure {
        Failure::Call(message.into())
    }

    fn refused(message: impl Into<String>) -> Failure {
        Failure::Refused(message.into())
    }
}

impl From<Refusal> for Failure {
    fn from(Refusal(message): Refusal) -> Failure {
        Failure::Call(message)
    }
}

impl From<MatchError> for Failure {
    fn from(error: MatchError) -> Failure {
        match error {
            MatchError::Call(told) => Failure::call(told.message),
            MatchError::Refused(told) => Failure::refused(told.message),
        }
    }
}

/// Says what somebody should know of a file that is all right.
fn warn(message: &str) {
    terminal::complain("warning", message);
}

/// Where chance comes from.
#[derive(Debug, clap::Args)]
struct Chance {
    /// A text that the deal follows from: for files that anyone can repeat, not for secrets
    #[arg(long, value_name = "TEXT", conflicts_with = "seed_part")]
    seed: Option<String>,
    /// What each person brings to a common seed: 64 hex digits; two or more
    #[arg(long, value_name = "HEX")]
    seed_part: Vec<String>,
    /// What each person committed to before the shares were shown; see `match share`
    #[arg(long, value_name = "HEX", requires = "seed_part")]
    committed: Vec<String>,
}

impl Chance {
    fn randomness(&self) -> Result<crate::matches::Randomness, Failure> {
        use crate::matches::Randomness;
        Ok(match (&self.seed, self.seed_part.as_slice()) {
            (Some(text), _) if text.trim().is_empty() => {
                return Err(Failure::call(
                    "--seed is empty: everybody would guess it; leave it out for a secret deal",
                ));
            }
            (Some(text), _) => Randomness::from_text(text),
            (None, []) => Randomness::from_system()?,
            (None, parts) => {
                if !self.committed.is_empty() {
                    share::check(parts, &self.committed)?;
                }
                Randomness::from_parts(parts)?
            }
        })
    }
}
