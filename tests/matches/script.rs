//! Calls of the program, as `scripts.txt` lists them.

use crate::common::{command, decklaw, tree, words};
use serde_json::{Map, Value, json};
use sha2::{Digest, Sha256};
use std::path::Path;
use std::process::Stdio;

const SCRIPTS: &str = include_str!("scripts.txt");
const DECKS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/decks");
const DECISIONS: [&str; 6] = ["swap", "mulligan", "spec", "reveal", "vote", "pick"];

pub(crate) fn sha256(bytes: &[u8]) -> String {
    data_encoding::HEXLOWER.encode(&Sha256::digest(bytes))
}

pub(crate) fn digest(value: &Value) -> Value {
    json!(sha256(&serde_json_canonicalizer::to_vec(value).unwrap()))
}

/// A folder in which a script runs.
pub(crate) struct Desk {
    folder: tempfile::TempDir,
    /// The last output.
    out: String,
}

impl Desk {
    pub(crate) fn new() -> Desk {
        Desk { folder: tempfile::tempdir().unwrap(), out: String::new() }
    }

    pub(crate) fn path(&self) -> &Path {
        self.folder.path()
    }

    pub(crate) fn json(&self, name: &str) -> Value {
        let text = std::fs::read_to_string(self.path().join(name)).unwrap();
        serde_json::from_str(&text).unwrap()
    }

    fn write(&self, name: &str, text: &str) {
        std::fs::write(self.path().join(name), text).unwrap();
    }

    /// The exit status of a call that is written as one line.
    pub(crate) fn line(&mut self, call: &str) -> i32 {
        let words = words(call);
        self.call(&words.iter().map(String::as_str).collect::<Vec<_>>())
    }

    /// The exit status of `decklaw WORDS`.
    pub(crate) fn call(&mut self, words: &[&str]) -> i32 {
        let run = decklaw(self.path(), words);
        let status = run.status.code().unwrap();
        assert!(status == 0 || !run.stderr.is_empty(), "it says nothing");
        self.out = String::from_utf8(run.stdout).unwrap();
        status
    }

    /// A call that ends with this status; a refused one changes no file.
    fn expect(&mut self, status: i32, words: &[&str]) {
        let before = tree(self.path());
        assert_eq!(self.call(words), status, "{}", self.out);
        assert!(status == 0 || tree(self.path()) == before, "a refusal writes");
    }

    /// The ids that `{A.hand.0}` and `{A.side:Name*2}` name.
    fn substituted(&self, line: &str) -> String {
        let line = line.replace("{DECKS}", DECKS);
        let mut parts = line.split('{');
        let mut out = parts.next().unwrap().to_owned();
        for part in parts {
            let place = part.split_once('}');
            let seat = |(place, rest)| {
                Some((
                    place,
                    rest,
                    ["A", "B"].iter().find_map(|seat| {
                        str::strip_prefix(place, seat)?.strip_prefix('.').map(|zone| (*seat, zone))
                    })?,
                ))
            };
            let Some((_, rest, (seat, zone))) = place.and_then(seat) else {
                out.push('{');
                out.push_str(part);
                continue;
            };
            let file = self.json("m.json");
            let ids = |zone: &str| -> Vec<String> {
                let zone = &file["state"]["seats"][seat]["zones"][zone];
                serde_json::from_value(zone.clone()).unwrap()
            };
            if let Some((zone, card)) = zone.split_once(':') {
                let (name, count) = card.split_once('*').unwrap_or((card, "99"));
                let mut found = ids(zone);
                found.retain(|id| file["cards"][id] == name);
                found.sort_unstable();
                found.truncate(count.parse().unwrap());
                assert!(!found.is_empty(), "no {name}");
                out.push_str(&json!(found).to_string());
            } else {
                let (zone, at) = zone.split_once('.').unwrap();
                out.push_str(&ids(zone)[at.parse::<usize>().unwrap()]);
            }
            out.push_str(rest);
        }
        out
    }

