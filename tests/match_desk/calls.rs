//! Calls of the program, each in a folder of its own.

use serde_json::Value;
use std::path::PathBuf;
use std::process::Command;
use tempfile::TempDir;

/// Seat A begins.
pub(crate) const FIRST: &str = r#"{"step":"first-player","by":"choice","seat":"A"}"#;

/// What a call answered.
pub(crate) struct Answer {
    pub(crate) status: i32,
    pub(crate) out: String,
    pub(crate) error: String,
}

impl Answer {
    /// The JSON document of a call that succeeded.
    #[track_caller]
    pub(crate) fn json(&self) -> Value {
        self.assert(0, &[]);
        serde_json::from_str(&self.out).unwrap()
    }

    /// The exit status, and what standard error says.
    #[track_caller]
    pub(crate) fn assert(&self, status: i32, says: &[&str]) {
        assert_eq!(self.status, status, "{}{}", self.out, self.error);
        for says in says {
            assert!(self.error.contains(says), "{says:?}? {:?}", self.error);
        }
    }
}

/// A folder to work in.
pub(crate) struct Desk(TempDir);

impl Desk {
    pub(crate) fn new() -> Desk {
        Desk(TempDir::new().unwrap())
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub(crate) fn write(&self, name: &str, text: impl AsRef<[u8]>) {
        let path = self.path(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }

    pub(crate) fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.path(name)).unwrap()
    }

    pub(crate) fn json(&self, name: &str) -> Value {
        serde_json::from_str(&self.read(name)).unwrap()
    }

    /// Changes a JSON file.
    pub(crate) fn change(&self, from: &str, to: &str, change: impl FnOnce(&mut Value)) {
        let mut file = self.json(from);
        change(&mut file);
        self.write(to, file.to_string());
    }

    /// `decklaw ARGUMENTS`, split at blanks; `'…'` keeps blanks.
    pub(crate) fn call(&self, arguments: &str) -> Answer {
        let mut words: Vec<&str> = Vec::new();
        for (number, part) in arguments.split('\'').enumerate() {
            if number % 2 == 0 {
                words.extend(part.split_whitespace());
            } else {
                words.push(part);
            }
        }
        let output = Command::new(env!("CARGO_BIN_EXE_decklaw"))
            .args(words)
            .current_dir(self.0.path())
            .output()
            .unwrap();
        Answer {
            status: output.status.code().unwrap(),
            out: String::from_utf8(output.stdout).unwrap(),
            error: String::from_utf8(output.stderr).unwrap(),
        }
    }

    pub(crate) fn run(&self, arguments: &str) -> Answer {
        self.call(&format!("match {arguments}"))
    }

    /// A match of VASTRIX that is ready.
    pub(crate) fn ready(&self, name: &str) {
        self.run(&format!(
            "new vastrix --seed qorvith-blenska-uthmar-p --decide '{FIRST}' --to {name}"
        ))
        .assert(0, &[]);
    }
}

/// A deck of this repository.
pub(crate) fn sample(path: &str) -> String {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/decks");
    format!("{folder}/{path}")
}
