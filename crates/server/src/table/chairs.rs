//! Who sits where: the browsers that a seat's key was brought to. A browser finds its tables again
//! by this.

use crate::Shared;
use crate::guard::Who;
use crate::keys::Kept;
use crate::store::Fault;
use crate::trouble::Trouble;
use decklaw_play::matches::SeatId;
use rusqlite::{Connection, params};

/// The most seats that a browser is remembered to sit at; the ones that it took first go first.
const SEATS: i64 = 500;

/// Whether a browser sits at a place.
///
/// # Errors
/// Data that cannot be reached.
pub(super) async fn sits(app: &Shared, who: &Who, id: &str, seat: &str) -> Result<bool, Trouble> {
    let (browser, id, seat) = (who.browser, id.to_owned(), seat.to_owned());
    app.store
        .read(move |data| {
            let sql = "select exists (select 1 from chair where browser = ?1 and sitting = ?2 and seat = ?3)";
            Ok(data.query_row(sql, params![&browser[..], id, seat], |row| row.get(0))?)
        })
        .await
}

/// Lets a browser sit at a place.
///
/// # Errors
/// That it was not kept.
pub(super) async fn sit(app: &Shared, who: &Who, id: &str, seat: &str) -> Result<(), Trouble> {
    let (browser, id, seat) = (who.browser, id.to_owned(), seat.to_owned());
    let write = move |data: &Connection| Ok::<_, Fault>(take(data, &browser, &id, &seat)?);
    app.store.write(write).await
}

/// Writes that a browser sits at a place.
pub(super) fn take(
    data: &Connection,
    browser: &Kept,
    id: &str,
    seat: &str,
) -> rusqlite::Result<()> {
    data.execute(
        "insert into chair (browser, sitting, seat) values (?1, ?2, ?3) on conflict do nothing",
        params![&browser[..], id, seat],
    )?;
    data.execute(
        "delete from chair where browser = ?1 and rowid not in
         (select rowid from chair where browser = ?1 order by rowid desc limit ?2)",
        params![&browser[..], SEATS],
    )?;
    Ok(())
}

/// The seats at a table that somebody sits at.
///
/// # Errors
/// Data that cannot be reached.
pub(super) async fn taken(app: &Shared, id: &str) -> Result<Vec<SeatId>, Trouble> {
    let id = id.to_owned();
    app.store
        .read(move |data| {
            let mut found = data.prepare("select distinct seat from chair where sitting = ?1")?;
            let seats = found.query_map([id], |row| row.get::<_, String>(0))?;
            let seats = seats.collect::<Result<Vec<_>, _>>()?;
            Ok(seats
                .iter()
                .filter_map(|seat| SeatId::parse(seat))
                .collect())
        })
        .await
}

/// Lets whoever sits at one table sit at the same seats of another.
pub(super) fn go_on(data: &Connection, from: &str, to: &str) -> rusqlite::Result<()> {
    data.execute(
        "insert into chair (browser, sitting, seat)
         select browser, ?2, seat from chair where sitting = ?1 on conflict do nothing",
        [from, to],
    )?;
    Ok(())
}
