//! How rules say what other games say: in their own words, of cards that are one by several fields,
//! and of leaders whose cells are empty.

use super::{decklaw, own_game};
use serde_json::Value;
use tempfile::TempDir;

const GAME: &str = r#"fields:
  - {name: title, kind: text}
  - {name: pitch, kind: number}
  - {name: class, kind: list, values: [guard, ninja, ice, fire]}
  - {name: talent, kind: word, values: [ice, fire]}
  - {name: essence, kind: list, values: [ice, fire]}
  - {name: allows, kind: query}
sections: [{id: hero, name: hero section, aliases: [commander]}, {id: main, name: main deck}, {id: guide, name: guides}]
formats: [{id: toy, name: Toy}]
rules:
  - {id: place, source: p, about: Heroes lead., must: {accept: {section: hero, cards: "-title:Kick", because: a kick leads nobody}}}
  - {id: heroes, source: p, about: A hero., must: {size: {sections: [hero], exactly: 1, called: hero}}}
  - {id: copies, source: p, about: Three of a title and pitch., must: {copies: {sections: [main], by: [[title, pitch]], max: 3}}}
  - id: classes
    source: p
    about: Classes of the hero.
    must: {matching: {sections: [main], field: class, by: [hero], among: [talent, essence], mode: all}}
    says: "{cards} is not for this hero"
    mends: play it in another deck
  - {id: guides, source: p, about: What guides allow., must: {permitted: {sections: [main], by: [guide], field: allows, empty: everything}}}
  - {id: sides, source: p, about: Guides have few classes., must: {values: {sections: [guide], field: class, max: 3, called: class}}}
"#;
const CARDS: &str = "name,title,pitch,class,talent,essence,allows
Snow,Snow,,,ice,fire,
Jab (Red),Jab,1,ice,,,
Jab (Blue),Jab,3,ice,,,
Punch (Red),Punch,1,fire,,,
Kick,Kick,,guard,,,
Guide,Guide,,ninja;ice,,,
Other,Other,,ice;fire,,,
Third,Third,,guard,,,
";

fn game() -> TempDir {
    own_game(GAME, CARDS)
}

fn findings(folder: &TempDir, lines: &str) -> Vec<(String, String, String)> {
    let deck = folder.path().join("deck.txt");
    std::fs::write(deck, format!("Format: toy\n{lines}")).unwrap();
    let run = decklaw(folder.path(), &["check", "deck.txt", "-o", "json"]);
    let told: Value = serde_json::from_slice(&run.stdout).unwrap();
    let found = told["decks"][0]["findings"].as_array().unwrap();
    let text = |of: &Value, key: &str| of[key].as_str().unwrap_or_default().to_owned();
    let each = found.iter();
    each.map(|one| (text(one, "rule"), text(one, "message"), text(one, "help")))
        .collect()
}

#[test]
fn cards_that_agree_in_several_fields_together_are_one() {
    let game = game();
    let fine = "Hero\n1 Snow\nMain\n3 Jab (Red)\n3 Jab (Blue)\n3 Punch (Red)\n";
    assert_eq!(findings(&game, fine), []);
    let found = findings(&game, &fine.replace("3 Jab (Red)", "4 Jab (Red)"));
    let said: Vec<&str> = found.iter().map(|(rule, ..)| &**rule).collect();
    assert_eq!(said, ["copies"], "{found:?}");
    // The three of another pitch are not among them.
    assert!(found[0].1.starts_with("4 copies of "), "{found:?}");
}

