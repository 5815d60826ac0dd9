//! Why: the demands that make a repair impossible, and what each change of one is for.

use super::repair::Wishes;
use super::{Change, Decklist, Wish};
use crate::rules::Severity;
use std::collections::BTreeSet;

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
            format!("{}: {}", rule.id, rule.constraint.demand())
        });
        let wishes = self.wishes.iter().map(|wish| wishes.must[*wish].demand());
        rules.chain(wishes).collect()
    }
}

/// Why each of the changes from one deck to another is needed: the rules, by id, and the
/// wishes that would not hold without it. Where rules that the deck broke before are among
/// them, the other rules are left out. Of two changes that stand for each other, such as one
/// identity card for another, either alone would break only what the other one made: both serve the
/// rules that would be broken without the two.
pub fn reasons(before: &Decklist, after: &Decklist, wishes: &Wishes) -> Vec<(Change, Vec<String>)> {
    let rulebook = before.rulebook();
    let broken = |deck: &Decklist| -> BTreeSet<usize> {
        let judged = deck.judge();
        let errors = judged
            .iter()
            .filter(|found| rulebook.severity(found) == Severity::Error);
        errors.map(|found| found.rule).collect()
    };
    let first = broken(before);
    let changes = before.changes_to(after);
    let without = |undone: &[&Change]| {
        let mut without = after.clone();
        for change in undone {
            without.set(change.section, change.card, change.from);
        }
        without
    };
    let mut rules: Vec<BTreeSet<usize>> = Vec::new();
    for change in &changes {
        let all = broken(&without(&[change]));
        let old: BTreeSet<usize> = all.intersection(&first).copied().collect();
        rules.push(if old.is_empty() { all } else { old });
    }
    let is_follower = |at: &usize| !first.is_empty() && rules[*at].is_disjoint(&first);
    let followers: Vec<usize> = (0..changes.len()).filter(is_follower).collect();
    for (nth, one) in followers.iter().enumerate() {
        for other in &followers[nth + 1..] {
            let (a, b) = (&changes[*one], &changes[*other]);
            if a.section != b.section || (a.to > a.from) == (b.to > b.from) {
                continue;
            }
            let all = broken(&without(&[a, b]));
            let old: BTreeSet<usize> = all.intersection(&first).copied().collect();
            for at in [*one, *other] {
                if !old.is_empty() && rules[at].is_disjoint(&first) {
                    rules[at].clone_from(&old);
                }
            }
        }
    }
    let named = |(change, rules): (Change, BTreeSet<usize>)| {
        let without = without(&[&change]);
        let wishes = wishes
            .must
            .iter()
            .filter(|wish| !wish.holds(before, &without))
            .map(Wish::demand);
        let ids = rules.iter().map(|rule| rulebook.rules()[*rule].id.clone());
        let mut names: Vec<String> = ids.chain(wishes).collect();
        names.dedup();
        (change, names)
    };
    changes.iter().cloned().zip(rules).map(named).collect()
}
