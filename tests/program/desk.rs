//! The organiser's desk from outside: forms, tables, several outputs, interruptions.

use crate::common;

use common::decklaw;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::{Command, Output};

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

fn write(folder: &Path, name: &str, rows: &[[String; 3]], separator: u8, mark: &str) {
    let mut writer = csv::WriterBuilder::new()
        .delimiter(separator)
        .terminator(csv::Terminator::CRLF)
        .from_writer(mark.as_bytes().to_vec());
    writer
        .write_record(["Timestamp", "Player Name", "Decklist"])
        .unwrap();
    for row in rows {
        writer.write_record(row).unwrap();
    }
    std::fs::write(folder.join(name), writer.into_inner().unwrap()).unwrap();
}

fn lines(output: &Output) -> Vec<Value> {
    let text = text(&output.stdout);
    text.lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

/// Row `n` of 300, from 2 on as a spreadsheet counts: when, who, what.
fn row(n: u64) -> [String; 3] {
    let time = if n % 20 == 19 {
        format!("2026/03/01 18:{:02}:01", n % 60)
    } else {
        format!("2026/03/01 09:{:02}:00", n % 60)
    };
    let player = match n {
        // The same player as the row before, in another spelling.
        n if n % 10 == 3 => format!("  PLAYER   {} ", n - 1),
        n if n % 50 == 11 => format!("=cmd|' /C calc'!A{n}"),
        n if n % 50 == 21 => format!("Зоя Ñúñez {n}"),
        n => format!("Player {n}"),
    };
    let deck = match n {
        n if n % 25 == 0 => String::new(),
        n if n % 30 == 7 => "Format: any\n\n0 Nothing\n".to_owned(),
        // Two rows in a hundred hand in the same deck.
        n if n % 100 == 44 || n % 100 == 45 => {
            format!("Format: any\r\n\r\n2 Shared {}\r\n", n / 100)
        }
        n => format!("Format: any\n\n1 Card {n}\n1 \"Quoted\", {n}\n"),
    };
    [time, player, deck]
}

#[test]
fn three_hundred_rows_give_what_the_rows_say() {
    let folder = tempfile::tempdir().unwrap();
    let rows: Vec<[String; 3]> = (2..302).map(row).collect();
    write(folder.path(), "form.csv", &rows, b';', "\u{feff}");
    let call = [
        "check",
        "--submissions",
        "form.csv",
        "--deadline",
        "2026-03-01T18:00",
    ];
    let run = decklaw(
        folder.path(),
        &[&call[..], &["-o", "ndjson", "-o", "json=all.json"]].concat(),
    );
    assert_eq!(run.status.code(), Some(1), "{}", text(&run.stderr));
    let decks = lines(&run);
    // Of each pair n - 1, n with n % 10 == 3, only the row with the later time is there.
    let mut counted: BTreeMap<u64, Vec<u64>> = (2..302).map(|n| (n, Vec::new())).collect();
    for n in (2..302).filter(|n| n % 10 == 3) {
        let [(first, [one, ..]), (second, [other, ..])] = [(n - 1, row(n - 1)), (n, row(n))];
        let (lost, kept) = if one > other {
            (second, first)
        } else {
            (first, second)
        };
        counted.remove(&lost);
        counted.get_mut(&kept).unwrap().push(lost);
    }
    assert_eq!(decks.len(), counted.len());
    for (deck, (n, replaces)) in decks.iter().zip(&counted) {
        assert_eq!(deck["deck"], format!("form.csv row {n}"));
        let submission = &deck["submission"];
        assert_eq!(submission["row"], *n);
        assert_eq!(submission["late"], n % 20 == 19, "row {n}");
        assert_eq!(
            submission["replaces"],
            serde_json::json!(replaces),
            "row {n}"
        );
        let readable = n % 25 != 0 && n % 30 != 7;
        let verdict = if readable { "legal" } else { "unreadable" };
        assert_eq!(deck["verdict"], verdict, "row {n}: {deck}");
        // Names are told apart but for white space, and shown without what is too much of it.
        let own = row(*n);
        let words = own[1].split_whitespace();
        assert_eq!(deck["player"], words.collect::<Vec<_>>().join(" "));
    }
    let all = std::fs::read_to_string(folder.path().join("all.json")).unwrap();
    let all: Value = serde_json::from_str(&all).unwrap();
    let form = &all["submissions"];
    assert_eq!(form["rows"], 300);
    assert_eq!(
        form["identical"],
        serde_json::json!([[44, 45], [144, 145], [244, 245]])
    );
    let late: BTreeSet<u64> = counted.keys().copied().filter(|n| n % 20 == 19).collect();
    assert_eq!(form["late"], serde_json::json!(late));
    // By hand: rows 12 and 13 are one player, and row 13 was handed in a minute later.
    assert_eq!(
        form["replaced"][1],
        serde_json::json!({"row": 12, "by": 13})
    );
    let again = decklaw(folder.path(), &[&call[..], &["-o", "ndjson"]].concat());
    assert_eq!(run.stdout, again.stdout);
}

#[cfg(unix)]
#[test]
fn an_interruption_leaves_no_half_written_file() {
    use std::io::Write;
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("out.json"), "the last good one").unwrap();
    let mut child = Command::new(env!("CARGO_BIN_EXE_decklaw"))
        .args(["check", "-", "-o", "json=out.json", "--replace"])
        .current_dir(folder.path())
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::null())
        .stderr(std::process::Stdio::null())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    input.write_all(b"Format: any\n").unwrap();
    // The deck never ends; the draft is there once the program waits for it.
    let draft = || std::fs::read_dir(folder.path()).unwrap().count() == 2;
    while !draft() {
        assert!(child.try_wait().unwrap().is_none());
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    let killed = Command::new("kill")
        .args(["-INT", &child.id().to_string()])
        .status();
    assert!(killed.unwrap().success());
    assert_eq!(child.wait().unwrap().code(), Some(130));
    let left: Vec<_> = std::fs::read_dir(folder.path()).unwrap().collect();
    assert_eq!(left.len(), 1);
    let text = std::fs::read_to_string(folder.path().join("out.json")).unwrap();
    assert_eq!(text, "the last good one");
}
