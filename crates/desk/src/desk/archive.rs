//! An event as files: complete, so that another server goes on with it, and in the shape of a
//! form's export, so that `decklaw check --submissions` says the same of it.

use super::super::store::{self, Fault};
use super::Event;
use super::record::{self, Entry};
use super::replay::{difference, replayed};
use data_encoding::HEXLOWER;
use decklaw_core::digest::{hex, sha256};
use decklaw_core::format::Rulebook;
use decklaw_core::judge::{DeckReport, Judge};
use decklaw_core::report::{json, table, workbook};
use decklaw_core::spreadsheet::{Flavour, Table as Written};
use decklaw_core::submissions::deck_cell;
use decklaw_event::{About, Late, Settings, gathered, handed, read_form};
use rusqlite::{Connection, OpenFlags, params};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::Path;

const SCHEMA: &str = "decklaw/event/1";

/// The name that reports give to the table.
const TABLE: &str = "submissions.csv";

/// Why an event cannot be taken out or in, for people.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct ArchiveError(String);

impl ArchiveError {
    pub(super) fn new(why: impl Into<String>) -> ArchiveError {
        ArchiveError(why.into())
    }
}

impl From<Fault> for ArchiveError {
    fn from(fault: Fault) -> ArchiveError {
        ArchiveError(fault.to_string())
    }
}

impl From<rusqlite::Error> for ArchiveError {
    fn from(error: rusqlite::Error) -> ArchiveError {
        ArchiveError(error.to_string())
    }
}

