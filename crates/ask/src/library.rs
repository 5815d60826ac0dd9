//! The games, cards, lists and settings by which questions are answered.

use crate::problem;
use decklaw_cards::pool::{CardId, Pool};
use decklaw_engine::odds::{ODDS, OddsDefaults};
use decklaw_engine::solve::Taste;
use decklaw_engine::stats::{STATS, Spec};
use decklaw_judge::judge::Judge;
use decklaw_judge::report::json::Inputs;
use decklaw_play::paper::Pictures;
use decklaw_rules::banlist::{Banlist, Lists};
use decklaw_rules::format::{Catalogue, Rulebook, TASTE};
use decklaw_rules::origin::Origin;
use decklaw_text::{Problem, ProblemKind};
use jiff::civil::Date;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_json::value::RawValue;
use std::collections::{BTreeMap, HashMap};
use std::fmt;
use std::path::Path;
use std::sync::{Arc, Mutex, OnceLock, PoisonError, RwLock};

/// What a judge is made for.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct JudgeOptions {
    /// Settings, name to value; they take precedence over those of the library.
    pub settings: BTreeMap<String, String>,
    /// The day of the verdicts; by default the library's.
    pub day: Option<Date>,
    /// Which banlist applies.
    pub list: ListChoice,
}

/// Which banlist applies.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ListChoice {
    /// The list in force on the day, or the one that the library was made with.
    #[default]
    InForce,
    /// None.
    Nothing,
    /// The list of this id.
    Named {
        /// The list's id.
        id: String,
        /// SHA-256 of its bytes, lower-case hex, where the list must be this very one.
        sha256: Option<String>,
    },
}

/// Makes a judge for some options.
pub type MakeJudge = dyn Fn(&JudgeOptions) -> Result<Judge, Problem> + Send + Sync;

/// The most judges that are cached.
const MOST_JUDGES: usize = 16;

/// The games, cards, lists, settings and the day by which questions are [answered](crate::ask).
///
/// It caches judges and what belongs to each game. Threads may share it.
pub struct Library {
    make: Box<MakeJudge>,
    today: fn() -> Date,
    cache: RwLock<JudgeCache>,
    /// What every question has unless it names others.
    pub(crate) options: JudgeOptions,
    /// Pictures of cards next to a published page.
    pub(crate) pictures: Option<Pictures>,
}

/// The judges made since the library's files last changed.
#[derive(Default)]
struct JudgeCache {
    changes: u64,
    judges: HashMap<JudgeOptions, Arc<JudgeEntry>>,
}

impl fmt::Debug for Library {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Library").finish_non_exhaustive()
    }
}

/// The day of this machine's clock.
fn clock() -> Date {
    jiff::Zoned::now().date()
}

impl From<Judge> for Library {
    /// A library with this judge alone: its questions name no settings, list or day of their own.
    fn from(judge: Judge) -> Library {
        let library = Library::new(
            Box::new(|_| {
                Err(Problem::new(ProblemKind::Query, "settings, banlist and day are fixed here"))
            }),
            Date::default,
        );
        let options = JudgeOptions { day: Some(Date::default()), ..JudgeOptions::default() };
        library.write().judges.insert(options, Arc::new(JudgeEntry::new(judge)));
        library
    }
}

impl Library {
    /// The games and lists that are built in.
    pub fn built_in() -> Library {
        Library::of(|| Ok(Catalogue::built_in()))
    }

    /// The built-in games, and the game in a folder that holds a `game.yaml`.
    ///
    /// # Errors
    /// A folder that cannot be read.
    pub fn with_game(folder: impl AsRef<Path>) -> Result<Library, Problem> {
        Library::of_folder(folder.as_ref(), |catalogue, folder| catalogue.add_game(folder))
    }

    /// The built-in games, and the games whose folders are in a folder.
    ///
    /// # Errors
    /// A folder that cannot be read.
    pub fn with_games(folder: impl AsRef<Path>) -> Result<Library, Problem> {
        Library::of_folder(folder.as_ref(), |catalogue, folder| {
            catalogue.add_folder(folder, &Origin::Call).map(drop)
        })
    }

    fn of_folder(
        folder: &Path,
        add: fn(&mut Catalogue, &Path) -> std::io::Result<()>,
    ) -> Result<Library, Problem> {
        let folder = folder.to_owned();
        let catalogue = move || {
            let mut catalogue = Catalogue::built_in();
            add(&mut catalogue, &folder).map_err(|error| {
                let message = format!("{}: {error}", folder.display());
                Problem::new(ProblemKind::Game, message)
            })?;
            Ok(catalogue)
        };
        catalogue()?;
        Ok(Library::of(catalogue))
    }