    fn runs(&mut self, line: &str) {
        let (status, rest) = match line.as_bytes()[0] {
            digit @ b'0'..=b'2' => (Some(i32::from(digit - b'0')), line[1..].trim_start()),
            _ => (None, line),
        };
        let (verb, rest) = rest.split_once(' ').unwrap();
        let expected = status.unwrap_or(0);
        match verb {
            ">" => {
                let words = words(&format!("match {rest}"));
                let words: Vec<&str> = words.iter().map(String::as_str).collect();
                self.expect(expected, &words);
            }
            "write" => {
                let (name, text) = rest.split_once(' ').unwrap();
                self.write(name, &text.replace("\\n", "\n"));
            }
            "=" => {
                let (place, value) = rest.split_once(' ').unwrap();
                let value: Value = serde_json::from_str(value).unwrap();
                assert_eq!(self.value(place), value);
            }
            "~" => {
                let (place, value) = rest.split_once(' ').unwrap();
                let mut file = self.json("m.json");
                replace(&mut file, place, value);
                for part in ["inputs", "state", "log"] {
                    let content = if part == "log" { &file["log"] } else { &file[part] };
                    if !content.is_null() {
                        file["digests"][part] = digest(content);
                    }
                }
                self.write("bad.json", &file.to_string());
                self.expect(status.unwrap_or(1), &["match", "verify", "bad.json"]);
                std::fs::remove_file(self.path().join("bad.json")).unwrap();
            }
            by => {
                let seat = by.strip_suffix(':').unwrap();
                let entries: Vec<String> =
                    rest.split(" ; ").map(|text| entry(seat, text)).collect();
                let entries = entries.iter().map(String::as_str);
                let words = ["match", "decide", "m.json"].into_iter().chain(entries);
                let words: Vec<&str> = words.chain(["--to", "m.json"]).collect();
                self.expect(expected, &words);
            }
        }
    }

    fn value(&self, place: &str) -> Value {
        let (place, is_count) = match place.strip_suffix('#') {
            Some(place) => (place, true),
            None => (place, false),
        };
        let (file, rest) = place.split_once('/').unwrap_or((place, ""));
        let (document, place) = if file == "out" {
            (serde_json::from_str(&self.out).unwrap(), rest)
        } else if file.ends_with(".json") {
            (self.json(file), rest)
        } else {
            (self.json("m.json"), place)
        };
        let value = document.pointer(&format!("/{place}")).cloned();
        let value = value.unwrap_or_default();
        if is_count { json!(value.as_array().unwrap().len()) } else { value }
    }
}

/// A decision or a move of a seat, of `VERB KEY=VALUE …`; a value is JSON, or else text.
fn entry(seat: &str, text: &str) -> String {
    let (mut depth, mut is_text, mut words) = (0_i32, false, vec![String::new()]);
    for letter in text.trim().chars() {
        is_text ^= letter == '"';
        depth += i32::from(!is_text && "[{".contains(letter));
        depth -= i32::from(!is_text && "]}".contains(letter));
        if letter == ' ' && depth == 0 && !is_text {
            words.push(String::new());
        } else {
            words.last_mut().unwrap().push(letter);
        }
    }
    let verb = words[0].as_str();
    let is_decision =
        DECISIONS.contains(&verb) || verb == "first-player" || (verb == "roll" && seat == "*");
    let mut fields = Map::new();
    fields.insert(if is_decision { "step" } else { "do" }.to_owned(), json!(verb));
    if seat != "*" {
        fields.insert(if is_decision { "seat" } else { "by" }.to_owned(), json!(seat));
    }
    for word in &words[1..] {
        let (key, value) = word.split_once('=').unwrap();
        let value = serde_json::from_str(value).unwrap_or_else(|_| json!(value));
        fields.insert(key.to_owned(), value);
    }
    Value::Object(fields).to_string()
}

/// Replaces a value, or removes it where the new one is `-`.
fn replace(file: &mut Value, place: &str, value: &str) {
    let (parent, key) = place.rsplit_once('/').unwrap_or(("", place));
    let parent =
        if parent.is_empty() { file } else { file.pointer_mut(&format!("/{parent}")).unwrap() };
    if value == "-" {
        parent.as_object_mut().unwrap().remove(key).unwrap();
        return;
    }
    let value = serde_json::from_str(value).unwrap();
    match parent {
        Value::Array(list) => list[key.parse::<usize>().unwrap()] = value,
        _ => parent[key] = value,
    }
}

