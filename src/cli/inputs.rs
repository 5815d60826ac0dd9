//! From the options of a call to a judge: where games, cards and banlists are found.

use super::{Options, Refusal};
use crate::banlist::fetch::Source;
use crate::banlist::lock::Lock;
use crate::banlist::{Banlist, Lists};
use crate::deck::{self, Input};
use crate::format::Catalogue;
use crate::judge::{Judge, ReadDeck, WhichList};
use crate::resolve::Resolved;
use crate::yaml::FileError;
use serde::Deserialize;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The lock file of an event, unless another is named.
pub(super) const LOCK_FILE: &str = "decklaw.lock";

/// `decklaw.yaml`, in the user's configuration folder and in the current one.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Configuration {
    /// Folders of games.
    #[serde(default)]
    formats: Vec<PathBuf>,
    /// Folders of banlists.
    #[serde(default)]
    banlists: Vec<PathBuf>,
    /// Card files by game.
    #[serde(default)]
    cards: BTreeMap<String, PathBuf>,
    /// Banlists on the web, by the names that they get here.
    #[serde(default)]
    lists: BTreeMap<String, Address>,
}

/// A banlist on the web.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
struct Address {
    /// Where it is.
    url: String,
    /// The game that it must be for.
    #[serde(default)]
    game: Option<String>,
    /// The minisign public key that must have signed it.
    #[serde(default)]
    key: Option<String>,
    /// Certificates of an authority of the user's own, in PEM.
    #[serde(default)]
    ca: Option<PathBuf>,
}

/// What is built in and what the configuration brings.
#[derive(Debug)]
pub(super) struct Found {
    /// The games.
    pub(super) catalogue: Catalogue,
    /// The banlists.
    pub(super) lists: Lists,
    /// Banlists on the web.
    pub(super) sources: Vec<Source>,
    cards: Vec<(Option<String>, PathBuf)>,
}

/// The folder whose folders keep what was fetched from the web.
pub(super) fn fetched_folder() -> Option<PathBuf> {
    configuration_folder().map(|folder| folder.join("fetched"))
}

/// The user's configuration folder; `DECKLAW_CONFIG` overrides the platform's.
pub(super) fn configuration_folder() -> Option<PathBuf> {
    if let Some(folder) = std::env::var_os("DECKLAW_CONFIG") {
        return Some(PathBuf::from(folder));
    }
    let folders = directories::ProjectDirs::from("", "", "decklaw")?;
    Some(folders.config_dir().to_owned())
}

/// Explains a file that cannot be used, with its lines.
pub(super) fn explain(error: &FileError) -> Refusal {
    let mut lines = Vec::new();
    for problem in &error.problems {
        let place = crate::text::place(&error.text, problem.span.start);
        lines.push(format!(
            "{}:{}:{}: {}",
            error.name, place.line, place.column, problem.message
        ));
        if let Some(line) = error.text.lines().nth(place.line - 1) {
            let shown: String = line.chars().take(100).collect();
            lines.push(format!("    {shown}"));
            if place.column <= 100 {
                let length = error
                    .text
                    .get(problem.span.start..problem.span.end)
                    .unwrap_or("");
                let first = length.lines().next().unwrap_or("").chars().count();
                let marks = "^".repeat(first.clamp(1, 100));
                lines.push(format!("    {}{marks}", " ".repeat(place.column - 1)));
            }
        }
    }
    Refusal(lines.join("\n"))
}

/// Reads a table that a flag names, `FILE.xlsx#SHEET` too, and says which sheet is meant.
pub(super) fn read_table(path: &Path) -> Result<(Vec<u8>, Option<String>), Refusal> {
    let (file, sheet) = crate::table::named(path);
    Ok((read_file(&file)?, sheet))
}

/// Reads a file that a flag names.
pub(super) fn read_file(path: &Path) -> Result<Vec<u8>, Refusal> {
    super::files::reads(path);
    std::fs::read(path).map_err(|error| Refusal(format!("{}: {error}", path.display())))
}

/// The day of the run.
pub(super) fn day(options: &Options) -> jiff::civil::Date {
    options.as_of.unwrap_or_else(|| jiff::Zoned::now().date())
}

