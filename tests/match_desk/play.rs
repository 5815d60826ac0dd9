//! Playing on at one keyboard.

use crate::calls::{Desk, sample};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

fn sha256(parts: &[&[u8]]) -> Vec<u8> {
    Sha256::digest(parts.concat()).to_vec()
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// A play file with these moves, chained as the document of the scheme says.
pub(crate) fn play_file(start: &Value, moves: &[Value]) -> Value {
    let digest = start["digests"]["inputs"].as_str().unwrap();
    let mut hash: Vec<u8> = (0..32)
        .map(|at| u8::from_str_radix(&digest[2 * at..2 * at + 2], 16).unwrap())
        .collect();
    let mut entries = Vec::new();
    for done in moves {
        // serde_json keeps keys in order, and these hold nothing that RFC 8785 writes otherwise.
        let canonical = serde_json_canonicalizer::to_vec(done).unwrap();
        hash = sha256(&[b"decklaw/play/1\0", &hash, &canonical]);
        entries.push(json!({"move": done, "hash": hex(&hash)}));
    }
    json!({"schema": "decklaw/play/1", "warning": "w", "match": start, "moves": entries})
}

#[test]
fn a_face_down_card_is_told_by_zone_and_slot() {
    let desk = Desk::new();
    desk.ready("m.json");
    let file = desk.json("m.json");
    let hidden = file["state"]["shared"]["zones"]["swap_bar"][0]["card"]
        .as_str()
        .unwrap();
    let typed = "turn swap_bar 0\npass\nshow\nflip swap_bar 0\nflip swap_bar 0\nshow\nquit\n";
    let played = desk.call("match play m.json", typed);
    let (before, after) = played.out.split_once("B> vastrix").unwrap();
    assert!(before.contains("Turned sideways: swap_bar 0\n"), "{before}");
    assert!(!before.contains(hidden), "{before}");
    // Face up for one move, and hidden again after it.
    let shown: Vec<&str> = after.split("B> ").collect();
    assert!(shown.iter().any(|text| text.contains(hidden)));
    assert!(!shown.last().unwrap().contains(hidden), "{after}");
}

#[test]
fn a_game_that_was_begun_is_carried_on_and_never_overwritten() {
    let desk = Desk::new();
    desk.ready("m.json");
    let first = desk.call("match play m.json", "draw\nroll\n");
    assert_eq!(first.status, 0, "{}", first.error);
    let second = desk.call("match play m.json", "pass\nquit\n");
    assert!(
        second.out.contains("carried on after 2 moves"),
        "{}",
        second.out
    );
    assert_eq!(
        desk.json("m.play.json")["moves"].as_array().unwrap().len(),
        3
    );
    // A play file is one by what it holds.
    desk.write("spring final", desk.read("m.play.json"));
    desk.call("match play 'spring final'", "draw\nquit\n")
        .assert(0, &[]);
    assert_eq!(
        desk.json("spring final")["moves"].as_array().unwrap().len(),
        4
    );
    // Neither another match's game, nor the match, nor anything else is written over.
    desk.run("new vastrix --seed qorvith-blenska-uthmar-other --decide '{\"step\":\"first-player\",\"by\":\"random\"}' --to o.json")
        .assert(0, &[]);
    desk.write("notes.txt", "mine");
    for taken in ["m.play.json", "o.json", "notes.txt"] {
        let before = desk.read(taken);
        desk.call(&format!("match play o.json --to {taken}"), "draw\nquit\n")
            .assert(2, &["exists already", "--to"]);
        assert_eq!(desk.read(taken), before);
    }
    // The shorter transcript does not replace the longer one, either.
    desk.call("match play m.play.json --to 'spring final'", "quit\n")
        .assert(0, &[]);
    assert_eq!(
        desk.json("spring final")["moves"].as_array().unwrap().len(),
        4
    );
    let help = desk.run("play --help").out;
    assert!(help.contains("carried on"), "{help}");
}

#[test]
fn the_last_hash_is_told_on_leaving_and_by_verify() {
    let desk = Desk::new();
    desk.ready("m.json");
    let start = desk.json("m.json");
    let left = desk.call("match play m.json", "draw\npass\nquit\n");
    let moves = [
        json!({"do": "draw", "by": "A", "from": "draw_pile", "to": "hand", "count": 1}),
        json!({"do": "pass", "by": "A"}),
    ];
    let mine = play_file(&start, &moves);
    let last = mine["moves"][1]["hash"].as_str().unwrap();
    assert!(
        left.out.contains(&format!("the last hash is\n{last}\n")),
        "{}",
        left.out
    );
    desk.write("mine.json", mine.to_string());
    for file in ["m.play.json", "mine.json"] {
        let told = desk.run(&format!("verify {file}"));
        assert!(
            told.out.contains(&format!("the last hash is {last}")),
            "{}",
            told.out
        );
    }
    let begun = desk.call("match play m.json --to new.json", "quit\n");
    assert!(
        begun
            .out
            .contains(start["digests"]["inputs"].as_str().unwrap())
    );
}

#[test]
fn names_of_counters_cannot_act_on_a_terminal() {
    let desk = Desk::new();
    desk.ready("m.json");
    let evil = "x\u{1b}]0;owned\u{7}\n  hand (99): Forged";
    let count = json!({"do": "count", "by": "A", "seat": "A", "counter": evil, "change": 1});
    desk.write(
        "evil",
        play_file(&desk.json("m.json"), &[count]).to_string(),
    );
    for call in ["verify evil", "play evil", "verify evil m.json"] {
        let answer = desk.run(call);
        answer.assert(1, &["move 1", "a counter cannot be called"]);
        for text in [&answer.out, &answer.error] {
            assert!(
                !text.contains('\u{1b}') && !text.contains('\u{7}'),
                "{text:?}"
            );
        }
    }
    let typed = "count \u{1b}[31mred 1 new\ncount \"\" 1 new\ncount \"story points\" 2 new\nquit\n";
    let played = desk.call("match play m.json", typed);
    assert_eq!(
        played.error.matches("a counter cannot be called").count(),
        2
    );
    assert!(played.out.contains("  story points: 2\n"), "{}", played.out);
    assert!(!played.out.contains('\u{1b}') && !played.error.contains('\u{1b}'));
}

#[test]
fn zones_of_several_words_are_named_in_quotes() {
    let desk = Desk::new();
    desk.write(
        "any.txt",
        "Format: any\n\nMain\n10 Elf\n\nSide Board\n2 Sword\n",
    );
    desk.run(&format!("new any --deck any.txt --deck any.txt --set opening_hand=3 --seed qorvith-blenska-uthmar-x --decide '{}' --to m.json", crate::calls::FIRST))
        .assert(0, &[]);
    let typed = "move \"side board\" 0 hand\nmove \"A.side board\" 0 hand\nmove \"side 0 hand\nhelp\nquit\n";
    let played = desk.call("match play m.json", typed);
    assert!(
        played.out.contains("hand (5)"),
        "{}{}",
        played.out,
        played.error
    );
    assert!(played.out.contains("in quotes"), "{}", played.out);
    assert_eq!(
        played.error.matches("not understood").count(),
        1,
        "{}",
        played.error
    );
    for line in played.out.lines().filter(|line| !line.contains("hand (")) {
        assert!(line.chars().count() <= 80, "{line}");
    }
}

#[test]
fn a_game_for_one_and_a_game_for_two_are_told_apart() {
    let desk = Desk::new();
    let deck = sample("shell/ebb.txt");
    desk.call(
        &format!("match goldfish {deck} --seed qorvith-blenska-uthmar-x --to alone.json"),
        "keep\nnext\nquit\n",
    )
    .assert(0, &[]);
    desk.call("match play alone.json", "quit\n")
        .assert(1, &["match goldfish"]);
    desk.ready("m.json");
    desk.call("match goldfish m.json", "quit\n")
        .assert(1, &["match play"]);
    desk.run("new vastrix --player Ann --player ''")
        .assert(2, &["name is empty"]);
    desk.run("new vastrix --player ' '")
        .assert(2, &["name is empty"]);
}