/// All of an event.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Archive {
    schema: String,
    id: String,
    at: String,
    title: String,
    format: String,
    terms: super::Terms,
    deadline: Option<String>,
    /// The deadline as `check --deadline` takes it.
    due: Option<String>,
    late: String,
    key: String,
    closed: bool,
    published: bool,
    players: Vec<PlayerEntry>,
    audit: Vec<AuditEntry>,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct PlayerEntry {
    name: String,
    key: Option<String>,
    locked: bool,
    expected: bool,
    versions: Vec<VersionEntry>,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct VersionEntry {
    number: i64,
    at: String,
    late: bool,
    who: String,
    input: String,
    /// The bytes as they were handed in, as hex.
    bytes: String,
    deck: String,
    hash: Option<String>,
    judgements: Vec<JudgementEntry>,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct JudgementEntry {
    at: String,
    verdict: String,
    report: String,
    rules: Option<String>,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct AuditEntry {
    entry: Entry,
    digest: String,
}

impl Archive {
    /// Takes an event out of the data.
    pub(super) fn of(data: &Connection, id: &str) -> Result<Archive, Fault> {
        let Some(event) = Event::find(data, id)? else {
            return Err(super::super::trouble::Trouble::none("such event").into());
        };
        let mut players = Vec::new();
        let mut found = data.prepare(
            "select id, name, key, locked, expected from player where event = ?1 order by id",
        )?;
        let rows = found.query_map([id], |row| {
            let key: Option<Vec<u8>> = row.get(2)?;
            let entry = PlayerEntry {
                name: row.get(1)?,
                key: key.map(|key| hex(&key)),
                locked: row.get(3)?,
                expected: row.get(4)?,
                versions: Vec::new(),
            };
            Ok((row.get(0)?, entry))
        })?;
        for row in rows {
            let (number, mut entry): (i64, PlayerEntry) = row?;
            entry.versions = versions(data, number)?;
            players.push(entry);
        }
        let audit = record::entries(data, id)?;
        Ok(Archive {
            schema: SCHEMA.to_owned(),
            deadline: event
                .deadline
                .as_ref()
                .map(|due| super::kept_due(due, &event.zone)),
            due: event.due(),
            late: if event.marks_late { "mark" } else { "refuse" }.to_owned(),
            key: hex(&event.key),
            id: event.id,
            at: event.at,
            title: event.title,
            format: event.format,
            terms: event.terms,
            closed: event.closed,
            published: event.published,
            players,
            audit: audit
                .into_iter()
                .map(|(entry, digest)| AuditEntry { entry, digest })
                .collect(),
        })
    }

    /// As JSON.
    pub(super) fn json(&self) -> Result<Vec<u8>, ArchiveError> {
        let text = serde_json::to_string_pretty(self);
        let text = text.map_err(|error| ArchiveError(error.to_string()))?;
        Ok((text + "\n").into_bytes())
    }

    /// Every version as a row of a form's export, in the order of time, safe to open in a
    /// spreadsheet.
    pub(super) fn submissions(&self) -> Result<Vec<u8>, ArchiveError> {
        let wrong = |error: csv::Error| ArchiveError(error.to_string());
        let mut rows: Vec<(&str, &str, &str)> = Vec::new();
        for player in &self.players {
            for version in &player.versions {
                rows.push((&version.at, &player.name, &version.deck));
            }
        }
        rows.sort_by_key(|(at, ..)| *at);
        let mut table = Written::new(
            Vec::new(),
            Flavour::Excel,
            &["time", "player", "format", "deck"],
        )
        .map_err(wrong)?;
        for (at, player, deck) in rows {
            let deck = deck_cell(deck);
            table
                .row([at, player, &self.format, &deck])
                .map_err(wrong)?;
        }
        table.finish().map_err(wrong)
    }

    /// What is said of the decks that count, as `check --submissions` says it.
    fn reports(&self, judge: &Judge) -> Result<Vec<DeckReport>, ArchiveError> {
        let wrong = |why: String| ArchiveError(why);
        let bytes = self.submissions()?;
        let about = About {
            deadline: self.due.clone(),
            zone: "UTC".to_owned(),
            // What is late was taken in by the organiser's own choice.
            late: Late::Last,
            ..About::default()
        };
        let settings = Settings::default();
        let form = read_form(TABLE, (&bytes, None), "".as_ref(), &about, &settings, judge);
        let form = form.map_err(|error| wrong(error.to_string()))?;
        let (roster, standing) =
            gathered(&about, &[form], &[]).map_err(|error| wrong(error.to_string()))?;
        let mut counting: Vec<_> = standing.counting().map(|(_, entry)| entry).collect();
        counting.sort_unstable();
        let mut reports = Vec::new();
        for entry in counting.iter().filter_map(|id| roster.entries.get(id)) {
            let deck = handed(judge, &roster, &standing, entry, None);
            let deck = deck.map_err(|error| wrong(error.to_string()))?;
            let format = deck.format.as_deref();
            let report = judge.judge_as(&deck.place, &deck.text, deck.input, format);
            let mut report = report.map_err(|error| wrong(error.to_string()))?;
            report.player = deck.player;
            report.submission = Some(deck.submission);
            reports.push(report);
        }
        Ok(reports)
    }

    /// As `check --submissions -o ndjson`.
    pub(super) fn verdicts(&self, judge: &Judge) -> Result<Vec<u8>, ArchiveError> {
        let mut out = Vec::new();
        for report in &self.reports(judge)? {
            json::write_line(&mut out, report).map_err(|error| ArchiveError(error.to_string()))?;
        }
        Ok(out)
    }

    /// As `check --submissions --summary` writes tables.
    pub(super) fn table(&self, judge: &Judge, flavour: Flavour) -> Result<Vec<u8>, ArchiveError> {
        let wrong = |error: csv::Error| ArchiveError(error.to_string());
        let shape = table::Shape {
            summary: true,
            form: Some(Vec::new()),
        };
        let mut out = table::header(flavour, &shape).map_err(wrong)?;
        for report in &self.reports(judge)? {
            let rules = report.rulebook.as_deref();
            table::rows(&mut out, report, rules, judge.lock(), (flavour, &shape)).map_err(wrong)?;
        }
        Ok(out)
    }

    /// As `check --submissions -o xlsx`.
    pub(super) fn workbook(&self, judge: &Judge) -> Result<Vec<u8>, ArchiveError> {
        let reports = self.reports(judge)?;
        let met = judge.met();
        let rules: BTreeMap<String, &Rulebook> = met
            .iter()
            .filter(|(id, _)| **id == self.format)
            .map(|(id, rules)| (id.clone(), &**rules))
            .collect();
        let day = judge.day().to_string();
        let book = workbook::workbook(&reports, &rules, &day, judge.lock(), Some(&[]));
        book.map_err(|error| ArchiveError(error.to_string()))
    }

    /// Whether what it says of itself fits: every byte that was handed in, and all that was
    /// done in its order.
    fn checked(&self) -> Result<(), ArchiveError> {
        if self.schema != SCHEMA {
            return Err(ArchiveError(format!(
                "the schema is `{}`; this program reads `{SCHEMA}`",
                self.schema
            )));
        }
        let entries: Vec<(Entry, String)> = self
            .audit
            .iter()
            .map(|one| (one.entry.clone(), one.digest.clone()))
            .collect();
        if let Some(number) = record::broken_at(&self.id, &entries) {
            return Err(ArchiveError(format!(
                "entry {number} of what was done was changed, or one before it is missing"
            )));
        }
        match self.changed_at() {
            None => Ok(()),
            Some(field) => Err(ArchiveError(format!(
                "`{field}` was changed: it is not what was written down when it was done"
            ))),
        }
    }

    /// The first field that is not as what was done made it; `None`: there is none.
    pub(super) fn changed_at(&self) -> Option<String> {
        let entries: Vec<&Entry> = self.audit.iter().map(|one| &one.entry).collect();
        let made = match replayed(&self.id, SCHEMA, &entries) {
            Ok(made) => made,
            Err(number) => {
                return Some(format!("audit[{}].entry.detail", number.saturating_sub(1)));
            }
        };
        let mut own = serde_json::to_value(self).unwrap_or_default();
        own.as_object_mut().map(|own| own.remove("audit"));
        for (at, player) in self.players.iter().enumerate() {
            for (number, version) in player.versions.iter().enumerate() {
                let place = &mut own["players"][at]["versions"][number];
                // Bytes in any other way of writing them are another text.
                let bytes = HEXLOWER.decode(version.bytes.as_bytes()).ok();
                place["bytes"] = bytes.map(|bytes| sha256(&bytes)).into();
                place["deck"] = sha256(version.deck.as_bytes()).into();
                for (at, judged) in version.judgements.iter().enumerate() {
                    place["judgements"][at]["report"] = sha256(judged.report.as_bytes()).into();
                }
            }
        }
        difference(&own, &made)
    }

    /// Puts the event into the data.
    fn put(&self, data: &Connection) -> Result<(), ArchiveError> {
        let damaged = || ArchiveError("a key or a deck is no hex".to_owned());
        let key = HEXLOWER
            .decode(self.key.as_bytes())
            .map_err(|_| damaged())?;
        let terms =
            serde_json::to_string(&self.terms).map_err(|error| ArchiveError(error.to_string()))?;
        data.execute(
            "insert into event (id, at, title, format, terms, deadline, late, key, closed, published) values (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)",
            params![self.id, self.at, self.title, self.format, terms, self.deadline, self.late, key, self.closed, self.published],
        )?;
        for player in &self.players {
            let id = record::add_player(data, &self.id, &player.name, player.expected)?;
            let key = player
                .key
                .as_deref()
                .map(|key| HEXLOWER.decode(key.as_bytes()).map_err(|_| damaged()))
                .transpose()?;
            data.execute(
                "update player set key = ?2, locked = ?3 where id = ?1",
                params![id, key, player.locked],
            )?;
            for version in &player.versions {
                let bytes = HEXLOWER
                    .decode(version.bytes.as_bytes())
                    .map_err(|_| damaged())?;
                data.execute(
                    "insert into version (event, player, number, at, late, who, input, bytes, deck, hash) values (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)",
                    params![self.id, id, version.number, version.at, version.late, version.who, version.input, bytes, version.deck, version.hash],
                )?;
                let row = data.last_insert_rowid();
                for one in &version.judgements {
                    data.execute(
                        "insert into judgement (version, at, verdict, report, rules) values (?1, ?2, ?3, ?4, ?5)",
                        params![row, one.at, one.verdict, one.report, one.rules],
                    )?;
                }
            }
        }
        for AuditEntry { entry, digest } in &self.audit {
            data.execute(
                "insert into audit (event, number, at, who, what, detail, previous, digest) values (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
                params![self.id, entry.number, entry.at, entry.who, entry.what, entry.detail.to_string(), entry.previous, digest],
            )?;
        }
        Ok(())
    }
}

fn versions(data: &Connection, player: i64) -> Result<Vec<VersionEntry>, Fault> {
    let mut found = data.prepare(
        "select id, number, at, late, who, input, bytes, deck, hash from version where player = ?1 order by number",
    )?;
    let mut judged = data.prepare(
        "select at, verdict, report, rules from judgement where version = ?1 order by id",
    )?;
    let rows = found.query_map([player], |row| {
        let bytes: Vec<u8> = row.get(6)?;
        let entry = VersionEntry {
            number: row.get(1)?,
            at: row.get(2)?,
            late: row.get(3)?,
            who: row.get(4)?,
            input: row.get(5)?,
            bytes: hex(&bytes),
            deck: row.get(7)?,
            hash: row.get(8)?,
            judgements: Vec::new(),
        };
        Ok((row.get(0)?, entry))
    })?;
    let mut versions = Vec::new();
    for row in rows {
        let (id, mut entry): (i64, VersionEntry) = row?;
        let judgements = judged.query_map([id], |row| {
            Ok(JudgementEntry {
                at: row.get(0)?,
                verdict: row.get(1)?,
                report: row.get(2)?,
                rules: row.get(3)?,
            })
        })?;
        entry.judgements = judgements.collect::<Result<_, _>>()?;
        versions.push(entry);
    }
    Ok(versions)
}

/// Takes an event out of the data of a folder, as files by name: `event.json` is complete,
/// `submissions.csv` is what a form would have given, and `verdicts.ndjson` what
/// `decklaw check --submissions submissions.csv -o ndjson` says of it. `judges` makes the
/// event's judge. A server may go on meanwhile.
///
/// # Errors
/// Data that cannot be read, no such event, or terms that no judge can be made by.
pub fn export(
    data: &Path,
    id: &str,
    judges: &super::super::MakeJudge,
) -> Result<Vec<(String, Vec<u8>)>, ArchiveError> {
    let place = data.join(store::FILE);
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(&place, flags)
        .map_err(|error| ArchiveError(format!("{}: {error}", place.display())))?;
    let whole = connection.unchecked_transaction()?;
    let archive = Archive::of(&whole, id)?;
    let judge = judges(&archive.terms).map_err(ArchiveError)?;
    Ok(vec![
        ("event.json".to_owned(), archive.json()?),
        (TABLE.to_owned(), archive.submissions()?),
        ("verdicts.ndjson".to_owned(), archive.verdicts(&judge)?),
        (
            "decks.csv".to_owned(),
            archive.table(&judge, Flavour::Excel)?,
        ),
    ])
}

/// Puts an event that was taken out into the data of a folder; its id. What was changed since
/// it was taken out is refused. No server may use the folder meanwhile.
///
/// # Errors
/// An event that is damaged or there already, or data that cannot be written.
pub fn import(data: &Path, event: &[u8]) -> Result<String, ArchiveError> {
    let archive: Archive = serde_json::from_slice(event)
        .map_err(|error| ArchiveError(format!("this is no event that was exported: {error}")))?;
    archive.checked()?;
    // Opening makes the data where there is none.
    let opened = store::Store::open(data, 4 << 30).map_err(ArchiveError)?;
    opened.close();
    let mut connection = Connection::open(data.join(store::FILE))?;
    let whole = connection.transaction()?;
    if Event::find(&whole, &archive.id)?.is_some() {
        return Err(ArchiveError(format!(
            "the event {} is there already",
            archive.id
        )));
    }
    archive.put(&whole)?;
    whole.commit()?;
    Ok(archive.id)
}
