//! `if`: a rule, or a part of a sum, that is asked only where the deck holds, or does not hold,
//! some cards.

use super::Compile;
use super::language;
use super::tree::{Cond, Leaf, Num};
use super::written::RawValue;
use decklaw_text::yaml::Spanned;
use serde::{Deserialize, Deserializer, de};

/// What a deck must hold for a rule to be asked: a number of cards of some sections, or any of
/// several such conditions.
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Condition {
    /// The sections whose copies are counted, together.
    #[serde(default)]
    pub sections: Vec<Spanned<String>>,
    /// A card query: which cards count; all without one.
    #[serde(default)]
    pub cards: Option<Spanned<String>>,
    /// The fewest; 1 where neither this nor `at-most` is given.
    #[serde(default)]
    pub at_least: Option<i64>,
    /// The most; 0: none.
    #[serde(default)]
    pub at_most: Option<i64>,
    /// Any of these, in place of all else.
    #[serde(default)]
    pub any: Vec<Condition>,
    /// That this does not hold, in place of all else.
    #[serde(default, deserialize_with = "negated")]
    pub not: Option<Box<Condition>>,
}

/// The one condition of a `not`. A list there may mean either of two things.
fn negated<'de, D: Deserializer<'de>>(of: D) -> Result<Option<Box<Condition>>, D::Error> {
    match Conditions::deserialize(of)? {
        Conditions::One(one) => Ok(Some(one)),
        Conditions::None => Ok(None),
        Conditions::Text(_) => Err(de::Error::custom(
            "`not` takes a condition with `sections`; in the language of demands `not` \
             is part of the text",
        )),
        Conditions::All(_) => Err(de::Error::custom(
            "`not` takes one condition; that none of several holds is `not: {any: [one, other]}`, \
             that not all of them do is `any: [{not: one}, {not: other}]`",
        )),
    }
}

/// The conditions of a rule; all must hold. None: the rule is always asked.
#[derive(Debug, Clone, Default)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[cfg_attr(test, schemars(untagged))]
pub enum Conditions {
    /// No condition.
    #[default]
    None,
    /// One.
    One(Box<Condition>),
    /// All of these.
    All(Vec<Condition>),
    /// A condition in the language of demands, such as `leader [name:Ember] and 2+ main`.
    Text(String),
}

impl<'de> Deserialize<'de> for Conditions {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Conditions, D::Error> {
        match RawValue::deserialize(deserializer)? {
            RawValue::Map(one) => Ok(Conditions::One(Box::new(one))),
            RawValue::Text(text) => Ok(Conditions::Text(text)),
            RawValue::List(all) => Ok(Conditions::All(all)),
            RawValue::Number(_) => Err(de::Error::custom(
                "expected what a deck must hold, or a list of such conditions",
            )),
        }
    }
}

/// What conditions mean; all of them must hold.
pub(crate) fn compiled(terms: &Conditions, with: &mut Compile<'_>) -> Vec<Cond> {
    match terms {
        Conditions::None => Vec::new(),
        Conditions::One(one) => vec![one.compile(with)],
        Conditions::All(all) => all.iter().map(|one| one.compile(with)).collect(),
        Conditions::Text(text) => vec![language::condition(text, with)],
    }
}

/// Conditions that must all hold, a clause.
pub(super) fn clause(all: &[Cond]) -> String {
    let words: Vec<String> = all.iter().map(|cond| cond.clause(false)).collect();
    words.join(" and ")
}

impl Condition {
    fn compile(&self, with: &mut Compile<'_>) -> Cond {
        let said = !self.sections.is_empty();
        if let Some(not) = &self.not {
            if said || self.cards.is_some() || !self.any.is_empty() {
                let message = "`not` must be the only key of an `if`: put what else must hold next to it in a list";
                with.refuse(message.to_owned(), with.rule);
            }
            return not.compile(with).negated();
        }
        match (said, self.any.as_slice()) {
            (true, []) => self.of_cards(with),
            (false, [_, ..]) => Cond::Any(self.any.iter().map(|part| part.compile(with)).collect()),
            _ => {
                let message =
                    "an `if` needs `sections` and what they hold, or a list of such under `any`";
                with.refuse(message.to_owned(), with.rule);
                Cond::always()
            }
        }
    }

    /// What counts cards of the deck.
    fn of_cards(&self, with: &mut Compile<'_>) -> Cond {
        let sections = with.section_set(&self.sections);
        let low = match (self.at_least, self.at_most) {
            (None, None) => Some(1),
            (low, _) => low,
        };
        let num = Leaf::of_cards(self.cards.as_ref(), sections, with).num();
        Cond::Within(num, low.map(Num::Const), self.at_most.map(Num::Const))
    }
}

/// A condition on which a rule, or a part of it, is asked.
#[derive(Debug, Clone)]
pub struct RuleCondition {
    /// What must hold, a clause.
    pub words: String,
    /// The same, to be asked of decks.
    pub cond: Cond,
    /// Whether all of the demand is asked on it, and not a part alone.
    pub of_all: bool,
}
