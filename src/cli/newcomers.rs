//! What to do about a call that clap refuses.

use crate::name::nearest;
use clap::Command;
use clap::error::{ContextKind, ContextValue, Error, ErrorKind};
use std::ffi::OsString;
use std::path::Path;

/// The error of a call with a suggestion: `check` before a deck's path, the command with the
/// nearest name, or an example of a call without a required argument.
pub(super) fn helped(
    mut error: Error,
    program: impl FnOnce() -> Command,
    arguments: &[OsString],
) -> Error {
    // Help and the version are printed as errors, too.
    if !error.use_stderr() {
        return error;
    }
    let Some(suggestion) = suggestion(&mut error, &mut program(), arguments) else {
        return error;
    };
    let suggestion = ContextValue::StyledStrs(vec![suggestion.into()]);
    error.insert(ContextKind::Suggested, suggestion);
    error
}

fn suggestion(error: &mut Error, program: &mut Command, arguments: &[OsString]) -> Option<String> {
    program.build();
    let command = called(program, arguments);
    match error.kind() {
        ErrorKind::MissingRequiredArgument => {
            let help = command.get_after_help()?.to_string();
            let mut lines = help.lines().map(str::trim);
            let example = lines.find(|line| line.starts_with("decklaw "))?;
            Some(format!("an example is `{example}`"))
        }
        ErrorKind::InvalidSubcommand => {
            let word = match error.get(ContextKind::InvalidSubcommand)? {
                ContextValue::String(word) => word.clone(),
                _ => return None,
            };
            let names = command.get_subcommands().map(Command::get_name);
            let names: Vec<&str> = names.filter(|name| *name != "help").collect();
            if std::ptr::eq(command, program)
                && (Path::new(&word).exists() || word.contains(['.', '/', '*']))
            {
                return Some(format!("did you mean `decklaw check {word}`?"));
            }
            error.remove(ContextKind::SuggestedSubcommand);
            Some(match nearest(&word, names.iter().copied()).as_slice() {
                [] => format!("the commands are {}", crate::text::listed(&names, "and")),
                near => format!("did you mean {}?", crate::text::listed(near, "or")),
            })
        }
        _ => None,
    }
}

/// The command that the call names.
fn called<'c>(program: &'c Command, arguments: &[OsString]) -> &'c Command {
    let mut command = program;
    for word in arguments.iter().skip(1) {
        match command.find_subcommand(word) {
            Some(next) => command = next,
            // The value of an option, such as `--color always`.
            None if std::ptr::eq(command, program) => {}
            None if word.as_encoded_bytes().starts_with(b"-") => {}
            None => break,
        }
    }
    command
}
