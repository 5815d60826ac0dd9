//! `decklaw match`: seed a match, decide, look, prove, print, play on.

mod decide;
mod files;
mod games;
mod new;
mod play;
mod round;
mod show;

use decklaw::matches::MatchError;
use std::fmt;
use std::path::PathBuf;

/// The commands on match files.
#[derive(Debug, clap::Subcommand)]
pub(crate) enum MatchCommand {
    /// Seed a match: a start position from legal decks
    New(new::New),
    /// Record decisions that are pending: all of them, or none
    Decide(decide::Decide),
    /// What one seat, or the public, may see
    View(show::ViewOf),
    /// Build the match again from its inputs and compare
    Verify(show::Verify),
    /// The whole match, for a judge to read
    Show(show::Show),
    /// A start position on paper, the hidden part on pages of its own
    Sheet(show::SheetOf),
    /// The next game of the same match
    Next(decide::Next),
    /// The commitment to a round's secret, to be published before the round
    Commit(round::Commit),
    /// Seed every table of a round
    Round(round::Round),
    /// Play on from a match: two people, one keyboard, no rules
    Play(play::PlayOn),
}

impl MatchCommand {
    /// Runs the command.
    ///
    /// # Errors
    /// What went wrong, with the exit status that it means.
    pub(crate) fn run(&self) -> Result<(), Failure> {
        match self {
            MatchCommand::New(command) => command.run(),
            MatchCommand::Decide(command) => command.run(),
            MatchCommand::View(command) => command.run(),
            MatchCommand::Verify(command) => command.run(),
            MatchCommand::Show(command) => command.run(),
            MatchCommand::Sheet(command) => command.run(),
            MatchCommand::Next(command) => command.run(),
            MatchCommand::Commit(command) => command.run(),
            MatchCommand::Round(command) => command.run(),
            MatchCommand::Play(command) => command.run(),
        }
    }
}

/// Why a match command failed, and the exit status that says whose answer it is.
#[derive(Debug)]
pub(crate) struct Failure {
    /// 1: the answer is no. 2: the call is wrong.
    pub(crate) status: u8,
    /// A sentence or more, harmless to a terminal.
    pub(crate) message: String,
}

impl Failure {
    fn call(message: impl Into<String>) -> Failure {
        Failure::of(2, message.into())
    }

    fn refused(message: impl Into<String>) -> Failure {
        Failure::of(1, message.into())
    }

    fn of(status: u8, message: String) -> Failure {
        let message = decklaw::text::harmless(&message, true).into_owned();
        Failure { status, message }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl From<MatchError> for Failure {
    fn from(error: MatchError) -> Failure {
        match error {
            MatchError::Call(message) => Failure::call(message),
            MatchError::Refused(message) => Failure::refused(message),
        }
    }
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
}

impl Chance {
    fn randomness(&self) -> Result<decklaw::matches::Randomness, Failure> {
        use decklaw::matches::Randomness;
        Ok(match (&self.seed, self.seed_part.as_slice()) {
            (Some(text), _) => Randomness::from_text(text),
            (None, []) => Randomness::from_system()?,
            (None, parts) => Randomness::from_parts(parts)?,
        })
    }
}

/// Where a match file goes.
#[derive(Debug, clap::Args)]
struct Target {
    /// Write to this file, readable by you alone, instead of standard output
    #[arg(long, value_name = "FILE")]
    to: Option<PathBuf>,
}

/// Card files that replace the built-in pool.
#[derive(Debug, clap::Args)]
struct CardFiles {
    /// A card file instead of the built-in pool
    #[arg(long, value_name = "FILE")]
    cards: Vec<String>,
}

/// The day as of which rules and lists apply.
fn today() -> decklaw::banlist::Date {
    jiff::Zoned::now().date()
}
