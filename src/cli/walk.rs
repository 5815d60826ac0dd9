//! The decks that a call names: files, folders, patterns, links and standard input.

use super::answer::{io_message, with_help};
use super::{CliError, Run};
use crate::deck::{Input, LARGEST_FILE, is_link};
use crate::table;
use crate::text::{ReadError, counted};
use fast_glob::glob_match;
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::fs::{DirEntry, File};
use std::io::{self, Read};
use std::path::{Component, Path, PathBuf};

/// A deck to judge, not yet read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct DeckSource {
    path: PathBuf,
    kind: SourceKind,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum SourceKind {
    /// Standard input.
    Stdin,
    /// A path that a call names, which may be anything.
    Named,
    /// A sheet of a workbook that a call names: `FILE.xlsx#Sheet`.
    Sheet,
    /// A link that holds its deck.
    Link,
    /// A regular file met in a folder.
    File,
    /// A folder that cannot be read, so that its decks are unknown.
    Closed,
}

/// The endings of deck files in folders; a `.csv` is one only by its columns.
const ENDINGS: [&str; 8] = ["txt", "yaml", "yml", "json", "cod", "dek", "o8d", "ydk"];
/// Files with the ending of a deck that are a game's, an event's or the configuration, each with
/// the file that lies in the same folder then.
const NO_DECKS: [(&str, &str); 6] = [
    ("game.yaml", "game.yaml"),
    ("cards.csv", "game.yaml"),
    ("odds.yaml", "game.yaml"),
    ("stats.yaml", "game.yaml"),
    ("event.yaml", "lock"),
    ("decklaw.yaml", "decklaw.yaml"),
];
/// The most bytes of a table that are looked at for its columns.
const HEADER: u64 = 1 << 14;
/// Bytes that the buffer for a file has room for.
const ROOM: usize = 1 << 14;
/// The most names of a folder that a misspelt one is compared with.
const MOST_COMPARED: usize = 10_000;
/// The marks of a pattern.
const MARKS: [char; 4] = ['*', '?', '[', '{'];

/// Every deck that the paths name, in a stable order: as given, those of a folder or pattern
/// by the bytes of their paths.
///
/// # Errors
/// A path that is not there, and a folder or pattern without a deck.
pub(super) fn decks(run: &Run, paths: &[PathBuf]) -> Result<Vec<DeckSource>, CliError> {
    let mut sources = Vec::new();
    let mut add = |path: &PathBuf, kind| {
        let path = path.clone();
        sources.push(DeckSource { path, kind });
    };
    let mut met = Vec::new();
    for path in paths {
        if path.as_os_str() == "-" {
            add(path, SourceKind::Stdin);
        } else if path.is_dir() {
            met = in_folder(run, path)?;
        } else if std::fs::symlink_metadata(path).is_ok() {
            add(path, SourceKind::Named);
        } else if is_sheet(path) {
            add(path, SourceKind::Sheet);
        } else if link_of(path).is_some() {
            add(path, SourceKind::Link);
        } else {
            met = matching(run, path)?;
        }
        met.drain(..).for_each(|DeckSource { path, kind }| add(&path, kind));
    }
    Ok(sources)
}

/// Whether a path names a sheet of a workbook.
pub(super) fn is_sheet(path: &Path) -> bool {
    let (file, sheet) = table::named(path);
    sheet.is_some() && file.is_file()
}

/// The link that a call names in the place of a file.
pub(super) fn link_of(path: &Path) -> Option<&str> {
    let link = path.to_str().filter(|text| is_link(text))?;
    std::fs::symlink_metadata(path).is_err().then_some(link)
}

/// A sheet of a workbook as a table in text, a line for each row.
///
/// # Errors
/// Why it is unreadable, and what to do about it.
fn sheet_text(path: &Path) -> Result<Vec<u8>, ReadError> {
    let (path, sheet) = table::named(path);
    let kind = SourceKind::Named;
    let mut book = Vec::new();
    DeckSource { path, kind }.read(&mut book)?;
    let (text, _) = table::as_text(&book, sheet.as_deref(), true)?;
    Ok(text.into_owned().into_bytes())
}

