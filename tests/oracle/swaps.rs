//! Swaps of the Shell game against a table of all totals: a swap changes the main deck and the
//! Shells alone, so that the fewest copies for each number of deck points are found card by card.

use super::random::Random;
use super::worlds;
use decklaw::format::{Catalogue, Rulebook};
use decklaw::matches::Setup;
use decklaw::pool::{CardId, Column, Pool};
use decklaw::resolve::Decklist;
use decklaw::solve::{DEFAULT_EFFORT, Repair, Swap};
use std::collections::{BTreeMap, HashMap};
use std::fmt::Write as _;
use std::sync::Arc;

/// Copies that a wish moves.
struct Moved {
    comes: bool,
    card: CardId,
    copies: i64,
}

/// The deck's sections that a swap changes.
struct Sections {
    shells: u16,
    main: u16,
    side: u16,
}

fn word(pool: &Pool, field: &str, card: CardId) -> String {
    pool.shown(card, field).to_lowercase()
}

fn mana(pool: &Pool, card: CardId) -> i64 {
    match pool.column("mana") {
        Some(Column::Number(cells)) => cells[card.index()].unwrap_or(0),
        _ => 0,
    }
}

/// The fewest copies that change in the main deck and the Shells; `None`: no swap is legal.
fn fewest(deck: &Decklist, at: &Sections, moved: &[Moved]) -> Option<i64> {
    let pool = deck.pool();
    let inside = |card| deck.copies(at.shells, card) + deck.copies(at.main, card);
    let ends = |card: CardId, most: i64| {
        let held = inside(card);
        let (mut low, mut high) = (0, most);
        for one in moved.iter().filter(|one| one.card == card) {
            if one.comes {
                low = low.max(held + one.copies);
            } else {
                high = high.min(held - one.copies);
            }
        }
        (low, high)
    };
    let there = |card| inside(card) + deck.copies(at.side, card);
    let cards: Vec<CardId> = pool.ids().filter(|card| there(*card) > 0).collect();
    // The fewest changes by the points that are spent.
    let mut by_points: HashMap<i64, i64> = HashMap::from([(0, 0)]);
    for card in cards.iter().copied().filter(|card| word(pool, "type", *card) == "spell") {
        let mana = mana(pool, card);
        let most = if mana == 0 { there(card) } else { there(card).min(6 / mana) };
        let (low, high) = ends(card, most);
        let points = match word(pool, "colour", card).as_str() {
            "green" => mana,
            "red" => -mana,
            _ => 0,
        };
        let misplaced = deck.copies(at.shells, card);
        let mut next: HashMap<i64, i64> = HashMap::new();
        for (sum, changes) in &by_points {
            for copies in low..=high {
                let changes = changes + misplaced + (copies - deck.copies(at.main, card)).abs();
                let known = next.entry(sum + points * copies).or_insert(changes);
                *known = changes.min(*known);
            }
        }
        by_points = next;
    }
    let mut fewest = *by_points.get(&100)?;
    for card in cards.iter().copied() {
        match word(pool, "type", card).as_str() {
            "spell" => {}
            "shell" => fewest += deck.copies(at.main, card),
            // A token has no place.
            _ if ends(card, 0).0 > 0 => return None,
            _ => fewest += inside(card),
        }
    }
    for colour in ["red", "green", "blue"] {
        let own = cards.iter().copied().filter(|card| {
            word(pool, "type", *card) == "shell" && word(pool, "colour", *card) == colour
        });
        let own: Vec<CardId> = own.collect();
        let choice = own.iter().filter_map(|chosen| {
            let changes = own.iter().map(|card| {
                let copies = i64::from(card == chosen);
                let (low, high) = ends(*card, 1);
                let changes = (copies - deck.copies(at.shells, *card)).abs();
                (low..=high).contains(&copies).then_some(changes)
            });
            changes.sum::<Option<i64>>()
        });
        fewest += choice.min()?;
    }
    Some(fewest)
}

/// A pool of Shells and of spells, many of them dear.
fn pool(random: &mut Random) -> String {
    let mut cards = "name,type,colour,mana,viable,text,set\n".to_owned();
    for colour in ["green", "red", "blue"] {
        for at in 0..3 {
            let _ = writeln!(cards, "{colour} Shell {at},shell,{colour},,,,");
        }
    }
    let mana =
        random.pick(&[&[1, 2, 3, 4, 5, 6, 7][..], &[3, 4, 5, 6, 6, 7], &[2, 4, 5], &[0, 1, 3, 6]]);
    for at in 0..60 + random.below(120) {
        let colour = random.pick(&["green", "green", "red", "blue", "colourless"]);
        let mana = random.pick(mana);
        let _ = writeln!(cards, "Card {at},spell,{colour},{mana},,,");
    }
    cards
}

