//! A game's format: what decks are read and judged by.

use super::{BuildQuestion, Deck, Error, Report};
use decklaw_core::banlist::Lists;
use decklaw_core::deck::Input;
use decklaw_core::format::{Catalogue, Rulebook};
use decklaw_core::judge::{Judge, WhichList};
use decklaw_engine::odds::{ODDS, OddsDefaults};
use decklaw_engine::solve::{TASTE, Taste};
use decklaw_engine::stats::Spec;
use std::collections::BTreeMap;
use std::panic::resume_unwind;
use std::path::Path;
use std::sync::Arc;

/// A format of a game: what its decks are read, judged, mended and dealt by. It is made once, is
/// cheap to clone, and threads may share it.
///
/// ```
/// let game = decklaw::Game::built_in("shell")?;
/// let report = game.check("Main\n9 Moss Sprite\n");
/// assert_eq!(report.verdict, "illegal");
/// # Ok::<(), decklaw::Error>(())
/// ```
#[derive(Clone)]
pub struct Game(Arc<Inner>);

struct Inner {
    judge: Judge,
    rulebook: Arc<Rulebook>,
    odds: OddsDefaults,
    taste: Option<Arc<Taste>>,
    stats: Option<Spec>,
}

impl std::fmt::Debug for Game {
    /// Just its name: its files and cards are many pages.
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_tuple("Game").field(&self.format()).finish()
    }
}

/// What decides besides the rules of a game; made by [`Game::options`].
///
/// ```
/// use decklaw::Game;
/// let game = Game::options().day("2026-06-01").setting("max", "60").built_in("vainqueur")?;
/// assert_eq!(game.format(), "vainqueur");
/// # Ok::<(), decklaw::Error>(())
/// ```
#[derive(Clone, Debug, Default)]
#[must_use]
pub struct GameOptions {
    day: Option<String>,
    settings: BTreeMap<String, String>,
    no_banlist: bool,
    cards: Option<(String, Vec<u8>)>,
}

impl GameOptions {
    /// The day on which decks are judged, as `2026-06-01`: it chooses the banlist that is in
    /// force. Where nothing is said, today.
    pub fn day(mut self, day: &str) -> GameOptions {
        self.day = Some(day.to_owned());
        self
    }

    /// Settles something that the rules leave to an organiser.
    pub fn setting(mut self, name: &str, value: &str) -> GameOptions {
        self.settings.insert(name.to_owned(), value.to_owned());
        self
    }

    /// Judges without any banlist.
    pub fn without_banlist(mut self) -> GameOptions {
        self.no_banlist = true;
        self
    }

    /// Takes these cards instead of those in the game's folder: a file's name, which says what
    /// it is written in, and its bytes.
    pub fn cards(mut self, name: &str, bytes: impl Into<Vec<u8>>) -> GameOptions {
        self.cards = Some((name.to_owned(), bytes.into()));
        self
    }

    /// A format of a game that is built in, by its id, such as `shell` or `versus/fast`.
    ///
    /// # Errors
    /// [`Error::Game`]: no such format, or a day, setting or card file that is wrong.
    pub fn built_in(self, format: &str) -> Result<Game, Error> {
        self.of(Catalogue::built_in(), format)
    }

    /// The only format of the game in a folder, which holds a `game.yaml`; of several the one
    /// whose id is the game's. Another is taken [from a catalogue](GameOptions::from_catalogue).
    ///
    /// # Errors
    /// [`Error::Game`]: no game there, a mistake in its files, or a wrong option.
    pub fn from_dir(self, folder: impl AsRef<Path>) -> Result<Game, Error> {
        let folder = folder.as_ref();
        let mut catalogue = Catalogue::built_in();
        let told = |error: std::io::Error| Error::Game(format!("{}: {error}", folder.display()));
        catalogue.add_game(folder).map_err(told)?;
        let own = folder.canonicalize().map_err(told)?;
        let id = own.file_name().unwrap_or_default().to_string_lossy();
        self.first_of(catalogue, &id)
    }

