//! No output takes the place of what the run reads.

use crate::common;

use common::decklaw;
use std::process::Command;

const DECK: &str = "Format: any\n\nMain\n1 A\n1 B\n1 C\n1 D\n1 E\n1 F\n1 G\n";
const LIST: &str = "schema: decklaw/banlist/1\nid: t\ngame: vainqueur\nname: T\neffective: 2026-01-01\nbanned: [Chapel Lynx]\n";

/// A folder with a file of each kind.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("decks")).unwrap();
    for (name, text) in [
        ("deck.txt", DECK),
        ("decks/one.json", r#"{"format":"any","main":["1 A"]}"#),
        ("form.csv", "Player,Format,Deck\nAna,any,row.txt\n"),
        ("row.txt", DECK),
        ("cards.csv", "name\nA\nB\n"),
        ("list.yaml", LIST),
        (
            "monster.txt",
            "Format: vainqueur\n\n2 Wolf Who Ate the Map\n",
        ),
    ] {
        std::fs::write(folder.path().join(name), text).unwrap();
    }
    folder
}

#[test]
fn an_input_is_never_overwritten() {
    let folder = folder();
    #[cfg(unix)]
    std::os::unix::fs::symlink("deck.txt", folder.path().join("link.txt")).unwrap();
    let calls: &[(&str, &[&str])] = &[
        (
            "form.csv",
            &["check", "--submissions", "form.csv", "-o", "csv=form.csv"],
        ),
        (
            "row.txt",
            &["check", "--submissions", "form.csv", "-o", "csv=row.txt"],
        ),
        ("deck.txt", &["check", "deck.txt", "-o", "csv=deck.txt"]),
        (
            "deck.txt",
            &["check", "deck.txt", "-o", "csv=decks/../deck.txt"],
        ),
        (
            "deck.txt",
            &["check", "deck.txt", "-o", "json", "--to", "deck.txt"],
        ),
        (
            "decks/one.json",
            &["check", "decks", "-o", "json=decks/one.json"],
        ),
        (
            "decks/one.json",
            &["check", "decks/*.json", "-o", "json=decks/one.json"],
        ),
        (
            "cards.csv",
            &[
                "check",
                "deck.txt",
                "--cards",
                "any=cards.csv",
                "-o",
                "csv=cards.csv",
            ],
        ),
        (
            "list.yaml",
            &[
                "check",
                "monster.txt",
                "--banlist",
                "list.yaml",
                "-o",
                "junit=list.yaml",
            ],
        ),
        (
            "deck.txt",
            &[
                "convert",
                "deck.txt",
                "--to-format",
                "cod",
                "--to",
                "deck.txt",
            ],
        ),
        (
            "deck.txt",
            &["print", "deck.txt", "--sheet", "--to", "deck.txt"],
        ),
        ("deck.txt", &["stats", "deck.txt", "--svg", "deck.txt"]),
        ("deck.txt", &["stats", "deck.txt", "--to", "deck.txt"]),
        (
            "deck.txt",
            &[
                "odds", "deck.txt", "1+ [A]", "--hand", "2", "--to", "deck.txt",
            ],
        ),
        ("deck.txt", &["fix", "deck.txt", "-o", "deck=deck.txt"]),
        #[cfg(unix)]
        ("deck.txt", &["check", "deck.txt", "-o", "csv=link.txt"]),
        #[cfg(unix)]
        ("deck.txt", &["check", "link.txt", "-o", "csv=deck.txt"]),
    ];
    for (file, call) in calls {
        let before = std::fs::read(folder.path().join(file)).unwrap();
        let run = decklaw(folder.path(), call);
        assert_eq!(run.status.code(), Some(2), "{call:?}");
        // What the run reads is not replaced on purpose either.
        let run = decklaw(folder.path(), &[*call, &["--replace"]].concat());
        let told = String::from_utf8(run.stderr).unwrap();
        assert_eq!(run.status.code(), Some(2), "{call:?}: {told}");
        assert!(told.contains("is an input of this run"), "{call:?}: {told}");
        assert_eq!(
            std::fs::read(folder.path().join(file)).unwrap(),
            before,
            "{call:?}"
        );
    }
    // Nothing half-written is left either.
    let left = std::fs::read_dir(folder.path()).unwrap();
    let hidden = left.filter(|entry| {
        let name = entry.as_ref().unwrap().file_name();
        name.to_string_lossy().starts_with('.')
    });
    assert_eq!(hidden.count(), 0);
}

#[test]
fn a_lock_is_not_overwritten_by_a_report() {
    let folder = folder();
    let call = ["banlist", "lock", "vainqueur", "--banlist", "list.yaml"];
    assert_eq!(decklaw(folder.path(), &call).status.code(), Some(0));
    let call = [
        "check",
        "monster.txt",
        "--locked",
        "--banlist",
        "list.yaml",
        "-o",
        "json=decklaw.lock",
    ];
    let run = decklaw(folder.path(), &call);
    assert_eq!(run.status.code(), Some(2));
}