/// A deck, and a legal one as often as not: its side deck and its extra deck are full.
fn deck(rulebook: &Arc<Rulebook>, at: &Sections, random: &mut Random) -> Decklist {
    let mut deck = Decklist::empty(Arc::clone(rulebook));
    let pool = Arc::clone(deck.pool());
    let all: Vec<CardId> = pool.ids().collect();
    let (shells, spells): (Vec<CardId>, Vec<CardId>) =
        all.iter().partition(|card| word(&pool, "type", **card) == "shell");
    for colour in ["red", "green", "blue"] {
        let own: Vec<CardId> =
            shells.iter().copied().filter(|card| word(&pool, "colour", *card) == colour).collect();
        deck.set(at.shells, random.pick(&own), 1);
    }
    let most = |card| (6 / mana(&pool, card).max(1)).max(1) as usize;
    for _ in 0..25 + random.below(30) {
        let card = random.pick(&spells);
        deck.set(at.main, card, 1 + random.below(most(card)) as i64);
    }
    if random.percent(60) {
        // Cards come and go until the points are spent.
        for _ in 0..400 {
            let spent: i64 = deck
                .holdings()
                .filter(|held| held.section == at.main)
                .map(|held| match word(&pool, "colour", held.card).as_str() {
                    "green" => held.copies * mana(&pool, held.card),
                    "red" => -held.copies * mana(&pool, held.card),
                    _ => 0,
                })
                .sum();
            if spent == 100 {
                break;
            }
            let card = random.pick(&spells);
            let is_green = word(&pool, "colour", card) == "green";
            deck.set(at.main, card, if is_green == (spent < 100) { most(card) as i64 } else { 0 });
        }
    }
    let (extra, lines) = (random.pick(&[0, 15, 15, 14]), 6 + random.below(10));
    let section = deck.section("extra").unwrap();
    for (section, lines) in [(section, extra), (at.side, lines)] {
        for _ in 0..lines {
            let card = random.pick(&spells);
            let is_free = [at.main, section, at.side].iter().all(|at| deck.copies(*at, card) == 0);
            if is_free || random.percent(10) {
                let copies = if section == at.side { most(card) } else { 1 };
                deck.set(section, card, 1 + random.below(copies) as i64);
            }
        }
    }
    if random.percent(40) {
        deck.set(at.side, random.pick(&shells), 1);
    }
    deck
}

#[test]
fn swaps_are_smallest_by_the_table_of_points() {
    let (mut smallest, mut impossible) = (0, 0);
    for seed in 0..4 * worlds() {
        let mut random = Random::new(&format!("table of points {seed}"));
        let format = Catalogue::built_in().format("shell").unwrap();
        let cards = if seed % 3 == 0 {
            std::fs::read_to_string("formats/shell/cards.csv").unwrap()
        } else {
            pool(&mut random)
        };
        let pool = Arc::new(format.game().read_cards(cards.as_bytes()).unwrap());
        let rulebook = Arc::new(Rulebook::new(&format, pool, None, &BTreeMap::new()).unwrap());
        let empty = Decklist::empty(Arc::clone(&rulebook));
        let section = |id| empty.section(id).unwrap();
        let at =
            Sections { shells: section("shells"), main: section("main"), side: section("side") };
        let deck = deck(&rulebook, &at, &mut random);
        let held = |section: u16| -> Vec<CardId> {
            let held = deck.holdings().filter(|held| held.section == section);
            let held = held.map(|held| held.card);
            held.filter(|card| !deck.name(*card).contains('"')).collect()
        };
        let (side, main) = (held(at.side), held(at.main));
        if side.is_empty() {
            continue;
        }
        let mut moved: Vec<Moved> = Vec::new();
        for _ in 0..1 + random.below(3) {
            let comes = main.is_empty() || random.percent(75);
            let card = random.pick(if comes { &side } else { &main });
            let section = if comes { at.side } else { at.main };
            moved.push(Moved {
                comes,
                card,
                copies: 1 + random.below(deck.copies(section, card) as usize) as i64,
            });
        }
        let parts = moved.iter().map(|one| {
            let way = if one.comes { "in" } else { "out" };
            format!("{way}: \"{}\" {}", deck.name(one.card), one.copies)
        });
        let wish = parts.collect::<Vec<String>>().join("; ");
        let exchange = Setup::exchange_of(rulebook.format()).unwrap();
        let swap = Swap::parse(&wish, &deck, exchange.as_ref()).unwrap();
        let known = fewest(&deck, &at, &moved);
        let why = || format!("seed {seed}, {wish}: {:?}", deck.listing());
        match swap.solve(&deck, DEFAULT_EFFORT) {
            Repair::Found(found) => {
                // Each copy that comes in leaves the side deck, and the other way round.
                assert!(found.optimal(), "{}", why());
                assert_eq!(Some(found.distance), known.map(|fewest| 2 * fewest), "{}", why());
                // It is what was wished, of the same cards, and by the table a legal deck.
                let after = &found.deck;
                let moves = |one: &Moved| {
                    let into = |deck: &Decklist| {
                        deck.copies(at.shells, one.card) + deck.copies(at.main, one.card)
                    };
                    let by = into(after) - into(&deck);
                    if one.comes { by >= one.copies } else { -by >= one.copies }
                };
                assert!(moved.iter().all(moves), "{}", why());
                let all = |deck: &Decklist, card| {
                    let sections = [at.shells, at.main, at.side];
                    sections.map(|section| deck.copies(section, card)).iter().sum::<i64>()
                };
                let extra = section("extra");
                for card in deck.pool().ids() {
                    assert_eq!(all(after, card), all(&deck, card), "{}", why());
                    assert_eq!(after.copies(extra, card), deck.copies(extra, card), "{}", why());
                }
                assert_eq!(fewest(after, &at, &[]), Some(0), "{}", why());
                smallest += 1;
            }
            Repair::Impossible(_) => {
                assert_eq!(known, None, "{}", why());
                impossible += 1;
            }
            Repair::Unknown => panic!("not settled: {}", why()),
        }
    }
    assert!(smallest > 100 && impossible > 50, "{smallest} and {impossible}");
}
