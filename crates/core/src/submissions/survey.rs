//! The first reading of a table: which row of each player counts.

use super::columns::Columns;
use super::deadline::{Deadline, Late};
use super::numbered::Numbered;
use super::rows::Row;
use super::stamp::Stamp;
use super::table::{Records, RowBoundary, Stretch, Table, TableSource};
use super::time::{Seen, TimeOrder, Times, Zones};
use super::who::{Person, Who, identified, people, who};
use super::{Submission, SubmissionError};
use crate::table::Checked;
use jiff::civil::DateTime;
use rayon::slice::ParallelSliceMut;
use rustc_hash::FxHashMap;
use std::io::Read;

/// By what it is decided which row of a player counts.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Terms {
    /// How dates are written where they do not say it themselves.
    pub order: Option<TimeOrder>,
    /// When the form closes; `None`: never.
    pub deadline: Option<Deadline>,
    /// What becomes of later decks.
    pub late: Late,
}

/// What a table's rows come to, before any deck is judged. What it keeps grows with the rows
/// that there is something to say about, not with the others.
#[derive(Debug, Clone)]
pub struct Survey {
    times: Times,
    timed: bool,
    terms: Terms,
    rows: u64,
    stretches: Vec<Stretch>,
    /// The row that is judged in place of a replaced one.
    by: FxHashMap<u64, u64>,
    /// The rows, ascending, that a row replaces.
    replaces: FxHashMap<u64, Vec<u64>>,
    /// Of a player with several rows, by the one that counts: those without a time that is
    /// understood, ascending.
    unread: FxHashMap<u64, Vec<u64>>,
    /// By a late row: the one in time that counts.
    late: FxHashMap<u64, u64>,
    /// By a row that counts: the late one beside it.
    beside: FxHashMap<u64, u64>,
    /// By a row that counts: those, ascending, of others who have the same name.
    namesakes: FxHashMap<u64, Vec<u64>>,
    /// Rows of one player by their identity who gave several names, each ascending.
    renamed: Vec<Vec<u64>>,
    unused: Vec<String>,
    numbered: Numbered,
}

/// What is kept of rows while the table is read for the first time.
#[derive(Default)]
struct Looked {
    rows: u64,
    seen: Seen,
    entries: Vec<Entry>,
    unused: Unused,
    numbered: Numbered,
}

/// A row of a player: some 80 bytes.
struct Entry {
    person: Person,
    row: u64,
    stamp: Option<Stamp>,
}

/// The columns that nothing is read from, and what stands in their cells.
#[derive(Default)]
struct Unused {
    columns: Vec<usize>,
    /// Cells that say something, and those that look like a deck.
    cells: Vec<(u64, u64)>,
}

impl Unused {
    fn of(columns: &Columns) -> Unused {
        let columns = columns.unused();
        let cells = vec![(0, 0); columns.len()];
        Unused { columns, cells }
    }

    fn look<R: Read>(&mut self, records: &Records<R>) {
        for (at, (said, decks)) in self.columns.iter().zip(&mut self.cells) {
            if let Some(cell) = records.cell(Some(*at)) {
                *said += 1;
                *decks += u64::from(looks_like_a_deck(cell));
            }
        }
    }

    /// Those that look like decks in a quarter of what is said in them.
    fn decks(&self, header: &[String]) -> Vec<String> {
        let columns = self.columns.iter().zip(&self.cells);
        let decks = columns.filter(|(_, (said, decks))| *decks > 0 && *decks * 4 >= *said);
        decks.map(|(at, _)| header[*at].clone()).collect()
    }
}

/// Whether most lines of a cell, and more than one, are a number and something behind it.
fn looks_like_a_deck(cell: &str) -> bool {
    let card = |line: &&str| {
        let rest = line.trim_start_matches(|next: char| next.is_ascii_digit());
        let digits = line.len() - rest.len();
        let rest = rest.strip_prefix(['x', 'X', '\u{d7}']).unwrap_or(rest);
        let name = rest.trim_start();
        (1..=3).contains(&digits)
            && name.len() < rest.len()
            && name.starts_with(char::is_alphabetic)
    };
    let lines = || cell.lines().map(str::trim).filter(|line| !line.is_empty());
    let cards = lines().filter(card).count();
    cards > 1 && cards * 2 >= lines().count()
}

