//! Of decks that are equally near, the one that a player would choose; and what may stand in for
//! a card that must go.

use super::problem::{Kept, Problem};
use super::reduce::{Cap, Objective, Task};
use super::repair::Found;
use super::search::Outcome;
use super::taste::Taste;
use decklaw_core::pool::CardId;
use decklaw_core::resolve::{Change, Decklist};
use decklaw_core::rules::Holding;

/// More than a copy of any card costs.
const DEAREST: i64 = COMES + UNLIKE + NEW + 1;
/// Where more copies change, the cards are not counted: nearly all of the deck is new.
const MOST_COUNTED: i64 = 24;
/// No card is less like another than this.
const UNLIKE: i64 = 58;
/// No card costs more to take out than one with so many copies.
const WHOLE: i64 = 20;
/// What any copy costs that comes: more than one that goes, since a player may lack what would
/// come, and a card that raises a limit mends no deck that is over it.
const COMES: i64 = WHOLE + 1;
/// What a card costs beyond its unlikeness that the deck does not have yet.
const NEW: i64 = 2;
/// Incoming cards are compared with so many of those that left.
const COMPARED: usize = 24;

impl Problem<'_> {
    /// Takes the deck at the same distance that leaves alone what the maker says, changes the fewest
    /// cards, takes out those of which there are fewest copies, and puts in those most like them.
    pub(super) fn like(&self, found: &mut Found, taste: &Taste) {
        let besides = self.besides(found);
        let sections = self.linear.sections().max(1);
        let ids = self.deck.sections();
        let heads = self.deck.rulebook().heads();
        let is_left = |(at, id): (usize, &String)| match &taste.alone {
            Some(alone) => alone.iter().any(|alone| alone.value == *id),
            None => heads.has(at),
        };
        let alone: Vec<bool> = ids.iter().enumerate().map(is_left).collect();
        let of = |at: usize| (CardId((at / sections) as u32), at % sections);
        let is_alone = |at: usize| alone.get(of(at).1).copied().unwrap_or(false);
        // Each costs more than all of the next: a copy in a section left alone, one that comes to a
        // section that the deck does not use, a card, and a copy of it.
        let copies = (found.distance - self.gone).max(1);
        let touch = if copies > MOST_COUNTED {
            0
        } else {
            DEAREST * copies
        };
        let opened = (touch + DEAREST) * copies;
        let left_alone = (opened + touch + DEAREST) * copies;
        let places = self.linear.copy_unknowns();
        let out: Vec<i64> = (0..places)
            .map(|at| match is_alone(at) {
                true => left_alone,
                false => self.old[at].clamp(1, WHOLE),
            })
            .collect();
        let mut used = vec![false; sections];
        for held in self.deck.holdings() {
            used[usize::from(held.section)] = true;
        }
        let opens = |at: usize| used.contains(&true) && !used[of(at).1];
        let calm: Vec<i64> = (0..places)
            .map(|at| match is_alone(at) {
                true => left_alone,
                false if opens(at) => COMES + opened,
                false => COMES,
            })
            .collect();
        self.choose(found, (&out, &calm, touch), &besides);
        let changes = self.deck.changes_to(&found.deck);
        if changes.iter().all(|change| change.to < change.from) {
            return;
        }
        // What goes is settled; what comes in is like it.
        let mut settled = besides;
        for held in self
            .deck
            .holdings()
            .filter(|held| self.deck.knows(held.card))
        {
            let unknown = self.linear.copies(held.card, usize::from(held.section));
            let after = found.deck.copies(held.section, held.card);
            settled.push((vec![(unknown, -1)], -held.copies.min(after)));
            if after < held.copies {
                settled.push((vec![(unknown, 1)], after));
            }
        }
        let models: Vec<Vec<CardId>> = (0..sections)
            .map(|section| self.models(&changes, section))
            .collect();
        let held: std::collections::BTreeSet<CardId> =
            self.deck.holdings().map(|held| held.card).collect();
        let pool = self.deck.pool();
        let into: Vec<i64> = (0..places)
            .map(|at| {
                let (card, section) = of(at);
                if !self.deck.knows(card) {
                    return calm[at];
                }
                let unlike = models[section]
                    .iter()
                    .map(|model| taste.unlike(pool, card, *model));
                let new = if held.contains(&card) { 0 } else { NEW };
                calm[at] + unlike.min().unwrap_or(0).min(UNLIKE) + new
            })
            .collect();
        self.choose(found, (&out, &into, touch), &settled);
    }

    /// The cards that what comes into a section should be like: those that left it, or left
    /// the deck, or else those that are there.
    fn models(&self, changes: &[Change], section: usize) -> Vec<CardId> {
        let pick = |here: bool, left: bool| -> Vec<CardId> {
            let held = self
                .deck
                .holdings()
                .filter(|held| self.deck.knows(held.card));
            let inside = held.filter(|held| !here || usize::from(held.section) == section);
            let gone = |held: &Holding| {
                changes.iter().any(|change| {
                    (change.section, change.card) == (held.section, held.card)
                        && change.to < change.from
                })
            };
            let chosen = inside.filter(|held| !left || gone(held));
            chosen.map(|held| held.card).take(COMPARED).collect()
        };
        let picked = [(true, true), (false, true), (true, false)].into_iter();
        let mut picked = picked.map(|(here, left)| pick(here, left));
        picked.find(|cards| !cards.is_empty()).unwrap_or_default()
    }

    /// Takes the deck at the same distance for which what goes, what comes and the cards that change
    /// cost least.
    fn choose(
        &self,
        found: &mut Found,
        (out, into, touch): (&[i64], &[i64], i64),
        besides: &[Kept],
    ) {
        let most = found.distance - self.gone;
        let objective = Objective::Liking {
            out,
            into,
            touch,
            most,
        };
        let task = Task {
            cap: Cap::Near(found.distance),
            exchanges: Some(most),
            ..self.task(objective, besides, &[])
        };
        let outcome = self.spend(self.share(), |effort| {
            let mut reduced = task.reduce(&|tag| self.counts(tag), &mut false, effort)?;
            let outcome = reduced.search(None, effort);
            Some((reduced, outcome))
        });
        let Some((reduced, outcome)) = outcome else {
            return;
        };
        self.stopped
            .set(self.stopped.get() || matches!(outcome, Outcome::Limited(..)));
        let (Outcome::Smallest(values) | Outcome::Limited(Some(values), _)) = outcome else {
            return;
        };
        let after = self.decklist(&reduced.expand(&values));
        if self.is_right(&after, found.distance) {
            found.deck = after;
        }
    }
}

