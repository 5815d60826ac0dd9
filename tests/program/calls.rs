//! Runs the pages of `calls`: commands, and what they must answer.
//!
//! Each `##` begins with an empty folder. A block named after a file (`yaml list.yaml`) writes it,
//! and a `console` block runs commands. Folders of the project that a section names (`decks/`) are
//! copied. Below a command stand its expectations, one a line:
//!
//! - `/decks/0/verdict = "legal"`: a value of the answer in JSON, NDJSON or CSV. `*` is every item,
//!   and the values are then a list; `none` is a value that is absent.
//! - `/decks/* keys deck fix?`: the keys of an object; those with `?` may be absent.
//! - `/decks/* count 3`: the number of values.
//! - `! words`: words that neither standard output nor standard error has.
//! - Other lines: words that one of them has. White space does not matter.

use super::console::{Part, copy, parts, shell, steps};
use crate::common::root;
use serde_json::Value;
use std::path::Path;

/// Folders and files of the project that a page may use.
const PROJECT: [&str; 6] =
    ["banlists/", "decks/", "docs/", "examples/", "formats/", "tests/published/"];

macro_rules! pages {
    ($($page:ident)*) => {
        $(
            #[test]
            fn $page() {
                run(stringify!($page));
            }
        )*

        #[test]
        fn every_page_is_run() {
            let pages = std::fs::read_dir(root().join("tests/program/calls")).unwrap();
            assert_eq!(pages.count(), [$(stringify!($page)),*].len());
        }
    };
}

pages!(check convert event files finish fix forms games lists manual names odds print reading stats statuses stream truth);

fn run(page: &str) {
    let path = root().join("tests/program/calls").join(page).with_extension("md");
    let text = std::fs::read_to_string(path).unwrap().replace('\r', "");
    let mut wrong = String::new();
    for section in text.split("\n## ").skip(1) {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path();
        for part in PROJECT.iter().filter(|part| is_used(part, section)) {
            copy(&root().join(part), &folder.join(part));
        }
        for part in parts(section) {
            let Part::Block { info, body } = part else {
                continue;
            };
            let (kind, file) = info.split_once(' ').unwrap_or((info, ""));
            if kind == "console" {
                run_block(info, body, folder, &mut wrong);
            } else {
                let path = folder.join(file);
                std::fs::create_dir_all(path.parent().unwrap()).unwrap();
                std::fs::write(path, format!("{body}\n")).unwrap();
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

/// Whether a text names a folder of the project; `/decks/0` is a path of an answer.
fn is_used(folder: &str, text: &str) -> bool {
    let (before, _) = text.rsplit_once(folder).unwrap_or_default();
    text.contains(folder) && before.split(folder).any(|words| !words.ends_with('/'))
}

fn run_block(info: &str, body: &str, folder: &Path, wrong: &mut String) {
    for step in steps(info, body) {
        let output = shell(step.command, folder);
        let out = String::from_utf8_lossy(&output.stdout);
        let shown = format!("{out}{}", String::from_utf8_lossy(&output.stderr));
        let answer = parsed(&out);
        let lines = step.below.lines().filter(|line| !line.is_empty());
        let failed: Vec<&str> = lines.filter(|line| !holds(line, &shown, &answer)).collect();
        let status = output.status.code();
        if status != Some(step.status) || !failed.is_empty() {
            let expected = failed.join("\n");
            *wrong += &format!("$ {}\n{expected}\nexit {status:?}: {shown}\n", step.command);
        }
    }
}

/// The answer of a command: one document, one a line, or the rows of a table.
fn parsed(out: &str) -> Value {
    let lines = || out.lines().map(serde_json::from_str).collect::<Result<_, _>>();
    if let Ok(document) = serde_json::from_str(out).or_else(|_| lines().map(Value::Array)) {
        return document;
    }
    let mut table = csv::ReaderBuilder::new()
        .flexible(true)
        .from_reader(out.trim_start_matches('\u{feff}').as_bytes());
    let header = table.headers().cloned().unwrap_or_default();
    let rows = table.records().flatten().map(|row| {
        let cells = header.iter().map(str::to_owned);
        cells.zip(row.iter().map(Value::from)).collect::<Value>()
    });
    rows.collect()
}

/// The values at a path; `*` is every item.
fn values<'v>(answer: &'v Value, path: &str) -> Vec<&'v Value> {
    let mut found = vec![answer];
    for word in path.split('/').filter(|word| !word.is_empty()) {
        found = found
            .into_iter()
            .flat_map(|value| match (word, value) {
                ("*", Value::Array(items)) => items.iter().collect(),
                ("*", Value::Object(members)) => members.values().collect(),
                _ => value.pointer(&format!("/{word}")).into_iter().collect::<Vec<_>>(),
            })
            .collect();
    }
    found
}

fn has_keys(value: &Value, keys: &str) -> bool {
    let Some(members) = value.as_object() else {
        return false;
    };
    let keys = || keys.split(' ');
    let is_known = |key: &String| keys().any(|known| known.trim_end_matches('?') == key);
    let is_there = |key: &str| key.ends_with('?') || members.contains_key(key);
    members.keys().all(is_known) && keys().all(is_there)
}

/// Text without line ends and with single spaces.
fn squeezed(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn holds(line: &str, shown: &str, answer: &Value) -> bool {
    let at_path = |word: &str| {
        let (path, rest) = line.split_once(word)?;
        path.starts_with('/').then(|| (path, values(answer, path), rest))
    };
    if let Some((path, found, expected)) = at_path(" = ") {
        let found = if path.contains('*') {
            Some(found.into_iter().cloned().collect())
        } else {
            found.first().copied().cloned()
        };
        let expected = (expected != "none").then(|| serde_json::from_str(expected).unwrap());
        found == expected
    } else if let Some((_, found, keys)) = at_path(" keys ") {
        !found.is_empty() && found.into_iter().all(|value| has_keys(value, keys))
    } else if let Some((_, found, count)) = at_path(" count ") {
        found.len() == count.parse::<usize>().unwrap()
    } else if let Some(other) = line.strip_prefix("! ") {
        !squeezed(shown).contains(&squeezed(other))
    } else {
        squeezed(shown).contains(&squeezed(line))
    }
}