#[test]
fn a_rule_says_what_its_maker_wrote() {
    let found = findings(&game(), "Hero\n1 Snow\nMain\n1 Kick\n");
    let said = (
        "classes",
        "`Kick` is not for this hero",
        "play it in another deck",
    );
    let (rule, message, help) = &found[0];
    assert_eq!((&**rule, &**message, &**help), said, "{found:?}");

    for place in ["{deck}", "{actual}", "{ card }", "{}", "{card"] {
        let text = GAME.replace("{cards} is", &format!("{place} is"));
        let folder = own_game(&text, CARDS);
        let run = decklaw(folder.path(), &["formats", "check", "formats/toy"]);
        let said = String::from_utf8(run.stdout).unwrap();
        let named = place.trim_matches(['{', '}']);
        let told = format!("no value for `{{{named}}}` here; `{{card}}` and `{{cards}}` do");
        let open = "no value for `{}` here";
        assert!(
            said.contains(&told) || said.contains(open),
            "{place}: {said}"
        );
        assert_eq!(run.status.code(), Some(1), "{place}");
    }
}

/// Each kind, with a deck that breaks it, fills every place that `formats check` lets it have.
#[test]
fn what_a_rule_may_say_it_can_fill() {
    let all = "{card}; {cards}; {limit}; {actual}";
    let cards = "{card}; {cards}";
    let two = "Hero\n1 Snow\nMain\n2 Kick\n1 Jab (Red)\n";
    let [kick, jab, either] = ["`Kick`", "`Jab (Red)`", "`Jab (Red)` and `Kick`"];
    for (must, says, deck, told) in [
        (
            "size: {sections: [main], cards: 'class:(guard ice)', max: 1}",
            all,
            two,
            format!("{jab}; {either}; 1; 3"),
        ),
        (
            "size: {sections: [main], min: 9}",
            all,
            two,
            format!("{jab}; {either}; 9; 3"),
        ),
        (
            "size: {sections: [guide], min: 9}",
            all,
            two,
            "no card; no cards; 9; 0".to_owned(),
        ),
        (
            "distinct: {sections: [main], max: 1}",
            all,
            two,
            format!("{jab}; {either}; 1; 2"),
        ),
        (
            "values: {sections: [main], field: class, max: 1}",
            all,
            two,
            format!("{jab}; {either}; 1; 2"),
        ),
        (
            "total: {sections: [main], field: pitch, max: 0}",
            all,
            two,
            format!("{jab}; {jab}; 0; 1"),
        ),
        (
            "copies: {sections: [main], max: 1}",
            all,
            two,
            format!("{kick}; {kick}; 1; 2"),
        ),
        (
            "avoid: {sections: [main], cards: 'name:Kick', because: b}",
            all,
            two,
            format!("{kick}; {kick}; 0; 2"),
        ),
        (
            "brings: {sections: [main], by: [hero], field: class, among: talent}",
            all,
            "Hero\n1 Snow\n",
            "`Guide`; `Guide`, `Jab (Blue)`, `Jab (Red)` and `Other`; 4; 0".to_owned(),
        ),
        (
            "permitted: {sections: [main], by: [hero], field: allows, empty: nothing}",
            all,
            "Hero\n1 Snow\nMain\n2 Kick\n",
            format!("{kick}; {kick}; 0; 2"),
        ),
        (
            "whole-pool: {section: main, each: 1}",
            all,
            "Main\n2 Kick\n1 Snow\n1 Jab (Red)\n1 Jab (Blue)\n1 Punch (Red)\n1 Guide\n1 Other\n1 Third\n",
            format!("{kick}; {kick}; 1; 2"),
        ),
        (
            "accept: {section: main, cards: 'class:ice', because: b}",
            cards,
            two,
            format!("{kick}; {kick}"),
        ),
        (
            "disjoint: {sections: [guide], from: [main]}",
            cards,
            "Main\n1 Kick\nGuide\n1 Kick\n",
            format!("{kick}; {kick}"),
        ),
        (
            "within: {sections: [guide], of: [main]}",
            cards,
            "Guide\n1 Kick\n",
            format!("{kick}; {kick}"),
        ),
        (
            "matching: {sections: [main], field: class, by: [hero], among: talent}",
            cards,
            "Hero\n1 Snow\nMain\n1 Kick\n",
            format!("{kick}; {kick}"),
        ),
    ] {
        let head = GAME.split("rules:").next().unwrap();
        let rule = format!(
            "{head}rules:\n  - {{id: only, source: p, about: This., must: {{{must}}}, says: \"{says}\"}}\n"
        );
        let folder = own_game(&rule, CARDS);
        let run = decklaw(folder.path(), &["formats", "check", "formats/toy"]);
        let said = String::from_utf8(run.stdout).unwrap();
        assert!(!said.contains("nothing stands"), "{must}: {said}");
        let found = findings(&folder, deck);
        let own: Vec<&str> = found
            .iter()
            .filter(|(rule, ..)| rule == "only")
            .map(|(_, message, _)| message.as_str())
            .collect();
        assert_eq!(own, [told], "{must}");
    }
}

