//! Options and settings: the values that are chosen and given.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt;

/// The value of an option, or of a registered field of a card.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(untagged)]
pub enum Choice {
    /// On or off.
    Flag(bool),
    /// A whole number.
    Number(i64),
    /// A word.
    Word(String),
}

impl Choice {
    /// The value that a person typed.
    ///
    /// ```
    /// use decklaw_play::matches::Choice;
    /// assert_eq!(Choice::parse("true"), Choice::Flag(true));
    /// assert_eq!(Choice::parse("3"), Choice::Number(3));
    /// assert_eq!(Choice::parse("soda"), Choice::Word("soda".to_owned()));
    /// ```
    pub fn parse(text: &str) -> Choice {
        match (text, text.parse()) {
            ("true", _) => Choice::Flag(true),
            ("false", _) => Choice::Flag(false),
            (_, Ok(number)) => Choice::Number(number),
            (_, Err(_)) => Choice::Word(text.to_owned()),
        }
    }
}

impl fmt::Display for Choice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Choice::Flag(flag) => flag.fmt(f),
            Choice::Number(number) => number.fmt(f),
            Choice::Word(word) => word.fmt(f),
        }
    }
}

/// Every option of a match with its value.
pub type Options = BTreeMap<String, Choice>;

/// Settings that were given.
pub type Settings = BTreeMap<String, i64>;

/// A condition on options: each of these has one of its values.
#[derive(Debug, Clone, Default, Deserialize, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(transparent)]
pub struct When(BTreeMap<String, Vec<Choice>>);

impl When {
    /// Each option that is asked for, with the values that meet the condition.
    pub fn conditions(&self) -> impl Iterator<Item = (&String, &Vec<Choice>)> {
        self.0.iter()
    }

    /// Whether it holds wherever another condition does.
    pub(super) fn holds_with(&self, other: &When) -> bool {
        let is_met = |(option, values): (&String, &Vec<Choice>)| {
            let others = other.0.get(option);
            others.is_some_and(|others| others.iter().all(|value| values.contains(value)))
        };
        self.0.iter().all(is_met)
    }

    /// Whether the options meet the condition.
    pub fn holds(&self, options: &Options) -> bool {
        let meets = |(option, values): (&String, &Vec<Choice>)| {
            options.get(option).is_some_and(|value| values.contains(value))
        };
        self.0.iter().all(meets)
    }
}