#[test]
fn a_match_is_exported_elsewhere() {
    let folder = folder();
    let call = [
        "match",
        "new",
        "any",
        "--deck",
        "deck.txt",
        "--deck",
        "row.txt",
        "--seed",
        "qorvith-blenska-uthmar-x",
        "--to",
        "m.json",
        "--set",
        "opening_hand=3",
        "--decide",
        r#"{"step":"first-player","by":"random"}"#,
    ];
    let run = decklaw(folder.path(), &call);
    assert_eq!(
        run.status.code(),
        Some(0),
        "{}",
        String::from_utf8_lossy(&run.stderr)
    );
    let before = std::fs::read(folder.path().join("m.json")).unwrap();
    let run = decklaw(
        folder.path(),
        &[
            "match",
            "export",
            "m.json",
            "--tabletop-simulator",
            "m.json",
        ],
    );
    let told = String::from_utf8(run.stderr).unwrap();
    assert!(run.status.code() == Some(2), "{told}");
    assert!(told.contains("is an input of this run"), "{told}");
    assert_eq!(std::fs::read(folder.path().join("m.json")).unwrap(), before);
    let left = std::fs::read_dir(folder.path()).unwrap();
    let pictures = left.filter(|entry| {
        let path = entry.as_ref().unwrap().path();
        path.extension()
            .is_some_and(|ending| ending == "png" || ending == "svg")
    });
    assert_eq!(pictures.count(), 0, "what is refused writes nothing");
}

#[test]
fn what_works_in_place_still_does() {
    let folder = folder();
    let deck = "Format: shell\n\nShells\n1 Crimson Bulwark\n";
    std::fs::write(folder.path().join("short.txt"), deck).unwrap();
    let run = decklaw(folder.path(), &["fix", "short.txt", "--write"]);
    let told = String::from_utf8(run.stderr).unwrap();
    assert_eq!(run.status.code(), Some(0), "{told}");
    assert_ne!(
        std::fs::read_to_string(folder.path().join("short.txt")).unwrap(),
        deck
    );
    let call = ["check", "short.txt", "-o", "json=new.json"];
    assert_eq!(decklaw(folder.path(), &call).status.code(), Some(0));
    let written = || std::fs::read(folder.path().join("new.json")).unwrap();
    std::fs::write(folder.path().join("new.json"), "an older one").unwrap();
    let again = decklaw(folder.path(), &call);
    assert_eq!(again.status.code(), Some(2), "an older output stays");
    assert!(String::from_utf8_lossy(&again.stderr).contains("--replace"));
    assert_eq!(written(), b"an older one");
    let call = [&call[..], &["--replace"]].concat();
    assert_eq!(decklaw(folder.path(), &call).status.code(), Some(0));
    assert_ne!(written(), b"an older one");
}

/// Every way of naming an output, over a file that is there already.
#[test]
fn nothing_is_replaced_unasked() {
    let folder = folder();
    let there = folder.path().join("there");
    let calls: &[&[&str]] = &[
        &["check", "deck.txt", "--to", "there"],
        &["check", "deck.txt", "-o", "json=there"],
        &["check", "deck.txt", "-o", "human", "-o", "xlsx=there"],
        &["stats", "deck.txt", "--svg", "there"],
        &["stats", "deck.txt", "--to", "there"],
        &["odds", "deck.txt", "1+ [A]", "--hand", "2", "--to", "there"],
        &[
            "odds", "deck.txt", "1+ [A]", "--hand", "2", "--svg", "there",
        ],
        &[
            "convert",
            "deck.txt",
            "--to-format",
            "json",
            "--to",
            "there",
        ],
        &["print", "deck.txt", "--sheet", "--to", "there"],
        &["fix", "deck.txt", "-o", "deck=there"],
        &["build", "versus/fast", "--to", "there"],
        &["banlist", "lock", "--to", "there"],
        &["banlist", "list", "--to", "there"],
        &["formats", "list", "--to", "there"],
        &["cards", "list", "--format", "shell", "--to", "there"],
        &["explain", "points", "--to", "there"],
        &[
            "match",
            "new",
            "vastrix",
            "--seed",
            "qorvith-blenska-uthmar-x",
            "--to",
            "there",
        ],
        &["completions", "bash", "--to", "there"],
        &["man", "--to", "there"],
    ];
    for call in calls {
        std::fs::write(&there, "precious").unwrap();
        let run = decklaw(folder.path(), call);
        let told = String::from_utf8_lossy(&run.stderr).into_owned();
        assert_eq!(run.status.code(), Some(2), "{call:?}: {told}");
        assert!(told.contains("--replace"), "{call:?}: {told}");
        assert_eq!(std::fs::read(&there).unwrap(), b"precious", "{call:?}");
        let run = decklaw(folder.path(), &[*call, &["--replace"]].concat());
        let told = String::from_utf8_lossy(&run.stderr).into_owned();
        assert_ne!(run.status.code(), Some(2), "{call:?}: {told}");
        assert_ne!(std::fs::read(&there).unwrap(), b"precious", "{call:?}");
    }
}

