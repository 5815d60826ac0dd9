//! A server's whole data as a folder beside it, and such a folder as a server's data again.
//!
//! A backup is the file of the data, the events that were opened at the server, and `SHA256SUMS`,
//! by which each file of it is held to account, also by `sha256sum --check` alone.

use super::ServeError;
use super::store::{FILE, VERSION};
use decklaw_core::digest::hex;
use decklaw_event::Event;
use rusqlite::{Connection, OpenFlags};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The folder of the events in that of the data.
pub(super) const EVENTS: &str = "events";

/// The file that says what the others were; it is written last.
const SUMS: &str = "SHA256SUMS";

/// Where files stand until they have been looked at.
const COMING: &str = "restoring";

fn cannot(path: &Path) -> impl Fn(io::Error) -> ServeError {
    move |error| ServeError(format!("{}: {error}", path.display()))
}

/// Copies all that a server keeps in `data` to the folder `to`, which is made, while the server
/// goes on: everything that was acknowledged before is in it. The answer is how many events.
///
/// # Errors
/// A folder that is none of a server's, one that is there already, events that were changed behind
/// the program's back, and a disk that takes nothing. What was begun is removed.
pub fn back_up(data: &Path, to: &Path) -> Result<usize, ServeError> {
    if !data.join(FILE).is_file() {
        return Err(ServeError(format!(
            "{}: no server keeps its data in this folder; name the one that does with --data DIR",
            data.display()
        )));
    }
    make_own(to).map_err(|error| match error.kind() {
        io::ErrorKind::AlreadyExists => ServeError(format!(
            "{}: this is there already; name a folder that is not",
            to.display()
        )),
        _ => cannot(to)(error),
    })?;
    let copied = copy_to(data, to);
    if copied.is_err() {
        let _ = std::fs::remove_dir_all(to);
    }
    copied
}

fn copy_to(data: &Path, to: &Path) -> Result<usize, ServeError> {
    let file = data.join(FILE);
    let copy = to.join(FILE);
    let copied = || -> rusqlite::Result<()> {
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let open = Connection::open_with_flags(&file, flags)?;
        open.busy_timeout(Duration::from_secs(10))?;
        open.execute("vacuum into ?1", [copy.to_string_lossy()])?;
        Ok(())
    };
    copied().map_err(|error| ServeError(format!("{}: {error}", file.display())))?;
    let events = events(&data.join(EVENTS))?;
    if !events.is_empty() {
        make_own(&to.join(EVENTS)).map_err(cannot(to))?;
    }
    for folder in &events {
        let wrong = |error| ServeError(format!("{}: {error}", folder.display()));
        let event = Event::open(folder, decklaw_builder::remedies::text).map_err(wrong)?;
        let name = folder.file_name().unwrap_or_default();
        event.back_up(&to.join(EVENTS).join(name)).map_err(wrong)?;
    }
    settle(to).map_err(cannot(to))?;
    let sums = sums(to)?;
    let lines: String = sums
        .iter()
        .map(|(file, sum)| format!("{sum}  {file}\n"))
        .collect();
    let written = std::fs::File::create_new(to.join(SUMS)).and_then(|mut file| {
        file.write_all(lines.as_bytes())?;
        file.sync_all()
    });
    written.and_then(|()| settle(to)).map_err(cannot(to))?;
    Ok(events.len())
}

/// The events in a folder, in the order of their names; none where the folder is missing.
///
/// # Errors
/// A folder that cannot be read.
pub(super) fn events(folder: &Path) -> Result<Vec<PathBuf>, ServeError> {
    let found = match std::fs::read_dir(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        found => found.and_then(Iterator::collect::<io::Result<Vec<_>>>),
    };
    let found = found.map_err(cannot(folder))?;
    // What begins with a dot is being opened, or was when a server ended.
    let named = found
        .iter()
        .filter(|found| !found.file_name().to_string_lossy().starts_with('.'));
    let folders = named.map(std::fs::DirEntry::path);
    let mut events: Vec<PathBuf> = folders.filter(|folder| Event::is_in(folder)).collect();
    events.sort();
    Ok(events)
}

/// Makes a backup the data of a server, in a folder that is not there yet or empty, once it has
/// been held against itself: each file against its digest, each record of an event against the
/// one before it, the file of the data by SQLite. The answer is how many events.
///
/// # Errors
/// A folder that is no backup, or one that was changed since, with what was changed; a folder with
/// something in it; a disk that takes nothing. What was begun is removed.
pub fn restore(from: &Path, data: &Path) -> Result<usize, ServeError> {
    let sums = std::fs::read_to_string(from.join(SUMS)).map_err(|error| {
        ServeError(format!(
            "{}: this is no backup of a server, or one that was not finished: its {SUMS} cannot be read ({error})",
            from.display()
        ))
    })?;
    match std::fs::read_dir(data).map(|mut found| found.next().is_some()) {
        Ok(false) => {}
        Ok(true) => {
            return Err(ServeError(format!(
                "{}: this folder is not empty; name one that is, or that is not there yet, with --data DIR",
                data.display()
            )));
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            make_own(data).map_err(cannot(data))?;
        }
        Err(error) => return Err(cannot(data)(error)),
    }
    let coming = data.join(COMING);
    let restored = bring(from, &coming, &sums).and_then(|events| {
        // The file of the data comes last: without it there is no server's data.
        for part in [EVENTS, FILE] {
            if coming.join(part).exists() {
                std::fs::rename(coming.join(part), data.join(part)).map_err(cannot(data))?;
            }
        }
        Ok(events)
    });
    let _ = std::fs::remove_dir_all(&coming);
    sync(data).map_err(cannot(data))?;
    restored
}