/// What a walk met: decks, folders that cannot be read, and how many files are no decks, by kind.
#[derive(Debug, Default)]
struct WalkResult {
    decks: Vec<DeckSource>,
    skipped: BTreeMap<String, usize>,
}

/// The decks of a folder; a note counts what is no deck.
fn in_folder(run: &Run, folder: &Path) -> Result<Vec<DeckSource>, CliError> {
    let is_deck =
        |path: &Path| (ends_as_deck(path) || is_table_of_cards(path)) && !is_no_deck(path);
    let met = walk(run, folder, &is_deck)?;
    if let Some(note) = met.note(folder) {
        run.complain("note", &note);
    }
    if met.decks.is_empty() {
        return Err(CliError::call(format!("{}: no deck in this folder", folder.display())));
    }
    Ok(met.decks)
}

/// The letters of a pattern outside ASCII, in order. `fast_glob` compares bytes; so that `?` and
/// `[à-é]` mean letters, each letter is one byte here: that of its place among the pattern's.
struct Letters(Vec<char>);

impl Letters {
    fn of(pattern: &str) -> Letters {
        let mut letters: Vec<char> = pattern.chars().filter(|one| !one.is_ascii()).collect();
        letters.sort_unstable();
        letters.dedup();
        Letters(letters)
    }

    fn bytes(&self, text: &str) -> Vec<u8> {
        let byte = |letter: char| match u8::try_from(letter) {
            Ok(byte) if byte.is_ascii() => byte,
            // Odd: the letter itself. Even: any letter between two of the pattern's.
            _ => match self.0.binary_search(&letter) {
                Ok(place) => 0x81 + 2 * place.min(62) as u8,
                Err(place) => 0x80 + 2 * place.min(63) as u8,
            },
        };
        text.chars().map(byte).collect()
    }
}

/// The file or folder next to a missing one whose name is nearest.
fn near(path: &Path) -> Option<String> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let inside = std::fs::read_dir(folder.unwrap_or(Path::new("."))).ok()?;
    let names =
        inside.take(MOST_COMPARED).filter_map(|one| one.ok()?.file_name().into_string().ok());
    let names: Vec<String> = names.collect();
    let near = crate::name::nearest(path.file_name()?.to_str()?, names.iter().map(String::as_str));
    let near = near.first().map(|name| path.with_file_name(name));
    near.map(|near| crate::text::escape_control(&near.display().to_string(), false).into_owned())
}

/// The decks that match a pattern such as `decks/*.txt`, where no shell has put files in its place.
fn matching(run: &Run, path: &Path) -> Result<Vec<DeckSource>, CliError> {
    let Some(text) = path.to_str().filter(|text| text.contains(MARKS)) else {
        let message = format!("{}: no such file or folder", path.display());
        let near = near(path).map_or_else(String::new, |near| format!("did you mean {near}?"));
        return Err(CliError::call(with_help(&message, &near)));
    };
    let slashed =
        |text: &str| if cfg!(windows) { text.replace('\\', "/") } else { text.to_owned() };
    // A leading `!` would mean all other files.
    let escaped = if text.starts_with('!') { "\\" } else { "" };
    let pattern = format!("{escaped}{}", slashed(text));
    fast_glob::validate(&pattern)
        .map_err(|error| CliError::call(format!("`{text}` is not a pattern: {error}")))?;
    let letters = Letters::of(&pattern);
    let matched = letters.bytes(&pattern);
    let is_match =
        |path: &Path| glob_match(&matched, letters.bytes(&slashed(&path.to_string_lossy())));
    let is_plain = |part: &Component<'_>| !part.as_os_str().to_string_lossy().contains(MARKS);
    let root: PathBuf = path.components().take_while(is_plain).collect();
    let is_here = root.as_os_str().is_empty();
    let none = || CliError::call(format!("`{text}` matches no file"));
    if !is_here && !root.is_dir() {
        return Err(none());
    }
    let met = if is_here {
        let inside = |path: &Path| is_match(path.strip_prefix(".").unwrap_or(path));
        walk(run, Path::new("."), &inside)?
    } else {
        walk(run, &root, &is_match)?
    };
    let mut decks = met.decks;
    for deck in decks.iter_mut().filter(|_| is_here) {
        if let Ok(inside) = deck.path.strip_prefix(".") {
            deck.path = inside.to_owned();
        }
    }
    if decks.is_empty() { Err(none()) } else { Ok(decks) }
}

