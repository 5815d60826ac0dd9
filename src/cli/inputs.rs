//! From the options of a call to a judge and its decks.

use super::configuration::{Found, found};
use super::marked::{LINE, marked};
use super::{Refusal, Run, walk, words};
use crate::banlist::lock::{Lock, UNCOVERED};
use crate::banlist::{Banlist, Lists};
use crate::deck::{self, Input};
use crate::format::Catalogue;
use crate::judge::{Judge, ReadDeck, WhichList};
use crate::origin::Origin;
use crate::resolve::Resolved;
use crate::text::Span;
use crate::yaml::FileError;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The lock file of an event, unless another is named.
pub(super) const LOCK_FILE: &str = "decklaw.lock";

/// Explains a file that cannot be used, with its lines.
pub(super) fn explain(error: &FileError) -> Refusal {
    /// More are counted only.
    const SHOWN: usize = 100;
    let mut lines = Vec::new();
    let text = crate::text::Lines::of(&error.text);
    for problem in error.problems.iter().take(SHOWN) {
        let place = text.place(problem.span.start);
        let start = problem.span.start.min(error.text.len());
        let mut before = error.text.as_bytes()[..start].iter();
        let begins = before
            .rposition(|byte| *byte == b'\n')
            .map_or(0, |end| end + 1);
        let line = error
            .text
            .get(begins..)
            .and_then(|rest| rest.lines().next());
        let drawn = line.map_or_else(String::new, |line| {
            let inside = |at: usize| at.saturating_sub(begins).min(line.len());
            let (from, to) = (inside(start), inside(problem.span.end));
            marked(line, Span::new(from, to.max(from)), LINE)
        });
        lines.push(format!(
            "{}:{}:{}: {}{drawn}",
            error.name, place.line, place.column, problem.message
        ));
    }
    let more = error.problems.len().saturating_sub(SHOWN);
    if more > 0 {
        lines.push(format!("{}: and {more} more", error.name));
    }
    Refusal(lines.join("\n"))
}

/// Reads a table that a flag names, `FILE.xlsx#SHEET` too, and says which sheet is meant.
pub(super) fn read_table(run: &Run, path: &Path) -> Result<(Vec<u8>, Option<String>), Refusal> {
    let (file, sheet) = crate::table::named(path);
    Ok((read_file(run, &file)?, sheet))
}

/// Reads a file that a flag names.
pub(super) fn read_file(run: &Run, path: &Path) -> Result<Vec<u8>, Refusal> {
    run.reads(path);
    std::fs::read(path)
        .map_err(|error| Refusal(format!("{}: {}", path.display(), words::why(&error))))
}

/// The day of the run.
pub(super) fn day(run: &Run) -> jiff::civil::Date {
    run.options
        .as_of
        .unwrap_or_else(|| jiff::Zoned::now().date())
}

/// The judge that the options describe. What the current folder's configuration changes is
/// told.
pub(super) fn judge(run: &Run) -> Result<Judge, Refusal> {
    let judge = judge_locked(run, None)?;
    run.caution(&judge);
    Ok(judge)
}

/// The judge that the options describe, held to a lock file. A lock that keeps copies is all
/// that decides; what the call gives besides must be what was locked. The caller tells what
/// the judge's caution says.
pub(super) fn judge_locked(run: &Run, lock: Option<&Path>) -> Result<Judge, Refusal> {
    judge_of(found(run)?, run, lock)
}

/// The judge that the options describe, with the game of one more folder.
#[cfg(feature = "serve")]
pub(super) fn judge_with_game(run: &Run, folder: &Path) -> Result<Judge, Refusal> {
    let mut found = found(run)?;
    let refuse = |error| Refusal(format!("{}: {error}", folder.display()));
    found.catalogue.add_game(folder).map_err(refuse)?;
    judge_of(found, run, None)
}