#[test]
fn an_empty_cell_that_permits_everything_is_no_news() {
    assert_eq!(
        findings(&game(), "Hero\n1 Snow\nMain\n1 Jab (Red)\nGuide\n1 Guide\n"),
        []
    );
    let folder = own_game(&GAME.replace(", empty: everything", ""), CARDS);
    let found = findings(&folder, "Hero\n1 Snow\nMain\n1 Jab (Red)\nGuide\n1 Guide\n");
    assert!(
        found[0].1.contains("gives no `allows` for `Guide`"),
        "{found:?}"
    );
}

#[test]
fn a_card_that_may_not_be_there_is_named_where_it_is_missed() {
    let found = findings(&game(), "Hero\n1 Kick\n");
    let heroes = found.iter().find(|(rule, ..)| rule == "heroes").unwrap();
    assert!(
        heroes.1.ends_with("without `Kick`, which may not be there"),
        "{found:?}"
    );
}

#[test]
fn a_leader_that_a_pasted_list_marks_leads() {
    let marked = "Main\n3x Jab (Red) (WTR) 12\n1 Snow *CMDR*\n";
    let found = findings(&game(), marked);
    assert!(found.iter().all(|(rule, ..)| rule == "syntax"), "{found:?}");
    let text = GAME.replace(", aliases: [commander]", "");
    let found = findings(&own_game(&text, CARDS), marked);
    assert!(
        found
            .iter()
            .any(|(_, said, _)| said.contains("passed over: *CMDR*")),
        "{found:?}"
    );
}

#[test]
fn fields_and_numbers_that_no_card_could_meet_are_refused() {
    for (from, to, told) in [
        (
            "kind: number}",
            "kind: number, min: 3, max: 1}",
            "no number is from 3 to 1",
        ),
        ("max: 3}", "max: 1.5}", "`1.5` is no whole number"),
        (
            "max: 3}",
            "max: \"3\"}",
            "`3` is no whole number; write it without quotes",
        ),
    ] {
        let folder = own_game(&GAME.replacen(from, to, 1), CARDS);
        let run = decklaw(folder.path(), &["formats", "check", "formats/toy"]);
        let said = String::from_utf8(run.stdout).unwrap();
        assert!(said.contains(told), "{told}: {said}");
        assert_eq!(run.status.code(), Some(1));
    }
}

#[test]
fn queries_in_cells_that_ask_in_vain_are_told() {
    let cards = CARDS.replace(
        "Guide,Guide,,ninja;ice,,,",
        "Guide,Guide,,ninja;ice,,,class:nijna",
    );
    let cards = cards.replace(
        "Other,Other,,ice;fire,,,",
        "Other,Other,,ice;fire,,,\"\"\"Jap (Red)\"\"\"",
    );
    let folder = own_game(GAME, &cards);
    let run = decklaw(folder.path(), &["formats", "check", "formats/toy"]);
    let said = String::from_utf8(run.stdout).unwrap();
    assert!(
        said.contains("`class` is never `nijna`; did you mean `ninja`?"),
        "{said}"
    );
    assert!(said.contains("Jap (Red)"), "{said}");
    assert_eq!(run.status.code(), Some(0), "{said}");
    let run = decklaw(
        folder.path(),
        &["cards", "check", "formats/toy/cards.csv", "--format", "toy"],
    );
    let said = String::from_utf8(run.stderr).unwrap();
    assert!(said.contains("`class` is never `nijna`"), "{said}");
}

