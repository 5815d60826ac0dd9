//! Options that several commands take: each command has those groups that it has a use for.

use crate::render::Written;
use crate::text::listed;
use clap::{Arg, ArgAction, ArgMatches, Args, Command, Error, FromArgMatches, ValueEnum};
use std::marker::PhantomData;

/// What every call may say, whatever it asks for.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "Common options")]
pub(super) struct Manners {
    // Told where a decklaw.yaml changes something, and in README.
    /// Ignore the decklaw.yaml of this folder
    #[arg(long, global = true, hide = true)]
    pub(super) no_local: bool,
    // Only `banlist fetch` uses the network, and names it.
    /// Never use the network
    #[arg(long, global = true, hide = true)]
    pub(super) offline: bool,
    /// auto, always or never
    #[arg(
        long,
        value_name = "WHEN",
        default_value = "auto",
        global = true,
        display_order = 1002,
        hide_possible_values = true,
        hide_default_value = true
    )]
    pub(super) color: Colour,
    /// Say less
    #[arg(short, long, global = true, display_order = 1003)]
    pub(super) quiet: bool,
    /// Say more
    #[arg(short, long, global = true, display_order = 1004)]
    pub(super) verbose: bool,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub(super) enum Colour {
    // In a terminal, unless NO_COLOR is set
    #[default]
    Auto,
    // Even in a pipe
    Always,
    // Not at all
    Never,
}

/// All that a call says; what its command does not take is as if nobody gave it.
#[derive(Debug, Clone, Default)]
pub(super) struct Options {
    pub(super) format: Option<String>,
    pub(super) cards: Vec<String>,
    pub(super) banlist: Option<String>,
    pub(super) as_of: Option<jiff::civil::Date>,
    pub(super) set: Vec<String>,
    pub(super) locked: Option<std::path::PathBuf>,
    pub(super) output: Vec<String>,
    pub(super) to: Option<std::path::PathBuf>,
    pub(super) replace: bool,
    pub(super) no_local: bool,
    pub(super) offline: bool,
    pub(super) color: Colour,
    pub(super) quiet: bool,
    pub(super) verbose: bool,
}

impl Options {
    /// Those of a call before its command has its say.
    pub(super) fn of(manners: Manners) -> Options {
        Options {
            no_local: manners.no_local,
            offline: manners.offline,
            color: manners.color,
            quiet: manners.quiet,
            verbose: manners.verbose,
            ..Options::default()
        }
    }
}

/// A group of options.
pub(super) trait Group: Args {
    /// Says in all options what stands in the group.
    fn put(&self, options: &mut Options);
}

// Two groups as one.
#[derive(Debug, Clone, Default)]
pub(super) struct Both<A, B>(A, B);

impl<A: FromArgMatches, B: FromArgMatches> FromArgMatches for Both<A, B> {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, Error> {
        Ok(Both(
            A::from_arg_matches(matches)?,
            B::from_arg_matches(matches)?,
        ))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        self.0.update_from_arg_matches(matches)?;
        self.1.update_from_arg_matches(matches)
    }
}

impl<A: Args, B: Args> Args for Both<A, B> {
    fn augment_args(command: Command) -> Command {
        B::augment_args(A::augment_args(command))
    }

    fn augment_args_for_update(command: Command) -> Command {
        B::augment_args_for_update(A::augment_args_for_update(command))
    }
}

impl<A: Group, B: Group> Group for Both<A, B> {
    fn put(&self, options: &mut Options) {
        self.0.put(options);
        self.1.put(options);
    }
}

// A command with the groups of options that it takes; its own options come first in its help. What
// is said of it is the command's: this has no words of its own, nor have the groups below.
#[derive(Debug, Args)]
pub(super) struct With<C: Args, G: Args> {
    #[command(flatten)]
    own: C,
    #[command(flatten)]
    common: G,
}

impl<C: Args, G: Group> With<C, G> {
    /// Runs the command by what its call says.
    pub(super) fn run<R>(&self, run: &super::Run, own: impl FnOnce(&C, &super::Run) -> R) -> R {
        own(&self.own, &run.saying(&self.common))
    }
}

