//! Files as people bring them, with the truth about them in `corpus.yaml`: read exactly, in each
//! encoding, or refused with a message that names the line. And what becomes of them when something
//! happens to their bytes.

use crate::common::Random;
use decklaw::banlist::Lists;
use decklaw::deck::Input;
use decklaw::format::Catalogue;
use decklaw::judge::{Judge, Report, Verdict};
use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// What each file is.
#[derive(Deserialize)]
struct Truth {
    decks: Vec<Meant>,
    refused: BTreeMap<String, ForbiddenCombination>,
}

/// A deck, and the files that hold it.
#[derive(Deserialize)]
struct Meant {
    is: String,
    files: Vec<String>,
}

/// Where a file is refused, and words of the message.
#[derive(Deserialize)]
struct ForbiddenCombination {
    line: Option<usize>,
    says: String,
}

/// A file that holds a deck.
struct Brought {
    name: String,
    bytes: Vec<u8>,
    input: Input,
    /// The deck, as text.
    is: String,
}

fn truth() -> Truth {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/reading/corpus.yaml");
    serde_yaml::from_str(&std::fs::read_to_string(file).unwrap()).unwrap()
}

fn bytes_of(name: &str) -> Vec<u8> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/reading/corpus");
    std::fs::read(folder.join(name)).unwrap()
}

fn corpus() -> Vec<Brought> {
    let of = |meant: Meant| {
        let is = meant.is;
        meant.files.into_iter().map(move |name| Brought {
            bytes: bytes_of(&name),
            input: Input::of_path(Path::new(&name)),
            name,
            is: is.clone(),
        })
    };
    truth().decks.into_iter().flat_map(of).collect()
}

/// A text in each encoding that is read.
fn encoded(bytes: &[u8]) -> Vec<(&'static str, Vec<u8>)> {
    let mut all = vec![("as it is", bytes.to_vec())];
    let Ok(text) = std::str::from_utf8(bytes) else {
        return all;
    };
    let marked = || "\u{feff}".encode_utf16().chain(text.encode_utf16());
    all.push(("UTF-8 with a mark", [b"\xef\xbb\xbf", bytes].concat()));
    all.push(("UTF-16", marked().flat_map(u16::to_le_bytes).collect()));
    all.push(("UTF-16, big-endian", marked().flat_map(u16::to_be_bytes).collect()));
    let (western, _, lost) = encoding_rs::WINDOWS_1252.encode(text);
    all.extend((!lost).then(|| ("Windows-1252", western.into_owned())));
    all
}

fn judge() -> Judge {
    let day = jiff::civil::date(2026, 3, 1);
    Judge::new(Catalogue::built_in(), Lists::default(), day).with_format(Some("shell".to_owned()))
}

fn judged(judge: &Judge, name: &str, bytes: &[u8], input: Input) -> Report {
    judge.judge_file(name, bytes, input).unwrap()
}

/// What a report says of how the deck was read: what is no deck, no card, or was read as
/// something else.
fn told(report: &Report) -> BTreeSet<String> {
    let about = |rule: &str| matches!(rule, "syntax" | "unknown-card");
    let findings = report.findings.iter().filter(|finding| about(&finding.rule));
    findings.map(|finding| finding.message.clone()).collect()
}

