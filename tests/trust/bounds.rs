//! Stated limits: what goes beyond them is refused, and says so; what stays within is read.

use super::{decklaw, text};
use crate::common::hostile::{self, peak};
use decklaw::deck::{Input, MOST_NAMES, SectionNames, read};

/// What `check` says of a file, and how it ends.
fn checked(name: &str, bytes: &str, more: &[&str]) -> (Option<i32>, String) {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join(name), bytes).unwrap();
    let run = decklaw(folder.path(), &[&["check", name], more].concat());
    (run.status.code(), text(&run.stdout) + &text(&run.stderr))
}

fn cockatrice(inside: &str) -> String {
    format!("<cockatrice_deck version=\"1\"><zone name=\"main\">{inside}</zone></cockatrice_deck>")
}

/// Marks behind a name are taken off in one pass, however many there are.
#[test]
fn a_pasted_line_of_marks_alone_is_read() {
    for mark in ["*F* ", "#tag ", "^Have it,#37d67a^ ", "(ABC) ", "[ABC] "] {
        let line = format!("- 1 Moss Sprite {}", mark.repeat(200_000));
        let deck = read(line.as_bytes(), Input::Text, SectionNames::OPEN).unwrap();
        assert_eq!(&*deck.lines[0].name, "Moss Sprite", "{mark}");
    }
    // The end of a set's code is looked for where one can be.
    let line = format!("- 1 [{} {}", "x".repeat(400_000), "*F* ".repeat(100_000));
    assert!(read(line.as_bytes(), Input::Text, SectionNames::OPEN).is_ok());
}

/// A deck of the most that is read is read; of one more it is unreadable, at the line that is beyond.
#[test]
fn what_a_deck_may_have_is_limited() {
    use decklaw::deck::{MOST_CARD_LINES, MOST_NAME_BYTES};
    let open = "Format: any\n\nMain\n";
    let lines = |head: &str, line: &str, number: usize| head.to_owned() + &line.repeat(number);
    let names = |number: usize| {
        (0..number).fold(open.to_owned(), |deck, at| deck + &format!("1 Card {at}\n"))
    };
    type Deck<'d> = &'d dyn Fn(usize) -> String;
    let limits: [(&str, usize, Deck, Option<usize>); 5] = [
        ("d.txt", MOST_NAMES, &names, Some(3)),
        ("d.txt", MOST_CARD_LINES, &|number| lines(open, "1 a\n", number), Some(3)),
        ("d.txt", MOST_CARD_LINES, &|number| lines(open, "1 a (M21) 1\n", number), Some(3)),
        ("d.csv", MOST_CARD_LINES, &|number| lines("count,name\n", "1,a\n", number), Some(1)),
        ("d.txt", MOST_NAME_BYTES, &|bytes| format!("{open}1 {}\n", "x".repeat(bytes)), None),
    ];
    for (file, most, deck, head) in limits {
        let check = |number: usize| {
            let (_, said) = checked(file, &deck(number), &["--format", "any", "-o", "json"]);
            let report: serde_json::Value = serde_json::from_str(&said).unwrap();
            report["decks"][0].clone()
        };
        assert_eq!(check(most)["verdict"], "legal", "{file} {most}");
        let more = check(most + 1);
        assert_eq!(more["verdict"], "unreadable", "{file} {most}");
        let line = head.map_or(4, |head| head + most + 1);
        assert_eq!(more["findings"][0]["line"], line, "{file} {most}");
    }
}

