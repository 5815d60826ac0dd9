//! The result of a command: an exit status, or why it could not be carried out.

use crate::matches::MatchError;
use crate::report::human::{self, Style};
use crate::text::Lines;
use crate::yaml::FileError;
use crate::{Problem, ProblemKind};
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

/// Why a command could not be carried out.
#[derive(Debug)]
pub(super) struct CliError {
    /// What is wrong and what to do about it, perhaps on several lines.
    pub(super) message: String,
    /// Whether the answer is no; otherwise the call or a file that it names is wrong.
    pub(super) is_refusal: bool,
}

impl CliError {
    /// The call or a file that it names is wrong.
    pub(super) fn call(message: impl Into<String>) -> CliError {
        CliError { message: message.into(), is_refusal: false }
    }

    /// The answer is no.
    pub(super) fn refused(message: impl Into<String>) -> CliError {
        CliError { message: message.into(), is_refusal: true }
    }
}

impl<E: Error + 'static> From<E> for CliError {
    fn from(error: E) -> Self {
        let of_match = (&error as &dyn Error).downcast_ref::<MatchError>();
        let is_refusal = matches!(of_match, Some(MatchError::Refused(_)));
        CliError { message: message(&error), is_refusal }
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

/// A message where the system's words for its errors are those of [`io_message`].
pub(super) fn without_numbers(message: &str) -> String {
    let mut out = message.to_owned();
    while let Some((_, behind)) = out.split_once(" (os error ")
        && let Some((number, _)) = behind.split_once(')')
        && let Ok(error) = number.parse().map(io::Error::from_raw_os_error)
        && let plain = out.replace(&error.to_string(), &io_message(&error))
        && plain != out
    {
        out = plain;
    }
    out
}

/// A problem with the text where it is, and what to do about it; `file` is the text of the file
/// that it is in, if it is in one.
fn drawn(problem: &Problem, file: Option<&str>) -> String {
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

/// A file with each of its problems where it is.
fn in_file(error: &FileError) -> String {
    /// More are counted only.
    const SHOWN: usize = 100;
    let mut lines = Vec::new();
    let text = Lines::of(&error.text);
    for problem in error.problems.iter().take(SHOWN) {
        let place = text.place(problem.span.start);
        let message =
            format!("{}:{}:{}: {}", error.name, place.line, place.column, problem.message);
        // Its place is in the message, so that the excerpt needs no name.
        let problem = Problem::new(ProblemKind::Game, message).at("", problem.span);
        lines.push(drawn(&problem, Some(&error.text)));
    }
    let more = error.problems.len().saturating_sub(SHOWN);
    if more > 0 {
        lines.push(format!("{}: and {more} more", error.name));
    }
    lines.join("\n")
}

/// An error with its causes, and what to do about it.
fn message(error: &(dyn Error + 'static)) -> String {
    if let Some(file) = error.downcast_ref::<FileError>() {
        return in_file(file);
    }
    if let Some(problem) = error.downcast_ref::<Problem>() {
        return match problem {
            Problem { file: Some(file), .. } => in_file(file),
            // It may have several lines.
            Problem { place: None, help: None, message, .. } => message.clone(),
            _ => drawn(problem, None),
        };
    }
    if let Some(MatchError::Call(problem) | MatchError::Refused(problem)) = error.downcast_ref() {
        return with_help(&problem.message, problem.help.as_deref().unwrap_or_default());
    }
    let mut message = error.to_string();
    let (mut cause, mut last) = (error.source(), message.clone());
    while let Some(inner) = cause {
        let said = inner.to_string();
        // Some errors say their cause themselves.
        if !last.ends_with(&said) && !said.ends_with(&last) {
            message.push_str(&format!(": {said}"));
        }
        last = said;
        cause = inner.source();
    }
    message
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
