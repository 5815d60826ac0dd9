//! From the options of a call to a judge and its decks.

mod one;

pub(super) use one::{DeckBytes, InputKind, NamedDeck, is_text};

use super::configuration::{LoadedConfiguration, found};
use super::files::{read_file, read_table};
use super::options::{Judging, Setting};
use super::{CliError, Run};
use crate::banlist::lock::Lock;
use crate::banlist::{Banlist, Lists};
use crate::judge::{Judge, WhichList};
use crate::query::QueryError;
use crate::{Problem, ProblemKind};
use jiff::civil::Date;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Explains a wrong query of cards.
pub(super) fn refuse_query(text: &str, error: &QueryError) -> CliError {
    Problem::new(ProblemKind::Query, error.to_string()).at(text, error.span).into()
}

/// That a game has no cards.
pub(super) fn no_cards() -> CliError {
    CliError::call("this game has no cards of its own: give them with `--cards FILE`")
}

/// The judge that the options describe. Reports what the current folder's configuration changes.
pub(super) fn judge(run: &Run, judging: &Judging) -> Result<Judge, CliError> {
    let judge = judge_quietly(run, judging)?;
    run.caution(&judge);
    Ok(judge)
}

/// The same, without the report: the caller prints the judge's caution.
pub(super) fn judge_quietly(run: &Run, judging: &Judging) -> Result<Judge, CliError> {
    let found = match (found(judging), &judging.by.locked) {
        (Err(error), Some(_)) => {
            run.complain("note", &format!("{}; the lock alone decides", error.message));
            LoadedConfiguration::built_in()
        }
        (found, _) => found?,
    };
    ruling(judge_of(found, run, judging)?, judging)
}

/// The judge that the options describe, for commands on cards: the rules of the
/// format need not fit the cards, and there may be no cards yet.
pub(super) fn judge_of_cards(run: &Run, judging: &Judging) -> Result<Judge, CliError> {
    let judge = judge_of(found(judging)?, run, judging)?;
    run.caution(&judge);
    Ok(judge)
}

/// A judge that can judge decks of the format that the call names, and knows its settings.
fn ruling(judge: Judge, judging: &Judging) -> Result<Judge, CliError> {
    if judging.by.locked.is_none() {
        for setting in &judging.by.settled.set {
            known_setting(&judge, &setting.name)?;
        }
    }
    if let WhichList::Named(list) = judge.which_list()
        && !judge.catalogue().games().any(|game| game == list.game)
    {
        let message = format!("the banlist {}: unknown game `{}`", list.id, list.game);
        return Err(CliError::call(message));
    }
    if let Some(format) = &judging.format {
        judge.rulebook(format)?;
    }
    Ok(judge)
}

/// Refuses a setting that no game has, with the names that are near.
fn known_setting(judge: &Judge, name: &str) -> Result<(), CliError> {
    let catalogue = judge.catalogue();
    // What is wrong with a game's file is reported when a deck needs it.
    let games = catalogue.games().filter_map(|id| catalogue.game(id).ok());
    let games: Vec<_> = games.collect();
    if games.iter().any(|game| game.has_setting(name)) {
        return Ok(());
    }
    let settings = games.iter().flat_map(|game| &game.file.settings);
    let known = settings.map(|setting| setting.name.value.as_str());
    let mut known: Vec<&str> = known.chain([crate::game::UNKNOWN]).collect();
    known.sort_unstable();
    known.dedup();
    let near = crate::name::nearest(name, known.iter().copied());
    let hint = match near.as_slice() {
        [] => format!("the settings are {}", crate::text::listed(&known, "and")),
        near => format!("did you mean {}?", crate::text::listed(near, "or")),
    };
    Err(CliError::call(format!("no game has a setting `{name}`; {hint}")))
}

/// The judge that the options describe, with the game of one more folder.
#[cfg(feature = "server")]
pub(super) fn judge_with_game(
    run: &Run,
    judging: &Judging,
    folder: &Path,
) -> Result<Judge, CliError> {
    let mut found = found(judging)?;
    let refuse = |error| CliError::call(format!("{}: {error}", folder.display()));
    found.catalogue.add_game(folder).map_err(refuse)?;
    ruling(judge_of(found, run, judging)?, judging)
}

/// The judge that the options describe, of what was found. A lock is all that decides; what the
/// call gives in addition must be what was locked.
pub(super) fn judge_of(
    found: LoadedConfiguration,
    run: &Run,
    judging: &Judging,
) -> Result<Judge, CliError> {
    let lock = judging.by.locked.as_deref();
    let lock = lock.map(|path| locked(path, judging.as_of())).transpose()?;
    let caution = found.changes().filter(|_| lock.is_none());
    let mut cards: Vec<(Option<String>, PathBuf)> = Vec::new();
    for option in judging.cards() {
        let named = option
            .split_once('=')
            .filter(|(game, _)| found.catalogue.games().any(|known| known == *game));
        cards.push(match named {
            Some((game, file)) => (Some(game.to_owned()), PathBuf::from(file)),
            None => (None, PathBuf::from(option)),
        });
    }
    let mut settings = BTreeMap::new();
    for Setting { name, value } in &judging.by.settled.set {
        if settings.insert(name.clone(), value.clone()).is_some() {
            let message = format!("`--set {name}=…` is given twice; keep one of them");
            return Err(CliError::call(message));
        }
    }
    let day = lock.as_ref().map_or_else(|| judging.day(), |lock| lock.day);
    let kept = lock.as_ref().map(Lock::kept_lists).transpose()?;
    let listing = listing(judging.banlist(), kept.as_ref(), &found.lists)?;
    let judge = match lock {
        Some(lock) => {
            let mut given = Vec::new();
            for (_, path) in &cards {
                let digest = crate::digest::sha256(&read_table(path)?.0);
                given.push((path.display().to_string(), digest));
            }
            lock.permits_given(&given, &settings)?;
            report_newer(run, &lock, &found.lists, day);
            Judge::of_lock(lock)?
        }
        None => {
            let mut judge = Judge::new(found.catalogue, found.lists, day).with_settings(settings);
            for (game, path) in cards {
                let game = game.or_else(|| {
                    let format = judge.catalogue().format(judging.format.as_deref()?).ok()?;
                    Some(format.game().id().to_owned())
                });
                judge = judge.with_cards(game, path.display().to_string(), read_table(&path)?.0);
            }
            for cards in found.cards {
                let file = cards.path.display().to_string();
                judge = judge.with_cards_from(cards.origin, Some(cards.game), file, cards.bytes);
            }
            judge
        }
    };
    let judge = judge.with_caution(caution).with_format(judging.format.clone()).with_list(listing);
    Ok(judge)
}

