//! Forms, folders and lists of players: what they say, and what comes of it in an event.

use crate::about::{About, AboutError, instant};
use crate::record::{EntryId, Fact, Happening, Personal, PlayerId, Question, Whose};
use crate::roster::{Person, Roster};
use crate::standing::Standing;
use crate::verdict::player_in;
use decklaw_core::deck::{Input, LARGEST_FILE};
use decklaw_core::digest::sha256;
use decklaw_core::judge::{Judge, ReadDeck};
use decklaw_core::name::tidy;
use decklaw_core::spreadsheet::{moment as days, moment_in_words};
use decklaw_core::submissions::{
    Cell, Columns, Deadline, SubmissionError, TimeOrder, Times, Zones, looks_like_a_deck,
};
use decklaw_core::table::{self, Sheet, TableError};
use decklaw_core::text::counted;
use jiff::Timestamp;
use std::collections::{BTreeSet, HashMap};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// How a form is read, where a person says it.
#[derive(Debug, Clone, Default)]
pub struct Settings {
    /// Which columns are what: `player=Name,deck=List`.
    pub columns: Vec<String>,
    /// In which order dates are written.
    pub dates: Option<TimeOrder>,
    /// When decks came of which no column says it; absent: now.
    pub at: Option<Timestamp>,
}

