//! Forms, folders and lists of players, and what they become in an event.

use crate::about::{About, instant};
use crate::decision::Decision;
use crate::id::{EntryId, PlayerId};
use crate::identity::PlayerMatch;
use crate::roster::{AmbiguityReason, Entry, Person, Player, Roster};
use crate::standing::Standing;
use crate::store::NewRow;
use decklaw_decks::deck::{Deck, Input, LARGEST_FILE};
use decklaw_decks::submissions::{
    Cell, Columns, Deadline, SubmissionError, TimeOrder, Times, UnreadColumn, Zones,
    looks_like_a_deck, surplus,
};
use decklaw_judge::judge::{Judge, ReadDeck};
use decklaw_text::digest::sha256;
use decklaw_text::spreadsheet::{moment as days, moment_in_words};
use decklaw_text::table::{self, Sheet};
use decklaw_text::text::{SAVE_AS_UTF8, some_of};
use decklaw_text::{Problem, ProblemKind, ReadError};
use jiff::Timestamp;
use std::collections::{BTreeSet, HashMap};
use std::ffi::OsString;
use std::io::Read as _;
use std::path::Path;
use std::sync::Arc;

/// How a form is read, where a person says it.
#[derive(Debug, Clone, Default)]
pub struct FormSettings {
    /// Which columns are what: `player=Name,deck=List`.
    pub columns: Vec<String>,
    /// The order of dates.
    pub dates: Option<TimeOrder>,
    /// The time of decks without one; absent: now.
    pub at: Option<Timestamp>,
}

