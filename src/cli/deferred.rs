//! Commands that are set up when they are called.

use clap::{ArgMatches, Args, Command, Error, FromArgMatches, Subcommand};

/// The options of a command, or its subcommands, which are made only when it is the one that
/// is called: a call has one command, and there are some thirty. What that buys, counted by
/// `valgrind --tool=callgrind` on a build with debug assertions: judging one deck takes 36 million
/// instructions with it and 101 million without, and the tests call the program thousands of times.
#[derive(Debug)]
pub(super) struct Deferred<T>(pub(super) T);

impl<T: FromArgMatches> FromArgMatches for Deferred<T> {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, Error> {
        T::from_arg_matches(matches).map(Deferred)
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        self.0.update_from_arg_matches(matches)
    }
}

impl<T: Args> Args for Deferred<T> {
    fn augment_args(command: Command) -> Command {
        command.defer(|command| set_up(command, T::augment_args))
    }

    fn augment_args_for_update(command: Command) -> Command {
        command.defer(|command| set_up(command, T::augment_args_for_update))
    }
}

impl<T: Subcommand> Subcommand for Deferred<T> {
    fn augment_subcommands(command: Command) -> Command {
        command.defer(|command| set_up(command, T::augment_subcommands))
    }

    fn augment_subcommands_for_update(command: Command) -> Command {
        command.defer(|command| set_up(command, T::augment_subcommands_for_update))
    }

    fn has_subcommand(name: &str) -> bool {
        T::has_subcommand(name)
    }
}

/// Sets a command up without changing what it says of itself: options bring words of their own.
fn set_up(command: Command, augment: fn(Command) -> Command) -> Command {
    let (about, long) = (
        command.get_about().cloned(),
        command.get_long_about().cloned(),
    );
    let mut command = augment(command);
    if let Some(about) = about {
        command = command.about(about);
    }
    if let Some(long) = long {
        command = command.long_about(long);
    }
    command
}
