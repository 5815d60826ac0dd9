//! What must hold of any deck, through the binary: the way of writing it changes nothing, and one
//! copy too many is never legal.

use crate::agreement::{bench, some_house};
use crate::generate::{FORMATS, Generator, game, pools};
use crate::judge::{House, Verdict, judge, versus_table};
use crate::model::{Deck, Pool};
use crate::random::Random;
use crate::write;

/// Decks of each format.
const DECKS: usize = 150;

fn random_pool(format: &str, random: &mut Random) -> (Option<String>, Pool) {
    let csv = pools::random_pool(game(format), random);
    let pool = match &csv {
        Some(csv) => Pool::read(csv),
        None => pools::vastrix(),
    };
    (csv, pool)
}

#[test]
fn the_way_of_writing_changes_nothing() {
    for format in FORMATS {
        let random = &mut Random::new(&format!("{format} writing"));
        let (csv, pool) = random_pool(format, random);
        let house = some_house(format, &pool, true, random);
        let bench = bench(csv.as_deref(), &pool, &house);
        let mut texts = Vec::new();
        for _ in 0..DECKS {
            let mut generator = Generator {
                format,
                pool: &pool,
                house: &house,
                random,
            };
            let deck = generator.deck();
            let number = texts.len();
            let variants = variants(&deck, random);
            for (way, text) in &variants {
                bench.write(&format!("{number:03}-{way}"), text);
            }
            texts.push(variants);
        }
        let found = bench.check();
        for (number, variants) in texts.iter().enumerate() {
            let of = |way: &str| &found[&format!("{number:03}-{way}")];
            let (plain, text) = &variants[0];
            for (way, other) in &variants[1..] {
                assert_eq!(
                    of(plain).essence(),
                    of(way).essence(),
                    "{format} {way}\n{text}\n---\n{other}"
                );
            }
        }
    }
}

/// One deck in many hands: file names' ends and texts, the plain one first.
fn variants(deck: &Deck, random: &mut Random) -> Vec<(&'static str, String)> {
    let mut shuffled = deck.clone();
    write::shuffle(&mut shuffled, random);
    let split = write::split(deck, random);
    let mut respelt = deck.clone();
    write::respell(&mut respelt, random);
    let disguised = write::disguise(deck, random);
    vec![
        ("plain.txt", plain_text(deck)),
        ("shuffled.txt", plain_text(&shuffled)),
        ("split.txt", plain_text(&split)),
        ("respelt.txt", plain_text(&respelt)),
        ("style.txt", write::text(deck, random)),
        ("disguised.txt", write::text(&disguised, random)),
        ("plain.yaml", write::yaml_text(deck, random)),
        ("disguised.yml", write::yaml_text(&disguised, random)),
        ("plain.json", write::json_text(deck, random)),
        ("disguised.json", write::json_text(&disguised, random)),
    ]
}

fn plain_text(deck: &Deck) -> String {
    let mut text = format!("Format: {}\nName: {}\n", deck.format, deck.name);
    for (id, lines) in &deck.sections {
        text += &format!("\n{id}\n");
        for line in lines {
            text += &format!("{} {}\n", line.count, line.name);
        }
    }
    text
}

#[test]
fn one_copy_too_many_is_never_legal() {
    for format in FORMATS {
        let random = &mut Random::new(&format!("{format} too many"));
        let (csv, pool) = random_pool(format, random);
        let house = match format {
            "vainqueur" => some_house(format, &pool, true, random),
            _ => House::default(),
        };
        let bench = bench(csv.as_deref(), &pool, &house);
        let mut pairs = Vec::new();
        for _ in 0..DECKS {
            let mut generator = Generator {
                format,
                pool: &pool,
                house: &house,
                random,
            };
            let legal = generator.legal();
            if judge(&legal, &pool, &house).verdict() != Verdict::Legal {
                continue;
            }
            let Some((over, rule)) = one_too_many(&legal, &pool, &house, random) else {
                continue;
            };
            let number = pairs.len();
            bench.write(&format!("{number:03}-legal.txt"), &plain_text(&legal));
            bench.write(
                &format!("{number:03}-over.txt"),
                &write::text(&over, random),
            );
            pairs.push((over, rule));
        }
        let enough = pairs.len() * 2 >= DECKS;
        assert!(enough, "{format}: {} pairs only", pairs.len());
        let found = bench.check();
        for (number, (over, rule)) in pairs.iter().enumerate() {
            let legal = &found[&format!("{number:03}-legal.txt")];
            assert_eq!(legal.verdict, "legal", "{format}: {}", legal.line);
            let found = &found[&format!("{number:03}-over.txt")];
            let text = plain_text(over);
            assert_eq!(found.verdict, "illegal", "{text}\n{}", found.line);
            assert!(
                found.of("error").contains(rule),
                "{rule}: {text}\n{}",
                found.line
            );
        }
    }
}

/// A legal deck with some card one copy over its limit, and the rule that forbids it.
fn one_too_many(
    legal: &Deck,
    pool: &Pool,
    house: &House,
    random: &mut Random,
) -> Option<(Deck, &'static str)> {
    let mut limits = Vec::new();
    for (section, lines) in &legal.sections {
        for (at, line) in lines.iter().enumerate() {
            let limit = limit(legal, section, &line.name, line.count, pool, house);
            if let Some((most, rule)) = limit {
                limits.push((section.clone(), at, most, rule));
            }
        }
    }
    if limits.is_empty() {
        return None;
    }
    let (section, at, most, rule) = random.pick(&limits).clone();
    let mut over = legal.clone();
    over.lines_mut(&section)[at].count = most + 1;
    Some((over, rule))
}

/// Most copies of a card in a section of a legal deck, and the rule that says so.
fn limit(
    deck: &Deck,
    section: &str,
    name: &str,
    copies: u32,
    pool: &Pool,
    house: &House,
) -> Option<(u32, &'static str)> {
    let card = pool.named(name);
    let mana = card.and_then(|card| card.number("mana")).unwrap_or(0);
    let unique = card.is_some_and(|card| card.is("unique", "true"));
    let ammunition = card.is_some_and(|card| card.is("type", "ammunition"));
    let shell = card.is_some_and(|card| card.is("type", "shell"));
    match (game(&deck.format), section) {
        ("shell", "shells") => Some((1, "shells")),
        ("shell", "extra") => Some((1, "extra-distinct")),
        ("shell", "side") if shell => Some((1, "side-shell")),
        ("shell", _) if mana == 0 => None,
        ("shell", "side") => Some((6 / mana, "side-copies")),
        ("shell", _) => Some((6 / mana, "copies")),
        ("vainqueur", _) => house.copies.map(|most| (most, "copies")),
        ("versus", _) => {
            let room = versus_table(&deck.format).0 - deck.size("main");
            Some((copies + room, "size"))
        }
        ("vanquishers", "hero") => Some((1, "hero")),
        ("vanquishers", "energy") => {
            let advanced = deck.format.ends_with("advanced");
            advanced.then_some((1, "energy-class"))
        }
        ("vanquishers", _) if unique => Some((1, "unique")),
        ("vanquishers", _) if ammunition => None,
        ("vanquishers", _) => Some((4, "copies")),
        _ => Some((1, "whole-deck")),
    }
}