/// Why nothing of a form can be read.
#[derive(Debug, thiserror::Error)]
pub enum FormError {
    /// It is no table, or a person must say which column is what.
    #[error(transparent)]
    Form(#[from] SubmissionError),
    /// It is no table.
    #[error(transparent)]
    Table(#[from] TableError),
    /// It cannot be read.
    #[error(transparent)]
    Io(#[from] std::io::Error),
    /// The event's times are none.
    #[error(transparent)]
    About(#[from] AboutError),
    /// No column is plainly the players'.
    #[error("no column is plainly the player; the header names {0}")]
    NoPlayer(String),
}

/// A row of a form, or a deck of a folder.
#[derive(Debug, Clone)]
pub struct Source {
    /// The row; `None` in a folder.
    pub row: Option<u64>,
    /// What the entry is called after: the form, or the file.
    pub name: String,
    /// Who it says it is of.
    pub person: Person,
    /// When it came.
    pub at: Option<Timestamp>,
    /// What else it says.
    pub personal: Personal,
    /// The deck.
    pub deck: Vec<u8>,
    /// Whether the name is only that of the row, since no column says whose it is.
    pub nameless: bool,
}

/// What a form or folder says.
#[derive(Debug, Clone)]
pub struct Form {
    /// How it is told of.
    pub name: String,
    /// Which columns were read as what, in words.
    pub read_as: String,
    /// What a person should know of how it was read.
    pub notes: Vec<String>,
    /// Its rows.
    pub rows: Vec<Source>,
    /// Columns that look like decks and were not read.
    pub unused: Vec<String>,
    /// Whether a column says when decks came.
    pub timed: bool,
    /// Files that its cells name.
    pub files: Vec<PathBuf>,
}

/// What importing a form comes to.
#[derive(Debug, Clone, Default)]
pub struct Preview {
    /// Rows, or decks of a folder.
    pub rows: usize,
    /// Those that are new.
    pub new: usize,
    /// Those that were taken in before.
    pub known: usize,
    /// Players who are new to the roster.
    pub players: Vec<(PlayerId, String)>,
    /// The new entries that an organiser must be asked about.
    pub asked: Vec<(EntryId, Question)>,
    /// New rows that are no deck for a reason of the form: the row and why.
    pub unfit: Vec<(EntryId, String)>,
    /// New rows without a deck.
    pub empty: Vec<EntryId>,
    /// New rows whose time cannot be read.
    pub timeless: Vec<EntryId>,
}

/// Reads a form's export: CSV, a workbook's sheet. `folder` is where files lie that its cells
/// name.
///
/// # Errors
/// Bytes that are no table, and columns or times that a person must tell apart.
pub fn read_form(
    name: &str,
    (bytes, sheet): (&[u8], Option<&str>),
    folder: &Path,
    about: &About,
    settings: &Settings,
    judge: &Judge,
) -> Result<Form, FormError> {
    let (sheet, doubt) = read_table(bytes, sheet)?;
    let known = judge.catalogue();
    let games: Vec<_> = match about.format.as_deref().map(|format| known.format(format)) {
        Some(format) => format
            .iter()
            .map(|format| Arc::clone(format.game()))
            .collect(),
        None => known.games().filter_map(|id| known.game(id).ok()).collect(),
    };
    let is_section = |word: &str| {
        let mut names = games.iter().map(|game| game.section_names());
        names.any(|names| names.find(word).is_some())
    };
    let header = saying(&sheet);
    let columns = Columns::in_sections(&header, &settings.columns, is_section)?;
    // What a form says besides is kept: it may be wanted in a table later.
    let columns = columns.carrying();
    let clock = about.clock()?;
    if let Some(error) = doubt {
        let known = |row| {
            let row = columns.row(row);
            let format = row.format.as_deref().or(about.format.as_deref());
            let deck = String::from_utf8_lossy(&row.deck);
            deck.is_ascii() || judge.knows_names(&deck, Input::default(), format)
        };
        if !sheet.rows.iter().all(known) {
            return Err(error.into());
        }
    }
    let cells = sheet
        .rows
        .iter()
        .filter_map(|row| Some(row.cell(columns.time?)));
    let times = Times::of_column(cells, settings.dates)?;
    let now = settings.at.unwrap_or_else(Timestamp::now);
    let mut notes = sheet.notes.clone();
    let (mut rows, mut files) = (Vec::new(), Vec::new());
    let nobody = columns.player.is_none() && columns.identity.is_none();
    let due = about.due()?.map(|due| due.to_zoned(clock.clone()).date());
    // On the day of a deadline at some hour nobody knows whether a day alone was in time.
    let said = about.deadline.as_deref().and_then(Deadline::read);
    let hourly = said.is_some_and(|due| !due.whole_day);
    for row in &sheet.rows {
        let mut read = columns.row(row);
        if nobody && !read.is_unfit() {
            read.player = Some(format!("row {}", read.number));
        }
        let known = |time: &String| {
            let moment = times.read(time)?;
            let open = hourly && Times::is_day(time) && due == Some(moment.local.date());
            (!open).then(|| instant(moment, &clock))
        };
        let at = match columns.time {
            None => Some(now),
            Some(_) => read.time.as_ref().and_then(known),
        };
        let mut personal = Personal {
            name: read.player.clone(),
            addresses: read.identity.clone().into_iter().collect(),
            format: read.format.clone(),
            time: read.time.clone(),
            carried: read.carried.clone(),
            ..Personal::default()
        };
        let nothing = |value: &str| value.is_empty() || value.eq_ignore_ascii_case("anonymous");
        personal.carried.retain(|(_, value)| !nothing(value));
        let deck = match read.cell(folder) {
            Cell::Empty => Vec::new(),
            Cell::Deck => read.deck.clone(),
            Cell::Refused(why) => {
                personal.unfit = Some(why);
                read.deck.clone()
            }
            Cell::File(path) => match deck_file(&path) {
                Ok(bytes) => {
                    files.push(path);
                    personal.file = Some(String::from_utf8_lossy(&read.deck).trim().to_owned());
                    bytes
                }
                Err(why) => {
                    personal.unfit = Some(why);
                    read.deck.clone()
                }
            },
        };
        rows.push(Source {
            row: Some(read.number),
            name: name.to_owned(),
            person: Person {
                name: personal.name.clone(),
                addresses: personal.addresses.clone(),
            },
            at,
            personal,
            deck,
            nameless: nobody,
        });
    }
    let mut read_as = columns.in_words();
    if columns.time.is_none() && about.deadline.is_some() {
        read_as.push_str(&format!(", time \u{2190} {}", moment(settings.at)));
    }
    let zone = &about.zone;
    match times.zones() {
        Zones::Some => notes.push(format!(
            "some times say their zone and some do not; those are taken as times of {zone}"
        )),
        Zones::None if columns.time.is_some() && about.deadline.is_some() => {
            notes.push(format!(
                "its times say no zone, and are taken as those of {zone}"
            ));
        }
        Zones::None | Zones::All => {}
    }
    notes.extend(numbered(&columns, &sheet));
    if nobody {
        let other = columns.passed_over().join("`, `");
        let other = match other.is_empty() {
            true => String::new(),
            false => format!(
                "; nothing is read from `{other}`: say which it is, with `--columns player=COLUMN`"
            ),
        };
        let note = "no column is plainly the player, so that each row is one";
        notes.push(format!("{note}{other}"));
    }
    if columns.player.is_some() && columns.player == mail_of(&header, &columns) {
        notes.push(
            "no column says the name, so that players are called by their addresses".to_owned(),
        );
    }
    Ok(Form {
        name: name.to_owned(),
        read_as,
        notes,
        rows,
        unused: unused(&columns, &sheet),
        timed: columns.time.is_some(),
        files,
    })
}

/// Columns that no role is read from, and that look like decks in a quarter of what is said in
/// them.
fn unused(columns: &Columns, sheet: &Sheet) -> Vec<String> {
    let read = columns.read();
    let places = (0..sheet.header.len()).filter(|at| !read.contains(at));
    let decks = places.filter(|at| {
        let cells = sheet.rows.iter().map(|row| row.cell(*at));
        let cells = cells.filter(|cell| !cell.is_empty());
        let (said, decks) = cells.fold((0, 0), |(said, decks), cell| {
            (said + 1, decks + usize::from(looks_like_a_deck(cell)))
        });
        decks > 0 && decks * 4 >= said
    });
    decks.map(|at| sheet.header[at].clone()).collect()
}

/// That times are a spreadsheet's numbers of days, with what the first of them probably means.
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

/// The moment that stands for every row, in words.
fn moment(at: Option<Timestamp>) -> String {
    at.map_or_else(
        || "now, since no column says it".to_owned(),
        |at| at.to_string(),
    )
}

/// The column of players, where it holds addresses.
fn mail_of(header: &[String], columns: &Columns) -> Option<usize> {
    let at = columns.player?;
    let (_, identity) = Columns::people(header).unzip();
    let name = header.get(at)?.to_lowercase();
    let mail = name.contains("mail") || name.contains("correo") || name.contains("courriel");
    (mail || identity.flatten() == Some(at)).then_some(at)
}

/// The header without the names of columns that say nothing: nobody means those.
fn saying(sheet: &Sheet) -> Vec<String> {
    let nothing = |cell: &str| cell.is_empty() || cell.eq_ignore_ascii_case("anonymous");
    let columns = sheet.header.iter().enumerate();
    let named = columns.map(|(at, name)| {
        let says = sheet.rows.iter().any(|row| !nothing(row.cell(at)));
        match says || sheet.rows.is_empty() {
            true => name.clone(),
            false => String::new(),
        }
    });
    named.collect()
}

/// A form's table, and why it is refused where its decks do not tell that it is in Windows-1252.
fn read_table(
    bytes: &[u8],
    sheet: Option<&str>,
) -> Result<(Sheet, Option<TableError>), TableError> {
    match table::read(bytes, sheet) {
        Ok(sheet) => Ok((sheet, None)),
        Err(error) => match table::read_western(bytes) {
            Some(sheet) => Ok((sheet, Some(error))),
            None => Err(error),
        },
    }
}

fn deck_file(path: &Path) -> Result<Vec<u8>, String> {
    let shown = path
        .file_name()
        .unwrap_or(path.as_os_str())
        .to_string_lossy()
        .into_owned();
    let about = std::fs::metadata(path)
        .map_err(|_| format!("there is no file `{shown}` beside the form"))?;
    if about.len() > LARGEST_FILE {
        return Err(format!(
            "the file `{shown}` is larger than {} MiB",
            LARGEST_FILE >> 20
        ));
    }
    std::fs::read(path).map_err(|error| format!("the file `{shown}` cannot be read: {error}"))
}

/// Reads a folder of decks, a file each: its player is who the deck's own `Player:` names, or
/// else the file's name.
///
/// # Errors
/// A folder that cannot be read.
pub fn read_folder(
    folder: &Path,
    settings: &Settings,
    judge: &Judge,
    format: Option<&str>,
) -> Result<Form, FormError> {
    let mut files: Vec<_> = std::fs::read_dir(folder)?.collect::<Result<Vec<_>, _>>()?;
    files.sort_by_key(std::fs::DirEntry::file_name);
    let (mut rows, mut passed) = (Vec::new(), Vec::new());
    for file in files {
        let path = file.path();
        let name = file.file_name().to_string_lossy().into_owned();
        if name.starts_with('.') || !path.is_file() || Input::of_ending(&path).is_none() {
            passed.push(name);
            continue;
        }
        let bytes = deck_file(&path);
        let mut personal = Personal {
            file: Some(name.clone()),
            ..Personal::default()
        };
        let deck = match bytes {
            Ok(bytes) => bytes,
            Err(why) => {
                personal.unfit = Some(why);
                Vec::new()
            }
        };
        let own = named_in(judge, &deck, Input::of_path(&path), format);
        let stem = path
            .file_stem()
            .map(|stem| stem.to_string_lossy().replace(['_', '-'], " "));
        let person = Person::named(&own.or(stem).unwrap_or_default());
        personal.name.clone_from(&person.name);
        rows.push(Source {
            row: None,
            name,
            person,
            at: Some(settings.at.unwrap_or_else(Timestamp::now)),
            personal,
            deck,
            nameless: false,
        });
    }
    let mut notes = Vec::new();
    if !passed.is_empty() {
        let few = decklaw_core::text::some_of(&passed, 5);
        notes.push(format!("passed over, since it is no deck's file: {few}"));
    }
    Ok(Form {
        name: folder
            .file_name()
            .unwrap_or(folder.as_os_str())
            .to_string_lossy()
            .into_owned(),
        unused: Vec::new(),
        timed: false,
        files: Vec::new(),
        read_as: format!(
            "a deck a file, player \u{2190} its `Player:` or the file's name, time \u{2190} {}",
            moment(settings.at)
        ),
        notes,
        rows,
    })
}

/// The player that a deck names.
fn named_in(judge: &Judge, bytes: &[u8], input: Input, format: Option<&str>) -> Option<String> {
    let opened = judge.open(bytes, input, format).ok()?;
    match judge.read(&opened.source, opened.input, format).ok()? {
        ReadDeck::Deck(resolved) => player_in(resolved.deck()),
        ReadDeck::Formatless { deck, .. } => player_in(&deck),
        ReadDeck::Unreadable { .. } => {
            // A deck with one wrong line still says whose it is.
            let text = String::from_utf8_lossy(&opened.source);
            let mut lines = text.lines();
            let line =
                lines.find_map(|line| line.trim().strip_prefix("Player:").map(str::to_owned));
            line.map(|name| name.trim().to_owned())
        }
    }
}

/// Reads a list of players: a name a line, or a table with a column of players and maybe those of
/// addresses and tables.
///
/// # Errors
/// A table of which no column is plainly the player.
pub fn read_people(bytes: &[u8], sheet: Option<&str>) -> Result<Vec<Personal>, FormError> {
    let workbook = table::is_workbook(bytes);
    let plain = || {
        let sheet = table::read(bytes, sheet).ok()?;
        let columns = Columns::people(&sheet.header)?;
        Some((sheet, columns))
    };
    let Some((sheet, (player, identity))) = plain() else {
        let (text, _) = table::as_text(bytes, None, true)?;
        let first = text.lines().next().unwrap_or_default();
        if workbook || first.contains([';', '\t']) || first.matches(',').count() > 1 {
            return Err(FormError::NoPlayer(format!("`{}`", first.trim())));
        }
        let names = text
            .lines()
            .map(|line| line.trim().trim_start_matches(['-', '*', '\u{2022}']));
        let names = names.map(|name| tidy(name).into_owned());
        return Ok(names
            .filter(|name| !name.is_empty() && !name.starts_with('#'))
            .map(|name| Personal {
                name: Some(name),
                ..Personal::default()
            })
            .collect());
    };
    let family = Columns::family(&sheet.header);
    let seat = sheet
        .header
        .iter()
        .position(|name| name.trim().eq_ignore_ascii_case("table"));
    let people = sheet.rows.iter().map(|row| {
        let text = |at: usize| Some(row.cell(at).trim()).filter(|cell| !cell.is_empty());
        let parts = family.map_or_else(|| vec![player], |(given, family)| vec![given, family]);
        let name: Vec<&str> = parts.into_iter().filter_map(text).collect();
        Personal {
            name: Some(tidy(&name.join(" ")).into_owned()).filter(|name| !name.is_empty()),
            addresses: identity
                .and_then(text)
                .map(str::to_owned)
                .into_iter()
                .collect(),
            table: seat.and_then(text).map(str::to_owned),
            ..Personal::default()
        }
    });
    Ok(people.filter(|one| one.name.is_some()).collect())
}

impl Form {
    /// What is to be kept of it in an event: the rows that were not taken in before, with the
    /// players who are new. `roster` grows by them.
    pub(crate) fn happenings(&self, roster: &mut Roster) -> (Vec<Happening>, Preview) {
        let before: HashMap<String, u32> = self
            .rows
            .iter()
            .map(|row| {
                let mark = row.mark();
                let taken = roster.taken(&mark);
                (mark, taken)
            })
            .collect();
        let mut seen: HashMap<String, u32> = HashMap::new();
        let (mut all, mut preview) = (Vec::new(), Preview::default());
        for row in &self.rows {
            preview.rows += 1;
            let mark = row.mark();
            let times = seen.entry(mark.clone()).or_default();
            *times += 1;
            if *times <= before.get(&mark).copied().unwrap_or_default() {
                preview.known += 1;
                continue;
            }
            preview.new += 1;
            let happened = row.happens(roster, mark, &mut preview);
            all.extend(happened);
        }
        (all, preview)
    }
}

impl Source {
    /// What tells this row from every other.
    fn mark(&self) -> String {
        let personal = &self.personal;
        let mut bytes = Vec::new();
        let name = if self.nameless { &None } else { &personal.name };
        let texts = [name, &personal.time, &personal.format, &personal.file];
        for text in texts.into_iter().flatten().chain(&personal.addresses) {
            bytes.extend_from_slice(text.as_bytes());
            bytes.push(0);
        }
        bytes.extend_from_slice(&self.deck);
        sha256(&bytes)
    }

    fn happens(&self, roster: &mut Roster, mark: String, preview: &mut Preview) -> Vec<Happening> {
        let mut all = Vec::new();
        // Where a cell may stand in another's place, no cell says whose the row is.
        let whose = roster.whose(&self.person);
        let whose = match whose.is_new() {
            true => {
                let player = roster.next_player();
                let name = self.person.name.clone();
                let name = name.or_else(|| self.person.addresses.first().cloned());
                preview
                    .players
                    .push((player, name.clone().unwrap_or_default()));
                all.push(Happening {
                    fact: Fact::Player {
                        player,
                        expected: false,
                    },
                    personal: Personal {
                        name,
                        ..Personal::default()
                    },
                    deck: None,
                });
                Whose::Player(player)
            }
            false => whose,
        };
        let entry = roster.next_entry();
        if let Whose::Asked(question) = &whose {
            preview.asked.push((entry, question.clone()));
        }
        match &self.personal.unfit {
            Some(why) => preview.unfit.push((entry, why.clone())),
            None if self.deck.iter().all(u8::is_ascii_whitespace) => preview.empty.push(entry),
            None => {}
        }
        if self.at.is_none() {
            preview.timeless.push(entry);
        }
        all.push(Happening {
            fact: Fact::Entry {
                entry,
                source: self.name.clone(),
                row: self.row,
                at: self.at.map(crate::store::written),
                whose,
                mark,
            },
            personal: self.personal.clone(),
            deck: Some(self.deck.clone()),
        });
        for happening in &all {
            roster.add(happening.clone(), "import", "");
        }
        all
    }
}

/// What a form comes to: an event that lives as long as the call.
///
/// # Errors
/// An event whose times are none.
pub fn gathered(about: &About, form: &Form) -> Result<(Roster, Standing), AboutError> {
    let mut roster = Roster::default();
    form.happenings(&mut roster);
    let standing = Standing::of(about, &roster)?;
    Ok((roster, standing))
}

/// What is to be kept of a list of players: those who are not expected yet.
pub(crate) fn people(list: &[Personal], roster: &Roster) -> (Vec<Happening>, Vec<String>) {
    let mut grown = roster.clone();
    let (mut all, mut notes) = (Vec::new(), Vec::new());
    let mut taken: BTreeSet<PlayerId> = BTreeSet::new();
    for one in list {
        let person = Person {
            name: one.name.clone(),
            addresses: one.addresses.clone(),
        };
        let name = person.name.clone().unwrap_or_default();
        // Each line is a person: one who is on the list twice by name is two.
        let same: Vec<PlayerId> = roster
            .named(&name)
            .into_iter()
            .filter(|player| !taken.contains(player))
            .collect();
        let agrees = |player: &&PlayerId| {
            let known = roster.addresses_of(**player);
            let own = &person.addresses;
            let shared = own.iter().any(|own| {
                known
                    .iter()
                    .any(|known| decklaw_core::name::fold(known) == decklaw_core::name::fold(own))
            });
            known.is_empty() || own.is_empty() || shared
        };
        let happening = match same.iter().find(agrees) {
            Some(player) => {
                taken.insert(*player);
                let expected = roster.players.get(player).is_some_and(|own| own.expected);
                if expected {
                    continue;
                }
                crate::Decision::Expected {
                    player: *player,
                    expected: true,
                }
                .into()
            }
            None => {
                let player = grown.next_player();
                taken.insert(player);
                if !same.is_empty() {
                    notes.push(format!("{name}: another player of that name"));
                }
                Happening {
                    fact: Fact::Player {
                        player,
                        expected: true,
                    },
                    personal: one.clone(),
                    deck: None,
                }
            }
        };
        grown.add(happening.clone(), "import", "");
        all.push(happening);
    }
    (all, notes)
}

impl Preview {
    /// What came of it, a sentence.
    pub fn in_words(&self) -> String {
        let count =
            |number: usize, noun: &str| counted(i64::try_from(number).unwrap_or(i64::MAX), noun);
        let mut text = format!("{}: {} new", count(self.rows, "row"), self.new);
        for (number, what) in [
            (self.known, "known already"),
            (self.asked.len(), "to ask about"),
            (self.empty.len(), "without a deck"),
            (self.unfit.len(), "that cannot be read"),
            (self.timeless.len(), "of unknown time"),
        ] {
            if number > 0 {
                text.push_str(&format!(", {number} {what}"));
            }
        }
        text
    }
}
