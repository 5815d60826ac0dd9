//! Forms and the evening of an organiser, from the outside.

mod cut;
mod event;
mod exports;

use crate::common::{decklaw, text};
use serde_json::Value;
use std::path::Path;

/// What `check --submissions` says of a table: its status, its document, and its complaints.
fn checked(table: &[u8], more: &[&str]) -> (Option<i32>, Value, String) {
    let folder = tempfile::tempdir().unwrap();
    checked_in(folder.path(), table, more)
}

fn checked_in(folder: &Path, table: &[u8], more: &[&str]) -> (Option<i32>, Value, String) {
    std::fs::write(folder.join("form.csv"), table).unwrap();
    let call = [&["check", "--submissions", "form.csv", "-o", "json"], more].concat();
    let run = decklaw(folder, &call);
    let document = serde_json::from_slice(&run.stdout).unwrap_or(Value::Null);
    (run.status.code(), document, text(&run.stderr))
}
