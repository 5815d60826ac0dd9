//! Runs the built binary over a folder of decks and reads its `ndjson`.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;
use tempfile::TempDir;

/// What the binary found in one deck.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Found {
    pub(crate) verdict: String,
    pub(crate) hash: String,
    /// Rule ids by severity.
    pub(crate) rules: BTreeMap<String, BTreeSet<String>>,
    /// The line as printed, to show where something is wrong.
    pub(crate) line: String,
}

impl Found {
    fn read(line: &str) -> (String, Self) {
        let value: Value = serde_json::from_str(line).unwrap();
        assert_eq!(value["schema"], "decklaw/verdict/1", "{line}");
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let mut rules = BTreeMap::<String, BTreeSet<String>>::new();
        for finding in value["findings"].as_array().unwrap() {
            let of = rules.entry(text(&finding["severity"])).or_default();
            of.insert(text(&finding["rule"]));
        }
        let path = text(&value["deck"]);
        let file = Path::new(&path).file_name().unwrap().to_string_lossy();
        let found = Self {
            verdict: text(&value["verdict"]),
            hash: text(&value["hash"]),
            rules,
            line: line.to_owned(),
        };
        (file.into_owned(), found)
    }

    pub(crate) fn of(&self, severity: &str) -> BTreeSet<&str> {
        let rules = self.rules.get(severity);
        rules.into_iter().flatten().map(String::as_str).collect()
    }

    /// All that must not change with the way in which a deck is written.
    pub(crate) fn essence(&self) -> (&str, &str, &BTreeMap<String, BTreeSet<String>>) {
        (&self.verdict, &self.hash, &self.rules)
    }
}

/// A folder of decks, with the card file and the banlist beside it.
pub(crate) struct Bench {
    folder: TempDir,
    options: Vec<String>,
}

impl Bench {
    /// Judged by the given cards (the built-in pool without) and banlist (none without).
    pub(crate) fn new(cards: Option<&str>, banlist: Option<&str>) -> Self {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("decks")).unwrap();
        let mut options = Vec::new();
        if let Some(cards) = cards {
            let file = folder.path().join("cards.csv");
            fs::write(&file, cards).unwrap();
            options.extend(["--cards".to_owned(), file.display().to_string()]);
        }
        let list = match banlist {
            Some(banlist) => {
                let file = folder.path().join("banlist.yaml");
                fs::write(&file, banlist).unwrap();
                file.display().to_string()
            }
            None => "none".to_owned(),
        };
        options.extend(["--banlist".to_owned(), list]);
        Self { folder, options }
    }

    pub(crate) fn set(&mut self, name: &str, value: &str) {
        self.options
            .extend(["--set".to_owned(), format!("{name}={value}")]);
    }

    fn decks(&self) -> PathBuf {
        self.folder.path().join("decks")
    }

    pub(crate) fn write(&self, file: &str, text: &str) {
        fs::write(self.decks().join(file), text).unwrap();
    }

    /// One run over the whole folder. The verdicts must cover the folder and agree with the exit
    /// status.
    pub(crate) fn check(&self) -> BTreeMap<String, Found> {
        let home = self.folder.path();
        let output = Command::new(env!("CARGO_BIN_EXE_decklaw"))
            .arg("check")
            .arg(self.decks())
            .args(&self.options)
            .args(["-o", "ndjson"])
            .env_clear()
            .env("HOME", home)
            .env("XDG_CONFIG_HOME", home)
            .current_dir(home)
            .output()
            .unwrap();
        let printed = String::from_utf8(output.stdout).unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        let status = output.status.code();
        assert!(matches!(status, Some(0 | 1)), "{status:?}: {said}");
        let found: BTreeMap<_, _> = printed.lines().map(Found::read).collect();
        let files = fs::read_dir(self.decks()).unwrap();
        let files: BTreeSet<_> = files
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        let judged: BTreeSet<_> = found.keys().cloned().collect();
        assert_eq!(files, judged, "one verdict for each deck");
        let all_legal = found.values().all(|found| found.verdict == "legal");
        assert_eq!(status, Some(i32::from(!all_legal)), "the exit status");
        found
    }
}