    /// One game of some files, as they would lie in a folder that is called `id`.
    pub fn from_files(id: &str, files: BTreeMap<String, Vec<u8>>) -> Library {
        let games = BTreeMap::from([(id.to_owned(), files)]);
        Library::of(move || Ok(Catalogue::of_copies(games.clone())))
    }

    fn of(catalogue: impl Fn() -> Result<Catalogue, Problem> + Send + Sync + 'static) -> Library {
        let make = move |options: &JudgeOptions| {
            let day = options.day.unwrap_or_else(clock);
            let judge = Judge::new(catalogue()?, Lists::default(), day);
            options.applied(judge)
        };
        Library::new(Box::new(make), clock)
    }

    /// The same with settings, a day and a list that every question has unless it names others.
    #[must_use]
    pub fn with_options(mut self, options: JudgeOptions) -> Library {
        self.options = options;
        self
    }

    /// The same with the cards of a file instead of the game's own; its name says what it is
    /// written in.
    #[must_use]
    pub fn with_cards(self, name: &str, bytes: impl Into<Vec<u8>>) -> Library {
        let (name, bytes, make) = (name.to_owned(), bytes.into(), self.make);
        let make = move |options: &JudgeOptions| {
            Ok(make(options)?.with_cards(None, name.clone(), bytes.clone()))
        };
        Library { make: Box::new(make), ..self }
    }

    /// Judges made by a function, and a clock that knows the day.
    pub fn new(make: Box<MakeJudge>, today: fn() -> Date) -> Library {
        Library {
            make,
            today,
            cache: RwLock::default(),
            options: JudgeOptions::default(),
            pictures: None,
        }
    }

    fn write(&self) -> std::sync::RwLockWriteGuard<'_, JudgeCache> {
        self.cache.write().unwrap_or_else(PoisonError::into_inner)
    }

    /// The judge for some options, made at the first call of a day.
    ///
    /// # Errors
    /// Settings, files or lists that are wrong.
    pub fn judge_for(&self, options: &JudgeOptions) -> Result<Arc<JudgeEntry>, Problem> {
        let mut options = self.options.with(options);
        // Tomorrow another list may be in force.
        options.day.get_or_insert_with(self.today);
        let cache = self.cache.read().unwrap_or_else(PoisonError::into_inner);
        if let Some(entry) = cache.judges.get(&options) {
            return Ok(Arc::clone(entry));
        }
        let changes = cache.changes;
        drop(cache);
        let entry = Arc::new(JudgeEntry::new((self.make)(&options)?));
        let mut cache = self.write();
        // Files that changed while the judge was made may not be in it.
        if cache.changes == changes {
            if cache.judges.len() >= MOST_JUDGES {
                cache.judges.clear();
            }
            cache.judges.insert(options, Arc::clone(&entry));
        }
        Ok(entry)
    }

    /// The judge of the library's own settings and lists, today.
    ///
    /// # Errors
    /// As for [`judge_for`](Library::judge_for).
    pub fn judge(&self) -> Result<Arc<JudgeEntry>, Problem> {
        self.judge_for(&JudgeOptions::default())
    }

    /// Forgets all judges: the files that they were made of have changed.
    pub fn forget(&self) {
        let mut cache = self.write();
        cache.changes += 1;
        cache.judges.clear();
    }

    /// The judge for options whose settings a format's game must have.
    ///
    /// # Errors
    /// As for [`judge_for`](Library::judge_for); settings that the format's game does not have.
    pub(crate) fn fitting(
        &self,
        format: Option<&str>,
        options: JudgeOptions,
    ) -> Result<Arc<JudgeEntry>, Problem> {
        if let (Some(format), false) = (format, options.settings.is_empty()) {
            let own = self.judge()?;
            let format = own.format(format)?;
            let unknown = options.settings.keys().find(|name| !format.game().has_setting(name));
            if let Some(name) = unknown {
                let message = format!("this game has no setting `{name}`");
                let problem = Problem::new(ProblemKind::Query, message);
                return Err(problem.with_help("Remove the setting."));
            }
        }
        self.judge_for(&options)
    }
}

impl JudgeOptions {
    /// These options, and others that take precedence.
    fn with(&self, others: &JudgeOptions) -> JudgeOptions {
        let mut settings = self.settings.clone();
        settings.extend(others.settings.clone());
        let list = match &others.list {
            ListChoice::InForce => &self.list,
            list => list,
        };
        JudgeOptions { settings, day: others.day.or(self.day), list: list.clone() }
    }

