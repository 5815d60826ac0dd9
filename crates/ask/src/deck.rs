//! A question's deck: its text, read.

use crate::library::{JudgeEntry, JudgeOptions, Library, ListChoice};
use decklaw_decks::deck::{Input, OpenedDeck, settings_apart};
use decklaw_judge::judge::ReadDeck;
use decklaw_judge::resolve::Resolved;
use decklaw_text::{Problem, ProblemKind};
use jiff::civil::Date;
use serde::de::{Deserializer, Error as _, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Serialize, Serializer};
use serde_json::value::RawValue;
use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

/// A deck as a question has it: text, a JSON object, whose members keep their order, or a file that
/// was opened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DeckText {
    /// Text of any kind.
    Text(String),
    /// A JSON object, as text.
    Object(String),
    /// A file: its text, what it is written in, and what is to be known of it. In JSON its text.
    Opened(Box<OpenedDeck<'static>>),
}

impl Default for DeckText {
    fn default() -> DeckText {
        DeckText::Text(String::new())
    }
}

impl<T: Into<String>> From<T> for DeckText {
    fn from(text: T) -> DeckText {
        DeckText::Text(text.into())
    }
}

impl DeckText {
    /// A file that was opened.
    pub fn opened(opened: OpenedDeck<'static>) -> DeckText {
        DeckText::Opened(Box::new(opened))
    }

    /// Whether there is no text at all.
    pub fn is_empty(&self) -> bool {
        matches!(self, DeckText::Text(text) if text.is_empty())
    }

    /// The text, and what it is written in where that is known.
    pub(crate) fn bytes(&self) -> (&[u8], Option<Input>) {
        match self {
            DeckText::Text(text) => (text.as_bytes(), None),
            DeckText::Object(text) => (text.as_bytes(), Some(Input::Json)),
            DeckText::Opened(opened) => (&opened.source, Some(opened.input)),
        }
    }

    /// The JSON object.
    pub(crate) fn object(&self) -> Option<&str> {
        match self {
            DeckText::Object(text) => Some(text),
            DeckText::Text(_) | DeckText::Opened(_) => None,
        }
    }
}

impl Serialize for DeckText {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        match self {
            DeckText::Text(text) => to.serialize_str(text),
            DeckText::Object(text) => {
                let object: &RawValue =
                    serde_json::from_str(text).map_err(serde::ser::Error::custom)?;
                object.serialize(to)
            }
            DeckText::Opened(opened) => to.serialize_str(&String::from_utf8_lossy(&opened.source)),
        }
    }
}

impl<'de> Deserialize<'de> for DeckText {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<DeckText, D::Error> {
        struct Deck;
        impl<'de> Visitor<'de> for Deck {
            type Value = DeckText;
            fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
                out.write_str("a deck: a text or an object")
            }
            fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<DeckText, E> {
                Ok(DeckText::Text(text.to_owned()))
            }
            fn visit_string<E: serde::de::Error>(self, text: String) -> Result<DeckText, E> {
                Ok(DeckText::Text(text))
            }
            fn visit_map<A: MapAccess<'de>>(self, members: A) -> Result<DeckText, A::Error> {
                JsonText.visit_map(members).map(|text| DeckText::Object(text.0))
            }
        }
        from.deserialize_any(Deck)
    }
}

/// JSON written again as it comes, with the order and the repetition of its members.
struct JsonText;

/// What [`JsonText`] writes.
struct JsonOutput(String);

impl<'de> Deserialize<'de> for JsonOutput {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<JsonOutput, D::Error> {
        from.deserialize_any(JsonText)
    }
}

fn json<E: serde::de::Error>(value: impl Serialize) -> Result<JsonOutput, E> {
    serde_json::to_string(&value).map(JsonOutput).map_err(E::custom)
}

impl<'de> Visitor<'de> for JsonText {
    type Value = JsonOutput;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("JSON")
    }

    fn visit_bool<E: serde::de::Error>(self, value: bool) -> Result<JsonOutput, E> {
        json(value)
    }

    fn visit_i64<E: serde::de::Error>(self, value: i64) -> Result<JsonOutput, E> {
        json(value)
    }

    fn visit_u64<E: serde::de::Error>(self, value: u64) -> Result<JsonOutput, E> {
        json(value)
    }

    fn visit_f64<E: serde::de::Error>(self, value: f64) -> Result<JsonOutput, E> {
        json(value)
    }

    fn visit_str<E: serde::de::Error>(self, value: &str) -> Result<JsonOutput, E> {
        json(value)
    }

    fn visit_unit<E: serde::de::Error>(self) -> Result<JsonOutput, E> {
        json(())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<JsonOutput, A::Error> {
        let mut text = "[".to_owned();
        while let Some(JsonOutput(item)) = items.next_element()? {
            if text.len() > 1 {
                text.push(',');
            }
            text.push_str(&item);
        }
        text.push(']');
        Ok(JsonOutput(text))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<JsonOutput, A::Error> {
        let mut text = "{".to_owned();
        while let Some((name, JsonOutput(value))) = members.next_entry::<String, JsonOutput>()? {
            if text.len() > 1 {
                text.push(',');
            }
            let name = serde_json::to_string(&name).map_err(A::Error::custom)?;
            text.push_str(&name);
            text.push(':');
            text.push_str(&value);
        }
        text.push('}');
        Ok(JsonOutput(text))
    }
}

/// What a deck may be written in: the word, the reader, and a description.
pub(crate) const INPUTS: [(&str, Input, &str); 6] = [
    ("text", Input::Text, "text: decklaw's own, or a pasted list"),
    ("yaml", Input::Yaml, "YAML"),
    ("json", Input::Json, "JSON"),
    ("table", Input::Table, "a table: count, name, section"),
    ("xml", Input::Xml, "XML of Cockatrice, LackeyCCG, Magic Online or OCTGN"),
    ("ydk", Input::Ydk, "card numbers"),
];

/// The reader that a word names.
///
/// # Errors
/// An unknown word.
pub fn input(word: &str) -> Result<Input, Problem> {
    let word = match word {
        "cod" | "dek" | "o8d" => "xml",
        "csv" => "table",
        "link" => "json",
        "pasted" => "text",
        word => word,
    };
    let found = INPUTS.iter().find(|(known, ..)| *known == word);
    found.map(|(_, input, _)| *input).ok_or_else(|| {
        let known: Vec<&str> = INPUTS.iter().map(|(known, ..)| *known).collect();
        let known = decklaw_text::text::listed(&known, "and");
        Problem::new(
            ProblemKind::Query,
            format!("no decks are read as `{word}`; the kinds are {known}"),
        )
    })
}

/// A deck's text as it is read: a link is the deck in it.
#[derive(Debug)]
pub(crate) struct Source<'q> {
    pub(crate) opened: OpenedDeck<'q>,
    pub(crate) format: Option<&'q str>,
}

