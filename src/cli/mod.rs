//! The command line: one file a command. Only here is anything printed, the environment read
//! and the process ended.

mod banlist;
mod bar;
mod build;
mod cards;
mod check;
mod configuration;
mod convert;
mod deferred;
mod editor;
mod files;
mod fix;
mod form;
mod formats;
mod inputs;
mod interruption;
mod jobs;
mod matches;
mod odds;
mod output;
mod room;
#[cfg(feature = "serve")]
mod serve;
mod side_by_side;
mod stats;
mod terminal;
mod tune;
mod walk;
mod wishes;

use clap::{Args, CommandFactory, Parser, Subcommand, ValueEnum};
use deferred::Deferred;
use std::process::ExitCode;

/// What a command answered, as an exit status.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Outcome {
    /// Every deck is legal, or the command did its job.
    Yes = 0,
    /// A deck is not legal or cannot be read, or the answer is no.
    No = 1,
}

/// Why a command could not be carried out: the call or a file that it names is wrong.
#[derive(Debug)]
struct Refusal(String);

impl<E: std::error::Error> From<E> for Refusal {
    fn from(error: E) -> Self {
        let mut message = error.to_string();
        let mut cause = error.source();
        while let Some(inner) = cause {
            message.push_str(&format!(": {inner}"));
            cause = inner.source();
        }
        Refusal(message)
    }
}

type Answer = Result<Outcome, Refusal>;

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

/// Options of every command.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Options of every command")]
struct Options {
    /// Judge as this format, whatever a deck says itself
    #[arg(long, value_name = "ID", global = true)]
    format: Option<String>,
    /// A card file in place of the built-in cards; GAME=FILE says for which game
    #[arg(long, value_name = "[GAME=]FILE", global = true)]
    cards: Vec<String>,
    /// A banlist by its id or file, or none
    #[arg(long, value_name = "ID|FILE|none", global = true)]
    banlist: Option<String>,
    /// Leave the decklaw.yaml of the current folder aside
    #[arg(long, global = true)]
    no_local: bool,
    /// The day whose dated lists apply [default: today]
    #[arg(long, value_name = "YYYY-MM-DD", global = true)]
    as_of: Option<jiff::civil::Date>,
    /// A setting that the rules text leaves open
    #[arg(long, value_name = "NAME=VALUE", global = true)]
    set: Vec<String>,
    /// Kind of output, or KIND=FILE, which may be repeated
    #[arg(short, long, value_name = "KIND[=FILE]", global = true)]
    output: Vec<String>,
    /// Write the output to a file
    #[arg(long, value_name = "FILE", global = true)]
    to: Option<std::path::PathBuf>,
    /// Let the output take the place of a file that exists already
    #[arg(long, global = true)]
    replace: bool,
    /// Never use the network
    #[arg(long, global = true)]
    offline: bool,
    /// Colours
    #[arg(long, value_name = "WHEN", default_value = "auto", global = true)]
    color: Colour,
    /// Say less
    #[arg(short, long, global = true)]
    quiet: bool,
    /// Say more
    #[arg(short, long, global = true)]
    verbose: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Colour {
    /// In a terminal, unless NO_COLOR is set
    Auto,
    /// Even in a pipe
    Always,
    /// Not at all
    Never,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Judge decks: files, folders, patterns, or - for standard input
    Check(check::Check),
    /// The smallest edit that makes a deck legal
    Fix(Box<Deferred<fix::Fix>>),
    /// A legal deck from wishes, or the reason that there is none
    Build(Box<Deferred<build::Build>>),
    /// Exact draw probabilities
    Odds(Box<Deferred<odds::Odds>>),
    /// The change of a few cards that is best for a hand's odds
    Tune(Box<Deferred<tune::Tune>>),
    /// What decks are made of: curve, types, colours, totals
    Stats(Deferred<stats::Stats>),
    /// A deck in another program's file format, or as a sheet to print
    Convert(Box<Deferred<convert::Convert>>),
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
    /// The manual page
    Man,
}

/// Runs the program.
pub fn main() -> ExitCode {
    interruption::end_at_defects(3);
    interruption::outlive_large_files();
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => return terminal::instruct(&error),
    };
    if cli.options.replace {
        files::let_replace();
    }
    let answer = match &cli.command {
        Command::Check(command) => command.run(&cli.options),
        Command::Explain(command) => command.0.run(&cli.options),
        Command::Formats(command) => command.0.run(&cli.options),
        Command::Cards(command) => command.0.run(&cli.options),
        Command::Banlist(command) => command.0.run(&cli.options),
        Command::Match(command) => command.0.run(&cli.options),
        Command::Completions { shell } => completions(*shell, &cli.options),
        Command::Man => manual(&cli.options),
        Command::Stats(command) => command.0.run(&cli.options),
        Command::Convert(command) => command.0.run(&cli.options),
        Command::Fix(command) => command.0.run(&cli.options),
        Command::Build(command) => command.0.run(&cli.options),
        Command::Odds(command) => command.0.run(&cli.options),
        Command::Tune(command) => command.0.run(&cli.options),
        #[cfg(feature = "serve")]
        Command::Serve(command) => command.0.run(&cli.options),
        #[cfg(feature = "serve")]
        Command::Event(command) => command.0.run(&cli.options),
    };
    match answer {
        Ok(outcome) => ExitCode::from(outcome as u8),
        Err(Refusal(message)) => {
            terminal::complain("error", &message);
            ExitCode::from(2)
        }
    }
}

fn completions(shell: clap_complete::Shell, options: &Options) -> Answer {
    let mut text = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "decklaw", &mut text);
    let text = String::from_utf8_lossy(&text);
    output::answer(options, &output::TEXT, |()| Ok(text.to_string()))?;
    Ok(Outcome::Yes)
}

fn manual(options: &Options) -> Answer {
    let mut text = Vec::new();
    clap_mangen::Man::new(Cli::command()).render(&mut text)?;
    let text = String::from_utf8_lossy(&text);
    output::answer(options, &output::TEXT, |()| Ok(text.to_string()))?;
    Ok(Outcome::Yes)
}

fn json_text(value: &serde_json::Value) -> Result<String, Refusal> {
    Ok(serde_json::to_string_pretty(value)? + "\n")
}
