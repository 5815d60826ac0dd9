//! How likely hands are.

use super::{Deck, Error};
use decklaw_engine::odds::{self, Asked, Drawn, Population, Reply};
use serde::Serialize;

/// A question about opening hands, by the game's own hand and mulligan where nothing else is said.
#[derive(Debug, Clone)]
#[must_use = "a question is answered by `ask`"]
pub struct OddsQuestion<'d> {
    deck: &'d Deck,
    section: Option<String>,
    asked: Asked,
}

/// How likely a query holds. As JSON it has the keys of an answer of `decklaw odds -o json`.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Odds {
    /// What was asked.
    pub query: String,
    /// From 0 to 1: the double nearest to the fraction; none where the question was refused.
    pub probability: Option<f64>,
    /// The exact value as `a/b`; none where the question was refused.
    pub fraction: Option<String>,
    /// `exact`, or `refused` for a question beyond the work limit.
    pub method: &'static str,
    /// The same by turns, where that was asked.
    pub turns: Vec<TurnOdds>,
    /// Cards of the opening hand.
    #[serde(skip)]
    pub hand: Option<u32>,
    /// What the query asks for in vain, and what would help where it was refused: a sentence each.
    #[serde(skip)]
    pub remarks: Vec<String>,
}

/// How likely a query holds by a turn.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct TurnOdds {
    /// The turn, from 1.
    pub turn: u32,
    /// Cards seen by then.
    pub seen: u32,
    /// From 0 to 1; none where the question was refused.
    pub probability: Option<f64>,
    /// The exact value as `a/b`; none where the question was refused.
    pub fraction: Option<String>,
}

impl<'d> OddsQuestion<'d> {
    pub(super) fn new(deck: &'d Deck, query: &str) -> OddsQuestion<'d> {
        OddsQuestion {
            deck,
            section: None,
            asked: Asked {
                queries: vec![query.to_owned()],
                ..Asked::default()
            },
        }
    }

    /// Cards of the opening hand, instead of the game's.
    pub fn hand(mut self, cards: u32) -> Self {
        self.asked.hand = Some(cards);
        self
    }

    /// Answers for turns 1 to `last` as well, by the game's own draws.
    pub fn turns(mut self, last: u32) -> Self {
        self.asked.turns = Some(last);
        self
    }

    /// Cards drawn after the hand that is kept.
    pub fn draws(mut self, cards: u32) -> Self {
        self.asked.draws = cards;
        self
    }

    /// When a hand is kept: a query, or `best` for the rule that makes the answer largest. Where
    /// nothing is said, a hand is kept in which the query holds.
    pub fn keep_hand(mut self, query: &str) -> Self {
        self.asked.keep = Some(query.to_owned());
        self
    }

    /// What the first hand is known to hold.
    pub fn given(mut self, query: &str) -> Self {
        self.asked.given = Some(query.to_owned());
        self
    }

    /// The section that is drawn from, instead of the game's.
    pub fn section(mut self, id: &str) -> Self {
        self.section = Some(id.to_owned());
        self
    }

    /// Keeps every hand: no mulligan is taken.
    pub fn without_mulligan(mut self) -> Self {
        self.asked.mulligan = Some(odds::Mulligan::None);
        self
    }

    /// Answers.
    ///
    /// # Errors
    /// [`Error::Question`]: a query that cannot be read, a game whose rules give no hand, a hand
    /// larger than the deck.
    ///
    /// ```
    /// let deck = decklaw::Game::built_in("shell")?.read(include_str!("../../decks/shell/ebb.txt"))?;
    /// let odds = deck.odds("1+ [mana<=1]").without_mulligan().ask()?;
    /// assert_eq!(odds.fraction.as_deref(), Some("41609/43407"));
    /// # Ok::<(), decklaw::Error>(())
    /// ```
    pub fn ask(self) -> Result<Odds, Error> {
        let defaults = self.deck.game.draws();
        let resolved = self.deck.resolved()?;
        let own = defaults.section.as_ref().map(|own| own.value.as_str());
        let drawn = Drawn::of(&resolved, self.section.as_deref(), own);
        let population = Population::of_section(&resolved, &drawn.section).map_err(Error::odds)?;
        let report = odds::answer("-", &population, defaults, &self.asked).map_err(Error::odds)?;
        let remarks = drawn.remark.into_iter().chain(report.remarks);
        let found = report.answers.into_iter().next();
        let found = found.ok_or_else(|| Error::question("nothing was asked"))?;
        let remarks = remarks.chain(found.remarks).collect();
        let hand = found.hand;
        Ok(match found.answer {
            Reply::Query(answer) | Reply::Path(answer) => Odds {
                query: answer.query,
                probability: Some(answer.likelihood.nearest()),
                fraction: Some(answer.likelihood.to_string()),
                method: "exact",
                turns: answer
                    .turns
                    .iter()
                    .map(|turn| TurnOdds {
                        turn: turn.turn,
                        seen: turn.seen,
                        probability: Some(turn.likelihood.nearest()),
                        fraction: Some(turn.likelihood.to_string()),
                    })
                    .collect(),
                hand,
                remarks,
            },
            Reply::Refused(refused) => Odds {
                query: refused.query,
                probability: None,
                fraction: None,
                method: "refused",
                turns: refused
                    .turns
                    .iter()
                    .map(|(turn, seen)| TurnOdds {
                        turn: *turn,
                        seen: *seen,
                        probability: None,
                        fraction: None,
                    })
                    .collect(),
                hand,
                remarks,
            },
            Reply::Total(_) => return Err(Error::question("a total has no probability")),
        })
    }
}
