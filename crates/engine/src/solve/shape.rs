//! The shape of a new deck: among decks that are equally good, the one whose kinds and numbers are
//! spread as players spread them, with playsets of some cards and single copies of others.

use super::formula::counted;
use super::levels::Choice;
use super::problem::{Problem, UpperBound, WISH};
use super::reduce::Objective;
use super::spread::{Value, dimensions, values};
use super::taste::Taste;
use super::{Decklist, Rooms};
use decklaw_cards::pool::{CardId, CardSet};
use decklaw_rules::rules::SectionSet;
use decklaw_rules::rules::tree::{Cond, Num, Rows, Weights};

/// A section with fewer new copies has no shape.
const FEW: i64 = 8;

/// Of a new section, how many of its copies have each value: about its share.
fn proportions(deck: &Decklist, section: u16, taste: Option<&Taste>) -> Vec<Cond> {
    let total = deck.count(section);
    if total < FEW {
        return Vec::new();
    }
    let pool = deck.pool();
    let bare = deck.holding(deck.holdings().filter(|held| held.section != section));
    let rooms = Rooms::of(&bare).of_each(pool.ids().map(|card| (section, card)));
    let fits = rooms.into_iter().filter(|room| room.more != Some(0));
    let cards: Vec<CardId> = fits.map(|room| room.card).collect();
    let mut conditions = Vec::new();
    for dimension in dimensions(pool, taste) {
        let by = values(pool, &dimension, &cards);
        let share = |(value, own): (&Value, &Vec<CardId>)| match &dimension.shares {
            Some(shares) => shares.get(value).copied().unwrap_or(0),
            None => own.len() as i64,
        };
        let (all, mut before, mut met) = (by.iter().map(share).sum::<i64>().max(1), 0, 0);
        for (value, own) in &by {
            // Rounded so that all of them together are the whole section.
            before += share((value, own));
            let wanted = before * total / all - met;
            met += wanted;
            let cards = Weights::Set(CardSet::among(pool.len(), own.iter().copied()));
            conditions.push(Cond::Within(
                counted(cards, SectionSet::only(usize::from(section))),
                Some(Num::Const((wanted - 1).max(0))),
                Some(Num::Const(wanted + 1)),
            ));
        }
    }
    conditions
}

impl Problem<'_> {
    /// Takes the deck whose new sections have the best shape, at the same distance.
    pub(super) fn shape(&mut self, choice: &mut Choice, taste: Option<&Taste>) {
        let Some(deck) = choice.deck.clone() else {
            return;
        };
        let sections = 0..self.deck.sections().len() as u16;
        let is_new: Vec<bool> =
            sections.clone().map(|section| self.deck.count(section) == 0).collect();
        let new = sections.filter(|section| is_new[usize::from(*section)]);
        let conditions: Vec<Cond> =
            new.flat_map(|section| proportions(&deck, section, taste)).collect();
        if conditions.is_empty() {
            return;
        }
        let mut kept = choice.kept.clone();
        kept.extend(self.pins(&deck, &is_new));
        self.linear.tagged(WISH + (self.wishes.must.len() + self.misses.len()) as u32);
        let sum = Rows::apart(&mut self.linear).miss(&Cond::All(conditions));
        let task = self.task(Objective::Sum(&sum), &kept, &[]);
        let solved = self.spend(u64::MAX, |effort| task.minimise(&|tag| self.counts(tag), effort));
        self.stopped.set(self.stopped.get() || !solved.is_proven());
        self.take(solved.best.as_ref(), choice);
    }

    /// Keeps what is in the sections that were begun, and the size of the new ones.
    fn pins(&self, deck: &Decklist, is_new: &[bool]) -> Vec<UpperBound> {
        let mut pins = Vec::new();
        for (section, is_new) in (0..).zip(is_new) {
            let copies = |card| self.linear.copies(card, usize::from(section));
            let (mut others, mut total) = (Vec::new(), 0);
            for card in deck.pool().ids() {
                let held = deck.copies(section, card);
                if *is_new || held == 0 {
                    others.push((copies(card), 1));
                    total += held;
                } else {
                    pins.push((vec![(copies(card), 1)], held));
                    pins.push((vec![(copies(card), -1)], -held));
                }
            }
            pins.push((others, total));
        }
        pins
    }
}
