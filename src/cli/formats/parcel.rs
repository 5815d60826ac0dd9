//! The files of a game as somebody hands them on: a folder, or an archive of one.
//!
//! An archive is anybody's. Nothing of it is written before all of it was read: how many files it
//! has and how much they come to is counted and not believed, and a path in it is compared with
//! the names that a game's files have, and never used as one.

use crate::cli::remedies::io_message;
use crate::cli::{Refusal, Run};
use crate::digest::sha256;
use crate::format::{BESIDE, CARD_FILES, GAME};
use crate::name::fold;
use crate::paper::{PICTURES, Pictures};
use decklaw_core::limits::parcel::{LARGEST_ARCHIVE, MOST_FILES, MOST_UNPACKED};
use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::io::{BufReader, Read};
use std::path::Path;
use zip::ZipArchive;

/// The files of a game that something reads, and the names of those that nothing does.
#[derive(Debug)]
pub(super) struct Parcel {
    /// By their paths from the game's folder, with `/` in them.
    files: BTreeMap<String, Vec<u8>>,
    /// What stands beside them, by name.
    left: Vec<String>,
}

impl Parcel {
    /// Reads a game's folder, or an archive of it.
    ///
    /// # Errors
    /// What is neither, what cannot be read, and an archive that is not to be trusted.
    pub(super) fn read(run: &Run, path: &Path) -> Result<Parcel, Refusal> {
        let refuse = |why: String| Refusal(format!("{}: {why}", path.display()));
        let found = fs::metadata(path).map_err(|error| refuse(io_message(&error)))?;
        if found.is_dir() {
            return Parcel::of_folder(path);
        }
        run.reads(path);
        let read = match found.is_file() {
            true => Parcel::of_archive(path, found.len()),
            false => Err("this is a pipe or device, and must be a folder or an archive".to_owned()),
        };
        read.map_err(refuse)
    }

    /// The files of a game's folder.
    ///
    /// # Errors
    /// A folder without a `game.yaml`, a link in the place of a file, and what cannot be read.
    pub(super) fn of_folder(folder: &Path) -> Result<Parcel, Refusal> {
        let refuse = |path: &Path, why: &str| Refusal(format!("{}: {why}", path.display()));
        let mut paths = BTreeSet::new();
        for name in names(folder).map_err(|error| refuse(folder, &io_message(&error)))? {
            let inner = folder.join(&name);
            if name == PICTURES && inner.is_dir() {
                let pictures = names(&inner);
                let pictures = pictures.map_err(|error| refuse(&inner, &io_message(&error)))?;
                paths.extend(pictures.iter().map(|name| format!("{PICTURES}/{name}")));
            } else {
                paths.insert(name);
            }
        }
        let (wanted, left) = sorted(&paths);
        if !wanted.contains(GAME) {
            return Err(refuse(
                folder,
                &format!("there is no {GAME} in this folder"),
            ));
        }
        let (mut files, mut room) = (BTreeMap::new(), Room::default());
        for path in wanted {
            let file = folder.join(path);
            let read = regular(&file).and_then(|file| room.read(file));
            files.insert(path.to_owned(), read.map_err(|why| refuse(&file, &why))?);
        }
        Ok(Parcel { files, left })
    }