impl<'q> Source<'q> {
    /// The text of a question's deck.
    pub(crate) fn of(entry: &JudgeEntry, subject: Subject<'q>) -> Result<Source<'q>, Problem> {
        let input = subject.from.map(input).transpose()?.unwrap_or_default();
        let opened = match subject.deck {
            DeckText::Text(text) => {
                let opened = entry.judge.open_file(text.as_bytes(), input, subject.format);
                opened.map_err(|error| {
                    Problem::new(ProblemKind::Deck, error.message).with_help(error.help)
                })?
            }
            // Settings are no part of a deck.
            DeckText::Object(text) => match apart(text)? {
                Some((_, rest)) => OpenedDeck::plain(rest.into_bytes(), Input::Json),
                None => OpenedDeck::plain(text.as_bytes(), Input::Json),
            },
            DeckText::Opened(opened) => opened.borrowed(),
        };
        Ok(Source { opened, format: subject.format })
    }

    /// The deck, its names looked up.
    ///
    /// # Errors
    /// A text that is no deck of a known format.
    pub(crate) fn resolved(&self, entry: &JudgeEntry) -> Result<Resolved<'_>, Problem> {
        match self.read(entry)? {
            ReadDeck::Deck(resolved) => Ok(*resolved),
            ReadDeck::Unreadable { errors, .. } => {
                let each: Vec<String> = errors.iter().take(5).map(ToString::to_string).collect();
                Err(Problem::new(ProblemKind::Deck, each.join("\n")))
            }
            ReadDeck::Formatless { deck, unknown, .. } => {
                let missing = entry.judge.without_format(&deck, unknown.as_deref());
                let (message, help) = (missing.message, missing.help);
                Err(match (unknown, self.format) {
                    (Some(_), Some(_)) => Problem::new(ProblemKind::NotFound, message),
                    _ => Problem::new(ProblemKind::Deck, message).with_help(help),
                })
            }
        }
    }

    /// The deck, or why it is none.
    ///
    /// # Errors
    /// A format, card file or banlist that is wrong.
    pub(crate) fn read(&self, entry: &JudgeEntry) -> Result<ReadDeck<'_>, Problem> {
        entry.judge.read(&self.opened, self.format)
    }
}

/// The options that every question about a deck has.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Subject<'q> {
    pub(crate) deck: &'q DeckText,
    pub(crate) from: Option<&'q str>,
    pub(crate) format: Option<&'q str>,
    pub(crate) settings: &'q BTreeMap<String, String>,
    pub(crate) banlist: Option<&'q str>,
    pub(crate) as_of: Option<Date>,
}

impl Library {
    /// The judge of a question.
    ///
    /// # Errors
    /// As for [`judge_for`](Library::judge_for); settings that the format's game does not have.
    pub(crate) fn judge_of(&self, subject: Subject<'_>) -> Result<Arc<JudgeEntry>, Problem> {
        let mut settings = subject.settings.clone();
        if let Some(text) = subject.deck.object()
            && let Some((own, _)) = apart(text)?
        {
            settings.extend(own);
        }
        let list = match subject.banlist {
            None => ListChoice::InForce,
            Some("none") => ListChoice::Nothing,
            Some(id) => ListChoice::Named { id: id.to_owned(), sha256: None },
        };
        let options = JudgeOptions { settings, day: subject.as_of, list };
        self.fitting(subject.format, options)
    }
}

/// The settings of a page's deck, name to value, and the rest of it.
type Apart = (BTreeMap<String, String>, String);

/// Takes the settings out of a page's deck.
///
/// # Errors
/// Settings that are no mapping from names to texts.
pub(crate) fn apart(deck: &str) -> Result<Option<Apart>, Problem> {
    settings_apart(deck).map_err(|_| {
        Problem::new(ProblemKind::Deck, "the settings of this deck are not names with their values")
    })
}

/// The deck that was read, if it is one.
pub(crate) fn known(read: ReadDeck<'_>) -> Option<Box<Resolved<'_>>> {
    match read {
        ReadDeck::Deck(resolved) => Some(resolved),
        ReadDeck::Formatless { .. } | ReadDeck::Unreadable { .. } => None,
    }
}
