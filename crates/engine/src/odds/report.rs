//! Everything that was found for a deck, and its JSON.

use super::ask::Answer;
use super::policy::PolicyJson;
use super::{Deal, Distribution, Fraction, Mean, Policy};
use decklaw_judge::Note;
use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};

/// A probability or a distribution; `None` where the question takes more work than the limit
/// allows.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    /// The probability of a query or a path.
    Probability(Option<Fraction>),
    /// The distribution of a total.
    Total(Option<Distribution>),
}

impl From<Fraction> for Value {
    fn from(probability: Fraction) -> Value {
        Value::Probability(Some(probability))
    }
}

impl From<Distribution> for Value {
    fn from(total: Distribution) -> Value {
        Value::Total(Some(total))
    }
}

impl Value {
    /// Whether the question was not answered.
    pub fn is_refused(&self) -> bool {
        matches!(self, Value::Probability(None) | Value::Total(None))
    }

    /// `exact` or `refused`.
    pub fn method(&self) -> &'static str {
        if self.is_refused() { "refused" } else { "exact" }
    }

    /// The probability as the nearest double; `None` for totals and refused questions.
    pub fn probability(&self) -> Option<f64> {
        match self {
            Value::Probability(probability) => probability.as_ref().map(Fraction::nearest),
            Value::Total(_) => None,
        }
    }

    /// The exact probability or mean, `a/b`; `None` for refused questions.
    pub fn fraction(&self) -> Option<String> {
        match self {
            Value::Probability(probability) => probability.as_ref().map(Fraction::to_string),
            Value::Total(total) => total.as_ref().map(|total| total.mean.to_string()),
        }
    }
}

/// A value of a total in JSON.
#[derive(Serialize)]
struct Share<'a> {
    value: i64,
    #[serde(flatten)]
    probability: &'a Fraction,
}

impl Serialize for Value {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        match self {
            Value::Probability(_) => map.serialize_entry("probability", &self.probability())?,
            Value::Total(total) => {
                let mean = total.as_ref().map(|total| &total.mean);
                map.serialize_entry("mean", &mean.map(Mean::nearest))?;
                map.serialize_entry("mean_fraction", &self.fraction())?;
            }
        }
        map.serialize_entry("fraction", &self.fraction())?;
        map.serialize_entry("method", self.method())?;
        if let Value::Total(Some(total)) = self {
            let far = |value: i128| if value < 0 { i64::MIN } else { i64::MAX };
            let shares: Vec<Share<'_>> = (total.values.iter())
                .map(|(value, probability)| {
                    let value = i64::try_from(*value).unwrap_or(far(*value));
                    Share { value, probability }
                })
                .collect();
            map.serialize_entry("distribution", &shares)?;
        }
        map.end()
    }
}

/// An answer and the conditions under which it was found.
#[derive(Debug, Clone)]
pub struct ReportEntry {
    /// The preset's name.
    pub name: Option<String>,
    /// Cards of the opening hand; `None` for a path.
    pub hand: Option<u32>,
    /// The turn of a preset; `None`: in the opening hand, or after the draws.
    pub turn: Option<u32>,
    /// Cards drawn after the kept hand.
    pub draws: u32,
    /// How a hand is kept.
    pub policy: Policy,
    /// Words and values of the query that no card of the pool has, groups that no card drawn from
    /// is in, counts that are out of reach, and what helps where the question was refused.
    pub notes: Vec<Note>,
    /// Where a mulligan is in force: the probability without one. No part of the JSON.
    pub without_mulligan: Option<Fraction>,
    /// The answer.
    pub answer: Answer<Value>,
}

impl ReportEntry {
    /// Cards seen where some are drawn after the hand, bottomed ones included.
    pub fn seen(&self) -> Option<u32> {
        let hand = self.hand.filter(|_| self.draws > 0);
        hand.map(|hand| hand + self.draws)
    }

    /// When a hand is kept: `best` or a query; `None`: always.
    pub fn keep(&self) -> Option<&str> {
        self.policy.keep(&self.answer.query)
    }
}

/// Everything that was found for a deck.
#[derive(Debug, Clone)]
pub struct OddsReport {
    /// The deck as its file is named.
    pub deck: String,
    /// The number of cards drawn from.
    pub population: u32,
    /// Cards of the opening hand; `None`: neither the question nor the game has them.
    pub hand: Option<u32>,
    /// How a hand is kept.
    pub policy: Policy,
    /// The answers, in the order asked.
    pub answers: Vec<ReportEntry>,
    /// What is to be known of the deck, the section drawn from and the queries of kept and given
    /// hands.
    pub notes: Vec<Note>,
    /// Sentences on the game, for people.
    pub remarks: Vec<String>,
    /// Sample hands.
    pub deals: Vec<Deal>,
}

impl OddsReport {
    /// Whether every question was answered.
    pub fn is_complete(&self) -> bool {
        let mut answers = self.answers.iter();
        answers.all(|entry| !entry.answer.value.is_refused())
    }

    /// The answers in JSON.
    pub fn answers_json(&self) -> Vec<AnswerJson> {
        let answer = |entry: &ReportEntry| AnswerJson {
            answer: entry.answer.clone(),
            name: entry.name.clone(),
            hand: entry.hand.filter(|hand| self.hand != Some(*hand)),
            turn: entry.turn,
            seen: entry.seen(),
            policy: (entry.policy != self.policy)
                .then(|| entry.policy.to_json(&entry.answer.query)),
            notes: entry.notes.clone(),
        };
        self.answers.iter().map(answer).collect()
    }
}

/// An answer in JSON.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct AnswerJson {
    /// The query and its values.
    #[serde(flatten)]
    pub answer: Answer<Value>,
    /// The preset's name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Cards of the opening hand, where they differ from the report's.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hand: Option<u32>,
    /// The turn of a preset.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub turn: Option<u32>,
    /// Cards seen, where some are drawn after the hand.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seen: Option<u32>,
    /// How a hand is kept, where it differs from the report's.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub policy: Option<PolicyJson>,
    /// What a reader should know.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<Note>,
}

impl Serialize for OddsReport {
    /// As `decklaw/odds/1`.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut queries = self.answers.iter().filter(|entry| {
            entry.hand.is_some() && matches!(entry.answer.value, Value::Probability(_))
        });
        let goal = match (queries.next(), queries.next()) {
            (Some(only), None) => &*only.answer.query,
            _ => "the query itself",
        };
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("schema", "decklaw/odds/1")?;
        map.serialize_entry("deck", &self.deck)?;
        map.serialize_entry("population", &self.population)?;
        map.serialize_entry("hand", &self.hand)?;
        map.serialize_entry("policy", &self.policy.to_json(goal))?;
        map.serialize_entry("answers", &self.answers_json())?;
        if !self.deals.is_empty() {
            map.serialize_entry("deals", &self.deals)?;
        }
        map.serialize_entry("notes", &self.notes)?;
        map.end()
    }
}
