//! What a repair came to: a deck, or the demands that contradict each other.

use super::{Decklist, Floor, Wishes};

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

/// Demands that cannot hold together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Conflict {
    /// Indices of the rules, in the rulebook's order.
    pub rules: Vec<usize>,
    /// Indices of the wishes, in the order given.
    pub wishes: Vec<usize>,
    /// Whether it is proven that no member can be left out.
    pub irreducible: bool,
}

impl Conflict {
    /// The demands as sentences, rules before wishes.
    pub fn sentences(&self, deck: &Decklist, wishes: &Wishes) -> Vec<String> {
        let rules = self.rules.iter().map(|rule| {
            let rule = &deck.rulebook().rules()[*rule];
            format!("{}: {}", rule.id, rule.demand())
        });
        let wishes = self.wishes.iter().map(|wish| wishes.must[*wish].demand());
        rules.chain(wishes).collect()
    }
}
