//! The rows of an event in one SQLite file. What is acknowledged is on the disk.

use crate::decision::{Author, Decision, DecisionRow};
use crate::error::EventError;
use crate::id::{EntryId, PlayerId};
use crate::roster::{AmbiguityReason, Entry, Person, Player, Rows};
use jiff::Timestamp;
use rusqlite::{Connection, ErrorCode, OpenFlags, Row, Transaction, TransactionBehavior, params};
use std::path::Path;
use std::time::Duration;

/// The version of the schema.
const VERSION: i64 = 5;
/// The oldest version that is read; its tables are the same.
const OLDEST: i64 = 4;

/// A row to be added.
#[derive(Debug, Clone)]
pub enum NewRow {
    /// A player.
    Player(Player),
    /// A deck that came.
    Entry(Box<Entry>),
    /// A decision, and why.
    Decision(Decision, Option<String>),
}

/// The file.
#[derive(Debug)]
pub(crate) struct Store {
    data: Connection,
}

impl Store {
    pub(crate) fn create(path: &Path) -> Result<Store, EventError> {
        let data = Connection::open(path)?;
        make_private(path);
        Store::prepare(data, false)
    }

    pub(crate) fn open(path: &Path) -> Result<Store, EventError> {
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let opened = Connection::open_with_flags(path, flags).map_err(EventError::from);
        let opened = opened.and_then(|data| Store::prepare(data, false));
        let is_closed = |error: &rusqlite::Error| {
            matches!(error.sqlite_error_code(), Some(ErrorCode::CannotOpen | ErrorCode::ReadOnly))
        };
        if !matches!(&opened, Err(EventError::Rows(error)) if is_closed(error)) {
            return opened;
        }
        if let Err(error) = std::fs::File::open(path) {
            return Err(EventError::Io(path.display().to_string(), error));
        }
        // A copy that nobody can write to needs no lock, and no files next to it.
        let text = path.to_string_lossy();
        if std::fs::metadata(format!("{text}-wal")).is_ok_and(|log| log.len() > 0) {
            return Err(EventError::of_rows(
                "it is read-only, and its log is not in it yet; copy the folder to where it can be \
                 written",
            ));
        }
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_URI;
        let uri = text.replace('%', "%25").replace('?', "%3f").replace('#', "%23");
        let uri = format!("file:{uri}?immutable=1");
        Store::prepare(Connection::open_with_flags(uri, flags)?, true)
    }

    fn prepare(data: Connection, is_read_only: bool) -> Result<Store, EventError> {
        data.busy_timeout(Duration::from_secs(10))?;
        if !is_read_only {
            data.pragma_update(None, "journal_mode", "wal")?;
            data.pragma_update(None, "synchronous", "full")?;
        }
        data.pragma_update(None, "trusted_schema", "off")?;
        // What is removed is overwritten.
        data.pragma_update(None, "secure_delete", true)?;
        let version: i64 = data.query_row("pragma user_version", [], |row| row.get(0))?;
        match version {
            0 => data.execute_batch(include_str!("schema.sql"))?,
            OLDEST..VERSION if !is_read_only => {
                data.pragma_update(None, "user_version", VERSION)?
            }
            OLDEST..=VERSION => {}
            other => {
                return Err(EventError::of_rows(format!(
                    "it is from another decklaw (version {other}, this one reads {VERSION}); use that one"
                )));
            }
        }
        Ok(Store { data })
    }

    /// A number that changes when another connection has written.
    pub(crate) fn version(&self) -> rusqlite::Result<i64> {
        self.data.query_row("pragma data_version", [], |row| row.get(0))
    }

    pub(crate) fn rows(&self) -> rusqlite::Result<Rows> {
        rows(&self.data)
    }