/// Copies a backup to a folder that is made, and holds it against itself there: what looks at it
/// changes nothing of the backup.
fn bring(from: &Path, to: &Path, said: &str) -> Result<usize, ServeError> {
    make_own(to).map_err(cannot(to))?;
    copy_all(from, to)?;
    std::fs::remove_file(to.join(SUMS)).map_err(cannot(to))?;
    settle(to).map_err(cannot(to))?;
    let found = sums(to)?;
    let wrong =
        |what: String| ServeError(format!("{}: {what}; nothing was restored", from.display()));
    let said: BTreeMap<&str, &str> = said
        .lines()
        .filter_map(|line| line.split_once("  "))
        .map(|(sum, file)| (file, sum))
        .collect();
    if let Some(file) = said.keys().find(|file| !found.contains_key(**file)) {
        return Err(wrong(format!("{file} is missing")));
    }
    let events = events(&to.join(EVENTS))?;
    for folder in &events {
        let name = folder.file_name().unwrap_or_default().to_string_lossy();
        // What its records say of themselves is more than that the file is another.
        Event::open(folder, decklaw_builder::remedies::text)
            .map_err(|error| wrong(format!("{EVENTS}/{name}: {error}")))?;
    }
    for (file, sum) in &found {
        match said.get(file.as_str()) {
            Some(said) if said == sum => {}
            Some(_) => {
                return Err(wrong(format!(
                    "{file} was changed since the backup was made"
                )));
            }
            None => return Err(wrong(format!("{file} is not of the backup"))),
        }
    }
    let looked_at = || -> rusqlite::Result<(String, i64)> {
        let data = Connection::open(to.join(FILE))?;
        let told = data.query_row("pragma integrity_check", [], |row| row.get(0))?;
        Ok((
            told,
            data.query_row("pragma user_version", [], |row| row.get(0))?,
        ))
    };
    match looked_at() {
        Ok((told, _)) if told != "ok" => Err(wrong(format!("{FILE} is damaged: {told}"))),
        Ok((_, version)) if !(1..=VERSION).contains(&version) => Err(wrong(format!(
            "{FILE} is of another decklaw (version {version}, this one knows {VERSION}); use that one"
        ))),
        Ok(_) => Ok(events.len()),
        Err(error) => Err(wrong(format!("{FILE} is damaged: {error}"))),
    }
}

/// Copies the files of a folder and of those below it. A backup has nothing else: a link would
/// bring a file from elsewhere.
fn copy_all(from: &Path, to: &Path) -> Result<(), ServeError> {
    for found in std::fs::read_dir(from).map_err(cannot(from))? {
        let found = found.map_err(cannot(from))?;
        let (path, copy) = (found.path(), to.join(found.file_name()));
        let kind = found.file_type().map_err(cannot(&path))?;
        if kind.is_dir() {
            make_own(&copy).map_err(cannot(&copy))?;
            copy_all(&path, &copy)?;
        } else if kind.is_file() {
            std::fs::copy(&path, &copy).map_err(cannot(&path))?;
        } else {
            return Err(ServeError(format!(
                "{}: this is neither a file nor a folder, and a backup has nothing else",
                path.display()
            )));
        }
    }
    Ok(())
}

/// The SHA-256 of each file below a folder, by its path from there.
fn sums(folder: &Path) -> Result<BTreeMap<String, String>, ServeError> {
    fn add(folder: &Path, name: &str, sums: &mut BTreeMap<String, String>) -> io::Result<()> {
        for found in std::fs::read_dir(folder)? {
            let found = found?;
            let below = format!("{name}{}", found.file_name().to_string_lossy());
            if found.file_type()?.is_dir() {
                add(&found.path(), &format!("{below}/"), sums)?;
            } else {
                sums.insert(below, sum(&found.path())?);
            }
        }
        Ok(())
    }
    let mut all = BTreeMap::new();
    add(folder, "", &mut all).map_err(cannot(folder))?;
    Ok(all)
}

fn sum(path: &Path) -> io::Result<String> {
    let mut file = std::fs::File::open(path)?;
    let (mut digest, mut part) = (Sha256::new(), vec![0; 1 << 16]);
    loop {
        match file.read(&mut part)? {
            0 => return Ok(hex(&digest.finalize())),
            read => digest.update(part.get(..read).unwrap_or_default()),
        }
    }
}

/// Makes a folder that its owner alone reads; folders above it are made as usual.
fn make_own(folder: &Path) -> io::Result<()> {
    if let Some(above) = folder.parent() {
        std::fs::create_dir_all(above)?;
    }
    let mut builder = std::fs::DirBuilder::new();
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder)
}

/// Puts all that is in a folder on the disk, and lets nobody but its owner read it.
fn settle(folder: &Path) -> io::Result<()> {
    for found in std::fs::read_dir(folder)? {
        let found = found?;
        let path = found.path();
        let is_folder = found.file_type()?.is_dir();
        if is_folder {
            settle(&path)?;
        }
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            let mode = if is_folder { 0o700 } else { 0o600 };
            // On a disk without owners there is nobody to keep out.
            let _ = std::fs::set_permissions(&path, std::fs::Permissions::from_mode(mode));
        }
        if !is_folder {
            std::fs::File::options()
                .write(true)
                .open(&path)?
                .sync_all()?;
        }
    }
    sync(folder)
}

/// Puts the names in a folder on the disk, where the system has a way to.
fn sync(folder: &Path) -> io::Result<()> {
    #[cfg(unix)]
    std::fs::File::open(folder)?.sync_all()?;
    #[cfg(not(unix))]
    let _ = folder;
    Ok(())
}
