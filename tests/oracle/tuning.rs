//! Tuning against trying every deck within the exchanges.

use super::queries::{WORLD, simple};
use super::random::Random;
use super::world::{Deck, World};
use super::{world, worlds};
use decklaw::odds::{
    DEFAULT_MEMORY, DEFAULT_WORK, Fraction, HandQuery, Keep, Mulligan, Policy, Population, Request,
    ask,
};
use decklaw::resolve::Decklist;
use decklaw::solve::tune::{Tuning, tune};
use decklaw::solve::{Wish, Wishes};
use std::cmp::Ordering;

fn order(one: &[Fraction], other: &[Fraction]) -> Ordering {
    let each = one.iter().zip(other).map(|(one, other)| {
        let left = one.numerator() * other.denominator();
        left.cmp(&(other.numerator() * one.denominator()))
    });
    each.fold(Ordering::Equal, Ordering::then)
}

/// The odds of a deck, if such hands can be drawn from it.
fn odds(deck: &Decklist, tuning: &Tuning) -> Option<Vec<Fraction>> {
    let population = Population::of_list(deck, usize::from(tuning.section)).ok()?;
    let each = tuning.queries.iter();
    each.map(|query| Some(ask(&population, query, &tuning.request).ok()?.value)).collect()
}

/// Every deck that differs by at most so many copies out and in.
fn around(
    deck: &Deck,
    places: &[(usize, usize)],
    (out, into): (i64, i64),
    see: &mut dyn FnMut(&Deck),
) {
    let Some(((section, card), rest)) = places.split_first() else {
        see(deck);
        return;
    };
    let held = deck[*section][*card];
    for by in -out.min(held)..=into {
        let mut next = deck.clone();
        next[*section][*card] = held + by;
        around(&next, rest, (out + by.min(0), into - by.max(0)), see);
    }
}

fn group(world: &World, random: &mut Random) -> String {
    if world.format == "world" && random.percent(60) {
        return simple(&WORLD, random).text;
    }
    format!("\"{}\"", world.cards[random.below(world.cards.len())].name)
}

fn hands(world: &World, random: &mut Random) -> Vec<HandQuery> {
    let query = |random: &mut Random| {
        let [a, b, c] = [0, 1, 2].map(|_| group(world, random));
        let text = match random.below(6) {
            0 => format!("1+ [{a}]"),
            1 => format!("1+ [({a}) or ({b})] and no [{c}]"),
            2 => format!("different(1+ [{a}], 1+ [({a}) or ({b})])"),
            3 => format!("1 [({a}) or ({b})]"),
            4 => format!("2- [-(({a}) or ({b}))]"),
            _ if world.format == "world" => format!("sum(cost) [{a}] >= 3 or some kind (2+ [{b}])"),
            _ => format!("2+ [({a}) or ({b})]"),
        };
        HandQuery::parse(&text).unwrap()
    };
    (0..1 + random.below(2)).map(|_| query(random)).collect()
}

fn policy(world: &World, random: &mut Random) -> Policy {
    let mulligan = random.pick(&[Mulligan::None, Mulligan::Aside, Mulligan::Shuffle]);
    let keep = hands(world, random).remove(0);
    Policy {
        limit: match mulligan {
            Mulligan::None => 0,
            _ => 1 + random.below(2) as u32,
        },
        mulligan,
        bottom: vec![0, random.below(2) as u32, 1],
        keep: random.pick(&[Keep::Goal, Keep::Query(keep), Keep::Best]),
    }
}

fn tuning(world: &World, list: &Decklist, changes: u32, random: &mut Random) -> Tuning {
    let sections = list.rulebook().format().game().sections();
    let section = sections.iter().position(|section| section.shuffled);
    let query = group(world, random);
    let must = match random.below(6) {
        0 => vec![Wish::keep(&query, list.pool()).unwrap()],
        1 => vec![Wish::only(&format!("-({query})"), list.pool()).unwrap()],
        2 => vec![Wish::parse(&format!("1+ [{query}]"), list.rulebook()).unwrap()],
        _ => vec![],
    };
    Tuning {
        section: section.unwrap() as u16,
        request: Request {
            hand: 1 + random.below(3) as u32,
            policy: policy(world, random),
            given: None,
            draws: random.below(2) as u32,
            turns: Vec::new(),
            work: DEFAULT_WORK,
            memory: DEFAULT_MEMORY,
        },
        queries: hands(world, random),
        changes,
        wishes: Wishes { must, ..Wishes::default() },
    }
}

