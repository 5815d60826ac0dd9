//! What is written down of an event: players, versions, verdicts, and who did what.

use super::super::answers::Handed;
use super::super::keys::{self, Kept};
use super::super::store::Fault;
use super::super::trouble::Trouble;
use super::{Event, now};
use decklaw_core::digest::{hex, sha256};
use rusqlite::{Connection, OptionalExtension, Row, params};
use serde_json::{Value, json};

/// A player of an event, with what is known of the deck that counts.
#[derive(Debug, Clone)]
pub(super) struct Player {
    pub(super) id: i64,
    pub(super) name: String,
    pub(super) locked: bool,
    pub(super) expected: bool,
    /// The last version, if anything was handed in.
    pub(super) last: Option<Version>,
}

/// A deck as it was handed in, and the last verdict on it.
#[derive(Debug, Clone)]
pub(super) struct Version {
    pub(super) id: i64,
    pub(super) number: i64,
    pub(super) at: String,
    pub(super) late: bool,
    pub(super) who: String,
    pub(super) deck: String,
    pub(super) hash: Option<String>,
    pub(super) verdict: String,
    /// The verdict as a line of `ndjson`.
    pub(super) report: String,
}

const VERSION: &str =
    "select v.id, v.number, v.at, v.late, v.who, v.deck, v.hash, j.verdict, j.report
    from version v join judgement j on j.id = (select max(id) from judgement where version = v.id)";

impl Version {
    fn of(row: &Row<'_>) -> rusqlite::Result<Version> {
        Ok(Version {
            id: row.get(0)?,
            number: row.get(1)?,
            at: row.get(2)?,
            late: row.get(3)?,
            who: row.get(4)?,
            deck: row.get(5)?,
            hash: row.get(6)?,
            verdict: row.get(7)?,
            report: row.get(8)?,
        })
    }
}

/// Every version of a player, the newest first.
pub(super) fn versions(data: &Connection, player: i64) -> Result<Vec<Version>, Fault> {
    let sql = format!("{VERSION} where v.player = ?1 order by v.number desc");
    let mut found = data.prepare(&sql)?;
    let rows = found.query_map([player], Version::of)?;
    Ok(rows.collect::<Result<_, _>>()?)
}

/// The last version of a player.
pub(super) fn last(data: &Connection, player: i64) -> Result<Option<Version>, Fault> {
    let sql = format!("{VERSION} where v.player = ?1 order by v.number desc limit 1");
    let mut found = data.prepare(&sql)?;
    Ok(found.query_row([player], Version::of).optional()?)
}

/// What the holder of a key handed in under a name with these bytes: the answer to a form that is
/// sent once more.
pub(super) fn received(
    data: &Connection,
    event: &str,
    folded: &str,
    key: &Kept,
    bytes: &[u8],
) -> Result<Option<Version>, Fault> {
    let sql = format!(
        "{VERSION} join player p on p.id = v.player
         where p.event = ?1 and p.folded = ?2 and p.key = ?3 and v.bytes = ?4 and v.who = 'player'
         order by v.number desc limit 1"
    );
    let mut found = data.prepare(&sql)?;
    Ok(found
        .query_row(params![event, folded, &key[..], bytes], Version::of)
        .optional()?)
}

/// Every player of an event by name, with the version that counts.
pub(super) fn players(data: &Connection, event: &str) -> Result<Vec<Player>, Fault> {
    let mut found = data.prepare(
        "select id, name, locked, expected from player where event = ?1 order by folded",
    )?;
    let rows = found.query_map([event], |row| {
        Ok(Player {
            id: row.get(0)?,
            name: row.get(1)?,
            locked: row.get(2)?,
            expected: row.get(3)?,
            last: None,
        })
    })?;
    let mut players: Vec<Player> = rows.collect::<Result<_, _>>()?;
    for player in &mut players {
        player.last = last(data, player.id)?;
    }
    Ok(players)
}

