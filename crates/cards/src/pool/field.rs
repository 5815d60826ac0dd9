//! The fields of a card and what their cells may hold.

use decklaw_text::name::fold;
use std::borrow::Cow;

/// What a field holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FieldKind {
    /// Free text.
    Text,
    /// One word: of `values`, or any other where `open`.
    Word {
        /// The words known, folded, each with the spellings that mean it.
        values: Vec<Value>,
        /// Whether other words are allowed too.
        open: bool,
    },
    /// A list of words, separated by `;`; as for [`FieldKind::Word`].
    List {
        /// The words known; none: any.
        values: Vec<Value>,
    },
    /// A whole number within bounds.
    Number {
        /// The smallest allowed.
        min: i64,
        /// The largest allowed.
        max: i64,
    },
    /// A card query that says which cards the card permits.
    Query,
}

/// A word of a field and its other spellings.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Value {
    /// The word itself, folded: so it is compared.
    pub word: String,
    /// How it is written for people.
    pub written: String,
    /// Other spellings of it, folded.
    pub aliases: Vec<String>,
}

impl Value {
    /// A word without other spellings, as it is written.
    pub fn new(written: &str) -> Value {
        Value { word: fold(written).into_owned(), written: written.to_owned(), aliases: Vec::new() }
    }
}

/// A field of a game's cards.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Field {
    /// The column's name.
    pub name: String,
    /// What a cell may hold.
    pub kind: FieldKind,
}

impl Field {
    /// A cell's text as this field's kind means it: a known word in its own spelling, any
    /// other word folded, free text and queries as they are. `None`: the word is not allowed.
    pub fn canonical<'c>(&self, cell: &'c str) -> Option<Cow<'c, str>> {
        let (values, open) = match &self.kind {
            FieldKind::Text | FieldKind::Query | FieldKind::Number { .. } => {
                return Some(Cow::Borrowed(cell));
            }
            FieldKind::Word { values, open } => (values, *open),
            FieldKind::List { values } => (values, values.is_empty()),
        };
        let folded = fold(cell);
        let known = values.iter().find(|value| {
            value.word == folded || value.aliases.iter().any(|other| *other == folded)
        });
        match known {
            Some(value) => Some(Cow::Owned(value.word.clone())),
            None if open => Some(folded),
            None => None,
        }
    }

    /// The words that the game knows.
    pub fn values(&self) -> &[Value] {
        match &self.kind {
            FieldKind::Word { values, .. } | FieldKind::List { values } => values,
            FieldKind::Text | FieldKind::Number { .. } | FieldKind::Query => &[],
        }
    }

    /// The words known, for messages.
    pub fn words(&self) -> Vec<&str> {
        let values = self.values().iter();
        values.map(|value| value.word.as_str()).collect()
    }

    /// How a word that the game knows is written for people.
    pub fn written(&self, word: &str) -> Option<&str> {
        let mut values = self.values().iter();
        let known = values.find(|value| value.word == word);
        known.map(|value| value.written.as_str())
    }
}