    /// The same of the files of a game's folder, by name; the folder would be called `id`.
    ///
    /// # Errors
    /// As [`from_dir`](GameOptions::from_dir).
    pub fn from_files(self, id: &str, files: BTreeMap<String, Vec<u8>>) -> Result<Game, Error> {
        let catalogue = Catalogue::of_copies(BTreeMap::from([(id.to_owned(), files)]));
        self.first_of(catalogue, id)
    }

    fn first_of(self, catalogue: Catalogue, id: &str) -> Result<Game, Error> {
        let game = catalogue.game(id).map_err(Error::game)?;
        let formats = game.formats();
        let named = formats.iter().find(|format| format.id() == id);
        let (Some(format), true) = (
            named.or(formats.first()),
            named.is_some() || formats.len() == 1,
        ) else {
            let ids: Vec<&str> = formats.iter().map(|format| format.id()).collect();
            let ids = decklaw_core::text::listed(&ids, "and");
            return Err(Error::Game(format!(
                "the game has several formats: {ids}; one of them must be named"
            )));
        };
        let format = format.id().to_owned();
        self.of(catalogue, &format)
    }

    /// A format of the games of a catalogue, by its id: for games with several formats, and for
    /// programs that know many games.
    ///
    /// # Errors
    /// As [`built_in`](GameOptions::built_in).
    pub fn from_catalogue(self, catalogue: Catalogue, format: &str) -> Result<Game, Error> {
        self.of(catalogue, format)
    }

    fn of(self, catalogue: Catalogue, format: &str) -> Result<Game, Error> {
        let day = match &self.day {
            None => jiff::Zoned::now().date(),
            Some(day) => day.parse().map_err(|_| {
                Error::Game(format!("`{day}` is no day; one is written like 2026-06-01"))
            })?,
        };
        let mut judge = Judge::new(catalogue, Lists::default(), day)
            .with_settings(self.settings)
            .with_format(Some(format.to_owned()));
        if self.no_banlist {
            judge = judge.with_list(WhichList::Nothing);
        }
        if let Some((name, bytes)) = self.cards {
            judge = judge.with_cards(None, name, bytes);
        }
        let rulebook = judge.rulebook(format).map_err(Error::game)?;
        let unused = judge.unused();
        if let Some(unused) = unused.first() {
            return Err(Error::Game(format!("{unused} is not for `{format}`")));
        }
        Game::new(judge, rulebook)
    }
}

impl Game {
    /// A format of a game that is built in, by its id: `shell`, `vainqueur`, `vanquishers`,
    /// `vastrix`, `versus/fast` and its sisters. Decks are judged as of today.
    ///
    /// # Errors
    /// [`Error::Game`]: there is no such format.
    pub fn built_in(format: &str) -> Result<Game, Error> {
        Game::options().built_in(format)
    }

    /// The game in a folder that holds a `game.yaml`.
    ///
    /// # Errors
    /// [`Error::Game`]: no game there, or a mistake in its files.
    ///
    /// ```
    /// let game = decklaw::Game::from_dir("formats/shell")?;
    /// assert_eq!(game.format(), "shell");
    /// # Ok::<(), decklaw::Error>(())
    /// ```
    pub fn from_dir(folder: impl AsRef<Path>) -> Result<Game, Error> {
        Game::options().from_dir(folder)
    }

    /// The game of some files, as they would lie in a folder that is called `id`.
    ///
    /// # Errors
    /// As [`from_dir`](Game::from_dir).
    pub fn from_files(id: &str, files: BTreeMap<String, Vec<u8>>) -> Result<Game, Error> {
        Game::options().from_files(id, files)
    }

    /// Begins with what decides besides the rules: a day, settings, other cards.
    pub fn options() -> GameOptions {
        GameOptions::default()
    }

    /// The ids of all formats that are built in, sorted.
    ///
    /// ```
    /// assert!(decklaw::Game::all_built_in().iter().any(|format| format == "shell"));
    /// ```
    pub fn all_built_in() -> Vec<String> {
        let catalogue = Catalogue::built_in();
        let games: Vec<_> = catalogue
            .games()
            .filter_map(|id| catalogue.game(id).ok())
            .collect();
        let formats = games.iter().flat_map(|game| game.formats());
        formats.map(|format| format.id().to_owned()).collect()
    }

