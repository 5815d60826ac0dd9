//! What `decklaw.yaml` brings: that of the user's own account, which is trusted, and that of the
//! current folder, which may be anybody's. Its changes are reported, and `--no-local`
//! ignores it.

use super::CliError;
use super::answer::io_message;
use super::files::read_table;
use super::options::Judging;
use crate::banlist::{Lists, in_force};
use crate::cli::fetch::{Copies, ListAddress};
use crate::format::Catalogue;
use crate::origin::Origin;
use crate::text::listed;
use crate::yaml::{FileError, text_of};
use jiff::civil::Date;
use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet};
use std::io::{ErrorKind, Read};
use std::path::{Path, PathBuf};

/// The most bytes of a configuration: 1 MiB.
const LARGEST: u64 = 1 << 20;

/// The file of a folder that configures the program.
const FILE: &str = "decklaw.yaml";

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
}

/// A card file of a configuration.
#[derive(Debug)]
pub(super) struct CardFile {
    /// The game that it is for.
    pub(super) game: String,
    /// Where it is.
    pub(super) path: PathBuf,
    /// What it holds.
    pub(super) bytes: Vec<u8>,
    /// Whose configuration names it.
    pub(super) origin: Origin,
}

/// What is built in and what the configuration brings.
#[derive(Debug)]
pub(super) struct LoadedConfiguration {
    /// The games.
    pub(super) catalogue: Catalogue,
    /// The banlists.
    pub(super) lists: Lists,
    /// Banlists on the web.
    pub(super) sources: Vec<ListAddress>,
    /// The card files, those that take precedence first.
    pub(super) cards: Vec<CardFile>,
    /// What the current folder changes of all that was there without it.
    changed: BTreeSet<String>,
}

impl LoadedConfiguration {
    /// Nothing but what is built in.
    pub(super) fn built_in() -> LoadedConfiguration {
        LoadedConfiguration {
            catalogue: Catalogue::built_in(),
            lists: Lists::default(),
            sources: Vec::new(),
            cards: Vec::new(),
            changed: BTreeSet::new(),
        }
    }

    /// What the current folder's configuration changes, in a line; `None`: nothing.
    pub(super) fn changes(&self) -> Option<String> {
        let changed: Vec<&String> = self.changed.iter().collect();
        (!changed.is_empty()).then(|| {
            format!("./{FILE} changes {}; `--no-local` ignores it", listed(&changed, "and"))
        })
    }
}

/// The folder whose folders keep what was fetched from the web.
pub(super) fn fetched_folder() -> Option<PathBuf> {
    configuration_folder().map(|folder| folder.join("fetched"))
}

/// The user's configuration folder; `DECKLAW_CONFIG` overrides the platform's.
fn configuration_folder() -> Option<PathBuf> {
    if let Some(folder) = std::env::var_os("DECKLAW_CONFIG") {
        return Some(PathBuf::from(folder));
    }
    let folders = directories::ProjectDirs::from("", "", "decklaw")?;
    Some(folders.config_dir().to_owned())
}

/// The text of a folder's configuration; `None` where there is none.
fn text_in(folder: &Path) -> Result<Option<(PathBuf, String)>, CliError> {
    let file = folder.join(FILE);
    let name = file.display();
    let cannot = |why: &str| CliError::call(format!("{name}: the configuration {why}"));
    let unreadable =
        |error: std::io::Error| cannot(&format!("cannot be read: {}", io_message(&error)));
    match std::fs::metadata(&file) {
        // A link that leads nowhere is no missing file.
        Err(error) if error.kind() == ErrorKind::NotFound && !file.is_symlink() => return Ok(None),
        Err(error) => return Err(unreadable(error)),
        Ok(found) if found.is_dir() => return Err(cannot("is a folder, and must be a file")),
        Ok(found) if !found.is_file() => {
            return Err(cannot("is a pipe or device, and must be a file"));
        }
        Ok(found) if found.len() > LARGEST => return Err(cannot("is larger than 1 MiB")),
        Ok(_) => {}
    }
    let mut bytes = Vec::new();
    std::fs::File::open(&file)
        .and_then(|open| open.take(LARGEST).read_to_end(&mut bytes))
        .map_err(unreadable)?;
    match text_of(&file.display().to_string(), &bytes) {
        Ok(text) => Ok(Some((file, text.to_owned()))),
        Err(error) => Err(error.into()),
    }
}