/// Decks of the most that is read, for every output: none takes more memory than is promised, with
/// room for how other systems count it.
#[cfg(target_os = "linux")]
#[test]
fn a_deck_takes_no_more_memory_than_is_promised() {
    const MOST_KIB: u64 = 200 << 10;
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: String| std::fs::write(folder.path().join(name), text).unwrap();
    let each = |number: usize, line: &dyn Fn(usize) -> String| -> String {
        (0..number).map(line).collect()
    };
    let head = "Format: shell\n\nMain\n";
    let open = "Format: any\n\n";
    // As many names as there may be, as long as they may be together, in a pool that has none of
    // them; and what is largest in other ways.
    let long = "x".repeat(70);
    let names = |at: usize| format!("1 {at:06} {long}\n");
    write("names.txt", head.to_owned() + &each(49_000, &names));
    write("lines.txt", head.to_owned() + &"1 Moss Sprite\n".repeat(199_000));
    write("too-many.txt", head.to_owned() + &"1 a\n".repeat(4_000_000));
    write("mistakes.txt", head.to_owned() + &"x\n".repeat(8_000_000));
    write("one-name.txt", format!("{head}1 {}\n", "x".repeat(4_000_000)));
    let pile = |at: usize| format!("Pile {at}\n{}", each(199, &|at| format!("1 c{at}\n")));
    write("piles.txt", open.to_owned() + &each(990, &pile));
    let card = "<card number=\"1\" name=\"C\"/>";
    write("nodes.cod", cockatrice(&card.repeat(600_000)));
    write("values.yaml", format!("format: any\nmain:\n{}", "  - 1 a\n".repeat(199_000)));
    let kinds = "human json ndjson csv csv-excel junit github xlsx".split(' ');
    let others = "lines.txt too-many.txt mistakes.txt one-name.txt piles.txt values.yaml nodes.cod";
    let others = others.split(' ');
    let calls = kinds
        .map(|kind| ("names.txt", kind))
        .chain(others.flat_map(|file| ["human", "json"].map(|kind| (file, kind))));
    let mut held = Vec::new();
    for (file, kind) in calls {
        let format: &[&str] = if file == "nodes.cod" { &["--format", "shell"] } else { &[] };
        let call = &[&["check", file, "-o", kind], format].concat();
        let (status, most) = peak(&mut super::command(folder.path(), call));
        assert!(matches!(status, Some(0 | 1)), "{call:?}: {status:?}");
        held.push(format!("{file} -o {kind}: {} MiB", most >> 10));
        assert!(most < MOST_KIB, "{held:#?}");
    }
    assert!(held.iter().any(|line| !line.ends_with(": 0 MiB")), "{held:#?}");
}

/// Everything hostile that the project knows ends in an answer or a clear error, within the memory
/// that is promised. `cargo bench --bench hostile` shows the numbers.
#[cfg(target_os = "linux")]
#[test]
fn the_hostile_corpus_is_answered_within_the_memory_that_is_promised() {
    const MOST_KIB: u64 = 512 << 10;
    let folder = tempfile::tempdir().unwrap();
    let mut seen = 0;
    for call in hostile::calls(folder.path(), 3_000, "3") {
        let words: Vec<&str> = call.words.iter().map(String::as_str).collect();
        let (status, most) = peak(&mut super::command(folder.path(), &words));
        assert!(matches!(status, Some(0..=2)), "{}: {status:?}", call.name);
        assert!(most < MOST_KIB, "{}: {} MiB", call.name, most >> 10);
        seen = seen.max(most);
    }
    assert!(seen > 0);
}

/// What the system does not give is an error, and never a defect.
#[cfg(target_os = "linux")]
#[test]
fn too_few_files_and_threads_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    for at in 0..4 {
        let name = folder.path().join(format!("d{at}.txt"));
        std::fs::write(name, "Format: shell\n\nMain\n6 Moss Sprite\n").unwrap();
    }
    let limited = |limit: &str, call: &str| {
        let run = std::process::Command::new("sh")
            .args(["-c", &format!("{limit}; exec \"$0\" {call}")])
            .arg(env!("CARGO_BIN_EXE_decklaw"))
            .current_dir(folder.path())
            .env("DECKLAW_CONFIG", folder.path())
            .stdin(std::process::Stdio::null())
            .output()
            .unwrap();
        (run.status.code(), text(&run.stderr))
    };
    let calls = [
        "check . -q",
        "check . -o json=o.json --replace",
        "stats .",
        "fix d0.txt",
        "odds d0.txt '1+ [mana>=1]'",
        "match new vastrix --seed a",
        "banlist lock --to l.lock --replace",
        "convert d0.txt --to-format yaml",
    ];
    for call in calls {
        for files in [4, 5, 6, 7, 8, 10, 12, 16, 20] {
            let (status, said) = limited(&format!("ulimit -n {files}"), call);
            // With three and fewer no program can be loaded.
            let loaded = !said.contains("shared librar");
            assert!(
                !loaded || matches!(status, Some(0..=2)),
                "{call} with {files} files: {status:?}: {said}"
            );
        }
    }
}
