//! The choice among decks that are equally near, as a player would make it.

use super::levels::{Choice, Costs};
use super::problem::Problem;
use super::taste::Taste;
use decklaw_cards::pool::CardId;
use decklaw_judge::resolve::Change;
use decklaw_rules::rules::Holding;
use rustc_hash::FxHashSet;
use std::collections::BTreeSet;

/// More than a copy of any card costs.
const DEAREST: i64 = COMES + UNLIKE + NEW + 1;
/// Where more copies change, the cards are not counted: nearly all of the deck is new.
const MOST_COUNTED: i64 = 24;
/// No card is less like another than this.
const UNLIKE: i64 = 58;
/// No card costs more to take out than one with this many copies.
pub(super) const WHOLE: i64 = 20;
/// The cost of any copy that comes: more than one that goes, since a player may lack what would
/// come, and a card that raises a limit repairs no deck that is over it.
const COMES: i64 = WHOLE + 1;
/// The cost of a card that the deck does not have yet, beyond its unlikeness.
const NEW: i64 = 2;
/// The cards that left with which those that come are compared.
const COMPARED: usize = 24;

impl Problem<'_> {
    /// The card and the section of an unknown.
    fn place(&self, at: usize) -> (CardId, usize) {
        let sections = self.linear.sections().max(1);
        (CardId((at / sections) as u32), at % sections)
    }

    /// What changes cost at a distance. Each costs more than all of the next: a copy in a section
    /// left alone, one that is added to a section that the deck does not use, a card, a copy of it.
    fn costs(&self, distance: i64, taste: &Taste) -> Costs {
        let ids = self.deck.sections();
        let heads = self.deck.rulebook().identity_sections();
        let is_left = |(at, id): (usize, &String)| match &taste.alone {
            Some(alone) => alone.iter().any(|alone| alone.value == *id),
            None => heads.has(at),
        };
        let alone: Vec<bool> = ids.iter().enumerate().map(is_left).collect();
        let mut used = vec![false; ids.len()];
        for held in self.deck.holdings() {
            used[usize::from(held.section)] = true;
        }
        let is_empty = !used.contains(&true);
        let copies = (distance - self.gone).max(1);
        let card = if copies > MOST_COUNTED { 0 } else { DEAREST * copies };
        let opened = (card + DEAREST) * copies;
        let left_alone = (opened + card + DEAREST) * copies;
        let cost = |at: usize, own: i64, opened: i64| {
            let section = self.place(at).1;
            if alone.get(section) == Some(&true) {
                left_alone
            } else if is_empty || used.get(section) == Some(&true) {
                own
            } else {
                own + opened
            }
        };
        let old = self.old.iter().enumerate();
        Costs {
            out: old.map(|(at, old)| cost(at, *old.clamp(&1, &WHOLE), 0)).collect(),
            into: (0..self.old.len()).map(|at| cost(at, COMES, opened)).collect(),
            card,
        }
    }

    /// Takes the deck that leaves alone the sections that the maker names, changes the fewest
    /// cards, and takes out those with the fewest copies. Later choices may not change which cards
    /// go.
    pub(super) fn choose_leaving(&self, choice: &mut Choice, taste: &Taste) {
        if choice.distance() == 0 {
            return;
        }
        self.take_cheapest(&self.costs(choice.distance(), taste), choice);
        let Choice { deck: Some(deck), kept, .. } = choice else {
            return;
        };
        let known = |held: &Holding| self.deck.knows(held.card);
        for held in self.deck.holdings().filter(known) {
            let unknown = self.linear.copies(held.card, usize::from(held.section));
            let after = deck.copies(held.section, held.card);
            kept.push((vec![(unknown, -1)], -held.copies.min(after)));
            if after < held.copies {
                kept.push((vec![(unknown, 1)], after));
            }
        }
    }

    /// Takes the deck whose incoming cards are most like those that left.
    pub(super) fn choose_coming(&self, choice: &mut Choice, taste: &Taste) {
        let changes = choice.deck.as_ref().map(|deck| self.deck.changes_to(deck));
        let changes = changes.unwrap_or_default();
        if changes.iter().all(|change| change.to < change.from) {
            return;
        }
        let sections = 0..self.linear.sections().max(1);
        let models: Vec<Vec<CardId>> =
            sections.map(|section| self.models(&changes, section)).collect();
        let held: BTreeSet<CardId> = self.deck.holdings().map(|held| held.card).collect();
        let pool = self.deck.pool();
        let mut costs = self.costs(choice.distance(), taste);
        for (at, cost) in costs.into.iter_mut().enumerate() {
            let (card, section) = self.place(at);
            if self.deck.knows(card) {
                let models = models[section].iter();
                let unlike = models.map(|model| taste.unlike(pool, card, *model));
                let new = if held.contains(&card) { 0 } else { NEW };
                *cost += unlike.min().unwrap_or(0).min(UNLIKE) + new;
            }
        }
        self.take_cheapest(&costs, choice);
    }

    /// The cards that what comes into a section should be like: those that left it, or left
    /// the deck, or else those that are there.
    fn models(&self, changes: &[Change], section: usize) -> Vec<CardId> {
        let leaving = changes.iter().filter(|change| change.to < change.from);
        let gone: FxHashSet<(u16, CardId)> =
            leaving.map(|change| (change.section, change.card)).collect();
        let pick = |here: bool, left: bool| -> Vec<CardId> {
            let held = self.deck.holdings().filter(|held| self.deck.knows(held.card));
            let inside = held.filter(|held| !here || usize::from(held.section) == section);
            let chosen = inside.filter(|held| !left || gone.contains(&(held.section, held.card)));
            chosen.map(|held| held.card).take(COMPARED).collect()
        };
        let picked = [(true, true), (false, true), (true, false)].into_iter();
        let mut picked = picked.map(|(here, left)| pick(here, left));
        picked.find(|cards| !cards.is_empty()).unwrap_or_default()
    }
}
