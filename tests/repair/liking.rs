//! What is chosen among equals is what a player would choose.

use crate::calls::run;
use serde_json::Value;

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
