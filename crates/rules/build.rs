//! Where the built-in games, lists and sample decks are: in this package,
//! as links in a clone and as copies in what is published.

use std::path::{Path, PathBuf};

fn main() {
    let package = PathBuf::from(std::env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default());
    for (name, place) in [
        ("DECKLAW_FORMATS", "formats"),
        ("DECKLAW_BANLISTS", "banlists"),
        ("DECKLAW_DECKS", "decks"),
    ] {
        let found = followed(&package.join(place));
        println!("cargo::rerun-if-changed={}", found.display());
        println!("cargo::rustc-env={name}={}", found.display());
    }
}

/// Where a link leads. A checkout without links, as on Windows, has a file with the path in it.
fn followed(place: &Path) -> PathBuf {
    let text = std::fs::read_to_string(place).unwrap_or_default();
    match (text.starts_with("../"), place.parent()) {
        (true, Some(folder)) => folder.join(text.trim()),
        _ => place.to_owned(),
    }
}