/// Walks a folder to its end. Folders of one depth are read side by side.
fn walk(
    run: &Run,
    folder: &Path,
    is_deck: &(dyn Fn(&Path) -> bool + Sync),
) -> Result<WalkResult, CliError> {
    let mut met = WalkResult::default();
    let mut level = vec![folder.to_owned()];
    let read = |folder: &PathBuf| {
        let mut met = WalkResult::default();
        let mut inner = Vec::new();
        if met.read(run, folder, is_deck, &mut inner).is_err() {
            met.decks.push(DeckSource { path: folder.clone(), kind: SourceKind::Closed });
        }
        (met, inner)
    };
    while !level.is_empty() {
        if level.len() > 1 {
            super::run::start_threads()?;
        }
        let all: Vec<(WalkResult, Vec<PathBuf>)> = match level.as_slice() {
            [only] => vec![read(only)],
            level => level.par_iter().map(read).collect(),
        };
        level.clear();
        for (more, inner) in all {
            met.decks.extend(more.decks);
            for (kind, number) in more.skipped {
                *met.skipped.entry(kind).or_default() += number;
            }
            level.extend(inner);
        }
    }
    // The order of bytes is the same on every machine.
    let by_bytes = |one: &DeckSource, other: &DeckSource| {
        let (one, other) = (one.path.as_os_str(), other.path.as_os_str());
        one.as_encoded_bytes().cmp(other.as_encoded_bytes())
    };
    met.decks.sort_unstable_by(by_bytes);
    Ok(met)
}

impl WalkResult {
    /// Reads a folder, and adds those in it to `inner`.
    fn read(
        &mut self,
        run: &Run,
        folder: &Path,
        is_deck: &dyn Fn(&Path) -> bool,
        inner: &mut Vec<PathBuf>,
    ) -> io::Result<()> {
        for entry in std::fs::read_dir(folder)? {
            let entry = entry?;
            let (path, kind) = (entry.path(), entry.file_type()?);
            if is_hidden(&entry.file_name()) {
                *self.skipped.entry("hidden".to_owned()).or_default() += 1;
            } else if kind.is_dir() {
                inner.push(path);
            } else if kind.is_file() && is_deck(&path) {
                run.names(&path);
                let kind = SourceKind::File;
                self.decks.push(DeckSource { path, kind });
            } else {
                *self.skipped.entry(kind_of(&entry)?).or_default() += 1;
            }
        }
        Ok(())
    }

    /// What is to be said of files that are no decks, the most first.
    fn note(&self, folder: &Path) -> Option<String> {
        const MOST: usize = 8;
        let mut kinds: Vec<(&String, &usize)> = self.skipped.iter().collect();
        kinds.sort_by_key(|(kind, number)| (std::cmp::Reverse(**number), *kind));
        let more = kinds.len().saturating_sub(MOST);
        let said = kinds.iter().take(MOST);
        let mut said: Vec<String> = said.map(|(kind, number)| format!("{number} {kind}")).collect();
        if more > 0 {
            let more = counted(i64::try_from(more).unwrap_or(i64::MAX), "more kind");
            said.push(format!("and {more}"));
        }
        let folder = folder.display();
        let skipped = match kinds.iter().map(|(_, number)| **number).sum() {
            0 => return None,
            1_usize => format!("1 file in {folder} that is not a deck"),
            all => format!("{all} files in {folder} that are not decks"),
        };
        Some(format!("skipped {skipped}: {}", said.join(", ")))
    }
}

