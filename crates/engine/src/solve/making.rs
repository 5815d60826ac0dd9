//! Decks that are made: from nothing, or on from one that a player began; by wishes, by the
//! maker's advice, and for a hand.

use super::repair::repair_within;
use super::tune::{self, Tuning};
use super::{Advice, Aim, Change, Decklist, Repair, SolvedDeck, Taste, Wish, Wishes};
use crate::odds::{self, HandQuery, OddsDefaults, OddsQuestion, Population, Request};
use decklaw_text::{Problem, ProblemKind};
use std::sync::Arc;

/// What becomes of the deck that a making starts with.
#[derive(Debug, Clone)]
pub enum Start<'a> {
    /// Its cards stay as far as rules and wishes allow, and what is missing comes in. `stay` are
    /// those of its cards that must, as a deck; `called` names them.
    Finish {
        /// The cards that stay.
        stay: &'a Decklist,
        /// What the deck is called.
        called: &'a str,
    },
    /// Nothing is said of its cards.
    Free,
}

/// A deck in the making: what it starts with, and all that is asked of it.
#[derive(Debug, Clone)]
pub struct DeckBuilder {
    start: Decklist,
    wishes: Wishes,
    aims: Vec<Aim>,
    playset: Option<u32>,
    /// Whether the first of what is preferred is that cards stay.
    finishes: bool,
    /// The steps that are left.
    left: u64,
}

impl DeckBuilder {
    /// A making by `wishes`: their musts, what they prefer and their effort. By
    /// `taste` the deck gets what its maker advises, or without one only what is asked for.
    ///
    /// # Errors
    /// An aim of the taste that cannot be read.
    pub fn new(
        deck: Decklist,
        start: &Start<'_>,
        wishes: Wishes,
        taste: Option<Arc<Taste>>,
    ) -> Result<DeckBuilder, Problem> {
        let rulebook = deck.rulebook();
        let format = rulebook.format().id();
        let aims: Vec<Aim> =
            taste.as_deref().map(|taste| taste.aims(format).cloned().collect()).unwrap_or_default();
        let read = |aim: &Aim| {
            Wish::parse(&aim.wish.value, rulebook).map_err(|error| {
                let message = format!("in an aim of taste.yaml: {error}");
                Problem::new(ProblemKind::Game, message)
            })
        };
        let mut wishes = Wishes {
            aims: aims.iter().map(read).collect::<Result<_, _>>()?,
            advice: Advice::First,
            shaped: true,
            ..wishes
        };
        if let Start::Finish { stay, called } = start {
            wishes.prefer.insert(0, Wish::uses(stay, called));
        }
        Ok(DeckBuilder {
            playset: taste.as_deref().and_then(|taste| taste.playset),
            left: wishes.effort,
            wishes: Wishes { taste, ..wishes },
            aims,
            start: deck,
            finishes: matches!(start, Start::Finish { .. }),
        })
    }

    /// What the deck starts with.
    pub fn start(&self) -> &Decklist {
        &self.start
    }

    /// All that is asked of it, and what else [`made`](DeckBuilder::made) could hold.
    pub fn wishes(&self) -> &Wishes {
        &self.wishes
    }

    /// The aims of the game's maker, each at its place among those of the wishes.
    pub fn aims(&self) -> &[Aim] {
        &self.aims
    }

    /// The aims that are left out go, and nothing is said of them.
    pub fn without(&mut self, left_out: impl Fn(&Aim) -> bool) {
        let kept: Vec<bool> = self.aims.iter().map(|aim| !left_out(aim)).collect();
        let mut each = kept.iter();
        self.aims.retain(|_| each.next() == Some(&true));
        let mut each = kept.iter();
        self.wishes.aims.retain(|_| each.next() == Some(&true));
    }

    /// Makes it: with no more copies of a card than players play, or with more where there is no
    /// other, or where more of the cards that are to stay do so then.
    pub fn made(&mut self) -> Repair {
        let freer = self.wishes.clone();
        let Some(most) = self.playset.take() else {
            return repair_within(&self.start, &freer, &mut self.left);
        };
        self.wishes.must.push(Wish::playset(most));
        let first = repair_within(&self.start, &self.wishes, &mut self.left);
        let gone = self.gone(&first);
        if gone == Some(0) {
            return first;
        }
        self.left = freer.saved(self.left);
        let second = repair_within(&self.start, &freer, &mut self.left);
        if gone.is_some_and(|gone| self.gone(&second).is_none_or(|fewer| fewer >= gone)) {
            return first;
        }
        self.wishes = freer;
        second
    }

