//! Decks that are mended, and decks that are made.

use super::{Deck, Error, Game};
use decklaw_core::query::QueryError;
use decklaw_core::resolve::{self, Decklist};
use decklaw_engine::solve::{self, Advice, Found, Making, Repair, Start, Swap, Wish, Wishes};
use decklaw_play::matches::Setup;
use serde::Serialize;
use std::sync::Arc;

/// A copy count that changes. As JSON it has the keys of a change of `decklaw fix -o json`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Change {
    /// The section's id.
    pub section: String,
    /// The card.
    pub card: String,
    /// Copies before.
    pub from: i64,
    /// Copies after.
    pub to: i64,
    /// The ids of the rules, and the wishes, for which it is made.
    pub rules: Vec<String>,
}

impl Change {
    fn of(before: &Decklist, change: &resolve::Change, rules: Vec<String>) -> Change {
        Change {
            section: before.sections()[usize::from(change.section)].clone(),
            card: before.name(change.card).to_owned(),
            from: change.from,
            to: change.to,
            rules,
        }
    }
}

/// What a repair and an exchange are held to alike.
#[derive(Debug, Clone)]
pub(super) struct Bounds {
    pub(super) keep: Vec<String>,
    pub(super) only: Option<String>,
    pub(super) effort: u64,
}

impl Default for Bounds {
    fn default() -> Bounds {
        Bounds {
            keep: Vec::new(),
            only: None,
            effort: solve::DEFAULT_EFFORT,
        }
    }
}

impl Bounds {
    /// The wishes, of a deck of a game whose maker advises something.
    pub(super) fn wishes(&self, deck: &Deck) -> Result<Wishes, Error> {
        let pool = deck.list().pool();
        let keep = self.keep.iter().map(|keep| Wish::keep(keep, pool));
        let only = self.only.iter().map(|only| Wish::only(only, pool));
        Ok(Wishes {
            must: keep.chain(only).map(understood).collect::<Result<_, _>>()?,
            effort: self.effort,
            taste: deck.game.taste().cloned().or_else(|| Some(Arc::default())),
            ..Wishes::default()
        })
    }
}

/// The methods by which a question says what it is held to.
macro_rules! bounds {
    () => {
        /// Cards that must stay, by a query; may be said more than once.
        pub fn keep(mut self, query: &str) -> Self {
            self.bounds.keep.push(query.to_owned());
            self
        }

        /// The only cards that may come in, by a query.
        pub fn only(mut self, query: &str) -> Self {
            self.bounds.only = Some(query.to_owned());
            self
        }

        /// The steps of work that may be taken; 50,000 are a second.
        pub fn effort(mut self, steps: u64) -> Self {
            self.bounds.effort = steps;
            self
        }
    };
}
pub(super) use bounds;

/// The question which smallest change makes a deck legal.
#[derive(Debug, Clone)]
#[must_use = "a question is answered by `find`"]
pub struct FixQuestion<'d> {
    deck: &'d Deck,
    bounds: Bounds,
}

/// What came of a repair.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Fixed {
    /// A legal deck; that none is nearer is proven.
    Proven(Mended),
    /// A legal deck. The work limit was reached: at least so many copies must change.
    AtLeast(i64, Mended),
    /// There is none, as these rules and wishes cannot hold together: a sentence each.
    Impossible(Vec<String>),
    /// The work limit was reached before any was found.
    Unknown,
}

/// A deck that was mended.
#[derive(Debug, Clone, Serialize)]
#[non_exhaustive]
pub struct Mended {
    /// The legal deck, written as the old one was: with its comments, in its order.
    pub deck: Deck,
    /// What changed.
    pub changes: Vec<Change>,
    /// How many copies changed in all.
    pub distance: i64,
    /// The misspelt names with one near card, which were corrected first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub renamed: Vec<Renamed>,
}

/// A misspelt name that was corrected.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Renamed {
    /// The name as the deck wrote it.
    pub from: String,
    /// The card's name.
    pub to: String,
    /// The numbers of its lines, from 1.
    pub lines: Vec<u32>,
}

