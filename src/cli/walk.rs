//! The decks that a call names: files, folders, patterns and standard input.

mod pattern;

use super::remedies::io_message;
use super::{Refusal, Run};
use crate::deck::{Input, LARGEST_FILE, is_link};
use crate::table;
use rayon::prelude::*;
use std::cell::Cell;
use std::collections::BTreeMap;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

/// A deck to judge, not yet read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum DeckSource {
    /// Standard input.
    Stdin,
    /// A path that a call names, which may be anything.
    Named(PathBuf),
    /// A sheet of a workbook that a call names: `FILE.xlsx#Sheet`.
    Sheet(PathBuf),
    /// A link that holds its deck.
    Link(PathBuf),
    /// A regular file met in a folder.
    File(PathBuf),
    /// A folder met in a folder, of which nobody knows what decks are in it.
    Closed(PathBuf),
}

/// The endings of deck files in folders; a `.csv` is one only by its columns.
const ENDINGS: [&str; 7] = ["txt", "yaml", "yml", "json", "cod", "dek", "ydk"];
/// The most bytes of a table that are looked at for its columns.
const HEADER: u64 = 1 << 14;

/// Every deck that the paths name, in a stable order: as given, those of a folder or pattern
/// by the bytes of their paths.
pub(super) fn decks(run: &Run, paths: &[PathBuf]) -> Result<Vec<DeckSource>, Refusal> {
    let mut sources = Vec::new();
    for path in paths {
        if path.as_os_str() == "-" {
            sources.push(DeckSource::Stdin);
        } else if path.is_dir() {
            let before = sources.len();
            walk(run, path, &mut sources)?;
            if sources.len() == before {
                return Err(Refusal(format!(
                    "{}: no deck in this folder",
                    path.display()
                )));
            }
            // Each folder's are sorted already, which this sort makes use of.
            sources[before..].sort_by(by_bytes);
            run.reads_in(path, is_deck_path);
        } else if std::fs::symlink_metadata(path).is_ok() {
            run.reads(path);
            sources.push(DeckSource::Named(path.clone()));
        } else if let Some(file) = workbook_of(path) {
            run.reads(&file);
            sources.push(DeckSource::Sheet(path.clone()));
        } else if link_of(path).is_some() {
            sources.push(DeckSource::Link(path.clone()));
        } else if !pattern::add(run, path, &mut sources)? {
            return Err(Refusal(format!(
                "{}: there is no such file or folder",
                path.display()
            )));
        }
    }
    Ok(sources)
}

