//! `stream` from outside: a worker that a program writes decks to and reads verdicts of.

use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};

fn decklaw(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_decklaw"));
    command
        .args(arguments)
        .current_dir(folder)
        .env("DECKLAW_CONFIG", folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command
}

/// Runs a worker over an input; who writes it does not wait for what is read.
fn answered(folder: &Path, arguments: &[&str], input: Vec<u8>) -> Output {
    let mut child = decklaw(folder, arguments).spawn().unwrap();
    let mut pipe = child.stdin.take().unwrap();
    let writer = std::thread::spawn(move || {
        // A worker that refuses its call reads nothing.
        let _ = pipe.write_all(&input);
    });
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap();
    output
}

fn stream(input: impl Into<Vec<u8>>) -> Output {
    let folder = tempfile::tempdir().unwrap();
    answered(folder.path(), &["stream"], input.into())
}

fn lines(output: &Output) -> Vec<Value> {
    let text = std::str::from_utf8(&output.stdout).unwrap();
    assert!(text.is_empty() || text.ends_with('\n'));
    text.lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

fn deck(number: usize) -> String {
    format!("{{\"format\":\"any\",\"name\":\"{number}\",\"main\":[\"{number} Moss\"]}}\n")
}

#[test]
fn each_verdict_comes_before_the_next_deck_is_written() {
    let folder = tempfile::tempdir().unwrap();
    let mut child = decklaw(folder.path(), &["stream"]).spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    let mut output = BufReader::new(child.stdout.take().unwrap());
    let mut answer = |input: &mut dyn Write, text: &str| -> Value {
        input.write_all(text.as_bytes()).unwrap();
        let mut line = String::new();
        // A worker that kept its answer back would hang here.
        output.read_line(&mut line).unwrap();
        serde_json::from_str(&line).unwrap()
    };
    for number in 1..=50 {
        let verdict = answer(&mut input, &deck(number));
        assert_eq!(verdict["deck"], format!("- line {number}"));
        assert_eq!(verdict["name"], number.to_string());
        assert_eq!(verdict["cards"], json!({"main": number}));
    }
    // One whole line and the beginning of the next: the first is answered.
    let next = deck(52);
    let (half, rest) = next.split_at(20);
    let verdict = answer(&mut input, &(deck(51) + half));
    assert_eq!(verdict["name"], "51");
    assert_eq!(answer(&mut input, rest)["name"], "52");
    drop(input);
    assert!(child.wait().unwrap().success());
}

#[test]
fn a_hundred_thousand_decks_are_answered_in_order_in_little_memory() {
    const DECKS: usize = 100_000;
    let folder = tempfile::tempdir().unwrap();
    let mut child = decklaw(folder.path(), &["stream"]).spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    let writer = std::thread::spawn(move || {
        let text: String = (1..=DECKS).map(deck).collect();
        input.write_all(text.as_bytes()).unwrap();
        input
    });
    let mut output = BufReader::new(child.stdout.take().unwrap());
    let mut early = None;
    let mut line = String::new();
    for number in 1..=DECKS {
        line.clear();
        output.read_line(&mut line).unwrap();
        let begin = format!("{{\"schema\":\"decklaw/verdict/1\",\"deck\":\"- line {number}\",");
        assert!(line.starts_with(&begin), "{line}");
        assert!(line.contains(&format!("\"name\":\"{number}\"")), "{line}");
        if number == DECKS / 50 {
            early = peak(&child);
        }
    }
    // The worker waits for more, so that its memory can be looked at.
    if let (Some(early), Some(late)) = (early, peak(&child)) {
        assert!(late < early + 2048, "{early} KiB, then {late} KiB");
    }
    drop(writer.join().unwrap());
    assert!(child.wait().unwrap().success());
}

/// The most memory that a process had so far, in KiB, where the system tells.
fn peak(child: &Child) -> Option<u64> {
    let status = std::fs::read_to_string(format!("/proc/{}/status", child.id())).ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    line.split_whitespace().nth(1)?.parse().ok()
}

#[test]
fn every_line_has_one_answer_whatever_it_holds() {
    let good = deck(1);
    let good = good.trim_end().as_bytes();
    let lone = b"{\"format\":\"any\",\r\"main\":[\"1 Moss\"]}";
    let deep = "[".repeat(200_000);
    let long = format!(
        "{{\"format\":\"any\",\"main\":[\"1 {}\"]}}",
        "x".repeat(17 << 20)
    );
    let hostile: [&[u8]; 15] = [
        b"",
        b"   \t",
        b"\r",
        b"not json",
        b"{\"format\":\"any\",\"main\":[\"1 Moss\"",
        b"{\"format\":\"any\",\"main\":[\"1 Moss\"]} {}",
        b"[]",
        b"null",
        b"{}",
        b"{\"format\":\"no such\",\"main\":[\"1 Moss\"]}",
        b"{\"format\":\"any\",\"main\":[\"99999999999999999999 Moss\"]}",
        b"{\"format\":\"any\",\"main\":[\"1 \xff\xfe\"]}",
        b"{\"format\":\"any\",\"main\":[\"1 \0\"]}",
        lone,
        deep.as_bytes(),
    ];
    let mut input = Vec::new();
    for line in hostile.into_iter().chain([long.as_bytes()]) {
        for line in [line, good] {
            input.extend_from_slice(line);
            input.push(b'\n');
        }
    }
    // A good one that ends as Windows ends lines, and a last one without an end.
    input.extend_from_slice(good);
    input.extend_from_slice(b"\r\n");
    input.extend_from_slice(good);
    let run = stream(input);
    assert_eq!(run.status.code(), Some(1));
    assert_eq!(run.stderr, b"note: 34 decks: 18 legal and 16 unreadable\n");
    let answers = lines(&run);
    assert_eq!(answers.len(), 34);
    for (at, answer) in answers.iter().enumerate() {
        assert_eq!(answer["deck"], format!("- line {}", at + 1));
        let bad = at < 32 && at % 2 == 0;
        let verdict = if bad { "unreadable" } else { "legal" };
        assert_eq!(answer["verdict"], verdict, "{answer}");
        let mut findings = answer["findings"].as_array().unwrap().iter();
        assert_eq!(findings.any(|finding| finding["severity"] == "error"), bad);
    }
    let message = |at: usize| answers[at]["findings"][0]["message"].as_str().unwrap();
    assert_eq!(message(0), "the line is empty");
    assert_eq!(message(30), "the line is longer than 16 MiB");
}

#[test]
fn the_answers_are_those_of_check() {
    let folder = tempfile::tempdir().unwrap();
    let decks = Path::new(env!("CARGO_MANIFEST_DIR")).join("decks");
    let mut input = Vec::new();
    let mut written = 0;
    for game in [
        "shell",
        "vainqueur",
        "vanquishers",
        "vastrix",
        "versus",
        "any",
    ] {
        let mut files: Vec<_> = std::fs::read_dir(decks.join(game))
            .unwrap()
            .map(|entry| entry.unwrap().path())
            .collect();
        files.sort();
        for file in files {
            let call = ["convert", file.to_str().unwrap(), "--to-format", "json"];
            let run = answered(folder.path(), &call, Vec::new());
            let Ok(deck) = serde_json::from_slice::<Value>(&run.stdout) else {
                continue;
            };
            let deck = deck.to_string();
            std::fs::write(folder.path().join(format!("{written:03}.json")), &deck).unwrap();
            written += 1;
            input.extend_from_slice(deck.as_bytes());
            input.push(b'\n');
        }
    }
    assert!(written > 30, "{written}");
    let unnamed = |output: Output| -> Vec<Value> {
        let mut verdicts = lines(&output);
        for verdict in &mut verdicts {
            verdict["deck"] = Value::Null;
        }
        verdicts
    };
    let day = ["--as-of", "2026-03-01"];
    let streamed = answered(folder.path(), &[&["stream"], &day[..]].concat(), input);
    let call = [&["check", ".", "-o", "ndjson"], &day[..]].concat();
    let checked = answered(folder.path(), &call, Vec::new());
    assert_eq!(streamed.status.code(), checked.status.code());
    assert_eq!(unnamed(streamed), unnamed(checked));
}

/// What is not answered may be illegal, so that nobody takes a stream that broke for a good one.
#[test]
fn a_reader_who_reads_no_further_ends_the_worker_with_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let mut child = decklaw(folder.path(), &["stream"]).spawn().unwrap();
    let mut output = BufReader::new(child.stdout.take().unwrap());
    let mut input = child.stdin.take().unwrap();
    // The input never ends by itself: the worker must stop reading it.
    let writer = std::thread::spawn(move || {
        let line = deck(1);
        while input.write_all(line.as_bytes()).is_ok() {}
    });
    let mut line = String::new();
    output.read_line(&mut line).unwrap();
    drop(output);
    assert_eq!(child.wait().unwrap().code(), Some(2));
    writer.join().unwrap();
    let mut said = String::new();
    let mut errors = child.stderr.take().unwrap();
    errors.read_to_string(&mut said).unwrap();
    assert!(said.contains("nobody reads on"), "{said}");
}

/// Keys of the caller come back, decks may be text, and a brief verdict says no more than the rest.
#[test]
fn ids_come_back_and_decks_may_be_text() {
    let legal = include_str!("../../decks/shell/ebb.txt");
    let illegal = "Main\n60 Moss Sprite\n";
    let input = [
        serde_json::json!({"id": 7, "text": legal, "x-row": {"a": [1, "b"]}}).to_string(),
        serde_json::json!({"text": illegal, "format": "shell", "id": "sept"}).to_string(),
        // Places are those of the line, whatever stands beside the deck; the last member has no comma.
        "{ \"id\" : null, \"format\":\"shell\", \"mian\":[\"2 Rain Caller\"] , \"x-a\" : 1 }"
            .to_owned(),
        "{\"format\":\"shell\",\"mian\":[\"2 Rain Caller\"]}".to_owned(),
        "{\"id\":1,\"x-b\":2}".to_owned(),
        "{\"text\":3,\"id\":9}".to_owned(),
        "{\"text\":\"Main\",\"main\":[]}".to_owned(),
        "{\"format\":\"any\",\"main\":[\"1 \\\"id\\\" card\"]}".to_owned(),
    ]
    .join("\n");
    let run = stream(input.clone());
    let verdicts = lines(&run);
    let text = String::from_utf8(run.stdout).unwrap();
    let written: Vec<&str> = text.lines().collect();
    assert!(
        written[0].starts_with("{\"id\":7,\"x-row\":{\"a\":[1,\"b\"]},\"schema\""),
        "{text}"
    );
    assert_eq!(
        (&verdicts[0]["verdict"], &verdicts[1]["verdict"]),
        (&"legal".into(), &"illegal".into())
    );
    assert_eq!(verdicts[1]["id"], "sept");
    let own = verdicts[1]["findings"].as_array().unwrap();
    assert!(
        own.iter().any(|finding| finding["line"] == 2),
        "the text's own line"
    );
    assert_eq!(
        (&verdicts[2]["id"], &verdicts[2]["x-a"]),
        (&Value::Null, &1.into())
    );
    let column = |at: usize| verdicts[at]["findings"][0]["column"].as_u64().unwrap();
    assert_eq!(column(2), 34, "{}", verdicts[2]);
    assert_eq!(column(3), 19, "{}", verdicts[3]);
    let message = |at: usize| verdicts[at]["findings"][0]["message"].to_string();
    assert!(message(2).contains("mian"), "{}", verdicts[2]);
    assert_eq!(verdicts[4]["id"], 1);
    assert!(
        message(5).contains("`text` must be a string"),
        "{}",
        verdicts[5]
    );
    assert!(
        message(6).contains("`main` cannot go with `text`"),
        "{}",
        verdicts[6]
    );
    assert_eq!(verdicts[7]["verdict"], "legal", "{}", verdicts[7]);
    assert!(verdicts[7].get("id").is_none());
    let told = String::from_utf8(run.stderr).unwrap();
    assert!(told.contains("8 decks: "), "{told}");

    let folder = tempfile::tempdir().unwrap();
    let brief = answered(folder.path(), &["stream", "--brief", "-q"], input.into());
    assert!(brief.stderr.is_empty());
    let text = String::from_utf8(brief.stdout).unwrap();
    for (line, verdict) in text.lines().zip(&verdicts) {
        assert!(line.len() < 100, "{line}");
        let short: Value = serde_json::from_str(line).unwrap();
        assert_eq!(short["verdict"], verdict["verdict"]);
        assert_eq!(short.get("id"), verdict.get("id"));
        let own = verdict["findings"].as_array().unwrap().iter();
        let errors = own.filter(|finding| finding["severity"] == "error");
        let mut rules: Vec<&str> = errors.map(|one| one["rule"].as_str().unwrap()).collect();
        rules.sort_unstable();
        rules.dedup();
        assert_eq!(short["rules"], Value::from(rules));
        assert_eq!(short.get("deck").is_none(), verdict.get("id").is_some());
    }
}

#[test]
fn the_status_tells_the_worst_and_an_empty_share_is_no_mistake() {
    let illegal = "{\"format\":\"shell\",\"main\":[\"60 Moss Sprite\"]}\n";
    assert_eq!(stream(deck(1)).status.code(), Some(0));
    assert_eq!(stream(deck(1) + illegal).status.code(), Some(1));
    let empty = stream("");
    assert_eq!((empty.status.code(), empty.stdout.len()), (Some(0), 0));
    // A worker whose share has no deck of the list's game warns; with `--format` it refuses.
    let folder = tempfile::tempdir().unwrap();
    let list = ["--banlist", "vainqueur-sample-2026-07"];
    let call = [&["stream"], &list[..]].concat();
    let run = answered(folder.path(), &call, deck(1).into());
    let said = String::from_utf8(run.stderr).unwrap();
    assert_eq!(run.status.code(), Some(0), "{said}");
    assert!(said.starts_with("warning: the banlist"), "{said}");
    let call = [&call[..], &["--format", "any"]].concat();
    let run = answered(folder.path(), &call, deck(1).into());
    assert_eq!((run.status.code(), run.stdout.len()), (Some(2), 0));
}

#[test]
fn calls_that_make_no_sense_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    for more in [
        &["decks"][..],
        &["-"],
        &["--submissions", "form.csv"],
        &["--summary"],
        &["--from", "json"],
        &["-o", "human"],
        &["-o", "json"],
        &["-o", "ndjson"],
        &["-o", "csv"],
        &["-o", "xlsx=a.xlsx"],
        &["-o", "ndjson=a.ndjson"],
        &["-o", "ndjson", "-o", "csv=a.csv"],
        &["--to", "a.ndjson"],
        &["--format", "no such"],
    ] {
        let call = [&["stream"], more].concat();
        let run = answered(folder.path(), &call, deck(1).into());
        assert_eq!(run.status.code(), Some(2), "{more:?}");
        assert!(run.stdout.is_empty() && !run.stderr.is_empty(), "{more:?}");
    }
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
}
