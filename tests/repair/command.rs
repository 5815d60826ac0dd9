//! `decklaw fix` and `decklaw build` from the command line.

use crate::support::{judge, read};
use std::path::Path;
use std::process::{Command, Output};

pub(crate) fn run(folder: &Path, arguments: &[&str]) -> Output {
    // Cards are the same on every day.
    let day: &[&str] = match arguments.first() {
        Some(&"cards") => &[],
        _ => &["--as-of", "2026-03-01"],
    };
    Command::new(env!("CARGO_BIN_EXE_decklaw"))
        .current_dir(folder)
        .env("DECKLAW_CONFIG", folder.join("no-configuration"))
        .args(arguments)
        .args(day)
        .output()
        .unwrap()
}

pub(crate) fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

const SHORT: &str = "\u{feff}Format: versus/fast\r\nName: Tide\r\n# my deck\r\n\r\nMain (19)\r\n// the crew\r\n9x brinewick the  FERRIER\r\n10 Marguerite Sluice\r\n# end";

#[test]
fn a_deck_is_changed_in_place_and_keeps_all_else() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("tide.txt");
    std::fs::write(&file, SHORT).unwrap();
    let kept = run(
        folder.path(),
        &["fix", "tide.txt", "--only", "\"Marguerite Sluice\""],
    );
    assert!(kept.status.success(), "{kept:?}");
    assert_eq!(
        std::fs::read_to_string(&file).unwrap(),
        SHORT,
        "without --write nothing changes"
    );
    let arguments = [
        "fix",
        "tide.txt",
        "--write",
        "--only",
        "\"Marguerite Sluice\"",
    ];
    assert!(run(folder.path(), &arguments).status.success());
    let written = std::fs::read_to_string(&file).unwrap();
    assert_eq!(
        written,
        SHORT.replace("(19)", "(20)").replace("10 Marg", "11 Marg")
    );
    assert!(run(folder.path(), &["check", "tide.txt"]).status.success());
    let again = run(folder.path(), &["fix", "tide.txt", "--write"]);
    assert!(text(&again.stdout).contains("legal as it is"));
    assert_eq!(std::fs::read_to_string(&file).unwrap(), written);
}

#[test]
fn the_diff_applied_by_hand_is_the_deck_that_was_judged() {
    let judge = judge();
    let folder = tempfile::tempdir().unwrap();
    for case in [
        "shell/points_bad",
        "shell/side-overlap_bad",
        "vanquishers/hero_bad",
        "vastrix/whole-deck-double_bad",
    ] {
        let source = crate::decks::text(case);
        let file = folder.path().join("deck.txt");
        std::fs::write(&file, &source).unwrap();
        let output = run(folder.path(), &["fix", "deck.txt", "-o", "json"]);
        let fix: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(fix["schema"], "decklaw/fix/1");
        assert_eq!(fix["after"]["verdict"], "legal");
        assert_eq!(fix["optimal"], true);
        let mut deck = read(&judge, &source).unwrap();
        let mut distance = 0;
        for change in fix["changes"].as_array().unwrap() {
            let section = deck.section(change["section"].as_str().unwrap()).unwrap();
            let card = deck.find(change["card"].as_str().unwrap()).unwrap();
            let (from, to) = (
                change["from"].as_i64().unwrap(),
                change["to"].as_i64().unwrap(),
            );
            assert_eq!(deck.copies(section, card), from, "{case}");
            deck.set(section, card, to);
            distance += (to - from).abs();
        }
        assert_eq!(fix["distance"], distance, "{case}");
        assert_eq!(fix["after"]["hash"], deck.hash(), "{case}");
        assert!(deck.is_legal(), "{case}");
        let once = run(folder.path(), &["fix", "deck.txt", "-o", "json"]);
        assert_eq!(once.stdout, output.stdout, "the same bytes every time");
    }
}

