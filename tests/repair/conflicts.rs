//! What is said to be impossible is, and becomes possible without any one of the demands that
//! are named. A demand is left out of the format file or the wishes, and all is asked anew.

use crate::support::Random;
use crate::worlds::{FORMATS, garbage, rulebook_with, slots};
use decklaw::format::Rulebook;
use decklaw::pool::CardId;
use decklaw::resolve::Decklist;
use decklaw::solve::{Repair, Wish, Wishes, repair};
use std::collections::BTreeSet;
use std::sync::Arc;

/// A rule's id and what it is about; a banlist's rules have no more than an id.
type Named = (String, String);

fn name(rulebook: &Rulebook, rule: usize) -> Named {
    let rule = &rulebook.rules()[rule];
    let listed = ["banned", "restricted", "points-list"].contains(&rule.id.as_str());
    let about = if listed { "" } else { rule.about.as_str() };
    (rule.id.clone(), about.to_owned())
}

/// The same deck under other rules for the same cards.
fn under(deck: &Decklist, rulebook: &Arc<Rulebook>) -> Decklist {
    let mut moved = Decklist::empty(Arc::clone(rulebook));
    for held in deck.holdings() {
        moved.set(held.section, held.card, held.copies);
    }
    moved
}

/// Wishes that some rules of every game are likely to refuse.
fn wishes(deck: &Decklist, kind: usize, random: &mut Random) -> Vec<Wish> {
    let rulebook = deck.rulebook();
    let pool = deck.pool();
    let wish = |text: &str| Wish::parse(text, rulebook).unwrap();
    let poor = |random: &mut Random| {
        let owned = pool.ids().map(|_| i64::from(random.below(4) == 0));
        Wish::own(owned.collect(), "the box")
    };
    match kind {
        0 => vec![poor(random), wish("9- []")],
        1 => vec![Wish::only("\"Card 0\"", pool).unwrap(), poor(random)],
        2 => vec![Wish::keep("", pool).unwrap(), wish("1+ [card]")],
        3 => vec![wish("1- []"), poor(random)],
        _ => vec![wish("9+ [\"Card 0\"]"), wish("3- [card]"), poor(random)],
    }
}

/// Whether any deck at most two copies away satisfies the rules and wishes.
fn any_near(deck: &Decklist, wishes: &[Wish]) -> bool {
    let slots = slots(deck);
    let fits =
        |after: &Decklist| after.is_legal() && wishes.iter().all(|wish| wish.holds(deck, after));
    let moved = |start: &Decklist, (section, card): (u16, CardId), by: i64| {
        let copies = start.copies(section, card) + by;
        (copies >= 0).then(|| {
            let mut next = start.clone();
            next.set(section, card, copies);
            next
        })
    };
    fits(deck)
        || slots.iter().enumerate().any(|(at, first)| {
            [-2, -1, 1, 2].into_iter().any(|by| {
                let Some(next) = moved(deck, *first, by) else {
                    return false;
                };
                let twice = || {
                    let pairs = slots[at + 1..].iter().take(6);
                    let pairs = pairs.flat_map(|second| [(*second, -1), (*second, 1)]);
                    let mut decks = pairs.filter_map(|(second, by)| moved(&next, second, by));
                    decks.any(|deck| fits(&deck))
                };
                fits(&next) || (by.abs() == 1 && twice())
            })
        })
}

#[test]
fn conflicts_of_rules_and_wishes_need_every_member() {
    let (mut mixed, mut rules_seen) = (0, BTreeSet::new());
    for format in FORMATS {
        for seed in 0..12_u64 {
            let world = |counts: &dyn Fn(&str, &str) -> bool| {
                rulebook_with(format, &mut Random::new(seed * 977 + 5), counts)
            };
            let rulebook = world(&|_, _| true);
            let mut random = Random::new(seed + 31);
            let start = match seed % 5 {
                2 => garbage(&rulebook, &mut random),
                _ => Decklist::empty(Arc::clone(&rulebook)),
            };
            let must = wishes(&start, (seed % 5) as usize, &mut random);
            let asked = Wishes {
                must: must.clone(),
                ..Wishes::default()
            };
            let Repair::Impossible(conflict) = repair(&start, &asked) else {
                continue;
            };
            let said = conflict.sentences(&start, &asked);
            let what = format!("{format} {seed} {conflict:?} {said:?}");
            assert!(conflict.irreducible, "{what}");
            let members: Vec<Named> = conflict
                .rules
                .iter()
                .map(|rule| name(&rulebook, *rule))
                .collect();
            // Two rules that are told apart by nothing cannot be left out one by one.
            let distinct: BTreeSet<&Named> = members.iter().collect();
            if distinct.len() < members.len() {
                continue;
            }
            let solve = |rules: &[&Named], wishes: Vec<Wish>| {
                let weaker = world(&|id, about| {
                    id == "unknown-card"
                        || rules
                            .iter()
                            .any(|(known, text)| known == id && (text == about || text.is_empty()))
                });
                let deck = under(&start, &weaker);
                let near = any_near(&deck, &wishes);
                let wishes = Wishes {
                    must: wishes,
                    ..Wishes::default()
                };
                (near, repair(&deck, &wishes))
            };
            let every: Vec<&Named> = members.iter().collect();
            let own = |left_out: Option<usize>| -> Vec<Wish> {
                let kept = conflict
                    .wishes
                    .iter()
                    .filter(|wish| Some(**wish) != left_out);
                kept.map(|wish| must[*wish].clone()).collect()
            };
            let (near, all) = solve(&every, own(None));
            assert!(!near, "{what}: one is at hand");
            assert!(matches!(all, Repair::Impossible(_)), "{what}: {all:?}");
            for left_out in &conflict.wishes {
                let (_, without) = solve(&every, own(Some(*left_out)));
                assert!(
                    matches!(without, Repair::Found(_)),
                    "{what}: without wish {left_out}: {without:?}"
                );
            }
            for left_out in &members {
                let rest: Vec<&Named> = members.iter().filter(|rule| *rule != left_out).collect();
                let (_, without) = solve(&rest, own(None));
                assert!(
                    matches!(without, Repair::Found(_)),
                    "{what}: without {left_out:?}: {without:?}"
                );
                rules_seen.insert(left_out.0.clone());
            }
            mixed += usize::from(!conflict.wishes.is_empty() && !members.is_empty());
        }
    }
    assert!(mixed > 25, "{mixed}");
    for rule in ["accepts", "size", "points", "hero", "banned", "whole-deck"] {
        assert!(rules_seen.contains(rule), "{rule} not in {rules_seen:?}");
    }
}
