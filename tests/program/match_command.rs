//! `decklaw match` from the outside: calls, exit statuses, files.

use serde_json::{Value, json};
use std::io::Write;
use std::process::{Command, Stdio};
use tempfile::TempDir;

const FIRST: &str = r#"{"step":"first-player","by":"random"}"#;

struct Answer {
    status: i32,
    out: String,
    error: String,
}

impl Answer {
    fn json(&self) -> Value {
        assert_eq!(self.status, 0, "{}", self.error);
        serde_json::from_str(&self.out).unwrap()
    }

    fn assert(&self, status: i32, says: &str) {
        assert_eq!(self.status, status, "{}{}", self.out, self.error);
        assert!(
            self.error.contains(says),
            "{:?} does not say {says:?}",
            self.error
        );
        assert!(
            status == 0 || self.out.is_empty(),
            "a refusal writes nothing"
        );
    }
}

fn run(arguments: &[&str], typed: &str) -> Answer {
    let mut child = Command::new(env!("CARGO_BIN_EXE_decklaw"))
        .arg("match")
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child
        .stdin
        .take()
        .unwrap()
        .write_all(typed.as_bytes())
        .unwrap();
    let output = child.wait_with_output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    Answer {
        status: output.status.code().unwrap(),
        out: text(output.stdout),
        error: text(output.stderr),
    }
}

fn decide(arguments: &[&str]) -> Answer {
    run(arguments, "")
}

fn at<'a>(folder: &TempDir, name: &str, kept: &'a mut Vec<String>) -> &'a str {
    kept.push(folder.path().join(name).to_str().unwrap().to_owned());
    kept.last().unwrap()
}

#[test]
fn a_match_from_seed_to_view() {
    let (folder, mut kept) = (TempDir::new().unwrap(), Vec::new());
    let file = at(&folder, "match.json", &mut kept);
    decide(&[
        "new", "vastrix", "--seed", "redeal", "--decide", FIRST, "--to", file,
    ])
    .assert(0, "");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let mode = std::fs::metadata(file).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600, "every hidden card is in it");
    }
    let made: Value = serde_json::from_str(&std::fs::read_to_string(file).unwrap()).unwrap();
    let digest = "3715b2de6986acc1211c7d8d1d2f91024c18d91c4b5be4210931a924d13883a0";
    assert_eq!(made["digests"]["state"], digest);
    assert_eq!(
        made["inputs"]["seats"][1],
        json!({"seat": "B", "name": "B"})
    );
    decide(&["verify", file]).assert(0, "");
    let shown = |seat: &str| decide(&["view", file, "--seat", seat, "-o", "json"]);
    let view = shown("B").json();
    assert_eq!(view["seats"]["B"]["zones"]["hand"]["cards"][0], "S048");
    assert_eq!(view["seats"]["A"]["zones"]["hand"]["cards"], Value::Null);
    let public = decide(&["view", file, "--seat", "public", "-o", "json"]).json();
    assert_eq!(public, shown("public").json());
    shown("C").assert(2, "nobody sits at seat C");
    decide(&["decide", file, FIRST]).assert(1, "nothing is awaited");
    decide(&["decide", file, "{"]).assert(2, "cannot be read");
    let sheet = decide(&["sheet", file]);
    assert!(sheet.out.starts_with("<!DOCTYPE html>") && sheet.out.contains("Hidden: only for"));
    let tampered =
        std::fs::read_to_string(file)
            .unwrap()
            .replacen("\"goal\": 21", "\"goal\": 22", 1);
    std::fs::write(file, tampered).unwrap();
    decide(&["verify", file]).assert(1, "verification failed");
    decide(&["view", file, "--seat", "public"]).assert(1, "verification failed");
}

#[test]
fn decisions_are_all_applied_or_none() {
    let (folder, mut kept) = (TempDir::new().unwrap(), Vec::new());
    let file = at(&folder, "match.json", &mut kept);
    let decks = [
        "--deck",
        "decks/shell/ebb.txt",
        "--deck",
        "decks/shell/ash-and-acorn.txt",
    ];
    decide(
        &[
            &["new", "shell"],
            &decks[..],
            &["--seed", "qorvith-blenska-uthmar-x", "--to", file],
        ]
        .concat(),
    )
    .assert(0, "");
    let before = std::fs::read_to_string(file).unwrap();
    let swap = |seat: &str| json!({"step": "swap", "seat": seat}).to_string();
    decide(&["decide", file, &swap("A"), &swap("A"), "--to", file])
        .assert(1, "no `swap` is awaited of seat A");
    assert_eq!(std::fs::read_to_string(file).unwrap(), before);
    decide(&["decide", file, &swap("A"), &swap("B"), FIRST, "--to", file]).assert(0, "");
    decide(&["verify", file]).assert(0, "");
    decide(&["next", file, "--won", "A"]).assert(1, "not finished");
    // Ten cards fewer leave points unspent.
    let made: Value = serde_json::from_str(&before).unwrap();
    let deck = made["state"]["seats"]["A"]["zones"]["deck"]
        .as_array()
        .unwrap();
    let mut ten: Vec<&str> = deck[..10].iter().map(|id| id.as_str().unwrap()).collect();
    ten.sort_unstable();
    let ten = json!({"step": "swap", "seat": "A", "main": {"out": ten, "in": []}}).to_string();
    std::fs::write(file, before).unwrap();
    decide(&["decide", file, &ten, "--to", file]).assert(1, "points");
    let left = std::fs::read_dir(folder.path()).unwrap().count();
    assert_eq!(left, 1, "nothing is left beside the file");
}

