//! What a setup asks of people, in words, with the answers that it takes.

use crate::matches::seat::SeatId;
use serde_json::{Map, Value, json};

/// Something that is asked of people.
#[derive(Debug, Clone, PartialEq)]
pub struct Question {
    /// Who answers; `None`: the table.
    pub seat: Option<SeatId>,
    /// What is asked, without a mark of interrogation.
    pub text: String,
    /// What can be answered, in the order in which it is listed.
    pub answers: Vec<Answer>,
}

/// One way to answer.
#[derive(Debug, Clone, PartialEq)]
pub struct Answer {
    /// What it is, for people to read.
    pub told: String,
    /// The decision, as far as the answer makes it.
    pub decision: Value,
    /// What must be named besides, one after another.
    pub cards: Vec<Named>,
    /// The choice that must be sealed: its decision is made by
    /// [`spec_commitment`](super::spec::spec_commitment).
    pub sealed: Option<String>,
}

/// Cards that are named with an answer.
#[derive(Debug, Clone, PartialEq)]
pub struct Named {
    /// What is asked, for people to read.
    pub told: String,
    /// Where the list of ids stands in the decision: a field, or a field of a field.
    pub at: Vec<String>,
    /// Just so many; any number without one.
    pub count: Option<usize>,
    /// What can be named: ids with names.
    pub of: Vec<(String, String)>,
    /// Whether ids are listed in ascending order; otherwise as they are named.
    pub ascending: bool,
}

impl Answer {
    /// An answer that is a whole decision.
    pub fn whole(told: impl Into<String>, decision: Value) -> Answer {
        Answer {
            told: told.into(),
            decision,
            cards: Vec::new(),
            sealed: None,
        }
    }

    /// The decision with the ids that were named for each list, in the order of `cards`. What
    /// would hold nothing but empty lists is left out.
    pub fn decided(&self, named: &[Vec<String>]) -> Value {
        let mut decision = self.decision.clone();
        for (cards, ids) in self.cards.iter().zip(named) {
            let mut ids = ids.clone();
            if cards.ascending {
                ids.sort_unstable();
            }
            let mut place = &mut decision;
            for field in &cards.at {
                if !place.is_object() {
                    *place = Value::Object(Map::new());
                }
                place = &mut place[field.as_str()];
            }
            *place = json!(ids);
        }
        if let Some(fields) = decision.as_object_mut() {
            let hollow = |value: &Value| {
                let lists = value.as_object().filter(|lists| !lists.is_empty());
                let empty = |list: &Value| list.as_array().is_some_and(Vec::is_empty);
                lists.is_some_and(|lists| lists.values().all(empty))
            };
            fields.retain(|_, value| !hollow(value));
        }
        decision
    }
}
