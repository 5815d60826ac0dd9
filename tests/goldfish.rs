//! `decklaw match goldfish` and `match next` from the outside.
#![allow(clippy::unwrap_used)]

use serde_json::Value;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};
use tempfile::TempDir;

/// Exit status, standard output, standard error.
fn run(arguments: &[&str], typed: &str) -> (i32, String, String) {
    let mut child = Command::new(env!("CARGO_BIN_EXE_decklaw"))
        .arg("match")
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // A refusal may end the program before it reads.
    let _ = child.stdin.take().unwrap().write_all(typed.as_bytes());
    let output = child.wait_with_output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    let status = output.status.code().unwrap();
    (status, text(output.stdout), text(output.stderr))
}

fn goldfish(deck: &str, more: &[&str], typed: &str) -> String {
    let (status, out, error) = run(&[&["goldfish", deck, "--seed", "x"], more].concat(), typed);
    assert_eq!(status, 0, "{out}{error}");
    out
}

/// How many cards each `Turn N: K cards drawn` tells.
fn drawn(out: &str) -> Vec<u32> {
    let told = out.lines().filter_map(|line| line.split_once("> Turn "));
    told.map(|(_, told)| {
        let (_, cards) = told.split_once(": ").unwrap();
        cards.split(' ').next().unwrap().parse().unwrap()
    })
    .collect()
}

#[test]
fn each_game_draws_as_its_rules_say() {
    // Nothing in round 1, one a round, one more for each destroyed Shell; the new hand after
    // a mulligan shares no card with the old one, so eleven of the deck are gone by then.
    let out = goldfish(
        "decks/shell/ebb.txt",
        &[],
        "keep\nnext\nnext\nevent\nnext\nevent\nnext\n",
    );
    assert_eq!(drawn(&out), [0, 1, 2, 3]);
    assert!(out.contains("No card text is judged"));
    // A card each turn, the first one included; the hand is what was given.
    let out = goldfish(
        "decks/vainqueur/barley-crown.txt",
        &["--set", "opening_hand=4"],
        "next\nnext\n",
    );
    assert_eq!(drawn(&out), [1, 1]);
    assert!(out.contains("hand (4):") && out.contains("hand (6):"));
    // Up to five again.
    let moves = "next\nmove hand 0 grid\nmove hand 0 grid\nnext\n";
    let out = goldfish("decks/versus/kitchen-table.txt", &[], moves);
    assert_eq!(drawn(&out), [0, 2]);
    // An action draws one; two with an empty hand.
    let empty = "move hand 0 exile\n".repeat(6);
    let out = goldfish(
        "decks/vastrix/travelling-pack.txt",
        &[],
        &format!("next\n{empty}next\n"),
    );
    assert_eq!(drawn(&out), [1, 2]);
    // Nothing is known of other games; the deck's first section is dealt.
    let hand = ["--set", "opening_hand=5"];
    let out = goldfish("decks/any/poker-pack.txt", &hand, "next\nnext 47\nnext 3\n");
    assert_eq!(drawn(&out), [0, 47, 0]);
    assert!(out.contains("The deck is empty"));
    let (status, ..) = run(&["goldfish", "decks/any/poker-pack.txt"], "");
    assert_eq!(status, 2, "an opening hand is never made up");
}