/// Whoever writes a match to a file is told what it waits for, as it can be answered; where the
/// match itself goes to standard output, nothing else stands there.
#[test]
fn what_a_match_waits_for_is_told() {
    let (folder, mut kept) = (TempDir::new().unwrap(), Vec::new());
    let file = at(&folder, "match.json", &mut kept).to_owned();
    let call = [
        "new",
        "shell",
        "--deck",
        "decks/shell/ebb.txt",
        "--deck",
        "decks/shell/ash-and-acorn.txt",
        "--seed",
        "qorvith-blenska-uthmar-x",
    ];
    let made = decide(&[&call[..], &["--to", &file]].concat());
    made.assert(0, "");
    // Each answer that is suggested can be given, until none is awaited.
    let mut told = made.out;
    for _ in 0..9 {
        let answers: Vec<&str> = told
            .lines()
            .filter_map(|line| line.strip_prefix("waits for ")?.split_once("such as "))
            .map(|(_, answer)| answer)
            .collect();
        if answers.is_empty() {
            break;
        }
        let answered = decide(&["decide", &file, answers[0], "--to", &file]);
        answered.assert(0, "");
        told = answered.out;
    }
    let play = format!("The match is ready: `decklaw match play {file}` plays it\n");
    assert_eq!(told, play);
    let on_screen = decide(&call);
    serde_json::from_str::<Value>(&on_screen.out).unwrap();
}

#[test]
fn a_deck_that_is_not_legal_is_refused_unless_allowed() {
    let decks = [
        "--deck",
        "decks/shell/ebb.txt",
        "--deck",
        "decks/shell/overspent.txt",
    ];
    decide(&[&["new", "shell"], &decks[..]].concat()).assert(1, "points");
    let made = decide(&[&["new", "shell", "--allow-illegal"], &decks[..]].concat()).json();
    assert_eq!(made["inputs"]["seats"][0]["deck"].get("illegal"), None);
    assert_eq!(
        made["inputs"]["seats"][1]["deck"]["illegal"],
        json!(["points"])
    );
}

#[test]
fn wrong_calls_are_told_from_refusals() {
    let low = [
        "--deck",
        "decks/vainqueur/low-water.txt",
        "--deck",
        "decks/vainqueur/tallow-court.txt",
    ];
    for (call, status, says) in [
        (vec!["new", "whist"], 2, "no format"),
        (
            vec![
                "new",
                "vastrix",
                "--option",
                "deffy=soda",
                "--option",
                "players=3",
            ],
            2,
            "two players",
        ),
        (
            vec!["new", "vastrix", "--option", "wind=1"],
            2,
            "no option `wind`",
        ),
        (
            vec!["new", "vastrix", "--option", "players=9"],
            2,
            "2, 3 or 4",
        ),
        (
            vec!["new", "vastrix", "--set", "unknown=notice"],
            2,
            "whole numbers",
        ),
        (vec!["new", "vastrix", "--set", "hand=3"], 2, "no setting"),
        (
            vec!["new", "vastrix", "--decide", "{\"step\":\"waltz\"}"],
            2,
            "unknown step",
        ),
        (
            vec![
                "new",
                "vastrix",
                "--decide",
                "{\"step\":\"roll\",\"by\":\"random\"}",
            ],
            1,
            "not awaited",
        ),
        (
            vec!["new", "vastrix", "--deck", "decks/shell/ebb.txt"],
            2,
            "name no deck",
        ),
        (
            vec!["new", "shell", "--deck", "decks/shell/ebb.txt"],
            2,
            "2 to 4 decks",
        ),
        (
            vec![
                "new",
                "shell",
                "--deck",
                "nowhere.txt",
                "--deck",
                "nowhere.txt",
            ],
            2,
            "no such file",
        ),
        (
            [&["new", "vainqueur"], &low[..]].concat(),
            2,
            "opening_hand",
        ),
        (
            [&["new", "vainqueur", "--set", "opening_hand=-1"], &low[..]].concat(),
            2,
            "opening_hand",
        ),
        (vec!["verify", "Cargo.toml"], 1, "not the JSON of a match"),
        (vec!["verify", "nowhere.json"], 2, "no such file"),
    ] {
        decide(&call).assert(status, says);
    }
}