#[test]
fn no_legal_deck_within_the_exchanges_has_better_odds() {
    let (mut cases, mut compared) = (0, 0);
    for seed in 0..4 * worlds() {
        let (world, mut random) = world(seed);
        let rulebook = world.rulebook();
        let deck = world.garbage(&mut random);
        let list = world.list(&rulebook, &deck);
        let changes = if world.places(&deck).len() <= 9 { 2 } else { 1 };
        let tuning = tuning(&world, &list, changes, &mut random);
        let Ok(tuned) = tune(&list, &tuning) else {
            continue;
        };
        cases += 1;
        let start = world.deck(&tuned.start);
        let places = world.places(&start);
        for step in &tuned.steps {
            let most = i64::from(step.exchanges);
            let mut best: Option<Vec<Fraction>> = None;
            around(&start, &places, (most, most), &mut |other| {
                if !world.is_legal(other) {
                    return;
                }
                let other = world.list(&rulebook, other);
                let wished = &tuning.wishes.must;
                if !wished.iter().all(|wish| wish.holds(&tuned.start, &other)) {
                    return;
                }
                let Some(found) = odds(&other, &tuning) else {
                    return;
                };
                if best.as_ref().is_none_or(|best| order(&found, best) == Ordering::Greater) {
                    best = Some(found);
                }
            });
            compared += usize::from(best.is_some());
            let why = || format!("seed {seed}, {most} of {start:?}: {tuning:?}\n{}", world.why());
            assert!(step.optimal, "not proven: {}", why());
            let Some((after, said)) = &step.best else {
                assert_eq!(best, None, "{}", why());
                continue;
            };
            let after = world.deck(after);
            assert!(world.is_legal(&after), "{after:?} {}", why());
            let by: Vec<i64> = after
                .iter()
                .flatten()
                .zip(start.iter().flatten())
                .map(|(now, then)| now - then)
                .collect();
            let came: i64 = by.iter().filter(|by| **by > 0).sum();
            let gone: i64 = by.iter().filter(|by| **by < 0).sum();
            assert!(came.max(-gone) <= most, "{after:?} {}", why());
            assert_eq!(Some(&said.each), best.as_ref(), "{after:?} {}", why());
            assert_eq!(
                (&said.each[0], &step.bound),
                (&said.probability, &said.probability),
                "{}",
                why()
            );
        }
    }
    assert!(cases >= 100 && compared >= 150, "{cases} cases, {compared} steps");
}

/// However early the work ends, more exchanges have no worse odds, and no deck is above the bound.
#[test]
fn no_step_is_worse_than_the_one_before_it_however_early_the_work_ends() {
    let (mut steps, mut open, mut bounded) = (0, 0, 0);
    for seed in 0..2 * worlds() {
        let (world, mut random) = world(seed);
        let rulebook = world.rulebook();
        let deck = world.garbage(&mut random);
        let list = world.list(&rulebook, &deck);
        let mut tuning = tuning(&world, &list, 3, &mut random);
        tuning.request.work = random.pick(&[8_000, 30_000, 100_000, 400_000]);
        tuning.wishes.effort = random.pick(&[20, 100, 400, 2_000]);
        let Ok(tuned) = tune(&list, &tuning) else {
            continue;
        };
        let why = || format!("seed {seed}: {tuning:?}\n{}", world.why());
        let mut last: Option<Vec<Fraction>> = None;
        for step in &tuned.steps {
            let Some((after, said)) = &step.best else {
                assert_eq!(last, None, "{}", why());
                continue;
            };
            assert!(world.is_legal(&world.deck(after)), "{}", why());
            assert_eq!(odds(after, &full(&tuning)).as_ref(), Some(&said.each));
            if let Some(last) = &last {
                assert_ne!(order(&said.each, last), Ordering::Less, "{}", why());
            }
            let bound = std::slice::from_ref(&step.bound);
            assert_ne!(order(&said.each[..1], bound), Ordering::Greater, "{}", why());
            last = Some(said.each.clone());
            steps += 1;
            open += usize::from(!step.optimal);
        }
        let start = world.deck(&tuned.start);
        let places = world.places(&start);
        let step = &tuned.steps[0];
        if step.optimal || places.len() > 30 {
            continue;
        }
        bounded += 1;
        around(&start, &places, (1, 1), &mut |other| {
            let is_legal = world.is_legal(other);
            let other = world.list(&rulebook, other);
            let wished = &tuning.wishes.must;
            if is_legal && wished.iter().all(|wish| wish.holds(&tuned.start, &other)) {
                let found = odds(&other, &full(&tuning));
                let first = found.as_ref().map(|each| &each[..1]);
                let bound = std::slice::from_ref(&step.bound);
                let is_below = first.is_none_or(|first| order(first, bound) != Ordering::Greater);
                assert!(is_below, "{found:?} {}", why());
            }
        });
    }
    assert!(steps > 100 && open > 50 && bounded > 10, "{steps} {open} {bounded}");
}

/// The same tuning with all the work that its odds may need.
fn full(tuning: &Tuning) -> Tuning {
    let mut full = tuning.clone();
    full.request.work = DEFAULT_WORK;
    full
}
