//! The records of an event in one SQLite file. What is acknowledged is on the disk.

use crate::record::{Fact, Happening, Personal, Record, link, seal};
use rusqlite::{
    Connection, OpenFlags, OptionalExtension, Transaction, TransactionBehavior, params,
};
use std::path::Path;
use std::time::Duration;

/// The version of the schema.
const VERSION: i64 = 1;

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
        who: &str,
        happens: impl FnOnce(Vec<Record>) -> Result<Vec<Happening>, E>,
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
        for Happening {
            fact,
            personal,
            deck,
        } in happens(missed)?
        {
            number += 1;
            let mut salt = [0; 16];
            getrandom::fill(&mut salt).map_err(StoreError::from)?;
            let sealed = seal(&salt, &personal, deck.as_deref());
            let digest = link(number, &at, who, &fact, &sealed, &previous);
            insert(
                &write,
                (number, &at, who),
                &fact,
                (&personal, deck.as_deref(), &salt),
                (&sealed, &previous, &digest),
            )
            .map_err(sql)?;
            written.push(Record {
                number,
                at: at.clone(),
                who: who.to_owned(),
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

    /// Lets the file grow to so many bytes, and no more.
    pub(crate) fn limit(&self, most: u64) -> Result<(), StoreError> {
        let page: i64 = self
            .data
            .query_row("pragma page_size", [], |row| row.get(0))?;
        let pages = most / u64::try_from(page).unwrap_or(4096).max(1);
        let pages = i64::try_from(pages)
            .unwrap_or(i64::MAX)
            .min(i64::from(u32::MAX - 1));
        self.data.pragma_update(None, "max_page_count", pages)?;
        Ok(())
    }

    /// How many bytes it takes.
    pub(crate) fn size(&self) -> Result<u64, StoreError> {
        let number = |what: &str| -> rusqlite::Result<i64> {
            self.data
                .query_row(&format!("pragma {what}"), [], |row| row.get(0))
        };
        let size = number("page_count")?.saturating_mul(number("page_size")?);
        Ok(u64::try_from(size).unwrap_or_default())
    }

    /// Removes what some records say of a person. The records stay, and so does the chain.
    pub(crate) fn remove(&mut self, numbers: &[i64]) -> Result<(), StoreError> {
        let write = self.data.unchecked_transaction()?;
        for number in numbers {
            write.execute(
                "update record set personal = null, deck = null, salt = null where number = ?1",
                [number],
            )?;
        }
        write.commit()?;
        // The pages that held it are written over, and the file holds no former state.
        self.data
            .execute_batch("pragma secure_delete = on; vacuum;")?;
        self.data
            .execute_batch("pragma wal_checkpoint(truncate);")?;
        Ok(())
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
    (number, at, who): (i64, &str, &str),
    fact: &Fact,
    (personal, deck, salt): Sealed<'_>,
    (sealed, previous, digest): (&str, &str, &str),
) -> rusqlite::Result<()> {
    let json = |value: serde_json::Result<String>| decklaw_core::digest::whole(value);
    let mut write = data.prepare(
        "insert into record (number, at, who, fact, personal, deck, salt, sealed, previous, digest)
         values (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)",
    )?;
    write.execute(params![
        number,
        at,
        who,
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
        "select number, at, who, fact, personal, deck, salt, sealed, previous, digest from record
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
        );
        Ok((record, fact, personal, deck, salt))
    })?;
    let (mut read, mut last, mut previous) = (Vec::new(), after, head.to_owned());
    for row in rows {
        let ((number, at, who, sealed, before, digest), fact, personal, deck, salt) = row?;
        let wrong = |error: serde_json::Error| StoreError::Record(number, error.to_string());
        let fact: Fact = serde_json::from_str(&fact).map_err(wrong)?;
        let personal: Option<Personal> = match personal {
            Some(text) => Some(serde_json::from_str(&text).map_err(wrong)?),
            None => None,
        };
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
        if link(number, &at, &who, &fact, &sealed, &before) != digest {
            return Err(StoreError::Changed(number, "content"));
        }
        previous.clone_from(&digest);
        last = number;
        read.push(Record {
            number,
            at,
            who,
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