#[test]
fn what_cannot_be_is_said_and_nothing_is_written() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
    write("broken.txt", "Format: shell\nMain\nthree cards\n");
    let output = run(folder.path(), &["fix", "broken.txt", "--write"]);
    assert_eq!(output.status.code(), Some(1));
    let kept = std::fs::read_to_string(folder.path().join("broken.txt")).unwrap();
    assert_eq!(kept, "Format: shell\nMain\nthree cards\n");
    write("token.txt", "Format: shell\nMain\n1 Sprout Token\n");
    let output = run(
        folder.path(),
        &["fix", "token.txt", "--keep", "\"Sprout Token\""],
    );
    assert_eq!(output.status.code(), Some(1));
    let said = text(&output.stdout);
    assert!(
        said.contains("accepts: ") && said.contains("keep: \"Sprout Token\""),
        "{said}"
    );
    assert!(!said.contains("points"), "{said}");
    for wrong in ["type:nothing", "\"No Such Card\"", "((("] {
        let output = run(folder.path(), &["fix", "token.txt", "--keep", wrong]);
        assert_eq!(output.status.code(), Some(2), "{wrong}");
    }
    write("own.csv", "count,name\nmany,Pip\n");
    let output = run(folder.path(), &["fix", "token.txt", "--own", "own.csv"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("line 2"));
}

#[test]
fn a_pool_that_makes_no_deck_is_explained() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(
        folder.path().join("cards.csv"),
        "name,type,colour,mana\nPip,spell,green,1\n",
    )
    .unwrap();
    let output = run(folder.path(), &["build", "shell", "--cards", "cards.csv"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(output.stdout.is_empty(), "standard output is for a deck");
    assert!(text(&output.stderr).contains("No such deck exists"));
    let output = run(
        folder.path(),
        &["build", "shell", "--cards", "cards.csv", "-o", "json"],
    );
    let build: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(
        (&build["deck"], &build["impossible"]),
        (&serde_json::Value::Null, &true.into())
    );
    assert_eq!(build["reasons"].as_array().unwrap().len(), 1, "{build}");
}

#[test]
fn what_is_built_is_legal_and_meets_the_wishes() {
    let folder = tempfile::tempdir().unwrap();
    let builds: [&[&str]; 5] = [
        &[
            "shell",
            "--wish",
            "side: 3+ [colour:blue]",
            "--wish",
            "extra: 15 []",
            "--wish",
            "sum(mana) [colour:red] >= 20",
        ],
        &[
            "vanquishers/advanced",
            "--wish",
            "6+ [type:weapon]",
            "--seed",
            "one",
        ],
        &[
            "versus/vs",
            "--prefer",
            "11 [type:item]",
            "--prefer",
            "5 [type:trap]",
        ],
        &[
            "vainqueur",
            "--wish",
            "50 []",
            "--set",
            "copies=3",
            "--set",
            "min=40",
            "--set",
            "max=60",
        ],
        &["vastrix"],
    ];
    for arguments in builds {
        let all: Vec<&str> = ["build"].iter().chain(arguments).copied().collect();
        let output = run(folder.path(), &all);
        assert!(output.status.success(), "{output:?}");
        std::fs::write(folder.path().join("deck.txt"), &output.stdout).unwrap();
        assert!(
            run(folder.path(), &["check", "deck.txt"]).status.success(),
            "{arguments:?}"
        );
        assert_eq!(run(folder.path(), &all).stdout, output.stdout);
    }
    let output = run(
        folder.path(),
        &[
            "build",
            "versus/fast",
            "--wish",
            "12+ [type:trap]",
            "--wish",
            "9+ [type:item]",
        ],
    );
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stderr).contains("size: "));
    for refused in [
        "different(1+ [], 1+ [])",
        "some colour (2+ [])",
        "1+ [kind:none]",
    ] {
        let output = run(folder.path(), &["build", "shell", "--wish", refused]);
        assert_eq!(output.status.code(), Some(2), "{refused}");
    }
}

