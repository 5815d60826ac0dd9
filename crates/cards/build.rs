//! Where the language of queries is described: in this package,
//! as a link in a clone and as a copy in what is published.

use std::path::{Path, PathBuf};

fn main() {
    let package = PathBuf::from(std::env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default());
    let found = followed(&package.join("docs/queries.md"));
    println!("cargo::rerun-if-changed={}", found.display());
    println!("cargo::rustc-env=DECKLAW_QUERIES={}", found.display());
}

/// Where a link leads. A checkout without links, as on Windows, has a file with the path in it.
fn followed(place: &Path) -> PathBuf {
    let text = std::fs::read_to_string(place).unwrap_or_default();
    match (text.starts_with("../"), place.parent()) {
        (true, Some(folder)) => folder.join(text.trim()),
        _ => place.to_owned(),
    }
}
