//! The options that commands have in common.

use clap::{Args, ValueEnum};

/// Options that commands have in common; `uses` says which command has a use for which.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "Common options")]
pub(super) struct Options {
    /// Judge as this format, whatever a deck says itself
    #[arg(long, value_name = "ID", global = true)]
    pub(super) format: Option<String>,
    /// A card file in place of the built-in cards; GAME=FILE says for which game
    #[arg(long, value_name = "[GAME=]FILE", global = true)]
    pub(super) cards: Vec<String>,
    /// A banlist by its id or file, or none
    #[arg(long, value_name = "ID|FILE|none", global = true)]
    pub(super) banlist: Option<String>,
    /// Leave the decklaw.yaml of the current folder aside
    #[arg(long, global = true)]
    pub(super) no_local: bool,
    /// Judge by what a lock file keeps, and nothing else [without FILE: decklaw.lock]
    #[arg(long, value_name = "FILE", num_args = 0..=1, require_equals = true, default_missing_value = super::inputs::LOCK_FILE, global = true)]
    pub(super) locked: Option<std::path::PathBuf>,
    /// The day whose dated lists apply [default: today]
    #[arg(long, value_name = "YYYY-MM-DD", global = true)]
    pub(super) as_of: Option<jiff::civil::Date>,
    /// A setting that the rules text leaves open
    #[arg(long, value_name = "NAME=VALUE", global = true)]
    pub(super) set: Vec<String>,
    /// Kind of output, or KIND=FILE, which may be repeated
    #[arg(short, long, value_name = "KIND[=FILE]", global = true)]
    pub(super) output: Vec<String>,
    /// Write the output to a file
    #[arg(long, value_name = "FILE", global = true)]
    pub(super) to: Option<std::path::PathBuf>,
    /// Let the output take the place of a file that exists already
    #[arg(long, global = true)]
    pub(super) replace: bool,
    /// Never use the network
    #[arg(long, global = true)]
    pub(super) offline: bool,
    /// Colours
    #[arg(long, value_name = "WHEN", default_value = "auto", global = true)]
    pub(super) color: Colour,
    /// Say less
    #[arg(short, long, global = true)]
    pub(super) quiet: bool,
    /// Say more
    #[arg(short, long, global = true)]
    pub(super) verbose: bool,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub(super) enum Colour {
    /// In a terminal, unless NO_COLOR is set
    #[default]
    Auto,
    /// Even in a pipe
    Always,
    /// Not at all
    Never,
}