/// The judge that the options describe, of what was found.
pub(super) fn judge_of(found: Found, run: &Run, lock: Option<&Path>) -> Result<Judge, Refusal> {
    let lock = lock.map(|path| locked(run, path)).transpose()?;
    let covered = lock.as_ref().and_then(|lock| lock.covered.as_ref());
    if lock.is_some() && covered.is_none() {
        run.complain("note", UNCOVERED);
    }
    let caution = found.changes().filter(|_| covered.is_none());
    let mut cards: Vec<(Option<String>, PathBuf)> = Vec::new();
    for option in &run.options.cards {
        let named = option
            .split_once('=')
            .filter(|(game, _)| found.catalogue.games().any(|known| known == *game));
        cards.push(match named {
            Some((game, file)) => (Some(game.to_owned()), PathBuf::from(file)),
            None => (None, PathBuf::from(option)),
        });
    }
    let mut settings = BTreeMap::new();
    for setting in &run.options.set {
        let Some((name, value)) = setting.split_once('=') else {
            return Err(Refusal(format!(
                "`--set {setting}`: a setting is written NAME=VALUE, as in `--set unknown=notice`"
            )));
        };
        let name = name.trim();
        let before = settings.insert(name.to_owned(), value.trim().to_owned());
        if before.is_some() {
            return Err(Refusal(format!(
                "`--set {name}=…` is given twice; keep the one that you mean"
            )));
        }
    }
    let day = lock.as_ref().map_or_else(|| day(run), |lock| lock.day);
    let kept = match &lock {
        Some(lock) => lock.kept_lists().map_err(|error| explain(&error))?,
        None => None,
    };
    let listing = listing(run, kept.as_ref(), &found.lists)?;
    let judge = match (&lock, covered, kept) {
        (Some(lock), Some(covered), Some(kept)) => {
            let mut given = Vec::new();
            for (_, path) in &cards {
                let digest = crate::digest::sha256(&read_table(run, path)?.0);
                given.push((path.display().to_string(), digest));
            }
            lock.permits_given(&given, &settings)?;
            tell_newer(run, lock, &found.lists, day);
            let judge = Judge::new(Catalogue::of_copies(covered.files()), kept, day)
                .with_settings(covered.settings.clone());
            covered.cards().fold(judge, |judge, (game, file, bytes)| {
                let game = Some(game.to_owned());
                judge.with_cards_from(Origin::Lock, game, file.to_owned(), bytes.to_vec())
            })
        }
        _ => {
            let mut judge = Judge::new(found.catalogue, found.lists, day).with_settings(settings);
            for (game, path) in cards {
                let game = game.or_else(|| {
                    let format = judge
                        .catalogue()
                        .format(run.options.format.as_deref()?)
                        .ok()?;
                    Some(format.game().id().to_owned())
                });
                judge =
                    judge.with_cards(game, path.display().to_string(), read_table(run, &path)?.0);
            }
            for cards in found.cards {
                let file = cards.path.display().to_string();
                judge = judge.with_cards_from(cards.origin, Some(cards.game), file, cards.bytes);
            }
            judge
        }
    };
    let judge = judge
        .with_words(words::of)
        .with_lock(lock)
        .with_caution(caution)
        .with_format(run.options.format.clone())
        .with_list(listing);
    if let Some(format) = &run.options.format {
        judge.rulebook(format).map_err(|error| refuse(&error))?;
    }
    Ok(judge)
}

/// Whether card files, the named list and settings all fit what was judged.
///
/// # Errors
/// What fits no deck of the run.
pub(super) fn fitting(judge: &Judge) -> Result<(), Refusal> {
    let unused = judge.unused();
    if unused.is_empty() {
        return Ok(());
    }
    let verb = if unused.len() == 1 { "fits" } else { "fit" };
    let unused = crate::text::listed(&unused, "and");
    Err(Refusal(format!(
        "{unused} {verb} no deck of this run; leave out what is of another game"
    )))
}