/// A player of an event.
pub(super) fn player(data: &Connection, event: &str, id: i64) -> Result<Option<Player>, Fault> {
    let sql = "select id, name, locked, expected from player where event = ?1 and id = ?2";
    let found = data
        .query_row(sql, params![event, id], |row| {
            Ok(Player {
                id: row.get(0)?,
                name: row.get(1)?,
                locked: row.get(2)?,
                expected: row.get(3)?,
                last: None,
            })
        })
        .optional()?;
    let Some(mut player) = found else {
        return Ok(None);
    };
    player.last = last(data, id)?;
    Ok(Some(player))
}

/// The player of a name, if there is one, and whether anything of theirs is there.
pub(super) fn named(
    data: &Connection,
    event: &str,
    folded: &str,
) -> Result<Option<(i64, bool)>, Fault> {
    let sql =
        "select id, exists (select 1 from version where player = player.id) or key is not null
        from player where event = ?1 and folded = ?2";
    let row = |row: &Row<'_>| Ok((row.get(0)?, row.get(1)?));
    Ok(data
        .query_row(sql, params![event, folded], row)
        .optional()?)
}

/// Adds a player; the id.
pub(super) fn add_player(
    data: &Connection,
    event: &str,
    name: &str,
    expected: bool,
) -> Result<i64, Fault> {
    let folded = super::super::answers::folded(name);
    data.execute(
        "insert into player (event, name, folded, expected) values (?1, ?2, ?3, ?4)",
        params![event, name, folded, expected],
    )?;
    Ok(data.last_insert_rowid())
}

/// Gives a player of an event a key in place of any other.
pub(super) fn give_key(
    data: &Connection,
    event: &str,
    (player, name): (i64, &str),
    key: &Kept,
    who: &str,
) -> Result<(), Fault> {
    data.execute(
        "update player set key = ?2 where id = ?1",
        params![player, &key[..]],
    )?;
    let detail = json!({"player": name, "kept": {"key": hex(key)}});
    audit(data, event, &now(), who, "new-key", &detail)
}

/// What is handed in.
#[derive(Debug, Clone)]
pub(super) struct HandIn {
    pub(super) bytes: Vec<u8>,
    pub(super) input: String,
    pub(super) handed: Handed,
    /// Who hands it in: `player` or `organiser`.
    pub(super) who: &'static str,
}

/// Adds a version, if the event and the player take one now. The version that is there already
/// stays the last one where it has the same bytes.
pub(super) fn add_version(
    data: &Connection,
    event: &str,
    player: i64,
    hand_in: &HandIn,
) -> Result<Version, Fault> {
    let Some(event) = Event::find(data, event)? else {
        return Err(Trouble::none("such event").into());
    };
    let Some(known) = self::player(data, &event.id, player)? else {
        return Err(Trouble::none("such player").into());
    };
    // Were the clock set back in between, the last version would not be the latest.
    let at = match &known.last {
        Some(last) => now().max(last.at.clone()),
        None => now(),
    };
    let late = event.is_late(&at);
    if hand_in.who == "player" {
        may_hand_in(&event, known.locked, late)?;
    }
    if let Some(last) = &known.last {
        let same: bool = data.query_row(
            "select bytes = ?2 from version where id = ?1",
            params![last.id, hand_in.bytes],
            |row| row.get(0),
        )?;
        if same {
            return Ok(last.clone());
        }
    }
    let number = known.last.as_ref().map_or(0, |last| last.number) + 1;
    let Handed {
        text,
        hash,
        verdict,
        report,
        rules,
    } = &hand_in.handed;
    data.execute(
        "insert into version (event, player, number, at, late, who, input, bytes, deck, hash)
         values (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)",
        params![
            event.id,
            player,
            number,
            at,
            late,
            hand_in.who,
            hand_in.input,
            hand_in.bytes,
            text,
            hash
        ],
    )?;
    let version = data.last_insert_rowid();
    data.execute(
        "insert into judgement (version, at, verdict, report, rules) values (?1, ?2, ?3, ?4, ?5)",
        params![version, at, verdict, report, rules],
    )?;
    audit(
        data,
        &event.id,
        &at,
        hand_in.who,
        "hand-in",
        &json!({
            "player": known.name, "number": number, "late": late, "verdict": verdict,
            "hash": hash, "bytes": sha256(&hand_in.bytes), "rules": rules, "input": hand_in.input,
            "kept": {"deck": sha256(text.as_bytes()), "report": sha256(report.as_bytes())},
        }),
    )?;
    match last(data, player)? {
        Some(version) => Ok(version),
        None => Err(Trouble::defect().into()),
    }
}

