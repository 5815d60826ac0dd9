//! The result of a command: an exit status, or why it could not be carried out.

use crate::Problem;
use crate::banlist::TwoInForce;
use crate::banlist::lock::LockBroken;
use crate::judge::JudgeError;
use crate::report::human::{self, Style};
use crate::submissions::SubmissionError;
use std::error::Error;
use std::io;

/// What a command answered, as an exit status.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Outcome {
    /// Every deck is legal, or the command did its job.
    Yes = 0,
    /// A deck is not legal or cannot be read, or the answer is no.
    No = 1,
}

/// Why a command could not be carried out: the call or a file that it names is wrong.
#[derive(Debug)]
pub(super) struct CliError(pub(super) String);

impl<E: std::error::Error + 'static> From<E> for CliError {
    fn from(error: E) -> Self {
        CliError(message(&error))
    }
}

pub(super) type Answer = Result<Outcome, CliError>;

/// Why the system does not do something with a file, without its numbers.
pub(super) fn io_message(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::NotFound => "no such file or folder".to_owned(),
        io::ErrorKind::PermissionDenied => "permission denied".to_owned(),
        io::ErrorKind::IsADirectory => "it is a folder".to_owned(),
        io::ErrorKind::NotADirectory => "a part of its path is a file, not a folder".to_owned(),
        io::ErrorKind::StorageFull => "the disk is full".to_owned(),
        io::ErrorKind::ReadOnlyFilesystem => "the disk is read-only".to_owned(),
        io::ErrorKind::InvalidFilename => "invalid file name".to_owned(),
        _ => {
            let said = error.to_string();
            let said = said.split_once(" (os error").map_or(&*said, |(said, _)| said);
            said.to_owned()
        }
    }
}

/// A problem with the text where it is, and what to do about it; `file` is the text of the file
/// that it is in, if it is in one.
pub(super) fn drawn(problem: &Problem, file: Option<&str>) -> String {
    let style = Style {
        // Who reads it by a program looks for whole sentences.
        width: 10_000,
        colour: false,
        quiet: false,
        verbose: false,
    };
    let drawn = human::problem(problem, file, &style);
    let drawn = drawn.trim();
    drawn.strip_prefix("× ").unwrap_or(drawn).to_owned()
}

/// An error with its causes, and what to do about it.
pub(super) fn message(error: &(dyn Error + 'static)) -> String {
    if let Some(problem) = error.downcast_ref::<Problem>() {
        return drawn(problem, None);
    }
    let mut message = error.to_string();
    let mut help = help_of(error);
    let (mut cause, mut last) = (error.source(), message.clone());
    while let Some(inner) = cause {
        let said = inner.to_string();
        // Some errors say their cause themselves.
        if !last.ends_with(&said) && !said.ends_with(&last) {
            message.push_str(&format!(": {said}"));
        }
        last = said;
        help = help.or_else(|| help_of(inner));
        cause = inner.source();
    }
    with_help(&message, help.as_deref().unwrap_or_default())
}

/// A message and what to do about it: two sentences, or one with a semicolon.
pub(super) fn with_help(message: &str, help: &str) -> String {
    if help.is_empty() {
        message.to_owned()
    } else if message.ends_with('.') {
        format!("{message} {help}")
    } else if help.starts_with(char::is_uppercase) {
        format!("{message}. {help}")
    } else {
        format!("{message}; {help}")
    }
}

/// What to do about an error of the library, where it says so.
fn help_of(error: &(dyn Error + 'static)) -> Option<String> {
    let lock = || error.downcast_ref::<LockBroken>()?.help();
    let judge = || error.downcast_ref::<JudgeError>()?.help();
    let two = || Some(error.downcast_ref::<TwoInForce>()?.help());
    let form = || error.downcast_ref::<SubmissionError>()?.help();
    lock().or_else(judge).or_else(two).or_else(form)
}
