//! A game whose only rule is a budget: nothing limits copies, so nothing may be claimed by a
//! limit of copies.

use crate::common::{Random, table_text as text};
use decklaw::format::{Game, Rulebook};
use decklaw::pool::CardId;
use decklaw::resolve::Decklist;
use decklaw::solve::{Repair, Wish, Wishes, repair};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::Arc;

/// A game in which a deck spends a number of points and nothing else is asked.
fn purse(start: i64, cards: &[(&str, i64)]) -> Arc<Rulebook> {
    let text = text("game of a purse").replace("START", &start.to_string());
    let game = Arc::new(Game::read("purse.yaml", &text).unwrap());
    let mut table = "name,colour,mana\n".to_owned();
    for (at, (colour, mana)) in cards.iter().enumerate() {
        let _ = writeln!(table, "Card {at},{colour},{mana}");
    }
    let pool = Arc::new(game.read_cards(table.as_bytes()).unwrap());
    let format = game.formats().into_iter().next().unwrap();
    Arc::new(Rulebook::new(&format, pool, None, &BTreeMap::new()).unwrap())
}

/// The fewest copies to change so that the points are spent, by a table of all sums from
/// `-REACH` to `REACH`: the cards one after the other, each taken out copy by copy as far as
/// there are any, or put in copy by copy without end.
fn by_table(start: i64, cards: &[(&str, i64)], held: &[i64]) -> Option<i64> {
    const REACH: i64 = 30_000;
    let worth = |(colour, mana): &(&str, i64)| match *colour {
        "green" => *mana,
        "red" => -mana,
        _ => 0,
    };
    let now: i64 = cards.iter().zip(held).map(|(card, held)| worth(card) * held).sum();
    let size = (2 * REACH + 1) as usize;
    let mut fewest = vec![i64::MAX; size];
    *fewest.get_mut((now + REACH) as usize)? = 0;
    for (card, held) in cards.iter().zip(held) {
        let worth = worth(card);
        let before = fewest.clone();
        let ahead: Vec<usize> = match worth >= 0 {
            true => (0..size).collect(),
            false => (0..size).rev().collect(),
        };
        // Put in: one more than the sum that lies one card back.
        for at in ahead {
            let back = at as i64 - worth;
            if worth != 0 && (0..size as i64).contains(&back) && fewest[back as usize] != i64::MAX {
                fewest[at] = fewest[at].min(fewest[back as usize] + 1);
            }
        }
        for (at, fewest) in fewest.iter_mut().enumerate() {
            for out in 1..=*held {
                let back = usize::try_from(at as i64 + worth * out);
                if let Some(known) = back.ok().and_then(|back| before.get(back)) {
                    *fewest = (*fewest).min(known.saturating_add(out));
                }
            }
        }
    }
    let found = fewest[(start + REACH) as usize];
    (found != i64::MAX).then_some(found)
}

fn random_case(random: &mut Random) -> (i64, Vec<(&'static str, i64)>, Vec<i64>) {
    let large = [9, 60, 400][random.below(3)];
    let step = [1, 1, 1, 2, 3, 7][random.below(6)];
    let cards: Vec<(&str, i64)> = (0..1 + random.below(4))
        .map(|_| {
            let colour = ["green", "green", "red", "red", "blue"][random.below(5)];
            (colour, step * (1 + random.below(large) as i64))
        })
        .collect();
    let held = cards.iter().map(|_| random.below(6) as i64).collect();
    (random.below(700) as i64, cards, held)
}

#[test]
fn a_budget_alone_is_repaired_as_a_table_of_all_sums_says() {
    let mut random = Random::new(99);
    let (mut many, mut none) = (0, 0);
    for case in 0..300 {
        let (start, cards, held) = random_case(&mut random);
        let what = format!("{case}: {start} {cards:?} {held:?}");
        let rulebook = purse(start, &cards);
        let mut deck = Decklist::empty(rulebook);
        for (at, copies) in held.iter().enumerate() {
            let card = deck.find(&format!("Card {at}")).unwrap();
            deck.set(0, card, *copies);
        }
        let truth = by_table(start, &cards, &held);
        match repair(&deck, &Wishes::default()) {
            Repair::Found(found) => {
                assert!(found.deck.is_legal(), "{what}");
                assert!(truth.is_none_or(|truth| truth <= found.distance), "{what}");
                assert!(truth.is_none_or(|truth| found.bound() <= truth), "{what}");
                assert!(found.optimal(), "{what}: {found:?}");
                many += i32::from(found.distance > 99);
            }
            Repair::Impossible(_) => {
                assert_eq!(truth, None, "{what}");
                none += 1;
            }
            Repair::Unknown => panic!("{what}: not settled"),
        }
    }
    assert!(many > 5 && none > 10, "{many} {none}");
}

#[test]
fn a_nearer_deck_with_many_copies_of_one_card_is_found() {
    // 120 points to spend with mana 499 and 500: 380 of the one against 379 of the other.
    let rulebook = purse(120, &[("green", 499), ("red", 500)]);
    let deck = Decklist::empty(rulebook);
    let Repair::Found(found) = repair(&deck, &Wishes::default()) else {
        panic!("there is a deck");
    };
    assert!(found.optimal());
    assert_eq!(found.distance, 380 + 379);
}

#[test]
fn what_no_copies_can_repair_is_called_impossible_and_nothing_else_is() {
    let rulebook = purse(100, &[("green", 3), ("red", 6)]);
    let deck = Decklist::empty(rulebook);
    assert!(matches!(repair(&deck, &Wishes::default()), Repair::Impossible(_)));
    // 7 × 1,000 copies: more than any number that is named.
    let rulebook = purse(0, &[("green", 1), ("red", 9999)]);
    let deck = Decklist::empty(Arc::clone(&rulebook));
    let wishes = Wishes {
        must: vec![Wish::parse("1+ [colour:red]", &rulebook).unwrap()],
        ..Wishes::default()
    };
    let Repair::Found(found) = repair(&deck, &wishes) else {
        panic!("there is a deck");
    };
    assert_eq!(found.deck.copies(0, CardId(0)), 9999);
    assert!(found.optimal());
}

#[test]
fn a_wish_of_many_copies_is_no_contradiction() {
    let rulebook = purse(0, &[("green", 1), ("red", 400), ("blue", 1)]);
    let deck = Decklist::empty(Arc::clone(&rulebook));
    let wishes = Wishes {
        prefer: vec![Wish::parse("sum(mana) [colour:red] >= 80000", &rulebook).unwrap()],
        ..Wishes::default()
    };
    let Repair::Found(found) = repair(&deck, &wishes) else {
        panic!("there is a deck");
    };
    assert_eq!(found.missed, [0]);
}
