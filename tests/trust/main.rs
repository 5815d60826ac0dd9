//! What is promised to users who trust a verdict: nothing hostile takes time or memory without
//! bound, no file is lost to a fault, what is shown does nothing, and readers stand what nobody
//! vouches for.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod bounds;
mod faults;
mod fuzz;
mod shown;
#[path = "../../fuzz/targets/mod.rs"]
mod targets;
mod workbooks;

use std::path::Path;
use std::process::{Command, Output};

/// The program in a folder, without a configuration but that of the folder.
fn decklaw(folder: &Path, arguments: &[&str]) -> Output {
    command(folder, arguments).output().unwrap()
}

fn command(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_decklaw"));
    command
        .args(arguments)
        .current_dir(folder)
        .env("DECKLAW_CONFIG", folder)
        .env("NO_COLOR", "1");
    command
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// A file of the repository.
fn root(inside: &str) -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(inside)
}