/// What is wrong with the text of a `decklaw.yaml`, in a sentence; `None`: it can be read.
pub fn wrong_in_configuration(text: &str) -> Option<String> {
    let read = crate::yaml::read::<Configuration>(text);
    read.err().map(|problem| problem.message)
}

/// Reads the configuration of a folder; `None` where there is none.
fn read(folder: &Path) -> Result<Option<Configuration>, CliError> {
    let Some((file, text)) = text_in(folder)? else {
        return Ok(None);
    };
    let read = crate::yaml::read::<Configuration>(&text).map_err(|problem| FileError {
        name: file.display().to_string(),
        text,
        problems: vec![problem],
    })?;
    Ok(Some(read))
}

/// What is put together while configurations are read.
struct ConfigurationReader {
    found: LoadedConfiguration,
    addresses: BTreeMap<String, (Address, Origin)>,
}

/// Reads the configuration, in the user's folder and in the current one.
///
/// # Errors
/// A file of the configuration that is wrong or cannot be read.
pub(super) fn found(judging: &Judging) -> Result<LoadedConfiguration, CliError> {
    let mut putting =
        ConfigurationReader { found: LoadedConfiguration::built_in(), addresses: BTreeMap::new() };
    if let Some(folder) = configuration_folder() {
        let configuration = read(&folder)?.unwrap_or_default();
        putting.add(&folder, configuration, &Origin::Account)?;
    }
    putting.add_fetched(&Origin::Account)?;
    if !judging.no_local() {
        putting.add_local(judging.day())?;
    }
    let source =
        |(name, (address, origin)): (String, (Address, Origin))| -> Result<ListAddress, CliError> {
            let source = ListAddress::new(&name, &address.url, address.game)?;
            Ok(ListAddress { local: origin == Origin::Here, ..source })
        };
    let mut found = putting.found;
    let is_known = |file: &&CardFile| found.catalogue.games().any(|game| game == file.game);
    if let Some(file) = found.cards.iter().find(|file| !is_known(file)) {
        let (path, game) = (file.path.display(), &file.game);
        let message = format!("{path}: these are cards of `{game}`, an unknown game");
        return Err(CliError::call(message));
    }
    let addresses = putting.addresses.into_iter();
    found.sources = addresses.map(source).collect::<Result<_, _>>()?;
    Ok(found)
}

impl ConfigurationReader {
    /// Adds what a folder's configuration brings.
    fn add(
        &mut self,
        folder: &Path,
        configuration: Configuration,
        origin: &Origin,
    ) -> Result<(), CliError> {
        // Without a `.` within it, as it is shown.
        let resolve = |path: &PathBuf| -> PathBuf { folder.join(path).components().collect() };
        let own = |name: &str| {
            let own = folder.join(name);
            (*origin == Origin::Account && own.is_dir()).then_some(own)
        };
        let folder_of = |path: &Path, what: &str| {
            if path.is_dir() {
                return Ok(());
            }
            let message = format!("{}: no such folder of {what}", path.display());
            Err(CliError::call(message))
        };
        let games = configuration.formats.iter().map(resolve);
        for path in games.chain(own("formats")) {
            folder_of(&path, "games")?;
            if path.join(crate::format::GAME).is_file() {
                let message = "this is the folder of one game; name the folder that it is in";
                return Err(CliError::call(format!("{}: {message}", path.display())));
            }
            let refuse = |error| CliError::call(format!("{}: {error}", path.display()));
            let replaced = self.found.catalogue.add_folder(&path, origin);
            for (game, files) in replaced.map_err(refuse)? {
                let files: Vec<&str> = files.iter().map(|file| meaning(file)).collect();
                self.changes(origin, format!("the {} of {game}", listed(&files, "and")));
            }
        }
        let lists = configuration.banlists.iter().map(resolve);
        for path in lists.chain(own("banlists")) {
            folder_of(&path, "banlists")?;
            let replaced = self.found.lists.add_folder(&path, origin);
            for (game, id) in replaced? {
                self.changes(origin, format!("the list {id} of {game}"));
            }
        }
        let mut cards = Vec::new();
        for (game, path) in &configuration.cards {
            let path = resolve(path);
            let bytes = read_table(&path)?.0;
            let before = self.found.cards.iter().find(|cards| cards.game == *game);
            let before = before.map(|cards| cards.bytes.as_slice());
            let built_in = self.found.catalogue.cards(game).map(|(_, bytes)| bytes);
            let known = self.found.catalogue.games().any(|known| known == game);
            if known && before.or(built_in) != Some(&bytes) {
                self.changes(origin, format!("the cards of {game}"));
            }
            cards.push(CardFile { game: game.clone(), path, bytes, origin: origin.clone() });
        }
        // The later configuration takes precedence over the earlier.
        cards.append(&mut self.found.cards);
        self.found.cards = cards;
        for (name, address) in configuration.lists {
            // A folder of another person must not turn a trusted name to another address.
            match self.addresses.get(&name) {
                Some((before, _)) if *before != address => {
                    return Err(CliError::call(format!(
                        "{}: the list `{name}` is another one in your own configuration; give it another name here",
                        folder.join(FILE).display()
                    )));
                }
                Some(_) => {}
                None => {
                    self.addresses.insert(name, (address, origin.clone()));
                }
            }
        }
        Ok(())
    }

