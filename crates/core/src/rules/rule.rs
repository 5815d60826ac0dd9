//! A rule of a format, and what it says of a deck.

use super::{Constraint, Contents, Violation};
use serde::{Deserialize, Serialize};
use std::fmt;

/// What breaking a rule means.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Severity {
    /// The deck is not legal.
    #[default]
    Error,
    /// Advice is not followed; the deck stays legal.
    Warning,
    /// Something that could not be verified.
    Notice,
}

impl Severity {
    /// The word for it.
    pub fn word(self) -> &'static str {
        match self {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Notice => "notice",
        }
    }
}

impl fmt::Display for Severity {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.word())
    }
}

/// A rule of a format, ready to judge.
#[derive(Debug)]
pub struct Rule {
    /// Its id.
    pub id: String,
    /// Its kind: as a format file names it, or for rules of every game and of a banlist, their
    /// id. The id of another rule says nothing about its kind.
    pub kind: &'static str,
    /// What breaking it means.
    pub severity: Severity,
    /// The section of the rules text that says so; empty for rules of every game.
    pub source: String,
    /// What it demands, in the format file's words.
    pub about: String,
    /// Why, a clause that stands behind what is wrong.
    pub because: Option<String>,
    /// What is said in place of its own words: of what is wrong, and of what to do about it.
    pub says: [Option<String>; 2],
    /// The byte of the game's file at which its id stands; 0 for rules that stand in none.
    pub place: usize,
    /// The demand.
    pub constraint: Box<dyn Constraint>,
}

impl Rule {
    /// Whether a deck must meet it; where `advice` says so, advice too.
    pub fn counts(&self, advice: bool) -> bool {
        match self.severity {
            Severity::Error => true,
            Severity::Warning => advice,
            Severity::Notice => false,
        }
    }

    /// What a deck's contents break of it, or what could not be verified of them.
    pub fn judge(&self, contents: &Contents<'_>) -> Vec<Violation> {
        let mut found = Vec::new();
        self.constraint.judge(contents, &mut found);
        found
    }

    /// What it demands, in its constraint's words, a sentence.
    pub fn demand(&self) -> String {
        self.constraint.demand()
    }
}

/// A violation and the rule it breaks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Judgement {
    /// Index into [`crate::format::Rulebook::rules`].
    pub rule: usize,
    /// What is wrong.
    pub violation: Violation,
}