#[test]
fn a_rule_of_another_format_is_named_in_full() {
    let text = GAME.replace(
        "formats: [{id: toy, name: Toy}]",
        "default: toy/one\nformats: [{id: toy/one, name: One}, {id: toy/two, name: Two}]",
    );
    let text = text.replace(
        "{id: sides, source: p,",
        "{id: sides, only: [toy/two], source: p,",
    );
    let run = decklaw(own_game(&text, CARDS).path(), &["explain", "toy/sides"]);
    let said = String::from_utf8(run.stderr).unwrap();
    assert!(said.contains("did you mean toy/two/sides?"), "{said}");
}

/// Of a sum of several parts each is told with what is special about it, and nothing else.
#[test]
fn a_sum_is_explained_part_by_part() {
    let head = GAME.split("rules:").next().unwrap();
    for (parts, told) in [
        (
            "[{field: pitch}, {price: 1, cards: 'class:ice', matched: {by: [hero], field: class}}]",
            "at most 9 points; counted are the pitch of cards; cards of class ice (cards with \
             any class of the card in the hero section are free).",
        ),
        (
            "[{field: pitch, per: highest}, {field: pitch, per: lowest, times: -1}]",
            "at most 9 points; counted are the highest pitch of cards; minus the lowest pitch of cards.",
        ),
        (
            "[{field: pitch, cards: 'class:ice', matched: {by: [hero], permits: allows, \
             then: {times: 1}, else: {times: 2, plus: 1}}}, {price: 1, times: 3, per: card}]",
            "counted are the pitch of cards of class ice (cards that the card in the hero \
             section permits by its allows count as they are, others count 2 times and 1 more); 3 \
             × cards, each card once.",
        ),
    ] {
        let rule = format!(
            "{head}rules:\n  - {{id: sum, source: p, about: This., must: {{total: {{sections: [main], max: 9, parts: {parts}}}}}}}\n"
        );
        let folder = own_game(&rule, CARDS);
        let run = decklaw(folder.path(), &["explain", "toy/sum"]);
        let said = String::from_utf8(run.stdout).unwrap();
        let said = said.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(said.contains(told), "{told}\n{said}");
    }
}

/// What sets a number is not missed among what the number counts.
#[test]
fn a_card_that_may_not_be_there_is_missed_only_where_it_would_count() {
    let head = GAME.split("rules:").next().unwrap();
    let game = format!(
        "{head}rules:
  - {{id: heroes, source: p, about: Heroes., must: {{accept: {{section: hero, cards: 'name:Snow', because: b}}}}}}
  - {{id: size, source: p, about: Nine., must: {{size: {{sections: [main], min: [9, {{base: 0, field: pitch, of: [hero]}}]}}}}}}
"
    );
    let found = findings(&own_game(&game, CARDS), "Hero\n1 Kick\nMain\n8 Jab (Red)\n");
    let size = found.iter().find(|(rule, ..)| rule == "size").unwrap();
    assert!(!size.1.contains("without"), "{found:?}");
}

/// A line that looks like a header and is none is one fault, wherever it stands.
#[test]
fn a_header_that_is_none_is_one_fault() {
    for lines in [
        "Author: Me\nFormat: toy\nName: x\n\nHero\n1 Snow\n",
        "Format: toy\nAuthor: Me\nName: x\n\nHero\n1 Snow\n",
        "Format: toy\nName: x\nAuthor: Me\n\nHero\n1 Snow\n",
    ] {
        let folder = game();
        std::fs::write(folder.path().join("deck.txt"), lines).unwrap();
        let run = decklaw(folder.path(), &["check", "deck.txt", "-o", "json"]);
        let told: Value = serde_json::from_slice(&run.stdout).unwrap();
        let found = told["decks"][0]["findings"].as_array().unwrap();
        let said: Vec<&str> = found
            .iter()
            .filter_map(|one| one["message"].as_str())
            .collect();
        assert_eq!(said, ["`Author` is no header of a deck."], "{lines}");
    }
}
