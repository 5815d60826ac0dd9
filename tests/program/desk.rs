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

#[test]
fn a_summary_for_a_spreadsheet_runs_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let rows: Vec<[String; 3]> = (2..302).map(row).collect();
    write(folder.path(), "form.csv", &rows, b'\t', "");
    let call = [
        "check",
        "--submissions",
        "form.csv",
        "--summary",
        "-o",
        "csv-excel",
        "-o",
        "csv=plain.csv",
    ];
    let run = decklaw(folder.path(), &call);
    let shown = text(&run.stdout);
    assert!(shown.starts_with("\u{feff}player,deck,format,"), "{shown}");
    let mut reader = csv::Reader::from_reader(shown.as_bytes());
    let mut guarded = 0;
    for record in reader.records() {
        for cell in &record.unwrap() {
            assert!(!cell.trim_start().starts_with(['=', '+', '@']), "{cell}");
            guarded += usize::from(cell.starts_with("'="));
        }
    }
    assert_eq!(guarded, 6);
    let plain = std::fs::read_to_string(folder.path().join("plain.csv")).unwrap();
    assert_eq!(plain.matches("\n=cmd|").count(), 6);
    assert!(!plain.contains('\u{feff}') && !plain.contains("\r\n="));
    assert!(text(&run.stderr).contains("the same deck: rows 44 and 45"));
}

#[test]
fn a_row_may_name_a_file_beside_the_table_and_no_other() {
    let folder = tempfile::tempdir().unwrap();
    let event = folder.path().join("event");
    std::fs::create_dir_all(event.join("decks")).unwrap();
    let deck = "Format: any\n\n1 Moss\n";
    std::fs::write(event.join("decks/ana.txt"), deck).unwrap();
    std::fs::write(
        event.join("ben.json"),
        r#"{"format":"any","main":["1 Moss"]}"#,
    )
    .unwrap();
    std::fs::write(folder.path().join("secret.txt"), deck).unwrap();
    #[cfg(unix)]
    std::os::unix::fs::symlink(folder.path().join("secret.txt"), event.join("link.txt")).unwrap();
    let secret = folder.path().join("secret.txt").display().to_string();
    let named = [
        "decks/ana.txt",
        "ben.json",
        "../secret.txt",
        &secret,
        "link.txt",
        "none.txt",
        "decks/../../secret.txt",
        "https://example.org/deck.txt",
    ];
    let rows: Vec<[String; 3]> = named
        .iter()
        .enumerate()
        .map(|(at, name)| [String::new(), format!("P{at}"), (*name).to_owned()])
        .collect();
    write(&event, "form.csv", &rows, b',', "");
    let run = decklaw(
        folder.path(),
        &["check", "--submissions", "event/form.csv", "-o", "ndjson"],
    );
    let verdicts: Vec<String> = lines(&run)
        .iter()
        .map(|deck| deck["verdict"].as_str().unwrap().to_owned())
        .collect();
    assert_eq!(verdicts[..2], ["legal", "legal"], "{}", text(&run.stdout));
    assert!(
        verdicts[2..].iter().all(|verdict| verdict == "unreadable"),
        "{verdicts:?}"
    );
}

#[test]
fn columns_are_named_where_they_are_not_plain() {
    let folder = tempfile::tempdir().unwrap();
    let table = "Who,What,Kind\nAna,\"1 Moss\n\",any\nBen,\"1 Moss\n\",none such\n";
    std::fs::write(folder.path().join("form.csv"), table).unwrap();
    let run = decklaw(folder.path(), &["check", "--submissions", "form.csv"]);
    assert_eq!(run.status.code(), Some(2));
    assert!(
        text(&run.stderr).contains("`--columns deck=COLUMN`"),
        "{}",
        text(&run.stderr)
    );
    let columns = "player=who,deck=What,format=Kind";
    let call = [
        "check",
        "--submissions",
        "form.csv",
        "--columns",
        columns,
        "-o",
        "ndjson",
    ];
    let run = decklaw(folder.path(), &call);
    let decks = lines(&run);
    assert_eq!(
        (&decks[0]["player"], &decks[0]["verdict"]),
        (&"Ana".into(), &"legal".into())
    );
    assert_eq!(decks[1]["verdict"], "unreadable");
    for (columns, said) in [
        ("deck=Nothing", "no column `Nothing`"),
        ("decks=What", "no role `decks`"),
        ("What", "must be"),
    ] {
        let run = decklaw(
            folder.path(),
            &["check", "--submissions", "form.csv", "--columns", columns],
        );
        assert_eq!(run.status.code(), Some(2));
        assert!(text(&run.stderr).contains(said), "{}", text(&run.stderr));
    }
}

