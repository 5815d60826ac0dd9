//! `check agrees with the oracle`: random decks of every format, judged by both.

use std::collections::BTreeSet;
use std::fs;

use crate::binary::{Bench, Found};
use crate::digest::digest;
use crate::generate::{FORMATS, Generator, game, pools};
use crate::judge::{House, judge};
use crate::model::{Deck, Pool, fold};
use crate::random::Random;
use crate::{from_root, write};

/// Decks of each format, over all pools.
const DECKS: usize = 10_000;
/// Random pools of each format.
const POOLS: usize = 4;
/// Decks of each format from the built-in sample pool.
const SAMPLE_DECKS: usize = 1_000;

/// The organiser's part: bans, and on odd pools the settings that the rules text leaves open.
pub(crate) fn some_house(format: &str, pool: &Pool, settings: bool, random: &mut Random) -> House {
    let mut house = House::default();
    if format == "vainqueur" {
        let mut names = pool.names(|_| true);
        random.shuffle(&mut names);
        house.banned = names.iter().take(6).map(|name| fold(name)).collect();
    }
    if settings {
        match game(format) {
            "vainqueur" => {
                (house.min, house.max, house.copies) = (Some(45), Some(60), Some(3));
            }
            // Kept apart: with it, `composition` could not be seen.
            "versus" => house.any_composition = format.contains("vs"),
            _ => {}
        }
    }
    house
}

fn banlist(house: &House, pool: &Pool) -> Option<String> {
    let names = pool.names(|card| house.banned.contains(&card.folded));
    if names.is_empty() {
        return None;
    }
    let mut text = "schema: decklaw/banlist/1\nid: vainqueur-trial\ngame: vainqueur\n\
        name: Trial list\neffective: 2026-01-01\nbanned:\n"
        .to_owned();
    for name in names {
        text += &format!("  - {}\n", serde_json::json!(name));
    }
    Some(text)
}

/// A bench for a format, its pool and the organiser's settings.
pub(crate) fn bench(csv: Option<&str>, pool: &Pool, house: &House) -> Bench {
    let mut bench = Bench::new(csv, banlist(house, pool).as_deref());
    let numbers = [
        ("min", house.min),
        ("max", house.max),
        ("copies", house.copies),
    ];
    for (name, value) in numbers {
        if let Some(value) = value {
            bench.set(name, &value.to_string());
        }
    }
    if house.any_composition {
        bench.set("composition", "any");
    }
    bench
}

/// Writes the decks, runs the binary over them once, and compares.
fn compare(format: &str, csv: Option<&str>, pool: &Pool, house: &House, decks: usize, seed: &str) {
    let random = &mut Random::new(seed);
    let bench = bench(csv, pool, house);
    let mut written = Vec::with_capacity(decks);
    for number in 0..decks {
        let mut generator = Generator {
            format,
            pool,
            house,
            random,
        };
        let mut deck = generator.deck();
        if random.percent(50) {
            deck = write::disguise(&deck, random);
        }
        let text = write::text(&deck, random);
        let file = format!("{number:05}.txt");
        bench.write(&file, &text);
        written.push((file, deck, text));
    }
    let found = bench.check();
    let mut wrong = 0;
    for (file, deck, text) in &written {
        if let Some(difference) = difference(deck, pool, house, &found[file]) {
            wrong += 1;
            if wrong <= 3 {
                eprintln!("--- {seed} {file}\n{text}--- {difference}");
            }
        }
    }
    assert_eq!(
        wrong, 0,
        "{seed}: so many of {decks} decks judged otherwise"
    );
}

/// How the binary's answer differs from the oracle's, if it does.
fn difference(deck: &Deck, pool: &Pool, house: &House, found: &Found) -> Option<String> {
    let judgement = judge(deck, pool, house);
    // Without the rules that a card outside the pool leaves open.
    let settled = |rules: BTreeSet<&str>| -> Vec<String> {
        let rules = rules.into_iter();
        let settled = rules.filter(|rule| !judgement.unsettled.contains(rule));
        settled.map(str::to_owned).collect()
    };
    let hash = digest(deck);
    let ours = (
        judgement.verdict().to_string(),
        settled(judgement.errors()),
        settled(judgement.warnings.clone()),
        &hash,
    );
    let theirs = (
        found.verdict.clone(),
        settled(found.of("error")),
        settled(found.of("warning")),
        &found.hash,
    );
    (ours != theirs).then(|| {
        let printed = &found.line;
        format!("oracle: {ours:?}\nbinary: {theirs:?}\nprinted: {printed}")
    })
}

/// Random decks of the formats of one game, from random pools.
fn agree(wanted: &str) {
    for format in FORMATS.into_iter().filter(|format| game(format) == wanted) {
        for round in 0..POOLS {
            let seed = format!("{format} pool {round}");
            let random = &mut Random::new(&seed);
            let csv = pools::random_pool(wanted, random);
            let pool = match &csv {
                Some(csv) => Pool::read(csv),
                None => pools::vastrix(),
            };
            let house = some_house(format, &pool, round % 2 == 1, random);
            compare(format, csv.as_deref(), &pool, &house, DECKS / POOLS, &seed);
        }
    }
}

#[test]
fn check_agrees_with_the_oracle_on_shell() {
    agree("shell");
}

#[test]
fn check_agrees_with_the_oracle_on_vainqueur() {
    agree("vainqueur");
}

#[test]
fn check_agrees_with_the_oracle_on_versus() {
    agree("versus");
}

#[test]
fn check_agrees_with_the_oracle_on_vanquishers() {
    agree("vanquishers");
}

#[test]
fn check_agrees_with_the_oracle_on_vastrix() {
    agree("vastrix");
}

/// The same on the sample pools that are compiled into the binary.
#[test]
fn check_agrees_with_the_oracle_on_the_sample_pools() {
    for format in FORMATS {
        let file = from_root("formats").join(game(format)).join("cards.csv");
        let Ok(csv) = fs::read_to_string(&file) else {
            eprintln!("no sample pool at {}: passed over", file.display());
            continue;
        };
        let pool = Pool::read(&csv);
        let seed = format!("{format} sample");
        let house = some_house(format, &pool, false, &mut Random::new(&seed));
        compare(format, None, &pool, &house, SAMPLE_DECKS, &seed);
    }
}

/// What the writer writes, the oracle's own reader reads: the text says what the model says.
#[test]
fn written_decks_read_back() {
    for format in FORMATS {
        let random = &mut Random::new(&format!("{format} read back"));
        let csv = pools::random_pool(game(format), random);
        let pool = csv.map_or_else(pools::vastrix, |csv| Pool::read(&csv));
        let house = House::default();
        for _ in 0..300 {
            let mut generator = Generator {
                format,
                pool: &pool,
                house: &house,
                random,
            };
            let deck = generator.deck();
            let disguised = write::disguise(&deck, random);
            let text = write::text(&disguised, random);
            assert_eq!(digest(&deck), digest(&Deck::read(&text)), "{text}");
        }
    }
}
