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
mod event;
mod files;
mod fix;
mod form;
mod formats;
mod inputs;
mod interruption;
mod jobs;
mod marked;
mod matches;
mod misread;
mod odds;
mod options;
mod output;
mod print;
mod proofs;
mod publish;
mod remedies;
mod room;
mod run;
mod serve;
mod sheets;
mod side_by_side;
mod stats;
mod terminal;
mod tune;
mod uses;
mod walk;
mod wishes;

use answer::{Answer, Outcome, Refusal};
use asking::OfDecks;
pub use configuration::wrong_in_configuration;

use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};
use deferred::Deferred;
use options::{Both, Full, Judging, Kinds, Manners, Options, Place, Unlocked, With, Writing};
use output::Text;
use run::Run;
use std::process::ExitCode;

/// Judge decks of card games by each game's own rules.
#[derive(Debug, Parser)]
#[command(
    name = "decklaw",
    version,
    max_term_width = 100,
    after_help = "Exit status: 0 legal, or done; 1 not legal, or no; 2 a wrong call or file; 3 a defect in decklaw."
)]
struct Cli {
    #[command(subcommand)]
    command: Command,
    #[command(flatten)]
    manners: Manners,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Judge decks: files, folders, patterns, or - for standard input
    Check(With<check::Check, Full<check::Verdicts>>),
    /// Judge decks that a program writes, a line each
    Stream(Deferred<With<check::Lines, Both<Judging, Kinds<check::Lines>>>>),
    /// The smallest edit that makes a deck legal
    Fix(Box<Deferred<With<fix::Fix, Full<fix::FixReport<'static>>>>>),
    /// How many more copies of each card fit in a deck, and what limits them
    Room(Deferred<With<fix::RoomOf, Full<room::RoomReport<'static>>>>),
    /// Bring cards in from the side deck: the smallest exchange
    Swap(Deferred<With<fix::Swapping, Full<fix::FixReport<'static>>>>),
    /// A legal deck from wishes, or the reason that there is none
    Build(Box<Deferred<With<build::Build, build::Common>>>),
    /// Build a deck by hand, in the browser
    Edit(Deferred<With<serve::Edit, Judging>>),
    /// Exact draw probabilities
    Odds(Box<Deferred<With<odds::Odds, Full<crate::odds::render::Shown<'static>>>>>),
    /// The change of a few cards that is best for a hand's odds
    Tune(Box<Deferred<With<tune::Tune, Full<crate::solve::tune::render::TuneReport<'static>>>>>),
    /// What decks are made of: curve, types, colours, totals
    Stats(Deferred<With<stats::Stats, Full<OfDecks<'static>>>>),
    /// A deck in another program's file format
    Convert(Box<Deferred<With<convert::Convert, Both<Judging, Place>>>>),
    /// Cards to print and play, as a PDF, or registration sheets
    Print(Box<Deferred<With<print::Print, Full<print::Printed>>>>),
    /// Seed, advance, play, show and prove a match file
    #[command(subcommand)]
    Match(Deferred<matches::MatchCommand>),
    /// What a rule demands, where the rules text says so, and examples
    Explain(Deferred<With<formats::Explain, Full<Text>>>),
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
    Serve(Box<Deferred<With<serve::Serve, Unlocked>>>),
    /// A page for one game that needs no server: rules, builder, odds, offline too
    Publish(Box<Deferred<With<publish::Publish, Unlocked>>>),
    /// An event, from the first form to the last deck check
    #[command(subcommand)]
    Event(Deferred<event::Events>),
    /// Completions for a shell
    Completions {
        /// The shell
        shell: clap_complete::Shell,
        #[command(flatten)]
        common: Writing<Text>,
    },
    /// The manual page
    Man {
        #[command(flatten)]
        common: Writing<Text>,
    },
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
                None => run.instruct(&harmless_error(error)),
            };
        }
    };
    let run = &run.with(Options::of(cli.manners));
    let answer = match &cli.command {
        Command::Check(command) => command.run(run, check::Check::run),
        Command::Explain(command) => command.0.run(run, formats::Explain::run),
        Command::Formats(command) => command.0.run(run),
        Command::Cards(command) => command.0.run(run),
        Command::Banlist(command) => command.0.run(run),
        Command::Match(command) => command.0.run(run),
        Command::Completions { shell, common } => completions(*shell, &run.saying(common)),
        Command::Man { common } => manual(&run.saying(common)),
        Command::Stats(command) => command.0.run(run, stats::Stats::run),
        Command::Convert(command) => command.0.run(run, convert::Convert::run),
        Command::Print(command) => command.0.run(run, print::Print::run),
        Command::Stream(command) => command.0.run(run, check::Lines::run),
        Command::Fix(command) => command.0.run(run, fix::Fix::run),
        Command::Room(command) => command.0.run(run, fix::RoomOf::run),
        Command::Swap(command) => command.0.run(run, fix::Swapping::run),
        Command::Build(command) => command.0.run(run, build::Build::run),
        Command::Edit(command) => command.0.run(run, serve::Edit::run),
        Command::Odds(command) => command.0.run(run, odds::Odds::run),
        Command::Tune(command) => command.0.run(run, tune::Tune::run),
        Command::Serve(command) => command.0.run(run, serve::Serve::run),
        Command::Publish(command) => command.0.run(run, publish::Publish::run),
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
    if let Err(refusal) = uses::refuse_idle(&matches) {
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
fn harmless_error(error: clap::Error) -> clap::Error {
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
    output::emit(run, &output::Text::from(text.into_owned()), &[])
}

fn manual(run: &Run) -> Answer {
    let mut page = Vec::new();
    clap_mangen::Man::new(Cli::command()).render(&mut page)?;
    let page = String::from_utf8_lossy(&page).into_owned();
    output::emit(run, &output::Text::from(page), &[])
}