/// The workbook of which a path names a sheet.
pub(super) fn workbook_of(path: &Path) -> Option<PathBuf> {
    let (file, sheet) = table::named(path);
    (sheet.is_some() && file.is_file()).then_some(file)
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
pub(super) fn sheet_text(path: &Path) -> Result<Vec<u8>, (String, String)> {
    let (file, sheet) = table::named(path);
    let mut book = Vec::new();
    DeckSource::Named(file).read(&mut book)?;
    let (text, _) = table::as_text(&book, sheet.as_deref(), true)
        .map_err(|error| (error.message, error.help))?;
    Ok(text.into_owned().into_bytes())
}

fn hidden(entry: &walkdir::DirEntry) -> bool {
    entry.depth() > 0 && is_hidden(entry.file_name())
}

fn is_hidden(name: &std::ffi::OsStr) -> bool {
    name.as_encoded_bytes().starts_with(b".")
}

/// What is in a folder, in the order that the system gives: callers sort once, at the end.
fn entries(folder: &Path) -> impl Iterator<Item = walkdir::Result<walkdir::DirEntry>> {
    let walk = walkdir::WalkDir::new(folder).follow_root_links(true);
    walk.into_iter().filter_entry(|entry| !hidden(entry))
}

fn is_deck(run: &Run, entry: &walkdir::DirEntry) -> bool {
    let file = Path::new(entry.file_name());
    entry.file_type().is_file() && (ends_as_deck(file) || is_table_of_cards(run, entry.path()))
}

/// Whether a file is a table with the columns of a deck.
fn is_table_of_cards(run: &Run, path: &Path) -> bool {
    let ending = path.extension().and_then(|ending| ending.to_str());
    if !ending.is_some_and(|ending| ending.eq_ignore_ascii_case("csv")) {
        return false;
    }
    let mut first = Vec::new();
    let read = File::open(path).and_then(|file| file.take(HEADER).read_to_end(&mut first));
    let has =
        |header: &[String], spellings| matches!(table::column(header, spellings), Ok(Some(_)));
    let header = first.split_inclusive(|byte| *byte == b'\n').next();
    let header = header.and_then(|line| table::read_header(line).ok());
    let deck = header
        .is_some_and(|(header, _)| has(&header, table::COUNTS) && has(&header, crate::pool::NAMES));
    let deck = read.is_ok() && deck;
    if deck {
        run.meets(path);
    }
    deck
}

/// The kind of a file that is no deck, as a note counts it.
fn kind(entry: &walkdir::DirEntry) -> String {
    let path = entry.path();
    let ending = path.extension().and_then(|ending| ending.to_str());
    match ending {
        _ if entry.path_is_symlink() => "links".to_owned(),
        _ if !entry.file_type().is_file() => "special".to_owned(),
        Some(ending) => format!(".{}", ending.to_lowercase()),
        None => "without an ending".to_owned(),
    }
}

/// Whether a regular file is met in a folder as a deck. `inside` is its path from there.
fn is_deck_path(inside: &Path) -> bool {
    !inside.iter().any(is_hidden) && ends_as_deck(inside)
}

fn ends_as_deck(file: &Path) -> bool {
    let ending = file.extension().and_then(|ending| ending.to_str());
    let known = |ending: &str| {
        ENDINGS
            .iter()
            .any(|known| ending.eq_ignore_ascii_case(known))
    };
    ending.is_some_and(known)
}

/// What a walk met: decks, and folders that cannot be entered, which are no decks that can be
/// read.
#[derive(Default)]
struct Met {
    decks: Vec<DeckSource>,
    /// What is no deck, by kind.
    passed: BTreeMap<String, usize>,
}

/// Adds the decks of a folder. Its own folders are walked side by side.
fn walk(run: &Run, folder: &Path, sources: &mut Vec<DeckSource>) -> Result<(), Refusal> {
    let mut met = Met::default();
    let mut inner = Vec::new();
    let first = walkdir::WalkDir::new(folder)
        .max_depth(1)
        .follow_root_links(true);
    let unseen = Cell::new(0);
    let seen = |entry: &walkdir::DirEntry| {
        unseen.set(unseen.get() + usize::from(hidden(entry)));
        !hidden(entry)
    };
    for entry in first.into_iter().filter_entry(seen) {
        match entry {
            Ok(entry) if entry.depth() > 0 && entry.file_type().is_dir() => {
                inner.push(entry.into_path());
            }
            entry => met.add(run, entry, 0)?,
        }
    }
    let inside = |folder: &PathBuf| {
        let mut met = Met::default();
        let unseen = Cell::new(0);
        let walk = walkdir::WalkDir::new(folder).follow_root_links(true);
        let mut entries = walk.into_iter().filter_entry(|entry| {
            unseen.set(unseen.get() + usize::from(hidden(entry)));
            !hidden(entry)
        });
        entries.try_for_each(|entry| met.add(run, entry, 1))?;
        met.pass("hidden", unseen.get());
        met.decks.sort_unstable_by(by_bytes);
        Ok(met)
    };
    inner.sort_unstable();
    run.threads()?;
    let all: Result<Vec<Met>, Refusal> = inner.par_iter().map(inside).collect();
    for more in all? {
        met.decks.extend(more.decks);
        for (kind, number) in &more.passed {
            met.pass(kind, *number);
        }
    }
    met.pass("hidden", unseen.get());
    if let Some(note) = met.note() {
        run.complain("note", &format!("{}: {note}", folder.display()));
    }
    sources.extend(met.decks);
    Ok(())
}

impl Met {
    fn pass(&mut self, kind: &str, number: usize) {
        if number > 0 {
            *self.passed.entry(kind.to_owned()).or_default() += number;
        }
    }

    /// What is to be said of what is no deck, the most first.
    fn note(&self) -> Option<String> {
        const MOST: usize = 8;
        let all: usize = self.passed.values().sum();
        let mut kinds: Vec<(&String, &usize)> = self.passed.iter().collect();
        kinds.sort_by_key(|(kind, number)| (std::cmp::Reverse(**number), *kind));
        let more = kinds.len().saturating_sub(MOST);
        let mut said: Vec<String> = kinds
            .iter()
            .take(MOST)
            .map(|(kind, number)| format!("{number} {kind}"))
            .collect();
        if more > 0 {
            said.push(format!("and {more} more kinds"));
        }
        let are = match all {
            0 => return None,
            1 => "1 file is no deck".to_owned(),
            all => format!("{all} files are no decks"),
        };
        Some(format!("{are}: {}", said.join(", ")))
    }

    /// Adds what was met so many folders below the one that was named, and deeper.
    fn add(
        &mut self,
        run: &Run,
        entry: walkdir::Result<walkdir::DirEntry>,
        below: usize,
    ) -> Result<(), Refusal> {
        match entry {
            Ok(entry) if is_deck(run, &entry) => {
                run.names(entry.path());
                self.decks.push(DeckSource::File(entry.into_path()));
            }
            Ok(entry) if entry.file_type().is_dir() => {}
            Ok(entry) => self.pass(&kind(&entry), 1),
            Err(error) => match error.path() {
                // A folder inside that cannot be entered is said, and the others are judged.
                Some(inner) if error.depth() + below > 0 => {
                    self.decks.push(DeckSource::Closed(inner.to_owned()));
                }
                _ => return Err(pattern::unread(&error)),
            },
        }
        Ok(())
    }
}

/// The order of paths by their bytes, which is the same on every machine.
fn by_bytes(one: &DeckSource, other: &DeckSource) -> std::cmp::Ordering {
    one.bytes().cmp(other.bytes())
}

impl DeckSource {
    fn bytes(&self) -> &[u8] {
        match self {
            DeckSource::Stdin => b"-",
            DeckSource::Named(path)
            | DeckSource::Sheet(path)
            | DeckSource::Link(path)
            | DeckSource::File(path)
            | DeckSource::Closed(path) => path.as_os_str().as_encoded_bytes(),
        }
    }

    /// How reports name it.
    pub(super) fn name(&self) -> String {
        match self {
            DeckSource::Stdin => "-".to_owned(),
            DeckSource::Named(path)
            | DeckSource::Sheet(path)
            | DeckSource::Link(path)
            | DeckSource::File(path)
            | DeckSource::Closed(path) => path.to_string_lossy().into_owned(),
        }
    }

    /// The file format it is read as: the one that the call says, or else as its ending tells.
    pub(super) fn input(&self, told: Option<Input>) -> Input {
        // Whatever a call says: a link holds JSON.
        let told = told.filter(|_| !matches!(self, DeckSource::Link(_)));
        told.unwrap_or_else(|| match self {
            DeckSource::Stdin => Input::Text,
            DeckSource::Link(_) => Input::Json,
            DeckSource::Sheet(_) => Input::Csv,
            DeckSource::Named(path) | DeckSource::File(path) | DeckSource::Closed(path) => {
                Input::of_path(path)
            }
        })
    }

    /// Reads it into `buffer`.
    ///
    /// # Errors
    /// Why it is unreadable, and what to do about it.
    pub(super) fn read(&self, buffer: &mut Vec<u8>) -> Result<(), (String, String)> {
        buffer.clear();
        let failed = |error: std::io::Error| {
            (
                format!("it cannot be read: {}", io_message(&error)),
                String::new(),
            )
        };
        let too_large = || {
            let most = LARGEST_FILE >> 20;
            (
                format!("it is larger than {most} MiB, so it was not read"),
                "a deck is a few kilobytes".to_owned(),
            )
        };
        match self {
            DeckSource::Stdin => {
                let mut bounded = std::io::stdin().lock().take(LARGEST_FILE + 1);
                bounded.read_to_end(buffer).map_err(failed)?;
            }
            DeckSource::Closed(path) => {
                let cause = match std::fs::read_dir(path) {
                    Err(error) => format!(": {}", io_message(&error)),
                    Ok(_) => String::new(),
                };
                return Err((
                    format!("this folder cannot be read, nor any deck in it{cause}"),
                    "let it be read, or name the decks themselves".to_owned(),
                ));
            }
            DeckSource::Sheet(path) => *buffer = sheet_text(path)?,
            DeckSource::Link(link) => buffer.extend(link.as_os_str().as_encoded_bytes()),
            DeckSource::Named(path) | DeckSource::File(path) => {
                // Opening a pipe would wait for its writer, so what a call names is looked at first.
                if matches!(self, DeckSource::Named(_))
                    && !path.metadata().map_err(failed)?.is_file()
                {
                    return Err(("it is not a file".to_owned(), String::new()));
                }
                let file = File::open(path).map_err(failed)?;
                let length = file.metadata().map_err(failed)?.len();
                if length > LARGEST_FILE {
                    return Err(too_large());
                }
                fill(file, length, buffer).map_err(failed)?;
            }
        }
        if buffer.len() as u64 > LARGEST_FILE {
            Err(too_large())
        } else {
            Ok(())
        }
    }
}

/// Reads a file of about this length. One that is as long as it said is not asked for more,
/// which spares a system call for each of a hundred thousand files.
fn fill(mut file: File, length: u64, buffer: &mut Vec<u8>) -> std::io::Result<()> {
    let expected = usize::try_from(length).unwrap_or_default();
    buffer.resize(expected, 0);
    let mut filled = 0;
    while filled < expected {
        match file.read(&mut buffer[filled..]) {
            Ok(0) => break,
            Ok(read) => filled += read,
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    buffer.truncate(filled);
    if expected == 0 {
        // Some special file systems say that every file is empty.
        file.take(LARGEST_FILE + 1).read_to_end(buffer)?;
    }
    Ok(())
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
        for (to, link) in [
            (root.join("b"), "a/loop"),
            (root.join("b.txt"), "a/link.txt"),
        ] {
            std::os::unix::fs::symlink(to, root.join(link)).unwrap();
        }
        let met = decks(&Run::default(), &[root.to_owned()]).unwrap();
        let names: Vec<String> = met
            .iter()
            .map(|deck| deck.name()[root.to_str().unwrap().len() + 1..].to_owned())
            .collect();
        assert_eq!(
            names,
            [
                "B.yml",
                "a/é.yaml",
                "b.txt",
                "b/deep/er/still/z.JSON",
                "b/x.txt"
            ]
        );
    }
}
