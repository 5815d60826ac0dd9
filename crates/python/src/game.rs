//! `decklaw.Game`.

use crate::answers::{TableAnswer, built, fixed, plain, tuned};
use crate::errors::{self, no_deck, raised};
use crate::frame::{self, Columns, Decks, deck_columns};
use crate::given::{self, Cards, Named, Text};
use crate::many;
use decklaw::odds::render::HEADER as ODDS_COLUMNS;
use decklaw::stats::COLUMNS as STATS_COLUMNS;
use decklaw::{
    AboutDeck, Build, Deck, Fix, JudgeOptions, Library, ListChoice, Odds, Problem, Question, Room,
    Seed, Stats, Swap, Table, Tune,
};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::collections::BTreeMap;
use std::path::PathBuf;

/// A format of a game: the rules by which its decks are judged, repaired and dealt.
///
/// Threads may share a game, and it can be pickled. A deck is text (`str` or `bytes`, or its link),
/// or the path of its file (`os.PathLike`). Answers are dicts with the keys of the program's JSON;
/// `decklaw.types` lists them, and `decklaw.options` the options of questions. Defaults are the
/// program's: the game's own hand and mulligan, its maker's advice, the same limits of work.
///
/// >>> import decklaw
/// >>> game = decklaw.Game("shell")
/// >>> game.check("Main\n9 Moss Sprite\n")["verdict"]
/// 'illegal'
///
/// folder: the folder of a game that is not built in; it holds a `game.yaml`.
/// day: the day on which decks are judged, as "2026-06-01" or a date; it chooses the banlist that
/// is in force. Default: today.
/// settings: what the rules leave to an organiser, such as {"max": 60}.
/// cards: a card file instead of the game's own, a path or a pair of its name and its bytes.
/// banlist: False judges without any.
#[pyclass(frozen, module = "decklaw")]
pub(crate) struct Game {
    game: decklaw::Game,
    made: GameArguments,
}

/// The arguments of a game other than its format: a pickled game is made again from them.
struct GameArguments {
    folder: Option<PathBuf>,
    day: Option<String>,
    settings: Vec<(String, String)>,
    cards: Option<(String, Vec<u8>)>,
    banlist: bool,
}

impl GameArguments {
    fn new(
        py: Python<'_>,
        folder: Option<PathBuf>,
        day: Option<&Bound<'_, PyAny>>,
        settings: Option<Named<Bound<'_, PyAny>>>,
        cards: Option<Cards>,
        banlist: bool,
    ) -> PyResult<GameArguments> {
        let text = |value: &Bound<'_, PyAny>| Ok::<_, PyErr>(value.str()?.to_str()?.to_owned());
        let settings = settings.into_iter().flat_map(|named| named.0);
        Ok(GameArguments {
            folder,
            day: day.map(text).transpose()?,
            settings: settings
                .map(|(name, value)| Ok((name, text(&value)?)))
                .collect::<PyResult<_>>()?,
            cards: cards.map(|cards| cards.read(py)).transpose()?,
            banlist,
        })
    }

    /// The library that the game is taken from.
    fn library(&self, py: Python<'_>) -> PyResult<Library> {
        let mut library = match &self.folder {
            Some(folder) => Library::with_game(folder).map_err(|problem| raised(py, problem))?,
            None => Library::built_in(),
        };
        let mut options = JudgeOptions::default();
        if let Some(text) = &self.day {
            // A moment is the day before its time.
            let day = text.get(..10).unwrap_or(text).parse();
            let wrong = format!("`{text}` is not a day such as 2026-06-01");
            options.day = Some(day.map_err(|_| errors::game(py, &wrong))?);
        }
        options.settings = self.settings.iter().cloned().collect();
        if !self.banlist {
            options.list = ListChoice::Nothing;
        }
        if let Some((name, bytes)) = &self.cards {
            library = library.with_cards(name, bytes.clone());
        }
        Ok(library.with_options(options))
    }

    /// The game that `find` takes from the library.
    fn game(
        self,
        py: Python<'_>,
        find: impl FnOnce(Library) -> Result<decklaw::Game, Problem> + Send,
    ) -> PyResult<Game> {
        let library = self.library(py)?;
        let game = py.detach(|| find(library));
        let game = game.map_err(|problem| raised(py, problem))?;
        Ok(Game { game, made: self })
    }
}