fn understood(read: Result<Wish, QueryError>) -> Result<Wish, Error> {
    read.map_err(|error| Error::query(&error))
}

pub(super) fn changes(before: &Decklist, after: &Decklist, wishes: &Wishes) -> Vec<Change> {
    let reasons = solve::reasons(before, after, wishes).into_iter();
    reasons
        .map(|(change, rules)| Change::of(before, &change, rules))
        .collect()
}

impl<'d> FixQuestion<'d> {
    pub(super) fn new(deck: &'d Deck) -> FixQuestion<'d> {
        FixQuestion {
            deck,
            bounds: Bounds::default(),
        }
    }

    bounds!();

    /// Finds it.
    ///
    /// # Errors
    /// [`Error::Question`]: a query that cannot be read.
    ///
    /// ```
    /// use decklaw::{Fixed, Game};
    /// let text = include_str!("../../decks/shell/too-many-copies.txt");
    /// let deck = Game::built_in("shell")?.read(text)?;
    /// let Fixed::Proven(mended) = deck.fix().find()? else { panic!() };
    /// assert_eq!(mended.distance, 5);
    /// assert!(mended.deck.check().is_legal());
    /// # Ok::<(), decklaw::Error>(())
    /// ```
    pub fn find(self) -> Result<Fixed, Error> {
        let (deck, renamed) = self.deck.corrected()?;
        let before = deck.list();
        let wishes = Wishes {
            advice: Advice::AtNoCost,
            ..self.bounds.wishes(&deck)?
        };
        let found = match solve::repair(before, &wishes) {
            Repair::Found(found) => found,
            Repair::Impossible(conflict) => {
                return Ok(Fixed::Impossible(conflict.sentences(before, &wishes)));
            }
            Repair::Unknown => return Ok(Fixed::Unknown),
        };
        let mended = Mended {
            deck: deck.with(&found.deck)?,
            changes: changes(before, &found.deck, &wishes),
            distance: found.distance,
            renamed,
        };
        Ok(match found.optimal() {
            true => Fixed::Proven(mended),
            false => Fixed::AtLeast(found.bound(), mended),
        })
    }
}

/// The deck after the smallest exchange with its side deck.
pub(super) fn swapped(deck: &Deck, wish: &str) -> Result<Fixed, Error> {
    let before = deck.list();
    let exchange = Setup::exchange_of(before.rulebook().format()).map_err(Error::game)?;
    let swap = Swap::parse(wish, before, exchange.as_ref()).map_err(Error::question)?;
    let found = match swap.solve(before, solve::DEFAULT_EFFORT) {
        Repair::Found(found) => found,
        Repair::Impossible(conflict) => {
            let wishes = swap.wishes(before);
            return Ok(Fixed::Impossible(conflict.sentences(before, &wishes)));
        }
        Repair::Unknown => return Ok(Fixed::Unknown),
    };
    let wrong = swap.wrong_besides(&found.deck);
    if !wrong.is_empty() {
        return Ok(Fixed::Impossible(wrong));
    }
    let changes = before.changes_to(&found.deck).into_iter();
    let mended = Mended {
        deck: deck.with(&found.deck)?,
        changes: changes
            .map(|change| Change::of(before, &change, Vec::new()))
            .collect(),
        distance: found.distance,
        renamed: Vec::new(),
    };
    Ok(match found.optimal() {
        true => Fixed::Proven(mended),
        false => Fixed::AtLeast(found.bound(), mended),
    })
}

/// The question which legal deck is nearest to wishes.
#[derive(Debug, Clone)]
#[must_use = "a question is answered by `find`"]
pub struct BuildQuestion<'g> {
    game: &'g Game,
    from: Option<&'g Deck>,
    must: Vec<String>,
    prefer: Vec<String>,
    seed: Option<String>,
    effort: u64,
}

