//! Fixes, room and contradictions against the slow judge: what comes out is legal, nothing nearer
//! is, and every claim has a proof. `swaps.rs` has swaps.

use super::brute_rooms::Compared;
use super::checker::{by_veripb, checked};
use super::games::{FORMATS, Size};
use super::queries::{WORLD, simple};
use super::random::Random;
use super::world::{Deck, Rule, World};
use super::{legal_decks, world, worlds};
use decklaw::pool::CardSet;
use decklaw::resolve::Decklist;
use decklaw::solve::{
    Certificate, DEFAULT_EFFORT, Repair, Rooms, Taste, Uncertified, Wish, Wishes, certify, repair,
};
use std::collections::BTreeSet;
use std::sync::Arc;

/// How far decks are tried one by one.
const REACH: i64 = 3;

pub(crate) type Holds = Box<dyn Fn(&Deck) -> bool>;

/// Random wishes, and whether a deck has all of them.
fn wishes(world: &World, list: &Decklist, deck: &Deck, random: &mut Random) -> (Vec<Wish>, Holds) {
    let query = if world.format == "world" {
        simple(&WORLD, random)
    } else {
        let name = world.cards[random.below(world.cards.len())].name.clone();
        super::world::Query::new(format!("\"{name}\""), move |card| card.name == name)
    };
    let picked: Vec<bool> = world.cards.iter().map(|card| query.picks(card)).collect();
    let copies = |deck: &Deck, picked: &[bool]| -> i64 {
        let own = |cards: &Vec<i64>| -> i64 {
            cards.iter().zip(picked).map(|(n, is)| n * i64::from(*is)).sum()
        };
        deck.iter().map(own).sum()
    };
    let all = |deck: &Deck| -> Vec<i64> {
        (0..deck[0].len()).map(|card| deck.iter().map(|cards| cards[card]).sum()).collect()
    };
    let before = deck.clone();
    let pool = list.pool();
    let text = query.text;
    let low = random.below(3) as i64;
    let parse = |text: String| Wish::parse(&text, list.rulebook()).unwrap();
    let (wish, holds): (Wish, Holds) = match random.below(6) {
        0 => {
            (parse(format!("{low}+ [{text}]")), Box::new(move |deck| copies(deck, &picked) >= low))
        }
        1 => (
            parse(format!("no [{text}] or {}+ [{text}]", low + 2)),
            Box::new(move |deck| !(1..low + 2).contains(&copies(deck, &picked))),
        ),
        2 => (
            parse(format!("not ({low}..{} [{text}])", low + 1)),
            Box::new(move |deck| !(low..=low + 1).contains(&copies(deck, &picked))),
        ),
        3 => (
            Wish::keep(&text, pool).unwrap(),
            Box::new(move |deck| {
                everywhere(deck, &before, &picked, |now, then, is| !is || now >= then)
            }),
        ),
        4 => (
            Wish::only(&text, pool).unwrap(),
            Box::new(move |deck| {
                everywhere(deck, &before, &picked, |now, then, is| is || now <= then)
            }),
        ),
        _ => {
            let owned: Vec<i64> = picked.iter().map(|_| random.below(5) as i64).collect();
            let by_id = pool.ids().map(|id| {
                let at = world.cards.iter().position(|card| card.name == pool.name(id));
                owned[at.unwrap()]
            });
            let wish = Wish::own(by_id.collect(), "the box");
            (
                wish,
                Box::new(move |deck| {
                    all(deck).iter().zip(&owned).all(|(held, owned)| held <= owned)
                }),
            )
        }
    };
    (vec![wish], holds)
}

/// Whether something holds for the copies now, the copies before, and whether the card is picked,
/// of each card in each section.
fn everywhere(
    deck: &Deck,
    before: &Deck,
    picked: &[bool],
    holds: impl Fn(i64, i64, bool) -> bool,
) -> bool {
    let now = deck.iter().flatten().zip(before.iter().flatten());
    let mut places = now.zip(picked.iter().cycle());
    places.all(|((now, then), picked)| holds(*now, *then, *picked))
}

fn are_accepted(certificates: &[Certificate], why: &dyn Fn() -> String) {
    let folder = tempfile::tempdir().unwrap();
    for one in certificates {
        let says = checked(&one.instance, &one.proof);
        assert!(says.is_ok(), "{says:?}: {}\n{}", one.claim, why());
        let by_veripb = by_veripb(folder.path(), &one.instance, &one.proof);
        assert_ne!(by_veripb, Some(false), "VeriPB: {}\n{}", one.claim, why());
    }
}

