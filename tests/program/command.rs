//! The command from outside: exit statuses, outputs, and what bad input gets.

#[path = "command/options.rs"]
mod options;
#[path = "command/statuses.rs"]
mod statuses;

use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};

pub(super) fn decklaw(folder: &Path, arguments: &[&str]) -> Output {
    command(folder, arguments)
        .output()
        .expect("the program runs")
}

fn command(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_decklaw"));
    command.args(arguments).current_dir(folder);
    command
        .env("DECKLAW_CONFIG", folder.join("no-configuration"))
        .env_remove("NO_COLOR");
    command
}

fn with_input(folder: &Path, arguments: &[&str], input: &[u8]) -> Output {
    let mut child = command(folder, arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program runs");
    child
        .stdin
        .take()
        .expect("it has an input")
        .write_all(input)
        .expect("it reads");
    child.wait_with_output().expect("it ends")
}

fn json(output: &Output) -> serde_json::Value {
    serde_json::from_slice(&output.stdout).expect("an answer in JSON")
}

pub(super) fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn folder(files: &[(&str, &[u8])]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    for (name, bytes) in files {
        std::fs::write(folder.path().join(name), bytes).expect("a file");
    }
    folder
}

#[test]
fn the_exit_status_tells_what_happened() {
    for (arguments, status) in [
        (&["check", "decks/shell/ebb.txt"][..], 0),
        (&["check", "decks/shell/overspent.txt"], 1),
        (&["check", "decks/shell/*.txt"], 1),
        (&["check", "nowhere.txt"], 2),
        (&["check", "nowhere/*.txt"], 2),
        (&["check"], 2),
        (&["check", "decks", "--format", "chess"], 2),
        (&["check", "decks/shell", "--banlist", "nowhere"], 2),
        (
            &[
                "check",
                "decks/shell",
                "--banlist",
                "vainqueur-sample-2026-01",
            ],
            2,
        ),
        (&["check", "decks/shell", "--set", "min=3"], 2),
        (&["check", "decks/vainqueur", "--set", "min=-3"], 2),
        (&["check", "decks/shell", "--cards", "README.md"], 2),
        (&["check", "decks/shell", "--as-of", "2026-02-30"], 2),
        (&["check", "decks/shell", "-o", "telegram"], 2),
        (&["check", "decks/shell", "-o", "json", "-o", "ndjson"], 2),
        (&["formats", "list"], 0),
        (&["formats", "check", "formats/shell/game.yaml"], 0),
        (
            &["formats", "check", "banlists/shell/sample-2026-01.yaml"],
            1,
        ),
        (&["cards", "list", "--format", "shell", "mana>=x"], 2),
        (&["cards", "show", "--format", "shell", "nobody"], 1),
        (&["explain", "nothing"], 2),
        (&["completions", "bash"], 0),
        (&["man"], 0),
        (&["--version"], 0),
        (&["juggle"], 2),
    ] {
        let output = decklaw(root(), arguments);
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(status), "{arguments:?}: {said}");
        assert!(
            status == 1 || (status == 2) != said.is_empty(),
            "{arguments:?}: {said}"
        );
    }
}

#[test]
fn there_is_a_manual_page() {
    let run = decklaw(root(), &["man"]);
    assert_eq!(run.status.code(), Some(0));
    let page = String::from_utf8(run.stdout).unwrap();
    assert!(
        page.starts_with(".ie") && page.contains("smallest change"),
        "{page}"
    );
}