/// Reads the configuration, in the user's folder and in the current one.
///
/// # Errors
/// A file of the configuration that is wrong.
pub(super) fn found() -> Result<Found, Refusal> {
    let mut catalogue = Catalogue::built_in();
    let mut lists = Lists::default();
    let mut cards: Vec<(Option<String>, PathBuf)> = Vec::new();
    let mut addresses: BTreeMap<String, Address> = BTreeMap::new();
    for folder in copies()? {
        lists.add_copies(&folder).map_err(|error| explain(&error))?;
    }
    let own = configuration_folder();
    let folders = own.iter().map(PathBuf::as_path).chain([Path::new(".")]);
    for (at, folder) in folders.enumerate() {
        let file = folder.join("decklaw.yaml");
        super::files::reads(&file);
        let mut configuration = match std::fs::read_to_string(&file) {
            Ok(text) => crate::yaml::read::<Configuration>(&text).map_err(|problem| {
                explain(&FileError {
                    name: file.display().to_string(),
                    text,
                    problems: vec![problem],
                })
            })?,
            Err(_) => Configuration::default(),
        };
        let resolve = |path: &PathBuf| folder.join(path);
        if own.is_some() && at == 0 {
            configuration.formats.push("formats".into());
            configuration.banlists.push("banlists".into());
            configuration
                .formats
                .retain(|path| folder.join(path).is_dir());
            configuration
                .banlists
                .retain(|path| folder.join(path).is_dir());
        }
        for path in configuration.formats.iter().map(resolve) {
            let refuse = |error| Refusal(format!("{}: {error}", path.display()));
            catalogue.add_folder(&path).map_err(refuse)?;
        }
        for path in configuration.banlists.iter().map(resolve) {
            lists.add_folder(&path).map_err(|error| explain(&error))?;
        }
        let brought = configuration.cards.iter();
        cards.extend(brought.map(|(game, path)| (Some(game.clone()), resolve(path))));
        for (name, mut address) in configuration.lists {
            address.ca = address.ca.as_ref().map(resolve);
            // A folder of somebody else's must not turn a trusted name to another address, nor
            // take its key away.
            let before = addresses.insert(name.clone(), address.clone());
            if before.is_some_and(|before| before != address) {
                return Err(Refusal(format!(
                    "{}: the list `{name}` is another one in your own configuration; give it another name here",
                    file.display()
                )));
            }
        }
    }
    let source = |(name, address): (String, Address)| -> Result<Source, Refusal> {
        let source = Source::new(&name, &address.url, address.game, address.key.as_deref())?;
        let authority = address.ca;
        Ok(Source {
            authority,
            ..source
        })
    };
    Ok(Found {
        catalogue,
        lists,
        sources: addresses
            .into_iter()
            .map(source)
            .collect::<Result<_, _>>()?,
        cards,
    })
}

/// The folders with copies of lists from the web, by name.
fn copies() -> Result<Vec<PathBuf>, Refusal> {
    let Some(folder) = fetched_folder().filter(|folder| folder.is_dir()) else {
        return Ok(Vec::new());
    };
    let entries = std::fs::read_dir(&folder)
        .and_then(Iterator::collect::<Result<Vec<_>, _>>)
        .map_err(|error| Refusal(format!("{}: {error}", folder.display())))?;
    let mut folders: Vec<PathBuf> = entries.iter().map(std::fs::DirEntry::path).collect();
    folders.retain(|path| path.is_dir());
    folders.sort_unstable();
    Ok(folders)
}

/// The judge that the options describe.
pub(super) fn judge(options: &Options) -> Result<Judge, Refusal> {
    judge_locked(options, None)
}

/// The judge that the options describe, held to a lock file.
pub(super) fn judge_locked(options: &Options, lock: Option<&Path>) -> Result<Judge, Refusal> {
    judge_of(found()?, options, lock)
}

/// The judge that the options describe, with the game of one more folder.
#[cfg(feature = "serve")]
pub(super) fn judge_with_game(options: &Options, folder: &Path) -> Result<Judge, Refusal> {
    let mut found = found()?;
    let refuse = |error| Refusal(format!("{}: {error}", folder.display()));
    found.catalogue.add_game(folder).map_err(refuse)?;
    judge_of(found, options, None)
}

/// The judge that the options describe, of what was found.
pub(super) fn judge_of(
    found: Found,
    options: &Options,
    lock: Option<&Path>,
) -> Result<Judge, Refusal> {
    let Found {
        catalogue,
        lists,
        cards: configured,
        ..
    } = found;
    let mut cards: Vec<(Option<String>, PathBuf)> = Vec::new();
    for option in &options.cards {
        let named = option
            .split_once('=')
            .filter(|(game, _)| catalogue.games().any(|known| known == *game));
        cards.push(match named {
            Some((game, file)) => (Some(game.to_owned()), PathBuf::from(file)),
            None => (None, PathBuf::from(option)),
        });
    }
    cards.extend(configured);
    let lock = lock.map(|path| locked(options, path)).transpose()?;
    let mut settings = BTreeMap::new();
    for setting in &options.set {
        let Some((name, value)) = setting.split_once('=') else {
            return Err(Refusal(format!(
                "`--set {setting}` must be `--set NAME=VALUE`"
            )));
        };
        settings.insert(name.trim().to_owned(), value.trim().to_owned());
    }
    let listing = listing(options, &lists)?;
    let day = lock.as_ref().map_or_else(|| day(options), |lock| lock.day);
    let mut judge = Judge::new(catalogue, lists, day)
        .with_lock(lock)
        .with_format(options.format.clone())
        .with_settings(settings)
        .with_list(listing);
    for (game, path) in cards {
        let game = game.or_else(|| {
            let format = judge.catalogue().format(options.format.as_deref()?).ok()?;
            Some(format.game().id().to_owned())
        });
        judge = judge.with_cards(game, path.display().to_string(), read_table(&path)?.0);
    }
    if let Some(format) = &options.format {
        judge.rulebook(format).map_err(|error| refuse(&error))?;
    }
    Ok(judge)
}