/// Holds a repair against trying all nearer decks. Returns whether that came to an end.
fn compare(
    world: &World,
    deck: &Deck,
    repaired: &Repair,
    is: &Holds,
    why: &dyn Fn() -> String,
) -> bool {
    let nearest = world.nearest(deck, REACH, is);
    match repaired {
        Repair::Found(found) => {
            let after = world.deck(&found.deck);
            assert!(world.is_legal(&after) && is(&after), "{after:?}\n{}", why());
            let cells = after.iter().flatten().zip(deck.iter().flatten());
            let moved: i64 = cells.map(|(now, then)| (now - then).abs()).sum();
            assert_eq!(found.distance, moved, "{}", why());
            assert_eq!(found.optimal(), found.bound() == found.distance, "{}", why());
            match nearest {
                Ok(Some(nearest)) if found.optimal() => {
                    assert_eq!(found.distance, nearest, "{}", why())
                }
                Ok(Some(nearest)) => assert!(found.bound() <= nearest, "{}", why()),
                Ok(None) => assert!(found.distance > REACH, "{}", why()),
                Err(tried) => assert!(found.distance >= tried, "{}", why()),
            }
        }
        Repair::Impossible(_) => assert!(!matches!(nearest, Ok(Some(_))), "{nearest:?}\n{}", why()),
        Repair::Unknown => {}
    }
    nearest.is_ok()
}

fn start(world: &World, random: &mut Random) -> Deck {
    let deck = world.garbage(random);
    if random.percent(60) {
        return deck;
    }
    // Near the limits.
    let list = world.list(&world.rulebook(), &deck);
    match repair(&list, &Wishes::default()) {
        Repair::Found(found) => {
            let edits = random.below(4);
            world.edited(&world.deck(&found.deck), edits, random)
        }
        _ => deck,
    }
}

#[test]
fn no_nearer_deck_is_legal() {
    let (mut proven, mut impossible, mut whole, mut open) = (0, 0, 0, 0);
    let mut certified = 0;
    for seed in 0..worlds() {
        let (world, mut random) = world(seed);
        let rulebook = world.rulebook();
        for _ in 0..2 {
            let deck = start(&world, &mut random);
            let list = world.list(&rulebook, &deck);
            let why = || format!("seed {seed}\n{}\n{deck:?}", world.why());
            let wishes = Wishes::default();
            let repaired = repair(&list, &wishes);
            let any: Holds = Box::new(|_| true);
            whole += usize::from(compare(&world, &deck, &repaired, &any, &why));
            match &repaired {
                Repair::Found(found) => proven += usize::from(found.optimal()),
                Repair::Impossible(_) => impossible += 1,
                Repair::Unknown => open += 1,
            }
            match certify(&list, &wishes, &repaired) {
                Ok(certificates) => {
                    certified += certificates.len();
                    are_accepted(&certificates, &why);
                }
                // What is proven has a proof that others can check.
                Err(error) => {
                    let is_proven = match &repaired {
                        Repair::Found(found) => found.optimal(),
                        Repair::Impossible(_) => true,
                        Repair::Unknown => false,
                    };
                    assert!(!is_proven && error == Uncertified::Unproven, "{error}\n{}", why());
                }
            }
        }
    }
    let counts = format!("{proven} {impossible} {whole} {open} {certified}");
    assert!(whole > worlds() && impossible * 20 > worlds(), "{counts}");
    assert!(certified >= proven && open * 100 <= proven, "{counts}");
}

#[test]
fn no_nearer_deck_has_what_is_wished() {
    let (mut whole, mut missed) = (0, 0);
    for seed in 0..worlds() {
        let (world, mut random) = world(seed);
        let rulebook = world.rulebook();
        let deck = start(&world, &mut random);
        let list = world.list(&rulebook, &deck);
        let why = || format!("seed {seed}\n{}\n{deck:?}", world.why());
        let (must, holds) = wishes(&world, &list, &deck, &mut random);
        let asked = Wishes { must: must.clone(), ..Wishes::default() };
        let why_wished = || format!("{}\n{}", must[0].text(), why());
        whole += usize::from(compare(&world, &deck, &repair(&list, &asked), &holds, &why_wished));
        // What is preferred comes first, and may be missed.
        let asked = Wishes { prefer: must.clone(), ..Wishes::default() };
        if let Repair::Found(found) = repair(&list, &asked)
            && found.optimal()
        {
            let after = world.deck(&found.deck);
            assert_eq!(found.missed[0] == 0, holds(&after), "{}", why_wished());
            if found.missed[0] > 0 {
                missed += 1;
                assert!(
                    !matches!(world.nearest(&deck, REACH, &holds), Ok(Some(_))),
                    "{}",
                    why_wished()
                );
            } else {
                compare(&world, &deck, &Repair::Found(found), &holds, &why_wished);
            }
        }
    }
    assert!(whole * 2 > worlds() && missed > 2, "{whole} {missed}");
}

