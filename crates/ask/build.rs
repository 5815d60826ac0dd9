//! Gives the crate `DECKLAW_SOURCE`: a digest of the sources that answers are computed by, so that
//! a program recognizes an engine of other sources.

use std::path::{Path, PathBuf};

/// The folders of the packages that answers are computed by: this one, and those next to it that
/// its manifest names. A package from a registry has none next to it.
fn packages(own: &Path) -> Vec<PathBuf> {
    let manifest = std::fs::read_to_string(own.join("Cargo.toml")).unwrap_or_default();
    let named = manifest.lines().filter_map(|line| {
        let (path, _) = line.split_once("path = \"")?.1.split_once('"')?;
        Some(own.join(path))
    });
    named.chain([own.to_owned()]).collect()
}

/// Adds the source files in a folder.
fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            collect(&path, files);
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            files.push(path);
        }
    }
}

fn main() {
    let own = PathBuf::from(std::env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default());
    println!("cargo::rerun-if-changed=Cargo.toml");
    // FNV-1a over names and contents, without line ends, which a checkout may change.
    let mut digest: u64 = 0xcbf2_9ce4_8422_2325;
    let mut add = |bytes: &[u8]| {
        for byte in bytes.iter().filter(|byte| **byte != b'\r') {
            digest = (digest ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
        }
    };
    for package in packages(&own) {
        let source = package.join("src");
        println!("cargo::rerun-if-changed={}", source.display());
        let mut files = Vec::new();
        collect(&source, &mut files);
        files.sort();
        for file in files {
            let name = file.strip_prefix(&source).unwrap_or(&file);
            add(name.to_string_lossy().replace('\\', "/").as_bytes());
            add(&std::fs::read(&file).unwrap_or_default());
        }
    }
    println!("cargo::rustc-env=DECKLAW_SOURCE={digest:016x}");
}
