//! Lists of YGOPro and its kin, `lflist.conf`: several in one file, each with the numbers of cards
//! and how many copies are allowed.

use crate::text::harmless;
use std::fmt::Write as _;

/// A list of such a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NumberedList {
    /// Its name, behind `!`.
    pub name: String,
    /// Its cards, in the order of the file.
    cards: Vec<Numbered>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Numbered {
    id: String,
    copies: u32,
    /// What stands behind `--`: the name, for people.
    note: String,
}

/// Reads the lists of a file.
///
/// # Errors
/// The first line that cannot be read, and a file without any list.
///
/// ```
/// let lists = decklaw_core::banlist::numbered_lists("!2025.04\n55144522 0 --Pot of Greed\n")?;
/// assert_eq!(lists[0].name, "2025.04");
/// # Ok::<(), String>(())
/// ```
pub fn numbered_lists(text: &str) -> Result<Vec<NumberedList>, String> {
    let mut lists: Vec<NumberedList> = Vec::new();
    for (at, line) in (1..).zip(text.lines()) {
        let line = line.trim();
        if line.is_empty() || line.starts_with(['#']) || line.starts_with("--") {
            continue;
        }
        let refuse = |message: &str| Err(format!("line {at}: {message}"));
        if let Some(name) = line.strip_prefix('!') {
            lists.push(NumberedList {
                name: name.trim().to_owned(),
                cards: Vec::new(),
            });
            continue;
        }
        if line.starts_with('$') {
            return refuse(
                "this list says which cards are allowed (`$whitelist`), and not which are limited; only the latter are read",
            );
        }
        let Some(list) = lists.last_mut() else {
            return refuse("a card before the first list; a list begins with `!` and its name");
        };
        let (card, note) = line.split_once("--").unwrap_or((line, ""));
        let mut words = card.split_whitespace();
        let id = words.next().unwrap_or_default();
        let copies = words.next().map(str::parse::<u32>);
        let (true, Some(Ok(copies))) = (id.bytes().all(|byte| byte.is_ascii_digit()), copies)
        else {
            return refuse(
                "this is no card: its number, how many copies are allowed, and perhaps `--` and its name",
            );
        };
        let id = id.trim_start_matches('0').to_owned();
        if let Some(other) = list.cards.iter().find(|other| other.id == id) {
            if other.copies != copies {
                let message = format!(
                    "the card {id} may have {copies} copies here, and {} further up; keep one of them",
                    other.copies
                );
                return refuse(&message);
            }
            continue;
        }
        list.cards.push(Numbered {
            id,
            copies,
            note: note.trim().to_owned(),
        });
    }
    match lists.is_empty() {
        true => Err("there is no list in it; a list begins with `!` and its name".to_owned()),
        false => Ok(lists),
    }
}

impl NumberedList {
    /// The list as a file of decklaw's, whose cards go by their numbers (the field `id`); and of how
    /// many cards it allows as many copies as the game does (`usual`), so that nothing is said of
    /// them.
    pub fn to_yaml(
        &self,
        game: &str,
        id: &str,
        effective: super::Date,
        usual: u32,
    ) -> (String, usize) {
        let quoted = |text: &str| serde_json::Value::from(harmless(text, false)).to_string();
        let mut yaml = format!(
            "schema: decklaw/banlist/1\nid: {}\ngame: {}\nname: {}\neffective: {effective}\nby: id\n",
            quoted(id),
            quoted(game),
            quoted(&self.name)
        );
        let (mut banned, mut restricted, mut unlimited) = (String::new(), String::new(), 0);
        for card in &self.cards {
            let id = quoted(&card.id);
            let note = match card.note.as_str() {
                "" => String::new(),
                note => format!(" # {}", harmless(note, false)),
            };
            let _ = match card.copies {
                0 => writeln!(banned, "  - {id}{note}"),
                copies if copies < usual => {
                    writeln!(restricted, "  - {{name: {id}, copies: {copies}}}{note}")
                }
                _ => {
                    unlimited += 1;
                    Ok(())
                }
            };
        }
        for (key, cards) in [("banned", banned), ("restricted", restricted)] {
            if !cards.is_empty() {
                let _ = write!(yaml, "{key}:\n{cards}");
            }
        }
        (yaml, unlimited)
    }
}