/// Names as long as file systems let them be.
#[cfg(target_os = "linux")]
#[test]
fn long_names_are_written() {
    let folder = folder();
    let long = "n".repeat(255);
    let call = ["check", "deck.txt", "-o", "csv", "--to", &long];
    assert_eq!(decklaw(folder.path(), &call).status.code(), Some(0));
    assert!(folder.path().join(&long).is_file());
}

#[cfg(target_os = "linux")]
#[test]
fn full_devices_fail_where_an_answer_is_lost_and_nowhere_else() {
    let folder = folder();
    let run = |call: &[&str], out: &str, err: &str| {
        let open = |path: &str| std::fs::File::options().write(true).open(path).unwrap();
        Command::new(env!("CARGO_BIN_EXE_decklaw"))
            .args(call)
            .current_dir(folder.path())
            .env("DECKLAW_CONFIG", folder.path())
            .stdout(open(out))
            .stderr(open(err))
            .status()
            .unwrap()
            .code()
    };
    for call in [&["--help"][..], &["check", "--help"], &["--version"]] {
        assert_eq!(run(call, "/dev/full", "/dev/null"), Some(2), "{call:?}");
        assert_eq!(run(call, "/dev/null", "/dev/full"), Some(0), "{call:?}");
    }
    assert_eq!(
        run(&["check", "deck.txt"], "/dev/full", "/dev/null"),
        Some(2)
    );
    // What is said on the way is lost, and the output is not.
    let form = ["check", "--submissions", "form.csv", "-o", "csv=out.csv"];
    assert_eq!(run(&form, "/dev/null", "/dev/full"), Some(0));
    assert!(folder.path().join("out.csv").is_file());
    assert_eq!(run(&["nonsense"], "/dev/null", "/dev/full"), Some(2));
    assert_eq!(
        run(&["check", "gone.txt"], "/dev/null", "/dev/full"),
        Some(2)
    );
}

/// A limit of the system on the size of files, which otherwise ends a process by a signal.
#[cfg(target_os = "linux")]
#[test]
fn a_file_that_may_not_grow_leaves_nothing() {
    let folder = folder();
    let big: String = (0..4000).map(|n| format!("1 Card {n}\n")).collect();
    std::fs::write(
        folder.path().join("big.txt"),
        format!("Format: shell\n\nMain\n{big}"),
    )
    .unwrap();
    let call = "ulimit -f 8; exec \"$0\" check big.txt -o csv=out.csv";
    let run = Command::new("sh")
        .args(["-c", call, env!("CARGO_BIN_EXE_decklaw")])
        .current_dir(folder.path())
        .env("DECKLAW_CONFIG", folder.path())
        .output()
        .unwrap();
    assert_eq!(run.status.code(), Some(2), "{:?}", run.status);
    let left = std::fs::read_dir(folder.path()).unwrap();
    let names: Vec<_> = left.map(|entry| entry.unwrap().file_name()).collect();
    let new = |name: &&std::ffi::OsString| {
        let name = name.to_string_lossy();
        name.starts_with('.') || name == "out.csv"
    };
    assert_eq!(names.iter().find(new), None);
}

#[test]
fn every_command_minds_where_its_answer_goes() {
    let folder = tempfile::tempdir().unwrap();
    let root = env!("CARGO_MANIFEST_DIR");
    let game = format!("{root}/formats/versus/game.yaml");
    let cards = format!("{root}/formats/versus/cards.csv");
    let list = format!("{root}/banlists/vainqueur/sample-2026-07.yaml");
    for call in [
        vec!["explain", "points"],
        vec!["formats", "list"],
        vec!["formats", "show", "versus"],
        vec!["formats", "check", &game],
        vec!["cards", "list", "--format", "versus"],
        vec!["cards", "show", "--format", "shell", "Moss Sprite"],
        vec!["cards", "check", "--format", "versus", &cards],
        vec!["banlist", "list", "--as-of", "2026-08-01"],
        vec!["banlist", "show", "vainqueur-sample-2026-07"],
        vec!["banlist", "check", &list],
        vec!["completions", "bash"],
        vec!["man"],
    ] {
        let run = |more: &[&str]| decklaw(folder.path(), &[&call[..], more].concat());
        let shown = run(&[]);
        assert_eq!(shown.status.code(), Some(0), "{call:?}");
        let kept = run(&["--to", "answer"]);
        assert_eq!(kept.status.code(), Some(0), "{call:?}");
        assert!(kept.stdout.is_empty(), "{call:?}");
        let answer = folder.path().join("answer");
        assert_eq!(std::fs::read(&answer).unwrap(), shown.stdout, "{call:?}");
        std::fs::remove_file(answer).unwrap();
        let wrong = run(&["-o", "junit"]);
        assert_eq!(wrong.status.code(), Some(2), "{call:?}");
        assert!(
            String::from_utf8_lossy(&wrong.stderr).contains("no output `junit`"),
            "{call:?}"
        );
    }
}
