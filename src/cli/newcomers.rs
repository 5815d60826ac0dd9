//! What to do about a call that clap refuses.

use crate::name::nearest;
use clap::Command;
use clap::error::{ContextKind, ContextValue, Error, ErrorKind};
use std::ffi::OsString;
use std::path::Path;

/// The error of a call with a suggestion: `check` before a deck's path, the command with the
/// nearest name or with the option that is meant, or an example of a call without a required
/// argument.
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
            let missing = strings(error, ContextKind::InvalidArg);
            let options = missing.iter().filter_map(|one| one.split(' ').next());
            let options: Vec<&str> = options.filter(|word| word.starts_with("--")).collect();
            let help = command.get_after_help()?.to_string();
            let lines = help.lines().map(str::trim).filter(|line| line.starts_with("decklaw "));
            // One that shows the option that is missing.
            let is_shown = |line: &&str| options.iter().all(|option| line.contains(option));
            let example = lines.clone().find(is_shown).or_else(|| lines.clone().next())?;
            Some(format!("an example is `{example}`"))
        }
        ErrorKind::ArgumentConflict => {
            long(command, "--submissions")?;
            let both = strings(error, ContextKind::InvalidArg).into_iter();
            let both: Vec<String> = both.chain(strings(error, ContextKind::PriorArg)).collect();
            let names = both.iter().filter_map(|one| one.split(' ').next());
            let form = names.filter_map(|name| long(command, name)).find(|option| {
                command.get_arg_conflicts_with(option).iter().any(|arg| arg.is_positional())
                    && option.get_id() != "submissions"
            })?;
            let name = form.get_long()?;
            Some(format!("`--{name}` goes with `--submissions FORM` and not with decks"))
        }
        ErrorKind::UnknownArgument => {
            let [word] = strings(error, ContextKind::InvalidArg).try_into().ok()?;
            let name = word.split('=').next().unwrap_or_default();
            let path = path_of(program, command);
            if !word.starts_with('-') {
                return (path == "decklaw stream").then(|| {
                    format!("`decklaw check {word}` checks files; `stream` reads standard input")
                });
            }
            let mut others = Vec::new();
            with_option(program, "decklaw", name, &mut others);
            if error.get(ContextKind::SuggestedArg).is_some() && others.is_empty() {
                return None;
            }
            error.remove(ContextKind::SuggestedArg);
            Some(match others.as_slice() {
                [] => format!("`{path} -h` lists its options"),
                [only] => format!("`{name}` is an option of `{only}`"),
                [first, second, rest @ ..] => {
                    let more = if rest.is_empty() { "" } else { " and others" };
                    format!("`{name}` is an option of `{first}`, `{second}`{more}")
                }
            })
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

/// What an error says of its arguments.
fn strings(error: &Error, kind: ContextKind) -> Vec<String> {
    match error.get(kind) {
        Some(ContextValue::String(word)) => vec![word.clone()],
        Some(ContextValue::Strings(words)) => words.clone(),
        _ => Vec::new(),
    }
}

/// The option of a command that is written so.
fn long<'c>(command: &'c Command, written: &str) -> Option<&'c clap::Arg> {
    let name = written.strip_prefix("--")?;
    command.get_arguments().find(|option| option.get_long() == Some(name))
}

/// The commands, in words, that have an option.
fn with_option(command: &Command, path: &str, option: &str, found: &mut Vec<String>) {
    for inner in command.get_subcommands() {
        let path = format!("{path} {}", inner.get_name());
        if long(inner, option).is_some() {
            found.push(path.clone());
        }
        with_option(inner, &path, option, found);
    }
}

/// A command in words, such as `decklaw match new`.
fn path_of(program: &Command, command: &Command) -> String {
    fn inside(at: &Command, path: &str, command: &Command) -> Option<String> {
        if std::ptr::eq(at, command) {
            return Some(path.to_owned());
        }
        let mut inner = at.get_subcommands();
        inner.find_map(|one| inside(one, &format!("{path} {}", one.get_name()), command))
    }
    inside(program, "decklaw", command).unwrap_or_else(|| "decklaw".to_owned())
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
