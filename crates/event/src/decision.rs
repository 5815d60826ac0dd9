//! What an organiser decides, in the words of `event decide`.

use crate::id::{EntryId, PlayerId};

/// A decision.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Decision {
    /// The entry is this player's.
    Is(EntryId, PlayerId),
    /// Whether the entry came in time, whatever its time says.
    InTime(EntryId, bool),
    /// Whether the entry counts.
    Counts(EntryId, bool),
    /// The text that a person read in an entry which decklaw could not read.
    ReadAs(EntryId, String),
    /// Two players are one: the first goes on as the second.
    Same(PlayerId, PlayerId),
    /// Where the player sits.
    Table(PlayerId, String),
    /// The player's name.
    Name(PlayerId, String),
    /// Whether the player is on the organiser's list.
    Expected(PlayerId, bool),
    /// Whether the player, or everybody, may no longer change decks.
    Lock(Option<PlayerId>, bool),
    /// The answer of a deck check.
    Check(PlayerId, String),
    /// Personal data of the player were removed.
    Forget(PlayerId),
    /// SHA-256 of the key of a link: a player's, or the organiser's.
    Key(Option<PlayerId>, String),
    /// An unknown name means this card in every deck.
    Means(String, String),
    /// Players drawn for a deck check.
    Draw(Vec<PlayerId>),
    /// An earlier decision does not hold.
    Undo(i64),
}

impl Decision {
    /// The columns `target`, `kind` and `value`.
    pub(crate) fn columns(&self) -> (String, &'static str, String) {
        let whole = |player: &Option<PlayerId>| {
            player.map_or_else(|| "all".to_owned(), |player| player.to_string())
        };
        let none = String::new;
        match self {
            Decision::Is(entry, player) => (entry.to_string(), "is", player.to_string()),
            Decision::InTime(entry, true) => (entry.to_string(), "in-time", none()),
            Decision::InTime(entry, false) => (entry.to_string(), "late", none()),
            Decision::Counts(entry, true) => (entry.to_string(), "counts", none()),
            Decision::Counts(entry, false) => (entry.to_string(), "out", none()),
            Decision::ReadAs(entry, text) => (entry.to_string(), "read-as", text.clone()),
            Decision::Same(player, other) => (player.to_string(), "same", other.to_string()),
            Decision::Table(player, table) => (player.to_string(), "table", table.clone()),
            Decision::Name(player, name) => (player.to_string(), "name", name.clone()),
            Decision::Expected(player, true) => (player.to_string(), "expected", none()),
            Decision::Expected(player, false) => (player.to_string(), "unexpected", none()),
            Decision::Lock(player, true) => (whole(player), "lock", none()),
            Decision::Lock(player, false) => (whole(player), "unlock", none()),
            Decision::Check(player, answer) => (player.to_string(), "check", answer.clone()),
            Decision::Forget(player) => (player.to_string(), "forget", none()),
            Decision::Key(player, key) => (whole(player), "key", key.clone()),
            Decision::Means(name, card) => (name.clone(), "means", card.clone()),
            Decision::Draw(players) => {
                let players: Vec<String> = players.iter().map(PlayerId::to_string).collect();
                ("draw".to_owned(), "draw", players.join(" "))
            }
            Decision::Undo(decision) => (decision.to_string(), "undo", none()),
        }
    }

    /// A decision of these columns; `None`: they are none.
    pub(crate) fn of_columns(target: &str, kind: &str, value: &str) -> Option<Decision> {
        let entry = || target.parse::<EntryId>().ok();
        let player = || target.parse::<PlayerId>().ok();
        let whole = || match target {
            "all" => Some(None),
            _ => player().map(Some),
        };
        let text = value.to_owned();
        Some(match kind {
            "is" => Decision::Is(entry()?, value.parse().ok()?),
            "in-time" | "late" => Decision::InTime(entry()?, kind == "in-time"),
            "counts" | "out" => Decision::Counts(entry()?, kind == "counts"),
            "read-as" => Decision::ReadAs(entry()?, text),
            "same" => Decision::Same(player()?, value.parse().ok()?),
            "table" => Decision::Table(player()?, text),
            "name" => Decision::Name(player()?, text),
            "expected" | "unexpected" => Decision::Expected(player()?, kind == "expected"),
            "lock" | "unlock" => Decision::Lock(whole()?, kind == "lock"),
            "check" => Decision::Check(player()?, text),
            "forget" => Decision::Forget(player()?),
            "key" => Decision::Key(whole()?, text),
            "means" => Decision::Means(target.to_owned(), text),
            "draw" => {
                let players = value.split_whitespace().map(str::parse);
                Decision::Draw(players.collect::<Result<_, _>>().ok()?)
            }
            "undo" => Decision::Undo(target.parse().ok()?),
            _ => return None,
        })
    }

    /// Whether [`Decision::Undo`] may take it back.
    pub fn can_undo(&self) -> bool {
        !matches!(self, Decision::Forget(_) | Decision::Key(..) | Decision::Undo(_))
    }

    /// The player that it is about.
    pub(crate) fn player(&self) -> Option<PlayerId> {
        match self {
            Decision::Same(player, _)
            | Decision::Table(player, _)
            | Decision::Name(player, _)
            | Decision::Expected(player, _)
            | Decision::Check(player, _)
            | Decision::Forget(player) => Some(*player),
            Decision::Lock(player, _) | Decision::Key(player, _) => *player,
            _ => None,
        }
    }

    /// The entry that it is about.
    pub(crate) fn entry(&self) -> Option<EntryId> {
        match self {
            Decision::Is(entry, _)
            | Decision::InTime(entry, _)
            | Decision::Counts(entry, _)
            | Decision::ReadAs(entry, _) => Some(*entry),
            _ => None,
        }
    }
}

/// A decision as it is stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DecisionRow {
    /// The number, from 1.
    pub id: i64,
    /// When it was made, RFC 3339 in UTC.
    pub at: String,
    /// Who made it.
    pub author: String,
    /// What was decided.
    pub decision: Decision,
    /// The reason.
    pub why: Option<String>,
    /// The form by which it was sent.
    pub form: Option<String>,
}

/// Who does something, and by which form.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Author {
    /// An organiser's name, `player` or `import`.
    pub name: String,
    /// The key of the form: what is sent twice by one form is done once.
    pub form: Option<String>,
}

impl<N: AsRef<str> + ?Sized> From<&N> for Author {
    fn from(name: &N) -> Author {
        Author { name: name.as_ref().to_owned(), form: None }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_decision_is_read_from_its_columns() {
        let (entry, player, text) = (EntryId(12), PlayerId(17), "4 b".to_owned());
        for decision in [
            Decision::Is(entry, player),
            Decision::InTime(entry, true),
            Decision::InTime(entry, false),
            Decision::Counts(entry, true),
            Decision::Counts(entry, false),
            Decision::ReadAs(entry, text.clone()),
            Decision::Same(player, PlayerId(1)),
            Decision::Table(player, text.clone()),
            Decision::Name(player, text.clone()),
            Decision::Expected(player, false),
            Decision::Lock(None, true),
            Decision::Lock(Some(player), false),
            Decision::Check(player, text.clone()),
            Decision::Forget(player),
            Decision::Key(None, text.clone()),
            Decision::Means("Antt".to_owned(), text),
            Decision::Draw(vec![player, PlayerId(3)]),
            Decision::Undo(7),
        ] {
            let (target, kind, value) = decision.columns();
            assert_eq!(
                Decision::of_columns(&target, kind, &value),
                Some(decision),
                "{target} {kind} {value}"
            );
        }
    }
}