#[test]
fn many_matches_are_one_a_line_and_seeded_by_number() {
    let call = [
        "new",
        "vastrix",
        "--seed",
        "qorvith-blenska-uthmar-t",
        "--decide",
        FIRST,
    ];
    let many = decide(&[&call[..], &["--count", "20"]].concat());
    assert_eq!(many.out.lines().count(), 20);
    let third: Value = serde_json::from_str(many.out.lines().nth(2).unwrap()).unwrap();
    assert_eq!(
        third,
        decide(&[
            "new",
            "vastrix",
            "--seed",
            "qorvith-blenska-uthmar-t/3",
            "--decide",
            FIRST
        ])
        .json()
    );
}

#[test]
fn a_match_of_three_games_keeps_its_score_and_ends() {
    let (folder, mut kept) = (TempDir::new().unwrap(), Vec::new());
    let file = at(&folder, "game.json", &mut kept).to_owned();
    let deck = "decks/vainqueur/low-water.txt";
    decide(&[
        "new",
        "vainqueur",
        "--deck",
        deck,
        "--deck",
        deck,
        "--set",
        "opening_hand=5",
        "--seed",
        "qorvith-blenska-uthmar-a",
        "--decide",
        FIRST,
        "--to",
        &file,
    ])
    .assert(0, "");
    // A format that does not count games goes on for as long as people like.
    decide(&["next", &file, "--won", "C"]).assert(2, "nobody sits");
    decide(&["next", &file, "--won", "b"]).assert(2, "A, B, C, D or draw");
    decide(&["next", &file]).assert(2, "--won");
    let next = decide(&[
        "next",
        &file,
        "--won",
        "draw",
        "--seed",
        "qorvith-blenska-uthmar-b",
    ])
    .json();
    assert_eq!(next["inputs"]["results"], json!(["draw"]));

    let deck = "decks/shell/ebb.txt";
    let swap = |seat: &str| json!({"step": "swap", "seat": seat}).to_string();
    let keep = |seat: &str| {
        json!({"step": "mulligan", "seat": seat, "choice": "keep", "bottom": []}).to_string()
    };
    decide(&[
        "new",
        "shell",
        "--deck",
        deck,
        "--deck",
        deck,
        "--seed",
        "qorvith-blenska-uthmar-a",
        "--replace",
        "--to",
        &file,
    ])
    .assert(0, "");
    let set_up = || {
        decide(&[
            "decide",
            &file,
            &swap("A"),
            &swap("B"),
            FIRST,
            &keep("A"),
            &keep("B"),
            "--to",
            &file,
        ])
        .assert(0, "");
    };
    let read =
        || -> Value { serde_json::from_str(&std::fs::read_to_string(&file).unwrap()).unwrap() };
    set_up();
    assert_eq!(
        read()["inputs"].get("results"),
        None,
        "a first game has none"
    );
    decide(&[
        "next",
        &file,
        "--won",
        "B",
        "--seed",
        "qorvith-blenska-uthmar-b",
        "--to",
        &file,
    ])
    .assert(0, "");
    set_up();
    assert_eq!(read()["inputs"]["results"], json!(["B"]));
    assert_eq!(read()["inputs"]["options"]["game"], json!(2));
    // "Before all three games": the third is set up even where one seat has won two.
    let third = decide(&[
        "next",
        &file,
        "--won",
        "B",
        "--seed",
        "qorvith-blenska-uthmar-c",
    ])
    .json();
    assert_eq!(third["inputs"]["results"], json!(["B", "B"]));
    assert_eq!(third["inputs"]["options"]["game"], json!(3));
    decide(&[
        "next",
        &file,
        "--won",
        "A",
        "--seed",
        "qorvith-blenska-uthmar-c",
        "--to",
        &file,
    ])
    .assert(0, "");
    set_up();
    decide(&["verify", &file]).assert(0, "");
    decide(&["next", &file, "--won", "A"]).assert(1, "seat A has won the most, 2");
    decide(&["next", &file, "--won", "draw"]).assert(1, "nobody has won more");
    for results in [
        json!([]),
        json!(["B"]),
        json!(["B", "B"]),
        json!(["B", "C"]),
        json!(["B", "b"]),
    ] {
        let mut changed = read();
        changed["inputs"]["results"] = results;
        let other = at(&folder, "changed.json", &mut Vec::new()).to_owned();
        std::fs::write(&other, changed.to_string()).unwrap();
        decide(&["verify", &other]).assert(1, "");
    }
}

