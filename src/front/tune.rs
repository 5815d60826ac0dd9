//! The best exchange of cards for a hand.

use super::fix::{Bounds, bounds};
use super::{Change, Deck, Error};
use decklaw_core::name::fold;
use decklaw_engine::odds::{self, Asked, Drawn, HandQuery, Population};
use decklaw_engine::solve::tune::{self, TuneError, Tuning};
use serde::Serialize;

/// The question which exchange of cards makes a hand likeliest.
#[derive(Debug, Clone)]
#[must_use = "a question is answered by `find`"]
pub struct TuneQuestion<'d> {
    deck: &'d Deck,
    query: String,
    changes: u32,
    turn: Option<u32>,
    asked: Asked,
    bounds: Bounds,
}

/// What came of it: the best legal deck for each number of exchanges.
#[derive(Debug, Clone, Serialize)]
#[non_exhaustive]
pub struct Tuned {
    /// How likely the hand was, from 0 to 1: of the deck, or of its smallest repair where it was
    /// not legal.
    pub before: f64,
    /// The same as an exact fraction, `a/b`.
    pub before_fraction: String,
    /// Whether the deck was not legal, so that its smallest repair was tuned.
    pub repaired: bool,
    /// The best for one exchange, for two, and so on. Fewer where more gain nothing.
    pub steps: Vec<Exchange>,
}

/// The best deck within a number of exchanges.
#[derive(Debug, Clone, Serialize)]
#[non_exhaustive]
pub struct Exchange {
    /// The most copies that go, and the most that come.
    pub exchanges: u32,
    /// The deck.
    pub deck: Deck,
    /// What changed of the deck that was tuned.
    pub changes: Vec<Change>,
    /// How likely the hand is then, from 0 to 1.
    pub probability: f64,
    /// The same as an exact fraction, `a/b`.
    pub fraction: String,
    /// Whether it is proven that no legal deck within so many exchanges has a likelier hand.
    pub proven: bool,
    /// A probability that none of them exceeds.
    pub bound: f64,
}

impl<'d> TuneQuestion<'d> {
    pub(super) fn new(deck: &'d Deck, query: &str) -> TuneQuestion<'d> {
        TuneQuestion {
            deck,
            query: query.to_owned(),
            changes: 5,
            turn: None,
            asked: Asked::default(),
            bounds: Bounds::default(),
        }
    }

    /// The most cards that go out, and the most that come in: 1 to 60, and 5 where nothing is said.
    pub fn changes(mut self, most: u32) -> Self {
        self.changes = most;
        self
    }

    bounds!();

    /// The turn by which the query is to hold, instead of in the opening hand.
    pub fn turn(mut self, turn: u32) -> Self {
        self.turn = Some(turn);
        self
    }

    /// Cards of the opening hand, instead of the game's.
    pub fn hand(mut self, cards: u32) -> Self {
        self.asked.hand = Some(cards);
        self
    }

    /// Finds it.
    ///
    /// # Errors
    /// [`Error::Question`]: a query or a number that cannot be asked; [`Error::Impossible`] and
    /// [`Error::Unknown`]: the deck is not legal, and cannot be made legal.
    ///
    /// ```
    /// let deck = decklaw::Game::built_in("shell")?.read(include_str!("../../decks/shell/ebb.txt"))?;
    /// let tuned = deck.tune("1+ [mana<=1]").changes(1).find()?;
    /// assert!(tuned.steps[0].proven && tuned.steps[0].probability > tuned.before);
    /// # Ok::<(), decklaw::Error>(())
    /// ```
    pub fn find(self) -> Result<Tuned, Error> {
        let before = self.deck.list();
        let defaults = self.deck.game.draws();
        let resolved = self.deck.resolved()?;
        let own = defaults.section.as_ref().map(|own| own.value.as_str());
        let section = Drawn::of(&resolved, None, own).section;
        let population = Population::of_section(&resolved, &section).map_err(Error::odds)?;
        let query = HandQuery::parse(&self.query);
        let query = query.and_then(|query| odds::check(&query, &population).map(|()| query));
        let query = query.map_err(|error| Error::query(&error))?;
        let request = odds::request(&population, defaults, &self.asked, self.turn);
        let tuning = Tuning {
            section: before.section(&fold(&section)).unwrap_or(0),
            queries: vec![query],
            request: request.map_err(Error::odds)?,
            changes: self.changes,
            wishes: self.bounds.wishes(self.deck)?,
        };
        let tuned = tune::tune(before, &tuning).map_err(|error| match error {
            TuneError::Odds(error) => Error::odds(error),
            TuneError::Impossible(conflict) => {
                Error::Impossible(conflict.sentences(before, &tuning.wishes))
            }
            TuneError::Unknown => Error::Unknown,
            other => Error::question(other),
        })?;
        let steps = tuned.steps.iter().filter_map(|step| {
            let (list, odds) = step.best.as_ref()?;
            let changes = tuned
                .start
                .changes_to(list)
                .into_iter()
                .map(|change| Change {
                    section: tuned.start.sections()[usize::from(change.section)].clone(),
                    card: tuned.start.name(change.card).to_owned(),
                    from: change.from,
                    to: change.to,
                    rules: Vec::new(),
                });
            let changes = changes.collect();
            Some(self.deck.with(list).map(|deck| Exchange {
                exchanges: step.exchanges,
                deck,
                changes,
                probability: odds.probability.nearest(),
                fraction: odds.probability.to_string(),
                proven: step.optimal,
                bound: step.bound.nearest(),
            }))
        });
        Ok(Tuned {
            before: tuned.before.probability.nearest(),
            before_fraction: tuned.before.probability.to_string(),
            repaired: tuned.repaired.is_some(),
            steps: steps.collect::<Result<_, _>>()?,
        })
    }
}
