//! `decklaw banlist lock`: what an event's decks are judged by.

use super::super::configuration::fetched_folder;
use super::super::files::Readers;
use super::super::inputs::{self, LOCK_FILE};
use super::super::{Answer, Outcome, Refusal, Run, output, terminal};
use crate::banlist::Banlist;
use crate::banlist::fetch::CopyState;
use crate::banlist::lock::{EDITION, Lock};
use crate::judge::{Judge, LockingError};
use crate::origin::Given;
use std::cell::RefCell;
use std::fmt::Write;
use std::path::{Path, PathBuf};

#[derive(Debug, clap::Args)]
#[command(
    after_help = "The lock keeps copies of lists, rules, cards and settings.\nThen `decklaw check DECKS --locked` judges by those alone, to the byte."
)]
pub(in super::super) struct Locking {
    /// The games of the event [default: all]
    #[arg(value_name = "GAME")]
    games: Vec<String>,
}

impl Locking {
    pub(in super::super) fn run(&self, run: &Run) -> Answer {
        let as_json = wants_json(run)?;
        let (lock, given) = made(&inputs::judge(run)?, &self.games)?;
        let text = lock.text()?;
        let file = run
            .options
            .to
            .clone()
            .unwrap_or_else(|| PathBuf::from(LOCK_FILE));
        let name = file.display();
        run.write(&file, text.as_bytes(), Readers::Anyone)?;
        if as_json {
            terminal::print(text.as_bytes())?;
            return Ok(Outcome::Yes);
        }
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
        for (name, value) in &lock.covered.settings {
            let _ = writeln!(out, "  {name}={value}");
        }
        let _ = writeln!(
            out,
            "  with copies of rules, cards and lists, for {EDITION}\n  seal {}",
            lock.seal
        );
        let out = run.tame(&out) + &output::foot(&given);
        terminal::print(out.as_bytes())?;
        Ok(Outcome::Yes)
    }
}

/// A lock of some games, of all where none is named, and what of it is not built in.
///
/// # Errors
/// A game that is not there, and what cannot be read.
pub(in super::super) fn made(
    judge: &Judge,
    games: &[String],
) -> Result<(Lock, Vec<Given>), Refusal> {
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
    let (lock, kept) = made.map_err(|error| match &error {
        LockingError::Judge(error) => inputs::refuse(error),
        other => Refusal(other.to_string()),
    })?;
    let rules = lock.covered.games.keys();
    let mut given: Vec<_> = rules.filter_map(|game| judge.given_rules(game)).collect();
    given.extend(super::given(kept.iter().map(|list| &**list)));
    Ok((lock, given))
}

/// Whether a command that knows `human` and `json` is asked for the latter.
fn wants_json(run: &Run) -> Result<bool, Refusal> {
    match run.options.output.as_slice() {
        [] => Ok(false),
        [kind] if kind == "human" => Ok(false),
        [kind] if kind == "json" => Ok(true),
        other => Err(Refusal(format!(
            "this command has the outputs human and json, not {}",
            crate::text::listed(other, "and")
        ))),
    }
}

/// The address from which a list was fetched, if it was.
fn address(list: &Banlist) -> Result<Option<String>, Refusal> {
    let fetched = fetched_folder();
    let folder = Path::new(&list.file).parent();
    match (fetched, folder) {
        (Some(fetched), Some(folder)) if folder.starts_with(&fetched) => {
            let state = CopyState::read(folder).map_err(|error| inputs::explain(&error))?;
            Ok(state.map(|state| state.url))
        }
        _ => Ok(None),
    }
}