/// What may stand in for copies of a card that the banlist takes out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Substitute {
    /// Index of the section.
    pub section: u16,
    /// The card that goes.
    pub card: CardId,
    /// How many copies of it go.
    pub copies: i64,
    /// The cards that may come instead, the likest first, and in what each differs.
    pub instead: Vec<(CardId, Vec<String>)>,
}

/// For each card of the banlist that a repair takes out, the likest cards that may come instead
/// and leave the deck legal; none where nothing tells how alike cards are.
pub fn substitutes(before: &Decklist, after: &Decklist, taste: &Taste) -> Vec<Substitute> {
    /// So many are shown of each, and so many are tried.
    const SHOWN: usize = 3;
    const TRIED: usize = 200;
    let list = before.rulebook().list();
    let Some(list) = list.filter(|_| !taste.like.is_empty()) else {
        return Vec::new();
    };
    let pool = before.pool();
    let listed: std::collections::BTreeSet<CardId> = list
        .entries
        .iter()
        .filter_map(|entry| pool.find(&entry.name))
        .collect();
    let changes = before.changes_to(after);
    let is_out = |change: &&Change| change.to < change.from && listed.contains(&change.card);
    let mut found = Vec::new();
    for gone in changes.iter().filter(is_out) {
        let copies = gone.from - gone.to;
        // The repair without what came into that place.
        let mut base = after.clone();
        let mut left = copies;
        for came in &changes {
            if came.section == gone.section && came.to > came.from {
                let taken = left.min(came.to - came.from);
                base.add(came.section, came.card, -taken);
                left -= taken;
            }
        }
        let mut likest: Vec<(i64, CardId)> = pool
            .ids()
            .filter(|card| *card != gone.card && !listed.contains(card))
            .filter(|card| {
                !before.rulebook().refuses(&Holding {
                    card: *card,
                    section: gone.section,
                    copies: 1,
                })
            })
            .map(|card| (taste.unlike(pool, gone.card, card), card))
            .collect();
        likest.sort_unstable();
        let mut instead = Vec::new();
        for (_, card) in likest.into_iter().take(TRIED) {
            let mut tried = base.clone();
            tried.add(gone.section, card, copies);
            if tried.is_legal() {
                instead.push((card, taste.differences(pool, gone.card, card)));
            }
            if instead.len() == SHOWN {
                break;
            }
        }
        found.push(Substitute {
            section: gone.section,
            card: gone.card,
            copies,
            instead,
        });
    }
    found
}