impl Looked {
    /// Looks at the record read last.
    fn look<R: Read>(&mut self, records: &Records<R>, row: u64, columns: &Columns) {
        if !records.says_something() {
            return;
        }
        self.rows += 1;
        self.unused.look(records);
        let time = records.cell(columns.time);
        let stamp = time.and_then(Stamp::read);
        match (&stamp, time) {
            (Some(stamp), _) => self.seen.look(stamp),
            (None, Some(time)) => self.numbered.look(row, time),
            (None, None) => {}
        }
        if records.malformed(&columns.header).is_some() {
            // Whose it is, its cells do not tell for certain.
            return;
        }
        let identity = columns.identity;
        let cell = records.cell(identity.map(|identity| identity.at));
        let identity = cell.zip(identity).and_then(|(cell, id)| id.of(cell));
        let name = columns.name_of(|at| records.cell(at));
        let name = name.as_deref();
        if identity.is_some() || name.is_some() {
            let person = Person {
                identity: identity.map(identified),
                name: name.map(who),
            };
            self.entries.push(Entry { person, row, stamp });
        }
    }
}

/// The bytes of a stretch, unless its last row takes it further.
const STRETCH: u64 = 1 << 17;
/// The most rows of a stretch.
const STRETCH_ROWS: usize = 256;

/// Looks through a table. The answer is also the table in stretches.
fn look_through<S: TableSource + ?Sized>(
    table: &Table<'_, S>,
) -> Result<(Looked, Vec<Stretch>), SubmissionError> {
    let origin = RowBoundary {
        byte: table.layout.start,
        lines: 0,
        row: 0,
    };
    let bytes = table.source.read_from(origin.byte)?;
    let before = u64::from(origin.byte > 0);
    let bytes = Checked::new(bytes, table.layout.separator, before);
    let mut records = Records::of(bytes, table.layout, origin)?;
    let (mut looked, mut stretches) = (Looked::default(), Vec::new());
    looked.unused = Unused::of(&table.columns);
    let (mut begun, mut rows) = (origin, 0);
    loop {
        let row = records.next()?;
        if let Some(row) = row {
            looked.look(&records, row, &table.columns);
            rows += 1;
        }
        let end = records.place();
        if rows >= STRETCH_ROWS || end.byte - begun.byte >= STRETCH || row.is_none() {
            stretches.push(Stretch {
                from: begun,
                to: end.byte,
            });
            (begun, rows) = (end, 0);
        }
        if row.is_none() {
            return Ok((looked, stretches));
        }
    }
}

/// What is to be done with a row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Counted {
    /// It is judged, and this is said of it. It counts, unless that says it is late and beside
    /// one that does.
    Yes(Submission),
    /// Another row of the same player stands in its place.
    ReplacedBy(u64),
}

/// Whether a row came in time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Came {
    InTime,
    Late,
    /// Its time is missing or not understood, and there is a deadline.
    Unknown,
}

/// A row of a player, put in order: first those whose time is not understood.
type Timed = (Who, Option<DateTime>, u64, Came);

impl Survey {
    /// Reads a table. The latest row of a player counts that came in time, or else the latest:
    /// by its time where there is a column of times (a row whose time cannot be read stands
    /// before all others), else by its place. Players are the same whose identities are, or
    /// where there are none their names, but for case and white space.
    ///
    /// # Errors
    /// A file that cannot be read, quotation marks out of place, or times that can be read in
    /// two ways.
    pub fn of<S: TableSource + ?Sized>(
        table: &Table<'_, S>,
        terms: Terms,
    ) -> Result<Survey, SubmissionError> {
        let (looked, stretches) = look_through(table)?;
        let times = looked.seen.times(terms.order)?;
        let mut survey = Survey {
            times,
            timed: table.columns.time.is_some(),
            terms,
            rows: looked.rows,
            stretches,
            by: FxHashMap::default(),
            replaces: FxHashMap::default(),
            unread: FxHashMap::default(),
            late: FxHashMap::default(),
            beside: FxHashMap::default(),
            namesakes: FxHashMap::default(),
            renamed: Vec::new(),
            unused: looked.unused.decks(&table.columns.header),
            numbered: looked.numbered,
        };
        let persons: Vec<Person> = looked.entries.iter().map(|entry| entry.person).collect();
        let mut names: Vec<(Who, Option<Who>, u64)> = Vec::new();
        let mut rows: Vec<Timed> = Vec::with_capacity(looked.entries.len());
        for (entry, who) in looked.entries.iter().zip(people(&persons)) {
            let (when, came) = survey.came(entry.stamp.as_ref());
            rows.push((who, when, entry.row, came));
            if table.columns.identity.is_some() {
                names.push((who, entry.person.name, entry.row));
            }
        }
        rows.par_sort_unstable_by_key(|(who, when, row, _)| (*who, *when, *row));
        for same in rows.chunk_by(|one, next| one.0 == next.0) {
            survey.decide(same);
        }
        survey.tell_names_apart(names);
        Ok(survey)
    }

