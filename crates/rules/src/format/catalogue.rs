//! Where games come from: built in, and from a user's folders; the later wins.

use super::{Format, Game};
use crate::game::CARD_FILES;
use crate::origin::Origin;
use decklaw_text::text::listed;
use decklaw_text::yaml::FileError;
use decklaw_text::{Problem, ProblemKind};
use include_dir::{Dir, include_dir};
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

static BUILT_IN: Dir<'static> = include_dir!("$DECKLAW_FORMATS");
/// The sample decks of the built-in games: a folder a game.
static SAMPLES: Dir<'static> = include_dir!("$DECKLAW_DECKS");

/// The file of a game's folder that describes it.
pub const GAME: &str = "game.yaml";
/// The file of a game's folder with the hands, draws and presets of its odds.
pub const ODDS: &str = "odds.yaml";
/// The file of a game's folder with what its maker advises.
pub const TASTE: &str = "taste.yaml";
/// The file of a game's folder with what pages and paper show of it.
pub const LOOK: &str = "look.yaml";
/// The files next to it that are read: statistics, odds, what its maker advises, and its look.
pub const BESIDE: [&str; 4] = ["stats.yaml", ODDS, TASTE, LOOK];
/// What the names of the files begin with that draw a game's cards.
pub const ART: &str = "art/";
/// The most motifs of a game.
const MOST_MOTIFS: usize = 400;

/// The folder of a game's folder with its sample decks, as text.
const DECKS: &str = "decks";
/// The most sample decks of a game.
const MOST_SAMPLES: usize = 40;
/// The largest sample deck, in bytes.
const LARGEST_SAMPLE: u64 = 64 << 10;

/// Files by name.
type Files = BTreeMap<String, Cow<'static, [u8]>>;

/// A game's files, read but not parsed.
#[derive(Debug)]
struct Source {
    id: String,
    name: String,
    origin: Origin,
    files: Files,
    /// Its sample decks.
    samples: Files,
    /// The folder that they were read from; `None`: none that can be read again.
    folder: Option<PathBuf>,
    game: OnceLock<Result<Arc<Game>, FileError>>,
}

impl Source {
    /// Whether its file says that it is this game, whatever its folder is called.
    fn calls(&self, game: &str) -> bool {
        let text = self.files.get(GAME).map(|bytes| std::str::from_utf8(bytes));
        let Some(Ok(text)) = text.filter(|_| self.id != game) else {
            return false;
        };
        Game::read(&self.name, text).is_ok_and(|read| read.id() == game)
    }

    fn game(&self) -> Result<Arc<Game>, FileError> {
        let read = || {
            let name = format!("{}/{GAME}", self.name);
            let bytes = self.files.get(GAME).map_or(&[][..], |bytes| bytes);
            let text = decklaw_text::yaml::text_of(&name, bytes)?;
            let game = Game::read(&name, text)?;
            game.is_called(&self.id).map_err(|problem| FileError {
                name,
                text: text.to_owned(),
                problems: vec![problem],
            })?;
            Ok(Arc::new(game))
        };
        self.game.get_or_init(read).clone()
    }
}

/// The files of a folder that is compiled in.
fn files_of(folder: &'static Dir<'static>) -> Files {
    let file = |file: &'static include_dir::File<'static>| {
        let name = file.path().file_name()?.to_string_lossy().into_owned();
        Some((name, Cow::Borrowed(file.contents())))
    };
    folder.files().filter_map(file).collect()
}

/// The sample decks in the folder of a game; a folder that cannot be read has none.
fn samples_in(folder: &Path) -> Files {
    let found = std::fs::read_dir(folder.join(DECKS)).into_iter().flatten();
    let text = |path: &PathBuf| path.extension().is_some_and(|ending| ending == "txt");
    let small = |path: &PathBuf| {
        std::fs::metadata(path).is_ok_and(|about| about.is_file() && about.len() <= LARGEST_SAMPLE)
    };
    let mut paths: Vec<PathBuf> = found.flatten().map(|file| file.path()).collect();
    paths.sort();
    let paths = paths.into_iter().filter(text).filter(small);
    let read = |path: PathBuf| {
        let name = path.file_name()?.to_string_lossy().into_owned();
        Some((name, Cow::Owned(std::fs::read(path).ok()?)))
    };
    paths.filter_map(read).take(MOST_SAMPLES).collect()
}

