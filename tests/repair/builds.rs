//! What is built of every format, seed by seed: legal, every aim reached with proof, and at the
//! presets of its game as good as the best of the good decks that are shipped.
//!
//! `DECKLAW_SEEDS=100` tries so many seeds of each format.

use super::calls::run;
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

fn answer(arguments: &[&str]) -> Option<Value> {
    let output = run(Path::new("."), &[arguments, &["-o", "json"]].concat());
    let is_answer = output.status.success();
    is_answer.then(|| serde_json::from_slice(&output.stdout).unwrap())
}

/// The odds of a deck at its game's presets, by query and hand. Where the rules give no size of
/// the hand it is five cards.
fn presets(deck: &Path) -> BTreeMap<String, f64> {
    let deck = deck.to_str().unwrap();
    let shown = answer(&["odds", deck]).or_else(|| answer(&["odds", deck, "--hand", "5"]));
    by_query(&shown.expect("odds of the presets")["answers"])
}

fn by_query(answers: &Value) -> BTreeMap<String, f64> {
    let each = answers.as_array().unwrap().iter().filter_map(|one| {
        let odds = one["probability"].as_f64()?;
        Some((format!("{}, hand {}", one["query"], one["hand"]), odds))
    });
    each.collect()
}

/// The shipped decks that are legal and follow their format's advice, by format.
fn good_decks() -> BTreeMap<String, Vec<PathBuf>> {
    let mut good: BTreeMap<String, Vec<PathBuf>> = BTreeMap::new();
    for (deck, _) in crate::common::samples() {
        let Some(shown) = answer(&["check", &deck]) else {
            continue;
        };
        let shown = &shown["decks"][0];
        let findings = shown["findings"].as_array().unwrap();
        let follows = findings.iter().all(|one| one["severity"] == "notice");
        if shown["verdict"] == "legal" && follows {
            let format = shown["format"].as_str().unwrap().to_owned();
            good.entry(format).or_default().push(deck.into());
        }
    }
    good
}

#[test]
fn every_seed_of_every_format_builds_as_good_a_deck_as_the_best_that_are_shipped() {
    let seeds = std::env::var("DECKLAW_SEEDS").map_or(3, |seeds| seeds.parse().unwrap());
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("deck.txt");
    let good = good_decks();
    let judge = super::worlds::judge();
    let catalogue = judge.catalogue();
    let (mut formats, mut compared) = (0, 0);
    for game in catalogue.games() {
        let game = catalogue.game(game).unwrap();
        if game.sections().is_empty() {
            continue;
        }
        let has_aims = catalogue.file(game.id(), "taste.yaml").is_some();
        for format in game.formats() {
            formats += 1;
            let mut best: BTreeMap<String, f64> = BTreeMap::new();
            for deck in good.get(format.id()).into_iter().flatten() {
                for (preset, odds) in presets(deck) {
                    let best = best.entry(preset).or_insert(odds);
                    *best = best.max(odds);
                }
            }
            assert!(!best.is_empty(), "{}: no good deck", format.id());
            for seed in 1..=seeds {
                let what = format!("{}, seed {seed}", format.id());
                let seed = seed.to_string();
                let call = ["build", format.id(), "--seed", &seed];
                let built = answer(&call).expect(&what);
                assert_eq!(built["after"]["verdict"], "legal", "{what}");
                assert_eq!(built["optimal"], true, "{what}");
                let aims = built["aims"].as_array().unwrap();
                assert_eq!(!aims.is_empty(), has_aims, "{what}");
                for aim in aims {
                    assert_eq!(aim["missed"], 0, "{what}: {aim}");
                }
                // What stands next to the deck, where the rules say how hands are drawn.
                let odds = match &built["odds"] {
                    Value::Null => {
                        std::fs::write(&file, run(Path::new("."), &call).stdout).unwrap();
                        presets(&file)
                    }
                    shown => by_query(shown),
                };
                for (preset, best) in &best {
                    let own = odds[preset];
                    assert!(own >= best - 1e-12, "{what}: {preset}: {own} < {best}");
                    compared += 1;
                }
            }
        }
    }
    assert!(formats >= 13 && compared >= 2 * seeds * formats, "{formats} {compared}");
}

/// The answers printed next to a built deck are those of `odds` for that deck, by the turn that is
/// asked; and the turn decides which deck is built.
#[test]
fn a_deck_is_built_for_the_hands_that_the_goal_names() {
    let folder = tempfile::tempdir().unwrap();
    let deck = folder.path().join("built.txt");
    let deck = deck.to_str().unwrap();
    let query = "2+ [mana<=2] and 1+ [mana>=4]";
    let mut built = Vec::new();
    for turn in [None, Some("8")] {
        let turns = turn.map(|turn| ["--turn", turn]);
        let call = [
            &["build", "shell", "--for", query][..],
            turns.as_ref().map_or(&[], |turns| &turns[..]),
        ]
        .concat();
        let human = format!("human={deck}");
        let outputs = ["-o", "json", "-o", &human, "--replace"];
        let output = run(Path::new("."), &[&call[..], &outputs].concat());
        let shown = crate::common::text(&output.stderr);
        assert!(output.status.success(), "{turn:?}: {shown}");
        let json = crate::common::json(&output);
        let turns = turn.map(|turn| ["--turns", turn]);
        let asked =
            [&["odds", deck, query][..], turns.as_ref().map_or(&[], |turns| &turns[..])].concat();
        let odds = answer(&asked).expect("odds");
        let own = odds["answers"].as_array().unwrap();
        let told_of = json["odds"].as_array().unwrap();
        assert_eq!(&told_of[..own.len()], &own[..], "{turn:?}");
        let percent = match turn {
            None => own[0]["probability"].as_f64().unwrap(),
            Some(_) => {
                let last = own[0]["turns"].as_array().unwrap().last().unwrap();
                last["probability"].as_f64().unwrap()
            }
        };
        let percent = 100.0 * percent;
        assert!(shown.contains(&format!("{query}: {percent:.2} %")), "{shown}");
        let presets = answer(&["odds", deck]).expect("odds");
        assert_eq!(&told_of[own.len()..], presets["answers"].as_array().unwrap(), "{turn:?}");
        built.push(percent);
    }
    assert!(built[0] < built[1], "{built:?}");
}
