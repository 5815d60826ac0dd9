//! `stream` from outside: a worker that a program writes decks to and reads verdicts of.

use crate::common::command;
use crate::common::hostile::memory;
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, Stdio};

/// A worker in a folder, whose three streams are pipes.
fn worker(folder: &Path) -> Child {
    let mut call = command(folder, &["stream"]);
    call.stdin(Stdio::piped()).stdout(Stdio::piped());
    call.stderr(Stdio::piped()).spawn().unwrap()
}

fn deck(number: usize) -> String {
    format!("{{\"format\":\"any\",\"name\":\"{number}\",\"main\":[\"{number} Moss\"]}}\n")
}

#[test]
fn each_verdict_comes_before_the_next_deck_is_written() {
    let folder = tempfile::tempdir().unwrap();
    let mut child = worker(folder.path());
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
    let mut child = worker(folder.path());
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
            early = memory(&child, "VmHWM");
        }
    }
    // The worker waits for more, so that its memory can be looked at.
    if let (Some(early), Some(late)) = (early, memory(&child, "VmHWM")) {
        assert!(late < early + 2048, "{early} KiB, then {late} KiB");
    }
    drop(writer.join().unwrap());
    assert!(child.wait().unwrap().success());
}

/// What is not answered may be illegal, so that nobody takes a stream that broke for a good one.
#[test]
fn a_reader_who_reads_no_further_ends_the_worker_with_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let mut child = worker(folder.path());
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
    assert!(said.contains("the reader has closed it"), "{said}");
}
