//! `decklaw banlist lock`: the lists that an event uses.

use super::super::files::{self, Readers};
use super::super::inputs::{self, LOCK_FILE};
use super::super::{Answer, Options, Outcome, Refusal, terminal};
use crate::banlist::Banlist;
use crate::banlist::fetch::State;
use crate::banlist::lock::{Lock, LockedList};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};

#[derive(Debug, clap::Args)]
#[command(
    after_help = "The lists are those in force on --as-of, or the one that --banlist names, which may also be none.\nThen `decklaw check DECKS --locked` judges by those alone, to the byte."
)]
pub(in super::super) struct Locking {
    /// The games of the event [default: all]
    #[arg(value_name = "GAME")]
    games: Vec<String>,
}

impl Locking {
    pub(in super::super) fn run(&self, options: &Options) -> Answer {
        let as_json = wants_json(options)?;
        let judge = inputs::judge(options)?;
        let catalogue = judge.catalogue();
        let mut games: Vec<String> = self.games.clone();
        if games.is_empty() {
            games.extend(catalogue.games().map(str::to_owned));
        }
        let named = match options.banlist.as_deref() {
            None | Some("none") => None,
            Some(named) => Some(inputs::banlist(named, judge.lists())?),
        };
        if let Some(list) = named.as_ref().filter(|list| !games.contains(&list.game)) {
            return Err(Refusal(format!(
                "the banlist {} is for {}, which is not locked",
                list.id, list.game
            )));
        }
        let mut lists = BTreeMap::new();
        for game in games {
            catalogue.game(&game)?;
            let list = judge.list(&game).map_err(|error| inputs::refuse(&error))?;
            let named = named.as_ref().is_some_and(|named| named.game == game);
            let locked = match list {
                Some(list) => {
                    let address = address(&list)?;
                    Some(LockedList::new(&list, address, named))
                }
                None => None,
            };
            lists.insert(game, locked);
        }
        let lock = Lock::new(judge.day(), lists)?;
        let text = lock.text()?;
        let file = options
            .to
            .clone()
            .unwrap_or_else(|| PathBuf::from(LOCK_FILE));
        let name = file.display();
        files::write(&file, text.as_bytes(), Readers::Anyone)?;
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
        let _ = writeln!(out, "  seal {}", lock.seal);
        terminal::print(crate::text::harmless(&out, true).as_bytes())?;
        Ok(Outcome::Yes)
    }
}

/// Whether a command that knows `human` and `json` is asked for the latter.
fn wants_json(options: &Options) -> Result<bool, Refusal> {
    match options.output.as_slice() {
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
    let fetched = inputs::fetched_folder();
    let folder = Path::new(&list.file).parent();
    match (fetched, folder) {
        (Some(fetched), Some(folder)) if folder.starts_with(&fetched) => {
            let state = State::read(folder).map_err(|error| inputs::explain(&error))?;
            Ok(state.map(|state| state.url))
        }
        _ => Ok(None),
    }
}