#[test]
fn calls_end_as_the_scripts_say() {
    let mut desk = Desk::new();
    let mut wrong = Vec::new();
    for (number, line) in SCRIPTS.lines().enumerate() {
        if line.is_empty() || line.starts_with("//") {
            continue;
        }
        if line.starts_with("# ") {
            desk = Desk::new();
            continue;
        }
        let line = desk.substituted(line);
        let run = std::panic::AssertUnwindSafe(|| desk.runs(&line));
        if std::panic::catch_unwind(run).is_err() {
            wrong.push(format!("{}: {line}", number + 1));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// `--seed TEXT --count N` deals by `TEXT/1` and so on; a sealed choice is in no output before it is
/// opened; what a match suggests can be decided.
#[test]
fn what_is_printed_can_be_used() {
    const RANDOM: &str = r#"{"step":"first-player","by":"random"}"#;
    let mut desk = Desk::new();
    let new = |desk: &mut Desk, more: &[&str]| {
        let call = [&["match", "new", "vastrix", "--decide", RANDOM], more].concat();
        assert_eq!(desk.call(&call), 0);
        desk.out.clone()
    };
    let many = new(&mut desk, &["--seed", "t", "--count", "20"]);
    assert_eq!(many.lines().count(), 20);
    let third: Value = serde_json::from_str(many.lines().nth(2).unwrap()).unwrap();
    let one: Value = serde_json::from_str(&new(&mut desk, &["--seed", "t/3"])).unwrap();
    assert_eq!(third, one);

    let battle = "match new vastrix --option battlerealm=true --to m.json";
    assert_eq!(desk.line(battle), 0);
    let mut opened = vec![RANDOM.to_owned()];
    for (seat, choice) in [("B", "beauty"), ("A", "bravery")] {
        let seal = format!("match decide m.json --seal {seat} {choice} --to m.json");
        assert_eq!(desk.line(&seal), 0);
        assert!(!desk.json("m.json").to_string().contains(choice));
        let reveal = desk.out.lines().find_map(|line| Some(&line[line.find("{\"")?..]));
        opened.push(reveal.unwrap().to_owned());
    }
    let opened: Vec<&str> = opened.iter().map(String::as_str).collect();
    let decide = [&["match", "decide", "m.json", "--to", "m.json"][..], &opened].concat();
    assert_eq!(desk.call(&decide), 0);
    assert_eq!(desk.value("state/seats/A/spec"), "bravery");
    assert_eq!(desk.value("state/phase"), "ready");

    let shell = format!("shell --deck {DECKS}/shell/ebb.txt --deck {DECKS}/shell/ebb.txt");
    let hero = format!("--deck {DECKS}/vanquishers/quiet-ledgers.txt");
    for call in [
        shell,
        format!("vanquishers {hero} {hero} --set starting_energy=1"),
        "vastrix --option deffy=soda --option just_checking=true".to_owned(),
        "vastrix --option deffy=mystery-mix".to_owned(),
    ] {
        let new = format!("match new {call} --replace --to m.json");
        assert_eq!(desk.line(&new), 0);
        // A seat reads the ids of the cards that it may swap, hidden ones too.
        assert_eq!(desk.call(&["match", "view", "m.json", "--seat", "A"]), 0);
        let deck = desk.value("state/seats/A/zones/deck/0");
        let is_listed = desk.out.contains(deck.as_str().unwrap_or("no deck"));
        assert_eq!(is_listed, call.starts_with("shell"), "{}", desk.out);
        for _ in 0..40 {
            assert_eq!(desk.line("match view m.json --seat public"), 0);
            let out = desk.out.clone();
            let Some(decision) = out.lines().find_map(|line| Some(&line[line.find("{\"")?..]))
            else {
                break;
            };
            let decide = ["match", "decide", "m.json", decision, "--to", "m.json"];
            assert_eq!(desk.call(&decide), 0, "{decision}");
        }
        assert_eq!(desk.value("state/phase"), "ready", "{call:?}");
    }
}

/// Two who decide at once both decide, and the same decision is made once.
#[test]
fn calls_at_once_lose_no_decision() {
    let mut desk = Desk::new();
    let deck = format!("{DECKS}/shell/ebb.txt");
    let new = ["match", "new", &deck, &deck, "--to", "m.json"];
    assert_eq!(desk.call(&new), 0);
    let before = std::fs::read(desk.path().join("m.json")).unwrap();
    let begin = |seat: &str| {
        let swap = json!({"step": "swap", "seat": seat}).to_string();
        let call = ["match", "decide", "m.json", &swap, "--to", "m.json"];
        let mut call = command(desk.path(), &call);
        call.stdout(Stdio::null()).stderr(Stdio::null());
        call.spawn().unwrap()
    };
    for round in 0..24 {
        let seats = if round % 4 == 3 { ["A", "A"] } else { ["A", "B"] };
        std::fs::write(desk.path().join("m.json"), &before).unwrap();
        let children = seats.map(begin);
        let ended = children.map(|mut child| child.wait().unwrap().code().unwrap());
        let made = desk.json("m.json")["inputs"]["decisions"].as_array().unwrap().len();
        if seats[0] == seats[1] {
            assert_eq!((made, ended.iter().sum::<i32>()), (1, 1), "round {round}");
        } else {
            assert_eq!((made, ended), (2, [0, 0]), "round {round}");
        }
    }
}