#[test]
fn dates_that_can_be_read_in_two_ways_are_asked_for() {
    let folder = tempfile::tempdir().unwrap();
    let deck = "Format: any\n\n1 Moss\n".to_owned();
    let rows = [
        ["3/4/2026 10:00".to_owned(), "Ana".to_owned(), deck.clone()],
        ["4/3/2026 10:00".to_owned(), "ana".to_owned(), deck],
    ];
    write(folder.path(), "form.csv", &rows, b',', "");
    let call = ["check", "--submissions", "form.csv", "-o", "ndjson"];
    let run = decklaw(folder.path(), &call);
    assert_eq!(run.status.code(), Some(2));
    assert!(
        text(&run.stderr).contains("--dates"),
        "{}",
        text(&run.stderr)
    );
    for (order, kept) in [("day-first", 2), ("month-first", 3)] {
        let run = decklaw(folder.path(), &[&call[..], &["--dates", order]].concat());
        assert_eq!(lines(&run)[0]["submission"]["row"], kept);
    }
}

#[test]
fn every_output_of_one_run_tells_the_same() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("decks")).unwrap();
    let bad = "Format: vainqueur\n\n1 No, such: card%\n";
    std::fs::write(folder.path().join("decks/bad, deck.txt"), bad).unwrap();
    std::fs::write(
        folder.path().join("decks/good.txt"),
        "Format: any\n\n1 Moss\n",
    )
    .unwrap();
    let outputs = [
        "json",
        "csv",
        "csv-excel",
        "junit",
        "github",
        "xlsx",
        "ndjson",
    ];
    let named: Vec<String> = outputs
        .iter()
        .map(|kind| format!("{kind}=out.{kind}"))
        .collect();
    let mut call = vec!["check", "decks", "-o", "human"];
    for output in &named {
        call.extend(["-o", output]);
    }
    let run = decklaw(folder.path(), &call);
    assert_eq!(run.status.code(), Some(1), "{}", text(&run.stderr));
    let read = |kind: &str| std::fs::read(folder.path().join(format!("out.{kind}"))).unwrap();
    let json: Value = serde_json::from_slice(&read("json")).unwrap();
    let findings = json["decks"][0]["findings"].as_array().unwrap();
    let table = read("csv");
    let mut reader = csv::Reader::from_reader(&table[..]);
    let records: Vec<csv::StringRecord> = reader.records().map(Result::unwrap).collect();
    // The deck without findings has a row too.
    assert_eq!(records.len(), findings.len() + 1);
    for (record, finding) in records.iter().zip(findings) {
        assert_eq!(&record[4], finding["rule"].as_str().unwrap());
        assert_eq!(&record[12], finding["message"].as_str().unwrap());
    }
    let junit = text(&read("junit"));
    assert!(
        junit.contains("tests=\"2\" failures=\"1\" errors=\"0\""),
        "{junit}"
    );
    let github = text(&read("github"));
    let first = github
        .lines()
        .find(|line| line.starts_with("::error"))
        .unwrap();
    let start = "::error file=decks/bad%2C deck.txt,line=3,col=3,title=unknown-card::";
    assert!(first.starts_with(start), "{first}");
    assert!(first.contains("card%25"), "{first}");
    assert!(read("xlsx").starts_with(b"PK"));
    // Once more: the same bytes, those of the workbook too.
    let before: Vec<Vec<u8>> = outputs.iter().map(|kind| read(kind)).collect();
    decklaw(folder.path(), &call);
    let after: Vec<Vec<u8>> = outputs.iter().map(|kind| read(kind)).collect();
    assert!(before == after);
    assert_eq!(
        std::fs::read_dir(folder.path()).unwrap().count(),
        outputs.len() + 1
    );
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

/// A banlist of Vainqueur that bans these cards.
fn banlist(folder: &Path, id: &str, banned: &[&str]) {
    let banned: Vec<String> = banned.iter().map(|name| format!("  - {name}\n")).collect();
    let text = format!(
        "schema: decklaw/banlist/1\nid: {id}\ngame: vainqueur\nname: {id}\neffective: 2026-01-01\nbanned:\n{}",
        banned.concat()
    );
    std::fs::write(folder.join(format!("{id}.yaml")), text).unwrap();
}

