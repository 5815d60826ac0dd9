//! What each change of a deck is for, against undoing each change by itself.

use super::{world, worlds};
use decklaw::resolve::{Change, Decklist};
use decklaw::rules::Severity;
use decklaw::solve::{Repair, Wishes, reasons, repair};
use std::collections::BTreeSet;

fn broken(deck: &Decklist) -> BTreeSet<usize> {
    let judged = deck.judge();
    let rulebook = deck.rulebook();
    let is_error = |found: &&decklaw::rules::Judgement| rulebook.severity(found) == Severity::Error;
    judged.iter().filter(is_error).map(|found| found.rule).collect()
}

/// The rules that would be broken without some of the changes: those that were broken before, if
/// there are any.
fn undone(after: &Decklist, changes: &[&Change], first: &BTreeSet<usize>) -> BTreeSet<usize> {
    let mut without = after.clone();
    for change in changes {
        without.set(change.section, change.card, change.from);
    }
    let all = broken(&without);
    if all.is_disjoint(first) { all } else { &all & first }
}

/// The same for one change after the other; two that replace each other are undone together.
fn slowly(before: &Decklist, after: &Decklist) -> Vec<BTreeSet<usize>> {
    let changes = before.changes_to(after);
    let first = broken(before);
    let alone = changes.iter().map(|change| undone(after, &[change], &first));
    let mut rules: Vec<BTreeSet<usize>> = alone.collect();
    let follows = |rules: &BTreeSet<usize>| !first.is_empty() && rules.is_disjoint(&first);
    let followers: Vec<usize> = (0..changes.len()).filter(|at| follows(&rules[*at])).collect();
    for (nth, one) in followers.iter().enumerate() {
        for other in &followers[nth + 1..] {
            let (a, b) = (&changes[*one], &changes[*other]);
            if a.section == b.section && (a.to > a.from) != (b.to > b.from) {
                let both = undone(after, &[a, b], &first);
                for at in [*one, *other] {
                    if !both.is_disjoint(&first) && follows(&rules[at]) {
                        rules[at].clone_from(&both);
                    }
                }
            }
        }
    }
    rules
}

#[test]
fn reasons_are_those_of_each_change_undone_by_itself() {
    let mut serving = 0;
    for seed in 0..worlds() {
        let (world, mut random) = world(seed);
        let rulebook = world.rulebook();
        for number in 0..8 {
            let before = world.list(&rulebook, &world.garbage(&mut random));
            let after = match repair(&before, &Wishes::default()) {
                Repair::Found(found) if number < 4 => found.deck,
                _ => world.list(&rulebook, &world.garbage(&mut random)),
            };
            let given = reasons(&before, &after, &Wishes::default());
            let slow = slowly(&before, &after);
            assert_eq!(given.len(), slow.len(), "seed {seed}");
            for ((change, rules), slow) in given.iter().zip(slow) {
                let ids: BTreeSet<&String> =
                    slow.iter().map(|rule| &rulebook.rules()[*rule].id).collect();
                serving += usize::from(!ids.is_empty());
                let why = || {
                    format!(
                        "seed {seed}, {change:?}\n{}\n{:?}\n{:?}",
                        world.why(),
                        before.listing(),
                        after.listing()
                    )
                };
                assert_eq!(rules.iter().collect::<BTreeSet<_>>(), ids, "{}", why());
            }
        }
    }
    assert!(serving > 1000, "{serving}");
}