/// Groups of options, each with what it is called in [`Options`].
macro_rules! groups {
    ($($name:ident { $($(#[$about:meta])* $field:ident: $type:ty,)* })*) => {$(
        #[derive(Debug, Clone, Default, Args)]
        #[command(next_help_heading = "Common options")]
        pub(super) struct $name {
            $($(#[$about])* $field: $type,)*
        }

        impl Group for $name {
            fn put(&self, options: &mut Options) {
                $(options.$field.clone_from(&self.$field);)*
            }
        }
    )*};
}

groups! {
    // Which rules a deck is judged by.
    Format {
        /// Judge by this format
        #[arg(long, value_name = "ID")]
        format: Option<String>,
    }
    // Which cards there are.
    Cards {
        /// Use these cards
        #[arg(long, value_name = "[GAME=]FILE")]
        cards: Vec<String>,
    }
    // Which list bans cards.
    List {
        /// Use this banlist
        #[arg(long, value_name = "ID|FILE|none")]
        banlist: Option<String>,
    }
    // On which day.
    Day {
        /// Judge as on this day [default: today]
        #[arg(long, value_name = "YYYY-MM-DD")]
        as_of: Option<jiff::civil::Date>,
    }
    // What the rules leave open.
    Settings {
        /// Settle what the rules leave open
        #[arg(long, value_name = "NAME=VALUE")]
        set: Vec<String>,
    }
    // All of these at once.
    Locked {
        /// Judge by a lock alone [decklaw.lock]
        #[arg(long, value_name = "FILE", num_args = 0..=1, require_equals = true, default_missing_value = super::inputs::LOCK_FILE)]
        locked: Option<std::path::PathBuf>,
    }
    // Where the answer goes.
    Place {
        /// Write there
        #[arg(long, value_name = "FILE")]
        to: Option<std::path::PathBuf>,
        /// Overwrite files
        #[arg(long)]
        replace: bool,
    }
}

// In which kinds an answer is written: those that answers of this type have.
pub(super) struct Kinds<R> {
    output: Vec<String>,
    of: PhantomData<fn(&R)>,
}

// Derived they would ask the same of the answer's type.
impl<R> std::fmt::Debug for Kinds<R> {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.output.fmt(out)
    }
}

impl<R> FromArgMatches for Kinds<R> {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, Error> {
        let output = matches.get_many::<String>("output");
        Ok(Kinds {
            output: output.into_iter().flatten().cloned().collect(),
            of: PhantomData,
        })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

impl<R: Written> Args for Kinds<R> {
    fn augment_args(command: Command) -> Command {
        let names: Vec<&str> = R::KINDS.iter().map(|kind| kind.name()).collect();
        let output = Arg::new("output")
            .short('o')
            .long("output")
            .value_name("KIND[=FILE]")
            .action(ArgAction::Append)
            .help_heading("Common options")
            .hide(names.len() == 1)
            .help(match names.as_slice() {
                [only] => (*only).to_owned(),
                names => listed(names, "or"),
            });
        command.arg(output)
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl<R: Written> Group for Kinds<R> {
    fn put(&self, options: &mut Options) {
        options.output.clone_from(&self.output);
    }
}

/// Where an answer goes, and what it is.
pub(super) type Writing<R> = Both<Kinds<R>, Place>;
/// What matches are played by: settings and format stand in their file.
pub(super) type OfMatch = Both<Cards, Both<List, Day>>;
/// What is judged by where a lock is made, or an event has its own.
pub(super) type Unlocked = Both<OfMatch, Settings>;
/// What is judged by where the call names the format itself.
pub(super) type OfFormat = Both<Unlocked, Locked>;
/// What is judged by.
pub(super) type Judging = Both<Format, OfFormat>;
/// What most commands take whose answers are of type `R`.
pub(super) type Full<R> = Both<Judging, Writing<R>>;
/// The cards of a game.
pub(super) type Pool = Both<Format, Cards>;