    /// Adds what the current folder's configuration brings, and notes what it changes.
    fn add_local(&mut self, day: Date) -> Result<(), CliError> {
        let here = Path::new(".");
        let Some(configuration) = read(here)? else {
            return Ok(());
        };
        let (before, games) = (self.found.lists.clone(), self.games());
        self.add(here, configuration, &Origin::Here)?;
        self.add_fetched(&Origin::Here)?;
        let state = |lists: &Lists, game: &str, format: Option<&str>| -> Result<String, CliError> {
            let lists = lists.of(game)?;
            Ok(match in_force(&lists, game, format, day) {
                Ok(None) => "none".to_owned(),
                Ok(Some(list)) => format!("{} ({})", list.shown(), &list.sha256[..12]),
                Err(_) => "two at once".to_owned(),
            })
        };
        for game in games {
            let now = self.found.lists.of(&game)?;
            let was = before.of(&game)?;
            let own = now.iter().chain(&was).flat_map(|list| &list.formats);
            let own: BTreeSet<&str> = own.map(|format| format.value.as_str()).collect();
            for format in std::iter::once(None).chain(own.into_iter().map(Some)) {
                let was = state(&before, &game, format)?;
                let is = state(&self.found.lists, &game, format)?;
                if was != is {
                    let whose = format.unwrap_or(&game);
                    let what = format!("the list in force for {whose}, from {was} to {is}");
                    self.changes(&Origin::Here, what);
                }
            }
        }
        Ok(())
    }

    fn games(&self) -> Vec<String> {
        self.found.catalogue.games().map(str::to_owned).collect()
    }

    /// Notes what a configuration changes, where that must be reported.
    fn changes(&mut self, origin: &Origin, what: String) {
        if *origin == Origin::Here {
            self.found.changed.insert(what);
        }
    }

    /// Adds the copies of lists from the web: those that the user fetched by address or own
    /// configuration, or else those that only the current folder's configuration names, which
    /// apply nowhere but there.
    fn add_fetched(&mut self, whose: &Origin) -> Result<(), CliError> {
        let local = *whose == Origin::Here;
        let theirs: Vec<String> = self
            .addresses
            .values()
            .filter(|(_, origin)| *origin == Origin::Here)
            .map(|(address, _)| ListAddress::name_for(&address.url))
            .collect();
        for folder in copies()? {
            let name = folder.file_name().unwrap_or_default().to_string_lossy();
            let kept = Copies::read(folder.clone())?;
            if kept.is_local() != local || (local && !theirs.iter().any(|their| *their == *name)) {
                continue;
            }
            let origin = Origin::Fetched(name.into_owned());
            let lists = &mut self.found.lists;
            lists.add_copies(&folder, &origin)?;
        }
        Ok(())
    }
}

/// What a file of a game's folder is.
fn meaning(file: &str) -> &str {
    match file {
        "game.yaml" => "rules",
        file if crate::game::CARD_FILES.contains(&file) => "cards",
        other => other,
    }
}

/// The folders with copies of lists from the web, by name.
fn copies() -> Result<Vec<PathBuf>, CliError> {
    let Some(folder) = fetched_folder().filter(|folder| folder.is_dir()) else {
        return Ok(Vec::new());
    };
    let entries = std::fs::read_dir(&folder)
        .and_then(Iterator::collect::<Result<Vec<_>, _>>)
        .map_err(|error| CliError::call(format!("{}: {error}", folder.display())))?;
    let mut folders: Vec<PathBuf> = entries.iter().map(std::fs::DirEntry::path).collect();
    folders.retain(|path| path.is_dir());
    folders.sort_unstable();
    Ok(folders)
}
