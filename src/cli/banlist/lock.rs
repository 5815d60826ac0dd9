//! `decklaw banlist lock`: what an event's decks are judged by.

use super::super::configuration::fetched_folder;
use super::super::files::{self, Readers};
use super::super::inputs;
use super::super::options::LOCK_FILE;
use super::super::options::{Judging, Output, Settled, kinds};
use super::super::output::Outputs;
use super::super::{Answer, CliError, Run};
use crate::banlist::Banlist;
use crate::banlist::lock::{EDITION, Lock};
use crate::cli::fetch::CopyState;
use crate::judge::Judge;
use crate::render::{Kind, Render, Rendered, Rendering, TextStyle, Written};
use std::cell::RefCell;
use std::fmt::Write;
use std::path::{Path, PathBuf};

#[derive(Debug, clap::Args)]
#[command(
    mut_arg("output", kinds::<LockReport>),
    after_help = "Example:\n  decklaw banlist lock vainqueur --banlist vainqueur-sample-2026-07 --to summer.lock\n\nThe lock holds copies of lists, rules, cards and settings.\n`decklaw check DECKS --locked` judges by those copies alone."
)]
pub(in super::super) struct Locking {
    /// The games of the event [default: all]
    #[arg(value_name = "GAME")]
    games: Vec<String>,
    /// The game that `--cards` are of
    #[arg(long, value_name = "ID", requires = "cards")]
    format: Option<String>,
    #[command(flatten)]
    settled: Settled,
    #[command(flatten)]
    output: Output,
}

impl Locking {
    pub(in super::super) fn run(&self, run: &Run) -> Answer {
        let to = self.output.place.to.clone();
        let file = to.unwrap_or_else(|| PathBuf::from(LOCK_FILE));
        // `--to` names the file of the lock; the report goes to the other outputs.
        let mut output = self.output.clone();
        output.place.to = None;
        let outputs = Outputs::open(&output)?;
        let judging = Judging::from(self.settled.clone()).of(self.format.as_deref());
        let lock = made(&inputs::judge(run, &judging)?, &self.games)?;
        let locked = Judge::of_lock(lock.clone())?;
        for warning in locked.list_warnings()? {
            run.complain("warning", &warning);
        }
        let text = lock.text();
        let name = file.display();
        files::write(&file, text.as_bytes(), Readers::Anyone, self.output.place.replace)?;
        let mut out = format!("{name}: locked for {}\n", lock.day);
        for (game, list) in &lock.lists {
            let _ = match list {
                Some(list) => writeln!(
                    out,
                    "  {game}: {} (effective {}, sha256 {})",
                    list.id, list.effective, list.sha256
                ),
                None => writeln!(out, "  {game}: no list"),
            };
        }
        for (name, value) in &lock.settings {
            let _ = writeln!(out, "  {name}={value}");
        }
        let _ = writeln!(
            out,
            "  with copies of rules, cards and lists, for {EDITION}\n  seal {}",
            lock.seal
        );
        let report = LockReport { human: run.printable(&out), json: text };
        outputs.emit(run, &report)
    }
}

/// The report of a lock: for programs, the lock itself.
struct LockReport {
    human: String,
    json: String,
}

impl Written for LockReport {
    const KINDS: &'static [Kind] = &[Kind::Human, Kind::Json];
}

impl Render for LockReport {
    fn human(&self, _: &TextStyle) -> String {
        self.human.clone()
    }

    fn body(&self, kind: Kind) -> Rendered<Option<Rendering>> {
        let json = (kind == Kind::Json).then(|| self.json.clone().into_bytes());
        Ok(json.map(Rendering::Data))
    }
}

/// A lock of some games, of all where none is named.
///
/// # Errors
/// A game that is not there, and what cannot be read.
pub(in super::super) fn made(judge: &Judge, games: &[String]) -> Result<Lock, CliError> {
    let wrong = RefCell::new(None);
    let fetched = |list: &Banlist| {
        address(list).unwrap_or_else(|refusal| {
            wrong.borrow_mut().get_or_insert(refusal);
            None
        })
    };
    let made = judge.lock_of(games, fetched);
    if let Some(refusal) = wrong.into_inner() {
        return Err(refusal);
    }
    Ok(made?)
}

/// The address from which a list was fetched, if it was.
fn address(list: &Banlist) -> Result<Option<String>, CliError> {
    let fetched = fetched_folder();
    let folder = Path::new(&list.file).parent();
    match (fetched, folder) {
        (Some(fetched), Some(folder)) if folder.starts_with(&fetched) => {
            let state = CopyState::read(folder)?;
            Ok(state.map(|state| state.url))
        }
        _ => Ok(None),
    }
}
