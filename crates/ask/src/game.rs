//! A format of a game, and decks that were read by it.

use crate::check::CheckAnswer;
use crate::deck::{DeckText, known};
use crate::files::merged;
use crate::library::{JudgeEntry, Library};
use crate::question::AboutDeck;
use decklaw_decks::deck::{self, Input, OpenedDeck};
use decklaw_judge::judge::{Finding, ReadDeck, Report};
use decklaw_judge::resolve::Decklist;
use decklaw_rules::format::Rulebook;
use decklaw_text::text::listed;
use decklaw_text::{Problem, ProblemKind};
use jiff::civil::Date;
use std::collections::BTreeMap;
use std::panic::resume_unwind;
use std::path::Path;
use std::sync::Arc;

/// A format of a game. It is made once, is cheap to clone, and threads may share it.
///
/// ```
/// use decklaw_ask::Game;
/// use decklaw_rules::Verdict;
///
/// let game = Game::built_in("shell")?;
/// let report = game.check("Main\n9 Moss Sprite\n");
/// assert_eq!(report.verdict, Verdict::Illegal);
/// # Ok::<(), decklaw_text::Problem>(())
/// ```
#[derive(Clone)]
pub struct Game {
    library: Arc<Library>,
    judge: Arc<JudgeEntry>,
    format: String,
}

impl std::fmt::Debug for Game {
    /// Its name alone: files and cards are many pages.
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_tuple("Game").field(&self.format).finish()
    }
}

impl Game {
    /// A built-in format, such as `shell` or `versus/fast`, judged as of today.
    ///
    /// # Errors
    /// An unknown format.
    pub fn built_in(format: &str) -> Result<Game, Problem> {
        Game::of(Library::built_in(), format)
    }

    /// The game in a folder that holds a `game.yaml`; of several formats the one whose id is the
    /// game's.
    ///
    /// ```
    /// let game = decklaw_ask::Game::from_dir("../../formats/shell")?;
    /// assert_eq!(game.format(), "shell");
    /// # Ok::<(), decklaw_text::Problem>(())
    /// ```
    ///
    /// # Errors
    /// No game in the folder, a mistake in its files, or several formats.
    pub fn from_dir(folder: impl AsRef<Path>) -> Result<Game, Problem> {
        let folder = folder.as_ref();
        let wrong = |error: std::io::Error| {
            Problem::new(ProblemKind::Game, format!("{}: {error}", folder.display()))
        };
        let own = folder.canonicalize().map_err(wrong)?;
        let id = own.file_name().unwrap_or_default().to_string_lossy();
        Game::of_game(Library::with_game(folder)?, &id)
    }

    /// The game of some files, as they would lie in a folder that is called `id`.
    ///
    /// # Errors
    /// As for [`from_dir`](Game::from_dir).
    pub fn from_files(id: &str, files: BTreeMap<String, Vec<u8>>) -> Result<Game, Problem> {
        Game::of_game(Library::from_files(id, files), id)
    }

    /// The format of a game of a library that has one, or the format whose id is the game's.
    ///
    /// # Errors
    /// As for [`from_dir`](Game::from_dir).
    pub fn of_game(library: Library, id: &str) -> Result<Game, Problem> {
        let judge = library.judge()?;
        let game = judge.catalogue().game(id)?;
        let formats = game.formats();
        let ids: Vec<&str> = formats.iter().map(|format| format.id()).collect();
        let format = match ids.as_slice() {
            [only] => only,
            several if several.contains(&id) => id,
            several => {
                let several = listed(several, "and");
                let message = format!("the game has several formats: {several}; name one of them");
                return Err(Problem::new(ProblemKind::Game, message));
            }
        };
        Game::of(library, format)
    }

    /// A format of a library.
    ///
    /// # Errors
    /// An unknown format; settings, cards or a list that do not fit it.
    pub fn of(mut library: Library, format: &str) -> Result<Game, Problem> {
        let judge = library.judge()?;
        let rulebook = judge.rules(format)?;
        if let Some(unused) = judge.judge.unused().first() {
            let message = format!("{unused} is not for `{format}`");
            return Err(Problem::new(ProblemKind::Game, message));
        }
        // The day does not change under a program that runs on.
        library.options.day.get_or_insert(judge.day());
        Ok(Game {
            judge: library.judge()?,
            library: Arc::new(library),
            format: rulebook.format().id().to_owned(),
        })
    }

