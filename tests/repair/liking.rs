//! What is chosen among equals: never a copy more, and what a player would choose.

use crate::command::run;
use crate::support::Random;
use crate::worlds::{FORMATS, garbage, rulebook};
use decklaw::solve::{Repair, Taste, Wishes, repair};
use serde_json::Value;
use std::sync::Arc;

fn taste(game: &str) -> Option<Arc<Taste>> {
    let text = std::fs::read_to_string(format!("formats/{game}/taste.yaml")).ok()?;
    Some(Arc::new(Taste::read(&text).unwrap()))
}

fn json(arguments: &[&str]) -> Value {
    let folder = std::path::Path::new(".");
    let output = run(folder, &[arguments, &["-o", "json"]].concat());
    assert!(output.status.success(), "{output:?}");
    serde_json::from_slice(&output.stdout).unwrap()
}

#[test]
fn a_taste_never_costs_a_copy_more() {
    let mut other = 0;
    for format in FORMATS {
        for seed in 0..20 {
            let mut random = Random::new(seed * 64 + 9 + format.len() as u64);
            let rulebook = rulebook(format, &mut random);
            let deck = garbage(&rulebook, &mut random);
            let taste = taste(format.split('/').next().unwrap());
            let liked = Wishes {
                taste,
                ..Wishes::default()
            };
            let found = (repair(&deck, &Wishes::default()), repair(&deck, &liked));
            let (Repair::Found(plain), Repair::Found(liked)) = found else {
                continue;
            };
            assert_eq!(plain.distance, liked.distance, "{format} {seed}");
            assert!(liked.optimal() && liked.deck.is_legal(), "{format} {seed}");
            other += usize::from(!plain.deck.changes_to(&liked.deck).is_empty());
        }
    }
    assert!(other > 10, "{other}");
}

#[test]
fn what_a_tie_changes_is_not_what_is_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    // Two Heroes: one must go, whatever is liked; a deck of one card too few keeps its Hero.
    let deck = std::fs::read_to_string("decks/vanquishers/one-short-of-a-crew.txt").unwrap();
    std::fs::write(folder.path().join("deck.txt"), deck).unwrap();
    let output = run(folder.path(), &["fix", "deck.txt", "-o", "json"]);
    let fixed: Value = serde_json::from_slice(&output.stdout).unwrap();
    for change in fixed["changes"].as_array().unwrap() {
        assert_eq!(change["section"], "main", "{fixed}");
    }
}

#[test]
fn who_comes_to_a_section_that_is_left_alone_is_one_that_the_deck_has() {
    let folder = tempfile::tempdir().unwrap();
    let game = folder.path().join("formats/crew");
    std::fs::create_dir_all(&game).unwrap();
    let rules = "schema: decklaw/format/1
game: crew
name: Crew
text: A game made for a test
fields: [{name: type, kind: word}, {name: house, kind: word}]
sections:
  - {id: leader, name: leader section}
  - {id: main, name: main deck, shuffled: true}
formats: [{id: crew, name: Crew}]
rules:
  - {id: leader, source: s, about: One leads., must: {size: {sections: [leader], exactly: 1}}}
  - {id: legend, source: s, about: Legends lead., must: {accept: {section: leader, cards: 'type:legend', because: no legend leads}}}
  - {id: size, source: s, about: Five in all., must: {size: {sections: [leader, main], exactly: 5}}}
";
    let cards =
        "name,type,house\nAbe,legend,red\nKim,legend,red\nZoe,legend,blue\nMiner,crew,red\n";
    let taste = "alone: [leader]\nlike: [{field: house, weight: 8}]\n";
    std::fs::write(folder.path().join("decklaw.yaml"), "formats: [formats]\n").unwrap();
    std::fs::write(game.join("game.yaml"), rules).unwrap();
    std::fs::write(game.join("cards.csv"), cards).unwrap();
    std::fs::write(game.join("taste.yaml"), taste).unwrap();
    // All three would do, at the same distance: the legend that stands in the wrong place leads.
    for (line, leader) in [("1 Kim", "Kim"), ("1 Zoe", "Zoe"), ("1 Abe", "Abe")] {
        let deck = format!("Format: crew\n\nMain\n{line}\n4 Miner\n");
        std::fs::write(folder.path().join("deck.txt"), deck).unwrap();
        let output = run(folder.path(), &["fix", "deck.txt", "-o", "json"]);
        let fixed: Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(fixed["distance"], 2, "{fixed}");
        for change in fixed["changes"].as_array().unwrap() {
            assert_eq!(change["card"], leader, "{fixed}");
        }
    }
    // One who leads stays, whoever stands elsewhere.
    let deck = "Format: crew\n\nLeader\n1 Abe\n\nMain\n1 Kim\n4 Miner\n";
    std::fs::write(folder.path().join("deck.txt"), deck).unwrap();
    let output = run(folder.path(), &["fix", "deck.txt", "-o", "json"]);
    let fixed: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(fixed["distance"], 1, "{fixed}");
    assert_eq!(fixed["changes"][0]["section"], "main", "{fixed}");
}

