//! What tests of the program have in common.

use std::path::Path;
use std::process::{Command, Output};

/// Runs the program in a folder, which is that of its configuration too.
pub(crate) fn decklaw(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_decklaw"))
        .args(arguments)
        .current_dir(folder)
        .env("DECKLAW_CONFIG", folder)
        .output()
        .unwrap()
}
