//! Matches that are dealt.

use crate::game::{Deck, Game, LegalDeck};
use crate::problem;
use decklaw_core::judge::ReadDeck;
use decklaw_core::{Problem, ProblemKind};
use decklaw_play::matches::{
    Choice, Match, MatchError, MatchRules, NewMatch, Randomness, Registered, Swaps, Unproved,
};

/// What the deal of a match follows from.
#[derive(Debug, Clone)]
pub struct Seed(Randomness);

impl Seed {
    /// A text: whoever knows it can deal the match again.
    pub fn text(text: &str) -> Seed {
        Seed(Randomness::from_text(text))
    }

    /// A secret of the operating system.
    ///
    /// # Errors
    /// it has none to give.
    pub fn secret() -> Result<Seed, Problem> {
        Randomness::from_system().map(Seed).map_err(matched)
    }
}

/// A match that was dealt: its file, and who is to decide what next.
///
/// ```
/// use decklaw_ask::{Game, Seed, Table};
/// let game = Game::built_in("shell")?;
/// let deck = game.read(std::fs::read("../../decks/shell/ebb.txt")?)?.legal()?;
/// let table = Table::deal(&[deck.clone(), deck], Seed::text("spring"))?;
/// assert!(!table.awaited().is_empty());
/// // Anybody can read the file, and with the rules deal every card again.
/// Table::verify(&game, table.to_json().as_bytes())?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct Table(Match);

impl std::fmt::Debug for Table {
    /// What is awaited.
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_tuple("Table").field(&self.0.pending).finish()
    }
}

/// What a match is besides its decks; made by [`Table::options`].
#[derive(Debug, Default)]
#[must_use]
pub struct TableOptions(NewMatch);

impl TableOptions {
    /// A player's name, in the order of the seats.
    pub fn player(mut self, name: &str) -> TableOptions {
        self.0.players.push(name.to_owned());
        self
    }

    /// An option of the game, such as `players` and `3`.
    pub fn option(mut self, name: &str, value: &str) -> TableOptions {
        self.0.options.insert(name.to_owned(), Choice::parse(value));
        self
    }

    /// A number that the rules leave open, such as `opening_hand` and 5.
    pub fn setting(mut self, name: &str, value: i64) -> TableOptions {
        self.0.settings.insert(name.to_owned(), value);
        self
    }

    /// Deals.
    ///
    /// # Errors
    /// a game that says nothing of matches, too few or too many decks, decks of
    /// different formats, an option or a setting that is missing or wrong.
    pub fn deal(mut self, game: &Game, decks: &[LegalDeck], seed: Seed) -> Result<Table, Problem> {
        let rules = rules_of(game)?;
        for deck in decks {
            let own = deck.0.game().format();
            if own != game.format() {
                return Err(mismatch(format!(
                    "a deck for `{own}` is not dealt at a table for `{}`",
                    game.format()
                )));
            }
            self.0.decks.push(registered(&rules, &deck.0)?);
        }
        let dealt = Match::start(&rules.game(), self.0, seed.0, Vec::new(), None);
        dealt.map(Table).map_err(matched)
    }
}

/// A match that cannot be dealt so.
fn mismatch(message: String) -> Problem {
    Problem::new(ProblemKind::Match, message)
}

fn matched(error: MatchError) -> Problem {
    Problem::from(&error)
}

/// A deck as a match has it.
fn registered(rules: &MatchRules, deck: &Deck) -> Result<Registered, Problem> {
    let game = deck.game();
    let read = game
        .judge()
        .read(deck.text().as_bytes(), deck.input(), Some(game.format()));
    let read = read.map_err(|error| Problem::from(&error))?;
    let ReadDeck::Deck(resolved) = read else {
        return Err(problem::unreadable());
    };
    rules.register(&resolved).map_err(matched)
}

fn rules_of(game: &Game) -> Result<MatchRules, Problem> {
    let rulebook = game.judge().rules(game.format())?;
    let rules = MatchRules::of_format(rulebook.format()).map_err(|error| problem::game(&error))?;
    rules.ok_or_else(|| {
        mismatch(format!(
            "`{}` does not say how a match starts",
            game.format()
        ))
    })
}

impl Table {
    /// Deals a match of legal decks of one format, a seat each.
    ///
    /// # Errors
    /// As [`TableOptions::deal`]; no deck at all.
    pub fn deal(decks: &[LegalDeck], seed: Seed) -> Result<Table, Problem> {
        let Some(first) = decks.first() else {
            return Err(mismatch("a table needs a deck".to_owned()));
        };
        TableOptions::default().deal(first.0.game(), decks, seed)
    }

    /// Begins with what a match is besides its decks: names, options, settings.
    pub fn options() -> TableOptions {
        TableOptions::default()
    }

    /// Reads a match file, and deals it again: every card must lie where the seed and the decisions
    /// put it.
    ///
    /// # Errors
    /// it is no match file, or is not what it says.
    pub fn verify(game: &Game, file: &[u8]) -> Result<Table, Problem> {
        let read = Unproved::read(file).map_err(matched)?;
        let dealt = read.verify(&rules_of(game)?.game());
        dealt.map(Table).map_err(matched)
    }

    /// The same match after a decision, as match files record it.
    ///
    /// # Errors
    /// a decision that is not awaited or not allowed.
    pub fn decide(&self, game: &Game, decision: serde_json::Value) -> Result<Table, Problem> {
        // What comes in between games must leave a legal deck.
        let swaps = Swaps(game.judge().rules(game.format())?);
        let rules = rules_of(game)?;
        let next = self.0.decide(&rules.game(), &[decision], Some(&swaps));
        next.map(Table).map_err(matched)
    }

    /// What is awaited, in the order of the seats; empty when the table is ready to play.
    pub fn awaited(&self) -> &[serde_json::Value] {
        &self.0.pending
    }

    /// The match file.
    pub fn to_json(&self) -> String {
        self.0.to_json()
    }
}
