//! Options for the events that change how a game draws, called as the game's own `odds.yaml`
//! calls them.

use super::odds::{ODDS, whole};
use crate::format::Catalogue;
use crate::odds::{DrawEvent, OddsDefaults};
use clap::{Arg, ArgAction, ArgMatches, Args, Command, FromArgMatches};
use std::collections::BTreeMap;
use std::sync::LazyLock;

/// The events that were told of, each with its turns. At most one can be.
#[derive(Debug, Clone, Default)]
pub(super) struct NamedEvents(pub(super) Vec<(String, Vec<u32>)>);

/// The events of the games that are built in, by their options. Those of other games are told
/// of with `--event`.
static KNOWN: LazyLock<BTreeMap<String, DrawEvent>> = LazyLock::new(|| {
    let catalogue = Catalogue::built_in();
    let events = catalogue.games().filter_map(|game| {
        let text = std::str::from_utf8(catalogue.file(game, ODDS)?).ok()?;
        let event = OddsDefaults::read(text).ok()?.event?;
        Some((event.option().to_owned(), event))
    });
    events.collect()
});

/// What the options are called.
pub(super) fn names() -> impl Iterator<Item = &'static str> {
    KNOWN.keys().map(String::as_str)
}

impl Args for NamedEvents {
    fn augment_args(command: Command) -> Command {
        let args = KNOWN.iter().map(|(option, event)| {
            let others = KNOWN.keys().filter(move |other| *other != option);
            Arg::new(option.as_str())
                .long(option.as_str())
                .value_name("TURN,…")
                .value_delimiter(',')
                .value_parser(whole)
                .action(ArgAction::Append)
                .conflicts_with("event")
                .conflicts_with_all(others.map(String::as_str))
                .help(format!("The same by its name in a game: {}", label(event)))
        });
        command.args(args)
    }

    fn augment_args_for_update(command: Command) -> Command {
        NamedEvents::augment_args(command)
    }
}

/// What happens, without the end of the sentence.
fn label(event: &DrawEvent) -> &str {
    let sentence = event.told.split(':').next().unwrap_or_default();
    sentence.trim_end_matches('.')
}

impl FromArgMatches for NamedEvents {
    fn from_arg_matches(matches: &ArgMatches) -> Result<NamedEvents, clap::Error> {
        let given = KNOWN.keys().filter_map(|option| {
            let turns = matches.get_many::<u32>(option)?;
            Some((option.clone(), turns.copied().collect()))
        });
        Ok(NamedEvents(given.collect()))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = NamedEvents::from_arg_matches(matches)?;
        Ok(())
    }
}
