//! Matches that are dealt.

use crate::game::{Deck, Game, LegalDeck};
use crate::problem;
use decklaw_judge::judge::ReadDeck;
use decklaw_play::matches::setup::Decks;
use decklaw_play::matches::{
    Action, Choice, Decision, Entry, Match, MatchDeck, MatchRules, NewMatch, Pending, Prompt,
    Randomness, Reader, RegisteredDeck, SealedChoice, SeatId, Stream, Swaps, UnverifiedMatch, View,
};
use decklaw_text::{Problem, ProblemKind};
use std::collections::BTreeMap;

/// What the deal of a match follows from.
#[derive(Debug, Clone)]
pub struct Seed(Randomness);

impl Seed {
    /// A text: everyone who knows it can deal the match again.
    pub fn text(text: &str) -> Seed {
        Seed(Randomness::from_text(text))
    }

    /// A secret of the operating system.
    ///
    /// # Errors
    /// it has none to give.
    pub fn secret() -> Result<Seed, Problem> {
        Randomness::from_system().map(Seed).map_err(Problem::from)
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
pub struct Table {
    made: Match,
    /// What opens the secret choices that chance made.
    sealed: BTreeMap<SeatId, Decision>,
}

impl std::fmt::Debug for Table {
    /// What is awaited.
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_tuple("Table").field(&self.made.pending).finish()
    }
}

/// What a match is apart from its decks; made by [`Table::options`].
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

    /// Deals; a game whose cards all lie in the middle takes no deck.
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
        if let (Decks::WholePool(name), []) = (&rules.setup.decks, decks) {
            let book = game.judge().rules(game.format())?;
            let deck = MatchDeck::of_pool(&rules.format, name, &rules.setup, book.pool());
            self.0.decks.push(RegisteredDeck::unjudged(deck?));
        }
        let dealt = Match::start(&rules.game(), self.0, seed.0, Vec::new(), None);
        dealt.map(Table::of).map_err(Problem::from)
    }
}

/// A match that cannot be dealt so.
fn mismatch(message: String) -> Problem {
    Problem::new(ProblemKind::Match, message)
}

/// A deck as a match has it.
fn registered(rules: &MatchRules, deck: &Deck) -> Result<RegisteredDeck, Problem> {
    let game = deck.game();
    let read = game.judge().read(deck.opened(), Some(game.format()))?;
    let ReadDeck::Deck(resolved) = read else {
        return Err(problem::unreadable());
    };
    rules.register(&resolved).map_err(Problem::from)
}

fn rules_of(game: &Game) -> Result<MatchRules, Problem> {
    let rulebook = game.judge().rules(game.format())?;
    let rules = MatchRules::of_format(rulebook.format())?;
    rules.ok_or_else(|| mismatch(format!("`{}` does not say how a match starts", game.format())))
}

impl Table {
    fn of(made: Match) -> Table {
        Table { made, sealed: BTreeMap::new() }
    }

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

    /// Begins with what a match is apart from its decks: names, options, settings.
    pub fn options() -> TableOptions {
        TableOptions::default()
    }

    /// Reads a match file, and deals it again: every card must lie where the seed and the decisions
    /// put it.
    ///
    /// # Errors
    /// it is no match file, or is not what it says.
    pub fn verify(game: &Game, file: &[u8]) -> Result<Table, Problem> {
        let read = UnverifiedMatch::read(file)?;
        let dealt = read.verify(&rules_of(game)?.game());
        dealt.map(Table::of).map_err(Problem::from)
    }

    /// The same match after a decision or a move, as match files record it.
    ///
    /// # Errors
    /// a decision or a move that is not awaited or not allowed.
    pub fn decide(&self, game: &Game, entry: serde_json::Value) -> Result<Table, Problem> {
        self.push(game, Entry::of_value(&entry)?)
    }

    /// The same match after an entry of its log: a decision of the setup, or a move.
    ///
    /// # Errors
    /// a decision or a move that is not awaited or not allowed.
    pub fn push(&self, game: &Game, entry: impl Into<Entry>) -> Result<Table, Problem> {
        // What comes in between games must leave a legal deck.
        let swaps = Swaps(game.judge().rules(game.format())?);
        let next = self.made.go_on(&rules_of(game)?.game(), [entry.into()], Some(&swaps));
        Ok(Table { made: next?, sealed: self.sealed.clone() })
    }

    /// What is asked now, with the decisions that are allowed, in the order of
    /// [`awaited`](Table::awaited). Empty when the table is ready to play.
    ///
    /// # Errors
    /// a fault in the rules.
    pub fn prompts(&self, game: &Game) -> Result<Vec<Prompt>, Problem> {
        self.made.prompts(&rules_of(game)?.setup).map_err(Problem::from)
    }

    /// The same match after one of the decisions that are awaited, by chance. A secret choice is
    /// sealed, and opened by the next call that awaits it. `None`: nothing is awaited.
    ///
    /// # Errors
    /// a choice that a person must make; a system without random numbers.
    pub fn decide_by_chance(&self, game: &Game) -> Result<Option<Table>, Problem> {
        let prompts = self.prompts(game)?;
        let Some(prompt) = prompts.first() else {
            return Ok(None);
        };
        let seed = Randomness::from_system().and_then(|random| random.seed());
        let seed = seed?;
        if let Some(opens) = prompt.seat.and_then(|seat| self.sealed.get(&seat))
            && prompt.options.is_empty()
        {
            return self.push(game, opens.clone()).map(Some);
        }
        let (option, cards) = prompt
            .by_chance(&mut Stream::new(&seed, "decision"))
            .ok_or_else(|| mismatch(format!("chance cannot decide: {}", prompt.text)))?;
        let mut sealed = self.sealed.clone();
        let decision = match (&option.action, prompt.seat) {
            (Action::Seal(choice), Some(seat)) => {
                let SealedChoice { commits, opens } = SealedChoice::of(seat, seed.bytes(), choice);
                sealed.insert(seat, opens);
                Some(commits)
            }
            _ => option.decided(&cards),
        };
        let decision = decision.ok_or_else(|| mismatch(prompt.text.clone()))?;
        let next = self.push(game, decision)?;
        Ok(Some(Table { sealed, ..next }))
    }

    /// What is awaited, in the order of the seats, as match files record it; empty when the table
    /// is ready to play.
    pub fn awaited(&self) -> &[Pending] {
        &self.made.pending
    }

    /// Moves that the seat can make whose turn it is, and that need no agreement: to draw, to lay a
    /// card of its hand among open cards, to end its turn.
    pub fn moves(&self) -> Vec<Entry> {
        let moves = self.made.moves_of(self.turn()).into_iter();
        moves.map(Entry::Move).collect()
    }

    /// Whose turn it is.
    pub fn turn(&self) -> SeatId {
        self.made.turn().seat
    }

    /// What a seat sees, or the public.
    ///
    /// # Errors
    /// an empty seat.
    pub fn view(&self, reader: Reader) -> Result<View, Problem> {
        self.made.view(reader).map_err(Problem::from)
    }

    /// The match file.
    pub fn to_json(&self) -> String {
        self.made.to_json()
    }
}
