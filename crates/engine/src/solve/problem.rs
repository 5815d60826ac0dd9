//! A deck, its rules and what is wished of it, as one linear problem.

use super::reduce::{Cap, Objective, Task};
use super::spread::{digest, spread_ranks};
use super::wishes::Wishes;
use super::{Decklist, Wish};
use decklaw_cards::pool::CardId;
use decklaw_decks::deck::MOST_COPIES;
use decklaw_rules::rules::linear::Unknown;
use decklaw_rules::rules::{Holding, Linear, Rule, Severity, Tag};
use std::cell::Cell;

/// A sum, and the most that it may be.
pub(super) type UpperBound = (Vec<(Unknown, i64)>, i64);

/// So many copies of a card are looked at first, at least, where no rule sets a limit. Nothing
/// is claimed of more copies before they were looked at, too.
pub(super) const FIRST_GUESS: i64 = 99;

/// The tag of the first wish.
pub(super) const WISH: Tag = 1 << 20;

/// A deck, its rules and the wishes, as one linear problem.
pub(super) struct Problem<'d> {
    pub(super) deck: &'d Decklist,
    pub(super) wishes: &'d Wishes,
    pub(super) linear: Linear<'d>,
    /// For each preferred wish, the sum that says how far it is.
    pub(super) misses: Vec<Vec<(Unknown, i64)>>,
    pub(super) old: Vec<i64>,
    /// How many copies of a card are looked at first, where no rule sets a limit.
    pub(super) guess: i64,
    pub(super) rank: Vec<u32>,
    /// Copies of unknown cards that must go.
    pub(super) gone: i64,
    /// The steps that are left.
    pub(super) effort: Cell<u64>,
    /// Whether a choice among equals ended before it had seen all of them.
    pub(super) stopped: Cell<bool>,
    /// The rules that are looked at.
    pub(super) rules: Vec<Tag>,
    /// The rules of advice that are followed.
    pub(super) advice: Vec<Tag>,
}

impl<'d> Problem<'d> {
    pub(super) fn new(
        deck: &'d Decklist,
        contents: &'d decklaw_rules::rules::Contents<'d>,
        wishes: &'d Wishes,
        advice: bool,
    ) -> Problem<'d> {
        Problem::of(deck, contents, wishes, |rule| rule.counts(advice))
    }

    /// The same with some of the rules alone.
    pub(super) fn of(
        deck: &'d Decklist,
        contents: &'d decklaw_rules::rules::Contents<'d>,
        wishes: &'d Wishes,
        counts: impl Fn(&Rule) -> bool,
    ) -> Problem<'d> {
        let sections = deck.sections().len();
        let most = i64::from(MOST_COPIES);
        let rulebook = deck.rulebook();
        let looked = (0..).zip(rulebook.rules()).filter(|(_, rule)| counts(rule));
        let rules = looked.map(|(tag, _)| tag).collect();
        let mut linear = rulebook.linear_of(contents, sections, most, counts);
        for (tag, wish) in (WISH..).zip(&wishes.must) {
            linear.tagged(tag);
            wish.linear(&mut linear, deck);
        }
        let mut misses = Vec::new();
        let soft = || wishes.prefer.iter().chain(&wishes.aims);
        for (tag, wish) in (WISH..).zip(soft()) {
            linear.tagged(tag + wishes.must.len() as Tag);
            misses.push(wish.miss(&mut linear, deck));
        }
        let named = wishes.must.iter().chain(soft()).map(Wish::largest);
        let held = deck.holdings().map(|holding| holding.copies);
        let largest = named.chain(held).chain([linear.largest()]).max();
        let guess = largest.unwrap_or(0).clamp(FIRST_GUESS, most);
        let mut old = vec![0; linear.copy_unknowns()];
        let mut gone = 0;
        for holding in deck.holdings() {
            let at = linear.copies(holding.card, usize::from(holding.section));
            match old.get_mut(at.index()) {
                Some(copies) => *copies = holding.copies,
                None => gone += holding.copies,
            }
        }
        Problem {
            rank: ranks(deck, wishes),
            deck,
            wishes,
            linear,
            misses,
            old,
            guess,
            gone,
            effort: Cell::new(wishes.effort),
            stopped: Cell::new(false),
            rules,
            advice: Vec::new(),
        }
    }

    /// Does work that may take at most `most` of the steps that are left.
    pub(super) fn spend<T>(&self, most: u64, work: impl FnOnce(&mut u64) -> T) -> T {
        let given = self.effort.get().min(most);
        let mut left = given;
        let done = work(&mut left);
        self.effort.set(self.effort.get() - (given - left));
        done
    }

    /// The steps that one choice among equals may take.
    pub(super) fn share(&self) -> u64 {
        self.wishes.effort / 8
    }

    /// Whether a demand counts: errors and wishes do, and the advice that is followed.
    pub(super) fn counts(&self, tag: Tag) -> bool {
        let rule = self.deck.rulebook().rules().get(tag as usize);
        rule.is_none_or(|rule| rule.severity == Severity::Error) || self.advice.contains(&tag)
    }

    pub(super) fn task<'t>(
        &'t self,
        objective: Objective<'t>,
        besides: &'t [UpperBound],
        apart: &'t [bool],
    ) -> Task<'t, 'd> {
        Task {
            linear: &self.linear,
            old: &self.old,
            objective,
            besides,
            apart,
            rank: &self.rank,
            shaped: self.wishes.shaped,
            cap: Cap::Guess(self.guess),
            exchanges: None,
        }
    }

    /// The deck of some copies; unknown cards that are no unknowns are gone.
    pub(super) fn decklist(&self, copies: &[i64]) -> Decklist {
        let sections = self.linear.sections().max(1);
        let present = copies.iter().enumerate().filter(|(_, copies)| **copies > 0);
        self.deck.holding(present.map(|(at, copies)| Holding {
            card: CardId((at / sections) as u32),
            section: (at % sections) as u16,
            copies: (*copies).min(i64::from(MOST_COPIES)),
        }))
    }

    /// Copies that change.
    pub(super) fn moved(&self, after: &Decklist) -> i64 {
        let changes = self.deck.changes_to(after);
        let moved = changes.iter().map(|change| (change.to - change.from).abs());
        moved.sum()
    }

    /// Whether a deck is what was asked for: the judge has the last word.
    pub(super) fn is_right(&self, after: &Decklist, distance: i64) -> bool {
        after.is_legal()
            && self.moved(after) == distance
            && self.wishes.must.iter().all(|wish| wish.holds(self.deck, after))
    }
}

/// The position of each card among those alike: by folded name, or shuffled by a seed, and in a
/// shaped deck so that each kind of cards comes as often as in the pool.
fn ranks(deck: &Decklist, wishes: &Wishes) -> Vec<u32> {
    let count = (deck.pool().len() + deck.unknown_names()) as u32;
    let mut order: Vec<u32> = (0..count).collect();
    if !wishes.shaped && wishes.seed.is_none() {
        return order;
    }
    let seed = wishes.seed.as_deref().unwrap_or_default();
    let spread = if wishes.shaped {
        spread_ranks(deck.pool(), wishes.taste.as_deref(), seed)
    } else {
        Vec::new()
    };
    order.sort_by_cached_key(|card| {
        let name = match CardId(*card) {
            card if deck.knows(card) => deck.pool().folded(card),
            card => deck.name(card),
        };
        (spread.get(*card as usize).copied(), digest(seed, name))
    });
    let mut ranks = vec![0; count as usize];
    for (rank, card) in (0..).zip(order) {
        ranks[card as usize] = rank;
    }
    ranks
}
