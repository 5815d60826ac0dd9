//! What each change of a deck is for, held against undoing each change by itself: cards that are
//! taken for alike must be.

use super::*;
use decklaw::resolve::Change;
use decklaw::solve::reasons;
use std::collections::BTreeSet;

fn broken(deck: &Decklist) -> BTreeSet<usize> {
    let judged = deck.judge();
    let rulebook = deck.rulebook();
    let errors = judged
        .iter()
        .filter(|found| rulebook.severity(found) == Severity::Error);
    errors.map(|found| found.rule).collect()
}

/// The rules that would be broken without some of the changes; of these those that were broken
/// before, if there are any.
fn undone(after: &Decklist, changes: &[&Change], first: &BTreeSet<usize>) -> BTreeSet<usize> {
    let mut without = after.clone();
    for change in changes {
        without.set(change.section, change.card, change.from);
    }
    let all = broken(&without);
    match all.is_disjoint(first) {
        true => all,
        false => &all & first,
    }
}

/// The same, one change after the other; two that stand for each other are undone together.
fn slowly(before: &Decklist, after: &Decklist) -> Vec<BTreeSet<usize>> {
    let changes = before.changes_to(after);
    let first = broken(before);
    let mut rules: Vec<BTreeSet<usize>> = changes
        .iter()
        .map(|change| undone(after, &[change], &first))
        .collect();
    let follows = |rules: &BTreeSet<usize>| !first.is_empty() && rules.is_disjoint(&first);
    let followers: Vec<usize> = (0..changes.len())
        .filter(|at| follows(&rules[*at]))
        .collect();
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
fn reasons_in_random_formats_are_those_of_each_change_undone_by_itself() {
    let (mut asked, mut serving) = (0, 0);
    for seed in 0..worlds() {
        let (world, rulebook, mut random) = made(seed);
        for number in 0..8 {
            let list = |deck: &Deck| {
                let mut list = Decklist::empty(Arc::clone(&rulebook));
                for holding in holdings(&world, deck, &rulebook) {
                    list.set(holding.section, holding.card, holding.copies);
                }
                list
            };
            let before = list(&random_deck(&world, &mut random));
            let after = match repair(&before, &Wishes::default()) {
                Repair::Found(found) if number < 4 => found.deck,
                _ => list(&random_deck(&world, &mut random)),
            };
            let told = reasons(&before, &after, &Wishes::default());
            let slow = slowly(&before, &after);
            assert_eq!(told.len(), slow.len(), "seed {seed}");
            for ((change, rules), slow) in told.iter().zip(slow) {
                let ids = slow.iter().map(|rule| &before.rulebook().rules()[*rule].id);
                let ids: BTreeSet<&String> = ids.collect();
                asked += 1;
                serving += usize::from(!ids.is_empty());
                assert_eq!(
                    rules.iter().collect::<BTreeSet<_>>(),
                    ids,
                    "seed {seed}, {} {change:?}\n{}\n{}\n{:?} {:?}",
                    before.name(change.card),
                    world.format(),
                    world.csv(),
                    before.holdings().collect::<Vec<_>>(),
                    after.holdings().collect::<Vec<_>>()
                );
            }
        }
    }
    eprintln!("{asked} changes, {serving} with reasons");
    assert!(serving > 1000, "{serving}");
}