    /// When a row came, to put it in order, and whether that was in time.
    fn came(&self, stamp: Option<&Stamp>) -> (Option<DateTime>, Came) {
        let moment = stamp.and_then(|stamp| self.times.place(*stamp));
        let when = moment.map(|moment| self.times.key(moment));
        let came = match (&self.terms.deadline, stamp.zip(moment)) {
            (None, _) => Came::InTime,
            (Some(due), Some((stamp, _))) if due.is_open(stamp, self.times) => Came::Unknown,
            (Some(due), Some((_, moment))) if self.times.is_after(moment, due) => Came::Late,
            (Some(_), Some(_)) => Came::InTime,
            (Some(_), None) => Came::Unknown,
        };
        (when, came)
    }

    /// Decides which of a player's rows, in the order of time, counts.
    fn decide(&mut self, same: &[Timed]) {
        let [.., (_, _, last, _)] = same else { return };
        if same.len() == 1 {
            return;
        }
        let latest = |wanted: &[Came]| {
            let found = same.iter().rev().find(|row| wanted.contains(&row.3));
            found.map(|row| row.2)
        };
        let in_time = latest(&[Came::InTime]).or(latest(&[Came::Unknown]));
        let (counts, late) = match (self.terms.late, in_time, latest(&[Came::Late])) {
            (Late::Beside, Some(counts), late) => (counts, late),
            (Late::Beside, None, _) | (Late::Last, ..) => (*last, None),
        };
        for (_, _, row, came) in same {
            let judged = match late {
                Some(late) if *came == Came::Late => late,
                _ => counts,
            };
            if *row != judged {
                self.by.insert(*row, judged);
                self.replaces.entry(judged).or_default().push(*row);
            }
        }
        for judged in [Some(counts), late].into_iter().flatten() {
            if let Some(rows) = self.replaces.get_mut(&judged) {
                rows.sort_unstable();
            }
        }
        if let Some(late) = late {
            self.late.insert(late, counts);
            self.beside.insert(counts, late);
        }
        let mut unread: Vec<u64> = same
            .iter()
            .filter(|(_, when, ..)| when.is_none())
            .map(|row| row.2)
            .collect();
        unread.sort_unstable();
        if self.timed && !unread.is_empty() {
            self.unread.insert(counts, unread);
        }
    }

    /// Finds players who share a name, and names that share a player.
    fn tell_names_apart(&mut self, mut rows: Vec<(Who, Option<Who>, u64)>) {
        rows.sort_unstable();
        for same in rows.chunk_by(|one, next| one.0 == next.0) {
            let names = same.iter().filter_map(|(_, name, _)| *name);
            if names.clone().min() != names.max() {
                let mut rows: Vec<u64> = same.iter().map(|(_, _, row)| *row).collect();
                rows.sort_unstable();
                self.renamed.push(rows);
            }
        }
        self.renamed.sort_unstable();
        let counts = |row: &u64| !self.by.contains_key(row) && !self.late.contains_key(row);
        let mut counting: Vec<(Who, u64)> = rows
            .iter()
            .filter(|(_, _, row)| counts(row))
            .filter_map(|(_, name, row)| Some(((*name)?, *row)))
            .collect();
        counting.sort_unstable();
        for same in counting.chunk_by(|one, next| one.0 == next.0) {
            if same.len() < 2 {
                continue;
            }
            for (_, row) in same {
                let others = same.iter().map(|(_, other)| *other);
                let others = others.filter(|other| other != row).collect();
                self.namesakes.insert(*row, others);
            }
        }
    }

