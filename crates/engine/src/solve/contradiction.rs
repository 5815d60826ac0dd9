//! Demands that no deck can keep together, whatever it declares.

use super::problem::Problem;
use super::repair::Wishes;
use super::{Conflict, Decklist};
use decklaw_core::deck::Choices;
use decklaw_core::rules::{Rule, Severity};

/// So often at most it is asked whether some demands can be kept together, once all ways to
/// declare choices were tried.
const MOST_ASKED: usize = 256;

/// A demand: decks that declare something else have other rules, so these go by their place in the
/// game's file, and those of lists by name.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Demand {
    Rule(usize, String, String),
    Wish(usize),
}

impl Demand {
    fn of(rule: &Rule) -> Demand {
        Demand::Rule(rule.place, rule.id.clone(), rule.about.clone())
    }
}

/// Demands that no deck can keep together, in all ways to declare choices that were asked.
#[derive(Debug, Default)]
pub(super) struct Contradiction {
    demands: Vec<Demand>,
    irreducible: bool,
    /// The ways in which they cannot be kept, the one first that was asked last and needed most.
    ways: Vec<Choices>,
}

impl Contradiction {
    /// Those of one way.
    pub(super) fn add(&mut self, deck: &Decklist, conflict: &Conflict) {
        let rules = deck.rulebook().rules();
        let named = conflict.rules.iter().map(|rule| Demand::of(&rules[*rule]));
        let wishes = conflict.wishes.iter().map(|wish| Demand::Wish(*wish));
        for demand in named.chain(wishes) {
            if !self.demands.contains(&demand) {
                self.demands.push(demand);
            }
        }
        self.irreducible = conflict.irreducible;
        self.ways.insert(0, deck.choices().clone());
    }

    /// Whether any way was asked.
    pub(super) fn is_any(&self) -> bool {
        !self.ways.is_empty()
    }

    /// Whether a deck cannot keep them, either: then this is one way more.
    pub(super) fn refuses(&mut self, deck: &Decklist, wishes: &Wishes) -> bool {
        let refused = self.is_any() && is_refused(deck, wishes, &self.demands) == Some(true);
        if refused {
            self.ways.push(deck.choices().clone());
        }
        refused
    }

    /// As few of them as can be, told of the way that declares most.
    pub(super) fn reduced(mut self, deck: &Decklist, wishes: &Wishes) -> Conflict {
        let mut asked = 0;
        if self.ways.len() > 1 {
            // Each demand is left out in turn below.
            self.irreducible = true;
        }
        // Rules are left out before wishes.
        let is_wish = |demand: &Demand| matches!(demand, Demand::Wish(_));
        let mut order = self.demands.clone();
        order.sort_by_key(is_wish);
        for demand in order {
            if self.ways.len() == 1 {
                break;
            }
            let mut rest = self.demands.clone();
            rest.retain(|other| *other != demand);
            let mut possible = None;
            for (at, way) in self.ways.iter().enumerate() {
                asked += 1;
                if asked > MOST_ASKED {
                    self.irreducible = false;
                    possible = Some(at);
                    break;
                }
                let refused = is_refused(&deck.choosing(way), wishes, &rest);
                if refused != Some(true) {
                    // What was not found out may be needless.
                    self.irreducible &= refused.is_some();
                    possible = Some(at);
                    break;
                }
            }
            match possible {
                // The way that needs it is likely to need others.
                Some(at) => self.ways[..=at].rotate_right(1),
                None => self.demands = rest,
            }
        }
        self.conflict(deck)
    }

    fn conflict(mut self, deck: &Decklist) -> Conflict {
        self.ways.sort_by_key(|way| std::cmp::Reverse(way.len()));
        let mut ways = self.ways.into_iter();
        let face = deck.choosing(&ways.next().unwrap_or_default());
        let mut conflict = Conflict {
            choices: face.choices().clone(),
            declared: Vec::new(),
            rules: Vec::new(),
            elsewhere: Vec::new(),
            wishes: Vec::new(),
            irreducible: self.irreducible,
        };
        let mut left = self.demands;
        left.retain(|demand| match demand {
            Demand::Wish(wish) => {
                conflict.wishes.push(*wish);
                false
            }
            Demand::Rule(..) => true,
        });
        conflict.rules = take(&mut left, &face);
        for way in ways {
            if left.is_empty() {
                break;
            }
            let other = deck.choosing(&way);
            let here = take(&mut left, &other).into_iter();
            conflict
                .elsewhere
                .extend(here.map(|rule| (way.clone(), rule)));
        }
        conflict.wishes.sort_unstable();
        conflict
    }
}

/// Takes the rules out that a deck's rulebook has, and says where they stand there.
fn take(left: &mut Vec<Demand>, deck: &Decklist) -> Vec<usize> {
    let rules = deck.rulebook().rules();
    let errors = rules.iter().enumerate();
    let errors = errors.filter(|(_, rule)| rule.severity == Severity::Error);
    let named: Vec<(usize, Demand)> = errors.map(|(at, rule)| (at, Demand::of(rule))).collect();
    let mut found: Vec<usize> = Vec::new();
    left.retain(|demand| {
        let own = named.iter().filter(|(_, own)| own == demand);
        let before = found.len();
        found.extend(own.map(|(at, _)| *at));
        before == found.len()
    });
    found.sort_unstable();
    found
}

/// Whether a deck cannot keep some demands together; `None`: the work limit was reached.
fn is_refused(deck: &Decklist, wishes: &Wishes, demands: &[Demand]) -> Option<bool> {
    let must = wishes.must.iter().enumerate();
    let must = must.filter(|(at, _)| demands.contains(&Demand::Wish(*at)));
    let asked = Wishes {
        must: must.map(|(_, wish)| wish.clone()).collect(),
        effort: wishes.effort,
        seed: wishes.seed.clone(),
        ..Wishes::default()
    };
    let contents = deck.contents();
    let problem = Problem::of(deck, &contents, &asked, |rule| {
        rule.counts(false) && demands.contains(&Demand::of(rule))
    });
    problem.is_possible(&|_| true).map(|possible| !possible)
}
