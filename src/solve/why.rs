//! Why: the demands that make a repair impossible, and what each change of one is for.

use super::repair::Wishes;
use super::{Change, Decklist};
use crate::report::Verdict;
use crate::rules::Severity;

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
        let wishes = self
            .wishes
            .iter()
            .map(|wish| wishes.must[*wish].text().to_owned());
        rules.chain(wishes).collect()
    }
}

/// Why each of the changes from one deck to another is needed: the rules, by index, and the
/// wishes that would not hold without it. Rules that the deck broke before come first.
pub fn reasons(before: &Decklist, after: &Decklist, wishes: &Wishes) -> Vec<(Change, Vec<String>)> {
    let rulebook = before.rulebook();
    let broken = |deck: &Decklist| -> Vec<usize> {
        let judged = deck.judge();
        let errors = judged
            .iter()
            .filter(|found| rulebook.severity(found) == Severity::Error);
        let mut rules: Vec<usize> = errors.map(|found| found.rule).collect();
        rules.sort_unstable();
        rules.dedup();
        rules
    };
    let first = broken(before);
    let was_legal = before.verdict(&before.judge()) == Verdict::Legal;
    before
        .changes_to(after)
        .into_iter()
        .map(|change| {
            let mut without = after.clone();
            without.set(change.section, change.card, change.from);
            let mut rules = broken(&without);
            rules.sort_by_key(|rule| (!first.contains(rule), *rule));
            if !was_legal && rules.iter().any(|rule| first.contains(rule)) {
                rules.retain(|rule| first.contains(rule));
            }
            let wishes = wishes
                .must
                .iter()
                .filter(|wish| !wish.holds(before, &without))
                .map(|wish| wish.text().to_owned());
            let mut names: Vec<String> = rules
                .iter()
                .map(|rule| rulebook.rules()[*rule].id.clone())
                .chain(wishes)
                .collect();
            names.dedup();
            (change, names)
        })
        .collect()
}