    fn new(judge: Judge, rulebook: Arc<Rulebook>) -> Result<Game, Error> {
        let id = rulebook.format().game().id().to_owned();
        let odds = match judge.game_file(&id, "odds", ODDS) {
            Some((name, bytes)) => OddsDefaults::of_file(&name, bytes).map_err(Error::game)?,
            None => OddsDefaults::default(),
        };
        let taste = match judge.game_file(&id, "taste", TASTE) {
            Some((name, bytes)) => {
                Some(Arc::new(Taste::of_file(&name, bytes).map_err(Error::game)?))
            }
            None => None,
        };
        let game = rulebook.format().game();
        let stats = judge.game_file(&id, "statistics", "stats.yaml");
        let stats = stats.map(|(name, bytes)| Spec::of_file(&name, bytes, game));
        let stats = stats.transpose().map_err(Error::game)?;
        Ok(Game(Arc::new(Inner {
            judge,
            rulebook,
            odds,
            taste,
            stats,
        })))
    }

    /// The format's id.
    pub fn format(&self) -> &str {
        self.0.rulebook.format().id()
    }

    /// Reads a deck in the text dialect, or the link of a deck.
    ///
    /// # Errors
    /// [`Error::Unreadable`]: it is no deck; the report says where and why.
    ///
    /// ```
    /// use decklaw::{Error, Game};
    /// let game = Game::built_in("shell")?;
    /// assert_eq!(game.read("Main\n2 Rain Caller\n")?.size(), 2);
    /// let Err(Error::Unreadable(report)) = game.read("Main\ntwo Rain Caller\n") else { panic!() };
    /// assert_eq!(report.findings[0].line, Some(2));
    /// # Ok::<(), Error>(())
    /// ```
    pub fn read(&self, text: impl AsRef<[u8]>) -> Result<Deck, Error> {
        self.read_as(text, Input::Text)
    }

    /// Reads a deck that is written in another form: YAML, JSON, a pasted list, a table.
    ///
    /// # Errors
    /// As [`read`](Game::read).
    pub fn read_as(&self, text: impl AsRef<[u8]>, input: Input) -> Result<Deck, Error> {
        Deck::read(self, text.as_ref(), input)
    }

    /// Everything that is found of a deck in the text dialect; what cannot be read is a report,
    /// too. It is what `decklaw check` says of the file.
    pub fn check(&self, text: impl AsRef<[u8]>) -> Report {
        match self.read(text) {
            Ok(deck) => deck.check(),
            Err(Error::Unreadable(report)) => *report,
            Err(error) => Report::of_no_deck(error.to_string()),
        }
    }

    /// The same of many decks, by as many threads as the machine has processors; in their order.
    pub fn check_many<T: AsRef<[u8]> + Sync>(&self, texts: &[T]) -> Vec<Report> {
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        let share = texts.len().div_ceil(threads).max(1);
        std::thread::scope(|scope| {
            let parts = texts.chunks(share);
            let each = parts.map(|part| {
                scope.spawn(move || part.iter().map(|text| self.check(text)).collect::<Vec<_>>())
            });
            let running: Vec<_> = each.collect();
            let done = running.into_iter().flat_map(|thread| {
                // A defect reaches the caller: no report is missing in silence.
                thread.join().unwrap_or_else(|defect| resume_unwind(defect))
            });
            done.collect()
        })
    }

    /// A legal deck from wishes. It is what `decklaw build FORMAT` answers.
    pub fn build(&self) -> BuildQuestion<'_> {
        BuildQuestion::new(self)
    }

    pub(super) fn judge(&self) -> &Judge {
        &self.0.judge
    }

    pub(super) fn rulebook(&self) -> &Arc<Rulebook> {
        &self.0.rulebook
    }

    pub(super) fn draws(&self) -> &OddsDefaults {
        &self.0.odds
    }

    pub(super) fn taste(&self) -> Option<&Arc<Taste>> {
        self.0.taste.as_ref()
    }

    pub(super) fn spec(&self) -> Option<&Spec> {
        self.0.stats.as_ref()
    }
}
