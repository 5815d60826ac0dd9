//! What programs call a finding: how bad it is, the kind of its rule, and what is wrong by it. No word ever
//! changes its meaning.

#![warn(missing_docs)]

use serde::de::{self, Deserializer};
use serde::{Deserialize, Serialize, Serializer};
use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;

/// What breaking a rule means.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Serialize, Deserialize)]
#[cfg_attr(any(test, feature = "schemas"), derive(schemars::JsonSchema))]
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

/// What is wrong, whatever the kind of the rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Fault {
    /// More than there may be.
    TooMany,
    /// Fewer than there must be.
    TooFew,
    /// A card that the section does not take.
    Refused,
    /// A card in two sections that may be in one only.
    InBoth,
    /// A card that is not where it must be, too.
    Absent,
    /// A card that is better left out.
    Unwise,
    /// A card that another one does not permit.
    Forbidden,
    /// A card whose word is not among those that it must match.
    Mismatched,
    /// A name that no card has.
    NotInPool,
    /// Nobody gave a number that the rules text leaves open.
    Unset,
    /// The card file lacks what the rule asks.
    Unverified,
    /// The format has no rules.
    NoRules,
    /// A blank line that may begin another section.
    BlankLine,
    /// A place that cannot be read, or a file that is no deck.
    Unreadable,
    /// No format is named, or an unknown one.
    NoFormat,
    /// The deck names another format than the one that it is judged by.
    OtherFormat,
    /// A list that was named is judged by outside its days.
    OutOfForce,
    /// Names that look alike and are two cards.
    Lookalike,
    /// How the file came to be text.
    Recoded,
    /// What a file has and its deck has not.
    LeftOut,
    /// A line that is read as several cards.
    Split,
    /// The list says something else of it than the card file.
    Changed,
    /// No card is in it.
    NoCards,
    /// The work limit ended a search.
    Limit,
    /// A choice or an explanation that the work limit ended.
    CutShort,
    /// A query asks for something that no card has.
    NoSuchWord,
}

impl Fault {
    /// All of them.
    pub const ALL: [Fault; 26] = [
        Fault::TooMany,
        Fault::TooFew,
        Fault::Refused,
        Fault::InBoth,
        Fault::Absent,
        Fault::Unwise,
        Fault::Forbidden,
        Fault::Mismatched,
        Fault::NotInPool,
        Fault::Unset,
        Fault::Unverified,
        Fault::NoRules,
        Fault::BlankLine,
        Fault::Unreadable,
        Fault::NoFormat,
        Fault::OtherFormat,
        Fault::OutOfForce,
        Fault::Lookalike,
        Fault::Recoded,
        Fault::LeftOut,
        Fault::Split,
        Fault::Changed,
        Fault::NoCards,
        Fault::Limit,
        Fault::CutShort,
        Fault::NoSuchWord,
    ];

    /// The word for it.
    pub fn word(self) -> &'static str {
        match self {
            Fault::TooMany => "too-many",
            Fault::TooFew => "too-few",
            Fault::Refused => "refused",
            Fault::InBoth => "in-both",
            Fault::Absent => "absent",
            Fault::Unwise => "unwise",
            Fault::Forbidden => "forbidden",
            Fault::Mismatched => "mismatched",
            Fault::NotInPool => "not-in-pool",
            Fault::Unset => "unset",
            Fault::Unverified => "unverified",
            Fault::NoRules => "no-rules",
            Fault::BlankLine => "blank-line",
            Fault::Unreadable => "unreadable",
            Fault::NoFormat => "no-format",
            Fault::OtherFormat => "other-format",
            Fault::OutOfForce => "out-of-force",
            Fault::Lookalike => "lookalike",
            Fault::Recoded => "recoded",
            Fault::LeftOut => "left-out",
            Fault::Split => "split",
            Fault::Changed => "changed",
            Fault::NoCards => "no-cards",
            Fault::Limit => "limit",
            Fault::CutShort => "cut-short",
            Fault::NoSuchWord => "no-such-word",
        }
    }
}

/// A finding's code: `copies.too-many`, `size.too-few`, `unknown-card.not-in-pool`.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Code {
    /// The kind of the rule, `deck` of what is
    /// found before any rule is asked.
    pub kind: Cow<'static, str>,
    /// What is wrong.
    pub fault: Fault,
}

impl Code {
    /// The code of a kind of rule.
    pub fn new(kind: &'static str, fault: Fault) -> Code {
        let kind = Cow::Borrowed(kind);
        Code { kind, fault }
    }

    /// A finding about how a deck is written.
    pub fn of_deck(fault: Fault) -> Code {
        Code::new("deck", fault)
    }
}

impl fmt::Display for Code {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}.{}", self.kind, self.fault.word())
    }
}

impl FromStr for Code {
    type Err = String;

    /// # Errors
    /// A text that is no code, with the text.
    fn from_str(text: &str) -> Result<Code, String> {
        let parts = text.rsplit_once('.');
        let code = parts.and_then(|(kind, word)| {
            let fault = Fault::ALL.into_iter().find(|fault| fault.word() == word)?;
            let kind = Cow::Owned(kind.to_owned());
            Some(Code { kind, fault })
        });
        code.ok_or_else(|| format!("`{text}` is not a code"))
    }
}

impl Serialize for Code {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Code {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Code, D::Error> {
        let text = <Cow<'_, str>>::deserialize(deserializer)?;
        text.parse().map_err(de::Error::custom)
    }
}