/// Why nothing of a form can be read.
#[derive(Debug, thiserror::Error)]
pub enum FormError {
    /// A person must say which column is what.
    #[error(transparent)]
    Form(#[from] SubmissionError),
    /// It is no table, or its event is wrong.
    #[error(transparent)]
    Problem(#[from] Problem),
}

/// A file that cannot be read.
fn unreadable(error: impl std::fmt::Display) -> Problem {
    Problem::new(ProblemKind::Deck, error.to_string())
}

/// A ZIP that is not one of decks.
fn broken(why: impl std::fmt::Display) -> Problem {
    unreadable(format!("this ZIP cannot be read: {why}"))
}

/// A form or folder as it was read.
#[derive(Debug, Clone)]
#[expect(missing_docs, reason = "names of fields say what they are")]
pub struct Form {
    pub name: String,
    pub read_as: String,
    /// What a person should know of how it was read.
    pub notes: Vec<String>,
    /// Its rows as entries that have no id and no player yet.
    pub entries: Vec<Entry>,
    /// Columns that look like parts of decks and were not read.
    pub unused: Vec<UnreadColumn>,
    pub has_times: bool,
    /// Whether no column has the players, so that each row is one.
    pub is_nameless: bool,
}

/// What importing a form would do.
#[derive(Debug, Clone, Default)]
#[expect(missing_docs, reason = "names of fields say what they are")]
pub struct Preview {
    pub rows: usize,
    pub new: usize,
    pub players: Vec<(PlayerId, String)>,
    /// New entries that an organiser must be asked about: why, and whose they most likely are.
    pub asked: Vec<(EntryId, AmbiguityReason, Option<PlayerId>)>,
    pub unreadable: Vec<(EntryId, String)>,
    pub empty: usize,
    /// New rows whose time is missing or not understood.
    pub timeless: usize,
}

/// Reads a form's export: CSV, XLSX or ODS. `folder` has the files that its cells name.
///
/// # Errors
/// Bytes that are not a table, and columns or times that are ambiguous.
pub fn read_form(
    name: &str,
    (bytes, sheet): (&[u8], Option<&str>),
    folder: &Path,
    about: &About,
    settings: &FormSettings,
    judge: &Judge,
) -> Result<Form, FormError> {
    let ReadTable { sheet, doubt, is_western } = ReadTable::of(bytes, sheet).map_err(unreadable)?;
    let known = judge.catalogue();
    let games: Vec<_> = match about.format.as_deref().map(|format| known.format(format)) {
        Some(format) => format.iter().map(|format| Arc::clone(format.game())).collect(),
        None => known.games().filter_map(|id| known.game(id).ok()).collect(),
    };
    let is_section = |word: &str| {
        let mut names = games.iter().map(|game| game.section_names());
        names.any(|names| names.find(word).is_some())
    };
    let header = &sheet.header;
    let columns = Columns::of(header, &silent(&sheet), &settings.columns, is_section)?;
    // Other columns are kept: somebody may want them in a table later.
    let columns = columns.carrying();
    let clock = about.clock()?;
    if sheet.rows.is_empty() && header.iter().any(|cell| looks_like_a_deck(cell)) {
        return Err(SubmissionError::no_header().into());
    }
    let is_garbled = |row: &table::Row| {
        if !is_western {
            return doubt.is_some() && row.cells().any(|cell| cell.contains('\u{fffd}'));
        }
        let row = columns.row(row);
        let format = row.format.as_deref().or(about.format.as_deref());
        let deck = String::from_utf8_lossy(&row.deck);
        !deck.is_ascii() && !judge.knows_names(&deck, Input::default(), format)
    };
    let garbled = sheet.rows.iter().filter(|row| is_garbled(row));
    let garbled: BTreeSet<u64> = garbled.map(|row| row.sheet_row).collect();
    if let Some(error) = doubt
        // The encoding is wrong, not a byte here and there.
        && (header.iter().any(|cell| cell.contains('\u{fffd}'))
            || garbled.len() * 2 > sheet.rows.len())
    {
        return Err(unreadable(error).into());
    }
    let cells = sheet.rows.iter().filter_map(|row| Some(row.cell(columns.time?)));
    let times = Times::of_column(cells, settings.dates)?;
    let now = settings.at.unwrap_or_else(Timestamp::now);
    let mut notes = sheet.notes.clone();
    if sheet.rows.is_empty() {
        notes.push("no row is below its header".to_owned());
    }
    let mut entries = Vec::new();
    let is_nameless = columns.player.is_none() && columns.identity.is_none();
    let due = about.due()?.map(|due| due.to_zoned(clock.clone()).date());
    // A day alone may be before or after a deadline at some hour of that day.
    let said = about.deadline.as_deref().and_then(Deadline::read);
    let hourly = said.is_some_and(|due| !due.whole_day);
    for row in &sheet.rows {
        let read = columns.row(row);
        let known = |time: &String| {
            let moment = times.read(time)?;
            let open = hourly && Times::is_day(time) && due == Some(moment.local.date());
            (!open).then(|| instant(moment, &clock))
        };
        let mut extra = read.carried.clone();
        extra.retain(|(_, value)| !is_blank(value));
        let mut entry = Entry {
            row: Some(read.number),
            at: match columns.time {
                None => Some(now),
                Some(_) => read.time.as_ref().and_then(known),
            },
            name: if is_nameless && !read.is_unfit() {
                Some(format!("row {}", read.number))
            } else {
                read.player.clone()
            },
            email: read.identity.clone(),
            format: read.format.clone(),
            time: read.time.clone(),
            extra,
            deck: read.deck.clone(),
            ..unread(name)
        };
        match read.cell(folder) {
            _ if garbled.contains(&read.number) => {
                entry.unreadable =
                    Some(format!("a letter of row {} is not UTF-8; {SAVE_AS_UTF8}", read.number));
            }
            Cell::Empty => entry.deck.clear(),
            Cell::Deck => {}
            Cell::Refused(why) => entry.unreadable = Some(why),
            Cell::File(path) => match deck_file(&path) {
                Ok(bytes) => {
                    let file = String::from_utf8_lossy(&read.deck);
                    entry.file = Some(file.trim().to_owned());
                    entry.deck = bytes;
                }
                Err(why) => entry.unreadable = Some(why),
            },
        }
        entries.push(entry);
    }
    let mut read_as = columns.in_words();
    if columns.time.is_none() && about.deadline.is_some() {
        read_as.push_str(&format!(", time \u{2190} {}", time_in_words(settings.at)));
    }
    let zone = &about.zone;
    match times.zones() {
        Zones::Some => notes.push(format!(
            "some times say their zone and some do not; those are read as times in {zone}"
        )),
        Zones::None if columns.time.is_some() && about.deadline.is_some() => {
            notes.push(format!("times without a zone are read as {zone}"));
        }
        Zones::None | Zones::All => {}
    }
    notes.extend(numbered(&columns, &sheet));
    if is_nameless {
        let other = columns.passed_over().join("`, `");
        let other = if other.is_empty() {
            String::new()
        } else {
            format!(
                "; `{other}` is not read: say which is the player, with `--columns player=COLUMN`"
            )
        };
        notes.push(format!(
            "it is not clear which column holds the players, so each row is one{other}"
        ));
    }
    if columns.player.is_some() && columns.player == address_column(&columns) {
        notes.push("no column has the name, so players are called by their addresses".to_owned());
    }
    Ok(Form {
        name: name.to_owned(),
        read_as,
        notes,
        entries,
        unused: unused(&columns, &sheet),
        has_times: columns.time.is_some(),
        is_nameless,
    })
}

/// An entry of a form or folder; only its source is known.
fn unread(source: &str) -> Entry {
    let entry = Entry::handed_in(EntryId(0), &Person::default(), Timestamp::UNIX_EPOCH);
    Entry { source: source.to_owned(), at: None, ..entry }
}

/// Whether a cell is as good as empty.
fn is_blank(cell: &str) -> bool {
    cell.is_empty() || cell.eq_ignore_ascii_case("anonymous")
}

/// Columns without a role that are called as a section is, or in which at least a quarter of the
/// cells look like decks.
fn unused(columns: &Columns, sheet: &Sheet) -> Vec<UnreadColumn> {
    columns.unread(|at| {
        let cells = sheet.rows.iter().map(|row| row.cell(at));
        let cells = cells.filter(|cell| !cell.is_empty());
        let (said, decks) = cells.fold((0, 0), |(said, decks), cell| {
            (said + 1, decks + usize::from(looks_like_a_deck(cell)))
        });
        decks > 0 && decks * 4 >= said
    })
}

/// A note that times are a spreadsheet's numbers of days, with what the first one probably means.
fn numbered(columns: &Columns, sheet: &Sheet) -> Option<String> {
    let at = columns.time?;
    let (row, cell, means) = sheet.rows.iter().find_map(|row| {
        let cell = row.cell(at);
        Some((row.sheet_row, cell, moment_in_words(days(cell)?)))
    })?;
    Some(format!(
        "the time in row {row} is a spreadsheet's number of days: `{cell}` is probably {means}; \
         give that column the format of a date and save the form again"
    ))
}

/// The time of every row, in words.
fn time_in_words(at: Option<Timestamp>) -> String {
    at.map_or_else(|| "now (no column has it)".to_owned(), |at| at.to_string())
}

/// The column of players, if it has addresses.
fn address_column(columns: &Columns) -> Option<usize> {
    let at = columns.player?;
    let identity = Columns::people(&columns.header).map(|people| people.identity);
    let name = columns.header.get(at)?.to_lowercase();
    let mail = name.contains("mail") || name.contains("correo") || name.contains("courriel");
    (mail || identity.flatten() == Some(at)).then_some(at)
}

/// The columns that have nothing in any row, where there are rows.
fn silent(sheet: &Sheet) -> BTreeSet<usize> {
    let says = |at: usize| sheet.rows.iter().any(|row| !is_blank(row.cell(at)));
    (0..sheet.header.len()).filter(|at| !sheet.rows.is_empty() && !says(*at)).collect()
}

/// A form's table.
struct ReadTable {
    sheet: Sheet,
    /// Why the table is refused, unless its rows show that most of it is read correctly.
    doubt: Option<ReadError>,
    /// Whether it was read as Windows-1252.
    is_western: bool,
}

impl ReadTable {
    fn of(bytes: &[u8], sheet: Option<&str>) -> Result<ReadTable, ReadError> {
        let error = match table::read(bytes, sheet) {
            Ok(sheet) => {
                return Ok(ReadTable { sheet, doubt: None, is_western: false });
            }
            Err(error) => error,
        };
        let western = table::read_western(bytes).map(|sheet| (sheet, true));
        let lossy = || Some((table::read_lossy(bytes)?, false));
        let Some((sheet, is_western)) = western.or_else(lossy) else {
            return Err(error);
        };
        Ok(ReadTable { sheet, doubt: Some(error), is_western })
    }
}

/// The bytes of a deck's file, or why there are none.
fn deck_file(path: &Path) -> Result<Vec<u8>, String> {
    let name = path.file_name().unwrap_or(path.as_os_str());
    let name = name.to_string_lossy();
    let about = std::fs::metadata(path);
    match about {
        // A pipe would be waited for.
        Ok(about) if !about.is_file() => Err(format!("`{name}` is not a regular file")),
        Ok(about) if about.len() > LARGEST_FILE => {
            Err(format!("the file `{name}` is larger than {} MiB", LARGEST_FILE >> 20))
        }
        Ok(_) => std::fs::read(path)
            .map_err(|error| format!("the file `{name}` cannot be read: {error}")),
        Err(_) => Err(format!("no file `{name}` next to the form")),
    }
}

/// The files in a folder and in the folders in it, but for those whose names begin with `.`.
fn files_in(folder: &Path, above: &str, files: &mut Vec<DeckFile>) -> std::io::Result<()> {
    for found in std::fs::read_dir(folder)? {
        let found = found?;
        let (path, name) = (found.path(), found.file_name().to_string_lossy().into_owned());
        let place = format!("{above}{name}");
        // A link to a folder is not followed: it may lead back.
        if found.file_type()?.is_dir() && !name.starts_with('.') {
            files_in(&path, &format!("{place}/"), files)?;
        } else {
            files.push((place, path.is_file().then(|| deck_file(&path))));
        }
    }
    Ok(())
}

/// Reads a folder of decks and the folders in it, one deck a file. The player is the deck's own
/// `Player:`, or else the file's name.
///
/// # Errors
/// A folder that cannot be read.
pub fn read_folder(
    folder: &Path,
    settings: &FormSettings,
    judge: &Judge,
    format: Option<&str>,
) -> Result<Form, Problem> {
    let mut files = Vec::new();
    files_in(folder, "", &mut files).map_err(unreadable)?;
    let name = folder.file_name().unwrap_or(folder.as_os_str());
    Ok(read_decks(&name.to_string_lossy(), files, settings, judge, format))
}

/// Reads a ZIP of decks, as [`read_folder`] does.
///
/// # Errors
/// Bytes that are no ZIP, and one that unpacks to too much.
pub fn read_archive(
    name: &str,
    bytes: &[u8],
    settings: &FormSettings,
    judge: &Judge,
    format: Option<&str>,
) -> Result<Form, Problem> {
    /// The most files, and the most bytes of all of them.
    const MOST: (usize, u64) = (5000, 64 << 20);
    let mut archive = zip::ZipArchive::new(std::io::Cursor::new(bytes)).map_err(broken)?;
    if archive.len() > MOST.0 {
        return Err(broken(format!("it has more than {} files", MOST.0)));
    }
    let (mut files, mut left) = (Vec::new(), MOST.1);
    for at in 0..archive.len() {
        let file = archive.by_index(at).map_err(broken)?;
        let path = file.name().map_err(broken)?.replace('\\', "/");
        if file.is_dir() || path.starts_with("__MACOSX/") {
            continue;
        }
        let mut deck = Vec::new();
        let most = left.min(LARGEST_FILE);
        file.take(most + 1).read_to_end(&mut deck).map_err(unreadable)?;
        let size = deck.len() as u64;
        if size > left {
            return Err(broken(format!("it unpacks to more than {} MiB", MOST.1 >> 20)));
        }
        left -= size;
        let too_large = format!("the file `{path}` is larger than {} MiB", LARGEST_FILE >> 20);
        files.push((path, Some(if size > most { Err(too_large) } else { Ok(deck) })));
    }
    Ok(read_decks(name, files, settings, judge, format))
}

/// A file's path below the folder that is imported, parted by `/`, and its bytes or why there are
/// none; `None`: it is no file.
pub type DeckFile = (String, Option<Result<Vec<u8>, String>>);

/// Reads files of decks in the order of their names.
pub fn read_decks(
    name: &str,
    mut files: Vec<DeckFile>,
    settings: &FormSettings,
    judge: &Judge,
    format: Option<&str>,
) -> Form {
    let parts = |path: &str| {
        let (folder, file) = path.rsplit_once('/').unwrap_or(("", path));
        let folder = folder.rsplit('/').next().unwrap_or_default();
        (file.to_owned(), folder.to_owned())
    };
    let stem = |path: &str| Path::new(path).file_stem().unwrap_or_default().to_os_string();
    files.sort_by_cached_key(|(path, _)| (parts(path).0, path.clone()));
    let mut folders: HashMap<OsString, BTreeSet<String>> = HashMap::new();
    for (path, _) in &files {
        folders.entry(stem(path)).or_default().insert(parts(path).1);
    }
    let (mut entries, mut skipped, mut of_folders) = (Vec::new(), Vec::new(), BTreeSet::new());
    for (place, deck) in files {
        let (name, folder) = parts(&place);
        let path = Path::new(&name);
        let is_deck = !name.starts_with('.') && Input::of_ending(path).is_some();
        let Some(deck) = deck.filter(|_| is_deck) else {
            skipped.push(place);
            continue;
        };
        let (deck, unreadable) = match deck {
            Ok(deck) => (deck, None),
            Err(why) => (Vec::new(), Some(why)),
        };
        let own = player_in(judge, &deck, Input::of_path(path), format);
        // Files of one name in several folders would be one player's.
        let is_one = folders.get(&stem(&name)).is_none_or(|folders| folders.len() == 1);
        let mut file = || match is_one || folder.is_empty() {
            true => stem(&name).to_string_lossy().into_owned(),
            false => {
                of_folders.insert(name.clone());
                folder.clone()
            }
        };
        // Names are compared without hyphens, so none is cut from a name that has them.
        let player = own.unwrap_or_else(|| file().replace('_', " "));
        entries.push(Entry {
            at: Some(settings.at.unwrap_or_else(Timestamp::now)),
            name: Person::named(&player).name,
            file: Some(name.clone()),
            deck,
            unreadable,
            ..unread(&name)
        });
    }
    let mut notes = Vec::new();
    if !skipped.is_empty() {
        notes.push(format!("skipped, not a deck file: {}", some_of(&skipped, 5)));
    }
    if !of_folders.is_empty() {
        let files = some_of(&Vec::from_iter(of_folders), 5);
        notes.push(format!("in several folders, so that the folder names the player: {files}"));
    }
    Form {
        name: name.to_owned(),
        read_as: format!(
            "one deck per file, player \u{2190} its `Player:` or the file's name, time \u{2190} {}",
            time_in_words(settings.at)
        ),
        notes,
        entries,
        unused: Vec::new(),
        has_times: false,
        is_nameless: false,
    }
}

/// The player that a deck names.
fn player_in(judge: &Judge, bytes: &[u8], input: Input, format: Option<&str>) -> Option<String> {
    let named = |deck: &Deck<'_>| deck.player.as_ref().map(|player| player.value.to_string());
    let opened = judge.open(bytes, input, format).ok()?;
    match judge.read(&opened, format).ok()? {
        ReadDeck::Deck(resolved) => named(resolved.deck()),
        ReadDeck::Formatless { deck, .. } => named(&deck),
        ReadDeck::Unreadable { .. } => {
            // A deck with one wrong line still says whose it is.
            let text = String::from_utf8_lossy(&opened.source);
            let mut lines = text.lines();
            let name = lines.find_map(|line| line.trim().strip_prefix("Player:"));
            name.map(|name| name.trim().to_owned())
        }
    }
}

/// Reads a list of players: one name per line, or a table with a column of players, or of given and
/// family names, and maybe columns of addresses and tables. `columns` has roles that a person chose:
/// `player=Name`.
///
/// # Errors
/// A table in which no column is clearly the player, or that lacks a column that a person chose, and
/// a row with more cells than the header.
pub fn read_people(
    bytes: &[u8],
    sheet: Option<&str>,
    columns: &[String],
) -> Result<Vec<Person>, Problem> {
    let known = || {
        let sheet = table::read(bytes, sheet).ok()?;
        let own = Columns::people(&sheet.header);
        let is_chosen = columns.iter().any(|one| one.contains("player="));
        (own.is_some() || is_chosen).then(|| (sheet, own.unwrap_or_default()))
    };
    let Some((sheet, own)) = known() else {
        let (text, _) = table::as_text(bytes, None, true).map_err(unreadable)?;
        let first = text.lines().next().unwrap_or_default().trim();
        let commas = first.matches(',').count();
        if table::is_workbook(bytes) || first.contains([';', '\t']) || commas > 1 {
            return Err(unreadable(format!(
                "it is not clear which column holds the players; the header has `{first}`; call that column `Player`"
            )));
        }
        let lines = text.lines();
        let lines = lines.map(|line| line.trim().trim_start_matches(['-', '*', '\u{2022}']));
        let lines = lines.filter(|line| !line.starts_with('#'));
        let people = lines.map(|line| Person::named(line.trim().trim_matches('"')));
        return Ok(people.filter(|person| person.name.is_some()).collect());
    };
    let header = &sheet.header;
    let chosen = |role| Columns::chosen(header, columns, role).map_err(unreadable);
    let names = chosen("player")?.map_or(own.names, |at| vec![at]);
    let identity = chosen("id")?.or(own.identity).filter(|at| !names.contains(at));
    let seat = chosen("table")?.or(own.table);
    let mut people = Vec::with_capacity(sheet.rows.len());
    for row in &sheet.rows {
        let text = |at: usize| Some(row.cell(at).trim()).filter(|cell| !cell.is_empty());
        let name = match surplus(row, header.len()) {
            None => names.iter().copied().filter_map(text).collect::<Vec<_>>().join(" "),
            // The one column is all of a line, such as `Lee, Ann`.
            Some(_) if header.len() == 1 => {
                row.cells().map(str::trim).collect::<Vec<_>>().join(", ")
            }
            Some(why) => return Err(unreadable(why)),
        };
        people.push(Person {
            email: identity.and_then(text).map(str::to_owned),
            table: seat.and_then(text).map(str::to_owned),
            ..Person::named(&name)
        });
    }
    people.retain(|person| person.name.is_some());
    Ok(people)
}

impl Form {
    /// The rows that importing it adds to an event, and what they are. `roster` grows by them.
    /// With `asks`, a deck whose player is in doubt gets none; else it gets one of its own.
    pub(crate) fn rows(&self, roster: &mut Roster, asks: bool) -> (Vec<NewRow>, Preview) {
        let mut seen: HashMap<String, usize> = HashMap::new();
        let (mut rows, mut preview) = (Vec::new(), Preview::default());
        for entry in &self.entries {
            preview.rows += 1;
            // Equal rows of one form differ by their number.
            let digest = self.digest(entry);
            let times = seen.entry(digest.clone()).or_default();
            *times += 1;
            let key = match *times {
                1 => digest,
                times => format!("{digest}#{times}"),
            };
            if let Some(key) = roster.key_of_row(&key) {
                preview.new += 1;
                add(entry, key, asks, roster, &mut rows, &mut preview);
            }
        }
        (rows, preview)
    }

    /// The key of a row.
    fn digest(&self, entry: &Entry) -> String {
        let name = entry.name.as_ref().filter(|_| !self.is_nameless);
        let mut bytes = Vec::new();
        let texts = [&entry.time, &entry.format, &entry.file, &entry.email];
        for text in name.into_iter().chain(texts.into_iter().flatten()) {
            bytes.extend_from_slice(text.as_bytes());
            bytes.push(0);
        }
        bytes.extend_from_slice(&entry.deck);
        sha256(&bytes)
    }
}

/// Adds an entry to a roster, with its player if that is a new one.
fn add(
    entry: &Entry,
    key: String,
    asks: bool,
    roster: &mut Roster,
    rows: &mut Vec<NewRow>,
    preview: &mut Preview,
) {
    let id = roster.next_entry();
    let found = roster.whose(&entry.person());
    if let (PlayerMatch::Ask { reason, likely, .. }, true) = (&found, asks) {
        preview.asked.push((id, *reason, *likely));
    }
    let (player, question) = match found {
        PlayerMatch::Player(player) => (Some(player), None),
        PlayerMatch::Ask { reason, .. } if asks || reason == AmbiguityReason::Nobody => {
            (None, Some(reason))
        }
        other => {
            let new = roster.next_player();
            let name = entry.name.clone().or_else(|| entry.email.clone());
            let name = name.unwrap_or_default();
            let player = Player::new(new, Person::named(&name), false);
            rows.push(NewRow::Player(player.clone()));
            roster.add_player(player);
            preview.players.push((new, name));
            let question = match other {
                PlayerMatch::Ask { reason, .. } => Some(reason),
                _ => None,
            };
            (Some(new), question)
        }
    };
    match &entry.unreadable {
        Some(why) => preview.unreadable.push((id, why.clone())),
        None => preview.empty += usize::from(entry.is_empty()),
    }
    preview.timeless += usize::from(entry.at.is_none());
    let entry = Entry { id, player, question, form: Some(key), ..entry.clone() };
    rows.push(NewRow::Entry(Box::new(entry.clone())));
    roster.add_entry(entry);
}

/// The roster and standing of a form alone.
///
/// # Errors
/// Times of the event that are not times.
pub fn standing_of_form(about: &About, form: &Form) -> Result<(Roster, Standing), Problem> {
    let mut roster = Roster::default();
    form.rows(&mut roster, false);
    let standing = Standing::of(about, &roster)?;
    Ok((roster, standing))
}

/// The rows that expecting the players of a list adds, and notes on namesakes.
pub(crate) fn expected(list: &[Person], roster: &Roster) -> (Vec<NewRow>, Vec<String>) {
    let mut grown = roster.clone();
    let (mut rows, mut notes) = (Vec::new(), Vec::new());
    let mut taken: BTreeSet<PlayerId> = BTreeSet::new();
    for person in list {
        let name = person.name.clone().unwrap_or_default();
        // Each line is a person: the same name twice is two players.
        let mut same = roster.named(&name);
        same.retain(|player| !taken.contains(player));
        let agrees = |player: &&PlayerId| roster.agrees(**player, person.email.as_deref());
        if let Some(player) = same.iter().find(agrees) {
            taken.insert(*player);
            if !roster.players.get(player).is_some_and(|own| own.listed) {
                rows.push(NewRow::Decision(Decision::Expected(*player, true), None));
            }
            continue;
        }
        if !same.is_empty() {
            notes.push(format!("{name}: another player of that name"));
        }
        let player = Player::new(grown.next_player(), person.clone(), true);
        taken.insert(player.id);
        rows.push(NewRow::Player(player.clone()));
        grown.add_player(player);
    }
    (rows, notes)
}