#[test]
fn a_swap_spends_the_points_again() {
    let folder = tempfile::tempdir().unwrap();
    let built = run(
        folder.path(),
        &[
            "build",
            "shell",
            "--wish",
            "side: 2+ [colour:green mana:2]",
            "--wish",
            "main: 6+ [colour:green mana:1]",
        ],
    );
    assert!(built.status.success(), "{built:?}");
    let source = text(&built.stdout);
    std::fs::write(folder.path().join("deck.txt"), &source).unwrap();
    let side = source
        .split("Side\n")
        .nth(1)
        .unwrap()
        .lines()
        .next()
        .unwrap();
    let name = side.split_once(' ').unwrap().1;
    let wish = format!("in: \"{name}\" 1");
    let output = run(folder.path(), &["swap", "deck.txt", &wish, "-o", "json"]);
    let fix: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let of = |section: &str| -> i64 {
        let changes = fix["changes"].as_array().unwrap().iter();
        changes
            .filter(|change| change["section"] == section)
            .map(|change| change["to"].as_i64().unwrap() - change["from"].as_i64().unwrap())
            .sum()
    };
    assert_eq!(of("main"), -of("side"), "{fix}");
    let moved = |change: &serde_json::Value| {
        (change["to"].as_i64().unwrap() - change["from"].as_i64().unwrap()).abs()
    };
    let changes = fix["changes"].as_array().unwrap().iter();
    let distance = fix["distance"].as_i64().unwrap();
    assert_eq!(distance, changes.map(moved).sum::<i64>(), "{fix}");
    assert!(
        (4..=6).contains(&distance),
        "one of two mana comes in, one of two or two of one go out, and each leaves the other list: {fix}"
    );
    assert_eq!(fix["after"]["verdict"], "legal", "{fix}");
    for wrong in ["in: \"Nobody\" 1", "up: \"Pip\"", "in:", "in: \"Pip", ""] {
        let output = run(folder.path(), &["swap", "deck.txt", wrong]);
        assert_eq!(output.status.code(), Some(2), "{wrong}");
    }
}

#[test]
fn room_is_what_check_lets_in() {
    let judge = judge();
    let source = crate::decks::text("shell/side-overlap_bad");
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("deck.txt"), &source).unwrap();
    let output = run(folder.path(), &["room", "deck.txt", "-o", "json"]);
    let shown: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let deck = read(&judge, &source).unwrap();
    let errors = |deck: &decklaw::resolve::Decklist| {
        let judged = deck.judge();
        judged
            .iter()
            .filter(|found| found.violation.failing == decklaw::rules::Failing::Excess)
            .filter(|found| deck.rulebook().severity(found) == decklaw::rules::Severity::Error)
            .count()
    };
    let before = errors(&deck);
    for room in shown["room"].as_array().unwrap() {
        let section = deck.section(room["section"].as_str().unwrap()).unwrap();
        let card = deck.find(room["card"].as_str().unwrap()).unwrap();
        let Some(more) = room["more"].as_i64() else {
            continue;
        };
        let mut fuller = deck.clone();
        fuller.add(section, card, more);
        assert_eq!(errors(&fuller), before, "{room}");
        assert!(
            room["message"].is_string() && room["rule"].is_string(),
            "{room}"
        );
    }
    let table = run(folder.path(), &["room", "deck.txt", "-o", "csv"]);
    let lines = text(&table.stdout).lines().count();
    assert_eq!(lines, shown["room"].as_array().unwrap().len() + 1);
}

/// A card that breaks a rule in one section may have room in another, which the rule does not ask.
#[test]
fn an_error_in_one_section_takes_no_room_in_another() {
    let folder = tempfile::tempdir().unwrap();
    let advanced = "Format: vanquishers/advanced\n\nHero\n1 Mother O'Dell\n\nMain\n5 Rime Covenant\n4 Second Wind\n4 Field Kitchen\n20 Amber Cartridge\n";
    let shells = std::fs::read_to_string("decks/shell/ebb.txt").unwrap();
    let shells = shells.replacen("1 Azure Keep", "2 Azure Keep", 1);
    for (deck, section, card, more, rule) in [
        // The Energy Class that a deck begins with is none of the four of its main deck.
        (advanced, "energy", "Rime Covenant", 1, "energy-class"),
        (advanced, "main", "Rime Covenant", 0, "copies"),
        (&shells, "side", "Azure Keep", 0, "side-overlap"),
        (&shells, "shells", "Azure Keep", 0, "shells"),
    ] {
        std::fs::write(folder.path().join("deck.txt"), deck).unwrap();
        let output = run(folder.path(), &["room", "deck.txt", "-o", "json"]);
        let shown: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        let mut rooms = shown["room"].as_array().unwrap().iter();
        let room = rooms.find(|room| room["section"] == section && room["card"] == card);
        let room = room.unwrap();
        assert_eq!(
            (&room["more"], &room["rule"]),
            (&more.into(), &rule.into()),
            "{room}"
        );
    }
}

