//! Seeds from a text: they deal, and what they cannot keep secret is said once.

use crate::calls::{Desk, FIRST, sample};

const NOTE: &str = "whoever knows the text of `--seed` can deal this again";

#[test]
fn a_text_deals_and_the_program_says_once_who_can_deal_it_again() {
    let desk = Desk::new();
    let deck = sample("shell/ebb.txt");
    for new in [
        "new vastrix --seed redeal --to m.json".to_owned(),
        "new vastrix --seed redeal --count 3 --to many.ndjson".to_owned(),
        format!("new shell --deck {deck} --deck {deck} --seed x --to s.json"),
    ] {
        let made = desk.run(&new);
        made.assert(0, &[NOTE]);
        assert_eq!(made.error.matches(NOTE).count(), 1, "{}", made.error);
    }
    let secret = desk.run("new vastrix");
    secret.assert(0, &[]);
    assert!(!secret.error.contains(NOTE), "{}", secret.error);
    // Nobody guesses at an empty text.
    for call in ["new vastrix --seed ''", "new vastrix --seed ' '"] {
        desk.run(call).assert(2, &["--seed is empty"]);
    }
}

#[test]
fn commands_that_show_a_match_ask_nothing_of_its_text() {
    let desk = Desk::new();
    desk.run(&format!(
        "new vastrix --seed redeal --decide '{FIRST}' --to m.json"
    ))
    .assert(0, &[NOTE]);
    desk.run("decide m.json '{\"do\":\"roll\",\"by\":\"A\",\"sides\":6}' --to p.json")
        .assert(0, &[]);
    for file in ["m.json", "p.json"] {
        for call in [
            format!("verify {file}"),
            format!("view {file} --seat A"),
            format!("view {file} --seat public -o json"),
            format!("show {file}"),
            format!("sheet {file}"),
            format!("export {file} --tabletop-simulator save-{file} --replace"),
        ] {
            let shown = desk.run(&call);
            shown.assert(0, &[]);
            assert!(!shown.error.contains("--seed"), "{call}: {}", shown.error);
        }
    }
    desk.run("next m.json --won A --seed winter --to next.json")
        .assert(0, &[NOTE]);
}

#[test]
fn every_match_is_of_one_scheme() {
    let desk = Desk::new();
    for chance in ["", "--seed redeal"] {
        desk.run(&format!("new vastrix {chance} --to m.json --replace"))
            .assert(0, &[]);
        let scheme = &desk.json("m.json")["inputs"]["randomness"]["scheme"];
        assert_eq!(*scheme, "decklaw-sha256ctr-2");
    }
    let other = desk.read("m.json").replace("sha256ctr-2", "sha256ctr-3");
    std::fs::write(desk.path("other.json"), other).unwrap();
    desk.run("verify other.json")
        .assert(1, &["decklaw-sha256ctr-3", "decklaw-sha256ctr-2"]);
}