    /// A judge with these options; the day it has already.
    ///
    /// # Errors
    /// An unknown list.
    pub fn applied(&self, judge: Judge) -> Result<Judge, Problem> {
        use decklaw_judge::judge::WhichList;
        let list = match &self.list {
            ListChoice::InForce => return Ok(judge.with_settings(self.settings.clone())),
            ListChoice::Nothing => WhichList::Nothing,
            ListChoice::Named { id, sha256 } => {
                let found = judge.lists().find(id)?;
                let is_same = |list: &&Arc<Banlist>| {
                    sha256.as_ref().is_none_or(|sha256| list.sha256 == *sha256)
                };
                let list = found.iter().find(is_same).cloned();
                let list = list.ok_or_else(|| {
                    Problem::new(ProblemKind::NotFound, format!("unknown banlist `{id}`"))
                })?;
                WhichList::Named(list)
            }
        };
        Ok(judge.with_settings(self.settings.clone()).with_list(list))
    }
}

/// A value that is made at its first use, or why it cannot be made.
type Once<T> = OnceLock<Result<Arc<T>, Problem>>;

/// A judge, and what is cached of its games.
#[derive(Debug)]
pub struct JudgeEntry {
    /// The judge.
    pub judge: Judge,
    games: Mutex<HashMap<String, Arc<GameFiles>>>,
    cards: Mutex<HashMap<String, Arc<CardCache>>>,
}

impl std::ops::Deref for JudgeEntry {
    type Target = Judge;
    fn deref(&self) -> &Judge {
        &self.judge
    }
}

/// Files of a game apart from its rules, read at their first use.
#[derive(Debug, Default)]
struct GameFiles {
    odds: Once<OddsDefaults>,
    taste: Once<Option<Arc<Taste>>>,
    stats: Once<Option<Spec>>,
}

impl JudgeEntry {
    pub(crate) fn new(judge: Judge) -> JudgeEntry {
        JudgeEntry { judge, games: Mutex::default(), cards: Mutex::default() }
    }

    fn files(&self, game: &str) -> Arc<GameFiles> {
        let mut games = self.games.lock().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(games.entry(game.to_owned()).or_default())
    }

    /// How a game draws.
    ///
    /// # Errors
    /// A file `odds.yaml` that is wrong.
    pub fn draws(&self, game: &str) -> Result<Arc<OddsDefaults>, Problem> {
        let read = || match self.judge.game_file(game, ODDS) {
            None => Ok(Arc::default()),
            Some((name, bytes)) => OddsDefaults::of_file(&name, bytes).map(Arc::new),
        };
        self.files(game).odds.get_or_init(read).clone()
    }

    /// How the players of a game choose among equal decks, where its maker says.
    ///
    /// # Errors
    /// A file `taste.yaml` that is wrong.
    pub(crate) fn taste(&self, game: &str) -> Result<Option<Arc<Taste>>, Problem> {
        let read = || match self.judge.game_file(game, TASTE) {
            None => Ok(Arc::new(None)),
            Some((name, bytes)) => Ok(Arc::new(Some(Arc::new(Taste::of_file(&name, bytes)?)))),
        };
        let taste = self.files(game).taste.get_or_init(read).clone()?;
        Ok((*taste).clone())
    }

    /// The statistics of a rulebook's game.
    ///
    /// # Errors
    /// A file `stats.yaml` that is wrong.
    pub fn stats(&self, rulebook: &Rulebook) -> Result<Arc<Spec>, Problem> {
        let game = rulebook.format().game();
        let read = || match self.judge.game_file(game.id(), STATS) {
            None => Ok(Arc::new(None)),
            Some((name, bytes)) => Ok(Arc::new(Some(Spec::of_file(&name, bytes, game)?))),
        };
        let files = self.files(game.id());
        let spec = files.stats.get_or_init(read).clone()?;
        Ok(match &*spec {
            Some(spec) => Arc::new(spec.clone()),
            None => Arc::new(Spec::inferred(rulebook.pool())),
        })
    }

    /// A format with its card pool.
    ///
    /// # Errors
    /// An unknown format, or files that are wrong.
    pub fn rules(&self, format: &str) -> Result<Arc<Rulebook>, Problem> {
        self.judge.rulebook(format)
    }