fn is_hidden(name: &std::ffi::OsStr) -> bool {
    name.as_encoded_bytes().starts_with(b".")
}

/// The ending of a file in lower case.
fn ending(path: &Path) -> Option<String> {
    Some(path.extension()?.to_str()?.to_ascii_lowercase())
}

fn ends_as_deck(path: &Path) -> bool {
    let ending = path.extension().and_then(|ending| ending.to_str());
    let is = |ending: &str| ENDINGS.iter().any(|known| known.eq_ignore_ascii_case(ending));
    ending.is_some_and(is)
}

fn is_no_deck(path: &Path) -> bool {
    let Some(own) = path.file_name() else {
        return false;
    };
    let mut known = NO_DECKS.iter().filter(|(name, _)| own == *name);
    known.any(|(_, other)| path.with_file_name(other).is_file())
}

/// The kind of a file that is no deck, as a note counts it.
fn kind_of(entry: &DirEntry) -> io::Result<String> {
    let kind = entry.file_type()?;
    Ok(match ending(&entry.path()) {
        _ if kind.is_symlink() => "links".to_owned(),
        _ if !kind.is_file() => "special".to_owned(),
        Some(ending) => format!(".{ending}"),
        None => "without an ending".to_owned(),
    })
}

/// Whether a file is a table with the columns of a deck.
fn is_table_of_cards(path: &Path) -> bool {
    if ending(path).is_none_or(|ending| ending != "csv") {
        return false;
    }
    let mut first = Vec::new();
    let read = File::open(path).and_then(|file| file.take(HEADER).read_to_end(&mut first));
    let has =
        |header: &[String], spellings| matches!(table::column(header, spellings), Ok(Some(_)));
    let header = first.split_inclusive(|byte| *byte == b'\n').next();
    let header = header.and_then(|line| table::read_header(line).ok());
    let is_deck = header
        .is_some_and(|header| has(&header, table::COUNTS) && has(&header, crate::pool::NAMES));
    read.is_ok() && is_deck
}

impl DeckSource {
    /// A path that a call names.
    #[cfg(test)]
    pub(super) fn named(path: impl Into<PathBuf>) -> DeckSource {
        DeckSource { path: path.into(), kind: SourceKind::Named }
    }

    /// How reports name it.
    pub(super) fn name(&self) -> String {
        self.path.to_string_lossy().into_owned()
    }

    /// Whether it was met in a folder, and not named by the call.
    pub(super) fn is_met(&self) -> bool {
        matches!(self.kind, SourceKind::File | SourceKind::Closed)
    }

    /// The file format it is read as: the one that the call says, or else by its ending.
    pub(super) fn input(&self, stated: Option<Input>) -> Input {
        match (self.kind, stated) {
            // Whatever a call says: a link holds JSON.
            (SourceKind::Link, _) => Input::Json,
            (_, Some(stated)) => stated,
            (SourceKind::Stdin, None) => Input::Text,
            (SourceKind::Sheet, None) => Input::Table,
            _ => Input::of_path(&self.path),
        }
    }

    /// Reads it into `buffer`.
    ///
    /// # Errors
    /// Why it is unreadable, and what to do about it.
    pub(super) fn read(&self, buffer: &mut Vec<u8>) -> Result<(), ReadError> {
        // Opening a pipe would wait for its writer, so what a call names is looked at first.
        if self.kind == SourceKind::Named && self.path.metadata().is_ok_and(|file| !file.is_file())
        {
            return Err(ReadError::new("it is not a file", ""));
        }
        self.read_any(buffer)
    }

