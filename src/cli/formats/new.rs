//! `decklaw formats new`: a game's folder to begin with.

use super::check::Lines;
use crate::cli::options::Output;
use crate::cli::output;
use crate::cli::{Answer, CliError, Run, files};
use crate::format::Catalogue;
use std::io;
use std::path::{Path, PathBuf};

/// The files of the folder: a small correct game, which calls itself [`ID`] and [`NAME`].
const TEMPLATE: [(&str, &str); 5] = [
    ("game.yaml", include_str!("template/game.yaml")),
    ("cards.csv", include_str!("template/cards.csv")),
    ("odds.yaml", include_str!("template/odds.yaml")),
    ("stats.yaml", include_str!("template/stats.yaml")),
    ("look.yaml", include_str!("template/look.yaml")),
];
const ID: &str = "skirmish";
const NAME: &str = "Skirmish";

/// Makes a game's folder, which is then checked as any other.
pub(super) fn run(folder: &Path, run: &Run) -> Answer {
    let id = id_of(folder)?;
    if is_taken(folder)? {
        return Err(CliError::call(format!(
            "{}: this folder is not empty; name a new one",
            folder.display()
        )));
    }
    if Catalogue::built_in().game(&id).is_ok() {
        let message = format!("{id} is a built-in game: yours takes its place where it is used");
        run.complain("note", &message);
    }
    std::fs::create_dir_all(folder)?;
    let name = title(&id);
    for (file, text) in TEMPLATE {
        let text = text.replace(ID, &id).replace(NAME, &name);
        files::write(&folder.join(file), text.as_bytes(), files::Readers::Anyone, false)?;
    }
    let mut lines = Lines::new(run);
    lines.check(folder)?;
    let mut text = lines.text;
    let parent = folder.parent().map(PathBuf::from).unwrap_or_default();
    let parent =
        if parent.as_os_str().is_empty() { ".".to_owned() } else { parent.display().to_string() };
    let folder = folder.display();
    text.text.push_str(&run.printable(&format!(
        "\nNext: change {folder}/game.yaml and run `decklaw formats check {folder}`.\nWrite the line `formats: [{parent}]` into `decklaw.yaml`, and every command knows the game:\n  decklaw build {id} --to deck.txt\n  decklaw check deck.txt\n"
    )));
    output::emit(run, &Output::default(), &text)
}

/// A game's id from its folder.
fn id_of(folder: &Path) -> Result<String, CliError> {
    let id = folder.file_name().unwrap_or_default().to_string_lossy();
    let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    if id.starts_with(|c: char| c.is_ascii_lowercase()) && id.chars().all(plain) {
        Ok(id.into_owned())
    } else {
        Err(CliError::call(format!(
            "`{}` cannot be the id of a game: the folder's name must be lower-case letters, digits and `-`, a letter first",
            crate::text::escape_control(&id, false)
        )))
    }
}

/// Whether anything is in the folder.
fn is_taken(folder: &Path) -> Result<bool, CliError> {
    match std::fs::read_dir(folder) {
        Ok(mut entries) => Ok(entries.next().is_some()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
        Err(error) => Err(CliError::call(format!("{}: {error}", folder.display()))),
    }
}

/// An id as a name.
fn title(id: &str) -> String {
    let words = id.split('-').map(|word| {
        let mut letters = word.chars();
        let first = letters.next().map(|first| first.to_ascii_uppercase());
        first.into_iter().chain(letters).collect::<String>()
    });
    words.collect::<Vec<_>>().join(" ")
}