/// Whether a player may hand in now; otherwise why not.
pub(super) fn may_hand_in(event: &Event, locked: bool, late: bool) -> Result<(), Trouble> {
    let ask = "Ask the organiser.";
    if event.closed {
        return Err(Trouble::new(409, "This event takes no more decks.", ask));
    }
    if locked {
        return Err(Trouble::new(
            409,
            "Your deck is locked: it cannot be changed any more.",
            ask,
        ));
    }
    if late && !event.marks_late {
        return Err(Trouble::new(
            409,
            "The deadline is over, and this event takes nothing late.",
            ask,
        ));
    }
    Ok(())
}

/// Adds an entry to what was done, chained to the one before. All that is changed of an event is
/// in the detail, what no reader wants to see as digests in its `kept`: the entries alone make the
/// event again.
pub(super) fn audit(
    data: &Connection,
    event: &str,
    at: &str,
    who: &str,
    what: &str,
    detail: &Value,
) -> Result<(), Fault> {
    let sql = "select number, digest from audit where event = ?1 order by number desc limit 1";
    let row = |row: &Row<'_>| Ok((row.get(0)?, row.get(1)?));
    let (number, previous): (i64, String) = data
        .query_row(sql, [event], row)
        .optional()?
        .unwrap_or((0, String::new()));
    let entry = Entry {
        number: number + 1,
        at: at.to_owned(),
        who: who.to_owned(),
        what: what.to_owned(),
        detail: detail.clone(),
        previous,
    };
    let digest = entry.digest(event)?;
    data.execute(
        "insert into audit (event, number, at, who, what, detail, previous, digest) values (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
        params![event, entry.number, entry.at, entry.who, entry.what, entry.detail.to_string(), entry.previous, digest],
    )?;
    Ok(())
}

/// An entry of what was done.
#[derive(Debug, Clone, serde::Serialize, serde::Deserialize)]
pub(super) struct Entry {
    pub(super) number: i64,
    pub(super) at: String,
    pub(super) who: String,
    pub(super) what: String,
    pub(super) detail: Value,
    pub(super) previous: String,
}

impl Entry {
    /// SHA-256 of the canonical JSON (RFC 8785) of the entry with its event.
    pub(super) fn digest(&self, event: &str) -> Result<String, Fault> {
        let mut value = serde_json::to_value(self)?;
        value["event"] = event.into();
        Ok(sha256(&serde_json_canonicalizer::to_vec(&value)?))
    }
}

/// What was done in an event, in its order, each with its digest.
pub(super) fn entries(data: &Connection, event: &str) -> Result<Vec<(Entry, String)>, Fault> {
    let mut found = data.prepare(
        "select number, at, who, what, detail, previous, digest from audit where event = ?1 order by number",
    )?;
    let rows = found.query_map([event], |row| {
        let detail: String = row.get(4)?;
        let entry = Entry {
            number: row.get(0)?,
            at: row.get(1)?,
            who: row.get(2)?,
            what: row.get(3)?,
            detail: serde_json::from_str(&detail).unwrap_or_default(),
            previous: row.get(5)?,
        };
        Ok((entry, row.get(6)?))
    })?;
    Ok(rows.collect::<Result<_, _>>()?)
}

/// Whether each entry is the one after the one before it, and says what its digest is of; the
/// number of the first that is not.
pub(super) fn broken_at(event: &str, entries: &[(Entry, String)]) -> Option<i64> {
    let mut previous = String::new();
    for (at, (entry, digest)) in (1..).zip(entries) {
        let own = entry.digest(event).ok();
        if entry.number != at || entry.previous != previous || own.as_ref() != Some(digest) {
            return Some(entry.number);
        }
        previous.clone_from(digest);
    }
    None
}

/// A key of a player's own: the key and its digest.
pub(super) fn new_key() -> Result<(String, Kept), Trouble> {
    let key = keys::new()?;
    let kept = keys::kept(&key);
    Ok((key, kept))
}
