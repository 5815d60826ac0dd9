//! Pools in which a title has several printings: each title has a demand of its own, and what is
//! alike must be found all the same.

use super::random::Random;
use super::solver::smallest;
use crate::common::table_text;
use decklaw::banlist::Banlist;
use decklaw::format::{Game, Rulebook};
use decklaw::pool::CardId;
use decklaw::resolve::Decklist;
use decklaw::solve::{Repair, Wish, Wishes, program, repair};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::Arc;

/// So many cards: titles in one to four printings, of which some have a price of their own.
fn pool(cards: usize, random: &mut Random) -> String {
    const COLOURS: [&str; 6] = ["", "red", "green", "blue", "red;green", "green;blue"];
    let mut table = "name,type,identity,title,price\n".to_owned();
    let (mut title, mut made) = (0, 0);
    while made < cards {
        let kind = ["leader", "unit", "unit", "spell"][title % 4];
        let (colours, price) = (COLOURS[random.below(6)], random.below(4));
        let differ = random.below(3) == 0;
        for _ in 0..(1 + random.below(4)).min(cards - made) {
            let price = if differ { random.below(4) } else { price };
            let _ =
                writeln!(table, "Title {title} ({made}),{kind},{colours},Title {title},{price}");
            made += 1;
        }
        title += 1;
    }
    table
}

fn rulebook(cards: usize, size: usize, listed: bool, random: &mut Random) -> Arc<Rulebook> {
    // A leader, a number of cards that match it, a limit for each title, and points; a list that
    // keeps some cards apart and counts points for others.
    let text = table_text("game of printings").replace("SIZE", &size.to_string());
    let game = Arc::new(Game::read("prints.yaml", &text).unwrap());
    let pool = Arc::new(game.read_cards(pool(cards, random).as_bytes()).unwrap());
    let format = game.formats().into_iter().next().unwrap();
    let list = listed.then(|| {
        Arc::new(Banlist::read("few.yaml", table_text("list of printings").as_bytes()).unwrap())
    });
    Arc::new(Rulebook::new(&format, pool, list, &BTreeMap::new()).unwrap())
}

/// Cards anywhere, some of them many times.
fn garbage(rulebook: &Arc<Rulebook>, lines: usize, random: &mut Random) -> Decklist {
    let mut deck = Decklist::empty(Arc::clone(rulebook));
    let cards: Vec<CardId> = deck.pool().ids().collect();
    for _ in 0..lines {
        let section = u16::from(random.below(5) > 0);
        let copies = 1 + random.below(3) as i64;
        deck.add(section, cards[random.below(cards.len())], copies);
    }
    deck
}

#[test]
fn no_repair_among_printings_is_smaller_by_another_solver() {
    let mut random = Random::new("printings 3");
    let (mut seen, mut folded) = (0, 0);
    for world in 0..12 {
        let cards = [110, 240, 320][world % 3];
        let rulebook = rulebook(cards, 6, world % 2 == 0, &mut random);
        let deck = garbage(&rulebook, 2 + random.below(5), &mut random);
        let Some(program) = program(&deck) else {
            continue;
        };
        folded += usize::from(program.columns.len() * program.demands.len() > 1 << 14);
        let known = smallest(&program);
        match repair(&deck, &Wishes::default()) {
            Repair::Found(found) => {
                assert!(found.optimal(), "{world}");
                assert!(found.deck.is_legal(), "{world}");
                assert_eq!(Ok(Some(found.distance)), known, "{world}");
                seen += 1;
            }
            other => panic!("{world}: {known:?} {other:?}"),
        }
    }
    assert!(seen > 10 && folded > 4, "{seen} {folded}");
}

#[test]
fn thousands_of_printings_are_settled_with_proof() {
    let mut random = Random::new("printings 5");
    let rulebook = rulebook(2_000, 40, true, &mut random);
    let deck = garbage(&rulebook, 45, &mut random);
    let wish = |text: &str| Wish::parse(text, &rulebook).unwrap();
    let wished = Wishes {
        must: vec![wish("12+ [type:spell]"), wish("main: no [type:spell price=3]")],
        shaped: true,
        seed: Some("some".to_owned()),
        ..Wishes::default()
    };
    for wishes in [Wishes::default(), wished] {
        let Repair::Found(found) = repair(&deck, &wishes) else {
            panic!("there is a deck");
        };
        assert!(found.optimal(), "{} {}", found.distance, found.bound());
        assert!(found.deck.is_legal());
        assert!(wishes.must.iter().all(|wish| wish.holds(&deck, &found.deck)));
    }
    let too_many = Wishes { must: vec![wish("41+ [type:unit]")], ..Wishes::default() };
    let Repair::Impossible(conflict) = repair(&deck, &too_many) else {
        panic!("forty-one of forty");
    };
    assert!(conflict.irreducible);
    assert_eq!(conflict.wishes, [0]);
}