#[test]
fn what_is_no_deck_is_said_and_the_others_are_judged() {
    let good = b"Format: any\n\n3 Moss\n";
    let bomb: String = (0..12)
        .map(|at| format!("a{at}: &a{at} [{}]\n", ["*a0"; 9].join(",")))
        .collect();
    let folder = folder(&[
        ("bytes.txt", b"Format: any\n\xff\xfe\n"),
        ("nul.txt", b"Format: any\n1 A\0B\n"),
        ("format.txt", b"Format: chess\n1 Pawn\n"),
        ("headless.txt", b"1 Pawn\n"),
        (
            "huge-count.txt",
            b"Format: any\n100000000000000000000 Pawn\n",
        ),
        ("twice.yaml", b"format: any\nmain: [1 A]\nmain: [1 B]\n"),
        ("bomb.yaml", bomb.as_bytes()),
        ("tower.json", "[".repeat(200_000).as_bytes()),
        ("list.json", b"[1, 2]"),
        ("fine.txt", good),
        ("notes.md", b"not a deck"),
        (".hidden.txt", b"not a deck"),
    ]);
    let large = std::fs::File::create(folder.path().join("large.txt")).expect("a file");
    large.set_len(1 << 30).expect("a sparse file");
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink(".", folder.path().join("loop")).expect("a link");
        std::os::unix::fs::symlink("fine.txt", folder.path().join("link.txt")).expect("a link");
    }
    let output = decklaw(folder.path(), &["check", ".", "-o", "json"]);
    assert_eq!(output.status.code(), Some(1));
    let report = json(&output);
    let decks = report["decks"].as_array().expect("decks");
    assert_eq!(decks.len(), 11, "no hidden files, notes or links: {report}");
    for deck in decks {
        let fine = deck["deck"] == "./fine.txt";
        assert_eq!(deck["verdict"] == "legal", fine, "{deck}");
        if !fine {
            assert_eq!(deck["verdict"], "unreadable", "{deck}");
            assert_eq!(deck["findings"][0]["rule"], "syntax", "{deck}");
        }
    }
    let bytes = &decks[1];
    assert_eq!(
        (&bytes["deck"], &bytes["findings"][0]["line"]),
        (&"./bytes.txt".into(), &2.into())
    );
}

#[test]
fn as_many_lines_as_are_promised_are_one_deck_and_one_more_is_refused() {
    let of = |lines| {
        let deck = format!("Format: any\n\n{}", "1 Moss\n".repeat(lines));
        let output = with_input(root(), &["check", "-", "-o", "json"], deck.as_bytes());
        json(&output)["decks"][0].clone()
    };
    assert_eq!(of(200_000)["cards"]["main"], 200_000);
    let more = of(200_001);
    assert_eq!(more["verdict"], "unreadable");
    let findings = more["findings"].as_array().expect("findings");
    assert!(
        (findings.iter()).any(|found| found["message"]
            .as_str()
            .is_some_and(|said| said.contains("200000") || said.contains("200,000"))),
        "{findings:?}"
    );
}

/// What is done for each finding must not look at the whole deck: that took minutes here.
#[test]
fn thousands_of_findings_each_stand_at_their_line() {
    let unknown = |deck: &str, more: &[&str]| -> Vec<[u64; 2]> {
        let call = [&["check", "-", "-o", "json"], more].concat();
        let report = json(&with_input(root(), &call, deck.as_bytes()));
        let findings = report["decks"][0]["findings"].as_array().expect("findings");
        let place = |key: &str, found: &serde_json::Value| found[key].as_u64().expect("a place");
        let mut places: Vec<[u64; 2]> = findings
            .iter()
            .filter(|found| found["code"] == "unknown-card.not-in-pool")
            .map(|found| [place("line", found), place("column", found)])
            .collect();
        places.sort_unstable();
        places
    };
    let cards = (0..30_000).map(|at| format!("2 X{at}"));
    let lines: String = cards.clone().map(|card| card + "\n").collect();
    let places: Vec<[u64; 2]> = (4..30_004).map(|line| [line, 3]).collect();
    assert_eq!(
        unknown(&format!("Format: shell\n\nMain\n{lines}"), &[]),
        places
    );
    // One line may be the whole deck. The é has two bytes and is one column.
    let listed: Vec<String> = cards.map(|card| format!("\"{card}\"")).collect();
    let head = "{\"format\":\"shell\",\"name\":\"é\",\"main\":[";
    let mut column = head.chars().count() as u64 + 1;
    let mut places = Vec::new();
    for card in &listed {
        // The name stands behind the quote, the count and the space.
        places.push([1, column + 3]);
        column += card.len() as u64 + 1;
    }
    let deck = format!("{head}{}]}}", listed.join(","));
    assert_eq!(unknown(&deck, &["--from", "json"]), places);
}