    /// Adds the rows that `make` answers: all of them or none. `make` gets every row.
    pub(crate) fn write(
        &mut self,
        author: &Author,
        make: impl FnOnce(Rows) -> Result<Vec<NewRow>, EventError>,
    ) -> Result<(), EventError> {
        let behaviour = TransactionBehavior::Immediate;
        let write = Transaction::new_unchecked(&self.data, behaviour)?;
        let new = make(rows(&write)?)?;
        let at = written(Timestamp::now());
        // One row of what a form does has its key.
        let mut form = author.form.clone();
        for row in new {
            match row {
                NewRow::Player(player) => insert_player(&write, &player)?,
                NewRow::Entry(entry) => {
                    let own = entry.form.clone().or_else(|| form.take());
                    insert_entry(&write, &entry, &at, &author.name, own)?;
                }
                NewRow::Decision(decision, why) => {
                    let (target, kind, value) = decision.columns();
                    let form = form.take();
                    let row = params![at, author.name, target, kind, value, why, form];
                    write.execute(INSERT_DECISION, row)?;
                }
            }
        }
        Ok(write.commit()?)
    }

    /// Records that a player's personal data are removed, and removes them: all of it or nothing.
    pub(crate) fn forget(
        &mut self,
        author: &Author,
        player: PlayerId,
        also: &[PlayerId],
        entries: &[EntryId],
    ) -> rusqlite::Result<()> {
        let behaviour = TransactionBehavior::Immediate;
        let write = Transaction::new_unchecked(&self.data, behaviour)?;
        for player in also {
            write.execute(
                "update player set name = '', email = null, table_no = null where id = ?1",
                [player.0],
            )?;
        }
        for entry in entries {
            write.execute(
                "update entry set name = null, email = null, format = null, time = null,
                 file = null, unreadable = null, extra = null, deck = x'' where id = ?1",
                [entry.0],
            )?;
        }
        let players = also.iter().map(PlayerId::to_string);
        for target in players.chain(entries.iter().map(EntryId::to_string)) {
            write.execute("update decision set why = null where target = ?1", [&target])?;
            write.execute(
                "update decision set value = '' where target = ?1
                 and kind in ('name', 'read-as', 'table', 'key')",
                [&target],
            )?;
        }
        let (target, kind, value) = Decision::Forget(player).columns();
        let at = written(Timestamp::now());
        let row = params![at, author.name, target, kind, value, None::<String>, author.form];
        write.execute(INSERT_DECISION, row)?;
        write.commit()?;
        // No former page of the file stays on the disk.
        self.data.execute_batch("vacuum; pragma wal_checkpoint(truncate);")
    }
}

const INSERT_DECISION: &str = "insert into decision (at, author, target, kind, value, why, form)
    values (?1, ?2, ?3, ?4, ?5, ?6, ?7)";

fn insert_player(data: &Connection, player: &Player) -> rusqlite::Result<()> {
    let sql = "insert into player (id, name, email, listed, table_no) values (?1, ?2, ?3, ?4, ?5)";
    let row = params![player.id.0, player.name, player.email, player.listed, player.table];
    data.execute(sql, row).map(|_| ())
}

fn insert_entry(
    data: &Connection,
    entry: &Entry,
    stored: &str,
    author: &str,
    form: Option<String>,
) -> rusqlite::Result<()> {
    let mut insert = data.prepare(
        "insert into entry (id, player, question, source, row, at, stored, author, name, email,
         format, time, file, unreadable, extra, deck, form)
         values (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17)",
    )?;
    let json = |value: serde_json::Value| value.to_string();
    let question = entry.question.map(|question| json(serde_json::json!(question)));
    let extra = (!entry.extra.is_empty()).then(|| json(serde_json::json!(entry.extra)));
    insert.execute(params![
        entry.id.0,
        entry.player.map(|player| player.0),
        question,
        entry.source,
        entry.row.and_then(|row| i64::try_from(row).ok()),
        entry.at.map(written),
        stored,
        author,
        entry.name,
        entry.email,
        entry.format,
        entry.time,
        entry.file,
        entry.unreadable,
        extra,
        entry.deck,
        form,
    ])?;
    Ok(())
}

