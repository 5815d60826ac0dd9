//! What a game is made of, before any file or rule: its sections, settings and numbers.

mod term;

pub use term::Term;

/// A section of a game's decks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Section {
    /// Its id.
    pub id: String,
    /// What messages call it.
    pub name: String,
    /// Whether it is shuffled to play.
    pub shuffled: bool,
}

/// The value of a setting.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
#[serde(untagged)]
pub enum SettingValue {
    /// A whole number.
    Number(i64),
    /// One of the setting's words.
    Word(String),
}

impl std::fmt::Display for SettingValue {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            SettingValue::Number(number) => number.fmt(out),
            SettingValue::Word(word) => out.write_str(word),
        }
    }
}

/// The files of a game's folder that may hold its cards; of several, the first of these.
pub const CARD_FILES: [&str; 2] = ["cards.csv", "cards.json"];

/// A setting that every game has: what an unknown card is, an `error` or a `notice`.
pub const UNKNOWN: &str = "unknown";
