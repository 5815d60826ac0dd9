//! Several processes that work on one file: nothing that was acknowledged is lost, and no file
//! is replaced that was not meant.

use crate::calls::{Desk, sample};
use std::process::{Child, Command, Stdio};

/// How often two processes meet: a few times, or as often as the environment says.
fn times(few: usize) -> usize {
    let told = std::env::var("DECKLAW_INTERLEAVINGS").ok();
    told.and_then(|told| told.parse().ok()).unwrap_or(few)
}

fn begun(desk: &Desk, arguments: &[&str]) -> Child {
    Command::new(env!("CARGO_BIN_EXE_decklaw"))
        .args(arguments)
        .current_dir(desk.path(""))
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap()
}

#[test]
fn two_who_decide_at_once_both_decide() {
    let desk = Desk::new();
    let deck = sample("shell/ebb.txt");
    let first = crate::calls::FIRST;
    let swap = |seat| format!(r#"{{"step":"swap","seat":"{seat}"}}"#);
    let keep =
        |seat| format!(r#"{{"step":"mulligan","seat":"{seat}","choice":"keep","bottom":[]}}"#);
    desk.run(&format!(
        "new shell --deck {deck} --deck {deck} --seed qorvith-blenska-uthmar-x --decide '{}' --decide '{}' --decide '{first}' --to m.json",
        swap("A"),
        swap("B")
    ))
    .assert(0, &[]);
    let before = desk.read("m.json");
    for round in 0..times(24) {
        desk.write("m.json", &before);
        let one = |seat| {
            let keep = keep(seat);
            let call = ["match", "decide", "m.json", &keep, "--to", "m.json"];
            begun(&desk, &call)
        };
        let mut children = [one("A"), one("B")];
        for child in &mut children {
            assert!(child.wait().unwrap().success(), "round {round}");
        }
        let after = desk.json("m.json");
        assert_eq!(after["state"]["phase"], "ready", "round {round}");
        assert_eq!(after["inputs"]["decisions"].as_array().unwrap().len(), 5);
    }
    desk.run("verify m.json").assert(0, &[]);
    // The same decision twice: once it is made, and once it is refused.
    desk.write("m.json", &before);
    let keep = keep("A");
    let call = ["match", "decide", "m.json", &keep, "--to", "m.json"];
    let mut children = [begun(&desk, &call), begun(&desk, &call)];
    let ended: Vec<_> = children
        .iter_mut()
        .map(|child| child.wait().unwrap().code().unwrap())
        .collect();
    assert!(ended == [0, 1] || ended == [1, 0], "{ended:?}");
    assert_eq!(
        desk.json("m.json")["inputs"]["decisions"]
            .as_array()
            .unwrap()
            .len(),
        4
    );
}

#[test]
fn no_file_is_replaced_unless_the_call_says_so() {
    let desk = Desk::new();
    desk.ready("m.json");
    desk.write("taken.json", "mine");
    desk.write("taken.txt", "mine");
    for call in [
        "new vastrix --to taken.json".to_owned(),
        "new vastrix -o json=taken.json".to_owned(),
        "new vastrix --count 2 --to taken.json".to_owned(),
        "view m.json --seat public --to taken.txt".to_owned(),
        "sheet m.json --to taken.txt".to_owned(),
        "next m.json --won A --to taken.json".to_owned(),
        "export m.json --tabletop-simulator taken.json".to_owned(),
    ] {
        desk.run(&call).assert(2, &["taken.", "--replace"]);
        for file in ["taken.json", "taken.txt"] {
            assert_eq!(desk.read(file), "mine", "{call}");
        }
    }
    desk.run("new vastrix --to taken.json --replace")
        .assert(0, &[]);
    assert_eq!(desk.json("taken.json")["schema"], "decklaw/match/1");
}