    /// The files of a game in an archive: at its top, or in the one folder that it holds.
    fn of_archive(path: &Path, length: u64) -> Result<Parcel, String> {
        let mut file = File::open(path).map_err(|error| io_message(&error))?;
        let mut first = Vec::new();
        let begins = (&mut file).take(4).read_to_end(&mut first);
        begins.map_err(|error| io_message(&error))?;
        match first.as_slice() {
            [b'P', b'K', ..] => {}
            [0x1f, 0x8b, ..] => {
                return Err(
                    "what gzip packed is not read here; unpack it, and name its folder".to_owned(),
                );
            }
            _ => return Err("this is neither a folder nor a .zip archive".to_owned()),
        }
        if length > LARGEST_ARCHIVE {
            return Err(format!("it is larger than {} MiB", LARGEST_ARCHIVE >> 20));
        }
        let broken = |error: zip::result::ZipError| format!("this archive is broken: {error}");
        let mut archive = ZipArchive::new(BufReader::new(file)).map_err(broken)?;
        if archive.len() > MOST_FILES {
            return Err(format!("it holds more than {MOST_FILES} files"));
        }
        if archive.has_duplicate_names() {
            return Err("two files in it have one name".to_owned());
        }
        // The paths of its files, with their places in it.
        let mut entries: BTreeMap<String, usize> = BTreeMap::new();
        let mut folded: BTreeMap<String, String> = BTreeMap::new();
        for at in 0..archive.len() {
            let entry = archive.by_index_raw(at).map_err(broken)?;
            let name = entry.name().map_err(broken)?.into_owned();
            is_inside(&name)?;
            let kind = entry.unix_mode().unwrap_or_default() & 0o170_000;
            if entry.is_symlink() || ![0, 0o100_000, 0o040_000].contains(&kind) {
                return Err(format!("`{name}` in it is a link or a device, and no file"));
            }
            if entry.is_dir() {
                continue;
            }
            if let Some(other) = folded.insert(fold(&name).into_owned(), name.clone()) {
                return Err(format!(
                    "`{other}` and `{name}` in it are one name on many computers"
                ));
            }
            entries.insert(name, at);
        }
        let top = top(entries.keys())?;
        let inside = |name: &String| Some(name.strip_prefix(&*top)?.to_owned());
        let paths: BTreeSet<String> = entries.keys().filter_map(inside).collect();
        let (wanted, left) = sorted(&paths);
        let (mut files, mut room) = (BTreeMap::new(), Room::default());
        for path in wanted {
            let Some(at) = entries.get(&format!("{top}{path}")) else {
                continue;
            };
            let entry = archive.by_index(*at);
            let entry = entry.map_err(|error| format!("`{path}` in it cannot be read: {error}"))?;
            let bytes = room
                .read(entry)
                .map_err(|why| format!("`{path}` in it: {why}"))?;
            files.insert(path.to_owned(), bytes);
        }
        Ok(Parcel { files, left })
    }

    /// The files, by their paths from the game's folder.
    pub(super) fn files(&self) -> impl Iterator<Item = (&str, &[u8])> {
        let files = self.files.iter();
        files.map(|(path, bytes)| (path.as_str(), bytes.as_slice()))
    }

    /// The file that describes the game.
    pub(super) fn game(&self) -> &[u8] {
        self.files.get(GAME).map_or(&[], Vec::as_slice)
    }

    /// What stands beside the files and nothing reads.
    pub(super) fn left(&self) -> &[String] {
        &self.left
    }

    /// A digest over all files, in the order of their paths: the SHA-256 of what `sha256sum` says of
    /// them.
    pub(super) fn digest(&self) -> String {
        let lines = self
            .files()
            .map(|(path, bytes)| format!("{}  {path}\n", sha256(bytes)));
        sha256(lines.collect::<String>().as_bytes())
    }
}

/// What may still be read.
struct Room(u64);

impl Default for Room {
    fn default() -> Room {
        Room(MOST_UNPACKED)
    }
}

impl Room {
    fn read(&mut self, from: impl Read) -> Result<Vec<u8>, String> {
        let mut bytes = Vec::new();
        let read = from.take(self.0 + 1).read_to_end(&mut bytes);
        let read = read.map_err(|error| io_message(&error))? as u64;
        let left = self.0.checked_sub(read);
        self.0 = left.ok_or_else(|| {
            format!(
                "with it the game's files come to more than {} MiB",
                MOST_UNPACKED >> 20
            )
        })?;
        Ok(bytes)
    }
}