#[test]
fn a_built_deck_follows_the_advice() {
    let folder = tempfile::tempdir().unwrap();
    for format in [
        "versus/fast",
        "vanquishers",
        "vainqueur",
        "versus/vs-shared",
    ] {
        let output = run(folder.path(), &["build", format]);
        assert!(output.status.success(), "{output:?}");
        std::fs::write(folder.path().join("deck.txt"), &output.stdout).unwrap();
        let check = run(folder.path(), &["check", "deck.txt", "-o", "csv"]);
        assert!(!text(&check.stdout).contains("warning"), "{check:?}");
    }
    // What is asked for goes before advice, and what is left of it is said.
    let output = run(
        folder.path(),
        &["build", "versus/fast", "--prefer", "20 [type:trap]"],
    );
    assert!(output.status.success());
    assert!(text(&output.stderr).contains("warning: composition: "));
}

#[test]
fn of_repairs_of_one_size_one_that_follows_the_advice_is_taken() {
    let folder = tempfile::tempdir().unwrap();
    let source = std::fs::read_to_string("decks/versus/half-mustered.txt").unwrap();
    std::fs::write(folder.path().join("deck.txt"), source).unwrap();
    let output = run(folder.path(), &["fix", "deck.txt", "-o", "json"]);
    let fix: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(fix["distance"], 2, "{fix}");
    assert_eq!(fix["optimal"], true);
    assert_eq!(fix["after"]["findings"].as_array().unwrap().len(), 0);
}

#[test]
fn slips_in_a_wish_or_a_collection_are_named() {
    let folder = tempfile::tempdir().unwrap();
    for (wish, said) in [
        ("sid: 3+ []", "there is no section `sid`"),
        ("3+ [\"Moss Sprit\"]", "did you mean Moss Sprite"),
        ("100000000000000000000+ []", "too large"),
        ("", "empty"),
        ("\u{1b}[2J", "expected"),
    ] {
        let output = run(folder.path(), &["build", "shell", "--wish", wish]);
        assert_eq!(output.status.code(), Some(2), "{wish:?}");
        let shown = text(&output.stderr);
        assert!(shown.contains(said), "{wish:?}: {shown}");
        assert!(!shown.contains('\u{1b}'), "{shown:?}");
    }
    std::fs::write(
        folder.path().join("own.csv"),
        "count,name\n99,Marguerite Sluice\n99,Brinewick the Ferier\n",
    )
    .unwrap();
    let output = run(folder.path(), &["build", "versus/fast", "--own", "own.csv"]);
    assert!(output.status.success(), "{output:?}");
    assert!(text(&output.stderr).contains("`Brinewick the Ferier`"));
    assert!(text(&output.stdout).contains("20 Marguerite Sluice"));
}

#[test]
fn a_narrow_terminal_is_filled_and_not_overrun() {
    let folder = tempfile::tempdir().unwrap();
    let source = std::fs::read_to_string("decks/vainqueur/misfiled.txt").unwrap();
    std::fs::write(folder.path().join("deck.txt"), source).unwrap();
    for arguments in [&["fix", "deck.txt"][..], &["room", "deck.txt"]] {
        let output = Command::new(env!("CARGO_BIN_EXE_decklaw"))
            .current_dir(folder.path())
            .env("DECKLAW_CONFIG", folder.path().join("no-configuration"))
            .env("COLUMNS", "40")
            .args(arguments)
            .output()
            .unwrap();
        for line in text(&output.stdout).lines().skip(1) {
            assert!(line.chars().count() <= 40, "{line}");
        }
    }
}