/// Asks the engine while other threads of Python go on, and gives its answer as Python's own kinds.
fn asked<'py, A: Serialize + Send>(
    py: Python<'py>,
    ask: impl FnOnce() -> Result<A, Problem> + Send,
) -> PyResult<Bound<'py, PyAny>> {
    let answer = py.detach(ask).map_err(|problem| raised(py, problem))?;
    plain(py, &answer)
}

/// The question with some options as its JSON has them.
///
/// # Errors
/// An option that the question does not have, or that another argument is about.
fn question<Q: DeserializeOwned>(
    py: Python<'_>,
    options: Option<&Bound<'_, PyDict>>,
    own: &[(&str, &Bound<'_, PyAny>)],
) -> PyResult<Q> {
    let all = options.map_or_else(|| Ok(PyDict::new(py)), |options| options.copy())?;
    let given = ["ask", "deck", "from", "format"].into_iter();
    for key in given.chain(own.iter().map(|(key, _)| *key)) {
        if all.contains(key)? {
            return Err(PyTypeError::new_err(format!("`{key}` is no option of this call")));
        }
    }
    for (key, value) in own {
        all.set_item(key, value)?;
    }
    let wrong = |error: String| errors::question(py, &error);
    let value: serde_json::Value =
        pythonize::depythonize(&all).map_err(|error| wrong(error.to_string()))?;
    serde_json::from_value(value).map_err(|error| wrong(error.to_string()))
}

impl Game {
    /// A deck of a text.
    fn deck(&self, py: Python<'_>, text: &Text) -> PyResult<Deck> {
        py.detach(|| self.game.read_as(text, text.input()))
            .map_err(|_| errors::unreadable(py, &many::report(&self.game, text)))
    }

    /// The answer to a question about a deck.
    fn answer<Q: AboutDeck + Send>(
        &self,
        py: Python<'_>,
        text: &Text,
        question: Q,
    ) -> PyResult<Q::Answer>
    where
        Q::Answer: Send,
    {
        let deck = self.deck(py, text)?;
        let answer = py.detach(|| deck.ask(question));
        answer.map_err(|problem| raised(py, problem))
    }
}

#[pymethods]
impl Game {
    #[new]
    #[pyo3(signature = (format, *, folder=None, day=None, settings=None, cards=None, banlist=true))]
    fn new(
        py: Python<'_>,
        format: &str,
        folder: Option<PathBuf>,
        day: Option<&Bound<'_, PyAny>>,
        settings: Option<Named<Bound<'_, PyAny>>>,
        cards: Option<Cards>,
        banlist: bool,
    ) -> PyResult<Game> {
        let made = GameArguments::new(py, folder, day, settings, cards, banlist)?;
        made.game(py, |library| decklaw::Game::of(library, format))
    }

    /// The game in a folder that holds a `game.yaml`. Of several formats the one whose id is the
    /// folder's name, or the one that `format` names.
    #[staticmethod]
    #[pyo3(signature = (folder, *, format=None, day=None, settings=None, cards=None, banlist=true))]
    fn from_dir(
        py: Python<'_>,
        folder: PathBuf,
        format: Option<&str>,
        day: Option<&Bound<'_, PyAny>>,
        settings: Option<Named<Bound<'_, PyAny>>>,
        cards: Option<Cards>,
        banlist: bool,
    ) -> PyResult<Game> {
        let own = folder.canonicalize().unwrap_or_else(|_| folder.clone());
        let id = own.file_name().unwrap_or_default().to_string_lossy();
        let made = GameArguments::new(py, Some(folder), day, settings, cards, banlist)?;
        made.game(py, |library| match format {
            None => decklaw::Game::of_game(library, &id),
            Some(format) => decklaw::Game::of(library, format),
        })
    }

    /// What pickle makes the game of again.
    fn __getnewargs_ex__<'py>(&self, py: Python<'py>) -> PyResult<((String,), Bound<'py, PyDict>)> {
        let GameArguments { folder, settings, cards, banlist, .. } = &self.made;
        let keywords = PyDict::new(py);
        keywords.set_item("folder", folder.as_deref())?;
        // Processes that began on another day judge alike.
        keywords.set_item("day", self.game.day().to_string())?;
        let settings = settings.iter().map(|(name, value)| (name, value));
        keywords.set_item("settings", settings.collect::<BTreeMap<_, _>>())?;
        let cards = cards.as_ref().map(|(name, bytes)| (name, PyBytes::new(py, bytes)));
        keywords.set_item("cards", cards)?;
        keywords.set_item("banlist", banlist)?;
        Ok(((self.format().to_owned(),), keywords))
    }

    /// The ids of all formats that are built in, sorted.
    #[staticmethod]
    fn formats() -> Vec<String> {
        decklaw::Game::all_built_in()
    }

    /// The format's id.
    #[getter]
    fn format(&self) -> &str {
        self.game.format()
    }

    fn __repr__(&self) -> String {
        format!("<decklaw.Game {}>", self.format())
    }

    /// Everything that is found of a deck, as `decklaw check` says it. What cannot be read is a
    /// report, too: its verdict is "unreadable".
    fn check<'py>(&self, py: Python<'py>, text: Text) -> PyResult<Bound<'py, PyAny>> {
        plain(py, &py.detach(|| many::report(&self.game, &text)))
    }

    /// The same of many decks, any iterable of texts, in their order.
    ///
    /// Other threads of Python go on meanwhile. threads: how many judge, up to 64; where nothing is
    /// said, as many as the machine has processors.
    #[pyo3(signature = (texts, *, threads=None))]
    fn check_many<'py>(
        &self,
        py: Python<'py>,
        texts: &Bound<'py, PyAny>,
        threads: Option<usize>,
    ) -> PyResult<Vec<Bound<'py, PyDict>>> {
        many::judged(py, &self.game, &given::decks(texts)?, many::threads(threads)?)
    }

    /// Asks any question as the dict of its JSON, `{"ask": "odds", …}`; the format is this game's
    /// unless the question names another.
    fn ask<'py>(
        &self,
        py: Python<'py>,
        question: &Bound<'py, PyDict>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let question = question.copy()?;
        if !question.contains("format")? {
            question.set_item("format", self.format())?;
        }
        let wrong = |error: String| errors::question(py, &error);
        let question: serde_json::Value =
            pythonize::depythonize(&question).map_err(|error| wrong(error.to_string()))?;
        let question: Question =
            serde_json::from_value(question).map_err(|error| wrong(error.to_string()))?;
        asked(py, || {
            let answer = decklaw::ask(self.game.library(), question)?;
            // An answer may hold JSON that is written already.
            Ok(serde_json::to_value(answer).unwrap_or_default())
        })
    }

    /// The cards of a deck in its order: section, card and copies.
    fn cards(&self, py: Python<'_>, text: Text) -> PyResult<Vec<(String, String, u32)>> {
        let deck = self.deck(py, &text)?;
        let owned = |(section, card, copies): (&str, &str, u32)| {
            (section.to_owned(), card.to_owned(), copies)
        };
        Ok(deck.cards().map(owned).collect())
    }

    /// What a deck is made of, as `decklaw stats` counts it. The option is section.
    #[pyo3(signature = (text, **options))]
    fn stats<'py>(
        &self,
        py: Python<'py>,
        text: Text,
        options: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        plain(py, &self.answer(py, &text, question::<Stats>(py, options, &[])?)?)
    }

    /// How likely an opening hand holds what a query or several ask for, as `decklaw odds` answers.
    ///
    /// The options are those of the program: hand: cards of the hand, instead of the game's. turns:
    /// answers for turns 1 to this as well. draws: cards drawn after the hand that is kept.
    /// keep_hand: when a hand is kept, a query or "best". given: what the first hand is known to
    /// hold. section: what is drawn from. policy: the mulligan; "none" keeps every hand. expect,
    /// path, event, seat, deal, seed, show_work, effort.
    #[pyo3(signature = (text, queries, **options))]
    fn odds<'py>(
        &self,
        py: Python<'py>,
        text: Text,
        queries: &Bound<'py, PyAny>,
        options: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let question: Odds = question(py, options, &[("queries", queries)])?;
        plain(py, &self.answer(py, &text, question)?)
    }

    /// The smallest change that makes a deck legal, as `decklaw fix` finds it.
    ///
    /// Misspelt names with one near card are corrected first, at no cost: "renamed" names them.
    /// Options: keep: cards that must stay, a query or several. only: the only cards that may come
    /// in, a query. own: what the player owns, card to copies. effort: the most work, in seconds.
    /// "optimal" is True where it is proven that no legal deck is nearer; else "bound" is the number
    /// of copies that must change at least.
    ///
    /// Raises ImpossibleError where there is none, and WorkLimitError where none was found.
    #[pyo3(signature = (text, **options))]
    fn fix<'py>(
        &self,
        py: Python<'py>,
        text: Text,
        options: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let answer = self.answer(py, &text, question::<Fix>(py, options, &[])?)?;
        match answer.outcome.none() {
            Some(none) => Err(no_deck(py, none)),
            None => fixed(py, &answer),
        }
    }

    /// The smallest exchange with the side deck, as `decklaw swap` finds it.
    ///
    /// wish: what comes in or goes out, as 'in: "Rain Caller" 2; out: "Moss Sprite"'. The deck that
    /// comes of it is one to play with; as a list to hand in it may be illegal. Keys and exceptions
    /// are those of `fix`; QuestionError where the game has no side deck, or the card is not there.
    /// The option is effort.
    #[pyo3(signature = (text, wish, **options))]
    fn swap<'py>(
        &self,
        py: Python<'py>,
        text: Text,
        wish: &Bound<'py, PyAny>,
        options: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let question: Swap = question(py, options, &[("wish", wish)])?;
        let answer = self.answer(py, &text, question)?;
        match answer.outcome.none() {
            Some(none) => Err(errors::impossible(py, none)),
            None => fixed(py, &answer),
        }
    }

    /// How many more copies of each card fit into each section, each other card left as it is, as
    /// `decklaw room` counts them. "more" is None where there is no limit, and
    /// "message" says what one copy more would break. The option is effort.
    #[pyo3(signature = (text, **options))]
    fn room<'py>(
        &self,
        py: Python<'py>,
        text: Text,
        options: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        plain(py, &self.answer(py, &text, question::<Room>(py, options, &[])?)?)
    }

    /// The exchange of cards that makes a hand likeliest, as `decklaw tune` finds it: the best
    /// legal deck for each number of exchanges.
    ///
    /// Options: changes: the most cards that go, and the most that come (5). keep, only, own: as `fix`
    /// has them. wish: what the deck must hold. turn: by which turn. hand: cards of the hand. section,
    /// keep_hand, policy: as `odds` has them. effort: the most work, in seconds.
    #[pyo3(signature = (text, queries, **options))]
    fn tune<'py>(
        &self,
        py: Python<'py>,
        text: Text,
        queries: &Bound<'py, PyAny>,
        options: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let question: Tune = question(py, options, &[("queries", queries)])?;
        tuned(py, &self.answer(py, &text, question)?)
    }

    /// A legal deck from wishes, as `decklaw build` makes it.
    ///
    /// Options: wish: what it must hold, such as "12+ [type:spell]". prefer: what it should hold, the
    /// first before the second; "preferred" says how far it is from each. own: what the player owns.
    /// seed: another text, another choice among alike cards. turn, hand, without, effort.
    #[pyo3(signature = (**options))]
    fn build<'py>(
        &self,
        py: Python<'py>,
        options: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let question: Build = question(py, options, &[])?;
        let answer = py.detach(|| self.game.ask(question));
        let answer = answer.map_err(|problem| raised(py, problem))?;
        match answer.outcome.none() {
            Some(none) => Err(no_deck(py, none)),
            None => built(py, &answer),
        }
    }

    /// Judges the decks in a column of a table of pandas, Polars or Arrow, or of a mapping of columns:
    /// a table of the same kind and the same rows, with the columns of `decklaw check --summary`.
    ///
    /// deck: the column of the decks. format: a column with their formats, where this game has
    /// several. threads: as for `check_many`. The column `deck` of the answer is the row, from 0; an
    /// index of pandas is kept. A deck that is missing is unreadable.
    #[pyo3(signature = (frame, deck="deck", format=None, *, threads=None))]
    fn check_frame<'py>(
        &self,
        py: Python<'py>,
        frame: &Bound<'py, PyAny>,
        deck: &str,
        format: Option<&str>,
        threads: Option<usize>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let decks = Decks::of(&self.game, frame, deck, format)?;
        decks.verdicts(py, many::threads(threads)?)?.like(frame)
    }

    /// The statistics of the decks in a column: a row for each value of a metric, with the columns of
    /// `decklaw stats`. cards: a row for each card of a deck instead.
    ///
    /// deck, format, threads: as for `check_frame`. A deck that cannot be read has a row without
    /// numbers, and a warning names it.
    #[pyo3(signature = (frame, cards=false, *, deck="deck", format=None, threads=None))]
    fn stats_frame<'py>(
        &self,
        py: Python<'py>,
        frame: &Bound<'py, PyAny>,
        cards: bool,
        deck: &str,
        format: Option<&str>,
        threads: Option<usize>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let decks = Decks::of(&self.game, frame, deck, format)?;
        let question = Stats { lists_cards: cards, ..Stats::default() };
        let (names, whole) = if cards {
            frame::card_columns(&self.game)?
        } else {
            (deck_columns(&STATS_COLUMNS), Vec::new())
        };
        let columns = Columns::new(names, &whole);
        decks.answers(py, many::threads(threads)?, &question, columns)?.like(frame)
    }

    /// The odds of a query or several for the decks in a column, with the columns of `decklaw odds`.
    ///
    /// The options are those of `odds`; deck, format, threads and decks without an answer are as for
    /// `stats_frame`.
    #[pyo3(signature = (frame, queries, *, deck="deck", format=None, threads=None, **options))]
    #[expect(clippy::too_many_arguments, reason = "each has a name in Python")]
    fn odds_frame<'py>(
        &self,
        py: Python<'py>,
        frame: &Bound<'py, PyAny>,
        queries: &Bound<'py, PyAny>,
        deck: &str,
        format: Option<&str>,
        threads: Option<usize>,
        options: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let question: Odds = question(py, options, &[("queries", queries)])?;
        let decks = Decks::of(&self.game, frame, deck, format)?;
        let columns = Columns::new(deck_columns(&ODDS_COLUMNS), &[]);
        decks.answers(py, many::threads(threads)?, &question, columns)?.like(frame)
    }

    /// Deals a match of legal decks, a seat each: "file" is the match file, and "awaited" who is to
    /// decide what next.
    ///
    /// seed: a text from which everybody can deal it again; default: a secret of the
    /// system. players: their names. options: such as {"players": 3}. settings: numbers that the
    /// rules leave open.
    ///
    /// Raises IllegalDeckError with the report of the first deck that is not legal.
    #[pyo3(signature = (decks, *, seed=None, players=None, options=None, settings=None))]
    fn deal<'py>(
        &self,
        py: Python<'py>,
        decks: &Bound<'py, PyAny>,
        seed: Option<&str>,
        players: Option<Vec<String>>,
        options: Option<Named<Bound<'py, PyAny>>>,
        settings: Option<Named<i64>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let mut legal = Vec::new();
        for (index, text) in given::decks(decks)?.iter().enumerate() {
            let deck = self.deck(py, text)?.legal();
            legal.push(deck.map_err(|report| errors::illegal(py, index, &report))?);
        }
        let mut begun = Table::options();
        for player in players.unwrap_or_default() {
            begun = begun.player(&player);
        }
        for (name, value) in options.into_iter().flat_map(|named| named.0) {
            begun = begun.option(&name, value.str()?.to_str()?);
        }
        for (name, value) in settings.into_iter().flat_map(|named| named.0) {
            begun = begun.setting(&name, value);
        }
        asked(py, || {
            let seed = seed.map_or_else(Seed::secret, |text| Ok(Seed::text(text)))?;
            begun.deal(&self.game, &legal, seed).map(TableAnswer::from)
        })
    }

    /// Reads a match file and deals it again: every card must lie where the seed and the decisions
    /// put it. Raises MatchError where one does not.
    fn verify<'py>(&self, py: Python<'py>, file: Text) -> PyResult<Bound<'py, PyAny>> {
        asked(py, || Table::verify(&self.game, file.as_ref()).map(TableAnswer::from))
    }

    /// The match after a decision, a dict as match files record it. Raises MatchError for one that
    /// is not awaited or not allowed.
    fn decide<'py>(
        &self,
        py: Python<'py>,
        file: Text,
        decision: &Bound<'py, PyDict>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let decision = pythonize::depythonize(decision)?;
        asked(py, || {
            let table = Table::verify(&self.game, file.as_ref())?;
            table.decide(&self.game, decision).map(TableAnswer::from)
        })
    }
}
