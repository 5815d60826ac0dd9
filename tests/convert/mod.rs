//! `decklaw convert` from outside: foreign lists in, foreign lists out, and sheets.

mod print;
mod round_trips;
mod sheets;
mod structure;

use crate::common::{command, fed, root};
use std::path::Path;

/// The end of a run.
struct Ran {
    status: i32,
    out: String,
    err: String,
}

fn decklaw(arguments: &[&str], input: &[u8]) -> Ran {
    let mut call = command(root(), arguments);
    call.env("COLUMNS", "80");
    let ran = fed(call, input);
    Ran {
        status: ran.status.code().unwrap(),
        out: String::from_utf8(ran.stdout).unwrap(),
        err: String::from_utf8(ran.stderr).unwrap(),
    }
}

/// The hash of a deck file.
fn hash(path: &Path, more: &[&str]) -> String {
    let mut call = vec!["check", path.to_str().unwrap(), "-o", "ndjson"];
    call.extend(more);
    let ran = decklaw(&call, b"");
    let deck: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
    deck["hash"].as_str().unwrap_or_else(|| panic!("{}", ran.out)).to_owned()
}