    /// How many copies are gone of the cards that are to stay, where a deck was found.
    fn gone(&self, made: &Repair) -> Option<i64> {
        match made {
            Repair::Found(found) if self.finishes => found.missed.first().copied(),
            Repair::Found(_) => Some(0),
            Repair::Impossible(_) | Repair::Unknown => None,
        }
    }

    /// Makes the odds of a hand as large as they can be in a deck that was made, within a number of
    /// exchanges, all that it reached kept. The result: the odds, and whether it is proven
    /// that there are none better. The distance of the deck from its start is computed again: it
    /// may be farther by then than a deck without that hand had to be.
    ///
    /// # Errors
    /// As for [`tune::tune`].
    pub fn reach(
        &self,
        found: &mut SolvedDeck,
        goal: &Goal,
        changes: u32,
    ) -> Result<Option<(odds::Fraction, bool)>, Problem> {
        let wishes = &self.wishes;
        let soft = wishes.prefer.iter().zip(&found.missed);
        let soft = soft.chain(wishes.aims.iter().zip(&found.aims));
        let kept = soft.filter_map(|(wish, missed)| wish.reached(*missed, &found.deck));
        let effort = wishes.saved(self.left);
        let mut request = goal.request.clone();
        let share =
            u128::from(request.work) * u128::from(effort) / u128::from(wishes.effort.max(1));
        request.work = u64::try_from(share).unwrap_or(u64::MAX);
        let tuning = Tuning {
            section: goal.section,
            queries: vec![goal.query.clone()],
            request,
            changes,
            wishes: Wishes {
                must: wishes.must.iter().cloned().chain(kept).collect(),
                effort,
                ..Wishes::default()
            },
        };
        let tuned = tune::tune(&found.deck, &tuning)?;
        let best = tuned.steps.last();
        let Some((step, (deck, odds))) = best.and_then(|step| Some((step, step.best.as_ref()?)))
        else {
            return Ok(None);
        };
        // What the deck declares stays as it was; only its copies change.
        let copies = |deck: &Decklist| -> i64 {
            let changes = self.start.changes_to(deck).into_iter();
            changes.map(|change| (change.to - change.from).abs()).sum()
        };
        found.distance += copies(deck) - copies(&found.deck);
        found.deck.clone_from(deck);
        Ok(Some((odds.probability.clone(), step.optimal)))
    }

    /// Each change from what the deck starts with to what was made of it, and what it is for: as
    /// [`reasons`](super::reasons) has it.
    pub fn reasons(&self, made: &Decklist) -> Vec<(Change, Vec<String>)> {
        super::reasons(&self.start, made, &self.wishes)
    }
}

/// A hand that is to be likely.
#[derive(Debug, Clone)]
pub struct Goal {
    section: u16,
    query: HandQuery,
    request: Request,
}

impl Goal {
    /// A query about hands of a section of a deck, in the opening hand or by a turn.
    ///
    /// # Errors
    /// A query that cannot be read or asked of these cards, and what [`odds::request`] refuses.
    pub fn new(
        deck: &Decklist,
        section: u16,
        (query, turn): (&str, Option<u32>),
        (defaults, asked): (&OddsDefaults, &OddsQuestion),
    ) -> Result<Goal, Problem> {
        let population = Population::of_list(deck, usize::from(section))?;
        let parsed = HandQuery::parse(query);
        let parsed = parsed.and_then(|goal| crate::odds::check(&goal, &population).map(|()| goal));
        Ok(Goal {
            section,
            query: parsed.map_err(|error| odds::wrong_query("the query", query, &error))?,
            request: odds::request(&population, defaults, asked, turn)?,
        })
    }
}

impl SolvedDeck {
    /// Whether more than half of its copies came in: then much was missing, and what comes in is
    /// worth a remark to its player. `before` is the deck before the change.
    pub fn is_mostly_new(&self, before: &Decklist) -> bool {
        let changes = before.changes_to(&self.deck);
        let came: i64 = changes.iter().map(|change| (change.to - change.from).max(0)).sum();
        let all: i64 = self.deck.holdings().map(|held| held.copies).sum();
        2 * came > all
    }
}
