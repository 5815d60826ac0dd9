//! `decklaw odds` as a caller meets it: decks as files, exit statuses, places in queries.

use std::process::{Command, Output};

fn decklaw(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_decklaw"))
        .arg("odds")
        .args(arguments)
        .output()
        .unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn json(arguments: &[&str]) -> serde_json::Value {
    let output = decklaw(arguments);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

#[test]
fn a_deck_of_any_game_needs_a_hand() {
    let deck = "decks/any/poker-pack.txt";
    let query = "2+ [\"Ace of Clubs\" or \"Ace of Spades\"]";
    let found = json(&[deck, query, "--hand", "5", "-o", "json"]);
    assert_eq!(found["answers"][0]["fraction"], "5/663");
    let refused = decklaw(&[deck, query]);
    assert_eq!(refused.status.code(), Some(2));
    assert!(text(&refused.stderr).contains("--hand"));
}

#[test]
fn wrong_calls_say_what_and_where() {
    let deck = "decks/shell/ebb.txt";
    for (arguments, word) in [
        (&["1+ [colur:red]"][..], "·     ─────"),
        (
            &["1+ []", "--hand", "57"],
            "57 cards cannot be drawn from 56",
        ),
        (&["1+ []", "--hand", "-1"], "--hand"),
        (&["1+ []", "--hand", "99999999999"], "--hand"),
        (&["1+ []", "--given", "7+ []"], "no opening hand"),
        (&["1+ []", "--section", "sde"], "no section `sde`"),
        (&["1+ []", "-o", "xml"], "no output `xml`"),
        (&["some mana (1+ []"], "never closed"),
        (
            &["1+ []", "--policy", "at most 2, bottom 0 1"],
            "the number after 2 mulligans is missing",
        ),
    ] {
        let refused = decklaw(&[&[deck], arguments].concat());
        assert_eq!(refused.status.code(), Some(2), "{arguments:?}");
        let said = text(&refused.stderr);
        assert!(said.contains(word), "{arguments:?}: {said}");
        assert!(refused.stdout.is_empty());
    }
}

#[test]
fn pictures_tables_and_work_are_written() {
    let folder = tempfile::tempdir().unwrap();
    let svg = folder.path().join("odds.svg");
    let arguments = [
        "decks/shell/ebb.txt",
        "1+ [colour:red]",
        "--show-work",
        "--svg",
    ];
    let output = decklaw(&[&arguments[..], &[svg.to_str().unwrap()]].concat());
    assert!(text(&output.stdout).contains("any other card"));
    assert!(std::fs::read_to_string(svg).unwrap().starts_with("<svg"));
    let table = decklaw(&["decks/shell/ebb.txt", "1+ [colour:red]", "-o", "csv"]);
    assert_eq!(text(&table.stdout).lines().count(), 2);
}

const SHELL: &str = "decks/shell/ebb.txt";

#[test]
fn beyond_the_work_limit_a_question_is_refused() {
    for (arguments, keys) in [
        (
            vec!["2+ [mana:1]", "--turns", "2"],
            &["probability", "fraction"][..],
        ),
        (
            vec![
                "2+ [mana:1]",
                "--keep-hand",
                "best",
                "--policy",
                "at most 3",
            ],
            &["probability", "fraction"],
        ),
        (
            vec!["--expect", "sum(mana) [colour:red]"],
            &["mean", "mean_fraction", "fraction"],
        ),
        (
            vec!["--path", "7: 1+ [colour:red]; 9: 2+ [mana:2]"],
            &["probability", "fraction"],
        ),
        (vec![], &["fraction"]),
    ] {
        let asked = [&[SHELL][..], &arguments, &["-o", "json"]].concat();
        let exact = json(&asked);
        let output = decklaw(&[&asked[..], &["--effort", "0.00000001"]].concat());
        assert_eq!(output.status.code(), Some(1), "{arguments:?}");
        let refused: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(exact["policy"], refused["policy"]);
        let answers = refused["answers"].as_array().unwrap();
        assert_eq!(exact["answers"].as_array().unwrap().len(), answers.len());
        for answer in answers {
            let turns = answer["turns"].as_array().unwrap();
            for part in [answer].into_iter().chain(turns) {
                assert_eq!(part["method"], "refused", "{part}");
                for key in keys {
                    assert!(
                        part.get(key).is_some_and(serde_json::Value::is_null),
                        "{part}"
                    );
                }
            }
            assert!(
                answer["notes"].to_string().contains("raise the limit"),
                "{answer}"
            );
        }
        assert_eq!(
            exact["answers"][0]["turns"].as_array().unwrap().len(),
            answers[0]["turns"].as_array().unwrap().len()
        );
    }
    let refused = decklaw(&[SHELL, "2+ [mana:1]", "--effort", "0.00000001"]);
    assert_eq!(refused.status.code(), Some(1));
    assert!(text(&refused.stdout).contains(
        "  refused\n  note: the question takes more work than the limit allows: it splits the deck"
    ));
    let table = decklaw(&[SHELL, "2+ [mana:1]", "--effort", "0.00000001", "-o", "csv"]);
    assert!(text(&table.stdout).contains(",,,refused,aside,1,"));
}

#[test]
fn the_policy_told_is_the_one_that_was_played() {
    let path = json(&[SHELL, "--path", "7: 1+ [colour:red]", "-o", "json"]);
    assert_eq!(path["policy"]["mulligan"], "none");
    assert_eq!(path["policy"]["keep"], serde_json::Value::Null);
    let total = json(&[SHELL, "--expect", "sum(mana)", "-o", "json"]);
    assert_eq!(total["policy"]["limit"], 0);
    assert_eq!(total["policy"]["keep"], serde_json::Value::Null);
    let both = json(&[
        SHELL,
        "1+ [mana:1]",
        "--path",
        "7: 1+ [mana:1]",
        "-o",
        "json",
    ]);
    assert_eq!(both["policy"]["keep"], "1+ [mana:1]");
    assert_eq!(both["answers"][1]["policy"]["mulligan"], "none");
}

#[test]
fn events_that_cannot_happen_are_refused() {
    let query = "1+ []";
    for (arguments, word) in [
        (
            vec![SHELL, query, "--event", "destroyed=2,2,2,2"],
            "3 times",
        ),
        (vec![SHELL, query, "--event", "destroyed=0"], "from 1"),
        (vec![SHELL, query, "--event", "2"], "destroyed=2,4"),
        (
            vec![SHELL, query, "--event", "v-trigger=3"],
            "eave out `--event`",
        ),
        (
            vec![
                "decks/versus/two-rivers.txt",
                query,
                "--event",
                "destroyed=2",
            ],
            "eave out `--event`",
        ),
        (
            vec![SHELL, query, "--seat", "first"],
            "a letter or a number",
        ),
        (vec![SHELL, query, "--hand", "six"], "--hand"),
        (
            vec![SHELL, query, "--show-work", "-o", "csv"],
            "--show-work",
        ),
        (vec![SHELL, query, "--deal", "3", "-o", "csv"], "--deal"),
    ] {
        let output = decklaw(&arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        let said = text(&output.stderr);
        assert!(said.contains(word), "{arguments:?}: {said}");
    }
    // Two in one round are possible: 1 card in round 2, 3 in round 3.
    let found = json(&[
        SHELL,
        query,
        "--event",
        "destroyed=2,2",
        "--turns",
        "3",
        "-o",
        "json",
    ]);
    assert_eq!(found["answers"][0]["turns"][2]["seen"], 6 + 1 + 3);
    let pack = "decks/vastrix/travelling-pack.txt";
    let by_letter = json(&[pack, query, "--seat", "B", "-o", "json"]);
    assert_eq!(by_letter, json(&[pack, query, "--seat", "2", "-o", "json"]));
    assert_eq!(by_letter["hand"], 6);
}

#[test]
fn the_work_can_be_read_by_programs() {
    let found = json(&[SHELL, "1+ [mana:1]", "--show-work", "-o", "json"]);
    let work = &found["answers"][0]["work"];
    let atoms = work["atoms"].as_array().unwrap();
    let copies: u64 = atoms
        .iter()
        .map(|atom| atom["copies"].as_u64().unwrap())
        .sum();
    let all = copies + work["rest"].as_u64().unwrap();
    assert_eq!(all, found["population"].as_u64().unwrap());
    let plain = json(&[SHELL, "1+ [mana:1]", "-o", "json"]);
    assert!(plain["answers"][0].get("work").is_none());
}

#[test]
fn pictures_say_how() {
    let folder = tempfile::tempdir().unwrap();
    let drawn = |arguments: &[&str]| {
        let file = folder.path().join("odds.svg");
        let mut all = arguments.to_vec();
        all.extend(["--svg", file.to_str().unwrap(), "--replace"]);
        assert_eq!(decklaw(&all).status.code(), Some(0));
        std::fs::read_to_string(file).unwrap()
    };
    let pack = drawn(&["decks/vastrix/travelling-pack.txt"]);
    assert!(pack.contains("hand of 5, no mulligan") && pack.contains("hand of 6, no mulligan"));
    let presets = drawn(&[SHELL]);
    assert!(
        !presets.contains("100.00 %"),
        "2040110/2040129 is not certain: {presets}"
    );
}