#[test]
fn a_secret_choice_is_sealed_and_opened() {
    let (folder, mut kept) = (TempDir::new().unwrap(), Vec::new());
    let file = at(&folder, "match.json", &mut kept).to_owned();
    let option = "battlerealm=true";
    decide(&[
        "new",
        "vastrix",
        "--option",
        option,
        "--seed",
        "qorvith-blenska-uthmar-x",
        "--to",
        &file,
    ])
    .assert(0, "");
    let seal = |seat, choice| decide(&["decide", &file, "--seal", seat, choice, "--to", &file]);
    seal("A", "bravado").assert(2, "none of");
    seal("E", "beauty").assert(2, "a seat is");
    seal("C", "beauty").assert(1, "no secret choice is awaited");
    let mut later = Vec::new();
    for (seat, choice) in [("B", "beauty"), ("A", "bravery")] {
        let sealed = seal(seat, choice);
        sealed.assert(0, "");
        let (_, opens) = sealed.out.split_once("sealed theirs: ").unwrap();
        let file = std::fs::read_to_string(&file).unwrap();
        assert!(!file.contains(choice), "{file}");
        later.push(opens.lines().next().unwrap().to_owned());
    }
    decide(&["decide", &file, FIRST, &later[1], &later[0], "--to", &file]).assert(0, "");
    let view = decide(&["view", &file, "--seat", "public", "-o", "json"]).json();
    assert_eq!(view["seats"]["A"]["spec"], "bravery");
    assert_eq!(view["seats"]["B"]["spec"], "beauty");
    assert_eq!(view["pending"], json!([]));
    seal("A", "beauty").assert(1, "no secret choice is awaited");
    decide(&["new", "vastrix", "--count", "0"]).assert(2, "");
}

/// What `show` and `view` suggest can be decided, to the end of every kind of setup.
#[test]
fn what_is_suggested_can_be_decided() {
    let (folder, mut kept) = (TempDir::new().unwrap(), Vec::new());
    let file = at(&folder, "match.json", &mut kept).to_owned();
    let shell = "decks/shell/ebb.txt";
    let hero = "decks/vanquishers/quiet-ledgers.txt";
    for call in [
        vec!["shell", "--deck", shell, "--deck", shell],
        vec![
            "vanquishers",
            "--deck",
            hero,
            "--deck",
            hero,
            "--set",
            "starting_energy=1",
        ],
        vec![
            "vastrix",
            "--option",
            "deffy=soda",
            "--option",
            "just_checking=true",
        ],
        vec!["vastrix", "--option", "deffy=mystery-mix"],
    ] {
        decide(
            &[
                &[
                    "new",
                    "--seed",
                    "qorvith-blenska-uthmar-x",
                    "--replace",
                    "--to",
                    &file,
                ],
                &call[..],
            ]
            .concat(),
        )
        .assert(0, "");
        for _ in 0..40 {
            let shown = decide(&["view", &file, "--seat", "public"]).out;
            let Some(line) = shown.lines().find(|line| line.contains("Still to decide")) else {
                break;
            };
            let decision = &line[line.find('{').unwrap()..];
            decide(&["decide", &file, decision, "--to", &file]).assert(0, "");
        }
        assert!(
            decide(&["verify", &file]).out.contains("(ready)"),
            "{call:?}"
        );
    }
}

#[test]
fn many_files_are_verified_at_once_and_each_is_told() {
    let (folder, mut kept) = (TempDir::new().unwrap(), Vec::new());
    let good = at(&folder, "good.json", &mut kept).to_owned();
    let bad = at(&folder, "bad.json", &mut kept).to_owned();
    let none = at(&folder, "none.json", &mut kept).to_owned();
    decide(&[
        "new",
        "vastrix",
        "--seed",
        "qorvith-blenska-uthmar-x",
        "--to",
        &good,
    ])
    .assert(0, "");
    let text = std::fs::read_to_string(&good).unwrap();
    std::fs::write(&bad, text.replacen("\"goal\": 21", "\"goal\": 20", 1)).unwrap();
    let all = decide(&["verify", &good, &bad, &none, &good]);
    assert_eq!(all.status, 2, "a file is not there");
    assert_eq!(all.out.matches("good.json: verified (setup)").count(), 2);
    for told in [
        "bad.json: verification failed",
        "none.json: there is no such file",
        "2 of 4 files",
    ] {
        assert!(all.error.contains(told), "{}", all.error);
    }
    decide(&["verify", &good, &good]).assert(0, "");
    decide(&["verify", &none]).assert(2, "no such file");
}
