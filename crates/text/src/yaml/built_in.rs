//! The values of the built-in YAML files, parsed when they were last changed: parsing the file of a
//! game takes as long as all else that a check of one deck does.

use super::Node;
use serde::Deserialize;

/// A list of [`Parsed`] in the format of `postcard`. `UPDATE_SCHEMAS=1 cargo test -p decklaw-text
/// --lib` writes it.
static FILES: &[u8] = include_bytes!("built_in.bin");

/// A file and its values.
#[derive(Deserialize)]
#[cfg_attr(test, derive(serde::Serialize))]
struct Parsed<'a> {
    /// The bytes of the file.
    length: usize,
    /// The SHA-256 of the file: one that was changed since is parsed.
    sha256: &'a str,
    /// Its [`Node`], read for this file alone.
    tree: &'a [u8],
}

/// Returns the values of a built-in file; `None`: the text is none.
pub(super) fn tree(text: &str) -> Option<Node<'static>> {
    let files: Vec<Parsed<'_>> = postcard::from_bytes(FILES).ok()?;
    let is_it = |file: &&Parsed<'_>| {
        file.length == text.len() && file.sha256 == crate::digest::sha256(text.as_bytes())
    };
    let file = files.iter().find(is_it)?;
    postcard::from_bytes(file.tree).ok()
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use std::path::{Path, PathBuf};

    fn files_in(folder: &Path, files: &mut Vec<PathBuf>) {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                files_in(&path, files);
            } else if path.extension().is_some_and(|ending| ending == "yaml") {
                files.push(path);
            }
        }
    }

    #[test]
    fn values_are_those_of_the_files() {
        let mut paths = Vec::new();
        for folder in ["formats", "banlists"] {
            let clone = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
            files_in(&Path::new(clone).join(folder), &mut paths);
        }
        paths.sort();
        let texts: Vec<String> =
            paths.iter().map(|path| std::fs::read_to_string(path).unwrap()).collect();
        let parts: Vec<(String, Vec<u8>)> = texts
            .iter()
            .map(|text| {
                let tree = super::super::parsed(text).unwrap();
                let sha256 = crate::digest::sha256(text.as_bytes());
                (sha256, postcard::to_allocvec(&tree).unwrap())
            })
            .collect();
        let files: Vec<Parsed<'_>> = texts
            .iter()
            .zip(&parts)
            .map(|(text, (sha256, tree))| Parsed { length: text.len(), sha256, tree })
            .collect();
        let expected = postcard::to_allocvec(&files).unwrap();
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/src/yaml/built_in.bin");
        if std::env::var_os("UPDATE_SCHEMAS").is_some() {
            std::fs::write(path, &expected).unwrap();
        }
        assert!(
            std::fs::read(path).unwrap() == expected,
            "{path} is stale: run the tests with UPDATE_SCHEMAS=1"
        );
    }
}
