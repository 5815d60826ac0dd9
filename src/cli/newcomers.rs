//! Suggestions for calls that name no command.

use crate::name::nearest;
use clap::error::{ContextKind, ContextValue, Error, ErrorKind};
use std::path::Path;

/// An error of a call with what was probably meant: `check` before a deck's path, or the command
/// with the nearest name.
pub(super) fn helped(mut error: Error, command: &clap::Command) -> Error {
    if error.kind() != ErrorKind::InvalidSubcommand {
        return error;
    }
    let Some(ContextValue::String(word)) = error.get(ContextKind::InvalidSubcommand) else {
        return error;
    };
    if Path::new(word).exists() || word.contains(['.', '/', '*']) {
        let meant = format!("did you mean `decklaw check {word}`?");
        let meant = ContextValue::StyledStrs(vec![meant.into()]);
        error.insert(ContextKind::Suggested, meant);
    } else if error.get(ContextKind::SuggestedSubcommand).is_none() {
        let near = nearest(word, command.get_subcommands().map(clap::Command::get_name));
        let near = near.into_iter().map(str::to_owned).collect();
        error.insert(
            ContextKind::SuggestedSubcommand,
            ContextValue::Strings(near),
        );
    }
    error
}