#[test]
fn the_played_deck_is_held_against_the_registered_one() {
    let folder = tempfile::tempdir().unwrap();
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let registered = std::fs::read_to_string(root.join("decks/shell/ebb.txt")).unwrap();
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
    let answer = |after: &str| {
        write("after.txt", after);
        let call = ["event", "check", "cup", "p001", "after.txt", "-o", "json"];
        let run = decklaw(folder.path(), &call);
        let json: Value = serde_json::from_slice(&run.stdout).unwrap();
        (run.status.code(), json)
    };
    std::fs::create_dir(folder.path().join("lists")).unwrap();
    write("lists/before.txt", &registered);
    let new = ["event", "new", "cup", "--format", "shell"];
    assert_eq!(decklaw(folder.path(), &new).status.code(), Some(0));
    let import = ["event", "import", "cup", "lists", "--yes"];
    assert_eq!(decklaw(folder.path(), &import).status.code(), Some(0));
    let (status, same) = answer(
        &registered
            .to_uppercase()
            .replace("FORMAT: SHELL", "Format: shell"),
    );
    assert_eq!((status, &same["answer"]), (Some(0), &"same".into()));
    // What `swap` finds is a swap that the game allows.
    let card = swapped_in(&registered);
    let wish = format!("in: \"{card}\"");
    let call = ["swap", "lists/before.txt", &wish, "-o", "deck"];
    let swapped = decklaw(folder.path(), &call);
    assert_eq!(swapped.status.code(), Some(0), "{}", text(&swapped.stderr));
    let (status, legal) = answer(&text(&swapped.stdout));
    assert_eq!(
        (status, &legal["answer"]),
        (Some(0), &"swapped".into()),
        "{legal}"
    );
    // A green card goes out to the side and none comes in: its points are not spent.
    let plain = registered.replace("Main (56)", "Main");
    let plain = plain.replace("\n1 Boundary Oak\n", "\n") + "1 Boundary Oak\n";
    let (status, bad) = answer(&plain);
    assert_eq!(
        (status, &bad["answer"]),
        (Some(1), &"illegal-swap".into()),
        "{bad}"
    );
    let other = registered.replace("Main (56)", "Main");
    let other = other.replace("4 Pip", "3 Pip");
    let (status, other) = answer(&other);
    assert_eq!(
        (status, &other["answer"]),
        (Some(1), &"other".into()),
        "{other}"
    );
}

/// A card of the side deck.
fn swapped_in(deck: &str) -> String {
    let side = deck.split_once("\nSide").unwrap().1;
    let cards = side.lines().filter_map(|line| line.split_once(' '));
    let mut cards = cards.filter(|(count, _)| count.bytes().all(|byte| byte.is_ascii_digit()));
    let (_, name) = cards.next_back().unwrap();
    name.to_owned()
}

#[test]
fn the_lock_and_its_list_stand_in_every_report() {
    let folder = tempfile::tempdir().unwrap();
    banlist(folder.path(), "spring", &["Chapel Lynx"]);
    let bad = "Format: vainqueur\n\n2 Chapel Lynx\n";
    std::fs::write(folder.path().join("bad.txt"), bad).unwrap();
    let list = ["--banlist", "spring.yaml", "--as-of", "2026-05-01"];
    let lock = [&["banlist", "lock", "vainqueur"], &list[..]].concat();
    let run = decklaw(folder.path(), &lock);
    assert_eq!(run.status.code(), Some(0), "{}", text(&run.stderr));
    let bytes = std::fs::read(folder.path().join("spring.yaml")).unwrap();
    let digest = decklaw::digest::sha256(&bytes);
    let said = text(&run.stdout);
    let (_, seal) = said.rsplit_once("seal ").unwrap();
    let seal = seal.split_whitespace().next().unwrap();
    assert_eq!(seal.len(), 64, "{said}");
    let check = ["check", "bad.txt", "--locked", "--banlist", "spring.yaml"];
    let outputs = ["-o", "csv=findings.csv", "-o", "junit", "-o", "github=g"];
    let run = decklaw(folder.path(), &[&check[..], &outputs].concat());
    assert_eq!(run.status.code(), Some(1), "{}", text(&run.stderr));
    let junit = text(&run.stdout);
    for (name, value) in [
        ("as-of", "2026-05-01"),
        ("lock.day", "2026-05-01"),
        ("lock.seal", seal),
        ("vainqueur.banlist", "spring"),
        ("vainqueur.banlist.effective", "2026-01-01"),
        ("vainqueur.banlist.sha256", &digest),
    ] {
        let property = format!("<property name=\"{name}\" value=\"{value}\"/>");
        assert!(junit.contains(&property), "{property}: {junit}");
    }
    let outputs = ["--summary", "-o", "csv-excel"];
    let run = decklaw(folder.path(), &[&check[..], &outputs].concat());
    let findings = std::fs::read(folder.path().join("findings.csv")).unwrap();
    for table in [findings, run.stdout[3..].to_vec()] {
        let mut reader = csv::Reader::from_reader(&table[..]);
        let header = reader.headers().unwrap().clone();
        let record = reader.records().next().unwrap().unwrap();
        for (column, value) in [
            ("banlist", "spring"),
            ("banlist sha256", &digest),
            ("locked for", "2026-05-01"),
            ("lock seal", seal),
        ] {
            let at = header.iter().position(|name| name == column).unwrap();
            assert_eq!(&record[at], value, "{column}");
        }
    }
    // Without a lock the last columns are there and empty.
    let call = ["check", "bad.txt", "--banlist", "none", "-o", "csv"];
    let run = decklaw(folder.path(), &call);
    let rows = text(&run.stdout);
    assert!(
        rows.lines().skip(1).all(|row| row.ends_with(",,,,")),
        "{rows}"
    );
}