#[test]
fn nothing_in_a_deck_commands_the_terminal() {
    let deck =
        "Format: shell\nName: \u{1b}[31mred\u{202e}evil\n\nMain\n3 No\u{1b}]0;such\u{7}card\n";
    for extra in [&[][..], &["--color", "always"]] {
        let output = with_input(
            root(),
            &[&["check", "-"][..], extra].concat(),
            deck.as_bytes(),
        );
        let shown = String::from_utf8(output.stdout).expect("text");
        assert!(
            !shown.contains("\u{1b}]") && !shown.contains(['\u{202e}', '\u{7}']),
            "{shown:?}"
        );
        assert_eq!(shown.contains('\u{1b}'), !extra.is_empty(), "{shown:?}");
    }
}

#[test]
fn one_run_writes_several_outputs_which_agree() {
    let folder = tempfile::tempdir().expect("a folder");
    let to = |name: &str| folder.path().join(name).display().to_string();
    let (lines, document) = (format!("ndjson={}", to("a")), format!("json={}", to("b")));
    let output = decklaw(
        root(),
        &[
            "check", "decks", "-o", &lines, "-o", &document, "-o", "human",
        ],
    );
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stdout).contains("43 decks"));
    let read = |name: &str| std::fs::read_to_string(to(name)).expect("an output");
    let whole: serde_json::Value = serde_json::from_str(&read("b")).expect("JSON");
    let decks = whole["decks"].as_array().expect("decks");
    let lines: Vec<serde_json::Value> = read("a")
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect();
    assert_eq!(decks.len(), lines.len());
    for (deck, line) in decks.iter().zip(&lines) {
        assert_eq!(line["schema"], "decklaw/verdict/1");
        for key in ["deck", "format", "verdict", "cards", "hash", "findings"] {
            assert_eq!(deck[key], line[key]);
        }
    }
}

#[test]
fn the_three_ways_of_writing_a_deck_are_one_deck() {
    let text = b"Format: shell\n\nShells\n1 Azure Keep\nMain\n2 moss  SPRITE\n1 Moss Sprite\n";
    let yaml = b"format: shell\nshells: [1 Azure Keep]\nmain: [{name: Moss Sprite, count: 3}]\n";
    let json_deck = br#"{"format":"shell","main":["3x MOSS SPRITE"],"shells":["1 azure keep"]}"#;
    let decks = [(&text[..], "text"), (yaml, "yaml"), (json_deck, "json")];
    let hashes: Vec<String> = decks
        .iter()
        .map(|(bytes, input)| {
            let output = with_input(
                root(),
                &["check", "-", "--from", input, "-o", "json"],
                bytes,
            );
            json(&output)["decks"][0]["hash"]
                .as_str()
                .expect("a hash")
                .to_owned()
        })
        .collect();
    assert!(
        hashes[0].len() == 64 && hashes.iter().all(|hash| *hash == hashes[0]),
        "{hashes:?}"
    );
}

#[test]
fn the_fixed_deck_has_the_published_hash() {
    let output = decklaw(
        root(),
        &["check", "decks/vastrix/typed-on-a-train.txt", "-o", "json"],
    );
    let expected = "99fc3bb52bd8927bc027f3fd1da10df654ca7c4a9b5fd229cbab934fb1271b0a";
    assert_eq!(json(&output)["decks"][0]["hash"], expected);
}

#[test]
fn a_named_list_applies_whatever_the_day_and_says_so() {
    let list = b"schema: decklaw/banlist/1\nid: t\ngame: vainqueur\nname: T\neffective: 2030-01-01\nbanned: [Chapel Lynx, Nobody Yet]\n";
    let folder = folder(&[
        ("list.yaml", list),
        ("deck.txt", b"Format: vainqueur\n\n2 Chapel Lynx\n"),
    ]);
    let call = [
        "check",
        "deck.txt",
        "--banlist",
        "list.yaml",
        "--as-of",
        "2026-01-01",
        "-o",
        "json",
    ];
    let output = decklaw(folder.path(), &call);
    let findings = json(&output)["decks"][0]["findings"].clone();
    let banned: Vec<&serde_json::Value> = findings
        .as_array()
        .expect("findings")
        .iter()
        .filter(|finding| finding["rule"] == "banned")
        .collect();
    let severities: Vec<_> = banned.iter().map(|one| &one["severity"]).collect();
    assert_eq!(severities, ["notice", "notice", "error"], "{findings}");
    assert_eq!(banned[2]["line"], 3);
    let unknown = banned[..2].iter();
    let mut unknown = unknown.filter(|one| one["code"] == "banned.not-in-pool");
    assert_eq!(
        unknown.next().expect("a notice")["cards"],
        serde_json::json!(["Nobody Yet"])
    );
    assert_eq!(
        decklaw(folder.path(), &["banlist", "check", "list.yaml"])
            .status
            .code(),
        Some(1)
    );
}

