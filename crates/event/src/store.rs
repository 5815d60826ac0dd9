//! The records of an event in one SQLite file. What is acknowledged is on the disk.

use crate::record::{By, Fact, Happening, Personal, Record, link, seal};
use rusqlite::{
    Connection, OpenFlags, OptionalExtension, Transaction, TransactionBehavior, params,
};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::path::Path;
use std::time::Duration;

/// The version of the schema.
const VERSION: i64 = 2;

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
    /// A record is not the one that was written.
    #[error("record {0} was changed after it was written: its {1} is another")]
    Changed(i64, &'static str),
    /// What a record says of a person is not there, and nobody wished it removed.
    #[error(
        "record {0} was changed after it was written: its name, address or deck was removed, which nobody had wished"
    )]
    Removed(i64),
    /// There is no record.
    #[error(
        "it has no record, not even that the event was opened: they were removed, or the event was never made to its end"
    )]
    Empty,
    /// The system gives no chance.
    #[error("the system gives no random numbers: {0}")]
    Chance(#[from] getrandom::Error),
}

/// The file.
#[derive(Debug)]
pub(crate) struct Store {
    data: Connection,
    /// A secret of the event, for digests of what must not be guessed.
    pub(crate) secret: Vec<u8>,
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
            0 => {
                data.execute_batch(include_str!("schema.sql"))?;
                let mut secret = [0; 32];
                getrandom::fill(&mut secret)?;
                data.execute(
                    "insert into setting (name, value) values ('secret', ?1)",
                    params![&secret[..]],
                )?;
            }
            VERSION => {}
            other => return Err(StoreError::Version(other)),
        }
        let sql = "select value from setting where name = 'secret'";
        let secret = data.query_row(sql, [], |row| row.get(0))?;
        Ok(Store { data, secret })
    }

    /// The records after a number, each held against the one before it.
    pub(crate) fn since(&self, number: i64, head: &str) -> Result<Vec<Record>, StoreError> {
        records(&self.data, number, head)
    }

    /// Writes what `happens` after all that is there: all of it or nothing. `happens` is told the
    /// records that others have written since `number`.
    pub(crate) fn append<E: From<StoreError>>(
        &mut self,
        (number, head): (i64, &str),
        by: &By,
        happens: impl FnOnce(Vec<Record>) -> Result<Vec<Happening>, E>,
    ) -> Result<Vec<Record>, E> {
        self.append_and_remove((number, head), by, |missed| {
            Ok((happens(missed)?, Vec::new()))
        })
    }

    /// The same, and removes from records of these numbers what they say of a person. The records
    /// stay, and so does the chain.
    pub(crate) fn append_and_remove<E: From<StoreError>>(
        &mut self,
        (number, head): (i64, &str),
        by: &By,
        happens: impl FnOnce(Vec<Record>) -> Result<(Vec<Happening>, Vec<i64>), E>,
    ) -> Result<Vec<Record>, E> {
        let behaviour = TransactionBehavior::Immediate;
        let sql = |error: rusqlite::Error| E::from(StoreError::from(error));
        let write = Transaction::new_unchecked(&self.data, behaviour).map_err(sql)?;
        let missed = records(&write, number, head)?;
        let last = missed.last();
        let mut number = last.map_or(number, |last| last.number);
        let mut previous = last.map_or_else(|| head.to_owned(), |last| last.digest.clone());
        let before = last.map_or_else(String::new, |last| last.at.clone());
        // A clock that was set back does not turn the order of what happened.
        let at = now().max(before);
        let mut written = Vec::new();
        // The first record of what one form does has its key.
        let mut by = by.clone();
        let (happenings, removed) = happens(missed)?;
        for removed in removed {
            let forget =
                "update record set personal = null, deck = null, salt = null where number = ?1";
            write.execute(forget, [removed]).map_err(sql)?;
        }
        for Happening {
            fact,
            personal,
            deck,
        } in happenings
        {
            number += 1;
            let mut salt = [0; 16];
            getrandom::fill(&mut salt).map_err(StoreError::from)?;
            let sealed = seal(&salt, &personal, deck.as_deref());
            let digest = link(number, &at, &by, &fact, &sealed, &previous);
            insert(
                &write,
                (number, &at, &by),
                &fact,
                (&personal, deck.as_deref(), &salt),
                (&sealed, &previous, &digest),
            )
            .map_err(sql)?;
            written.push(Record {
                number,
                at: at.clone(),
                who: by.who.clone(),
                form: by.form.take(),
                fact,
                personal: Some(personal),
                deck,
                sealed,
                previous: std::mem::replace(&mut previous, digest.clone()),
                digest,
            });
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

type Sealed<'s> = (&'s Personal, Option<&'s [u8]>, &'s [u8]);

fn insert(
    data: &Connection,
    (number, at, by): (i64, &str, &By),
    fact: &Fact,
    (personal, deck, salt): Sealed<'_>,
    (sealed, previous, digest): (&str, &str, &str),
) -> rusqlite::Result<()> {
    let json = |value: serde_json::Result<String>| decklaw_core::digest::whole(value);
    let mut write = data.prepare(
        "insert into record (number, at, who, form, fact, personal, deck, salt, sealed, previous, digest)
         values (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)",
    )?;
    write.execute(params![
        number,
        at,
        by.who,
        by.form,
        json(serde_json::to_string(fact)),
        json(serde_json::to_string(personal)),
        deck,
        salt,
        sealed,
        previous,
        digest
    ])?;
    Ok(())
}

/// What a field of a record says; other programs read it to the letter, so that it is held to it.
fn as_written<T: Serialize + DeserializeOwned>(
    number: i64,
    text: &str,
    field: &'static str,
) -> Result<T, StoreError> {
    let wrong = |error: serde_json::Error| StoreError::Record(number, error.to_string());
    let read: T = serde_json::from_str(text).map_err(wrong)?;
    match serde_json::to_string(&read).map_err(wrong)? == text {
        true => Ok(read),
        false => Err(StoreError::Changed(number, field)),
    }
}

/// The records after one, which has this digest; each is held against the one before it.
fn records(data: &Connection, after: i64, head: &str) -> Result<Vec<Record>, StoreError> {
    if after > 0 {
        let sql = "select digest from record where number = ?1";
        let own: Option<String> = data.query_row(sql, [after], |row| row.get(0)).optional()?;
        if own.as_deref() != Some(head) {
            return Err(StoreError::Changed(after, "digest"));
        }
    }
    let mut found = data.prepare(
        "select number, at, who, fact, personal, deck, salt, sealed, previous, digest, form from record
         where number > ?1 order by number",
    )?;
    let rows = found.query_map([after], |row| {
        let fact: String = row.get(3)?;
        let personal: Option<String> = row.get(4)?;
        let salt: Option<Vec<u8>> = row.get(6)?;
        let deck: Option<Vec<u8>> = row.get(5)?;
        let record = (
            row.get::<_, i64>(0)?,
            row.get::<_, String>(1)?,
            row.get::<_, String>(2)?,
            row.get::<_, String>(7)?,
            row.get::<_, String>(8)?,
            row.get::<_, String>(9)?,
            row.get::<_, Option<String>>(10)?,
        );
        Ok((record, fact, personal, deck, salt))
    })?;
    let (mut read, mut last, mut previous) = (Vec::new(), after, head.to_owned());
    for row in rows {
        let ((number, at, who, sealed, before, digest, form), fact, personal, deck, salt) = row?;
        let fact: Fact = as_written(number, &fact, "content")?;
        let personal = personal.map(|text| as_written(number, &text, "name, address or deck"));
        let personal: Option<Personal> = personal.transpose()?;
        if number != last + 1 {
            return Err(StoreError::Changed(number, "number"));
        }
        if before != previous {
            return Err(StoreError::Changed(number, "record before it"));
        }
        if let Some(personal) = &personal {
            let salt = salt.unwrap_or_default();
            if seal(&salt, personal, deck.as_deref()) != sealed {
                return Err(StoreError::Changed(number, "name, address or deck"));
            }
        } else if deck.is_some() {
            return Err(StoreError::Changed(number, "deck"));
        }
        let by = By { who, form };
        if link(number, &at, &by, &fact, &sealed, &before) != digest {
            return Err(StoreError::Changed(number, "content"));
        }
        previous.clone_from(&digest);
        last = number;
        read.push(Record {
            number,
            at,
            who: by.who,
            form: by.form,
            fact,
            personal,
            deck,
            sealed,
            previous: before,
            digest,
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