/// The motifs in the folder of a game, by names such as `art/keep.svg`.
fn motifs_in(folder: &Path) -> std::io::Result<Files> {
    let found = std::fs::read_dir(folder.join(ART)).into_iter().flatten();
    let mut paths: Vec<PathBuf> = found.flatten().map(|file| file.path()).collect();
    paths.sort();
    let is_svg = |path: &PathBuf| path.extension().is_some_and(|ending| ending == "svg");
    let motifs = paths.into_iter().filter(is_svg).take(MOST_MOTIFS);
    let read = |path: PathBuf| {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        Ok((format!("{ART}{name}"), Cow::Owned(std::fs::read(&path)?)))
    };
    motifs.map(read).collect()
}

/// Every game known, by id. A game's file is parsed when it is first asked for.
#[derive(Debug)]
pub struct Catalogue {
    sources: BTreeMap<String, Source>,
}

fn hint(near: &[String]) -> String {
    if near.is_empty() {
        return "; `decklaw formats list` names them all".to_owned();
    }
    format!("; did you mean {}?", listed(near, "or"))
}

impl Catalogue {
    /// The games that are compiled in.
    pub fn built_in() -> Catalogue {
        let mut catalogue = Catalogue { sources: BTreeMap::new() };
        for folder in BUILT_IN.dirs() {
            let name = folder.path().to_string_lossy().into_owned();
            let samples = SAMPLES.get_dir(&name).map(files_of).unwrap_or_default();
            let read = (files_of(folder), samples, None);
            catalogue.insert(format!("formats/{name}"), name, read, Origin::BuiltIn);
        }
        catalogue
    }

    /// Just the games of an event's lock: the files of each, by game and name.
    pub fn of_copies(games: BTreeMap<String, BTreeMap<String, Vec<u8>>>) -> Catalogue {
        let mut catalogue = Catalogue { sources: BTreeMap::new() };
        for (id, files) in games {
            let files = files.into_iter();
            let files = files.map(|(name, bytes)| (name, Cow::Owned(bytes)));
            let read = (files.collect(), Files::new(), None);
            catalogue.insert(format!("lock/{id}"), id, read, Origin::Lock);
        }
        catalogue
    }

    /// Adds the games of a folder: each folder in it that holds a `game.yaml`, by its name.
    /// Gives the games that were known with other files, each with the names of those files.
    ///
    /// # Errors
    /// When the folder or a file in it cannot be read.
    pub fn add_folder(
        &mut self,
        folder: &Path,
        origin: &Origin,
    ) -> std::io::Result<Vec<(String, Vec<String>)>> {
        let mut folders: Vec<_> = std::fs::read_dir(folder)?.collect::<Result<_, _>>()?;
        folders.sort_by_key(std::fs::DirEntry::file_name);
        let mut replaced = Vec::new();
        for entry in folders {
            match std::fs::metadata(entry.path().join(GAME)) {
                Ok(found) if found.is_file() => {}
                Err(error) if error.kind() == ErrorKind::PermissionDenied => return Err(error),
                _ => continue,
            }
            let id = entry.file_name().to_string_lossy().into_owned();
            replaced.extend(self.add_named(&entry.path(), id, origin)?);
        }
        Ok(replaced)
    }

    /// Adds the game of one folder that the call names, by the folder's name.
    ///
    /// # Errors
    /// When the folder or a file in it cannot be read.
    pub fn add_game(&mut self, folder: &Path) -> std::io::Result<()> {
        let own = folder.canonicalize()?;
        let id = own.file_name().unwrap_or_default().to_string_lossy();
        self.add_named(folder, id.into_owned(), &Origin::Call).map(drop)
    }

