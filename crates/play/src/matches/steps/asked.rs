//! What a setup asks of people, in words, with the answers that it takes.

use crate::matches::error::{MatchError, MatchErrorKind};
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
    /// Whether all who are asked answer before anybody is shown what another's answer makes: where
    /// people sit apart, an answer is kept back until then.
    pub blind: bool,
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
    /// The choice that must be sealed: its decisions are those of
    /// [`Sealed`](super::spec::Sealed).
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

impl Question {
    /// The answer that a typed line means, by its number from 1 or its first word, and the
    /// words behind it.
    ///
    /// # Errors
    /// What can be typed.
    pub fn read(&self, line: &str) -> Result<(&Answer, Vec<String>), MatchError> {
        let mut words = line.split_whitespace();
        let first = words.next().unwrap_or_default();
        let number = first.parse::<usize>().ok();
        let by_number = number.and_then(|number| self.answers.get(number.checked_sub(1)?));
        let says = |answer: &&Answer| {
            let mut told = answer.told.split_whitespace();
            told.next()
                .is_some_and(|word| word.trim_end_matches(':') == first)
        };
        let mut by_word = self.answers.iter().filter(says);
        let whole = self
            .answers
            .iter()
            .find(|answer| answer.told == line.trim());
        let answer = match (by_number.or(whole), by_word.next(), by_word.next()) {
            (Some(answer), _, _) | (None, Some(answer), None) => answer,
            _ => {
                let most = self.answers.len();
                return Err(MatchErrorKind::Decision
                    .refused(format!("type the number of an answer, 1 to {most}")));
            }
        };
        let more: Vec<String> = words.map(str::to_owned).collect();
        match more.is_empty() || !answer.cards.is_empty() {
            true => Ok((answer, more)),
            // Words of the answer itself are no cards.
            false if answer.told == line.trim() => Ok((answer, Vec::new())),
            false => Err(MatchErrorKind::Decision.refused("nothing is named with this answer")),
        }
    }
}

impl Named {
    /// The ids of the cards that typed words mean: their numbers in the list, from 0.
    ///
    /// # Errors
    /// A number that is not in the list or stands twice, or not as many as are wanted.
    pub fn ids(&self, words: &[String]) -> Result<Vec<String>, MatchError> {
        let wrong = |what: String| Err(MatchErrorKind::Decision.refused(what));
        let mut ids = Vec::new();
        for word in words {
            let card = word.parse().ok().and_then(|at: usize| self.of.get(at));
            match card {
                None => return wrong("the cards are counted from 0".to_owned()),
                Some((id, _)) if ids.contains(id) => {
                    return wrong(format!("card {word} is named twice"));
                }
                Some((id, _)) => ids.push(id.clone()),
            }
        }
        match self.count {
            Some(count) if count != ids.len() => {
                let named = ids.len();
                wrong(format!("{}: {count} must be named, not {named}", self.told))
            }
            _ => Ok(ids),
        }
    }
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