    /// A format of the catalogue.
    ///
    /// # Errors
    /// An unknown format.
    pub fn format(&self, id: &str) -> Result<decklaw_rules::format::Format, Problem> {
        self.judge.catalogue().format(id)
    }

    /// What decided an answer, these files among it: an object with the entry of its format.
    ///
    /// # Errors
    /// None in practice: it is plain data.
    pub(crate) fn rules_of(&self, rulebook: &Rulebook, files: &[Input]) -> Result<Value, Problem> {
        let (catalogue, game) = (self.judge.catalogue(), rulebook.format().game().id());
        let mut sources = rulebook.sources().clone();
        for Input(kind, name) in files {
            let is_given = catalogue.origin(game) != Origin::BuiltIn;
            let file = match *kind {
                COLLECTION => self.judge.collection().map(str::to_owned),
                _ => catalogue
                    .file(game, name)
                    .map(|_| catalogue.path(game, name))
                    .filter(|_| is_given),
            };
            sources.extend(file.map(|file| (*kind, file)));
        }
        let entry = serde_json::to_value(Inputs::with(rulebook, sources));
        let entry = entry.map_err(|_| problem::defect())?;
        Ok(Value::Object([(rulebook.format().id().to_owned(), entry)].into_iter().collect()))
    }

    /// The cards of a rulebook as JSON; those of a deck that brings its own cards are not cached.
    pub(crate) fn cards(&self, rulebook: &Rulebook) -> Arc<CardCache> {
        let pool = rulebook.pool();
        let made = || Arc::new(CardCache(pool.ids().map(|_| OnceLock::new()).collect()));
        if pool.sha256().is_empty() {
            return made();
        }
        let mut cards = self.cards.lock().unwrap_or_else(PoisonError::into_inner);
        let format = rulebook.format().id().to_owned();
        Arc::clone(cards.entry(format).or_insert_with(made))
    }
}

/// A file of a game's folder: its key among the sources, and its name.
pub(crate) struct Input(&'static str, &'static str);

/// How the game draws.
pub(crate) const DRAWS: Input = Input("odds", ODDS);
/// The taste of its players.
pub(crate) const TASTES: Input = Input("taste", TASTE);
/// Its statistics.
pub(crate) const STATISTICS: Input = Input("stats", STATS);
/// What a player owns, which is no file of a game.
pub(crate) const OWNED: Input = Input(COLLECTION, "");
const COLLECTION: &str = "collection";

/// The cards of a pool in JSON, each made at its first use.
#[derive(Debug)]
pub(crate) struct CardCache(Vec<OnceLock<Box<RawValue>>>);

impl CardCache {
    /// A card with its fields.
    ///
    /// # Errors
    /// None in practice: it is plain data.
    pub(crate) fn card(&self, pool: &Pool, card: CardId) -> Result<Box<RawValue>, Problem> {
        let known = self.0.get(card.index()).ok_or_else(problem::defect)?;
        if let Some(card) = known.get() {
            return Ok(card.clone());
        }
        let text = pool.card(card).to_string();
        let made = RawValue::from_string(text).map_err(|_| problem::defect())?;
        Ok(known.get_or_init(|| made).clone())
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering};

    #[test]
    fn a_judge_that_was_made_while_files_changed_is_not_cached() {
        let (library, count) =
            (Arc::new(OnceLock::<Library>::new()), Arc::new(AtomicUsize::new(0)));
        let (own, made) = (Arc::clone(&library), Arc::clone(&count));
        let make = move |options: &JudgeOptions| {
            // A maker saves while the first one is made.
            if made.fetch_add(1, Ordering::Relaxed) == 0 {
                own.get().unwrap().forget();
            }
            Ok(Judge::built_in(options.day.unwrap()))
        };
        let library =
            library.get_or_init(|| Library::new(Box::new(make), || jiff::civil::date(2026, 3, 1)));
        for made in [1, 2, 2] {
            library.judge().unwrap();
            assert_eq!(count.load(Ordering::Relaxed), made);
        }
    }

    #[test]
    fn a_card_is_written_once_for_all_questions() {
        let library = Library::built_in();
        let judge = library.judge().unwrap();
        let rulebook = judge.rules("shell").unwrap();
        let (pool, cards) = (rulebook.pool(), judge.cards(&rulebook));
        for card in pool.ids().take(20) {
            let made = cards.card(pool, card).unwrap();
            assert_eq!(made.get(), pool.card(card).to_string());
        }
        assert!(Arc::ptr_eq(&cards, &judge.cards(&rulebook)));
    }
}
