//! What an organiser decides, in the words of `event decide`.

use crate::id::{EntryId, PlayerId};
use std::ops::RangeInclusive;

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
    /// The player takes no part, or does again.
    Withdraw(PlayerId, bool),
    /// Whether everyone may read the decks.
    Publish(bool),
    /// A form, folder or list of players was imported.
    Import(Imported),
    /// An earlier decision does not hold.
    Undo(i64),
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Imported {
    /// The form, folder or list.
    pub name: String,
    /// The numbers of its new players.
    pub players: Option<RangeInclusive<u32>>,
    /// The numbers of its entries.
    pub entries: Option<RangeInclusive<u32>>,
    /// Players of before who are on the organiser's list since then.
    pub expected: Vec<PlayerId>,
}

impl Imported {
    pub(crate) fn has_player(&self, id: PlayerId) -> bool {
        self.players.as_ref().is_some_and(|players| players.contains(&id.0))
    }

    pub(crate) fn has_entry(&self, id: EntryId) -> bool {
        self.entries.as_ref().is_some_and(|entries| entries.contains(&id.0))
    }

    /// Its ids: `p005-p047 e012-e060 p001`.
    fn ids(&self) -> String {
        let players = self.players.iter();
        let players =
            players.map(|all| format!("{}-{}", PlayerId(*all.start()), PlayerId(*all.end())));
        let entries = self.entries.iter();
        let entries =
            entries.map(|all| format!("{}-{}", EntryId(*all.start()), EntryId(*all.end())));
        let expected = self.expected.iter().map(PlayerId::to_string);
        players.chain(entries).chain(expected).collect::<Vec<_>>().join(" ")
    }

    fn of(name: &str, ids: &str) -> Option<Imported> {
        let mut import = Imported { name: name.to_owned(), ..Imported::default() };
        for id in ids.split_whitespace() {
            match id.split_once('-') {
                None => import.expected.push(id.parse().ok()?),
                Some((first, last)) => match first.parse::<PlayerId>() {
                    Ok(first) => import.players = Some(first.0..=last.parse::<PlayerId>().ok()?.0),
                    Err(_) => {
                        let first = first.parse::<EntryId>().ok()?;
                        import.entries = Some(first.0..=last.parse::<EntryId>().ok()?.0);
                    }
                },
            }
        }
        Some(import)
    }
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
            Decision::Withdraw(player, true) => (player.to_string(), "withdraw", none()),
            Decision::Withdraw(player, false) => (player.to_string(), "rejoin", none()),
            Decision::Publish(true) => (whole(&None), "publish", none()),
            Decision::Publish(false) => (whole(&None), "unpublish", none()),
            Decision::Import(import) => (import.name.clone(), "import", import.ids()),
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
            "withdraw" | "rejoin" => Decision::Withdraw(player()?, kind == "withdraw"),
            "publish" | "unpublish" => Decision::Publish(kind == "publish"),
            "import" => Decision::Import(Imported::of(target, value)?),
            "undo" => Decision::Undo(target.parse().ok()?),
            _ => return None,
        })
    }

    /// Whether [`Decision::Undo`] may take it back.
    pub fn can_undo(&self) -> bool {
        !matches!(self, Decision::Forget(_) | Decision::Key(..) | Decision::Undo(_))
    }

    /// What an import added.
    pub(crate) fn import(&self) -> Option<&Imported> {
        match self {
            Decision::Import(import) => Some(import),
            _ => None,
        }
    }

    /// The player that it is about.
    pub(crate) fn player(&self) -> Option<PlayerId> {
        match self {
            Decision::Same(player, _)
            | Decision::Table(player, _)
            | Decision::Name(player, _)
            | Decision::Expected(player, _)
            | Decision::Check(player, _)
            | Decision::Withdraw(player, _)
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
#[expect(missing_docs, reason = "names of fields say what they are")]
pub struct DecisionRow {
    /// The number, from 1.
    pub id: i64,
    /// When it was made, RFC 3339 in UTC.
    pub at: String,
    pub author: String,
    pub decision: Decision,
    pub why: Option<String>,
    pub form: Option<String>,
    pub undone: bool,
}

/// Who does something, and by which form.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Author {
    /// An organiser's name, `player` or `import`.
    pub name: String,
    /// The key of the form: what is sent twice by one form is done once.
    pub form: Option<String>,
    /// The newest decision that the author saw. What somebody decided about the same entry or
    /// player since then is not overwritten.
    pub seen: Option<i64>,
}

impl<N: AsRef<str> + ?Sized> From<&N> for Author {
    fn from(name: &N) -> Author {
        Author { name: name.as_ref().to_owned(), ..Author::default() }
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
            Decision::Withdraw(player, true),
            Decision::Withdraw(player, false),
            Decision::Publish(true),
            Decision::Import(Imported {
                name: "form.csv".to_owned(),
                players: Some(5..=47),
                entries: Some(12..=12),
                expected: vec![player],
            }),
            Decision::Import(Imported::default()),
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
