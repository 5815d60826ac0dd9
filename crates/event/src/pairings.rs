//! Who plays whom, and how it ended: tables of any pairing program, by ids or names.

use crate::event::EventError;
use crate::meta::Score;
use crate::record::PlayerId;
use crate::roster::Roster;
use decklaw_core::submissions::Columns;
use decklaw_core::table::{self, Row, Sheet};
use std::collections::BTreeMap;

/// A table of a round.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Seating {
    /// The table.
    pub table: String,
    /// Who sits there, in the order of the columns.
    pub players: Vec<PlayerId>,
}

/// A round.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Round {
    /// The tables at which somebody plays somebody.
    pub tables: Vec<Seating>,
    /// Players without an opponent.
    pub byes: Vec<PlayerId>,
}

/// What stands in the place of an opponent where there is none, without signs around.
const BYES: [&str; 14] = [
    "",
    "bye",
    "freilos",
    "libre",
    "exempt",
    "exempté",
    "descanso",
    "riposo",
    "folga",
    "vrij",
    "wolny los",
    "none",
    "pauza",
    "no opponent",
];

/// What the columns of tables are called.
const TABLES: [&str; 14] = [
    "table",
    "table number",
    "table no",
    "tisch",
    "tischnummer",
    "mesa",
    "tavolo",
    "tafel",
    "stół",
    "pairing",
    "match",
    "board",
    "tbl",
    "no",
];

/// What the columns of players are called, beside `A`, `B`, `C` and `D`.
const SEATS: [&[&str]; 2] = [
    &[
        "player",
        "player 1",
        "player1",
        "player one",
        "name",
        "name 1",
        "spieler",
        "spieler 1",
        "joueur",
        "joueur 1",
        "jugador",
        "jugador 1",
        "giocatore",
        "giocatore 1",
        "jogador",
        "jogador 1",
        "speler",
        "speler 1",
        "gracz",
        "gracz 1",
        "id",
        "player id",
        "id 1",
        "white",
    ],
    &[
        "opponent",
        "player 2",
        "player2",
        "player two",
        "name 2",
        "gegner",
        "spieler 2",
        "adversaire",
        "joueur 2",
        "oponente",
        "rival",
        "jugador 2",
        "avversario",
        "giocatore 2",
        "adversário",
        "jogador 2",
        "tegenstander",
        "speler 2",
        "przeciwnik",
        "gracz 2",
        "id 2",
        "opponent id",
        "black",
    ],
];

/// What columns of results are called.
const RESULTS: [&str; 13] = [
    "result",
    "results",
    "record",
    "score",
    "ergebnis",
    "resultat",
    "résultat",
    "resultado",
    "risultato",
    "resultaat",
    "wynik",
    "w-l-d",
    "match record",
];

fn read(bytes: &[u8], sheet: Option<&str>) -> Result<Sheet, EventError> {
    let read = table::read(bytes, sheet);
    read.map_err(|error| EventError::Said(error.to_string()))
}

fn plain(name: &str) -> String {
    decklaw_core::name::fold(name)
        .trim_end_matches(['.', ':', '#'])
        .trim()
        .to_owned()
}

/// Which player a cell means; `None`: nobody.
///
/// # Errors
/// A name that nobody has, or several.
fn player(roster: &Roster, row: &Row, cell: &str) -> Result<Option<PlayerId>, String> {
    let bare = cell
        .trim()
        .trim_matches(['-', '*', '(', ')', '[', ']', '\u{2013}', '\u{2014}', ' ']);
    if BYES.contains(&decklaw_core::name::fold(bare).as_ref()) {
        return Ok(None);
    }
    let named = roster.one_named(cell);
    named
        .map(Some)
        .map_err(|why| format!("row {}: {why}", row.number))
}

