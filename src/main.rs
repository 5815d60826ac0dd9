//! decklaw on the command line.

mod cli {
    pub(crate) mod matches;
}

use clap::Parser;
use std::process::ExitCode;

/// Judges decks of card games.
#[derive(Debug, Parser)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, clap::Subcommand)]
enum Command {
    /// Seed, advance, show and prove a match file
    #[command(subcommand)]
    Match(cli::matches::MatchCommand),
}

fn main() -> ExitCode {
    let Command::Match(command) = Cli::parse().command;
    match command.run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            eprintln!("{failure}");
            ExitCode::from(failure.status)
        }
    }
}
