//! A deck as a match registers it: its cards in canonical order, and its digest.

use crate::matches::choice::Choice;
use crate::matches::error::MatchError;
use decklaw_judge::resolve::content_hash;
use decklaw_text::name::{fold, tidy};
use decklaw_text::text::escape_control;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::collections::BTreeMap;
use std::ops::Deref;
use std::sync::Arc;

/// The most cards that one deck can bring to a table: ids have three digits.
pub const MOST_CARDS: u64 = 999;

/// A deck as a match registers it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MatchDeck {
    /// The deck's title, or empty.
    pub name: String,
    /// The digest of its contents: see [`deck_hash`](decklaw_judge::resolve::deck_hash).
    pub hash: String,
    /// The sections that hold cards, each in canonical order, one line a card.
    pub sections: BTreeMap<String, Vec<Line>>,
    /// The section that is dealt from, in a deck that names its sections as it likes and has
    /// none of the name that the format deals from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dealt: Option<String>,
    /// The rules that it breaks, where it was let in all the same.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub illegal: Option<Vec<String>>,
}

/// A deck that is registered: it changes no more, and any number of matches share it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RegisteredDeck(Arc<MatchDeck>);

impl RegisteredDeck {
    /// A deck that was not judged, such as an invented one. A deck whose
    /// rules are known is registered by
    /// [`MatchRules::register`](crate::matches::MatchRules::register).
    pub fn unjudged(deck: MatchDeck) -> RegisteredDeck {
        RegisteredDeck(Arc::new(deck))
    }
}

impl Deref for RegisteredDeck {
    type Target = MatchDeck;

    fn deref(&self) -> &MatchDeck {
        &self.0
    }
}

impl Serialize for RegisteredDeck {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        (**self).serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for RegisteredDeck {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<RegisteredDeck, D::Error> {
        Ok(RegisteredDeck::unjudged(MatchDeck::deserialize(deserializer)?))
    }
}

/// A card and its copies.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Line {
    /// Copies, at least 1.
    pub count: u32,
    /// The card's name as the pool spells it.
    pub name: String,
    /// What setup needs to know of the card.
    #[serde(flatten)]
    pub records: BTreeMap<String, Choice>,
}

/// The digest of folded names and counts by section.
fn hash_of(format: &str, sections: BTreeMap<&str, Vec<(String, u32)>>) -> String {
    let sections = sections.iter();
    let sections: Vec<(&str, &[(String, u32)])> =
        sections.map(|(id, cards)| (*id, cards.as_slice())).collect();
    content_hash(format, &sections)
}

impl MatchDeck {
    /// Registers a deck for a format: lines of one name are merged, the rest is sorted.
    ///
    /// Names should be the pool's where it knows the card; of several spellings of an
    /// unknown one the smallest by code point is used.
    ///
    /// ```
    /// use decklaw_play::matches::{Line, MatchDeck};
    /// let line = |count, name: &str| ("main", Line { count, name: name.to_owned(), records: Default::default() });
    /// let deck = MatchDeck::register("shell", "Ebb", [line(2, "rain caller"), line(1, "Moss Sprite"), line(1, "Rain  Caller")]);
    /// let main = &deck.sections["main"];
    /// assert_eq!((main[0].name.as_str(), main[1].name.as_str(), main[1].count), ("Moss Sprite", "Rain Caller", 3));
    /// ```
    pub fn register<'a>(
        format: &str,
        name: &str,
        lines: impl IntoIterator<Item = (&'a str, Line)>,
    ) -> MatchDeck {
        let mut merged: BTreeMap<&str, BTreeMap<String, Line>> = BTreeMap::new();
        for (section, mut line) in lines {
            line.name = tidy(&line.name).into_owned();
            let cards = merged.entry(section).or_default();
            let folded = fold(&line.name).into_owned();
            match cards.get_mut(&folded) {
                Some(known) => {
                    known.count = known.count.saturating_add(line.count);
                    known.records.append(&mut line.records);
                    if line.name < known.name {
                        known.name = line.name;
                    }
                }
                None => {
                    cards.insert(folded, line);
                }
            }
        }
        let counted = |cards: &BTreeMap<String, Line>| -> Vec<(String, u32)> {
            let cards = cards.iter();
            cards.map(|(folded, line)| (folded.clone(), line.count)).collect()
        };
        let content = merged.iter();
        let content = content.map(|(id, cards)| (*id, counted(cards)));
        let hash = hash_of(format, content.collect());
        let sections = merged.into_iter();
        let sections = sections.map(|(id, cards)| (id.to_owned(), cards.into_values().collect()));
        MatchDeck {
            name: name.to_owned(),
            hash,
            sections: sections.collect(),
            dealt: None,
            illegal: None,
        }
    }

    /// How many cards a section holds.
    pub fn cards_in(&self, section: &str) -> u64 {
        let lines = self.sections.get(section).map_or(&[][..], Vec::as_slice);
        lines.iter().map(|line| u64::from(line.count)).sum()
    }

    /// Checks that the rules in the deck's record of broken rules are rules of its format.
    ///
    /// # Errors
    /// A rule that there is not.
    pub fn check_broken(&self, rules: &[String]) -> Result<(), MatchError> {
        let mut broken = self.illegal.iter().flatten();
        match broken.find(|rule| !rules.contains(rule)) {
            Some(rule) => {
                let rule = escape_control(rule, false);
                Err(self.wrong(format!("there is no rule `{rule}` that it could break")))
            }
            None => Ok(()),
        }
    }

    /// Whether the deck is written as [`register`](MatchDeck::register) writes one.
    ///
    /// # Errors
    /// What is not as a match file has it.
    pub fn check_form(&self, format: &str) -> Result<(), MatchError> {
        let lines = || {
            let sections = self.sections.iter();
            sections.flat_map(|(id, lines)| lines.iter().map(|line| (id.as_str(), line.clone())))
        };
        if lines().any(|(_, line)| line.count == 0 || fold(&line.name).is_empty()) {
            return Err(self.wrong("it has a line without a card".to_owned()));
        }
        let again = MatchDeck::register(format, &self.name, lines());
        if again.sections != self.sections {
            return Err(self.wrong("its cards are not in canonical order".to_owned()));
        }
        if again.hash != self.hash {
            return Err(self.wrong("its hash is not that of its cards".to_owned()));
        }
        match &self.illegal {
            Some(rules) if rules.is_empty() || !rules.is_sorted_by(|a, b| a < b) => {
                Err(self.wrong("`illegal` must list rules, sorted, each once".to_owned()))
            }
            _ => Ok(()),
        }
    }

    pub(in crate::matches) fn wrong(&self, what: String) -> MatchError {
        let title = escape_control(&self.name, false);
        MatchError::refused(format!("the deck \"{title}\": {what}"))
    }
}
