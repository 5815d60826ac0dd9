//! What a setup asks of people, with the decisions that are allowed now.

use crate::matches::error::MatchError;
use crate::matches::log::decision::{Decision, HandChoice, Pending, SwappedCards};
use crate::matches::random::below;
use crate::matches::seat::SeatId;
use serde::Serialize;

/// A decision that is asked for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Prompt {
    /// Who decides; `None`: the table.
    pub seat: Option<SeatId>,
    /// What is asked, without a question mark.
    pub text: String,
    /// What can be decided.
    pub options: Vec<PromptOption>,
    /// Whether all who are asked decide before anybody sees what another's decision does: where
    /// people sit apart, a decision is kept back until then.
    pub secret: bool,
}

/// One way to decide.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PromptOption {
    /// What it is, for people.
    pub text: String,
    /// What is recorded.
    #[serde(flatten)]
    pub action: Action,
    /// The cards that are chosen with it, list by list.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub cards: Vec<CardChoice>,
}

/// What an option records.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Action {
    /// This decision, with the cards that are chosen.
    Decision(Decision),
    /// A commitment to this choice: see [`SealedChoice`](super::spec::SealedChoice).
    Seal(String),
}

/// Cards that are chosen with an option.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct CardChoice {
    /// What is asked, for people.
    pub text: String,
    /// Where the cards are recorded.
    pub field: CardField,
    /// Just this number; any number without one.
    pub count: Option<usize>,
    /// What can be chosen: ids with names.
    pub of: Vec<(String, String)>,
}

/// Where a decision records chosen cards.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum CardField {
    /// In `bottom`, in the order in which they are chosen.
    Bottom,
    /// In `out` of a section, ascending.
    Out(String),
    /// In `in` of a section, ascending.
    In(String),
}

impl Prompt {
    pub(super) fn of(pending: &Pending, text: impl Into<String>) -> Prompt {
        Prompt { seat: pending.seat(), text: text.into(), options: Vec::new(), secret: false }
    }

    pub(super) fn with(mut self, options: impl IntoIterator<Item = PromptOption>) -> Prompt {
        self.options.extend(options);
        self
    }

    /// An option and its cards, taken by chance: `words` are random. `None` where nothing can be
    /// decided, or the cards would have to be chosen with care.
    pub fn by_chance(
        &self,
        words: &mut impl Iterator<Item = u32>,
    ) -> Option<(&PromptOption, Vec<Vec<String>>)> {
        let at = below(words, u32::try_from(self.options.len()).ok()?);
        let option = self.options.get(at as usize)?;
        let chosen = option.cards.iter().map(|choice| {
            // Where any number may be chosen, none is.
            let mut ids: Vec<String> = choice.of.iter().map(|(id, _)| id.clone()).collect();
            crate::matches::random::shuffle(&mut ids, words);
            ids.truncate(choice.count.unwrap_or_default());
            ids
        });
        let chosen = chosen.collect();
        Some((option, chosen))
    }
}

impl PromptOption {
    pub(super) fn new(text: impl Into<String>, decision: Decision) -> PromptOption {
        PromptOption { text: text.into(), action: Action::Decision(decision), cards: Vec::new() }
    }

    /// The decision with the cards that are chosen for each list; `None`: a choice to seal.
    pub fn decided(&self, chosen: &[Vec<String>]) -> Option<Decision> {
        let Action::Decision(mut decision) = self.action.clone() else {
            return None;
        };
        for (list, ids) in self.cards.iter().zip(chosen) {
            let mut ids = ids.clone();
            match (&mut decision, &list.field) {
                (
                    Decision::Mulligan { choice: HandChoice::Keep { bottom }, .. },
                    CardField::Bottom,
                ) => *bottom = ids,
                (Decision::Swap { sections, .. }, CardField::Out(section)) => {
                    ids.sort_unstable();
                    sections.entry(section.clone()).or_default().out = ids;
                }
                (Decision::Swap { sections, .. }, CardField::In(section)) => {
                    ids.sort_unstable();
                    sections.entry(section.clone()).or_default().r#in = ids;
                }
                _ => (),
            }
        }
        if let Decision::Swap { sections, .. } = &mut decision {
            sections.retain(|_, cards| *cards != SwappedCards::default());
        }
        Some(decision)
    }
}

impl CardChoice {
    /// The ids of cards by their places in the list, from 0.
    ///
    /// # Errors
    /// A number that is not in the list or is there twice, or not the number of cards that is asked
    /// for.
    pub fn ids(&self, numbers: &[usize]) -> Result<Vec<String>, MatchError> {
        let wrong = |what: String| Err(MatchError::refused(what));
        let mut ids = Vec::new();
        for number in numbers {
            match self.of.get(*number) {
                None => return wrong(format!("there is no card {number}: cards count from 0")),
                Some((id, _)) if ids.contains(id) => {
                    return wrong(format!("card {number} is named twice"));
                }
                Some((id, _)) => ids.push(id.clone()),
            }
        }
        match self.count {
            Some(count) if count != ids.len() => {
                wrong(format!("{}: choose {count}, not {}", self.text, ids.len()))
            }
            _ => Ok(ids),
        }
    }
}