/// Tells of lists that would be in force here by now in the place of the locked ones.
fn tell_newer(run: &Run, lock: &Lock, lists: &Lists, day: jiff::civil::Date) {
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
fn locked(run: &Run, path: &Path) -> Result<Lock, Refusal> {
    let name = path.display();
    let lock =
        Lock::read(&read_file(run, path)?).map_err(|error| Refusal(format!("{name}: {error}")))?;
    match run.options.as_of {
        Some(day) if day != lock.day => Err(Refusal(format!(
            "{name}: the lock is for {}, and `--as-of {day}` is another day",
            lock.day
        ))),
        _ => Ok(lock),
    }
}

/// Explains why the run's inputs are wrong.
pub(super) fn refuse(error: &crate::judge::JudgeError) -> Refusal {
    use crate::format::CatalogueError;
    use crate::judge::JudgeError;
    match error {
        JudgeError::Format(CatalogueError::File(file)) | JudgeError::ListFile(file) => {
            explain(file)
        }
        other => Refusal(words::told(other)),
    }
}

/// Which list the options name; `kept` are those of a lock.
pub(super) fn listing(
    run: &Run,
    kept: Option<&Lists>,
    lists: &Lists,
) -> Result<WhichList, Refusal> {
    match run.options.banlist.as_deref() {
        None => Ok(WhichList::InForce),
        Some("none") => Ok(WhichList::Nothing),
        Some(named) => {
            // The locked list goes by its name even where nobody else has one of it.
            if let Some(kept) = kept
                && !Path::new(named).is_file()
            {
                let kept = kept.find(named).map_err(|error| explain(&error))?;
                if let [list] = kept.as_slice() {
                    return Ok(WhichList::Named(Arc::clone(list)));
                }
            }
            Ok(WhichList::Named(banlist(run, named, lists)?))
        }
    }
}

/// The banlist that an id or a path names. An id that several publishers use names none.
pub(super) fn banlist(run: &Run, named: &str, lists: &Lists) -> Result<Arc<Banlist>, Refusal> {
    let path = Path::new(named);
    if path.is_file() {
        let list = Banlist::read(named, &read_file(run, path)?).map_err(|error| explain(&error))?;
        return Ok(Arc::new(list));
    }
    let found = lists.find(named).map_err(|error| explain(&error))?;
    match found.as_slice() {
        [list] => return Ok(Arc::clone(list)),
        [] => {}
        several => {
            let whose = |list: &Arc<Banlist>| match list.origin.is_fetched() {
                true => format!("`{}` ({})", list.shown(), list.game),
                false => format!("the file {} ({})", list.file, list.game),
            };
            let whose: Vec<String> = several.iter().map(whose).collect();
            return Err(Refusal(format!(
                "several banlists are called `{named}`: {}; say which one you mean",
                crate::text::listed(&whose, "and")
            )));
        }
    }
    let known = lists.all().map_err(|error| explain(&error))?;
    let ids: Vec<String> = known.iter().map(|list| list.shown()).collect();
    Err(Refusal(format!(
        "no banlist `{named}`: neither a file nor one of {}",
        crate::text::listed(&ids, "and")
    )))
}

/// What a deck is written in.
#[derive(Debug, Clone, Copy, clap::ValueEnum)]
pub(super) enum InputKind {
    /// The text dialect
    Text,
    /// YAML
    Yaml,
    /// JSON
    Json,
    /// A list pasted from another program
    Pasted,
    /// Card numbers (.ydk)
    Ydk,
    /// Cockatrice's XML (.cod)
    Cod,
    /// LackeyCCG's XML (.dek)
    Dek,
    /// A table: count, name, section
    Csv,
}

impl From<InputKind> for Input {
    fn from(kind: InputKind) -> Input {
        match kind {
            InputKind::Text => Input::Text,
            InputKind::Yaml => Input::Yaml,
            InputKind::Json => Input::Json,
            InputKind::Pasted => Input::Pasted,
            InputKind::Ydk => Input::Ydk,
            InputKind::Cod => Input::Cockatrice,
            InputKind::Dek => Input::Lackey,
            InputKind::Csv => Input::Csv,
        }
    }
}

/// The bytes of the one deck that a command is about; `-` is standard input.
///
/// # Errors
/// A file that cannot be read, or is larger than a deck may be.
pub(super) fn deck_bytes(judge: &Judge, run: &Run, path: &Path) -> Result<Vec<u8>, Refusal> {
    if path.is_dir() {
        return Err(Refusal(format!(
            "{}: this is a folder, and not a deck; name one of the decks in it",
            path.display()
        )));
    }
    if let Some(file) = walk::workbook_of(path) {
        run.reads(&file);
        let read = walk::sheet_text(path);
        return read.map_err(|(message, mend)| {
            Refusal(format!(
                "{}: {}",
                path.display(),
                with_mend(&message, &mend)
            ))
        });
    }
    let mut bytes = Vec::new();
    let limit = deck::LARGEST_FILE + 1;
    let read = match path.to_str() {
        Some("-") => std::io::stdin().take(limit).read_to_end(&mut bytes),
        _ => {
            run.reads(path);
            std::fs::File::open(path).and_then(|file| file.take(limit).read_to_end(&mut bytes))
        }
    };
    match read {
        Ok(_) if bytes.len() as u64 >= limit => Err(Refusal(format!(
            "{}: larger than 16 MiB, so it is no deck",
            path.display()
        ))),
        Ok(_) => {
            let name = path.display().to_string();
            as_text(judge, run, (&name, Input::of_path(path)), bytes)
        }
        Err(error) => Err(Refusal(format!(
            "{}: {}",
            path.display(),
            words::why(&error)
        ))),
    }
}

/// A deck's file as text; what is to be known of that is said.
pub(super) fn as_text(
    judge: &Judge,
    run: &Run,
    (name, input): (&str, Input),
    bytes: Vec<u8>,
) -> Result<Vec<u8>, Refusal> {
    let refuse = |error| Refusal(format!("{name}: {error}"));
    let opened = judge
        .open(&bytes, input, run.options.format.as_deref())
        .map_err(refuse)?;
    for note in &opened.notes {
        run.complain("note", &format!("{name}: {note}"));
    }
    Ok(match opened.source {
        Cow::Borrowed(_) => bytes,
        Cow::Owned(text) => text,
    })
}

/// Whether a deck's file still holds the text that was read from it.
pub(super) fn is_text(path: &Path, found: &[u8], text: &[u8]) -> bool {
    deck::open(found, Input::of_path(path)).is_ok_and(|opened| match opened.doubtful {
        Some(western) => western.text.as_bytes() == text || found == text,
        None => *opened.source == *text,
    })
}

/// What a deck is written in: what the call says, or else as its ending tells; text where
/// nothing tells, as of standard input.
pub(super) fn input_of(path: &Path, told: Option<InputKind>) -> Input {
    let own = || match walk::workbook_of(path) {
        Some(_) => Input::Csv,
        None => Input::of_path(path),
    };
    told.map_or_else(own, Input::from)
}

/// Reads the one deck that a command is about, by the rules of the format that it is for.
/// `Err` inside: it is no deck, and why; the command then answers no.
///
/// # Errors
/// A format, card file or banlist that is wrong.
pub(super) fn deck<'b>(
    judge: &Judge,
    run: &Run,
    path: &Path,
    told: Option<InputKind>,
    bytes: &'b [u8],
) -> Result<Result<Resolved<'b>, String>, Refusal> {
    let input = input_of(path, told);
    let read = deck_as(judge, run, &path.display().to_string(), input, bytes)?;
    if read.is_ok() {
        fitting(judge)?;
    }
    Ok(read)
}