/// The built-in games as they are: what is built and fixed is legal.
#[test]
fn what_is_built_or_fixed_is_legal() {
    for format in FORMATS {
        for given in [false, true] {
            let random = &mut Random::new(&format!("large {format} {given}"));
            let world = World::shipped(format, Size::Large, given, random);
            let rulebook = world.rulebook();
            for deck in legal_decks(&world, 4, random) {
                for edits in [0, 1, 3, 8] {
                    let edited = world.edited(&deck, edits, random);
                    let list = world.list(&rulebook, &edited);
                    let Repair::Found(found) = repair(&list, &Wishes::default()) else {
                        panic!("{format}: {:?}", list.listing());
                    };
                    let what = format!("{format} {:?} {:?}", list.listing(), found.deck.listing());
                    assert!(world.is_legal(&world.deck(&found.deck)), "{what}");
                    assert_eq!(found.distance == 0, world.is_legal(&edited), "{what}");
                    let cells = deck.iter().flatten().zip(edited.iter().flatten());
                    let away: i64 = cells.map(|(then, now)| (then - now).abs()).sum();
                    assert!(found.bound() <= away, "{what}");
                }
            }
        }
    }
}

#[test]
fn room_is_that_of_brute_force_and_of_each_card_alone() {
    let (mut compared, mut parts) = (Compared::default(), 0);
    for seed in 0..worlds() / 3 {
        let (world, mut random) = world(seed);
        let rulebook = world.rulebook();
        for number in 0..4 {
            let deck = match number {
                0 => world.empty(),
                _ => start(&world, &mut random),
            };
            let list = world.list(&rulebook, &deck);
            if seed % 4 == number {
                // A legal deck is searched for card after card, which takes long.
                compared.compare(&list, &world.why());
            }
            let rooms = Rooms::of(&list);
            let every = CardSet::of(list.pool().len(), |_| true);
            for room in rooms.all(&every) {
                let alone = Rooms::of(&list);
                let why = || format!("seed {seed}\n{}\n{deck:?} {room:?}", world.why());
                assert_eq!(room, alone.room(room.section, room.card), "{}", why());
                assert_eq!(room.more.is_some(), rooms.why(&room).is_some(), "{}", why());
                assert_eq!(rooms.why(&room), alone.why(&room), "{}", why());
            }
            parts += parts_have_room(&world, &list, &mut random);
        }
    }
    assert!(compared.limited > 200 && compared.unlimited > 20, "{compared:?}");
    assert!(parts > 100, "{parts}");
}

/// A part of a legal deck has room for what it lacks; how many cards that was asked of.
fn parts_have_room(world: &World, list: &Decklist, random: &mut Random) -> usize {
    let Repair::Found(found) = repair(list, &Wishes::default()) else {
        return 0;
    };
    let whole = world.deck(&found.deck);
    let mut deck = whole.clone();
    for copies in deck.iter_mut().flatten() {
        *copies -= random.below(*copies as usize + 1) as i64;
    }
    let part = world.list(list.rulebook(), &deck);
    let every = CardSet::of(list.pool().len(), |_| true);
    let mut parts = 0;
    for room in Rooms::of(&part).within(1_000 * DEFAULT_EFFORT).all(&every) {
        let name = list.pool().name(room.card);
        let card = world.cards.iter().position(|card| card.name == name).unwrap();
        let section = usize::from(room.section);
        let lacks = whole[section][card] - deck[section][card];
        let more = room.more.unwrap_or(i64::MAX);
        assert!(more >= lacks, "{}\n{deck:?} of {whole:?} {room:?}", world.why());
        parts += usize::from(lacks > 0);
    }
    parts
}

/// What nobody permits yet, a card that comes in may.
#[test]
fn there_is_room_for_what_only_further_cards_permit() {
    let (mut seen, mut parts) = (0, 0);
    for seed in 0..6 * worlds() {
        let (world, mut random) = World::made(seed);
        let of_nobody = |rule: &&Rule| rule.text.contains("nobody: nothing");
        for rule in world.rules.clone().iter().filter(of_nobody) {
            let alone = World { list: None, ..world.with_rules(vec![rule.clone()]) };
            let rulebook = alone.rulebook();
            for _ in 0..6 {
                let list = alone.list(&rulebook, &alone.garbage(&mut random));
                parts += parts_have_room(&alone, &list, &mut random);
            }
            seen += 1;
        }
    }
    assert!(seen > 5 && parts > 50, "{seen} {parts}");
}

