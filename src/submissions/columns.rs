//! Which column of a form's export is what.

use super::SubmissionError;
use crate::name::fold;
use crate::text::listed;

/// What a column holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// Who hands the deck in.
    Player,
    /// The deck, or the file where it is.
    Deck,
    /// When it was handed in.
    Time,
    /// Which format it is for.
    Format,
}

const ROLES: [(Role, &str, &[&str]); 4] = [
    (
        Role::Player,
        "player",
        &[
            "player",
            "player name",
            "name",
            "your name",
            "full name",
            "email address",
            "email",
        ],
    ),
    (
        Role::Deck,
        "deck",
        &[
            "deck",
            "decklist",
            "deck list",
            "your deck",
            "your decklist",
            "list",
            "deck file",
        ],
    ),
    (
        Role::Time,
        "time",
        &[
            "time",
            "timestamp",
            "submitted",
            "submitted at",
            "date",
            "completion time",
        ],
    ),
    (Role::Format, "format", &["format", "game", "division"]),
];

/// Where the columns of a table are, from 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Columns {
    /// Who hands the deck in; a table without it has a player a row.
    pub player: Option<usize>,
    /// The deck.
    pub deck: usize,
    /// When it was handed in.
    pub time: Option<usize>,
    /// Which format it is for.
    pub format: Option<usize>,
}

impl Columns {
    /// The columns of a header: those that `named` says (such as `player=Name,deck=Decklist`),
    /// the others by their plain names. White space and case do not matter.
    ///
    /// # Errors
    /// A word that is none of `player`, `deck`, `time` and `format`, a column that the header
    /// does not have or has twice, or no column for the deck.
    pub fn of(header: &[String], named: Option<&str>) -> Result<Columns, SubmissionError> {
        let folded: Vec<String> = header.iter().map(|name| fold(name).into_owned()).collect();
        let mut found = [None; 4];
        for pair in named.into_iter().flat_map(|named| named.split(',')) {
            let Some((role, name)) = pair.split_once('=') else {
                return Err(wrong(format!(
                    "`{pair}` must be `player=COLUMN` or the like"
                )));
            };
            let known = ROLES.iter().position(|(_, word, _)| *word == role.trim());
            let Some(at) = known else {
                let words: Vec<&str> = ROLES.iter().map(|(_, word, _)| *word).collect();
                let words = listed(&words, "and");
                return Err(wrong(format!(
                    "no role `{}`; there are {words}",
                    role.trim()
                )));
            };
            found[at] = Some(only(header, &folded, name.trim())?);
        }
        for (at, (_, _, plain)) in ROLES.iter().enumerate() {
            let free = |place: &usize| !found.contains(&Some(*place));
            if found[at].is_none() {
                let by_name = plain
                    .iter()
                    .filter_map(|plain| folded.iter().position(|name| name == plain));
                found[at] = by_name.into_iter().find(free);
            }
        }
        let [player, deck, time, format] = found;
        let deck = deck.ok_or_else(|| {
            let names = quoted(header);
            wrong(format!(
                "no column is plainly the deck; say which is, with `--columns deck=COLUMN`; there are {names}"
            ))
        })?;
        Ok(Columns {
            player,
            deck,
            time,
            format,
        })
    }
}

fn only(header: &[String], folded: &[String], name: &str) -> Result<usize, SubmissionError> {
    let wanted = fold(name);
    let mut places = (0..folded.len()).filter(|at| folded[*at] == wanted);
    match (places.next(), places.next()) {
        (Some(place), None) => Ok(place),
        (Some(_), Some(_)) => Err(wrong(format!("the column `{name}` is there twice"))),
        (None, _) => Err(wrong(format!(
            "no column `{name}`; there are {}",
            quoted(header)
        ))),
    }
}

fn quoted(names: &[String]) -> String {
    let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    listed(&names, "and")
}

fn wrong(message: String) -> SubmissionError {
    SubmissionError::Columns(message)
}

/// What parts the cells of a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Separator(pub u8);

/// The header of a table and what parts its cells: of `,`, `;` and the tab, the one that
/// parts the first line, outside of quotes, into most cells.
///
/// # Errors
/// A table without a header, or one that is not UTF-8.
pub fn read_header(bytes: &[u8]) -> Result<(Vec<String>, Separator), SubmissionError> {
    let cells = |separator: u8| {
        let mut reader = csv::ReaderBuilder::new()
            .delimiter(separator)
            .has_headers(false)
            .flexible(true)
            .from_reader(bytes);
        let mut record = csv::ByteRecord::new();
        reader.read_byte_record(&mut record).ok();
        record
    };
    let most = [b',', b';', b'\t']
        .into_iter()
        .rev()
        .map(|separator| (cells(separator), separator))
        .max_by_key(|(record, _)| record.len());
    let Some((record, separator)) = most.filter(|(record, _)| !record.is_empty()) else {
        return Err(SubmissionError::File("it has no header".to_owned()));
    };
    let mut header = Vec::new();
    for cell in &record {
        let Ok(text) = std::str::from_utf8(cell) else {
            let message = "it is not UTF-8; export it as CSV with the encoding UTF-8";
            return Err(SubmissionError::File(message.to_owned()));
        };
        header.push(text.trim().trim_start_matches('\u{feff}').to_owned());
    }
    Ok((header, Separator(separator)))
}