/// Opens a file that is no link.
fn regular(path: &Path) -> Result<File, String> {
    let found = fs::symlink_metadata(path).map_err(|error| io_message(&error))?;
    match found.is_file() {
        true => File::open(path).map_err(|error| io_message(&error)),
        false => Err("this is no regular file; put the file itself there".to_owned()),
    }
}

/// The names in a folder; hidden ones are nobody's to read.
fn names(folder: &Path) -> std::io::Result<Vec<String>> {
    let mut names = Vec::new();
    for entry in fs::read_dir(folder)? {
        let name = entry?.file_name().to_string_lossy().into_owned();
        if !name.starts_with('.') {
            names.push(name);
        }
    }
    Ok(names)
}

/// Which files of a game something reads, and the names of all others; hidden ones are not told.
fn sorted(paths: &BTreeSet<String>) -> (BTreeSet<&str>, Vec<String>) {
    let named = |name: &&str| paths.contains(*name);
    let cards = CARD_FILES.into_iter().find(named);
    let own = std::iter::once(GAME).chain(BESIDE.iter().copied());
    let mut wanted: BTreeSet<&str> = own.filter(named).chain(cards).collect();
    let pictures = |path: &'_ &String| -> bool {
        let name = path
            .strip_prefix(PICTURES)
            .and_then(|rest| rest.strip_prefix('/'));
        let name = name.filter(|name| !name.contains('/') && !name.starts_with('.'));
        name.is_some_and(|name| Pictures::of([name.to_owned()]).len() == 1)
    };
    wanted.extend(paths.iter().filter(pictures).map(String::as_str));
    let others = paths.iter().filter(|path| !wanted.contains(path.as_str()));
    let shown = |path: &String| match path.split_once('/') {
        Some((folder, _)) if folder != PICTURES => format!("{folder}/"),
        _ => path.clone(),
    };
    let others: BTreeSet<String> = others.map(shown).collect();
    let told = others
        .into_iter()
        .filter(|name| !name.starts_with(['.', '_']));
    (wanted, told.collect())
}

/// Whether a path leads to a place within the archive, on every system.
fn is_inside(name: &str) -> Result<(), String> {
    let whole = name.strip_suffix('/').unwrap_or(name);
    let plain = |part: &str| !matches!(part, "" | "." | "..");
    let drive = name.as_bytes().get(1) == Some(&b':');
    let strange = name.contains(|c: char| c == '\\' || c.is_control());
    match whole.split('/').all(plain) && !drive && !strange {
        true => Ok(()),
        false => Err(format!(
            "`{}` in it is no path to a place within it",
            crate::text::harmless(name, false)
        )),
    }
}

/// What the paths of a game's files begin with in an archive: nothing, or its one folder.
fn top<'n>(names: impl Iterator<Item = &'n String> + Clone) -> Result<String, String> {
    if names.clone().any(|name| name == GAME) {
        return Ok(String::new());
    }
    // What systems add of their own is hidden, or in a folder with two such strokes.
    let own = |name: &&str| !name.starts_with('.') && !name.starts_with("__");
    let tops = names
        .clone()
        .map(|name| name.split('/').next().unwrap_or_default());
    let tops: BTreeSet<&str> = tops.filter(own).collect();
    if let [only] = tops.iter().collect::<Vec<_>>()[..] {
        let top = format!("{only}/");
        if names.clone().any(|name| *name == format!("{top}{GAME}")) {
            return Ok(top);
        }
    }
    let deeper = names.filter(|name| name.ends_with(&format!("/{GAME}")));
    let deeper: Vec<&String> = deeper.take(5).collect();
    Err(match deeper.as_slice() {
        [] => format!("there is no {GAME} in it"),
        deeper => format!(
            "a game's {GAME} stands at the top of an archive or in its one folder, and here it is {}; unpack it, and name the folder of one game",
            crate::text::listed(deeper, "and")
        ),
    })
}
