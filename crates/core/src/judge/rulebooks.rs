//! The inputs of a run, and the rules made of them once a format.

use crate::banlist::lock::{Lock, LockBroken};
use crate::banlist::{Banlist, Date, Lists, TwoInForce};
use crate::format::{Catalogue, CatalogueError, Format, Game, Rulebook, RulebookError};
use crate::origin::{Given, Origin};
use crate::pool::{CardFileError, Pool};
use crate::problem::{Problem, ProblemKind};
use crate::yaml::FileError;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, OnceLock, PoisonError, RwLock};

/// Which banlist a game's decks are judged by.
#[derive(Debug, Clone, Default)]
pub enum WhichList {
    /// The one in force on the day.
    #[default]
    InForce,
    /// None.
    Nothing,
    /// This one, for its game; other games by the one in force.
    Named(Arc<Banlist>),
}

/// Inputs of a run that are wrong: no verdict is given by them.
#[derive(Debug, thiserror::Error)]
pub enum JudgeError {
    /// A format that does not exist or whose file is wrong.
    #[error(transparent)]
    Format(#[from] CatalogueError),
    /// Settings or a card file that do not fit.
    #[error(transparent)]
    Rulebook(#[from] RulebookError),
    /// A card file that cannot be used.
    #[error("{file}: {error}")]
    Cards {
        /// The file.
        file: String,
        /// What is wrong with it.
        error: CardFileError,
    },
    /// A banlist that cannot be used.
    #[error(transparent)]
    ListFile(#[from] crate::yaml::FileError),
    /// Two lists are in force at once.
    #[error(transparent)]
    List(#[from] TwoInForce),
    /// Decks would be judged by another list than the locked one.
    #[error(transparent)]
    Lock(#[from] LockBroken),
    /// A card file without a game is asked for two.
    #[error("decks of {0} and {1} are judged, and a card file is given for one game")]
    WhoseCards(String, String),
}

impl JudgeError {
    /// What to do about it.
    pub fn help(&self) -> Option<String> {
        match self {
            JudgeError::Lock(broken) => broken.help(),
            JudgeError::List(both) => Some(both.help()),
            JudgeError::WhoseCards(..) => {
                Some("name the game of each card file: `--cards GAME=FILE`".to_owned())
            }
            _ => None,
        }
    }
}

impl From<&JudgeError> for Problem {
    fn from(error: &JudgeError) -> Problem {
        let kind = match error {
            JudgeError::Format(CatalogueError::Unknown { .. }) => ProblemKind::NotFound,
            _ => ProblemKind::Game,
        };
        Problem::of(kind, error).with_help(error.help().unwrap_or_default())
    }
}

/// A card file that a user brings.
#[derive(Debug)]
pub(super) struct Brought {
    game: Option<String>,
    pub(super) name: String,
    pub(super) origin: Origin,
    bytes: Vec<u8>,
    /// The game for which it was used.
    pub(super) used: Mutex<Option<String>>,
}

/// Judges decks of any format. Rules are made once a format and shared by threads.
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
    pub(super) cards: Vec<Brought>,
    /// The cards of the games that have some built in, by the games' ids, once they are asked
    /// for.
    built_in: OnceLock<Vec<(String, Pool)>>,
    /// The rulebooks made so far, by their formats' ids.
    made_so_far: RwLock<BTreeMap<String, Arc<Rulebook>>>,
    /// What else decided and is not built in, besides what the rulebooks name.
    pub(super) besides: Mutex<BTreeSet<Given>>,
}

/// Whether a list is for decks of a format.
pub(super) fn applies(list: &Banlist, format: &Format) -> bool {
    list.game == format.game().id() && list.concerns(Some(format.id()))
}

impl Judge {
    /// A judge for a day, with the games and lists that are built in.
    pub fn built_in(day: Date) -> Judge {
        Judge::new(Catalogue::built_in(), Lists::default(), day)
    }

    /// A judge for a day, with the games and the dated lists that are known.
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
        }
    }

    /// A judge by a lock alone: its day, and its copies of games, cards, lists and settings.
    ///
    /// # Errors
    /// A copy that is no list.
    pub fn of_lock(lock: Lock) -> Result<Judge, FileError> {
        let judge = Judge::new(
            Catalogue::of_copies(lock.files()),
            lock.kept_lists()?,
            lock.day,
        );
        let judge = judge.with_settings(lock.settings.clone());
        let judge = lock.cards().fold(judge, |judge, (game, file, bytes)| {
            let game = Some(game.to_owned());
            judge.with_cards_from(Origin::Lock, game, file.to_owned(), bytes)
        });
        Ok(judge.with_lock(Some(lock)))
    }

    /// Judges every deck as of this format, whatever it says itself.
    #[must_use]
    pub fn with_format(mut self, format: Option<String>) -> Judge {
        self.format = format;
        self
    }

    /// Gives settings, name to value.
    #[must_use]
    pub fn with_settings(mut self, settings: BTreeMap<String, String>) -> Judge {
        self.settings = settings;
        self
    }

    /// Says which banlist applies.
    #[must_use]
    pub fn with_list(mut self, list: WhichList) -> Judge {
        self.list = list;
        self
    }

    /// Holds the run to the lists of a lock.
    #[must_use]
    pub fn with_lock(mut self, lock: Option<Lock>) -> Judge {
        self.lock = lock;
        self
    }

    /// Adds to what is printed above the verdicts: what a configuration file changes.
    #[must_use]
    pub fn with_caution(mut self, caution: Option<String>) -> Judge {
        self.caution = caution;
        self
    }

    /// What is printed above the verdicts.
    pub fn caution(&self) -> Option<&str> {
        self.caution.as_deref()
    }

    /// Brings a card file, for one game or for the only game that is judged. Of several for a
    /// game the first is used.
    #[must_use]
    pub fn with_cards(self, game: Option<String>, name: String, bytes: Vec<u8>) -> Judge {
        self.with_cards_from(Origin::Call, game, name, bytes)
    }

    /// The same for a card file that the call does not name itself: one that fits no deck is
    /// no mistake of the call.
    #[must_use]
    pub fn with_cards_from(
        mut self,
        origin: Origin,
        game: Option<String>,
        name: String,
        bytes: Vec<u8>,
    ) -> Judge {
        self.cards.push(Brought {
            game,
            name,
            origin,
            bytes,
            used: Mutex::new(None),
        });
        self
    }

    /// The games known.
    pub fn catalogue(&self) -> &Catalogue {
        &self.catalogue
    }

    /// The banlists known.
    pub fn lists(&self) -> &Lists {
        &self.lists
    }

    /// The lock that the run is held to.
    pub fn lock(&self) -> Option<&Lock> {
        self.lock.as_ref()
    }

    /// The day as of which decks are judged.
    pub fn day(&self) -> Date {
        self.day
    }

    /// The rulebooks of the formats met so far, by id.
    pub fn met(&self) -> BTreeMap<String, Arc<Rulebook>> {
        let made = self.made_so_far.read();
        made.unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The pool of a game: the user's, or the built-in one, or an empty one.
    ///
    /// # Errors
    /// When the card file is wrong.
    pub fn pool(&self, game: &Game) -> Result<Pool, JudgeError> {
        for brought in &self.cards {
            if brought.game.as_deref().is_some_and(|own| own != game.id()) {
                continue;
            }
            let mut used = brought.used.lock().unwrap_or_else(PoisonError::into_inner);
            match used.as_deref() {
                Some(other) if other != game.id() => {
                    return Err(JudgeError::WhoseCards(
                        other.to_owned(),
                        game.id().to_owned(),
                    ));
                }
                _ => *used = Some(game.id().to_owned()),
            }
            let refuse = |error| JudgeError::Cards {
                file: brought.name.clone(),
                error,
            };
            let (_, sheet) = crate::table::named(brought.name.as_ref());
            let pool = game.read_cards_in(&brought.bytes, sheet.as_deref());
            return pool.map_err(refuse);
        }
        match self.catalogue.cards(game.id()) {
            Some((file, bytes)) => game
                .read_cards(bytes)
                .map_err(|error| JudgeError::Cards { file, error }),
            // Its fields are known, wherever the cards come from.
            None => Ok(Pool::empty(game.fields())),
        }
    }

    /// The games whose cards some names are, the one that has most of them first, with how
    /// many each has.
    pub fn games_of(&self, names: &[&str]) -> Vec<(&str, usize)> {
        let pools = self.built_in.get_or_init(|| {
            let pool = |id: &str| {
                let game = self.catalogue.game(id).ok()?;
                let (_, bytes) = self.catalogue.cards(id)?;
                let pool = game.read_cards(bytes).ok()?;
                (!pool.is_empty()).then(|| (id.to_owned(), pool))
            };
            self.catalogue.games().filter_map(pool).collect()
        });
        let held = |pool: &Pool| {
            names
                .iter()
                .filter(|name| pool.find(name).is_some())
                .count()
        };
        let mut games: Vec<(&str, usize)> = pools
            .iter()
            .map(|(id, pool)| (id.as_str(), held(pool)))
            .collect();
        games.retain(|(_, held)| *held > 0);
        games.sort_by_key(|(_, held)| std::cmp::Reverse(*held));
        games
    }

    /// The settings that it was given, name to value.
    pub fn settings(&self) -> &BTreeMap<String, String> {
        &self.settings
    }

    /// Which banlist it judges by.
    pub fn which_list(&self) -> &WhichList {
        &self.list
    }

    /// The card file of a game, where it is not that of the game's own folder: its name, its
    /// bytes, and where it comes from.
    pub fn card_file(&self, game: &str) -> Option<(&str, &[u8], &Origin)> {
        let fits = |brought: &&Brought| brought.game.as_deref().is_none_or(|own| own == game);
        let brought = self.cards.iter().find(fits)?;
        Some((&brought.name, &brought.bytes, &brought.origin))
    }

    /// A further file of a game's folder, by name, that decides something of the run: `kind`
    /// says what, in the word by which reports name it where it is not built in. Its path as it is
    /// shown, and its bytes.
    pub fn game_file(&self, game: &str, kind: &'static str, name: &str) -> Option<(String, &[u8])> {
        let bytes = self.catalogue.file(game, name)?;
        let path = self.catalogue.path(game, name);
        let origin = self.catalogue.origin(game);
        if origin != Origin::BuiltIn {
            let digest = crate::digest::sha256(bytes);
            self.besides()
                .extend(Given::file(game, kind, &path, &digest, &origin));
        }
        Some((path, bytes))
    }

    /// The list by which decks of a format are judged, or where none is given, those of every
    /// format of a game that no list names.
    ///
    /// # Errors
    /// When two such lists are in force at once, or it is not the locked one.
    pub fn list(
        &self,
        game: &str,
        format: Option<&str>,
    ) -> Result<Option<Arc<Banlist>>, JudgeError> {
        let list = match &self.list {
            WhichList::Nothing => None,
            WhichList::Named(list) if list.game == game && list.concerns(format) => {
                Some(Arc::clone(list))
            }
            WhichList::Named(_) | WhichList::InForce => {
                let lists = self.lists.of(game)?;
                match self
                    .lock
                    .as_ref()
                    .and_then(|lock| lock.chosen(game, format))
                {
                    // The one with the locked bytes, or else the one whose bytes have changed.
                    Some(locked) => {
                        let same = |list: &&Arc<Banlist>| list.sha256 == locked.sha256;
                        let called = |list: &&Arc<Banlist>| list.id == locked.id;
                        let found = lists.iter().find(same);
                        found.or_else(|| lists.iter().rfind(called)).cloned()
                    }
                    None => crate::banlist::in_force(&lists, game, format, self.day)?,
                }
            }
        };
        if let Some(lock) = &self.lock {
            lock.permits(game, format, list.as_deref(), &self.lists.of(game)?)?;
        }
        // Sets come and go by the day of the run, whatever the list's own days.
        Ok(list.map(|list| list.as_of(self.day)))
    }

    /// The rules of a format, made at the first call.
    ///
    /// # Errors
    /// An unknown format, or inputs that do not fit it.
    pub fn rulebook(&self, id: &str) -> Result<Arc<Rulebook>, JudgeError> {
        let known = |id: &str| {
            let made = self
                .made_so_far
                .read()
                .unwrap_or_else(PoisonError::into_inner);
            made.get(id).cloned()
        };
        // A deck mostly names its format by the id itself.
        if let Some(rulebook) = known(id) {
            return Ok(rulebook);
        }
        let format = self.catalogue.format(id)?;
        if let Some(rulebook) = known(format.id()) {
            return Ok(rulebook);
        }
        // Made under the lock, so that a file is read, and complained of, once.
        let mut made = self
            .made_so_far
            .write()
            .unwrap_or_else(PoisonError::into_inner);
        if let Some(rulebook) = made.get(format.id()) {
            return Ok(Arc::clone(rulebook));
        }
        let list = self.list(format.game().id(), Some(format.id()))?;
        let rulebook = Arc::new(self.made(&format, list)?);
        made.insert(format.id().to_owned(), Arc::clone(&rulebook));
        Ok(rulebook)
    }

    fn made(&self, format: &Format, list: Option<Arc<Banlist>>) -> Result<Rulebook, JudgeError> {
        let pool = Arc::new(self.pool(format.game())?);
        let settings = self.settings_for(format);
        let given = self.given(format, &pool, list.as_deref());
        let notices = list.as_deref();
        let notices = notices.map_or_else(Vec::new, |list| self.list_notices(format, &pool, list));
        let rulebook = Rulebook::new(format, pool, list, &settings)?;
        Ok(rulebook.with_given(given).with_list_notices(notices))
    }

    /// The given settings that a format's game has; the others are for other games of the
    /// run.
    pub(super) fn settings_for(&self, format: &Format) -> BTreeMap<String, String> {
        let game = format.game();
        self.settings
            .iter()
            .filter(|(name, _)| game.has_setting(name))
            .map(|(name, value)| (name.clone(), value.clone()))
            .collect()
    }
}
