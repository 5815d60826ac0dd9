//! `decklaw.Game`.

use crate::answers::{BuildAnswer, FixAnswer, OddsAnswer, TableAnswer, TuneAnswer, plain};
use crate::errors::{self, raised};
use crate::given::{self, Cards, Named, Number, Text, Texts};
use crate::many;
use decklaw::{Catalogue, Error, Seed, Table};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use serde::Serialize;
use std::path::PathBuf;

/// The most threads that one call starts.
const MOST_THREADS: usize = 64;

/// A format of a game: what its decks are judged, mended and dealt by.
///
/// It is made once; threads may share it. Decks are text, `str` or `bytes`; a deck's link is text,
/// too. Answers are dicts with the keys of the program's JSON (`decklaw.types` says which).
/// Whatever nothing is said of is as the program has it: the game's own hand and mulligan, its
/// maker's advice, the same limits of work.
///
/// >>> import decklaw
/// >>> game = decklaw.Game("shell")
/// >>> game.check("Main\n9 Moss Sprite\n")["verdict"]
/// 'illegal'
///
/// day: the day on which decks are judged, as "2026-06-01" or a date; it chooses the banlist that
/// is in force. Where nothing is said, today.
/// settings: what the rules leave to an organiser, such as {"max": 60}.
/// cards: a card file instead of the game's own, a path or a pair of its name and its bytes.
/// banlist: False judges without any.
#[pyclass(frozen, module = "decklaw")]
pub(crate) struct Game(decklaw::Game);

/// The options that every way to make a game has.
fn options(
    py: Python<'_>,
    day: Option<&Bound<'_, PyAny>>,
    settings: Option<Named<Bound<'_, PyAny>>>,
    cards: Option<Cards>,
    banlist: bool,
) -> PyResult<decklaw::GameOptions> {
    let mut options = decklaw::Game::options();
    if let Some(day) = day {
        options = options.day(day.str()?.to_str()?);
    }
    for (name, value) in settings.into_iter().flat_map(|named| named.0) {
        options = options.setting(&name, value.str()?.to_str()?);
    }
    if let Some(cards) = cards {
        let (name, bytes) = cards.read(py)?;
        options = options.cards(&name, bytes);
    }
    Ok(match banlist {
        true => options,
        false => options.without_banlist(),
    })
}

/// Asks the engine while other threads of Python go on, and gives its answer as Python's own kinds.
fn asked<'py, A: Serialize + Send>(
    py: Python<'py>,
    ask: impl FnOnce() -> Result<A, Error> + Send,
) -> PyResult<Bound<'py, PyAny>> {
    let answer = py.detach(ask).map_err(|error| raised(py, error))?;
    plain(py, &answer)
}

fn made(
    py: Python<'_>,
    make: impl FnOnce() -> Result<decklaw::Game, Error> + Send,
) -> PyResult<Game> {
    py.detach(make).map(Game).map_err(|error| raised(py, error))
}

#[pymethods]
impl Game {
    #[new]
    #[pyo3(signature = (format, *, day=None, settings=None, cards=None, banlist=true))]
    fn new(
        py: Python<'_>,
        format: &str,
        day: Option<&Bound<'_, PyAny>>,
        settings: Option<Named<Bound<'_, PyAny>>>,
        cards: Option<Cards>,
        banlist: bool,
    ) -> PyResult<Game> {
        let options = options(py, day, settings, cards, banlist)?;
        made(py, || options.built_in(format))
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
        let options = options(py, day, settings, cards, banlist)?;
        made(py, || match format {
            None => options.from_dir(folder),
            Some(format) => {
                let mut catalogue = Catalogue::built_in();
                let told = |error| Error::Game(format!("{}: {error}", folder.display()));
                catalogue.add_game(&folder).map_err(told)?;
                options.from_catalogue(catalogue, format)
            }
        })
    }

    /// The ids of all formats that are built in, sorted.
    #[staticmethod]
    fn formats() -> Vec<String> {
        decklaw::Game::all_built_in()
    }

    /// The format's id.
    #[getter]
    fn format(&self) -> &str {
        self.0.format()
    }

    fn __repr__(&self) -> String {
        format!("<decklaw.Game {}>", self.format())
    }

