//! `decklaw convert` from outside: foreign lists in, foreign lists out, and sheets.

mod print;
mod round_trips;
mod structure;

use crate::common::{Ran, command, fed, root};
use std::path::Path;

fn decklaw(arguments: &[&str], input: &[u8]) -> Ran {
    let mut call = command(root(), arguments);
    call.env("COLUMNS", "80");
    Ran::of(fed(call, input))
}

/// The hash of a deck file.
fn hash(path: &Path, more: &[&str]) -> String {
    let mut call = vec!["check", path.to_str().unwrap(), "-o", "ndjson"];
    call.extend(more);
    let ran = decklaw(&call, b"");
    ran.json()["hash"].as_str().unwrap_or_else(|| panic!("{}", ran.out)).to_owned()
}
