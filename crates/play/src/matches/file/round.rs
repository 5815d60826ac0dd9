//! A whole round of an event: one secret seeds every table, and a public value that nobody
//! knew beforehand keeps the organiser from choosing it.
//!
//! The organiser publishes the [commitment](Secret::commitment) before the round. Each
//! table's seed combines a part that follows from the secret and the table with one that
//! follows from the public value. Once the secret is revealed, anyone deals again.

use crate::matches::error::{MatchError, MatchErrorKind};
use crate::matches::inputs::Randomness;
use crate::matches::random::{bytes_of_hex, tagged};
use decklaw_core::digest::hex;
use decklaw_core::name::fold;
use decklaw_core::text::{counted, harmless};
use std::collections::{HashMap, HashSet};

/// What an organiser keeps until the event is over.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Secret([u8; 32]);

impl Secret {
    /// A new secret from the operating system.
    ///
    /// # Errors
    /// Where the operating system has no random numbers to give.
    pub fn new() -> Result<Secret, MatchError> {
        let mut bytes = [0; 32];
        getrandom::fill(&mut bytes).map_err(|error| {
            MatchErrorKind::Round.refused(format!(
                "the operating system gave no random numbers: {error}"
            ))
        })?;
        Ok(Secret(bytes))
    }

    /// Reads a secret as it is kept: 64 digits, white space around them ignored.
    ///
    /// # Errors
    /// Anything else.
    pub fn read(text: &str) -> Result<Secret, MatchError> {
        let bytes = bytes_of_hex(text.trim());
        let wrong = || {
            MatchErrorKind::Round
                .refused("a secret file holds 64 digits 0-9 and a-f, and nothing else")
        };
        bytes.map(Secret).ok_or_else(wrong)
    }

    /// The secret as it is kept.
    pub fn hex(&self) -> String {
        hex(&self.0)
    }

    /// What is published before the round: it binds the organiser and tells nothing.
    ///
    /// ```
    /// use decklaw_play::matches::Secret;
    /// let secret = Secret::read(&"07".repeat(32))?;
    /// assert_eq!(secret.commitment(), Secret::read(&secret.hex())?.commitment());
    /// # Ok::<(), decklaw_play::matches::MatchError>(())
    /// ```
    pub fn commitment(&self) -> String {
        hex(&tagged("decklaw/round-commit/1\0", &[&self.0]))
    }

    /// What binds one person to this secret as a share of a common seed, before any share is
    /// shown: who knew the others' could otherwise try shares until the deal suits.
    ///
    /// ```
    /// use decklaw_play::matches::Secret;
    /// let share = Secret::read(&"07".repeat(32))?;
    /// assert_ne!(share.share_commitment(), share.commitment());
    /// # Ok::<(), decklaw_play::matches::MatchError>(())
    /// ```
    pub fn share_commitment(&self) -> String {
        hex(&tagged("decklaw/share-commit/1\0", &[&self.0]))
    }

    /// What chance follows from at a table; at every table alike where `table` is empty.
    ///
    /// # Errors
    /// Never in practice: the two parts would have to be the same digest.
    pub fn randomness(&self, table: &str, beacon: &str) -> Result<Randomness, MatchError> {
        let of_table = tagged("decklaw/round-table/1\0", &[&self.0, table.as_bytes()]);
        let public = tagged("decklaw/round-beacon/1\0", &[beacon.as_bytes()]);
        Randomness::from_parts(&[hex(&of_table), hex(&public)])
    }
}

/// One table of a round.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pairing {
    /// The table's number or name.
    pub table: String,
    /// The players, in seat order.
    pub players: Vec<String>,
}

/// Reads pairings: CSV with a column `table` and one column a seat, `A`, `B`, … Cells are
/// parted by commas, semicolons or tabs, as the header has them.
///
/// # Errors
/// A file that is not such a table, a table named twice, a player at two tables.
///
/// ```
/// let pairings = decklaw_play::matches::read_pairings(b"table,A,B\n1,Ann,Bob\n2,Cat,Dan\n")?;
/// assert_eq!(pairings[1].players, ["Cat", "Dan"]);
/// # Ok::<(), decklaw_play::matches::MatchError>(())
/// ```
pub fn read_pairings(text: &[u8]) -> Result<Vec<Pairing>, MatchError> {
    read_pairings_in(text, None)
}