/// As [`deck`], for a deck that is known to be of a file format.
///
/// # Errors
/// A format, card file or banlist that is wrong.
pub(super) fn deck_as<'b>(
    judge: &Judge,
    run: &Run,
    name: &str,
    input: Input,
    bytes: &'b [u8],
) -> Result<Result<Resolved<'b>, String>, Refusal> {
    let read = judge
        .read(bytes, input, run.options.format.as_deref())
        .map_err(|error| refuse(&error))?;
    Ok(match read {
        ReadDeck::Deck(resolved) => Ok(*resolved),
        ReadDeck::Unreadable { errors, .. } => Err(syntax(name, &errors)),
        ReadDeck::Formatless {
            unknown: Some(error),
            ..
        } => Err(format!(
            "{name}: unreadable: {error}; mend the line `Format:`"
        )),
        ReadDeck::Formatless { unknown: None, .. } => Err(format!(
            "{name}: the deck does not say which format it is for; give --format ID"
        )),
    })
}

/// A message and what would mend it: two sentences, or one with a semicolon.
pub(super) fn with_mend(message: &str, mend: &str) -> String {
    match (mend.is_empty(), message.ends_with('.')) {
        (true, _) => message.to_owned(),
        (false, true) => format!("{message} {mend}"),
        (false, false) => format!("{message}; {mend}"),
    }
}

/// The places at which a file is no deck, a line each.
pub(super) fn syntax(name: &str, errors: &[deck::SyntaxError]) -> String {
    let each: Vec<String> = errors
        .iter()
        .map(|error| format!("{name}: {}", error.clone().worded(words::of)))
        .collect();
    each.join("\n")
}
