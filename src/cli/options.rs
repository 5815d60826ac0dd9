//! Options that several commands take.

use crate::render::Written;
use crate::submissions::TimeOrder;
use clap::{Arg, Args, ValueEnum};
use jiff::civil::Date;
use jiff::tz::TimeZone;
use std::path::PathBuf;
use std::str::FromStr;

/// The lock file of an event, unless another is named.
pub(super) const LOCK_FILE: &str = "decklaw.lock";

/// One `-o` of a call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct OutputArg {
    /// The kind, unless the file's ending says it.
    pub(super) kind: Option<String>,
    pub(super) file: Option<PathBuf>,
}

impl OutputArg {
    /// A kind of output, in a file of its own or not.
    pub(super) fn new(kind: &str, file: Option<PathBuf>) -> OutputArg {
        let kind = Some(kind.to_owned());
        OutputArg { kind, file }
    }

    /// Whether it asks for a kind by its name.
    pub(super) fn is(&self, kind: &str) -> bool {
        self.kind.as_deref() == Some(kind)
    }
}

impl FromStr for OutputArg {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<OutputArg, Self::Err> {
        let (kind, file) = match text.split_once('=') {
            Some((kind, file)) => (Some(kind), Some(file)),
            None if text.contains(['.', '/', '\\']) => (None, Some(text)),
            None => (Some(text), None),
        };
        if kind == Some("") || file == Some("") {
            return Err("write KIND, KIND=FILE or FILE.ending");
        }
        Ok(OutputArg { kind: kind.map(str::to_owned), file: file.map(PathBuf::from) })
    }
}

// What every command takes.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "Common options")]
pub(super) struct Screen {
    /// Use colours: auto, always or never
    #[arg(
        long,
        global = true,
        value_name = "WHEN",
        default_value = "auto",
        hide_possible_values = true
    )]
    pub(super) color: Colour,
    /// Print less
    #[arg(short, long, global = true)]
    pub(super) quiet: bool,
    /// Print more
    #[arg(short, long, global = true)]
    pub(super) verbose: bool,
}

/// Whether colours are used.
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

// The cards and the list that rules are applied to.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "Common options")]
pub(super) struct Rules {
    /// Use these cards
    ///
    /// They replace the built-in cards of a game. Example: `--cards vainqueur=my-cards.csv`
    #[arg(long, value_name = "[GAME=]FILE")]
    pub(super) cards: Vec<String>,
    /// Use this banlist
    #[arg(long, value_name = "ID|FILE|none")]
    pub(super) banlist: Option<String>,
    #[command(flatten)]
    pub(super) day: Day,
}

// The day of the run, and the configuration that counts.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "Common options")]
pub(super) struct Day {
    /// Judge as on this day [default: today]
    #[arg(long, value_name = "YYYY-MM-DD", value_parser = day)]
    pub(super) as_of: Option<Date>,
    #[command(flatten)]
    pub(super) configured: ConfigurationOptions,
}

// The configuration that counts.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "Common options")]
pub(super) struct ConfigurationOptions {
    /// Ignore ./decklaw.yaml
    #[arg(long)]
    pub(super) no_local: bool,
}

// Rules with the settings that the rules text leaves open.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "Common options")]
pub(super) struct Settled {
    /// Set what the rules leave open
    ///
    /// `formats show FORMAT` lists the settings of its rules and of its matches. Example:
    /// `--set min=40`
    #[arg(long, value_name = "NAME=VALUE")]
    pub(super) set: Vec<Setting>,
    #[command(flatten)]
    pub(super) rules: Rules,
}

// What decks of a named format are judged by.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "Common options")]
pub(super) struct OfFormat {
    #[command(flatten)]
    pub(super) settled: Settled,
    /// Judge by a lock file alone [default: decklaw.lock]
    ///
    /// `banlist lock` writes one: copies of rules, cards, lists and settings.
    #[arg(long, value_name = "FILE", num_args = 0..=1, require_equals = true, default_missing_value = LOCK_FILE)]
    pub(super) locked: Option<PathBuf>,
}

// What decks are judged by.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "Common options")]
pub(super) struct Judging {
    /// Judge by this format
    #[arg(long, value_name = "ID")]
    pub(super) format: Option<String>,
    #[command(flatten)]
    pub(super) by: OfFormat,
}

// The cards of a game.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "Common options")]
pub(super) struct Pool {
    /// The game's format
    #[arg(long, value_name = "ID")]
    pub(super) format: Option<String>,
    /// Use these cards
    ///
    /// They replace the built-in cards of a game. Example: `--cards vainqueur=my-cards.csv`
    #[arg(long, value_name = "[GAME=]FILE")]
    pub(super) cards: Vec<String>,
    #[command(flatten)]
    pub(super) configured: ConfigurationOptions,
}

impl Judging {
    /// The card files of the call.
    pub(super) fn cards(&self) -> &[String] {
        &self.by.settled.rules.cards
    }