    /// Everything that is found of a deck, as `decklaw check` says it. What cannot be read is a
    /// report, too: its verdict is "unreadable".
    fn check<'py>(&self, py: Python<'py>, text: Text) -> PyResult<Bound<'py, PyAny>> {
        asked(py, || Ok(self.0.check(&text)))
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
        let threads = match threads {
            Some(0) => return Err(PyValueError::new_err("at least one thread is needed")),
            Some(threads) => threads.min(MOST_THREADS),
            None => std::thread::available_parallelism().map_or(1, usize::from),
        };
        many::judged(py, &self.0, &given::decks(texts)?, threads)
    }

    /// The cards of a deck: pairs of section and card with their copies, in the deck's order.
    fn cards(&self, py: Python<'_>, text: Text) -> PyResult<Vec<(String, String, i64)>> {
        let read = py.detach(|| {
            let deck = self.0.read(&text)?;
            let each = deck.cards();
            let owned =
                each.map(|(section, card, copies)| (section.to_owned(), card.to_owned(), copies));
            Ok(owned.collect())
        });
        read.map_err(|error| raised(py, error))
    }

    /// What a deck is made of, as `decklaw stats` counts it.
    fn stats<'py>(&self, py: Python<'py>, text: Text) -> PyResult<Bound<'py, PyAny>> {
        asked(py, || self.0.read(&text)?.stats())
    }

    /// How likely an opening hand holds what a query asks for, as `decklaw odds` answers.
    ///
    /// hand: cards of the hand, instead of the game's. turns: answers for turns 1 to this as well.
    /// draws: cards drawn after the hand that is kept. keep_hand: when a hand is kept, a query or
    /// "best". given: what the first hand is known to hold. section: what is drawn from.
    /// mulligan: False keeps every hand.
    #[pyo3(signature = (text, query, *, hand=None, turns=None, draws=None, keep_hand=None, given=None, section=None, mulligan=true))]
    #[expect(clippy::too_many_arguments, reason = "each has a name in Python")]
    fn odds<'py>(
        &self,
        py: Python<'py>,
        text: Text,
        query: &str,
        hand: Option<Number>,
        turns: Option<Number>,
        draws: Option<Number>,
        keep_hand: Option<&str>,
        given: Option<&str>,
        section: Option<&str>,
        mulligan: bool,
    ) -> PyResult<Bound<'py, PyAny>> {
        asked(py, || {
            let deck = self.0.read(&text)?;
            let mut question = deck.odds(query);
            if let Some(Number(hand)) = hand {
                question = question.hand(hand);
            }
            if let Some(Number(turns)) = turns {
                question = question.turns(turns);
            }
            if let Some(Number(draws)) = draws {
                question = question.draws(draws);
            }
            if let Some(query) = keep_hand {
                question = question.keep_hand(query);
            }
            if let Some(query) = given {
                question = question.given(query);
            }
            if let Some(section) = section {
                question = question.section(section);
            }
            if !mulligan {
                question = question.without_mulligan();
            }
            question.ask().map(OddsAnswer::from)
        })
    }

    /// The smallest change that makes a deck legal, as `decklaw fix` finds it.
    ///
    /// Misspelt names with one near card are corrected first, at no cost: "renamed" tells which.
    /// keep: cards that must stay, a query or several. only: the only cards that may come in, a
    /// query. effort: steps of work, 50,000 a second. "optimal" is True where it is proven
    /// that no legal deck is nearer; else "bound" is the number of copies that must change at least.
    ///
    /// Raises ImpossibleError where there is none, and WorkLimitError where none was found.
    #[pyo3(signature = (text, *, keep=None, only=None, effort=None))]
    fn fix<'py>(
        &self,
        py: Python<'py>,
        text: Text,
        keep: Option<Texts>,
        only: Option<&str>,
        effort: Option<u64>,
    ) -> PyResult<Bound<'py, PyAny>> {
        asked(py, || {
            let deck = self.0.read(&text)?;
            let mut question = deck.fix();
            for query in keep.iter().flat_map(Texts::each) {
                question = question.keep(query);
            }
            if let Some(query) = only {
                question = question.only(query);
            }
            if let Some(effort) = effort {
                question = question.effort(effort);
            }
            FixAnswer::of(question.find()?)
        })
    }

    /// The smallest exchange with the side deck, as `decklaw swap` finds it.
    ///
    /// wish: what comes in or goes out, as 'in: "Rain Caller" 2; out: "Moss Sprite"'. The deck that
    /// comes of it is one to play with; as a list to hand in it may be illegal. Keys and exceptions are
    /// those of `fix`; QuestionError where the game has no side deck, or the card is not there.
    fn swap<'py>(&self, py: Python<'py>, text: Text, wish: &str) -> PyResult<Bound<'py, PyAny>> {
        asked(py, || FixAnswer::of(self.0.read(&text)?.swap(wish)?))
    }

    /// How many more copies of each card fit into each section, each other card left as it is, as
    /// `decklaw room` counts them: a list of dicts. "more" is None where there is no limit, and
    /// "message" says what one copy more would break.
    fn room<'py>(&self, py: Python<'py>, text: Text) -> PyResult<Bound<'py, PyAny>> {
        asked(py, || Ok(self.0.read(&text)?.room()))
    }

    /// The exchange of cards that makes a hand likeliest, as `decklaw tune` finds it: the best legal
    /// deck for each number of exchanges.
    ///
    /// changes: the most cards that go, and the most that come (5). keep, only: as `fix` has them.
    /// turn: by which turn. hand: cards of the hand.
    #[pyo3(signature = (text, query, *, changes=None, keep=None, only=None, turn=None, hand=None, effort=None))]
    #[expect(clippy::too_many_arguments, reason = "each has a name in Python")]
    fn tune<'py>(
        &self,
        py: Python<'py>,
        text: Text,
        query: &str,
        changes: Option<Number>,
        keep: Option<Texts>,
        only: Option<&str>,
        turn: Option<Number>,
        hand: Option<Number>,
        effort: Option<u64>,
    ) -> PyResult<Bound<'py, PyAny>> {
        asked(py, || {
            let deck = self.0.read(&text)?;
            let mut question = deck.tune(query);
            if let Some(Number(changes)) = changes {
                question = question.changes(changes);
            }
            for query in keep.iter().flat_map(Texts::each) {
                question = question.keep(query);
            }
            if let Some(query) = only {
                question = question.only(query);
            }
            if let Some(Number(turn)) = turn {
                question = question.turn(turn);
            }
            if let Some(Number(hand)) = hand {
                question = question.hand(hand);
            }
            if let Some(effort) = effort {
                question = question.effort(effort);
            }
            question.find().map(TuneAnswer::from)
        })
    }

    /// A legal deck from wishes, as `decklaw build` makes it.
    ///
    /// wishes: what it must hold, such as "12+ [type:spell]". prefer: what it should hold, the first
    /// before the second; "missed" tells how far it is from each. seed: another text, another choice
    /// among alike cards.
    #[pyo3(signature = (*, wishes=None, prefer=None, seed=None, effort=None))]
    fn build<'py>(
        &self,
        py: Python<'py>,
        wishes: Option<Texts>,
        prefer: Option<Texts>,
        seed: Option<&str>,
        effort: Option<u64>,
    ) -> PyResult<Bound<'py, PyAny>> {
        asked(py, || {
            let mut question = self.0.build();
            for wish in wishes.iter().flat_map(Texts::each) {
                question = question.wish(wish);
            }
            for wish in prefer.iter().flat_map(Texts::each) {
                question = question.prefer(wish);
            }
            if let Some(seed) = seed {
                question = question.seed(seed);
            }
            if let Some(effort) = effort {
                question = question.effort(effort);
            }
            question.find().map(BuildAnswer::from)
        })
    }

    /// Deals a match of legal decks, a seat each: "file" is the match file, and "awaited" who is to
    /// decide what next.
    ///
    /// seed: a text from which everybody can deal it again; where nothing is said, a secret of the
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
            let deck = self.0.read(text).map_err(|error| raised(py, error))?;
            let deck = deck.legal();
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
            begun.deal(&self.0, &legal, seed).map(TableAnswer::from)
        })
    }

    /// Reads a match file and deals it again: every card must lie where the seed and the decisions
    /// put it. Raises MatchError where one does not.
    fn verify<'py>(&self, py: Python<'py>, file: Text) -> PyResult<Bound<'py, PyAny>> {
        asked(py, || {
            Table::verify(&self.0, file.as_ref()).map(TableAnswer::from)
        })
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
            let table = Table::verify(&self.0, file.as_ref())?;
            table.decide(&self.0, decision).map(TableAnswer::from)
        })
    }
}
