//! The records of an event in one SQLite file. What is acknowledged is on the disk.

use crate::record::{By, Happening, Record};
use rusqlite::{Connection, OpenFlags, Transaction, TransactionBehavior, params};
use std::path::Path;
use std::time::Duration;

/// The version of the schema.
const VERSION: i64 = 3;

/// Why records cannot be read or written.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// What SQLite says.
    #[error(transparent)]
    Sql(#[from] rusqlite::Error),
    /// The file is not one of this program's.
    #[error("it is of another decklaw (version {0}, this one knows {VERSION}); use that one")]
    Version(i64),
    /// A record cannot be read.
    #[error("record {0} cannot be read: {1}")]
    Record(i64, String),
    /// The system gives no chance.
    #[error("the system gives no random numbers: {0}")]
    Chance(#[from] getrandom::Error),
}

/// The file.
#[derive(Debug)]
pub(crate) struct Store {
    data: Connection,
}

impl Store {
    /// Makes the file.
    pub(crate) fn create(path: &Path) -> Result<Store, StoreError> {
        let data = Connection::open(path)?;
        private(path);
        Store::prepare(data)
    }

    /// Opens the file that is there.
    pub(crate) fn open(path: &Path) -> Result<Store, StoreError> {
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        Store::prepare(Connection::open_with_flags(path, flags)?)
    }

    fn prepare(data: Connection) -> Result<Store, StoreError> {
        data.busy_timeout(Duration::from_secs(10))?;
        data.pragma_update(None, "journal_mode", "wal")?;
        data.pragma_update(None, "synchronous", "full")?;
        data.pragma_update(None, "trusted_schema", "off")?;
        // What is removed is written over.
        data.pragma_update(None, "secure_delete", true)?;
        let version: i64 = data.query_row("pragma user_version", [], |row| row.get(0))?;
        match version {
            0 => data.execute_batch(include_str!("schema.sql"))?,
            VERSION => {}
            other => return Err(StoreError::Version(other)),
        }
        Ok(Store { data })
    }

    /// The records after a number.
    pub(crate) fn since(&self, number: i64) -> Result<Vec<Record>, StoreError> {
        records(&self.data, number)
    }

    /// Writes what `happens` after all that is there: all of it or nothing. `happens` is told the
    /// records that others have written since `number`.
    pub(crate) fn append<E: From<StoreError>>(
        &mut self,
        number: i64,
        by: &By,
        happens: impl FnOnce(Vec<Record>) -> Result<Vec<Happening>, E>,
    ) -> Result<Vec<Record>, E> {
        self.append_and_remove(number, by, |missed| Ok((happens(missed)?, Vec::new())))
    }

    /// The same, and removes from records of these numbers what they say of a person.
    pub(crate) fn append_and_remove<E: From<StoreError>>(
        &mut self,
        number: i64,
        by: &By,
        happens: impl FnOnce(Vec<Record>) -> Result<(Vec<Happening>, Vec<i64>), E>,
    ) -> Result<Vec<Record>, E> {
        let behaviour = TransactionBehavior::Immediate;
        let sql = |error: rusqlite::Error| E::from(StoreError::from(error));
        let write = Transaction::new_unchecked(&self.data, behaviour).map_err(sql)?;
        let missed = records(&write, number)?;
        let last = missed.last();
        let mut number = last.map_or(number, |last| last.number);
        let before = last.map_or_else(String::new, |last| last.at.clone());
        // A clock that was set back does not turn the order of what happened.
        let at = now().max(before);
        let mut written = Vec::new();
        // The first record of what one form does has its key.
        let mut form = by.form.clone();
        let (happenings, removed) = happens(missed)?;
        for removed in removed {
            let forget = "update record set personal = null, deck = null where number = ?1";
            write.execute(forget, [removed]).map_err(sql)?;
        }
        for Happening {
            fact,
            personal,
            deck,
        } in happenings
        {
            number += 1;
            let record = Record {
                number,
                at: at.clone(),
                who: by.who.clone(),
                form: form.take(),
                fact,
                personal: Some(personal),
                deck,
            };
            insert(&write, &record).map_err(sql)?;
            written.push(record);
        }
        write.commit().map_err(sql)?;
        Ok(written)
    }

    /// Leaves no former state of the file on the disk.
    pub(crate) fn clean(&self) -> Result<(), StoreError> {
        Ok(self
            .data
            .execute_batch("vacuum; pragma wal_checkpoint(truncate);")?)
    }

    /// Copies the whole file to another that is not there yet, while others may write.
    pub(crate) fn back_up(&self, to: &Path) -> Result<(), StoreError> {
        self.data
            .execute("vacuum into ?1", [to.to_string_lossy()])?;
        private(to);
        Ok(())
    }
}

fn insert(data: &Connection, record: &Record) -> rusqlite::Result<()> {
    let json = |value: serde_json::Result<String>| decklaw_core::digest::whole(value);
    let personal = record.personal.as_ref();
    let mut write = data.prepare(
        "insert into record (number, at, who, form, fact, personal, deck)
         values (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
    )?;
    write.execute(params![
        record.number,
        record.at,
        record.who,
        record.form,
        json(serde_json::to_string(&record.fact)),
        personal.map(|personal| json(serde_json::to_string(personal))),
        record.deck,
    ])?;
    Ok(())
}

/// The records after one.
fn records(data: &Connection, after: i64) -> Result<Vec<Record>, StoreError> {
    let mut found = data.prepare(
        "select number, at, who, form, fact, personal, deck from record
         where number > ?1 order by number",
    )?;
    let mut rows = found.query([after])?;
    let mut read = Vec::new();
    while let Some(row) = rows.next()? {
        let number = row.get(0)?;
        let wrong = |error: serde_json::Error| StoreError::Record(number, error.to_string());
        let fact: String = row.get(4)?;
        let personal: Option<String> = row.get(5)?;
        let personal = personal.map(|text| serde_json::from_str(&text).map_err(wrong));
        read.push(Record {
            number,
            at: row.get(1)?,
            who: row.get(2)?,
            form: row.get(3)?,
            fact: serde_json::from_str(&fact).map_err(wrong)?,
            personal: personal.transpose()?,
            deck: row.get(6)?,
        });
    }
    Ok(read)
}

/// A number below another one, each as likely.
pub(crate) fn below(most: usize) -> Result<usize, getrandom::Error> {
    let most = u64::try_from(most).unwrap_or(u64::MAX).max(1);
    // What would make the first numbers likelier is drawn again.
    let whole = u64::MAX - u64::MAX % most;
    loop {
        let drawn = getrandom::u64()?;
        if drawn < whole {
            return Ok(usize::try_from(drawn % most).unwrap_or_default());
        }
    }
}

/// The moment, RFC 3339 in UTC with milliseconds.
pub(crate) fn now() -> String {
    written(jiff::Timestamp::now())
}

/// A moment as records have it.
pub(crate) fn written(at: jiff::Timestamp) -> String {
    let round = jiff::TimestampRound::new().smallest(jiff::Unit::Millisecond);
    let at = at.round(round).unwrap_or(at);
    format!("{at:.3}")
}

/// Lets nobody but its owner read a file.
#[allow(unused_variables)]
fn private(path: &Path) {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        // On a disk without owners there is nobody to keep out.
        let _ = std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o600));
    }
}
