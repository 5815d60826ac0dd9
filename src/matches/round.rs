//! A whole round of an event: one secret seeds every table, and a public value that nobody
//! knew beforehand keeps the organiser from choosing it.
//!
//! The organiser publishes the [commitment](Secret::commitment) before the round. Each
//! table's seed combines a part that follows from the secret and the table with one that
//! follows from the public value. Once the secret is revealed, anyone deals again.

use super::MatchError;
use super::inputs::Randomness;
use super::random::{bytes_of_hex, tagged};
use crate::digest::hex;

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
            MatchError::refused(format!(
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
        let wrong =
            || MatchError::refused("a secret file holds 64 digits 0-9 and a-f, and nothing else");
        bytes.map(Secret).ok_or_else(wrong)
    }

    /// The secret as it is kept.
    pub fn hex(&self) -> String {
        hex(&self.0)
    }

    /// What is published before the round: it binds the organiser and tells nothing.
    ///
    /// ```
    /// use decklaw::matches::Secret;
    /// let secret = Secret::read(&"07".repeat(32))?;
    /// assert_eq!(secret.commitment(), Secret::read(&secret.hex())?.commitment());
    /// # Ok::<(), decklaw::matches::MatchError>(())
    /// ```
    pub fn commitment(&self) -> String {
        hex(&tagged("decklaw/round-commit/1\0", &[&self.0]))
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

/// Reads pairings: CSV with a column `table` and one column a seat, `A`, `B`, …
///
/// # Errors
/// A file that is not such a table, a table named twice, a player at two tables.
///
/// ```
/// let pairings = decklaw::matches::read_pairings(b"table,A,B\n1,Ann,Bob\n2,Cat,Dan\n")?;
/// assert_eq!(pairings[1].players, ["Cat", "Dan"]);
/// # Ok::<(), decklaw::matches::MatchError>(())
/// ```
pub fn read_pairings(text: &[u8]) -> Result<Vec<Pairing>, MatchError> {
    let text = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text);
    let wrong = |message: String| MatchError::call(format!("the pairings: {message}"));
    let mut reader = csv::ReaderBuilder::new()
        .trim(csv::Trim::All)
        .from_reader(text);
    let header = reader
        .headers()
        .map_err(|error| wrong(error.to_string()))?
        .clone();
    let mut columns = header.iter();
    let seats: Vec<&str> = columns.by_ref().skip(1).collect();
    let named_right = header
        .get(0)
        .is_some_and(|name| name.eq_ignore_ascii_case("table"));
    if !named_right
        || !(2..=4).contains(&seats.len())
        || seats != ["A", "B", "C", "D"][..seats.len()]
    {
        return Err(wrong(
            "the first line must be `table,A,B`, with C and D where more play".to_owned(),
        ));
    }
    let mut pairings: Vec<Pairing> = Vec::new();
    let (mut tables, mut seated) = (
        std::collections::HashSet::new(),
        std::collections::HashSet::new(),
    );
    for row in reader.records() {
        let row = row.map_err(|error| wrong(error.to_string()))?;
        let mut cells = row.iter().map(str::to_owned);
        let table = cells.next().unwrap_or_default();
        let players: Vec<String> = cells.filter(|name| !name.is_empty()).collect();
        if table.is_empty()
            || players.len() < 2
            || table.contains(['/', '\\'])
            || table.starts_with('.')
        {
            let place = pairings.len() + 2;
            return Err(wrong(format!(
                "line {place} needs a table, and two players or more"
            )));
        }
        if !tables.insert(crate::name::fold(&table).into_owned()) {
            return Err(wrong(format!("table {table} stands twice")));
        }
        for player in &players {
            if !seated.insert(crate::name::fold(player).into_owned()) {
                return Err(wrong(format!("{player} sits at two tables")));
            }
        }
        pairings.push(Pairing { table, players });
    }
    Ok(pairings)
}
