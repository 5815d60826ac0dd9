//! The inputs of a run, and the rulebooks made of them.

use decklaw_cards::pool::{Pool, unusable};
use decklaw_rules::banlist::lock::Lock;
use decklaw_rules::banlist::{Banlist, Date, Lists};
use decklaw_rules::format::{Catalogue, Format, Game, Rulebook};
use decklaw_rules::origin::Origin;
use decklaw_text::yaml::FileError;
use decklaw_text::{Problem, ProblemKind};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, OnceLock, PoisonError, RwLock};

/// The banlist that a game's decks are judged by.
#[derive(Debug, Clone, Default)]
pub enum WhichList {
    /// The list in force on the day.
    #[default]
    InForce,
    /// No list.
    Nothing,
    /// The list with this id, for its game; other games use the list in force.
    Named(Arc<Banlist>),
}

/// A card file that a user gave.
#[derive(Debug)]
pub(super) struct CardFile {
    game: Option<String>,
    pub(super) name: String,
    pub(super) origin: Origin,
    bytes: Vec<u8>,
    /// The game that used it.
    pub(super) used: Mutex<Option<String>>,
}

/// Judges decks of any format. The rulebook of a format is made once; threads share it.
#[derive(Debug)]
pub struct Judge {
    pub(super) catalogue: Catalogue,
    pub(super) lists: Lists,
    pub(super) list: WhichList,
    pub(super) lock: Option<Lock>,
    caution: Option<String>,
    pub(super) day: Date,
    pub(super) format: Option<String>,
    pub(super) settings: BTreeMap<String, String>,
    pub(super) cards: Vec<CardFile>,
    /// The built-in cards, by the ids of their games; filled at the first use.
    built_in: OnceLock<Vec<(String, Pool)>>,
    /// The rulebooks made so far, by their formats' ids.
    made_so_far: RwLock<BTreeMap<String, Arc<Rulebook>>>,
    /// Files that took part and are not built in, by game, besides those of the rulebooks.
    pub(super) besides: Mutex<BTreeMap<String, BTreeSet<String>>>,
    /// The file of the collection that decides answers.
    pub(super) collection: OnceLock<String>,
}

/// Whether a list applies to a format.
pub(super) fn applies(list: &Banlist, format: &Format) -> bool {
    list.game == format.game().id() && list.concerns(Some(format.id()))
}

impl Judge {
    /// A judge for a day, with the built-in games and lists.
    pub fn built_in(day: Date) -> Judge {
        Judge::new(Catalogue::built_in(), Lists::default(), day)
    }

    /// A judge for a day, with these games and dated lists.
    pub fn new(catalogue: Catalogue, lists: Lists, day: Date) -> Judge {
        Judge {
            catalogue,
            lists,
            list: WhichList::InForce,
            lock: None,
            caution: None,
            day,
            format: None,
            settings: BTreeMap::new(),
            cards: Vec::new(),
            built_in: OnceLock::new(),
            made_so_far: RwLock::default(),
            besides: Mutex::default(),
            collection: OnceLock::new(),
        }
    }

    /// A judge that uses a lock alone: its day, and its copies of games, cards, lists and settings.
    ///
    /// # Errors
    /// A copy that is not a list.
    pub fn of_lock(lock: Lock) -> Result<Judge, FileError> {
        let judge = Judge::new(Catalogue::of_copies(lock.files()), lock.kept_lists()?, lock.day);
        let judge = judge.with_settings(lock.settings.clone());
        let judge = lock.cards().fold(judge, |judge, (game, file, bytes)| {
            let game = Some(game.to_owned());
            judge.with_cards_from(Origin::Lock, game, file.to_owned(), bytes)
        });
        let lock = Some(lock);
        Ok(Judge { lock, ..judge })
    }

    /// Judges every deck by this format, whatever format the deck names.
    #[must_use]
    pub fn with_format(mut self, format: Option<String>) -> Judge {
        self.format = format;
        self
    }

    /// Sets the values of settings, by name.
    #[must_use]
    pub fn with_settings(mut self, settings: BTreeMap<String, String>) -> Judge {
        self.settings = settings;
        self
    }

    /// Chooses the banlist.
    #[must_use]
    pub fn with_list(mut self, list: WhichList) -> Judge {
        self.list = list;
        self
    }