    /// How many rows there are.
    pub fn rows(&self) -> u64 {
        self.rows
    }

    /// The table in stretches, from its first to its last.
    pub fn stretches(&self) -> &[Stretch] {
        &self.stretches
    }

    /// The rows that are not judged, ascending, and the one that is in place of each.
    pub fn replaced(&self) -> Vec<(u64, u64)> {
        let mut replaced: Vec<(u64, u64)> = self.by.iter().map(|(row, by)| (*row, *by)).collect();
        replaced.sort_unstable();
        replaced
    }

    /// How many rows are judged: those that count, and late ones beside them.
    pub fn judged(&self) -> u64 {
        self.rows - self.by.len() as u64
    }

    /// Rows of players who share a name and are several by their identities: those that count,
    /// each group ascending.
    pub fn namesakes(&self) -> Vec<Vec<u64>> {
        let mut groups: Vec<Vec<u64>> = Vec::new();
        for (row, others) in &self.namesakes {
            if others.iter().all(|other| row < other) {
                let mut group = vec![*row];
                group.extend(others);
                groups.push(group);
            }
        }
        groups.sort_unstable();
        groups
    }

    /// Rows of one player by their identity, who gave several names; each group ascending.
    pub fn renamed(&self) -> &[Vec<u64>] {
        &self.renamed
    }

    /// Columns that nothing is read from and that look like decks.
    pub fn unused_decks(&self) -> &[String] {
        &self.unused
    }

    /// By what it was decided which rows count.
    pub fn terms(&self) -> &Terms {
        &self.terms
    }

    /// Whether the times of the table say their zones.
    pub fn zones(&self) -> Zones {
        self.times.zones()
    }

    /// What is to be said of the zones of the table's times and of the deadline's, where they
    /// cannot be compared.
    pub fn of_zones(&self) -> Option<&'static str> {
        let due = self.terms.deadline.as_ref();
        match (self.times.zones(), due) {
            (Zones::Some, _) => Some(
                "some times say their zone and some do not, so that they are compared as the clocks show them",
            ),
            (Zones::All, Some(due)) if due.moment().zone.is_none() => Some(
                "the times say their zones and the deadline does not, so that they are compared as the clocks show them; a deadline such as 2026-03-01T18:00+01:00 says its zone",
            ),
            (Zones::None, Some(due)) if due.at.zone.is_some() => Some(
                "the deadline says its zone and the times do not, so that they are compared as the clocks show them",
            ),
            _ => None,
        }
    }

    /// What is to be said of times that are a spreadsheet's numbers of days, where there are any.
    pub fn of_numbers(&self) -> Option<String> {
        self.numbered.warning()
    }

    /// What is to be done with a row.
    pub fn counted(&self, row: &Row) -> Counted {
        let number = row.number;
        if let Some(by) = self.by.get(&number) {
            return Counted::ReplacedBy(*by);
        }
        let mut unread = self.unread.get(&number).cloned().unwrap_or_default();
        let stamp = row.time.as_deref().and_then(Stamp::read);
        let (_, came) = self.came(stamp.as_ref());
        if came == Came::Unknown && unread.binary_search(&number).is_err() {
            unread.push(number);
            unread.sort_unstable();
        }
        let of = |rows: &FxHashMap<u64, Vec<u64>>| rows.get(&number).cloned().unwrap_or_default();
        let instead = self.late.get(&number).copied();
        Counted::Yes(Submission {
            row: number,
            time: row.time.clone(),
            late: came == Came::Late,
            replaces: of(&self.replaces),
            times_not_understood: unread,
            identity: row.identity.clone(),
            counts: instead.is_none(),
            beside: instead.or_else(|| self.beside.get(&number).copied()),
            namesakes: of(&self.namesakes),
            empty: row.is_empty(),
            file: None,
            carried: row.carried.clone(),
        })
    }
}