    /// Adds a game under an id. Gives the names of the files that are others than those it had.
    fn add_named(
        &mut self,
        folder: &Path,
        id: String,
        origin: &Origin,
    ) -> std::io::Result<Option<(String, Vec<String>)>> {
        let mut files = BTreeMap::new();
        for file in std::fs::read_dir(folder)? {
            let file = file?;
            if std::fs::metadata(file.path()).is_ok_and(|found| found.is_file()) {
                let name = file.file_name().to_string_lossy().into_owned();
                files.insert(name, Cow::Owned(std::fs::read(file.path())?));
            }
        }
        files.extend(motifs_in(folder)?);
        let replaced = self.sources.get(&id).and_then(|before| {
            let names = before.files.keys().chain(files.keys());
            let other = |name: &&String| before.files.get(*name) != files.get(*name);
            let names: BTreeSet<&String> = names.filter(other).collect();
            let names: Vec<String> = names.into_iter().cloned().collect();
            (!names.is_empty()).then(|| (id.clone(), names))
        });
        let read = (files, samples_in(folder), Some(folder.to_owned()));
        self.insert(folder.display().to_string(), id, read, origin.clone());
        Ok(replaced)
    }

    fn insert(
        &mut self,
        name: String,
        id: String,
        (files, samples, folder): (Files, Files, Option<PathBuf>),
        origin: Origin,
    ) {
        let game = OnceLock::new();
        self.sources.insert(id.clone(), Source { id, name, origin, files, samples, folder, game });
    }

    /// Where a game comes from; built in where there is none of that id.
    pub fn origin(&self, game: &str) -> Origin {
        let source = self.sources.get(game);
        source.map_or(Origin::BuiltIn, |source| source.origin.clone())
    }

    /// The files of a game's folder, by name.
    pub fn files(&self, game: &str) -> impl Iterator<Item = (&str, &[u8])> {
        let files = self.sources.get(game).map(|source| source.files.iter());
        files.into_iter().flatten().map(|(name, bytes)| (name.as_str(), &**bytes))
    }

    /// The sample decks of a game, by the names of their files.
    pub fn samples(&self, game: &str) -> impl Iterator<Item = (&str, &[u8])> {
        let samples = self.sources.get(game).map(|source| source.samples.iter());
        samples.into_iter().flatten().map(|(name, bytes)| (name.as_str(), &**bytes))
    }

    /// The same with other sample decks of a game.
    #[must_use]
    pub fn with_samples(mut self, game: &str, samples: BTreeMap<String, Vec<u8>>) -> Catalogue {
        if let Some(source) = self.sources.get_mut(game) {
            let samples = samples.into_iter();
            source.samples = samples.map(|(name, bytes)| (name, Cow::Owned(bytes))).collect();
        }
        self
    }

    /// The ids of all games, sorted.
    pub fn games(&self) -> impl Iterator<Item = &str> {
        self.sources.keys().map(String::as_str)
    }

    /// A game.
    ///
    /// # Errors
    /// When there is no such game ([`NotFound`](ProblemKind::NotFound)), or its file is wrong.
    pub fn game(&self, id: &str) -> Result<Arc<Game>, Problem> {
        let source = self.sources.get(id).ok_or_else(|| self.unknown(id))?;
        Ok(source.game()?)
    }

    /// A format by its id or an alias, or by its name or its game's, case ignored.
    ///
    /// # Errors
    /// When there is no such format ([`NotFound`](ProblemKind::NotFound)), or its game's file is
    /// wrong.
    pub fn format(&self, id: &str) -> Result<Format, Problem> {
        let folded = decklaw_text::name::fold(id);
        let game = folded.split('/').next().unwrap_or("");
        let Some(source) = self.sources.get(game) else {
            let titled = self.titled(&folded);
            return titled.ok_or_else(|| self.unknown(&folded));
        };
        let game = source.game()?;
        let formats = game.formats();
        let named = |format: &Format| format.entry().ids().any(|id| id.value == *folded);
        formats
            .into_iter()
            .find(named)
            .or_else(|| game.default_format().filter(|_| folded == game.id()))
            .or_else(|| self.titled(&folded))
            .ok_or_else(|| self.unknown(&folded))
    }