    /// Adds a sentence that is printed above the verdicts: what a configuration file changes.
    #[must_use]
    pub fn with_caution(mut self, caution: Option<String>) -> Judge {
        self.caution = caution;
        self
    }

    /// The sentence that is printed above the verdicts.
    pub fn caution(&self) -> Option<&str> {
        self.caution.as_deref()
    }

    /// Adds a card file, for `game` or for the only game of the run. The first file for a game is
    /// used.
    #[must_use]
    pub fn with_cards(self, game: Option<String>, name: String, bytes: Vec<u8>) -> Judge {
        self.with_cards_from(Origin::Call, game, name, bytes)
    }

    /// The same for a card file that the command line does not name: it is no mistake if no deck
    /// uses it.
    #[must_use]
    pub fn with_cards_from(
        mut self,
        origin: Origin,
        game: Option<String>,
        name: String,
        bytes: Vec<u8>,
    ) -> Judge {
        self.cards.push(CardFile { game, name, origin, bytes, used: Mutex::new(None) });
        self
    }

    /// The known games.
    pub fn catalogue(&self) -> &Catalogue {
        &self.catalogue
    }

    /// The known banlists.
    pub fn lists(&self) -> &Lists {
        &self.lists
    }

    /// The lock of the run.
    pub fn lock(&self) -> Option<&Lock> {
        self.lock.as_ref()
    }

    /// The day that decks are judged on.
    pub fn day(&self) -> Date {
        self.day
    }