/// Checks that card files, the named list and settings fit the judged decks. Reports the files of
/// the user that took part, and the list that applies where another might be expected.
///
/// # Errors
/// What fits no deck of the run.
pub(super) fn fitting(run: &Run, judge: &Judge) -> Result<(), CliError> {
    let unused = judge.unused();
    if unused.is_empty() {
        let used: Vec<String> = judge.used().iter().map(files_for).collect();
        if !used.is_empty() && !run.screen.quiet {
            run.complain("note", &format!("using {}", used.join("; ")));
        }
        for note in judge.list_notes() {
            run.complain("note", &note);
        }
        return Ok(());
    }
    let it = if unused.len() == 1 { "it" } else { "them" };
    let unused = crate::text::listed(&unused, "or");
    Err(CliError::call(format!("no deck here uses {unused}; remove {it} from the call")))
}

/// `cards.csv for shell`
fn files_for((game, files): (&String, &BTreeSet<String>)) -> String {
    let files: Vec<&str> = files.iter().map(String::as_str).collect();
    format!("{} for {game}", crate::text::listed(&files, "and"))
}

/// Reports lists that are newer than the locked ones.
fn report_newer(run: &Run, lock: &Lock, lists: &Lists, day: jiff::civil::Date) {
    for (whose, locked) in &lock.lists {
        // A game, or a format whose id begins with that of its game.
        let game = whose.split('/').next().unwrap_or(whose);
        let format = Some(whose.as_str()).filter(|whose| *whose != game);
        // What cannot be read, or is in force twice, decides nothing here.
        let Ok(known) = lists.of(game) else { continue };
        let Ok(Some(now)) = crate::banlist::in_force(&known, game, format, day) else {
            continue;
        };
        let newer = match locked {
            Some(locked) if locked.sha256 == now.sha256 => false,
            Some(locked) => !locked.named || now.effective.to_string() > locked.effective,
            None => true,
        };
        if newer {
            let by = match locked {
                Some(locked) => format!("the locked list {}", locked.id),
                None => "no list, as was locked".to_owned(),
            };
            let message = format!(
                "{whose}: the list {} has come since the lock was made; decks are judged by {by}",
                now.shown()
            );
            run.complain("note", &message);
        }
    }
}

/// Reads a lock file. Its day is the day of the run.
fn locked(path: &Path, as_of: Option<Date>) -> Result<Lock, CliError> {
    let name = path.display();
    let lock = Lock::read(&read_file(path)?)
        .map_err(|error| CliError::call(format!("{name}: {error}")))?;
    match as_of {
        Some(day) if day != lock.day => Err(CliError::call(format!(
            "{name}: the lock is for {}, and `--as-of {day}` is another day",
            lock.day
        ))),
        _ => Ok(lock),
    }
}

/// Which list the options name; `kept` are those of a lock.
pub(super) fn listing(
    named: Option<&str>,
    kept: Option<&Lists>,
    lists: &Lists,
) -> Result<WhichList, CliError> {
    match named {
        None => Ok(WhichList::InForce),
        Some("none") => Ok(WhichList::Nothing),
        Some(named) => {
            // The locked list goes by its name even where nobody else has one of it.
            if let Some(kept) = kept
                && !Path::new(named).is_file()
            {
                let kept = kept.find(named)?;
                if let [list] = kept.as_slice() {
                    return Ok(WhichList::Named(Arc::clone(list)));
                }
            }
            Ok(WhichList::Named(banlist(named, lists)?))
        }
    }
}

/// The banlist that an id or a path names. An id that several publishers use names none.
pub(super) fn banlist(named: &str, lists: &Lists) -> Result<Arc<Banlist>, CliError> {
    let path = Path::new(named);
    if path.is_file() {
        let list = Banlist::read(named, &read_file(path)?)?;
        return Ok(Arc::new(list));
    }
    let found = lists.find(named)?;
    match found.as_slice() {
        [list] => return Ok(Arc::clone(list)),
        [] => {}
        several => {
            let whose = |list: &Arc<Banlist>| {
                if list.origin.is_fetched() {
                    format!("`{}` ({})", list.shown(), list.game)
                } else {
                    format!("the file {} ({})", list.file, list.game)
                }
            };
            let whose: Vec<String> = several.iter().map(whose).collect();
            return Err(CliError::call(format!(
                "several banlists are called `{named}`: {}; say which one you mean",
                crate::text::listed(&whose, "and")
            )));
        }
    }
    let known = lists.all()?;
    let ids: Vec<String> = known.iter().map(|list| list.shown()).collect();
    Err(CliError::call(format!(
        "no banlist `{named}`: neither a file nor one of {}",
        crate::text::listed(&ids, "and")
    )))
}
