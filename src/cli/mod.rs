//! The command line: one file a command. Only here is anything printed, the environment read
//! and the process ended.

mod answer;
mod asking;
mod banlist;
mod bar;
mod build;
mod cards;
mod check;
mod configuration;
mod convert;
mod deferred;
mod ending;
mod entries;
mod events;
mod files;
mod fix;
mod form;
mod formats;
mod inputs;
mod interruption;
mod jobs;
mod maker;
mod man;
mod marked;
mod matches;
mod misread;
mod occasion;
mod odds;
mod options;
mod output;
#[cfg(feature = "paper")]
mod print;
mod room;
mod run;
#[cfg(feature = "serve")]
mod serve;
mod side_by_side;
mod stats;
mod terminal;
mod tune;
mod uses;
mod walk;
mod wishes;
mod words;

use answer::{Answer, Outcome, Refusal, json_text};
pub use configuration::wrong_in_configuration;

use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};
use deferred::Deferred;
use options::Options;
use run::Run;
use std::process::ExitCode;

/// Judge decks of card games by each game's own rules.
#[derive(Debug, Parser)]
#[command(
    name = "decklaw",
    version,
    max_term_width = 100,
    after_help = "Exit status: 0 every deck is legal, or the command did its job; 1 a deck is not legal or the answer is no; 2 the call or a file that it names is wrong; 3 a defect in decklaw."
)]
struct Cli {
    #[command(subcommand)]
    command: Command,
    #[command(flatten)]
    options: Options,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Judge decks: files, folders, patterns, or - for standard input
    Check(check::Check),
    /// Whose verdict another banlist changes, and why
    Compare(Box<Deferred<check::Compare>>),
    /// Judge decks that a program writes, a line each
    Stream(Deferred<check::Lines>),
    /// The smallest edit that makes a deck legal
    Fix(Box<Deferred<fix::Fix>>),
    /// How many more copies of each card fit in a deck, and what limits them
    Room(Deferred<fix::RoomOf>),
    /// Bring cards in from the side deck: the smallest exchange
    Swap(Deferred<fix::Swapping>),
    /// A legal deck from wishes, or the reason that there is none
    Build(Box<Deferred<build::Build>>),
    /// Build a deck by hand, in the browser
    #[cfg(feature = "serve")]
    Edit(Deferred<serve::Edit>),
    /// Exact draw probabilities
    Odds(Box<Deferred<odds::Odds>>),
    /// The change of a few cards that is best for a hand's odds
    Tune(Box<Deferred<tune::Tune>>),
    /// What decks are made of: curve, types, colours, totals
    Stats(Deferred<stats::Stats>),
    /// A deck in another program's file format, or as a sheet to print
    Convert(Box<Deferred<convert::Convert>>),
    /// Cards to print and play, as a PDF
    #[cfg(feature = "paper")]
    Print(Box<Deferred<print::Print>>),
    /// Seed, advance, play, show and prove a match file
    #[command(subcommand)]
    Match(Deferred<matches::MatchCommand>),
    /// What a rule demands, where the rules text says so, and examples
    Explain(Deferred<formats::Explain>),
    /// The cards of a game; QUERY filters them
    #[command(subcommand)]
    Cards(Deferred<cards::Cards>),
    /// Dated banlists
    #[command(subcommand)]
    Banlist(Deferred<banlist::Lists>),
    /// The games and formats known here; lint for your own
    #[command(subcommand)]
    Formats(Deferred<formats::Formats>),
    /// The builder and the hand-in desk, in a browser
    #[cfg(feature = "serve")]
    Serve(Box<Deferred<serve::Serve>>),
    /// Events that a desk took in
    #[cfg(feature = "serve")]
    #[command(subcommand)]
    Event(Deferred<serve::Events>),
    /// Completions for a shell
    Completions {
        /// The shell
        shell: clap_complete::Shell,
    },
    /// The manual page, or one for every command
    Man(man::Manual),
}

/// Runs the program.
pub fn main() -> ExitCode {
    let run = Run::default();
    run.end_at_defects(3);
    interruption::outlive_large_files();
    let cli = match called() {
        Ok(Ok(cli)) => cli,
        Ok(Err(refusal)) => return refused(&run, refusal),
        Err(error) => {
            return match misread::explained(&error, Cli::command()) {
                Some(message) => refused(&run, Refusal(message)),
                None => run.instruct(&told_harmlessly(error)),
            };
        }
    };
    let run = &run.with(cli.options);
    let answer = match &cli.command {
        Command::Check(command) => command.run(run),
        Command::Explain(command) => command.0.run(run),
        Command::Formats(command) => command.0.run(run),
        Command::Cards(command) => command.0.run(run),
        Command::Banlist(command) => command.0.run(run),
        Command::Match(command) => command.0.run(run),
        Command::Completions { shell } => completions(*shell, run),
        Command::Man(command) => command.run(Cli::command(), run),
        Command::Stats(command) => command.0.run(run),
        Command::Convert(command) => command.0.run(run),
        #[cfg(feature = "paper")]
        Command::Print(command) => command.0.run(run),
        Command::Compare(command) => command.0.run(run),
        Command::Stream(command) => command.0.run(run),
        Command::Fix(command) => command.0.run(run),
        Command::Room(command) => command.0.run(run),
        Command::Swap(command) => command.0.run(run),
        Command::Build(command) => command.0.run(run),
        #[cfg(feature = "serve")]
        Command::Edit(command) => command.0.run(run),
        Command::Odds(command) => command.0.run(run),
        Command::Tune(command) => command.0.run(run),
        #[cfg(feature = "serve")]
        Command::Serve(command) => command.0.run(run),
        #[cfg(feature = "serve")]
        Command::Event(command) => command.0.run(run),
    };
    match answer {
        Ok(outcome) => ExitCode::from(outcome as u8),
        Err(refusal) => refused(run, refusal),
    }
}

/// The call. `Err` inside: an option that the command has no use for.
fn called() -> Result<Result<Cli, Refusal>, clap::Error> {
    let arguments: Vec<std::ffi::OsString> = std::env::args_os().collect();
    let mut command = Cli::command();
    let mut matches = command.try_get_matches_from_mut(&arguments)?;
    let idle = uses::refuse_idle(&matches).and_then(|()| uses::refuse_lost(&arguments, &matches));
    if let Err(refusal) = idle {
        return Ok(Err(refusal));
    }
    let cli = Cli::from_arg_matches_mut(&mut matches);
    Ok(Ok(cli.map_err(|error| error.format(&mut command))?))
}

fn refused(run: &Run, Refusal(message): Refusal) -> ExitCode {
    run.complain("error", &message);
    ExitCode::from(2)
}

/// What is wrong with a call, said of its words made harmless: a new line in one must not begin a
/// line of the program's own.
fn told_harmlessly(error: clap::Error) -> clap::Error {
    let harmless = |word: std::ffi::OsString| {
        crate::text::harmless(&word.to_string_lossy(), false).into_owned()
    };
    let words = std::env::args_os().map(harmless);
    Cli::try_parse_from(words).err().unwrap_or(error)
}

fn completions(shell: clap_complete::Shell, run: &Run) -> Answer {
    let mut text = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "decklaw", &mut text);
    let text = String::from_utf8_lossy(&text);
    output::answer(run, &output::TEXT, |()| Ok(text.to_string()))?;
    Ok(Outcome::Yes)
}