    /// Reads the one deck of a call, which may be a pipe.
    ///
    /// # Errors
    /// As for [`read`](DeckSource::read).
    pub(super) fn alone(&self) -> Result<Vec<u8>, ReadError> {
        let mut bytes = Vec::new();
        self.read_any(&mut bytes)?;
        Ok(bytes)
    }

    fn read_any(&self, buffer: &mut Vec<u8>) -> Result<(), ReadError> {
        buffer.clear();
        let path = &self.path;
        let failed = |error: io::Error| ReadError::new(io_message(&error), "");
        match self.kind {
            SourceKind::Stdin => {
                let mut bounded = io::stdin().lock().take(LARGEST_FILE + 1);
                bounded.read_to_end(buffer).map_err(failed)?;
            }
            SourceKind::Closed => {
                let cause = std::fs::read_dir(path).err();
                let cause =
                    cause.map_or(String::new(), |error| format!(": {}", io_message(&error)));
                return Err(ReadError::new(
                    format!("this folder cannot be read, nor any deck in it{cause}"),
                    "let it be read, or name the decks themselves",
                ));
            }
            SourceKind::Sheet => *buffer = sheet_text(path)?,
            SourceKind::Link => buffer.extend(path.as_os_str().as_encoded_bytes()),
            SourceKind::Named | SourceKind::File => {
                let file = File::open(path).map_err(failed)?;
                // The buffer has room for most decks, so that the file's length is not needed.
                buffer.reserve(ROOM);
                file.take(LARGEST_FILE + 1).read_to_end(buffer).map_err(failed)?;
            }
        }
        if buffer.len() as u64 > LARGEST_FILE {
            let most = LARGEST_FILE >> 20;
            return Err(ReadError::new(
                format!("it is larger than {most} MiB, so it was not read"),
                "a deck is a few kilobytes",
            ));
        }
        Ok(())
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_is_walked_to_its_end_in_the_order_of_bytes() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        for name in [
            "b.txt",
            "b/x.txt",
            "b/.hidden/x.txt",
            "b/deep/er/still/z.JSON",
            "a/picture.png",
            "a/é.yaml",
            ".git/x.txt",
            ".x.txt",
            "B.yml",
        ] {
            let path = root.join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, "").unwrap();
        }
        #[cfg(unix)]
        for (to, link) in [(root.join("b"), "a/loop"), (root.join("b.txt"), "a/link.txt")] {
            std::os::unix::fs::symlink(to, root.join(link)).unwrap();
        }
        let met = decks(&Run::default(), &[root.to_owned()]).unwrap();
        let from_root =
            |deck: &DeckSource| deck.name()[root.to_str().unwrap().len() + 1..].to_owned();
        let names: Vec<String> = met.iter().map(from_root).collect();
        assert_eq!(names, ["B.yml", "a/é.yaml", "b.txt", "b/deep/er/still/z.JSON", "b/x.txt"]);

        for (pattern, expected) in [
            ("*.txt", vec!["b.txt"]),
            ("*/*.txt", vec!["b/x.txt"]),
            ("**/*.txt", vec!["b.txt", "b/x.txt"]),
            ("b/**", vec!["b/deep/er/still/z.JSON", "b/x.txt"]),
            ("[a-b]/?.{yaml,txt}", vec!["a/é.yaml", "b/x.txt"]),
            ("a/[à-ë].*", vec!["a/é.yaml"]),
            ("?/é.yaml", vec!["a/é.yaml"]),
            ("[!a-b]*.yml", vec!["B.yml"]),
            ("{b,nothing}{,/x}.txt", vec!["b.txt", "b/x.txt"]),
        ] {
            let met = decks(&Run::default(), &[root.join(pattern)]).unwrap();
            let names: Vec<String> = met.iter().map(from_root).collect();
            assert_eq!(names, expected, "{pattern}");
        }
    }
}
