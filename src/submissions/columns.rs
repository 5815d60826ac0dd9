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

/// The roles, what `--columns` calls them, and the plain names of their columns. The names of
/// a later list count only where the header has none of an earlier one.
const ROLES: [(Role, &str, &[&[&str]]); 4] = [
    (
        Role::Player,
        "player",
        &[
            &["player", "player name", "name", "your name", "full name"],
            &["email address", "email"],
        ],
    ),
    (
        Role::Deck,
        "deck",
        &[&[
            "deck",
            "decklist",
            "deck list",
            "your deck",
            "your decklist",
            "list",
            "deck file",
        ]],
    ),
    (
        Role::Time,
        "time",
        &[
            &[
                "timestamp",
                "time",
                "submitted",
                "submitted at",
                "completion time",
            ],
            &["date"],
        ],
    ),
    (
        Role::Format,
        "format",
        &[&["format"], &["game", "division"]],
    ),
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
    /// the others by their plain names. White space and case do not matter. A comma belongs to
    /// a column's name unless a further `ROLE=` follows it; quotation marks hold all else.
    ///
    /// # Errors
    /// A word that is none of `player`, `deck`, `time` and `format`, a role that is named twice,
    /// a column that the header does not have or has twice, two columns that are plainly the
    /// same, or no column for the deck.
    pub fn of(header: &[String], named: &[String]) -> Result<Columns, SubmissionError> {
        let folded: Vec<String> = header.iter().map(|name| fold(name).into_owned()).collect();
        let mut found = [None; 4];
        for pair in named.iter().flat_map(|named| pairs(named)) {
            let Some((role, name)) = pair.split_once('=') else {
                return Err(wrong(format!(
                    "`{pair}` must be `player=COLUMN` or the like"
                )));
            };
            let role = role.trim();
            let Some(at) = ROLES.iter().position(|(_, word, _)| *word == role) else {
                let words: Vec<&str> = ROLES.iter().map(|(_, word, _)| *word).collect();
                let words = listed(&words, "and");
                return Err(wrong(format!("no role `{role}`; there are {words}")));
            };
            if found[at].is_some() {
                return Err(wrong(format!(
                    "`{role}=` is given twice; name one column for it"
                )));
            }
            found[at] = Some(only(header, &folded, name.trim())?);
        }
        let told = found;
        for (at, (_, role, plain)) in ROLES.iter().enumerate() {
            if told[at].is_some() {
                continue;
            }
            for names in *plain {
                let free = |place: &usize| !told.contains(&Some(*place));
                let called = |place: &usize| names.contains(&folded[*place].as_str());
                let places: Vec<usize> = (0..folded.len()).filter(free).filter(called).collect();
                match places.as_slice() {
                    [] => continue,
                    [place] => found[at] = Some(*place),
                    [..] => {
                        let places: Vec<String> =
                            places.iter().map(|place| header[*place].clone()).collect();
                        let names = quoted(&places);
                        return Err(wrong(format!(
                            "the columns {names} may each be the {role}; say which is, with `--columns {role}=COLUMN`"
                        )));
                    }
                }
                break;
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

/// The parts `ROLE=COLUMN` of what a person says.
fn pairs(named: &str) -> Vec<String> {
    // A new line in a column's name is white space, as any other.
    let named = named.replace(['\n', '\r'], " ");
    let mut reader = csv::ReaderBuilder::new()
        .has_headers(false)
        .trim(csv::Trim::All)
        .from_reader(named.as_bytes());
    let mut cells = csv::StringRecord::new();
    // Text in memory can always be read; what is left out is then a column that is missing.
    let _ = reader.read_record(&mut cells);
    let mut pairs: Vec<String> = Vec::new();
    for cell in &cells {
        match pairs.last_mut() {
            Some(last) if !cell.contains('=') => {
                last.push_str(", ");
                last.push_str(cell);
            }
            _ => pairs.push(cell.to_owned()),
        }
    }
    pairs
}
