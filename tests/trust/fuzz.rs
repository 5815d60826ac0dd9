//! Every fuzz target on stable Rust: its corpus, and mutations of that. The same in each run, and
//! a few seconds long; `fuzz/hours` asks for more.

use super::targets::{ALL, Target};
use crate::common::{Random, bytes, decklaw, files, root};
use crate::reading::tables::xlsx;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// The mutations of each target in a run of the tests.
const MUTATIONS: usize = 160;
/// The most bytes of an input.
const LARGEST: usize = 1 << 15;

/// Words that readers look for, and numbers at their limits, one between two bars.
const WORDS: &str = concat!(
    "0|-1|4294967296|99999999999999999999|1e999|1.5|NaN|\u{feff}|\0|\r|\r\n|\n\n|\t|,|;|\"|'|{|}|[|]|(|)|",
    ":|- |# |//|null|true|&a|*a|<|/>|]]>|x|×|Format: shell|\u{202e}|1+ [mana>=2]| or "
);

/// An input made of one seed, and parts of another.
fn mutated(seeds: &[Vec<u8>], chance: &mut Random) -> Vec<u8> {
    let mut bytes = seeds[chance.below(seeds.len())].clone();
    for _ in 0..=chance.below(6) {
        let at = chance.below(bytes.len() + 1);
        match chance.below(7) {
            0 => bytes.insert(at, chance.below(256) as u8),
            1 if at < bytes.len() => bytes[at] ^= 1 << chance.below(8),
            2 => drop(bytes.drain(chance.stretch(&bytes))),
            3 => {
                let again = bytes[chance.stretch(&bytes)].to_vec();
                let times = 1 + chance.below(8);
                bytes.splice(at..at, again.repeat(times));
            }
            4 => {
                let other = &seeds[chance.below(seeds.len())];
                let part = other[chance.stretch(other)].to_vec();
                bytes.splice(at..at, part);
            }
            5 => {
                let place = chance.stretch(&bytes);
                let word = WORDS.split('|').nth(chance.below(40)).unwrap();
                bytes.splice(place, word.bytes());
            }
            _ => bytes.truncate(at),
        }
        bytes.truncate(LARGEST);
    }
    bytes
}

/// What a target begins with: seeds of the archive, and files of the project that are of its kind.
pub(crate) fn seeds(name: &str) -> Vec<Vec<u8>> {
    let archive = files(include_str!("../../fuzz/corpus.txt"));
    let mut seeds: Vec<Vec<u8>> = archive
        .filter(|(target, _)| *target == name)
        .map(|(_, text)| bytes(text.trim_end_matches('\n')))
        .collect();
    let paths: &[&str] = match name {
        "banlist" => {
            &["banlists/shell/sample-2026-01.yaml", "banlists/vainqueur/sample-2026-07.yaml"]
        }
        "deck_text" => &["decks/shell/ebb.txt", "decks/versus/half-mustered.txt"],
        "format_file" => &["formats/vastrix/game.yaml"],
        _ => &[],
    };
    seeds.extend(paths.iter().map(|path| std::fs::read(root().join(path)).unwrap()));
    let deck = "decks/shell/ebb.txt";
    match name {
        "lock" => {
            let folder = tempfile::tempdir().unwrap();
            let ran = decklaw(folder.path(), &["banlist", "lock", "vastrix"]);
            assert!(ran.status.success(), "{}", crate::common::said(&ran));
            seeds.push(std::fs::read(folder.path().join("decklaw.lock")).unwrap());
        }
        "match_file" => {
            let new = ["match", "new", deck, deck, "--seed", "fuzz"];
            seeds.push(decklaw(root(), &new).stdout);
        }
        "table" => {
            let rows: &[&[&str]] =
                &[&["Card Name", "Type", "Mana"], &["Moss Sprite", "spell", "1"]];
            seeds.push(xlsx(&[("Cards", rows), ("Notes", &[&["none"]])]));
        }
        _ => {}
    }
    assert!(!seeds.is_empty() && seeds.iter().all(|seed| !seed.is_empty()), "{name} has no corpus");
    seeds
}

/// A seed that is refused at once tries nothing: those of the project are what they say.
#[test]
fn seeds_of_the_project_are_understood() {
    use decklaw::matches::{MatchRules, UnverifiedMatch};
    let last = |name: &str| seeds(name).pop().unwrap();
    for list in &seeds("banlist") {
        assert!(decklaw::banlist::Banlist::read("list.yaml", list).is_ok());
    }
    assert!(decklaw::banlist::lock::Lock::read(&last("lock")).is_ok());
    assert!(decklaw::table::read(&last("table"), Some("Cards")).is_ok());
    let game = String::from_utf8(last("format_file")).unwrap();
    assert!(decklaw::format::Game::read("game.yaml", &game).is_ok());
    let format = decklaw::format::Catalogue::built_in().format("shell").unwrap();
    let rules = MatchRules::of_format(&format).unwrap().unwrap();
    let read = UnverifiedMatch::read(&last("match_file")).unwrap();
    assert!(read.verify(&rules.game()).is_ok());
}

/// Tries an input; one that breaks a promise is kept and named.
fn holds((name, target): Target, bytes: &[u8]) {
    if catch_unwind(AssertUnwindSafe(|| target(bytes))).is_err() {
        let kept = std::env::temp_dir().join(format!("decklaw-fuzz-{name}"));
        std::fs::write(&kept, bytes).unwrap();
        panic!("{name} breaks a promise on {}", kept.display());
    }
}

#[test]
fn readers_stand_what_nobody_vouches_for() {
    let seconds = std::env::var("DECKLAW_FUZZ_SECONDS").ok();
    let longer = seconds.and_then(|seconds| seconds.parse().ok()).map(Duration::from_secs);
    // `fuzz/hours` has the seeds written, each behind the byte that names its target.
    let folder = std::env::var_os("DECKLAW_FUZZ_SEEDS").map(PathBuf::from);
    for (number, target) in (0_u8..).zip(&ALL) {
        let seeds = seeds(target.0);
        if let Some(folder) = &folder {
            for (at, seed) in seeds.iter().enumerate() {
                let file = folder.join(format!("seed-{}-{at}", target.0));
                std::fs::write(file, [&[number], &seed[..]].concat()).unwrap();
            }
        }
        for seed in &seeds {
            holds(*target, seed);
        }
        let begun = Instant::now();
        let mut round = 0;
        loop {
            let mut chance = Random::of(&format!("{} {round}", target.0));
            for _ in 0..MUTATIONS {
                holds(*target, &mutated(&seeds, &mut chance));
            }
            round += 1;
            if longer.is_none_or(|longer| begun.elapsed() >= longer) {
                break;
            }
        }
    }
}