#[test]
fn a_game_of_ones_own_needs_no_code() {
    let folder = folder(&[
        ("decklaw.yaml", b"formats: [games]\n"),
        ("deck.txt", b"Format: toy\n\n3 Ash\n"),
    ]);
    let game = folder.path().join("games/toy");
    std::fs::create_dir_all(&game).expect("a folder");
    std::fs::write(
        game.join("game.yaml"),
        "schema: decklaw/format/1\ngame: toy\nname: Toy\ntext: mine\nfields: [{name: cost, kind: number}]\n\
         sections: [{id: main, name: deck, shuffled: true}]\nformats: [{id: toy, name: Toy}]\n\
         rules:\n  - {id: pairs, source: mine, about: two, must: {copies: {sections: [main], max: 2}}}\n",
    )
    .expect("a file");
    std::fs::write(game.join("cards.csv"), "name,cost\nAsh,1\n").expect("a file");
    let output = decklaw(folder.path(), &["check", "deck.txt", "-o", "json"]);
    let finding = json(&output)["decks"][0]["findings"][0].clone();
    assert_eq!(
        (&finding["rule"], &finding["limit"], &finding["actual"]),
        (&"pairs".into(), &2.into(), &3.into())
    );
}

#[test]
fn what_programs_match_on_is_the_same_in_json_and_in_tables() {
    let folder = tempfile::tempdir().expect("there is room");
    let write = |name: &str, text: &str| {
        std::fs::write(folder.path().join(name), text).expect("it is written");
    };
    write(
        "deck.txt",
        "Format: shell\n\nShells\n1 Crimson Bulwark\n\nMain\n9 Moss Sprite\n1 Mos Sprite\n",
    );
    write("none.txt", "Format: shell\n\nthis is no deck\n");
    write("open.txt", "Format: vainqueur\n\n40 Lantern Moth\n");
    let checked = |kind: &str| decklaw(folder.path(), &["check", ".", "-o", kind]);
    let found: Vec<(String, String)> = json(&checked("json"))["decks"]
        .as_array()
        .expect("decks")
        .iter()
        .flat_map(|deck| deck["findings"].as_array().expect("findings").clone())
        .map(|finding| {
            let word = |key: &str| finding[key].as_str().unwrap_or("").to_owned();
            (word("code"), word("help"))
        })
        .collect();
    for code in [
        "copies.too-many",
        "size.too-few",
        "unknown-card.not-in-pool",
        "deck.unreadable",
        "copies.unset",
    ] {
        let there = |(known, _): &(String, String)| known == code;
        assert!(found.iter().any(there), "{code}: {found:?}");
    }
    let table = checked("csv").stdout;
    let mut table = csv::Reader::from_reader(table.as_slice());
    let header = table.headers().expect("a header").clone();
    let column = |name: &str| header.iter().position(|known| known == name);
    let rows = table.records().map(|row| {
        let row = row.expect("a row");
        let cell = |name: &str| row[column(name).expect("a column")].to_owned();
        (cell("code"), cell("help"))
    });
    assert_eq!(rows.collect::<Vec<_>>(), found);
}

#[test]
fn a_game_in_the_place_of_a_query_is_told_to_be_named_with_its_option() {
    for call in [
        ["cards", "list", "shell"],
        ["cards", "show", "shell"],
        ["cards", "list", "vanquishers/advanced"],
    ] {
        let output = decklaw(root(), &call);
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{call:?}: {said}");
        assert!(
            said.contains(&format!("with `--format {}`", call[2])),
            "{said}"
        );
    }
    let said = decklaw(root(), &["cards", "list", "mana>=3"]).stderr;
    let said = String::from_utf8_lossy(&said);
    assert!(said.contains("`--format ID`"), "{said}");
}
