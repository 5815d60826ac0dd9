//! What people bring: text in any encoding, tables, pasted lists, folders, names as typed.
#![allow(clippy::unwrap_used)]

mod bytes;
#[path = "../common/mod.rs"]
mod common;
mod corpus;
mod folders;
mod found;
mod inputs;
mod names;
mod pasted;
mod queries;
mod tables;

use common::decklaw;
use serde_json::Value;

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

/// What `check -o json` says of a file of these bytes.
fn checked(name: &str, bytes: &[u8], more: &[&str]) -> Value {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join(name), bytes).unwrap();
    let run = decklaw(
        folder.path(),
        &[&["check", name, "-o", "json"], more].concat(),
    );
    let said = text(&run.stderr);
    serde_json::from_slice(&run.stdout).unwrap_or_else(|_| panic!("{name}: {said}"))
}

/// The messages of a deck's findings, but for the notice that a format has no rules.
fn messages(document: &Value) -> Vec<String> {
    let findings = document["decks"][0]["findings"].as_array().unwrap();
    let findings = (findings.iter()).filter(|finding| finding["code"] != "unjudged.no-rules");
    let message = |finding: &Value| finding["message"].as_str().unwrap().to_owned();
    findings.map(message).collect()
}