fn rows(data: &Connection) -> rusqlite::Result<Rows> {
    let mut players = data.prepare("select id, name, email, listed, table_no from player")?;
    let players = players.query_map([], |row| {
        let person = Person { name: row.get(1)?, email: row.get(2)?, table: row.get(4)? };
        Ok(Player::new(PlayerId(row.get(0)?), person, row.get(3)?))
    })?;
    let mut entries = data.prepare("select * from entry order by id")?;
    let entries = entries.query_map([], read_entry)?;
    let mut decisions = data.prepare("select * from decision order by id")?;
    let decisions = decisions.query_map([], |row| {
        let [target, kind, value]: [String; 3] =
            [row.get("target")?, row.get("kind")?, row.get("value")?];
        let decision = Decision::of_columns(&target, &kind, &value);
        Ok(decision.map(|decision| {
            Ok(DecisionRow {
                id: row.get("id")?,
                at: row.get("at")?,
                author: row.get("author")?,
                decision,
                why: row.get("why")?,
                form: row.get("form")?,
                undone: false,
            })
        }))
    })?;
    let decisions = decisions.filter_map(Result::transpose).map(Result::flatten);
    Ok(Rows {
        players: players.collect::<Result<_, _>>()?,
        entries: entries.collect::<Result<_, _>>()?,
        decisions: decisions.collect::<Result<_, _>>()?,
    })
}

fn read_entry(row: &Row<'_>) -> rusqlite::Result<Entry> {
    let json = |column: &str| -> rusqlite::Result<serde_json::Value> {
        let text: Option<String> = row.get(column)?;
        let value = text.and_then(|text| serde_json::from_str(&text).ok());
        Ok(value.unwrap_or_default())
    };
    let question: Option<AmbiguityReason> = serde_json::from_value(json("question")?).ok();
    let at: Option<String> = row.get("at")?;
    let number: Option<i64> = row.get("row")?;
    Ok(Entry {
        id: EntryId(row.get("id")?),
        player: row.get::<_, Option<u32>>("player")?.map(PlayerId),
        question,
        source: row.get("source")?,
        row: number.and_then(|number| u64::try_from(number).ok()),
        at: at.and_then(|at| at.parse().ok()),
        stored: row.get("stored")?,
        author: row.get("author")?,
        name: row.get("name")?,
        email: row.get("email")?,
        format: row.get("format")?,
        time: row.get("time")?,
        file: row.get("file")?,
        unreadable: row.get("unreadable")?,
        extra: serde_json::from_value(json("extra")?).unwrap_or_default(),
        deck: row.get("deck")?,
        form: row.get("form")?,
        read_as: None,
        in_time: None,
        counts: None,
        passed_over: false,
    })
}

/// A number below another, each equally likely.
pub(crate) fn random_below(end: usize) -> Result<usize, EventError> {
    let end = u64::try_from(end).unwrap_or(u64::MAX).max(1);
    // Numbers that would make the first ones likelier are drawn again.
    let whole = u64::MAX - u64::MAX % end;
    loop {
        let drawn = getrandom::u64().map_err(|error| {
            EventError::of_rows(format!("the system gives no random numbers: {error}"))
        })?;
        if drawn < whole {
            return Ok(usize::try_from(drawn % end).unwrap_or_default());
        }
    }
}

/// A time as rows have it: RFC 3339 in UTC with milliseconds.
pub(crate) fn written(at: Timestamp) -> String {
    let round = jiff::TimestampRound::new().smallest(jiff::Unit::Millisecond);
    let at = at.round(round).unwrap_or(at);
    format!("{at:.3}")
}

/// Lets only its owner read a file.
#[allow(unused_variables)]
pub fn make_private(path: &Path) {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        // A file of another owner stays as it is; a file system without owners needs no protection.
        let _ = std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o600));
    }
}
