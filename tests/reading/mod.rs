//! What people bring: text in any encoding, tables, pasted lists, folders, names as typed.

pub(crate) mod corpus;
mod found;
mod queries;
mod sections;
pub(crate) mod tables;

use crate::common::{decklaw, text};
use serde_json::Value;

/// What `check -o json` says of a file of these bytes.
fn checked(name: &str, bytes: &[u8], more: &[&str]) -> Value {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join(name), bytes).unwrap();
    let run = decklaw(folder.path(), &[&["check", name, "-o", "json"], more].concat());
    let said = text(&run.stderr);
    serde_json::from_slice(&run.stdout).unwrap_or_else(|_| panic!("{name}: {said}"))
}
