//! Files as people bring them, each with the truth beside it: read exactly, or refused with a
//! message that names the line. And what becomes of them when something happens to their bytes.

use decklaw::banlist::Lists;
use decklaw::deck::Input;
use decklaw::format::Catalogue;
use decklaw::judge::{DeckReport, Judge, Verdict};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// A file of the corpus.
struct Brought {
    name: String,
    bytes: Vec<u8>,
    input: Input,
    truth: String,
}

fn corpus() -> Vec<Brought> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/reading/corpus");
    let entries = std::fs::read_dir(folder).unwrap();
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.retain(|path| path.extension().is_some_and(|ending| ending != "truth"));
    paths.sort();
    let read = |path: PathBuf| {
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        let truth = std::fs::read_to_string(format!("{}.truth", path.display())).unwrap();
        Brought {
            bytes: std::fs::read(&path).unwrap(),
            input: Input::of_path(&path),
            name,
            truth,
        }
    };
    paths.into_iter().map(read).collect()
}

fn judge() -> Judge {
    let day = jiff::civil::date(2026, 3, 1);
    Judge::new(Catalogue::built_in(), Lists::default(), day).with_format(Some("shell".to_owned()))
}

fn judged(judge: &Judge, name: &str, bytes: &[u8], input: Input) -> DeckReport {
    judge.judge_file(name, bytes, input).unwrap()
}

/// What a report says of how the deck was read: what is no deck, no card, or was read as
/// something else.
fn told(report: &DeckReport) -> BTreeSet<String> {
    let about = |rule: &str| matches!(rule, "syntax" | "unknown-card");
    let findings = report
        .findings
        .iter()
        .filter(|finding| about(&finding.rule));
    findings.map(|finding| finding.message.clone()).collect()
}

#[test]
fn every_file_is_read_exactly_or_refused_with_its_line() {
    let (judge, corpus) = (judge(), corpus());
    assert!(corpus.len() >= 200, "{}", corpus.len());
    let mut wrong = Vec::new();
    for file in &corpus {
        let report = judged(&judge, &file.name, &file.bytes, file.input);
        if let Some(truth) = file.truth.strip_prefix("refused: ") {
            let (line, words) = truth
                .trim_end()
                .split_once(": ")
                .unwrap_or((truth.trim(), ""));
            let line = line.trim_end_matches(':').parse::<usize>().ok();
            let said = report.findings.iter().any(|finding| {
                let at = finding.place.map(|place| place.line);
                let text = format!("{} {}", finding.message, finding.mend);
                (line.is_none() || at == line) && text.contains(words)
            });
            if report.verdict != Verdict::Unreadable || !said {
                wrong.push(format!(
                    "{} is not refused so: {:?}",
                    file.name, report.findings
                ));
            }
            continue;
        }
        let truth = judged(&judge, "truth.txt", file.truth.as_bytes(), Input::Text);
        assert!(truth.hash.is_some(), "{}", file.name);
        if report.hash != truth.hash {
            let said: Vec<String> = told(&report).into_iter().take(3).collect();
            wrong.push(format!("{} is read as something else: {said:?}", file.name));
        }
    }
    assert!(wrong.is_empty(), "{}:\n{}", wrong.len(), wrong.join("\n"));
}

/// Numbers that look random and are the same in every run.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % bound.max(1)
    }
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
            let text = decklaw::text::decode(&bytes).ok()?.text.into_owned();
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
    corpus.retain(|file| !file.truth.starts_with("refused") && file.input != Input::Json);
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
    let mut random = Random(seed);
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
            let text = decklaw::text::decode(&bytes).map(|text| text.text.into_owned());
            silent.push(format!("{}\n{}", corpus[at].name, text.unwrap_or_default()));
        }
    }
    let shown: Vec<&str> = silent.iter().take(4).map(String::as_str).collect();
    assert!(
        silent.is_empty(),
        "{} of {done}:\n{}",
        silent.len(),
        shown.join("\n----\n")
    );
}