    /// The day of the run.
    pub(super) fn day(&self) -> Date {
        self.as_of().unwrap_or_else(today)
    }

    /// The day of the call.
    pub(super) fn as_of(&self) -> Option<Date> {
        self.by.settled.rules.day.as_of
    }

    /// The banlist of the call.
    pub(super) fn banlist(&self) -> Option<&str> {
        self.by.settled.rules.banlist.as_deref()
    }

    /// Whether the configuration of this folder is ignored.
    pub(super) fn no_local(&self) -> bool {
        self.by.settled.rules.day.configured.no_local
    }

    /// The same for another format.
    pub(super) fn of(&self, format: Option<&str>) -> Judging {
        Judging { format: format.map(str::to_owned), by: self.by.clone() }
    }
}

impl From<OfFormat> for Judging {
    fn from(by: OfFormat) -> Judging {
        Judging { format: None, by }
    }
}

impl From<Settled> for Judging {
    fn from(settled: Settled) -> Judging {
        let locked = None;
        OfFormat { settled, locked }.into()
    }
}

impl From<Rules> for Judging {
    fn from(rules: Rules) -> Judging {
        let set = Vec::new();
        Settled { set, rules }.into()
    }
}

impl From<Day> for Judging {
    fn from(day: Day) -> Judging {
        let rules = Rules { day, ..Rules::default() };
        rules.into()
    }
}

impl From<ConfigurationOptions> for Judging {
    fn from(configured: ConfigurationOptions) -> Judging {
        let as_of = None;
        Day { as_of, configured }.into()
    }
}

impl From<Pool> for Judging {
    fn from(pool: Pool) -> Judging {
        let mut judging = Judging::from(pool.configured);
        judging.format = pool.format;
        judging.by.settled.rules.cards = pool.cards;
        judging
    }
}

/// A setting of the call.
#[derive(Debug, Clone)]
pub(super) struct Setting {
    pub(super) name: String,
    pub(super) value: String,
}

impl FromStr for Setting {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Setting, Self::Err> {
        let (name, value) = text
            .split_once('=')
            .filter(|(name, _)| !name.trim().is_empty())
            .ok_or("write NAME=VALUE, such as unknown=notice")?;
        Ok(Setting { name: name.trim().to_owned(), value: value.trim().to_owned() })
    }
}

/// A day of the call.
pub(super) fn day(text: &str) -> Result<Date, &'static str> {
    text.parse().map_err(|_| "write a day as YYYY-MM-DD, such as 2026-03-01")
}

// Where the answer goes.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "Common options")]
pub(super) struct Output {
    /// What to write: its kind, or a file whose ending says it
    #[arg(short, long = "output", value_name = "KIND[=FILE]")]
    pub(super) output: Vec<OutputArg>,
    #[command(flatten)]
    pub(super) place: Place,
}

// A file for the answer.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "Common options")]
pub(super) struct Place {
    /// Write to this file
    #[arg(long, value_name = "FILE")]
    pub(super) to: Option<PathBuf>,
    /// Replace files
    #[arg(long)]
    pub(super) replace: bool,
}

/// The help of `-o` in a command whose answers are of type `R`.
pub(super) fn kinds<R: Written>(output: Arg) -> Arg {
    let names: Vec<&str> = R::KINDS.iter().map(|kind| kind.name()).collect();
    output.help(crate::text::listed(&names, "or")).hide(names.len() == 1)
}

/// The order of dates in a form.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub(super) enum Dates {
    // 2026/03/01
    #[value(name = "year-first")]
    Year,
    // 1/3/2026
    #[value(name = "day-first")]
    Day,
    // 3/1/2026
    #[value(name = "month-first")]
    Month,
}

impl From<Dates> for TimeOrder {
    fn from(dates: Dates) -> TimeOrder {
        match dates {
            Dates::Year => TimeOrder::YearFirst,
            Dates::Day => TimeOrder::DayFirst,
            Dates::Month => TimeOrder::MonthFirst,
        }
    }
}

/// Today where the machine is. Without `TZ` that is what `/etc/localtime` says; the name of its
/// zone is of no use here, and looking it up would list the whole time-zone database.
pub(super) fn today() -> Date {
    let local = match std::env::var_os("TZ") {
        None => std::fs::read("/etc/localtime").ok(),
        Some(_) => None,
    };
    match local.and_then(|rules| TimeZone::tzif("", &rules).ok()) {
        Some(zone) => jiff::Timestamp::now().to_zoned(zone).date(),
        None => jiff::Zoned::now().date(),
    }
}

#[cfg(test)]
mod tests {
    /// The day is that of the library's own look-up of the system's zone, before or after it.
    #[test]
    fn today_is_the_day_of_the_systems_zone() {
        let before = jiff::Zoned::now().date();
        let today = super::today();
        let after = jiff::Zoned::now().date();
        assert!((before..=after).contains(&today), "{before} {today} {after}");
    }
}
