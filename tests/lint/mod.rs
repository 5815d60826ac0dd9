//! `formats check` on games of one's own, and how their rules judge.

mod cases;
mod manual;
mod words;

use std::path::Path;

/// Copies the files of a built-in game to a folder.
fn copy_game(game: &str, to: &Path) {
    let from = Path::new(env!("CARGO_MANIFEST_DIR")).join("formats").join(game);
    for entry in std::fs::read_dir(from).unwrap() {
        let path = entry.unwrap().path();
        std::fs::copy(&path, to.join(path.file_name().unwrap())).unwrap();
    }
}
