//! Files as people bring them, with the truth about them, in `corpus.txt`: read exactly, in each
//! encoding, or refused with a message that names the line. And what becomes of them when something
//! happens to their bytes.

use super::tables::{ods, xlsx};
use crate::common::{Random, bytes, files};
use decklaw::banlist::Lists;
use decklaw::deck::Input;
use decklaw::format::Catalogue;
use decklaw::judge::{Judge, Report, Verdict};
use std::collections::BTreeSet;
use std::path::Path;

const CORPUS: &str = include_str!("corpus.txt");

/// A file that holds a deck.
struct Brought {
    name: String,
    bytes: Vec<u8>,
    input: Input,
    /// The deck, as text.
    is: String,
}

/// A file of the corpus as text.
pub(crate) fn pasted(name: &str) -> String {
    files(CORPUS).find(|(head, _)| *head == name).unwrap_or_else(|| panic!("no {name}")).1
}

/// A file as its name says that it is encoded.
fn bytes_of(name: &str, text: &str) -> Vec<u8> {
    let marked = || std::iter::once('\u{feff}').chain(text.chars());
    if name.contains(".utf-32") {
        return marked().flat_map(|letter| u32::from(letter).to_le_bytes()).collect();
    } else if name.contains(".utf-16-cut") {
        let text: String = marked().collect();
        let mut bytes: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
        bytes.pop();
        return bytes;
    } else if name.starts_with("sheet-") {
        let rows: Vec<Vec<&str>> = text.lines().map(|row| row.split('\t').collect()).collect();
        let rows: Vec<&[&str]> = rows.iter().map(Vec::as_slice).collect();
        let book = if name.ends_with(".ods") { ods } else { xlsx };
        return book(&[("Deck", &rows), ("Empty", &[])]);
    }
    bytes(text)
}

fn corpus() -> Vec<Brought> {
    let decks = files(CORPUS).filter_map(|(name, text)| {
        let is_deck = !name.contains(" |");
        let (_, of) = name.split_once('.').filter(|_| is_deck)?.0.rsplit_once('-')?;
        let (bytes, input) = (bytes_of(name, &text), Input::of_path(Path::new(name)));
        Some(Brought { name: name.to_owned(), bytes, input, is: pasted(of) })
    });
    decks.collect()
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
    let mut tried = 0;
    for (head, text) in files(CORPUS) {
        let mut parts = head.splitn(3, " |").map(str::trim);
        let [Some(name), Some(line), Some(words)] = [(); 3].map(|()| parts.next()) else {
            continue;
        };
        let (bytes, input) = (bytes_of(name, &text), Input::of_path(Path::new(name)));
        let report = judged(&judge, name, &bytes, input);
        let said = report.findings.iter().any(|finding| {
            let text = format!("{} {}", finding.message, finding.help.clone().unwrap_or_default());
            let is_there = line == "-" || finding.line == line.parse().ok();
            is_there && text.contains(words)
        });
        let found = &report.findings;
        assert!(report.verdict == Verdict::Unreadable && said, "{head}: {found:?}");
        tried += 1;
    }
    // Whatever is neither a deck nor refused is one of the decks that are meant.
    assert_eq!((files(CORPUS).count(), tried, corpus().len()), (120, 24, 93));
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

/// A list in which only the names of cards show that marks are no letters of another code page.
fn daggers() -> Vec<u8> {
    let text = pasted("arkhambuild-brand.txt");
    encoding_rs::WINDOWS_1252.encode(&text).0.into_owned()
}

#[test]
fn a_name_that_no_card_has_stays_in_doubt() {
    let mut bytes = daggers();
    // The card with the first mark is gone.
    let name = b"Azure Keep";
    let at = bytes.windows(name.len()).position(|part| part == name);
    bytes[at.unwrap()] = b'\xc4';
    for bytes in [
        bytes,
        // Letters of another code page, in a name.
        b"Format: shell\n\nShells\n1 Az\x81re Keep\n".to_vec(),
    ] {
        let said = super::checked("deck.txt", &bytes, &["--format", "shell"]);
        assert_eq!(said["decks"][0]["verdict"], "unreadable", "{said}");
    }
    // Where nobody knows the cards, names show nothing.
    let said = super::checked("deck.txt", b"Format: any\n\n1 Azure Keep\x86\n", &[]);
    assert_eq!(said["decks"][0]["verdict"], "unreadable", "{said}");
}