    /// The one format of a name; of a game's name, its default format.
    fn titled(&self, folded: &str) -> Option<Format> {
        let is = |name: &str| *decklaw_text::name::fold(name) == *folded;
        let mut found: Vec<Format> = Vec::new();
        for source in self.sources.values() {
            let Ok(game) = source.game() else { continue };
            let formats = game.formats();
            let by_name = formats.iter().find(|format| is(&format.entry().name));
            let by_game = || game.default_format().filter(|_| is(&game.file.name));
            found.extend(by_name.cloned().or_else(by_game));
        }
        // Two games of one name differ by their ids alone.
        found.pop().filter(|_| found.is_empty())
    }

    fn unknown(&self, id: &str) -> Problem {
        // It may be there, in a folder of another name.
        let game = id.split('/').next().unwrap_or_default();
        let misplaced = self.sources.values().filter(|source| source.calls(game));
        if let Some(error) = misplaced.filter_map(|source| source.game().err()).next() {
            return error.into();
        }
        let message = format!("unknown format `{id}`{}", hint(&self.near(id)));
        Problem::new(ProblemKind::NotFound, message)
    }

    /// The ids of formats that an unknown one may mean.
    pub fn near(&self, id: &str) -> Vec<String> {
        let games = self.sources.values().filter_map(|source| source.game().ok());
        let ids: Vec<String> =
            games.flat_map(|game| game.formats()).map(|format| format.id().to_owned()).collect();
        let mut near = decklaw_text::name::nearest(id, ids.iter().map(String::as_str));
        // A game's formats by the game alone, and a format without its game.
        let own = |format: &&str| match format.split_once('/') {
            Some((game, format)) => game == id || decklaw_text::name::fold(format) == id,
            None => false,
        };
        let own: Vec<&str> = ids.iter().map(String::as_str).filter(own).collect();
        if !own.is_empty() {
            near = own;
        }
        near.into_iter().map(str::to_owned).collect()
    }

    /// A further file of a game's folder, by name.
    pub fn file(&self, game: &str, name: &str) -> Option<&[u8]> {
        self.sources.get(game)?.files.get(name).map(|bytes| &**bytes)
    }

    /// The folder that a game was read from; `None`: it is built in, or of a lock.
    pub fn folder(&self, game: &str) -> Option<&Path> {
        self.sources.get(game)?.folder.as_deref()
    }

    /// A file of a game's folder as it is shown.
    pub fn path(&self, game: &str, name: &str) -> String {
        let folder = self.sources.get(game).map(|source| source.name.as_str());
        format!("{}/{name}", folder.unwrap_or(game))
    }

    /// The card file of a game's folder: its name as shown, and its bytes.
    pub fn cards(&self, game: &str) -> Option<(String, &[u8])> {
        let mut files = CARD_FILES.iter();
        files.find_map(|file| Some((self.path(game, file), self.file(game, file)?)))
    }
}

/// The files of a game's folder that are most likely meant for the game and that nothing reads,
/// each with the name that was meant. Hidden files are left out.
///
/// # Errors
/// A folder that cannot be read.
pub fn unread_files(folder: &Path) -> std::io::Result<Vec<(PathBuf, String)>> {
    const LIKELY: [&str; 11] =
        ["yaml", "yml", "csv", "tsv", "xlsx", "ods", "json", "ndjson", "jsonl", "xml", "txt"];
    let cards = CARD_FILES.iter().find(|file| folder.join(file).is_file());
    let known = || [GAME].into_iter().chain(CARD_FILES).chain(BESIDE);
    let mut unread = Vec::new();
    for entry in std::fs::read_dir(folder)? {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        let ending = name.rsplit_once('.').map(|(_, ending)| ending.to_ascii_lowercase());
        let is_likely = ending.is_some_and(|ending| LIKELY.contains(&ending.as_str()));
        let is_read =
            name == GAME || cards.is_some_and(|cards| *cards == name) || BESIDE.contains(&&*name);
        if !is_likely || is_read || !entry.file_type()?.is_file() || name.starts_with('.') {
            continue;
        }
        let hint = match decklaw_text::name::nearest(&name, known()).as_slice() {
            [] => {
                format!("the names that are read are {}", listed(&Vec::from_iter(known()), "and"))
            }
            near => format!("did you mean {}?", listed(near, "or")),
        };
        unread.push((entry.path(), hint));
    }
    unread.sort_unstable();
    Ok(unread)
}
