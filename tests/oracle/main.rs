//! An independent slow checker, written from the rules alone, and what it says of the binary.
//!
//! `judge` and `model` share no code with the library: they are plain loops that can be read
//! against the rules row by row. `generate` writes random decks near every limit; the binary must
//! judge each as the oracle does.

#![allow(
    clippy::unwrap_used,
    clippy::print_stderr,
    reason = "a test stops at the first surprise and may say what it skipped"
)]

mod agreement;
mod binary;
#[path = "../common/brute_rooms.rs"]
mod brute_rooms;
#[path = "../common/checker.rs"]
mod checker;
mod digest;
mod generate;
mod judge;
mod mended;
mod model;
mod properties;
mod query;
mod random;
mod worlds;
mod write;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use generate::{FORMATS, Generator, game, pools};
use judge::{House, Verdict, judge};
use model::{Deck, Pool, fold};
use random::Random;
use serde_json::Value;

/// A file or folder from the package's root.
fn from_root(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

/// The decks that another program judged, where they are at hand.
#[test]
fn oracle_agrees_with_conformance() {
    let root = from_root("../shared/conformance");
    if !root.is_dir() {
        eprintln!("no conformance decks at {}: passed over", root.display());
        return;
    }
    let mut judged = 0;
    for game in ["shell", "vainqueur", "versus", "vanquishers"] {
        let folder = root.join(game);
        let pool = Pool::read(&fs::read_to_string(folder.join("cards.csv")).unwrap());
        let banlist = fs::read_to_string(folder.join("banlist.yaml")).unwrap_or_default();
        let banned = banlist
            .lines()
            .filter_map(|line| line.trim().strip_prefix("- "));
        let house = House {
            banned: banned.map(fold).collect(),
            ..House::default()
        };
        let expected = fs::read_to_string(folder.join("expected.json")).unwrap();
        let expected: BTreeMap<String, Value> = serde_json::from_str(&expected).unwrap();
        for (file, expected) in expected {
            let deck = Deck::read(&fs::read_to_string(folder.join("decks").join(&file)).unwrap());
            assert_eq!(deck.format, expected["format"], "{file}");
            let judgement = judge(&deck, &pool, &house);
            let errors = expected["errors"].as_array().unwrap().iter();
            let errors: BTreeSet<&str> = errors.map(|rule| rule.as_str().unwrap()).collect();
            assert_eq!(judgement.errors(), errors, "{file}");
            let legal = judgement.verdict() == Verdict::Legal;
            assert_eq!(Value::Bool(legal), expected["legal"], "{file}");
            judged += 1;
        }
    }
    eprintln!("{judged} conformance decks judged alike");
}

/// The random decks are worth judging: legal ones, incomplete ones, and every rule broken.
#[test]
fn random_decks_break_every_rule() {
    let unknown = ["accepts", "unknown-card"];
    for format in FORMATS {
        let random = &mut Random::new(format);
        let csv = pools::random_pool(game(format), random);
        let pool = csv.map_or_else(pools::vastrix, |csv| Pool::read(&csv));
        let house = House {
            any_composition: false,
            ..agreement::some_house(format, &pool, true, random)
        };
        let mut generator = Generator {
            format,
            pool: &pool,
            house: &house,
            random,
        };
        let mut seen = BTreeMap::<String, u32>::new();
        for _ in 0..1_000 {
            let judgement = judge(&generator.deck(), &pool, &house);
            *seen.entry(judgement.verdict().to_string()).or_default() += 1;
            for rule in judgement.errors().into_iter().chain(judgement.warnings) {
                *seen.entry(rule.to_owned()).or_default() += 1;
            }
        }
        let rules: &[&str] = match game(format) {
            "shell" => &[
                "points",
                "copies",
                "shells",
                "extra-size",
                "extra-distinct",
                "extra-overlap",
                "side-distinct",
                "side-copies",
                "side-overlap",
                "side-shell",
                "zero-mana",
                "unpriced-colour",
            ],
            "vainqueur" => &["banned", "size", "copies", "advised-size"],
            "versus" => &["size", "composition"],
            "vastrix" => &["whole-deck"],
            _ if format.ends_with("advanced") => &[
                "size",
                "copies",
                "unique",
                "hero",
                "hero-restriction",
                "energy-class",
                "energy-off-type",
                "energy-copies",
            ],
            _ => &[
                "size",
                "copies",
                "unique",
                "hero",
                "hero-restriction",
                "dead-card",
            ],
        };
        // Where a game has one section that takes every card, nothing breaks `accepts`.
        let general = match game(format) {
            "shell" | "vanquishers" => &unknown[..],
            _ => &unknown[1..],
        };
        for rule in rules.iter().chain(general) {
            let times = seen.get(*rule).copied().unwrap_or(0);
            assert!(times >= 8, "{format}: {rule} seen {times} times: {seen:?}");
        }
        for verdict in [Verdict::Legal, Verdict::Incomplete, Verdict::Illegal] {
            let times = seen.get(&verdict.to_string()).copied().unwrap_or(0);
            let enough = if verdict == Verdict::Legal { 250 } else { 30 };
            assert!(
                times >= enough,
                "{format}: {verdict} {times} times: {seen:?}"
            );
        }
    }
}
