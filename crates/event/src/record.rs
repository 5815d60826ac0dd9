//! What happened at an event, as it is kept: records, each behind the one before it.

use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// Makes the type of a number that people know by a letter before it.
macro_rules! ids {
    ($($(#[$about:meta])* $name:ident $letter:literal;)*) => {$(
        $(#[$about])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(into = "String", try_from = "String")]
        pub struct $name(pub u32);

        impl fmt::Display for $name {
            fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(out, concat!($letter, "{:03}"), self.0)
            }
        }

        impl FromStr for $name {
            type Err = String;

            fn from_str(text: &str) -> Result<$name, String> {
                let digits = text.strip_prefix([$letter, $letter.to_ascii_uppercase()]);
                let digits = digits.filter(|digits| digits.bytes().all(|byte| byte.is_ascii_digit()));
                let number = digits.and_then(|digits| digits.parse().ok());
                number.map($name).ok_or_else(|| format!("`{text}` is no id such as {}", $name(17)))
            }
        }

        impl From<$name> for String {
            fn from(id: $name) -> String {
                id.to_string()
            }
        }

        impl TryFrom<String> for $name {
            type Error = String;

            fn try_from(text: String) -> Result<$name, String> {
                text.parse()
            }
        }
    )*};
}

ids! {
    /// A player of an event: `p017`.
    PlayerId 'p';
    /// A deck as it came: `e012`.
    EntryId 'e';
}

/// What cannot be told of an entry: an organiser answers it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Why {
    /// It says neither a name nor an address.
    Nobody,
    /// Several players have that name.
    Namesakes,
    /// A player of that name has another address.
    AnotherAddress,
    /// A player of another name has that address.
    SharedAddress,
    /// The name is nearly that of a player.
    NearlyNamed,
    /// Its time is missing or cannot be read, and there is a deadline.
    Time,
}

/// A question, with the likeliest answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Question {
    /// What cannot be told.
    pub why: Why,
    /// Whose it most likely is; absent: somebody's who is not in the roster yet.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub likely: Option<PlayerId>,
    /// Others whose it may be.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub others: Vec<PlayerId>,
}

/// Whose an entry is, as far as it could be told when it came.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Whose {
    /// A player's.
    Player(PlayerId),
    /// An organiser must say it.
    Asked(Question),
}

/// What an organiser decided.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "decision", rename_all = "kebab-case")]
pub enum Decision {
    /// An entry is this player's.
    Is {
        /// The entry.
        entry: EntryId,
        /// The player.
        player: PlayerId,
    },
    /// An entry came in time, or late, whatever its time says.
    Came {
        /// The entry.
        entry: EntryId,
        /// Whether it came in time.
        in_time: bool,
    },
    /// An entry is the one that counts for its player, or counts for nobody.
    Counts {
        /// The entry.
        entry: EntryId,
        /// Whether it counts.
        counts: bool,
    },
    /// A person read an entry that the program could not: the text goes with this record.
    ReadAs {
        /// The entry.
        entry: EntryId,
    },
    /// A name that no card has means this card, in every deck of the event.
    Means {
        /// As decks write it.
        name: String,
        /// The card.
        card: String,
    },
    /// Players, or all of them, change their decks no more, or may again.
    Lock {
        /// The player; absent: everybody.
        player: Option<PlayerId>,
        /// Whether they are locked.
        locked: bool,
    },
    /// Two players of the roster are one: the first goes on as the second.
    Same {
        /// Who is not one more.
        player: PlayerId,
        /// Who it is.
        with: PlayerId,
    },
    /// Whether a player is expected.
    Expected {
        /// The player.
        player: PlayerId,
        /// Whether they are.
        expected: bool,
    },
    /// Where a player sits.
    Table {
        /// The player.
        player: PlayerId,
        /// The table.
        table: String,
    },
    /// A player is called otherwise: the name goes with this record.
    Renamed {
        /// The player.
        player: PlayerId,
    },
    /// A deck check at a table: the deck goes with this record.
    Checked {
        /// The player.
        player: PlayerId,
        /// `same`, `swapped`, `illegal-swap`, `other` or `unreadable`.
        answer: String,
    },
    /// Players who were drawn for a deck check.
    Drawn {
        /// Them.
        players: Vec<PlayerId>,
    },
    /// What is known of a person was removed at their wish.
    Forgotten {
        /// The player.
        player: PlayerId,
    },
    /// The key of a link, in the place of the one before it: a player's for their deck, or the
    /// organiser's.
    Key {
        /// The player; absent: the organiser.
        player: Option<PlayerId>,
        /// SHA-256 of the key.
        key: String,
    },
}

/// What happened, without what is known of persons.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "what", rename_all = "kebab-case")]
pub enum Fact {
    /// A player came onto the roster.
    Player {
        /// Who.
        player: PlayerId,
        /// Whether they are on the organiser's list.
        expected: bool,
    },
    /// A deck came.
    Entry {
        /// Its id.
        entry: EntryId,
        /// The form or folder it is of, or `desk`.
        source: String,
        /// The row of the form.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        row: Option<u64>,
        /// When, as RFC 3339 in UTC; absent: that is not known.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        at: Option<String>,
        /// Whose it is.
        whose: Whose,
        /// What tells it from every other one: the same row is taken in once.
        mark: String,
    },
    /// An organiser decided something.
    Decided(Decision),
}

/// What a record says of a person: it can be removed.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Personal {
    /// A name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Addresses and numbers of membership.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub addresses: Vec<String>,
    /// A table.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub table: Option<String>,
    /// The format that an entry says.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub format: Option<String>,
    /// The time as the form wrote it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub time: Option<String>,
    /// The file that holds the deck, as the form names it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// Why there is no deck that can be read, where that is not the deck's own fault.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unfit: Option<String>,
    /// Other columns of the form, by their names.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub carried: Vec<(String, String)>,
    /// What an organiser wrote: why, or what for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub words: Option<String>,
}

/// What is to be kept of something that happened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Happening {
    /// What.
    pub fact: Fact,
    /// What it says of a person.
    pub personal: Personal,
    /// A deck's bytes.
    pub deck: Option<Vec<u8>>,
}

impl From<Fact> for Happening {
    fn from(fact: Fact) -> Happening {
        Happening {
            fact,
            personal: Personal::default(),
            deck: None,
        }
    }
}

impl From<Decision> for Happening {
    fn from(decision: Decision) -> Happening {
        Fact::Decided(decision).into()
    }
}

impl Happening {
    /// The same with words of an organiser.
    #[must_use]
    pub fn saying(mut self, words: Option<String>) -> Happening {
        self.personal.words = words;
        self
    }
}

/// Who does something, and by which form.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct By {
    /// Who: an organiser by name, `player`, or `import`.
    pub who: String,
    /// What tells the form from every other one that was ever shown: what is sent by it twice, as
    /// where an answer was lost on its way, is carried out once.
    pub form: Option<String>,
}

impl<W: AsRef<str> + ?Sized> From<&W> for By {
    fn from(who: &W) -> By {
        By {
            who: who.as_ref().to_owned(),
            form: None,
        }
    }
}

/// Something that happened, as it is kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Record {
    /// From 1 on.
    pub number: i64,
    /// When it was written, RFC 3339 in UTC.
    pub at: String,
    /// Who did it: an organiser by name, `player`, or `import`.
    pub who: String,
    /// The form by which it was sent, where that must not be carried out twice.
    pub form: Option<String>,
    /// What happened.
    pub fact: Fact,
    /// What it says of a person; `None`: that was removed.
    pub personal: Option<Personal>,
    /// A deck's bytes.
    pub deck: Option<Vec<u8>>,
}
