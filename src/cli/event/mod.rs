//! `decklaw event`: an event's folder, from the first form to the last deck check.

mod ask;
mod decide;
mod import;
mod new;
mod papers;
mod status;

use super::files::Readers;
use super::{Answer, Refusal, Run};
use crate::event::{Event, EventError, Listed, PlayerId, Standing};
use crate::text::harmless;
use std::path::{Path, PathBuf};

/// What an event can be asked.
#[derive(Debug, clap::Subcommand)]
pub(super) enum Events {
    New(Box<new::New>),
    Import(import::Import),
    Status(status::Status),
    Decide(decide::Decide),
    Print(papers::Print),
    Check(ask::Check),
    Stats(ask::Stats),
    Export(ask::Export),
}

impl Events {
    pub(super) fn run(&self, run: &Run) -> Answer {
        match self {
            Events::New(command) => command.run(run),
            Events::Import(command) => command.run(run),
            Events::Status(command) => command.run(run),
            Events::Decide(command) => command.run(run),
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

/// Which players are meant.
#[derive(Debug, Clone, Default, clap::Args)]
pub(super) struct Only {
    /// Only these: statuses, verdicts, or players by id or name
    #[arg(long, value_name = "WORD,…", value_delimiter = ',')]
    only: Vec<String>,
}

impl Folder {
    /// Opens the event, and says what an organiser has still to answer.
    ///
    /// # Errors
    /// A folder that is none, and files in it that were changed.
    fn open(&self, run: &Run) -> Result<(Event, Standing), Refusal> {
        let event = self.opened(run)?;
        let standing = event.standing()?;
        if !standing.asked.is_empty() && !run.screen.quiet {
            let number = i64::try_from(standing.asked.len()).unwrap_or(i64::MAX);
            let decks = crate::text::counted(number, "deck");
            let message = format!(
                "{decks} to ask about, counting for nobody until you say whose or when: \
                 `decklaw event status {}`",
                shown(&self.folder)
            );
            run.complain("note", &message);
        }
        Ok((event, standing))
    }

    /// Opens the event and says nothing.
    fn opened(&self, run: &Run) -> Result<Event, Refusal> {
        run.reads(&self.folder.join("lock"));
        let opened = Event::open(&self.folder);
        opened.map_err(|error| match error {
            error @ (EventError::NoEvent(_) | EventError::Io(..)) => Refusal::from(error),
            error => {
                let Refusal(why) = Refusal::from(error);
                Refusal(format!("{}/{why}", shown(&self.folder)))
            }
        })
    }
}

fn shown(path: &Path) -> String {
    harmless(&path.display().to_string(), false).into_owned()
}

/// The player that a call names.
///
/// # Errors
/// Nobody of that name, or several.
fn player(event: &Event, text: &str) -> Result<PlayerId, Refusal> {
    event.roster().one_named(text).map_err(Refusal)
}

/// The words of `--only` besides ids and names of players.
const STATUSES: [&str; 6] = ["counts", "late", "out", "missing", "asked", "unlisted"];
const VERDICTS: [&str; 4] = ["legal", "incomplete", "illegal", "unreadable"];

impl Only {
    /// Which lines are meant: all where nobody says it.
    ///
    /// # Errors
    /// A word that is no status, no verdict and no player.
    fn chosen(&self, event: &Event) -> Result<impl Fn(&Listed) -> bool + use<>, Refusal> {
        let mut players = Vec::new();
        let mut words = Vec::new();
        for word in &self.only {
            let word = word.trim();
            match STATUSES.contains(&word) || VERDICTS.contains(&word) {
                true => words.push(word.to_owned()),
                false => players.push(player(event, word)?),
            }
        }
        let all = self.only.is_empty();
        Ok(move |one: &Listed| {
            let verdict = one.report.as_ref().map(|report| report.verdict.word());
            let says = |word: &String| match word.as_str() {
                "unlisted" => one.unlisted,
                "asked" => one.question.is_some(),
                word => word == one.status || Some(word) == verdict,
            };
            all || words.iter().any(says) || one.player.is_some_and(|id| players.contains(&id))
        })
    }
}

/// Writes files into a folder that is made where it is not there.
///
/// # Errors
/// A folder or file that cannot be written, or that is there already.
fn write_all(
    run: &Run,
    folder: &Path,
    files: &[(String, String)],
    replace: bool,
) -> Result<(), Refusal> {
    std::fs::create_dir_all(folder)
        .map_err(|error| Refusal(format!("{}: {error}", folder.display())))?;
    for (name, text) in files {
        run.write(
            &folder.join(name),
            text.as_bytes(),
            Readers::Anyone,
            replace,
        )?;
    }
    Ok(())
}

/// Who does it, for the record: whoever is logged in, unless the call says it.
fn organiser(told: Option<&str>) -> String {
    let own = || std::env::var("USER").or_else(|_| std::env::var("USERNAME"));
    let name = told.map_or_else(|| own().unwrap_or_default(), str::to_owned);
    match name.trim() {
        "" | "player" | "import" => "organiser".to_owned(),
        name => name.to_owned(),
    }
}
