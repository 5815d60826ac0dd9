//! Repair: the legal deck nearest to a given one, with proof, or the demands that make it
//! impossible.

use super::problem::Problem;
use super::program::Program;
use super::reduce::Objective;
use super::{Advice, Decklist, Floor, Repair, SolvedDeck, Wishes};

/// Finds the legal deck nearest to a given one that satisfies the wishes.
///
/// Cards that the pool does not know must go, unless a setting lets them pass: then they
/// stay as they are. Among decks that are equally near, the one that the search meets first
/// is taken: its order is fixed by the rules and by folded names, alike cards being taken in
/// the order of their folded names, as many copies of each as go; or, where the deck is to be
/// shaped, as a seed shuffles them. The same deck, rules and effort always give the same answer.
pub fn repair(deck: &Decklist, wishes: &Wishes) -> Repair {
    repair_within(deck, wishes, &mut wishes.effort.clone())
}

/// The same in the steps that are left.
pub(super) fn repair_within(deck: &Decklist, wishes: &Wishes, left: &mut u64) -> Repair {
    let mut repaired = exact_repair(deck, wishes, left);
    if let Repair::Unknown = repaired {
        /// The least steps of the local search: a repair that is near is found whatever the effort.
        const NEAR: u64 = 15_000;
        let mut own = wishes.saved(*left).max(NEAR);
        let found = super::local::local_search(deck, wishes, &mut own);
        *left = own.min(*left);
        repaired = found.map_or(Repair::Unknown, |found| Repair::Found(Box::new(found)));
    }
    if let Repair::Found(found) = &mut repaired
        && found.distance > 0
        && wishes.prefer.is_empty()
        && wishes.aims.is_empty()
    {
        // The deck as it is was not right.
        found.floor = found.floor.max(Floor::ONE);
    }
    repaired
}

/// The same, by the exact search alone.
pub(super) fn exact_repair(deck: &Decklist, wishes: &Wishes, left: &mut u64) -> Repair {
    let unranked = wishes.prefer.is_empty() && wishes.aims.is_empty();
    if deck.is_legal()
        && unranked
        && wishes.advice != Advice::First
        && wishes.must.iter().all(|wish| wish.holds(deck, deck))
    {
        return Repair::Found(Box::new(SolvedDeck {
            deck: deck.clone(),
            distance: 0,
            floor: Floor::ZERO,
            settled: true,
            missed: Vec::new(),
            aims: Vec::new(),
        }));
    }
    let contents = deck.contents();
    let advice = wishes.advice != Advice::Ignored;
    let mut problem = Problem::new(deck, &contents, wishes, advice);
    problem.effort.set(*left);
    let solved = problem.lexicographic(&wishes.levels());
    *left = problem.effort.get();
    if matches!(solved, Repair::Unknown) && !wishes.aims.is_empty() {
        *left = wishes.saved(*left);
        return without_aims(deck, wishes, left);
    }
    solved
}

/// A deck made without aims, where the work ended too early for one that was: it is what
/// was asked for, and how far it is from each aim is said.
fn without_aims(deck: &Decklist, wishes: &Wishes, left: &mut u64) -> Repair {
    let plain = Wishes { aims: Vec::new(), ..wishes.clone() };
    let mut solved = exact_repair(deck, &plain, left);
    if let Repair::Found(found) = &mut solved {
        let missed = wishes.aims.iter().map(|aim| aim.missed(&found.deck));
        found.aims = missed.collect();
        found.floor = Floor::UNKNOWN;
    }
    solved
}

/// The program that a repair solves first: for measuring, and for other solvers to try.
pub fn program(deck: &Decklist) -> Option<Program> {
    let contents = deck.contents();
    let wishes = Wishes::default();
    let problem = Problem::new(deck, &contents, &wishes, false);
    let reduced = problem.task(Objective::Distance, &[], &[]).reduce(&|_| true, &mut false, &mut 0);
    reduced.map(|reduced| reduced.program)
}
