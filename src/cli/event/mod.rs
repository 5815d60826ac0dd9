//! `decklaw event`: an event's folder, from the first form to the last deck check.

mod check;
mod decide;
mod export;
mod import;
mod new;
mod only;
mod print;
mod show;
mod stats;
mod status;
mod undo;

use super::{Answer, CliError, Run};
use crate::event::{Event, EventError, PlayerId, StatusReport};
use crate::text::escape_control;
use std::path::{Path, PathBuf};

/// What an event can be asked.
#[derive(Debug, clap::Subcommand)]
pub(super) enum Events {
    New(Box<new::New>),
    Import(import::Import),
    Status(status::Status),
    Decide(decide::Decide),
    Undo(undo::Undo),
    Show(show::Show),
    Print(print::Print),
    Check(check::Check),
    Stats(stats::Stats),
    Export(export::Export),
}

impl Events {
    pub(super) fn run(&self, run: &Run) -> Answer {
        match self {
            Events::New(command) => command.run(run),
            Events::Import(command) => command.run(run),
            Events::Status(command) => command.run(run),
            Events::Decide(command) => command.run(run),
            Events::Undo(command) => command.run(run),
            Events::Show(command) => command.run(run),
            Events::Print(command) => command.run(run),
            Events::Check(command) => command.run(run),
            Events::Stats(command) => command.run(run),
            Events::Export(command) => command.run(run),
        }
    }
}

/// The event's folder, and whose deck counts.
#[derive(Debug, Clone, clap::Args)]
pub(super) struct Folder {
    /// The event's folder
    #[arg(value_name = "DIR")]
    folder: PathBuf,
}

impl Folder {
    /// Opens the event as it is, and notes the questions that are open and what the lock cannot judge.
    ///
    /// # Errors
    /// A folder that is not an event, and files in it that cannot be read.
    fn open_with_notes(&self, run: &Run) -> Result<(Event, StatusReport), CliError> {
        let event = self.open()?;
        let report = event.status()?;
        if !run.screen.quiet {
            if !report.questions.is_empty() {
                let number = i64::try_from(report.questions.len()).unwrap_or(i64::MAX);
                let decks = crate::text::counted(number, "deck");
                let folder = shown(&self.folder);
                let message =
                    format!("{decks} to ask about, not counted: `decklaw event status {folder}`");
                run.complain("note", &message);
            }
            warn_of_lists(run, &event)?;
        }
        Ok((event, report))
    }

    /// Opens the event.
    ///
    /// # Errors
    /// A folder that is not an event, and files in it that cannot be read.
    fn open(&self) -> Result<Event, CliError> {
        let opened = Event::open(&self.folder);
        opened.map_err(|error| match error {
            error @ (EventError::NoEvent(_) | EventError::Io(..)) => CliError::from(error),
            error => {
                let why = CliError::from(error).message;
                CliError::call(format!("{}/{why}", shown(&self.folder)))
            }
        })
    }
}

/// Warns of what is odd in the lists of an event's lock.
fn warn_of_lists(run: &Run, event: &Event) -> Result<(), CliError> {
    for warning in event.lock_warnings()? {
        run.complain("warning", &warning);
    }
    Ok(())
}

fn shown(path: &Path) -> String {
    escape_control(&path.display().to_string(), false).into_owned()
}

/// The player that a call names.
///
/// # Errors
/// Nobody of that name, or several.
fn player(event: &Event, text: &str) -> Result<PlayerId, CliError> {
    event.roster().one_named(text).map_err(CliError::call)
}

/// Who does it, for the record: the user who is logged in, unless the call names one.
fn organiser(given: Option<&str>) -> String {
    let own = || std::env::var("USER").or_else(|_| std::env::var("USERNAME"));
    let name = given.map_or_else(|| own().unwrap_or_default(), str::to_owned);
    match name.trim() {
        "" | "player" | "import" => "organiser".to_owned(),
        name => name.to_owned(),
    }
}