#[test]
fn every_deck_is_read_exactly_in_each_encoding() {
    let (judge, corpus) = (judge(), corpus());
    let mut wrong = Vec::new();
    for file in &corpus {
        let meant = judged(&judge, "truth.txt", file.is.as_bytes(), Input::Text);
        assert!(meant.hash.is_some(), "{}", file.name);
        for (encoding, bytes) in encoded(&file.bytes) {
            let report = judged(&judge, &file.name, &bytes, file.input);
            if report.hash != meant.hash {
                let said: Vec<String> = told(&report).into_iter().take(3).collect();
                wrong.push(format!(
                    "{} ({encoding}) is read as something else: {said:?}",
                    file.name
                ));
            }
        }
    }
    assert!(wrong.is_empty(), "{}:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn what_is_no_deck_is_refused_with_its_line() {
    let judge = judge();
    for (name, refused) in truth().refused {
        let input = Input::of_path(Path::new(&name));
        let report = judged(&judge, &name, &bytes_of(&name), input);
        let said = report.findings.iter().any(|finding| {
            let at = finding.line;
            let text = format!("{} {}", finding.message, finding.help.clone().unwrap_or_default());
            (refused.line.is_none() || at == refused.line) && text.contains(&refused.says)
        });
        let found = &report.findings;
        assert!(report.verdict == Verdict::Unreadable && said, "{name}: {found:?}");
    }
}

/// Every file of the folder is one that something is said of.
#[test]
fn no_file_is_without_a_truth() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/reading/corpus");
    let entries = std::fs::read_dir(folder).unwrap();
    let files = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let files: BTreeSet<String> = files.collect();
    let truth = truth();
    let decks = truth.decks.into_iter().flat_map(|meant| meant.files);
    let said: BTreeSet<String> = decks.chain(truth.refused.into_keys()).collect();
    assert_eq!(files, said);
}

/// What happens to files: a byte is lost, a mark is added, or the encoding changes. A digit of
/// a count is never touched: what is then written is another deck, and says so.
fn mutated(file: &Brought, random: &mut Random) -> Option<Vec<u8>> {
    let mut bytes = file.bytes.clone();
    let at = random.below(bytes.len());
    let digit = |at: usize| bytes.get(at).is_some_and(u8::is_ascii_digit);
    let near = digit(at) || (at > 0 && digit(at - 1)) && digit(at + 1);
    match random.below(5) {
        0 | 1 if !near => {
            bytes.remove(at);
        }
        2 => bytes.insert(at, b'"'),
        3 => bytes.insert(at, [b'\t', b'\'', b'#', b';', b',', b'['][random.below(6)]),
        4 => {
            let text = String::from_utf8(bytes).ok()?;
            bytes = match random.below(5) {
                0 => text.encode_utf16().flat_map(u16::to_le_bytes).collect(),
                1 => text.encode_utf16().flat_map(u16::to_be_bytes).collect(),
                2 => encoding_rs::WINDOWS_1252.encode(&text).0.into_owned(),
                3 => encoding_rs::MACINTOSH.encode(&text).0.into_owned(),
                _ => encoding_rs::SHIFT_JIS.encode(&text).0.into_owned(),
            };
        }
        _ => return None,
    }
    Some(bytes)
}

/// Nothing that happens to a file's bytes makes it another deck without a word. The number of
/// mutations is that of `DECKLAW_MUTATIONS`, or a modest one; another `DECKLAW_SEED` makes others.
#[test]
fn no_mutation_is_read_as_something_else_in_silence() {
    let wanted = std::env::var("DECKLAW_MUTATIONS").ok();
    let wanted: usize = wanted.map_or(5_000, |number| number.parse().unwrap());
    let judge = judge();
    let mut corpus = corpus();
    corpus.retain(|file| file.input != Input::Json);
    let base: Vec<(Option<String>, BTreeSet<String>)> = corpus
        .iter()
        .map(|file| {
            let report = judged(&judge, &file.name, &file.bytes, file.input);
            let said = told(&report);
            (report.hash, said)
        })
        .collect();
    let seed = std::env::var("DECKLAW_SEED").ok();
    let seed = seed.map_or(0x9e37_79b9_7f4a_7c15, |seed| seed.parse().unwrap());
    let mut random = Random::new(seed);
    let (mut done, mut silent) = (0, Vec::new());
    while done < wanted {
        let at = random.below(corpus.len());
        let Some(bytes) = mutated(&corpus[at], &mut random) else {
            continue;
        };
        done += 1;
        let report = judged(&judge, &corpus[at].name, &bytes, corpus[at].input);
        let (hash, said) = &base[at];
        if report.hash != *hash && told(&report).is_subset(said) {
            let text = String::from_utf8_lossy(&bytes);
            silent.push(format!("{}\n{text}", corpus[at].name));
        }
    }
    let shown: Vec<&str> = silent.iter().take(4).map(String::as_str).collect();
    assert!(silent.is_empty(), "{} of {done}:\n{}", silent.len(), shown.join("\n----\n"));
}