    /// Ids of all built-in formats, sorted.
    pub fn all_built_in() -> Vec<String> {
        let catalogue = decklaw_rules::format::Catalogue::built_in();
        let games = catalogue.games().filter_map(|id| catalogue.game(id).ok());
        let ids = games.flat_map(|game| {
            let formats = game.formats();
            let ids: Vec<String> = formats.iter().map(|format| format.id().to_owned()).collect();
            ids
        });
        ids.collect()
    }

    /// The format's id.
    pub fn format(&self) -> &str {
        &self.format
    }

    /// Another format of the same library.
    ///
    /// # Errors
    /// An unknown format; settings, cards or a list that do not fit it.
    pub fn in_format(&self, format: &str) -> Result<Game, Problem> {
        let format = self.judge.rules(format)?.format().id().to_owned();
        Ok(Game { format, ..self.clone() })
    }

    /// The rules of the format, with its cards.
    ///
    /// # Errors
    /// None in practice.
    #[doc(hidden)]
    pub fn rulebook(&self) -> Result<Arc<Rulebook>, Problem> {
        self.judge.rules(&self.format)
    }

    /// The day of its verdicts.
    pub fn day(&self) -> Date {
        self.judge.day()
    }

    /// The library, for questions about other formats.
    pub fn library(&self) -> &Library {
        &self.library
    }

    pub(crate) fn judge(&self) -> &JudgeEntry {
        &self.judge
    }

    /// Reads a deck in decklaw's text.
    ///
    /// # Errors
    /// A text that is no deck; [`check`](Game::check) says each place.
    pub fn read(&self, text: impl AsRef<[u8]>) -> Result<Deck, Problem> {
        self.read_as(text, Input::Text)
    }

    /// Reads a deck of another kind.
    ///
    /// # Errors
    /// As for [`read`](Game::read).
    pub fn read_as(&self, bytes: impl AsRef<[u8]>, input: Input) -> Result<Deck, Problem> {
        match self.opened(bytes.as_ref(), input)? {
            (_, Some(deck)) => Ok(deck),
            (report, None) => {
                let mut findings = report.findings.iter();
                let first = findings.next().map_or_else(String::new, ToString::to_string);
                Err(Problem::new(ProblemKind::Deck, first))
            }
        }
    }

    /// Everything found in a deck, as `decklaw check` has it. A text that is no deck has a report
    /// as well.
    pub fn check(&self, text: impl AsRef<[u8]>) -> Report {
        self.check_as("-", text, Input::Text)
    }

    /// The same for a deck of another kind. `name` is what the report calls it.
    pub fn check_as(&self, name: &str, bytes: impl AsRef<[u8]>, input: Input) -> Report {
        self.report(name, bytes.as_ref(), input).unwrap_or_else(|problem| {
            let help = problem.help.unwrap_or_default();
            let finding = Finding::unreadable(problem.message, &help);
            Report::unreadable(name.to_owned(), finding)
        })
    }

    /// The same for many decks, in their order, by as many threads as the machine has processors.
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

    /// Asks a question without a deck, such as [`Build`](crate::Build).
    ///
    /// # Errors
    /// As for [`ask`](crate::ask).
    pub fn ask<Q: AboutDeck>(&self, question: Q) -> Result<Q::Answer, Problem> {
        question.in_format(&self.format).ask(&self.library)
    }

    fn report(&self, name: &str, bytes: &[u8], input: Input) -> Result<Report, Problem> {
        let format = Some(self.format.as_str());
        let opened = self.open(bytes, input)?;
        let read = self.judge.read(&opened, format)?;
        let mut report = self.judge.report(name, &read, format);
        drop(read);
        report.keep_text(opened);
        Ok(report)
    }

    fn open<'b>(&self, bytes: &'b [u8], input: Input) -> Result<OpenedDeck<'b>, Problem> {
        let opened = self.judge.open_file(bytes, input, Some(&self.format));
        opened.map_err(|error| Problem::new(ProblemKind::Deck, error.message).with_help(error.help))
    }

    fn opened(&self, bytes: &[u8], input: Input) -> Result<(Report, Option<Deck>), Problem> {
        let format = Some(self.format.as_str());
        let opened = self.open(bytes, input)?;
        let read = self.judge.read(&opened, format)?;
        let mut report = self.judge.report("-", &read, format);
        let cards = match &read {
            ReadDeck::Deck(resolved) => merged(resolved).sections,
            _ => Vec::new(),
        };
        let list = known(read).map(|resolved| resolved.into_list());
        report.keep_text(opened.clone());
        let opened = opened.into_owned();
        let deck = list.map(|list| Deck {
            game: self.clone(),
            opened,
            report: report.clone(),
            list,
            cards,
        });
        Ok((report, deck))
    }
}

