//! `if`: a rule that is asked only where the deck holds, or does not hold, some cards.

mod when;

pub(super) use when::When;

use super::demand::Cond;
use super::range::NEVER_PASSES;
use super::{
    Asking, Compile, Constraint, Contents, Failing, Linear, Reading, SectionSet, Violation,
};
use crate::pool::{CardId, Pool};
use crate::yaml::Spanned;
use serde::de::value::{MapAccessDeserializer, SeqAccessDeserializer};
use serde::{Deserialize, Deserializer, de};
use std::borrow::Cow;

/// What a deck must hold for a rule to be asked: so many cards of some sections, or any of
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
    /// At least so many; 1 where neither this nor `at-most` is given.
    #[serde(default)]
    pub at_least: Option<i64>,
    /// At most so many; 0: none.
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
             stands in the text",
        )),
        Conditions::All(_) => Err(de::Error::custom(
            "`not` takes one condition; that none of several holds is `not: {any: [one, other]}`, \
             that not all of them do is `any: [{not: one}, {not: other}]`",
        )),
    }
}

/// The conditions of a rule, all of which must hold; none: the rule is always asked.
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
        struct Visitor;
        impl<'de> de::Visitor<'de> for Visitor {
            type Value = Conditions;
            fn expecting(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                out.write_str("what a deck must hold, or a list of such conditions")
            }
            fn visit_map<A: de::MapAccess<'de>>(self, map: A) -> Result<Conditions, A::Error> {
                Condition::deserialize(MapAccessDeserializer::new(map))
                    .map(|one| Conditions::One(Box::new(one)))
            }
            fn visit_str<E: de::Error>(self, text: &str) -> Result<Conditions, E> {
                Ok(Conditions::Text(text.to_owned()))
            }
            fn visit_seq<A: de::SeqAccess<'de>>(self, all: A) -> Result<Conditions, A::Error> {
                Vec::deserialize(SeqAccessDeserializer::new(all)).map(Conditions::All)
            }
        }
        deserializer.deserialize_any(Visitor)
    }
}

impl Conditions {
    /// A demand with these conditions; the demand itself where there are none. `told`: the rule
    /// says itself why it is asked.
    pub(crate) fn around(
        &self,
        demand: Box<dyn Constraint>,
        told: bool,
        with: &mut Compile<'_>,
    ) -> Box<dyn Constraint> {
        match When::compile(self, with) {
            None => demand,
            Some(when) => Box::new(Conditional { when, told, demand }),
        }
    }
}

/// A demand on decks that hold, or do not hold, some cards.
#[derive(Debug)]
pub(super) struct Conditional {
    when: When,
    told: bool,
    demand: Box<dyn Constraint>,
}

impl Conditional {
    /// The cards of a deck that make it be asked, for a message: ` (because of …)`, or nothing.
    #[cold]
    fn because(&self, contents: &Contents<'_>) -> String {
        const MOST_NAMED: usize = 3;
        let cards = match self.told {
            true => Vec::new(),
            false => self.when.named(contents),
        };
        if cards.is_empty() || cards.len() > MOST_NAMED {
            return String::new();
        }
        let names = cards
            .iter()
            .map(|card| format!("`{}`", contents.name(*card)));
        let names: Vec<String> = names.collect();
        format!(" (because of {})", crate::text::listed(&names, "and"))
    }
}

impl Constraint for Conditional {
    fn judge(&self, contents: &Contents<'_>, found: &mut Vec<Violation>) {
        match self.when.holds(contents) {
            Some(false) => {}
            Some(true) => {
                let before = found.len();
                self.demand.judge(contents, found);
                let new = found[before..].iter_mut();
                let broken = |new: &&mut Violation| new.failing != Failing::Unverified;
                for violation in new.filter(broken) {
                    violation.message += &self.because(contents);
                }
            }
            None => {
                let mut would = Vec::new();
                self.demand.judge(contents, &mut would);
                if let Some(first) = would.into_iter().next() {
                    let message = match first.failing {
                        Failing::Unverified => first.message,
                        _ => format!(
                            "not verified: whether {} depends on unknown cards; if so, {}",
                            self.when.words(),
                            first.message
                        ),
                    };
                    found.push(Violation {
                        for_strangers: first.failing != Failing::Unverified || first.for_strangers,
                        failing: Failing::Unverified,
                        message,
                        ..first
                    });
                }
            }
        }
    }

    fn demand(&self) -> String {
        let demand = crate::text::begun_small(&self.demand.demand());
        format!("If {}: {demand}", self.when.words())
    }

    fn counted(&self, contents: &Contents<'_>) -> Vec<CardId> {
        self.demand.counted(contents)
    }

    fn cond(&self, of: &Linear<'_>) -> Cow<'_, Cond> {
        let demand = self.demand.cond(of).into_owned();
        Cow::Owned(demand.unless(self.when.ways_not_to_hold()))
    }

    fn meter(&self, contents: &Contents<'_>) -> Option<Reading> {
        match self.when.holds(contents) {
            Some(true) => self.demand.meter(contents),
            Some(false) | None => None,
        }
    }

    fn full(&self, contents: &Contents<'_>, full: SectionSet) -> SectionSet {
        match self.when.stays() && self.when.holds(contents) == Some(true) {
            true => self.demand.full(contents, full),
            false => SectionSet::default(),
        }
    }

    fn filled_in(&self) -> Option<SectionSet> {
        self.demand.filled_in().filter(|_| self.when.stays())
    }

    fn heads(&self) -> SectionSet {
        self.demand.heads()
    }

    fn idle(&self, pool: &Pool) -> Option<String> {
        match self.when.never(pool) {
            Some(words) => Some(format!("{words} never holds, so this can never fail")),
            // Decks of which nothing is asked pass.
            None => {
                let why = self.demand.idle(pool);
                why.filter(|why| !why.ends_with(NEVER_PASSES))
            }
        }
    }

    fn doubt(&self, pool: &Pool) -> Option<String> {
        self.demand.doubt(pool)
    }

    fn conditions(&self) -> Vec<Asking> {
        let mut all = self.when.each();
        all.extend(self.demand.conditions());
        all
    }
}