/// Reads a lock file. Its day is the day of the run.
fn locked(options: &Options, path: &Path) -> Result<Lock, Refusal> {
    let name = path.display();
    let lock =
        Lock::read(&read_file(path)?).map_err(|error| Refusal(format!("{name}: {error}")))?;
    match options.as_of {
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
        other => Refusal(other.to_string()),
    }
}

/// Which list the options name.
pub(super) fn listing(options: &Options, lists: &Lists) -> Result<WhichList, Refusal> {
    match options.banlist.as_deref() {
        None => Ok(WhichList::InForce),
        Some("none") => Ok(WhichList::Nothing),
        Some(named) => Ok(WhichList::Named(banlist(named, lists)?)),
    }
}

/// The banlist that an id or a path names.
pub(super) fn banlist(named: &str, lists: &Lists) -> Result<Arc<Banlist>, Refusal> {
    let path = Path::new(named);
    if path.is_file() {
        let list = Banlist::read(named, &read_file(path)?).map_err(|error| explain(&error))?;
        return Ok(Arc::new(list));
    }
    if let Some(list) = lists.find(named).map_err(|error| explain(&error))? {
        return Ok(list);
    }
    let known = lists.all().map_err(|error| explain(&error))?;
    let ids: Vec<&str> = known.iter().map(|list| list.id.as_str()).collect();
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
pub(super) fn deck_bytes(path: &Path) -> Result<Vec<u8>, Refusal> {
    if path.is_dir() {
        return Err(Refusal(format!(
            "{}: this is a folder, and not a deck; name one of the decks in it",
            path.display()
        )));
    }
    let mut bytes = Vec::new();
    let limit = deck::LARGEST_FILE + 1;
    let read = match path.to_str() {
        Some("-") => std::io::stdin().take(limit).read_to_end(&mut bytes),
        _ => {
            super::files::reads(path);
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
            as_text(&name, Input::of_path(path), bytes)
        }
        Err(error) => Err(Refusal(format!("{}: {error}", path.display()))),
    }
}

/// A deck's file as text; what is to be known of that is said.
pub(super) fn as_text(name: &str, input: Input, bytes: Vec<u8>) -> Result<Vec<u8>, Refusal> {
    let refuse = |error| Refusal(format!("{name}: {error}"));
    let opened = deck::open(&bytes, input).map_err(refuse)?;
    for note in &opened.notes {
        super::terminal::complain("note", &format!("{name}: {note}"));
    }
    Ok(match opened.source {
        Cow::Borrowed(_) => bytes,
        Cow::Owned(text) => text,
    })
}

/// What a deck is written in: what the call says, or else as its ending tells; text where
/// nothing tells, as of standard input.
pub(super) fn input_of(path: &Path, told: Option<InputKind>) -> Input {
    told.map_or_else(|| Input::of_path(path), Input::from)
}

/// Reads the one deck that a command is about, by the rules of the format that it is for.
/// `Err` inside: it is no deck, and why; the command then answers no.
///
/// # Errors
/// A format, card file or banlist that is wrong.
pub(super) fn deck<'b>(
    judge: &Judge,
    options: &Options,
    path: &Path,
    told: Option<InputKind>,
    bytes: &'b [u8],
) -> Result<Result<Resolved<'b>, String>, Refusal> {
    let input = input_of(path, told);
    deck_as(judge, options, &path.display().to_string(), input, bytes)
}

/// As [`deck`], for a deck that is known to be of a file format.
///
/// # Errors
/// A format, card file or banlist that is wrong.
pub(super) fn deck_as<'b>(
    judge: &Judge,
    options: &Options,
    name: &str,
    input: Input,
    bytes: &'b [u8],
) -> Result<Result<Resolved<'b>, String>, Refusal> {
    let read = judge
        .read(bytes, input, options.format.as_deref())
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
        .map(|error| format!("{name}: {error}"))
        .collect();
    each.join("\n")
}