/// The same of a sheet of a workbook: the one of that name, or the only one.
///
/// # Errors
/// As [`read_pairings`].
pub fn read_pairings_in(bytes: &[u8], sheet: Option<&str>) -> Result<Vec<Pairing>, MatchError> {
    let first = || wrong("the first line must be `table,A,B`, with C and D where more play");
    if bytes.is_empty() {
        return Err(first());
    }
    let sheet =
        decklaw_core::table::read(bytes, sheet).map_err(|error| wrong(error.to_string()))?;
    let [table, seats @ ..] = sheet.header.as_slice() else {
        return Err(first());
    };
    if !table.eq_ignore_ascii_case("table")
        || !(2..=4).contains(&seats.len())
        || seats != &["A", "B", "C", "D"][..seats.len()]
    {
        return Err(first());
    }
    let mut pairings: Vec<Pairing> = Vec::new();
    let mut tables = HashSet::new();
    let mut seated: HashMap<String, String> = HashMap::new();
    for row in &sheet.rows {
        let line = row.number;
        let cells: Vec<&str> = row.cells().collect();
        let pairing = seat(&cells, &sheet.header)
            .map_err(|told| wrong(format!("line {line}: {}", harmless(&told, false))))?;
        if !tables.insert(fold(&pairing.table).into_owned()) {
            let table = harmless(&pairing.table, false);
            return Err(wrong(format!("line {line}: table {table} stands twice")));
        }
        for player in &pairing.players {
            let table = pairing.table.clone();
            if let Some(other) = seated.insert(fold(player).into_owned(), table) {
                let (player, other) = (harmless(player, false), harmless(&other, false));
                return Err(wrong(match other == pairing.table {
                    true => format!("line {line}: {player} is paired with {player}"),
                    false => format!("line {line}: {player} sits at table {other} already"),
                }));
            }
        }
        pairings.push(pairing);
    }
    if pairings.is_empty() {
        return Err(wrong("there is no table in it, just the first line"));
    }
    Ok(pairings)
}

fn wrong(message: impl Into<String>) -> MatchError {
    MatchErrorKind::Round.call(format!("the pairings: {}", message.into()))
}

/// The longest name of a table, in bytes: it becomes a part of a file's name.
const LONGEST_TABLE: usize = 200;

/// The table of a row, or what is wrong with it.
fn seat(cells: &[&str], header: &[String]) -> Result<Pairing, String> {
    let columns = header.join(", ");
    if cells.len() != header.len() {
        return Err(format!(
            "it has {}, and the first line has {}: {columns}",
            counted(cells.len() as i64, "cell"),
            header.len()
        ));
    }
    let [table, seats @ ..] = cells else {
        return Err(format!("it has no cells, and needs {columns}"));
    };
    if table.is_empty() {
        return Err("the table has no name or number".to_owned());
    }
    let hidden = table.starts_with('.');
    if hidden
        || table.len() > LONGEST_TABLE
        || table.contains(['/', '\\'])
        || harmless(table, false) != *table
    {
        return Err(format!(
            "`{table}` cannot be a table's name, for it becomes part of a file's name: it may \
             have letters, digits, spaces and the like, but no / and no \\, no dot at its \
             beginning, and not more than {LONGEST_TABLE} bytes"
        ));
    }
    let taken = seats.iter().take_while(|name| !name.is_empty()).count();
    if let Some(later) = seats[taken..].iter().position(|name| !name.is_empty()) {
        let (empty, later) = (&header[1 + taken], &header[1 + taken + later]);
        return Err(format!("seat {empty} is empty, and seat {later} is not"));
    }
    if taken < 2 {
        let empty = &header[1 + taken];
        return Err(format!(
            "seat {empty} is empty, and a table needs two players or more"
        ));
    }
    Ok(Pairing {
        table: (*table).to_owned(),
        players: seats[..taken]
            .iter()
            .map(|name| (*name).to_owned())
            .collect(),
    })
}