#[test]
fn who_leads_stays_without_a_word_of_the_maker() {
    let folder = tempfile::tempdir().unwrap();
    let game = folder.path().join("formats/crew");
    std::fs::create_dir_all(&game).unwrap();
    let kinds = [
        "{matching: {sections: [main], by: leader, field: house}}",
        "{permitted: {sections: [main], by: leader, field: serves}}",
        "{total: {sections: [main], price: 1, matched: {by: leader, field: house}, max: 0}}",
    ];
    // A leader of one house, a crew of the other: to change the one is as cheap as the other.
    let cards = "name,type,house,serves\nAbe,legend,red,house:red\nZoe,legend,blue,house:blue\n\
        Cook,crew,red,\nMate,crew,blue,\n";
    std::fs::write(folder.path().join("decklaw.yaml"), "formats: [formats]\n").unwrap();
    std::fs::write(game.join("cards.csv"), cards).unwrap();
    let deck = "Format: crew\n\nLeader\n1 Abe\n\nMain\n1 Mate\n";
    std::fs::write(folder.path().join("deck.txt"), deck).unwrap();
    let section_of_all = |taste: Option<&str>| {
        match taste {
            Some(taste) => std::fs::write(game.join("taste.yaml"), taste).unwrap(),
            None => drop(std::fs::remove_file(game.join("taste.yaml"))),
        }
        let output = run(folder.path(), &["fix", "deck.txt", "-o", "json"]);
        let fixed: Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(fixed["distance"], 2, "{fixed}");
        let changes = fixed["changes"].as_array().unwrap();
        let sections = changes
            .iter()
            .map(|change| change["section"].as_str().unwrap().to_owned());
        let sections: std::collections::BTreeSet<String> = sections.collect();
        sections.into_iter().collect::<Vec<_>>()
    };
    for kind in kinds {
        let rules = format!("schema: decklaw/format/1
game: crew
name: Crew
text: A game made for a test
fields: [{{name: type, kind: word}}, {{name: house, kind: word}}, {{name: serves, kind: query}}]
sections:
  - {{id: leader, name: leader section}}
  - {{id: main, name: main deck, shuffled: true}}
formats: [{{id: crew, name: Crew}}]
rules:
  - {{id: leader, source: s, about: One leads., must: {{size: {{sections: [leader], exactly: 1}}}}}}
  - {{id: legend, source: s, about: Legends lead., must: {{accept: {{section: leader, cards: 'type:legend', because: no legend leads}}}}}}
  - {{id: crew, source: s, about: The crew follows., must: {{accept: {{section: main, cards: 'type:crew', because: no crew}}}}}}
  - {{id: size, source: s, about: Two in all., must: {{size: {{sections: [leader, main], exactly: 2}}}}}}
  - {{id: house, source: s, about: One house., must: {kind}}}
");
        std::fs::write(game.join("game.yaml"), rules).unwrap();
        assert_eq!(section_of_all(None), ["main"], "{kind}");
        assert_eq!(section_of_all(Some("playset: 4\n")), ["main"], "{kind}");
        assert_eq!(
            section_of_all(Some("alone: [main]\n")),
            ["leader"],
            "{kind}"
        );
    }
}

#[test]
fn a_card_of_a_new_banlist_has_substitutes_that_leave_the_deck_legal() {
    let folder = tempfile::tempdir().unwrap();
    let deck = std::fs::read("decks/versus/hedge-and-harrow.txt").unwrap();
    std::fs::write(folder.path().join("deck.txt"), deck).unwrap();
    let list = "schema: decklaw/banlist/1\nid: new\ngame: versus\nname: New\neffective: 2020-01-01\nsample: true\nbanned: [Badger Constable]\n";
    std::fs::write(folder.path().join("list.yaml"), list).unwrap();
    let call = ["fix", "deck.txt", "--banlist", "list.yaml", "-o", "json"];
    let output = run(folder.path(), &call);
    let fixed: Value = serde_json::from_slice(&output.stdout).unwrap();
    let one = &fixed["substitutes"][0];
    assert_eq!(one["card"], "Badger Constable", "{fixed}");
    let instead = one["instead"].as_array().unwrap();
    assert_eq!(instead.len(), 3, "{fixed}");
    // A character of the same element stands in for one: nothing that is named differs.
    assert_eq!(
        instead[0]["differs"].as_array().unwrap().len(),
        0,
        "{fixed}"
    );
}

#[test]
fn what_is_built_reaches_every_aim_of_its_game() {
    for format in [
        "shell",
        "versus/fast",
        "versus/vs-shared",
        "vanquishers/advanced",
        "vainqueur",
    ] {
        for seed in ["one", "two", "three"] {
            let built = json(&["build", format, "--seed", seed]);
            assert_eq!(built["after"]["verdict"], "legal", "{format} {seed}");
            assert_eq!(built["optimal"], true, "{format} {seed}");
            let aims = built["aims"].as_array().unwrap();
            assert!(!aims.is_empty(), "{format}");
            for aim in aims {
                assert_eq!(aim["missed"], 0, "{format} {seed}: {aim}");
            }
        }
    }
}

#[test]
fn a_deck_that_is_built_for_a_query_has_better_odds() {
    let query = "1+ [type:item] and 1+ [type:trap]";
    let folder = tempfile::tempdir().unwrap();
    let odds = |arguments: &[&str]| {
        let output = run(
            folder.path(),
            &[&["build", "versus/fast"], arguments].concat(),
        );
        std::fs::write(folder.path().join("deck.txt"), output.stdout).unwrap();
        let output = run(folder.path(), &["odds", "deck.txt", query, "-o", "json"]);
        let told: Value = serde_json::from_slice(&output.stdout).unwrap();
        told["answers"][0]["probability"].as_f64().unwrap()
    };
    let (without, with) = (odds(&[]), odds(&["--for", query]));
    assert!(with > without, "{with} {without}");
}