/// Whatever the work that is allowed, JSON and words claim the same of a contradiction.
#[test]
fn a_contradiction_that_was_cut_says_so_to_programs_too() {
    let folder = tempfile::tempdir().unwrap();
    let (mut whole, mut cut) = (0, 0);
    for effort in ["2e-5", "1e-4", "2e-4", "4e-4", "1e-3", "4e-3", "0.02", "2"] {
        for wishes in [
            ["12+ [type:trap]", "9+ [type:item]"],
            ["sum(use) >= 0 and 21+ []", "3+ [element:water]"],
            [
                "15+ [type:character] and 6+ [type:trap]",
                "2- [type:item] and 4+ [type:item]",
            ],
        ] {
            let [one, other] = wishes;
            let asked = [
                "build",
                "versus/fast",
                "--wish",
                one,
                "--wish",
                other,
                "--effort",
                effort,
            ];
            let human = run(folder.path(), &asked);
            let said = text(&human.stderr);
            let output = run(folder.path(), &[&asked[..], &["-o", "json"]].concat());
            let Ok(json) = serde_json::from_slice::<serde_json::Value>(&output.stdout) else {
                continue;
            };
            let several = json["reasons"]
                .as_array()
                .is_some_and(|reasons| reasons.len() > 1);
            assert_eq!(
                json["impossible"] == true,
                said.contains("No such deck exists"),
                "{said}"
            );
            match &json["irreducible"] {
                serde_json::Value::Bool(true) => {
                    whole += 1;
                    assert!(
                        !several || said.contains("Without any one of them"),
                        "{said}"
                    );
                }
                serde_json::Value::Bool(false) => {
                    cut += 1;
                    assert!(said.contains("some of them may not be needed"), "{said}");
                }
                other => assert!(other.is_null() && json["impossible"] == false, "{json}"),
            }
        }
    }
    assert!(whole > 3, "{whole} {cut}");
}

#[test]
fn the_mended_deck_goes_where_to_says_and_reports_where_they_are_named() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::copy(
        "decks/vainqueur/misfiled.txt",
        folder.path().join("deck.txt"),
    )
    .unwrap();
    let fix = |more: &[&str]| run(folder.path(), &[&["fix", "deck.txt"], more].concat());
    let human = fix(&["--to", "mended.txt"]);
    assert_eq!(human.status.code(), Some(0), "{human:?}");
    assert!(!human.stdout.is_empty());
    let check = run(folder.path(), &["check", "mended.txt"]);
    assert_eq!(check.status.code(), Some(0), "{check:?}");
    // Reports besides, in files and on the screen; the deck is the same.
    let both = fix(&["--to", "again.txt", "-o", "json=report.json"]);
    assert_eq!((both.status.code(), both.stdout.len()), (Some(0), 0));
    let json = fix(&["--to", "third.txt", "-o", "json"]);
    let report = std::fs::read(folder.path().join("report.json")).unwrap();
    assert_eq!(json.stdout, report);
    let deck = |name: &str| std::fs::read(folder.path().join(name)).unwrap();
    assert_eq!(deck("mended.txt"), fix(&["-o", "deck"]).stdout);
    assert_eq!(deck("mended.txt"), deck("again.txt"));
    assert_eq!(deck("mended.txt"), deck("third.txt"));
    // Where there is no such deck there is no file, and the report says why.
    std::fs::copy(
        "decks/shell/too-many-copies.txt",
        folder.path().join("deck.txt"),
    )
    .unwrap();
    let none = fix(&["--to", "none.txt", "--keep", "mana:*", "-o", "json"]);
    assert_eq!(none.status.code(), Some(1));
    let said: serde_json::Value = serde_json::from_slice(&none.stdout).unwrap();
    assert!(said.is_object(), "{said}");
    assert!(!folder.path().join("none.txt").exists());
}