/// A deck that was made.
#[derive(Debug, Clone, Serialize)]
#[non_exhaustive]
pub struct Built {
    /// The legal deck.
    pub deck: Deck,
    /// Whether it is proven that none comes nearer to what is preferred and advised.
    pub proven: bool,
    /// How far it is from each preferred wish, in the order in which they were said; 0: it holds.
    /// Of a deck that was [finished](Deck::finish) the first is that its cards stay.
    pub missed: Vec<i64>,
    /// What changed in the deck that was finished; nothing of one that was made anew.
    pub changes: Vec<Change>,
}

impl<'g> BuildQuestion<'g> {
    pub(super) fn new(game: &'g Game) -> BuildQuestion<'g> {
        BuildQuestion {
            game,
            from: None,
            must: Vec::new(),
            prefer: Vec::new(),
            seed: None,
            effort: solve::DEFAULT_EFFORT,
        }
    }

    pub(super) fn finishing(deck: &'g Deck) -> BuildQuestion<'g> {
        BuildQuestion {
            from: Some(deck),
            ..BuildQuestion::new(&deck.game)
        }
    }

    /// What the deck must hold, such as `12+ [type:character]` or `side: 3+ [colour:blue]`.
    pub fn wish(mut self, wish: &str) -> Self {
        self.must.push(wish.to_owned());
        self
    }

    /// What it should hold, the first before the second.
    pub fn prefer(mut self, wish: &str) -> Self {
        self.prefer.push(wish.to_owned());
        self
    }

    /// Another text, another choice among alike cards.
    pub fn seed(mut self, text: &str) -> Self {
        self.seed = Some(text.to_owned());
        self
    }

    /// The steps of work that may be taken; 50,000 are a second.
    pub fn effort(mut self, steps: u64) -> Self {
        self.effort = steps;
        self
    }

    /// Makes it.
    ///
    /// # Errors
    /// [`Error::Question`]: a wish that cannot be read; [`Error::Impossible`]: no legal deck
    /// satisfies the wishes; [`Error::Unknown`]: the work limit was reached before any was found.
    ///
    /// ```
    /// let game = decklaw::Game::built_in("shell")?;
    /// let built = game.build().wish("10+ [colour:blue]").find()?;
    /// assert!(built.proven && built.deck.check().is_legal());
    /// # Ok::<(), decklaw::Error>(())
    /// ```
    pub fn find(self) -> Result<Built, Error> {
        let rulebook = self.game.rulebook();
        if rulebook.format().game().sections().is_empty() {
            return Err(Error::question(format!(
                "`{}` has no rules, so there is nothing to build by",
                self.game.format()
            )));
        }
        let read = |texts: &[String]| -> Result<Vec<Wish>, Error> {
            let each = texts
                .iter()
                .map(|text| understood(Wish::parse(text, rulebook)));
            each.collect()
        };
        let wishes = Wishes {
            must: read(&self.must)?,
            prefer: read(&self.prefer)?,
            seed: self.seed.clone(),
            effort: self.effort,
            ..Wishes::default()
        };
        let taste = self.game.taste().cloned();
        let (deck, start) = match self.from {
            None => (Decklist::empty(Arc::clone(rulebook)), Start::Free),
            Some(deck) => (
                deck.list().clone(),
                Start::Finish {
                    stay: deck.list(),
                    called: "-",
                },
            ),
        };
        let wrong = |wrong: solve::Misaimed| Error::query(&wrong.error);
        let mut making = Making::new(deck, &start, wishes, taste).map_err(wrong)?;
        let found: Box<Found> = match making.made() {
            Repair::Found(found) => found,
            Repair::Impossible(conflict) => {
                let why = conflict.sentences(making.start(), making.wishes());
                return Err(Error::Impossible(why));
            }
            Repair::Unknown => return Err(Error::Unknown),
        };
        Ok(Built {
            deck: Deck::of_list(self.game, &found.deck)?,
            proven: found.optimal(),
            missed: found.missed.clone(),
            changes: match self.from {
                None => Vec::new(),
                Some(deck) => {
                    let reasons = making.reasons(&found.deck).into_iter();
                    let told = |(change, rules)| Change::of(deck.list(), &change, rules);
                    reasons.map(told).collect()
                }
            },
        })
    }
}