/// A deck of a game.
///
/// ```
/// use decklaw_ask::{Game, Odds};
///
/// let deck = Game::built_in("shell")?.read(std::fs::read("../../decks/shell/ebb.txt")?)?;
/// assert!(deck.check().is_legal());
/// assert!(deck.ask(Odds::of("1+ [mana<=2]"))?.probability() > Some(0.9));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct Deck {
    game: Game,
    opened: OpenedDeck<'static>,
    report: Report,
    list: Decklist,
    cards: Vec<(String, Vec<(u32, String)>)>,
}

impl std::fmt::Debug for Deck {
    /// Its format, verdict and text.
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_struct("Deck")
            .field("format", &self.game.format())
            .field("verdict", &self.report.verdict)
            .field("text", &self.text())
            .finish()
    }
}

impl std::fmt::Display for Deck {
    /// The deck as decklaw's text.
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.write_str(&deck::to_text(&self.list.listing()))
    }
}

impl serde::Serialize for Deck {
    /// Its format and its cards by section, as `decklaw convert --to-format json` writes them.
    fn serialize<S: serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let text = deck::to_json(&self.list.listing());
        let value: serde_json::Value =
            serde_json::from_str(&text).map_err(serde::ser::Error::custom)?;
        value.serialize(to)
    }
}

impl Deck {
    /// Everything found in it, as `decklaw check` has it.
    pub fn check(&self) -> &Report {
        &self.report
    }

    /// The same as the answer to a question.
    pub fn answer(&self) -> CheckAnswer {
        CheckAnswer(self.report.clone())
    }

    /// Asks a question about the deck, with the defaults of the program.
    ///
    /// ```
    /// use decklaw_ask::{Fix, Game};
    ///
    /// let text = include_str!("../../../decks/shell/too-many-copies.txt");
    /// let deck = Game::built_in("shell")?.read(text)?;
    /// let fixed = deck.ask(Fix::default())?;
    /// let found = fixed.outcome.found()?;
    /// assert_eq!((found.distance, found.optimal), (5, true));
    /// # Ok::<(), decklaw_text::Problem>(())
    /// ```
    ///
    /// # Errors
    /// As for [`ask`](crate::ask).
    pub fn ask<Q: AboutDeck>(&self, question: Q) -> Result<Q::Answer, Problem> {
        let deck = DeckText::opened(self.opened.clone());
        let question = question.about(deck, None, Some(&self.game.format));
        question.ask(&self.game.library)
    }

    /// The deck as one that may be dealt.
    ///
    /// ```
    /// let game = decklaw_ask::Game::built_in("shell")?;
    /// let report = game.read("Main\n2 Rain Caller\n")?.legal().unwrap_err();
    /// assert!(!report.is_legal());
    /// # Ok::<(), decklaw_text::Problem>(())
    /// ```
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn legal(self) -> Result<LegalDeck, Box<Report>> {
        if self.report.is_legal() { Ok(LegalDeck(self)) } else { Err(Box::new(self.report)) }
    }

    /// The hash of its content: the same for decks that differ in order, spelling and comments
    /// alone.
    pub fn hash(&self) -> String {
        self.list.hash()
    }

    /// Copies in all sections.
    pub fn size(&self) -> i64 {
        self.list.holdings().map(|holding| holding.copies).sum()
    }

    /// Its cards in the deck's order, section by section: the section's id, the card's name, its
    /// copies there.
    pub fn cards(&self) -> impl Iterator<Item = (&str, &str, u32)> {
        self.cards.iter().flat_map(|(section, cards)| {
            let cards = cards.iter();
            cards.map(move |(copies, name)| (section.as_str(), name.as_str(), *copies))
        })
    }

    /// The text that it was read from.
    pub fn text(&self) -> &str {
        std::str::from_utf8(&self.opened.source).unwrap_or_default()
    }

    /// Its game.
    pub fn game(&self) -> &Game {
        &self.game
    }

    pub(crate) fn opened(&self) -> &OpenedDeck<'static> {
        &self.opened
    }
}

/// A deck that breaks no rule of its format: the only kind that is [dealt](crate::Table::deal).
#[derive(Debug, Clone)]
pub struct LegalDeck(pub(crate) Deck);

impl LegalDeck {
    /// The deck.
    pub fn deck(&self) -> &Deck {
        &self.0
    }
}