    /// The rulebooks of the formats met so far, by id.
    pub fn met(&self) -> BTreeMap<String, Arc<Rulebook>> {
        let made = self.made_so_far.read();
        made.unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The pool of a game: the user's, else the built-in one, else an empty one.
    ///
    /// # Errors
    /// A wrong card file.
    pub fn pool(&self, game: &Game) -> Result<Pool, Problem> {
        for file in &self.cards {
            if file.game.as_deref().is_some_and(|own| own != game.id()) {
                continue;
            }
            let mut used = file.used.lock().unwrap_or_else(PoisonError::into_inner);
            match used.as_deref() {
                Some(other) if other != game.id() => {
                    let message = format!(
                        "decks of {other} and {} are judged, and a card file is given for one game",
                        game.id()
                    );
                    return Err(Problem::new(ProblemKind::Game, message)
                        .with_help("name the game of each card file: `--cards GAME=FILE`"));
                }
                _ => *used = Some(game.id().to_owned()),
            }
            let (_, sheet) = decklaw_text::table::named(file.name.as_ref());
            let pool = game.read_cards_in(&file.bytes, sheet.as_deref());
            // Without cards no name is unknown: every deck would be legal.
            let pool = pool.and_then(|pool| match pool.is_empty() {
                true => Err(unusable(1, "no card is below the header")),
                false => Ok(pool),
            });
            return pool.map_err(|problem| problem.within(&file.name));
        }
        match self.catalogue.cards(game.id()) {
            Some((file, bytes)) => game.read_cards(bytes).map_err(|problem| problem.within(&file)),
            // The fields are the game's, wherever the cards come from.
            None => Ok(Pool::empty(game.fields())),
        }
    }

    /// The games that know some of these names, with how many each knows, the most first.
    pub fn games_of(&self, names: &[&str]) -> Vec<(&str, usize)> {
        /// The most names whose marks are removed.
        const MOST_MARKED: usize = 100;
        let pools = self.built_in.get_or_init(|| {
            let pool = |id: &str| {
                let game = self.catalogue.game(id).ok()?;
                let (_, bytes) = self.catalogue.cards(id)?;
                let pool = game.read_cards(bytes).ok()?;
                (!pool.is_empty()).then(|| (id.to_owned(), pool))
            };
            self.catalogue.games().filter_map(pool).collect()
        });
        // Of longer lists, looking up each part of each name would take long.
        let is_marked = |pool: &Pool, name: &str| {
            names.len() <= MOST_MARKED && decklaw_decks::deck::is_marked(pool, name)
        };
        let held = |pool: &Pool| {
            names.iter().filter(|name| pool.has_name(name) || is_marked(pool, name)).count()
        };
        let mut games: Vec<(&str, usize)> =
            pools.iter().map(|(id, pool)| (id.as_str(), held(pool))).collect();
        games.retain(|(_, held)| *held > 0);
        games.sort_by_key(|(_, held)| std::cmp::Reverse(*held));
        games
    }

    /// The given settings, by name.
    pub fn settings(&self) -> &BTreeMap<String, String> {
        &self.settings
    }

    /// The choice of the banlist.
    pub fn which_list(&self) -> &WhichList {
        &self.list
    }

    /// The card file of a game, if it is not the one in the game's folder: its name, bytes and
    /// origin.
    pub fn card_file(&self, game: &str) -> Option<(&str, &[u8], &Origin)> {
        let fits = |file: &&CardFile| file.game.as_deref().is_none_or(|own| own == game);
        let file = self.cards.iter().find(fits)?;
        Some((&file.name, &file.bytes, &file.origin))
    }

    /// A further file of a game's folder: its path as shown, and its bytes. It takes part then.
    pub fn game_file(&self, game: &str, name: &str) -> Option<(String, &[u8])> {
        let bytes = self.catalogue.file(game, name)?;
        let path = self.catalogue.path(game, name);
        if self.catalogue.origin(game) != Origin::BuiltIn {
            self.uses(game, path.clone());
        }
        Some((path, bytes))
    }

    /// The list that a format is judged by; without a format, the list for those formats of the
    /// game that no list names.
    ///
    /// # Errors
    /// Two such lists are in force at once, or the list is not the locked one.
    pub fn list(&self, game: &str, format: Option<&str>) -> Result<Option<Arc<Banlist>>, Problem> {
        let list = match &self.list {
            WhichList::Nothing => None,
            WhichList::Named(list) if list.game == game && list.concerns(format) => {
                Some(Arc::clone(list))
            }
            WhichList::Named(_) | WhichList::InForce => {
                let lists = self.lists.of(game)?;
                match self.lock.as_ref().and_then(|lock| lock.chosen(game, format)) {
                    Some(locked) => {
                        let same = |list: &&Arc<Banlist>| list.sha256 == locked.sha256;
                        lists.iter().find(same).cloned()
                    }
                    None => decklaw_rules::banlist::in_force(&lists, game, format, self.day)?,
                }
            }
        };
        if let Some(lock) = &self.lock {
            lock.permits(game, format, list.as_deref())?;
        }
        // Sets rotate by the day of the run, not by the list's dates.
        Ok(list.map(|list| list.as_of(self.day)))
    }

    /// The rules of a format, made at the first call.
    ///
    /// # Errors
    /// An unknown format, or inputs that do not fit it.
    pub fn rulebook(&self, id: &str) -> Result<Arc<Rulebook>, Problem> {
        let known = |id: &str| {
            let made = self.made_so_far.read().unwrap_or_else(PoisonError::into_inner);
            made.get(id).cloned()
        };
        // Most decks name their format by its id.
        if let Some(rulebook) = known(id) {
            return Ok(rulebook);
        }
        let format = self.catalogue.format(id)?;
        if let Some(rulebook) = known(format.id()) {
            return Ok(rulebook);
        }
        // Made under the lock, so that each file is read, and its errors are reported, once.
        let mut made = self.made_so_far.write().unwrap_or_else(PoisonError::into_inner);
        if let Some(rulebook) = made.get(format.id()) {
            return Ok(Arc::clone(rulebook));
        }
        let list = self.list(format.game().id(), Some(format.id()))?;
        let rulebook = Arc::new(self.made(&format, list)?);
        made.insert(format.id().to_owned(), Arc::clone(&rulebook));
        Ok(rulebook)
    }

    fn made(&self, format: &Format, list: Option<Arc<Banlist>>) -> Result<Rulebook, Problem> {
        let pool = Arc::new(self.pool(format.game())?);
        let settings = self.settings_for(format);
        let sources = self.sources(format, list.as_deref());
        let notices = list.as_deref();
        let notices = notices.map_or_else(Vec::new, |list| self.list_notices(format, &pool, list));
        let rulebook = Rulebook::new(format, pool, list, &settings)?;
        Ok(rulebook.with_sources(sources).with_list_notices(notices))
    }

    /// The given settings that a format's game has; the others belong to other games.
    fn settings_for(&self, format: &Format) -> BTreeMap<String, String> {
        let game = format.game();
        self.settings
            .iter()
            .filter(|(name, _)| game.has_setting(name))
            .map(|(name, value)| (name.clone(), value.clone()))
            .collect()
    }
}
