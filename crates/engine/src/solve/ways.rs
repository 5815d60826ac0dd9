//! The nearest ways to mend a deck, one after the other.
//!
//! A way is *minimal*: no legal deck that satisfies the wishes lies between the deck and it, that
//! is, changes the same copies, none of them more and at least one of them less. What
//! is not found yet changes, for each way that is found, at least one of its copies less than that
//! way does; so every way that is found splits what is left into parts that do not meet, and each
//! part has a nearest deck of its own (Lawler's method for the k best solutions).

use super::repair::{Found, exact_repair};
use super::{Decklist, Floor, Repair, Wish, Wishes};
use decklaw_core::resolve::Change;

/// The ways that were found.
#[derive(Debug, Clone)]
pub struct Ways {
    /// The nearest first. Each but the first is [optimal](Found::optimal()) where no minimal way
    /// that is not listed before it is nearer; proven.
    pub found: Vec<Found>,
    /// Whether there is no other minimal way; proven. Never where as many were found as asked for.
    pub complete: bool,
}

/// A part of what is left: what is asked of it, the nearest deck in it, and what nothing in it is
/// below.
struct Part {
    asked: Wishes,
    nearest: Found,
}

/// The `count` nearest minimal ways to mend a deck, of which the `first` is known.
pub fn ways(deck: &Decklist, wishes: &Wishes, first: Found, count: usize) -> Ways {
    /// So many parts are looked at for each way at most.
    const MOST_PARTS: usize = 64;
    let mut left = MOST_PARTS.saturating_mul(count);
    let mut parts = vec![Part {
        asked: wishes.clone(),
        nearest: first,
    }];
    let mut ways = Ways {
        found: Vec::new(),
        complete: true,
    };
    // What no deck is below in what was given up.
    let mut given_up: Option<Floor> = None;
    while ways.found.len() < count {
        let nearest = (0..parts.len()).min_by_key(|at| (parts[*at].nearest.distance, *at));
        let Some(nearest) = nearest else { break };
        let Part { asked, mut nearest } = parts.remove(nearest);
        let known = ways
            .found
            .iter()
            .find(|known| reaches(deck, known, &nearest));
        let split = known.unwrap_or(&nearest).clone();
        if known.is_none() {
            let open = parts.iter().map(|part| part.nearest.floor);
            let open = open.chain(given_up).min();
            nearest.floor = open.map_or(nearest.floor, |open| nearest.floor.min(open));
            ways.found.push(nearest.clone());
            if ways.found.len() == count {
                ways.complete = false;
                break;
            }
        }
        for asked in less_than(deck, &split, &asked) {
            if left == 0 {
                given_up = Some(given_up.unwrap_or(nearest.floor).min(nearest.floor));
                continue;
            }
            left -= 1;
            match exact_repair(deck, &asked) {
                Repair::Found(found) => parts.push(Part {
                    asked,
                    nearest: *found,
                }),
                Repair::Impossible(_) => {}
                Repair::Unknown => {
                    given_up = Some(given_up.unwrap_or(nearest.floor).min(nearest.floor));
                }
            }
        }
    }
    ways.complete &= given_up.is_none();
    ways
}

/// Whether a way lies between a deck and another, or is the other itself.
fn reaches(deck: &Decklist, way: &Found, other: &Found) -> bool {
    let changes = deck.changes_to(&way.deck);
    changes.iter().all(|change| {
        let after = other.deck.copies(change.section, change.card);
        match change.to < change.from {
            true => after <= change.to,
            false => after >= change.to,
        }
    })
}

/// What splits whatever changes something less than a way does: the first change less; the first
/// as much and the second less; and so on.
fn less_than(deck: &Decklist, way: &Found, asked: &Wishes) -> Vec<Wishes> {
    let mut parts = Vec::new();
    let mut so_far = asked.clone();
    let changes = deck.changes_to(&way.deck);
    for change in changes.iter().filter(|change| deck.knows(change.card)) {
        let mut less = so_far.clone();
        less.must.push(changed(deck, change, false));
        parts.push(less);
        so_far.must.push(changed(deck, change, true));
    }
    parts
}

/// That copies change as much as they do, or more; or that they change less.
fn changed(deck: &Decklist, change: &Change, as_much: bool) -> Wish {
    let fewer = change.to < change.from;
    let (low, high) = match (fewer, as_much) {
        (true, true) => (None, Some(change.to)),
        (true, false) => (Some(change.to + 1), None),
        (false, true) => (Some(change.to), None),
        (false, false) => (None, Some(change.to - 1)),
    };
    Wish::between(deck, change.section, change.card, (low, high))
}
