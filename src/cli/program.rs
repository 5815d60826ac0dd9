//! The commands of the program.

use super::options::{Output, Screen, kinds};
use super::output::{self, Text};
#[cfg(feature = "paper")]
use super::print;
use super::{Answer, CliError, Outcome, Run, defects, newcomers};
use super::{banlist, build, cards, check, convert, event, fix, formats, matches, odds, room};
#[cfg(feature = "server")]
use super::{publish, serve};
use super::{stats, tune};
use clap::error::ErrorKind;
use clap::{CommandFactory, Parser, Subcommand};
use std::ffi::OsString;

/// Judge decks of card games by each game's own rules.
#[derive(Debug, Parser)]
#[command(
    name = "decklaw",
    version,
    max_term_width = 100,
    after_help = "`decklaw COMMAND -h` shows a command's options, `--help` more about each.\n\nExit status: 0 success; 1 not legal, or the answer is no; 2 usage error; 3 bug."
)]
struct Cli {
    #[command(subcommand)]
    command: Command,
    #[command(flatten)]
    screen: Screen,
}

// A call has one command, so only its options are set up.
#[derive(Debug, Subcommand)]
#[command(defer = true)]
enum Command {
    /// Judge decks: files, folders, patterns, or - for standard input
    #[command(visible_alias = "validate")]
    Check(Box<check::Check>),
    /// Judge decks that a program writes, one per line
    Stream(check::Lines),
    /// Find the smallest change that makes a deck legal
    #[command(alias = "repair")]
    Fix(Box<fix::Fix>),
    /// Show how many more copies of each card fit, and what limits them
    Room(room::RoomOf),
    /// Bring cards in from the side deck with the fewest changes
    Swap(fix::Swapping),
    /// Build a legal deck from wishes, or explain why none exists
    Build(Box<build::Build>),
    /// Build a deck by hand in the browser
    #[cfg(feature = "server")]
    Edit(serve::Edit),
    /// Compute exact draw probabilities
    #[command(aliases = ["draw", "probability"])]
    Odds(Box<odds::Odds>),
    /// Find the few changes that improve a hand's odds most
    Tune(Box<tune::Tune>),
    /// Show what decks are made of: curve, types, colours, totals
    Stats(stats::Stats),
    /// Convert a deck to another file format
    Convert(convert::Convert),
    /// Print cards as a PDF, or registration sheets
    #[cfg(feature = "paper")]
    Print(Box<print::Print>),
    /// Start, continue, view and verify match files
    #[command(subcommand)]
    Match(matches::MatchCommand),
    /// Explain a rule with examples and its place in the rules text
    Explain(formats::Explain),
    /// List, show and check the cards of a game
    #[command(subcommand)]
    Cards(cards::Cards),
    /// List, show, check and fetch dated banlists
    #[command(subcommand)]
    Banlist(banlist::Lists),
    /// List, show and check games and formats
    #[command(subcommand)]
    Formats(formats::Formats),
    /// Serve the deck builder, events and tables to browsers
    #[cfg(feature = "server")]
    Serve(serve::Serve),
    /// Write a web page for one game that needs no server
    #[cfg(feature = "server")]
    Publish(publish::Publish),
    /// Run an event, from the first form to the last deck check
    #[command(subcommand)]
    Event(event::Events),
    /// Print completions for a shell
    Completions(Completions),
    /// Print the manual page
    Man(ManPage),
}

// Completions for a shell.
#[derive(Debug, clap::Args)]
#[command(mut_arg("output", kinds::<Text>))]
struct Completions {
    /// The shell
    shell: clap_complete::Shell,
    #[command(flatten)]
    output: Output,
}

// The manual page.
#[derive(Debug, clap::Args)]
#[command(mut_arg("output", kinds::<Text>))]
struct ManPage {
    #[command(flatten)]
    output: Output,
}

/// The commands in the groups of the help.
const GROUPS: [(&str, &[&str]); 5] = [
    (
        "Decks",
        &["check", "fix", "build", "edit", "room", "swap", "stats", "convert", "print", "stream"],
    ),
    ("Odds", &["odds", "tune"]),
    ("Events and matches", &["event", "match", "serve"]),
    ("Games", &["explain", "cards", "banlist", "formats", "publish"]),
    ("Setup", &["completions", "man"]),
];

