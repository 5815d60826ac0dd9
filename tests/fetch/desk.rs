//! An organiser's desk: a configuration, a folder of decks, and the command.

use crate::common::{Files, Ran, command, tree};
use std::path::PathBuf;

pub(crate) struct Desk {
    folder: tempfile::TempDir,
}

impl Desk {
    pub(crate) fn new() -> Desk {
        let folder = tempfile::tempdir().unwrap();
        for part in ["configuration", "work"] {
            std::fs::create_dir(folder.path().join(part)).unwrap();
        }
        Desk { folder }
    }

    /// A desk whose configuration names one list, `official`.
    pub(crate) fn with_list(url: &str, more: &str) -> Desk {
        let desk = Desk::new();
        desk.configure(&format!("lists:\n  official:\n    url: {url}\n{more}"));
        desk
    }

    pub(crate) fn configure(&self, text: &str) {
        std::fs::write(self.path("configuration/decklaw.yaml"), text).unwrap();
    }

    pub(crate) fn path(&self, inside: &str) -> PathBuf {
        self.folder.path().join(inside)
    }

    pub(crate) fn write(&self, inside: &str, text: &str) {
        std::fs::write(self.path("work").join(inside), text).unwrap();
    }

    pub(crate) fn run(&self, arguments: &[&str]) -> Ran {
        let output = command(&self.path("work"), arguments)
            .env("DECKLAW_CONFIG", self.path("configuration"))
            // A proxy must not see what is for this machine: here none would answer.
            .env("HTTP_PROXY", "http://127.0.0.1:9")
            .env("http_proxy", "http://127.0.0.1:9")
            .output()
            .unwrap();
        Ran::of(output)
    }

    /// Fetches the list of the configuration.
    pub(crate) fn fetch(&self, more: &[&str]) -> Ran {
        let mut arguments = vec!["banlist", "fetch", "official"];
        arguments.extend(more);
        self.run(&arguments)
    }

    /// Every file that fetching has written, with its bytes.
    pub(crate) fn kept(&self) -> Files {
        tree(&self.path("configuration/fetched"))
    }
}

/// A list of Vainqueur that bans so many cards of no pool.
pub(crate) fn list(id: &str, effective: &str, cards: usize) -> String {
    let banned: String = (1..=cards).map(|at| format!("  - Card {at}\n")).collect();
    let banned = match cards {
        0 => "banned: []\n".to_owned(),
        _ => format!("banned:\n{banned}"),
    };
    format!(
        "schema: decklaw/banlist/1\nid: {id}\ngame: vainqueur\nname: Official\neffective: {effective}\n{banned}"
    )
}
