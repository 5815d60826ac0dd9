//! Repair: the legal deck nearest to a given one, with proof, or the demands that make it
//! impossible.

use super::problem::Problem;
use super::program::Program;
use super::reduce::Objective;
use super::taste::Taste;
use super::{Conflict, Decklist, Floor, Wish};
use std::sync::Arc;

/// The steps that are a second of work on a machine of 2024: what a person gives in seconds is
/// counted in steps, so that the same call has the same answer on every machine.
pub const STEPS_A_SECOND: u64 = 50_000;

/// The steps that a repair may take when nothing else is said: two seconds of work.
pub const DEFAULT_EFFORT: u64 = 2 * STEPS_A_SECOND;

/// The demands on a deck beyond the rules.
#[derive(Debug, Clone)]
pub struct Wishes {
    /// What must hold.
    pub must: Vec<Wish>,
    /// What should hold as far as can be, the first before the second, and so on.
    pub prefer: Vec<Wish>,
    /// The steps that may be taken.
    pub effort: u64,
    /// Which of alike cards come first: by folded name, or shuffled by this text. Those of a shaped
    /// deck are always shuffled.
    pub seed: Option<String>,
    /// What the format's advice counts for.
    pub advice: Advice,
    /// Whether the sections that were empty get the shape of a deck that players build, as far as
    /// the distance allows: kinds and numbers of cards in proportion, playsets of some and single
    /// copies of others.
    pub shaped: bool,
    /// What a deck should hold after all that is preferred and the format's advice.
    pub aims: Vec<Wish>,
    /// What chooses among decks that are equally near.
    pub taste: Option<Arc<Taste>>,
}

/// What the rules that are only advice count for; what can be followed is followed, rule by
/// rule in the format's order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Advice {
    /// Nothing.
    #[default]
    Ignored,
    /// It chooses among decks at the same distance.
    AtNoCost,
    /// It comes after what is preferred, and before the distance.
    First,
}

impl Default for Wishes {
    fn default() -> Wishes {
        Wishes {
            must: Vec::new(),
            prefer: Vec::new(),
            effort: DEFAULT_EFFORT,
            seed: None,
            advice: Advice::Ignored,
            shaped: false,
            aims: Vec::new(),
            taste: None,
        }
    }
}

impl Wishes {
    /// The steps for what comes after a search that left some: a quarter of all at least.
    pub(super) fn saved(&self, left: u64) -> u64 {
        left.max(self.effort / 4)
    }
}

/// What a repair came to.
#[derive(Debug, Clone)]
pub enum Repair {
    /// A legal deck.
    Found(Box<SolvedDeck>),
    /// There is none: these demands contradict each other.
    Impossible(Conflict),
    /// The work limit was reached before any was found.
    Unknown,
}

/// A legal deck that satisfies the wishes.
#[derive(Debug, Clone)]
pub struct SolvedDeck {
    /// The deck.
    pub deck: Decklist,
    /// Copies that change: the sum over sections and cards of |new - old|.
    pub distance: i64,
    /// What no legal deck that satisfies the wishes is nearer than.
    pub floor: Floor,
    /// Whether the choice among decks that are equally near was made among all of them.
    pub settled: bool,
    /// How far it is from each preferred wish: 0 where that holds.
    pub missed: Vec<i64>,
    /// How far it is from each aim: 0 where that holds.
    pub aims: Vec<i64>,
}

impl SolvedDeck {
    /// Whether no legal deck that satisfies the wishes is nearer, and none comes nearer to what is
    /// preferred; proven.
    pub fn optimal(&self) -> bool {
        self.floor.reaches(self.distance)
    }

    /// The distance that no such deck is below; proven.
    pub fn bound(&self) -> i64 {
        self.floor.get().min(self.distance)
    }
}

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