/// What is preferred among equals never costs a copy.
#[test]
fn a_taste_never_costs_a_copy() {
    let mut other = 0;
    for seed in (0..4 * worlds()).step_by(3) {
        let (world, mut random) = world(seed);
        let game = super::games::game(&world.format);
        let Ok(text) = std::fs::read_to_string(format!("formats/{game}/taste.yaml")) else {
            continue;
        };
        let list = world.list(&world.rulebook(), &world.garbage(&mut random));
        let liked =
            Wishes { taste: Some(Arc::new(Taste::read(&text).unwrap())), ..Wishes::default() };
        let found = (repair(&list, &Wishes::default()), repair(&list, &liked));
        if let (Repair::Found(plain), Repair::Found(liked)) = found {
            assert_eq!(plain.distance, liked.distance, "{seed}");
            assert!(liked.optimal() && world.is_legal(&world.deck(&liked.deck)), "{seed}");
            other += usize::from(!plain.deck.changes_to(&liked.deck).is_empty());
        }
    }
    assert!(other > 10, "{other}");
}

/// A contradiction needs each of its members: without any one there is a deck.
#[test]
fn contradictions_of_rules_and_wishes_need_every_member() {
    let (mut mixed, mut cut, mut rules_seen) = (0, 0, BTreeSet::new());
    for seed in 0..4 * worlds() {
        let (world, mut random) = World::made(seed);
        let rulebook = world.rulebook();
        let deck = world.garbage(&mut random);
        let list = world.list(&rulebook, &deck);
        let must: Vec<Wish> = (0..1 + random.below(3))
            .flat_map(|_| wishes(&world, &list, &deck, &mut random).0)
            .collect();
        let asked = |must: Vec<Wish>| Wishes { must, ..Wishes::default() };
        let Repair::Impossible(conflict) = repair(&list, &asked(must.clone())) else {
            continue;
        };
        let why = || format!("seed {seed} {conflict:?}\n{}\n{deck:?}", world.why());
        if !conflict.irreducible {
            cut += 1;
            continue;
        }
        let ids: Vec<String> =
            conflict.rules.iter().map(|rule| world.id(&rulebook, *rule)).collect();
        if ids.iter().any(|id| id.starts_with("list")) {
            continue;
        }
        let members: Vec<&Rule> =
            world.rules.iter().filter(|rule| ids.contains(&rule.id)).collect();
        let solved = |rules: &[&Rule], wishes: &[usize]| {
            let mut weaker = world.with_rules(rules.iter().map(|rule| (*rule).clone()).collect());
            // Changed cards stay as they are.
            weaker.list = world.list.as_ref().and_then(|list| {
                let (_, changes) = list.split_once("changes:\n")?;
                let by = list.lines().find(|line| line.starts_with("by: ")).unwrap_or_default();
                Some(format!(
                    "schema: decklaw/banlist/1\nid: list\ngame: world\nname: List\neffective: 2026-01-01\n{by}\nchanges:\n{changes}"
                ))
            });
            let list = weaker.list(&weaker.rulebook(), &deck);
            repair(&list, &asked(wishes.iter().map(|wish| must[*wish].clone()).collect()))
        };
        let all = solved(&members, &conflict.wishes);
        assert!(matches!(all, Repair::Impossible(_)), "{}", why());
        for out in &conflict.wishes {
            let rest: Vec<usize> =
                conflict.wishes.iter().copied().filter(|wish| wish != out).collect();
            let without = solved(&members, &rest);
            assert!(matches!(without, Repair::Found(_)), "without wish {out}: {}", why());
        }
        for out in &members {
            let rest: Vec<&Rule> =
                members.iter().copied().filter(|rule| rule.id != out.id).collect();
            let without = solved(&rest, &conflict.wishes);
            assert!(matches!(without, Repair::Found(_)), "without {}: {}", out.id, why());
            rules_seen.insert(out.tag.split(' ').find(|word| *word != "if").unwrap().to_owned());
        }
        mixed += usize::from(!conflict.wishes.is_empty() && !members.is_empty());
    }
    assert!(mixed > 25 && cut < 10, "{mixed} {cut}");
    for kind in ["size", "total", "demand", "distinct", "values"] {
        assert!(rules_seen.contains(kind), "{kind} not in {rules_seen:?}");
    }
}
