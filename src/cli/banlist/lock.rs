//! `decklaw banlist lock`: what an event's decks are judged by.

use super::super::configuration::fetched_folder;
use super::super::files::Readers;
use super::super::inputs::{self, LOCK_FILE};
use super::super::{Answer, Outcome, Refusal, Run, output, terminal};
use crate::banlist::Banlist;
use crate::banlist::fetch::CopyState;
use crate::banlist::lock::{Covered, EDITION, Lock, LockedCards, LockedGame, LockedList};
use crate::judge::Judge;
use crate::origin::Given;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

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
        let (lock, given) = made(run, &self.games)?;
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
pub(in super::super) fn made(run: &Run, games: &[String]) -> Result<(Lock, Vec<Given>), Refusal> {
    let judge = inputs::judge(run)?;
    let catalogue = judge.catalogue();
    let mut games = games.to_vec();
    if games.is_empty() {
        games.extend(catalogue.games().map(str::to_owned));
    }
    let named = match run.options.banlist.as_deref() {
        None | Some("none") => None,
        Some(named) => Some(inputs::banlist(run, named, judge.lists())?),
    };
    if let Some(list) = named.as_ref().filter(|list| !games.contains(&list.game)) {
        return Err(Refusal(format!(
            "the banlist {} is for {}, which is not locked",
            list.id, list.game
        )));
    }
    let (mut lists, mut kept) = (BTreeMap::new(), Vec::new());
    for game in &games {
        catalogue.game(game)?;
        let of = |format: Option<&str>| {
            let list = judge.list(game, format);
            list.map_err(|error| inputs::refuse(&error))
        };
        let mut own = vec![(game.clone(), of(None)?)];
        // Formats whose list is not that of the game.
        for format in catalogue.game(game)?.formats() {
            let list = of(Some(format.id()))?;
            if list.as_ref().map(|list| &list.sha256) != own[0].1.as_ref().map(|list| &list.sha256)
            {
                own.push((format.id().to_owned(), list));
            }
        }
        // A game whose one format goes by its id has one entry.
        own.reverse();
        for (whose, list) in own {
            let locked = match list {
                Some(list) => {
                    kept.push(Arc::clone(&list));
                    let address = address(&list)?;
                    let named = named
                        .as_ref()
                        .is_some_and(|named| named.sha256 == list.sha256);
                    Some(LockedList::new(&list, address, named))
                }
                None => None,
            };
            lists.entry(whose).or_insert(locked);
        }
    }
    games.sort();
    games.dedup();
    let rules = games.iter().filter_map(|game| judge.given_rules(game));
    let mut given: Vec<_> = rules.collect();
    given.extend(super::given(kept.iter().map(|list| &**list)));
    let covered = covered(&judge, &games, &kept, run)?;
    let lock = Lock::new(judge.day(), lists, covered)?;
    Ok((lock, given))
}

/// What decides besides the lists, and copies of all that does.
fn covered(
    judge: &Judge,
    games: &[String],
    kept: &[Arc<Banlist>],
    run: &Run,
) -> Result<Covered, Refusal> {
    let mut covered = Covered {
        edition: EDITION.to_owned(),
        games: BTreeMap::new(),
        settings: BTreeMap::new(),
        copies: BTreeMap::new(),
    };
    let mut keep = |bytes: &[u8]| {
        let digest = crate::digest::sha256(bytes);
        let copies = &mut covered.copies;
        copies.insert(digest.clone(), bytes.to_vec());
        digest
    };
    for id in games {
        let files = judge.catalogue().files(id);
        let files = files.map(|(name, bytes)| (name.to_owned(), keep(bytes)));
        let files = files.collect();
        let game = judge.catalogue().game(id)?;
        // What cannot be read now could not be judged by either.
        judge.pool(&game).map_err(|error| inputs::refuse(&error))?;
        let cards = judge
            .card_file(id)
            .map(|(name, bytes, _)| (name.to_owned(), bytes.to_vec()));
        let cards = cards.map(|(file, bytes)| LockedCards {
            file,
            sha256: keep(&bytes),
        });
        covered
            .games
            .insert(id.clone(), LockedGame { files, cards });
    }
    for list in kept {
        keep(&bytes_of(list)?);
    }
    for setting in &run.options.set {
        let (name, value) = setting.split_once('=').unwrap_or((setting, ""));
        let (name, value) = (name.trim(), value.trim());
        let has = |id: &String| {
            let game = judge.catalogue().game(id);
            game.is_ok_and(|game| game.has_setting(name))
        };
        if !games.iter().any(has) {
            return Err(Refusal(format!(
                "no game that is locked has a setting `{name}`"
            )));
        }
        covered.settings.insert(name.to_owned(), value.to_owned());
    }
    Ok(covered)
}

/// The bytes of a list's file, which are those that its digest is of.
fn bytes_of(list: &Banlist) -> Result<Vec<u8>, Refusal> {
    let with_mark = || [&b"\xef\xbb\xbf"[..], list.text.as_bytes()].concat();
    let fits = |bytes: &Vec<u8>| crate::digest::sha256(bytes) == list.sha256;
    let known = Some(list.text.clone().into_bytes()).filter(fits);
    known
        .or_else(|| Some(with_mark()).filter(fits))
        .ok_or_else(|| Refusal(format!("{}: its bytes are not to be had", list.file)))
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