/// The program with a help that lists its commands in groups.
fn grouped() -> clap::Command {
    let program = Cli::command();
    let mut commands = String::new();
    for (title, names) in GROUPS {
        commands += &format!("{title}:\n");
        for name in names {
            // A command of a feature that is not compiled is left out.
            if let Some(command) = program.find_subcommand(name) {
                let about = command.get_about().map(ToString::to_string).unwrap_or_default();
                commands += &format!("  {name:<12} {about}\n");
            }
        }
        commands.push('\n');
    }
    program.help_template(format!(
        "{{about-with-newline}}\n{{usage-heading}} {{usage}}\n\n{commands}Options:\n{{options}}{{after-help}}"
    ))
}

/// The commands with their options.
pub fn command() -> clap::Command {
    Cli::command()
}

/// Runs the program with the words of its call, its own name first, and returns its exit status.
pub fn main(arguments: Vec<OsString>) -> u8 {
    let run = Run::of(arguments);
    run.end_at_defects(3);
    defects::outlive_large_files();
    let Cli { command, screen } = match Cli::try_parse_from(&run.arguments) {
        Ok(cli) => cli,
        Err(error) => {
            let is_help = !error.use_stderr()
                || error.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand;
            let error = match grouped().try_get_matches_from(&run.arguments) {
                Err(help) if is_help => help,
                _ => error,
            };
            return run.instruct(&newcomers::helped(error, Cli::command, &run.arguments));
        }
    };
    let run = &run.with(screen);
    let answer = match &command {
        Command::Check(command) => command.run(run),
        Command::Stream(command) => command.run(run),
        Command::Fix(command) => command.run(run),
        Command::Room(command) => command.run(run),
        Command::Swap(command) => command.run(run),
        Command::Build(command) => command.run(run),
        #[cfg(feature = "server")]
        Command::Edit(command) => command.run(run),
        Command::Odds(command) => command.run(run),
        Command::Tune(command) => command.run(run),
        Command::Stats(command) => command.run(run),
        Command::Convert(command) => command.run(run),
        #[cfg(feature = "paper")]
        Command::Print(command) => command.run(run),
        Command::Match(command) => command.run(run),
        Command::Explain(command) => command.run(run),
        Command::Cards(command) => command.run(run),
        Command::Banlist(command) => command.run(run),
        Command::Formats(command) => command.run(run),
        #[cfg(feature = "server")]
        Command::Serve(command) => command.run(run),
        #[cfg(feature = "server")]
        Command::Publish(command) => command.run(run),
        Command::Event(command) => command.run(run),
        Command::Completions(command) => command.run(run),
        Command::Man(command) => command.run(run),
    };
    match answer {
        Ok(outcome) => outcome as u8,
        Err(CliError { message, is_refusal }) => {
            run.complain(if is_refusal { "refused" } else { "error" }, &message);
            if is_refusal { Outcome::No as u8 } else { 2 }
        }
    }
}

impl Completions {
    fn run(&self, run: &Run) -> Answer {
        let mut text = Vec::new();
        clap_complete::generate(self.shell, &mut Cli::command(), "decklaw", &mut text);
        let text = String::from_utf8_lossy(&text).into_owned();
        output::emit(run, &self.output, &Text::from(text))
    }
}

impl ManPage {
    fn run(&self, run: &Run) -> Answer {
        let mut page = Vec::new();
        clap_mangen::Man::new(Cli::command()).render(&mut page)?;
        let page = String::from_utf8_lossy(&page).into_owned();
        output::emit(run, &self.output, &Text::from(page))
    }
}

#[cfg(all(feature = "paper", feature = "server"))]
#[test]
fn each_command_is_in_one_group_of_the_help() {
    let mut grouped: Vec<&str> = GROUPS.iter().flat_map(|(_, names)| *names).copied().collect();
    let program = Cli::command();
    let mut all: Vec<&str> = program.get_subcommands().map(clap::Command::get_name).collect();
    grouped.sort_unstable();
    all.sort_unstable();
    assert_eq!(grouped, all);
}