#[test]
fn a_game_is_kept_carried_on_and_proved() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("game.json");
    let file = path.to_str().unwrap();
    let typed = "mulligan\nmulligan\nkeep\nkeep 0\nnext\nnext\nmove hand 0 remnant\nundo\n";
    let (status, out, error) = run(
        &[
            "goldfish",
            "decks/shell/ebb.txt",
            "--seed",
            "x",
            "--to",
            file,
        ],
        typed,
    );
    assert_eq!(status, 0, "{error}");
    assert!(error.contains("1 card go to the bottom"), "{error}");
    assert!(out.contains("hand (5):"), "one card under the deck: {out}");
    let (status, out, _) = run(&["verify", file], "");
    assert_eq!((status, out.contains("4 moves")), (0, true), "{out}");
    let (status, out, _) = run(&["goldfish", file], "next\n");
    assert_eq!((status, drawn(&out)), (0, vec![1]));
    assert!(out.contains("Turn 3"));
    let (status, _, error) = run(&["play", file], "");
    assert_eq!((status, error.contains("alone")), (1, true));
    let kept: Value = serde_json::from_str(&std::fs::read_to_string(&path).unwrap()).unwrap();
    assert_eq!(kept["schema"], "decklaw/goldfish/1");
    let spoil = |place: &str, value: Value| {
        let mut spoilt = kept.clone();
        *spoilt.pointer_mut(place).unwrap() = value;
        std::fs::write(&path, spoilt.to_string()).unwrap();
        assert_eq!(run(&["verify", file], "").0, 1, "{place}");
    };
    spoil("/moves/1/move/count", 2.into());
    spoil("/moves/0/hash", "0".repeat(64).into());
    spoil("/match/state/seats/A/zones/hand/0", "A001".into());
    spoil("/schema", "decklaw/play/1".into());
    let mut spoilt = kept.clone();
    spoilt["section"] = "side".into();
    std::fs::write(&path, spoilt.to_string()).unwrap();
    assert_eq!(run(&["verify", file], "").0, 1);
}

#[test]
fn slips_end_no_game_and_wrong_calls_are_told() {
    let moves = "next x\nfly\npass\nevent\nmove hand 99 cemetery\nundo\nnext\n";
    let hand = ["--set", "opening_hand=4"];
    let out = goldfish("decks/vainqueur/barley-crown.txt", &hand, moves);
    assert_eq!(drawn(&out), [1]);
    assert_eq!(run(&["goldfish", "-"], "").0, 2);
    assert_eq!(run(&["goldfish", "nowhere.txt"], "").0, 2);
    assert_eq!(
        run(&["goldfish", "decks/shell/overspent.txt"], "keep\n").0,
        1
    );
}

#[test]
fn results_decide_whether_there_is_a_next_game() {
    let folder = TempDir::new().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let first = r#"{"step":"first-player","by":"choice","seat":"B"}"#;
    let swaps = [
        r#"{"step":"swap","seat":"A"}"#,
        r#"{"step":"swap","seat":"B"}"#,
    ];
    let keeps = ["A", "B"].map(|seat| {
        format!(r#"{{"step":"mulligan","seat":"{seat}","choice":"keep","bottom":[]}}"#)
    });
    let mut decided = Vec::new();
    for decision in swaps
        .iter()
        .copied()
        .chain([first])
        .chain(keeps.iter().map(String::as_str))
    {
        decided.extend(["--decide", decision]);
    }
    let deck = ["--deck", "decks/shell/ebb.txt"];
    let (one, two, three) = (path("1.json"), path("2.json"), path("3.json"));
    let new = [&["new", "shell", "--to", &one][..], &deck, &deck, &decided].concat();
    assert_eq!(run(&new, "").0, 0);
    let next = |from: &str, to: &str, won: &[&str]| {
        let won = won.iter().flat_map(|seat| ["--won", seat]);
        let call = ["next", from, "--to", to].into_iter().chain(won);
        let call: Vec<&str> = call.chain(decided.iter().copied()).collect();
        let (status, _, error) = run(&call, "");
        (status, error)
    };
    assert_eq!(next(&one, &two, &["A"]).0, 0);
    let made: Value = serde_json::from_str(&std::fs::read_to_string(&two).unwrap()).unwrap();
    assert_eq!(made["inputs"]["options"]["game"], 2);
    assert_eq!(made["state"]["first"], "B");
    assert_eq!(next(&two, &three, &["A"]).0, 2, "two games, one result");
    assert_eq!(next(&two, &three, &["A", "C"]).0, 2, "nobody sits there");
    assert_eq!(next(&two, &three, &["A", "nobody"]).0, 2);
    let (status, error) = next(&two, &three, &["A", "A"]);
    assert_eq!((status, error.contains("decided")), (1, true), "{error}");
    assert!(!Path::new(&three).exists(), "a refusal writes nothing");
    assert_eq!(next(&two, &three, &["A", "draw"]).0, 0);
    let (status, error) = next(&three, &path("4.json"), &["A", "draw", "draw"]);
    assert_eq!((status, error.contains("over")), (1, true), "{error}");
}