impl Round {
    /// Reads a table with a column of tables and one for each seat: `table,A,B`, or as pairing
    /// programs write them (`Table,Player,Opponent`). An empty cell or `bye` is nobody.
    ///
    /// # Errors
    /// A table without such columns, names that are not plainly a player's, and players at two
    /// tables; all of them at once.
    pub fn read(bytes: &[u8], sheet: Option<&str>, roster: &Roster) -> Result<Round, EventError> {
        let sheet = read(bytes, sheet)?;
        let header: Vec<String> = sheet.header.iter().map(|name| plain(name)).collect();
        let table = header
            .iter()
            .position(|name| TABLES.contains(&name.as_str()));
        let letters =
            ["a", "b", "c", "d"].map(|letter| header.iter().position(|name| name == letter));
        let mut seats: Vec<usize> = letters.into_iter().flatten().collect();
        if seats.is_empty() {
            // Ids go before names, where a table has both.
            let at = |names: &[&str]| {
                let all = (0..header.len()).filter(|at| names.contains(&header[*at].as_str()));
                let all: Vec<usize> = all.collect();
                let ids = |at: &&usize| {
                    sheet.rows.iter().all(|row| {
                        let cell = row.cell(**at);
                        cell.is_empty() || cell.parse::<PlayerId>().is_ok()
                    })
                };
                all.iter().find(ids).or(all.first()).copied()
            };
            seats = SEATS.iter().filter_map(|names| at(names)).collect();
        }
        if seats.is_empty() {
            return Err(EventError::Said(format!(
                "no columns are plainly the players; call them `table`, `A` and `B` (there are {})",
                table::quoted(&sheet.header)
            )));
        }
        let mut round = Round::default();
        let (mut wrong, mut seen) = (Vec::new(), BTreeMap::new());
        for (at, row) in (1..).zip(&sheet.rows) {
            let name = table.map(|table| row.cell(table).trim().to_owned());
            let name = name
                .filter(|name| !name.is_empty())
                .unwrap_or_else(|| format!("{at}"));
            let mut players = Vec::new();
            for seat in &seats {
                match player(roster, row, row.cell(*seat)) {
                    Ok(found) => players.extend(found),
                    Err(why) => wrong.push(why),
                }
            }
            for player in &players {
                if let Some(before) = seen.insert(*player, row.number) {
                    wrong.push(format!(
                        "row {}: {} sits in row {before}, too",
                        row.number,
                        roster.name(*player)
                    ));
                }
            }
            match players.as_slice() {
                [] => {}
                [alone] => round.byes.push(*alone),
                _ => round.tables.push(Seating {
                    table: name,
                    players,
                }),
            }
        }
        match wrong.is_empty() {
            true => Ok(round),
            false => Err(EventError::Said(wrong.join("\n"))),
        }
    }

    /// Where each player sits.
    pub fn seats(&self) -> BTreeMap<PlayerId, String> {
        let seats = self.tables.iter().flat_map(|seating| {
            seating
                .players
                .iter()
                .map(|player| (*player, seating.table.clone()))
        });
        seats.collect()
    }
}

/// Reads a table with a column of players and one of their records, such as `3-1`.
///
/// # Errors
/// A table without such columns, names that are not plainly a player's, and records that are none;
/// all of them at once.
pub fn read_results(
    bytes: &[u8],
    sheet: Option<&str>,
    roster: &Roster,
) -> Result<BTreeMap<PlayerId, Score>, EventError> {
    let sheet = read(bytes, sheet)?;
    let header: Vec<String> = sheet.header.iter().map(|name| plain(name)).collect();
    let column = |names: &[&str]| {
        header
            .iter()
            .position(|name| names.contains(&name.as_str()))
    };
    let who =
        column(&["id", "player id"]).or_else(|| Columns::people(&sheet.header).map(|(at, _)| at));
    let (Some(who), Some(result)) = (who, column(&RESULTS)) else {
        return Err(EventError::Said(format!(
            "no columns are plainly the player and the record; call them `player` and `result` (there are {})",
            table::quoted(&sheet.header)
        )));
    };
    let (mut scores, mut wrong) = (BTreeMap::new(), Vec::new());
    for row in &sheet.rows {
        match (
            player(roster, row, row.cell(who)),
            Score::read(row.cell(result)),
        ) {
            (Err(why), _) => wrong.push(why),
            (Ok(None), _) => {}
            (Ok(Some(_)), None) => wrong.push(format!(
                "row {}: `{}` is no record such as 3-1 or 3-1-1",
                row.number,
                row.cell(result)
            )),
            (Ok(Some(player)), Some(score)) => {
                scores.insert(player, score);
            }
        }
    }
    match wrong.is_empty() {
        true => Ok(scores),
        false => Err(EventError::Said(wrong.join("\n"))),
    }
}
