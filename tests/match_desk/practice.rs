//! Seeds that anybody guesses: refused wherever a match would hide something, unless it is for
//! practice.

use crate::calls::{Desk, FIRST, sample};

/// Random letters and digits.
const SECRET: &str = "x7Kq2vZpLw9dRtB4mQ";

#[test]
fn texts_that_a_dictionary_finds_make_no_match_that_hides_something() {
    let desk = Desk::new();
    let deck = sample("shell/ebb.txt");
    let long = "ebb-and-flow-2026-11-22";
    for text in [
        "redeal",
        "summer-tournament-2026",
        long,
        "aaaaaaaaaaaaaaaaaaaaaaaa",
    ] {
        for new in [
            format!("new vastrix --seed {text}"),
            format!("new vastrix --seed {text} --count 3"),
            format!("new shell --deck {deck} --deck {deck} --seed {text}"),
        ] {
            let refused = desk.run(&format!("{new} --to m.json"));
            refused.assert(2, &["dictionary", "leave `--seed` out", "--practice"]);
            assert!(!desk.path("m.json").exists());
        }
    }
    desk.run(&format!(
        "new vastrix --seed {SECRET} --decide '{FIRST}' --to m.json"
    ))
    .assert(0, &[]);
    desk.run("view m.json --seat A").assert(0, &[]);
    desk.run("next m.json --won A --seed winter")
        .assert(2, &["dictionary"]);
    desk.run(&format!("next m.json --won A --seed {SECRET}2"))
        .assert(0, &[]);
    // A player alone hides nothing from anybody.
    desk.run(&format!("goldfish {deck} --seed redeal"))
        .assert(0, &[]);
    desk.run("new vastrix --practice").assert(2, &["--seed"]);
}

/// The names in the file are tried, too: the players', the decks', the cards'.
#[test]
fn every_command_that_shows_something_asks_for_practice() {
    let desk = Desk::new();
    for text in [
        "redeal",
        "Winter7",
        "24.12.1999",
        "4711",
        "Zacharias",
        "zacharias1987",
        "rj12",
    ] {
        let new = format!(
            "new vastrix --player Zacharias --practice --seed {text} --decide '{FIRST}' --to m.json --replace"
        );
        desk.run(&new).assert(0, &[]);
        // The file is what it is, and proves itself.
        desk.run("verify m.json").assert(0, &[]);
        let _ = std::fs::remove_file(desk.path("m.play.json"));
        let said = desk.call("match play m.json --practice", "draw\nquit\n");
        said.assert(0, &[]);
        desk.run("verify m.play.json").assert(0, &[]);
        for file in ["m.json", "m.play.json"] {
            for call in [
                format!("view {file} --seat A"),
                format!("view {file} --public -o json"),
                format!("show {file}"),
                format!("sheet {file}"),
                format!("play {file}"),
                format!("export {file} --tabletop-simulator {text}-{file} --replace"),
            ] {
                let refused = desk.run(&call);
                refused.assert(2, &["a dictionary finds the text", "--practice"]);
                assert!(refused.out.is_empty(), "{call}");
                desk.run(&format!("{call} --practice")).assert(0, &[]);
            }
        }
        desk.run("log m.play.json").assert(2, &["--practice"]);
        desk.run("log m.play.json --practice").assert(0, &[]);
    }
    // What nobody finds needs no leave; nor does what the system gave.
    for seed in [format!("--seed {SECRET}"), String::new()] {
        let new = format!("new vastrix {seed} --decide '{FIRST}' --to m.json --replace");
        desk.run(&new).assert(0, &[]);
        desk.run("view m.json --seat A").assert(0, &[]);
        desk.run("show m.json --practice").assert(0, &[]);
    }
}

#[test]
fn what_is_secret_is_of_the_second_scheme_and_practice_of_the_first() {
    let desk = Desk::new();
    let scheme = |call: &str| {
        desk.run(&format!("{call} --decide '{FIRST}' --to m.json --replace"))
            .assert(0, &[]);
        desk.run("verify m.json").assert(0, &[]);
        let file = desk.json("m.json");
        let scheme = file["inputs"]["randomness"]["scheme"].as_str().unwrap();
        scheme.trim_start_matches("decklaw-sha256ctr-").to_owned()
    };
    let parts = ["a", "b"].map(|digit| format!("--seed-part {}", digit.repeat(64)));
    let parts = parts.join(" ");
    assert_eq!(scheme("new vastrix"), "2");
    assert_eq!(scheme(&format!("new vastrix --seed {SECRET}")), "2");
    assert_eq!(scheme(&format!("new vastrix {parts}")), "2");
    assert_eq!(scheme("new vastrix --seed redeal --practice"), "1");
    let first = "--scheme decklaw-sha256ctr-1";
    assert_eq!(scheme(&format!("new vastrix {parts} {first}")), "1");
    let second = "--scheme decklaw-sha256ctr-2";
    assert_eq!(
        scheme(&format!("new vastrix --seed redeal --practice {second}")),
        "2"
    );
    desk.run("new vastrix --scheme 3")
        .assert(2, &["decklaw-sha256ctr-1, decklaw-sha256ctr-2"]);
}
