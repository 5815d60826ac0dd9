//! What a record says.

use decklaw_text::limits::records::MOST_VALUES;
use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use std::borrow::Cow;
use std::cell::Cell;
use std::fmt;

/// A value of a record.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Tree {
    /// Nothing: JSON's `null`.
    Nothing,
    /// A word, a text, a number as it is written, `true` or `false`.
    Text(String),
    /// Several values.
    List(Vec<Tree>),
    /// Values by name.
    Parts(Vec<(String, Tree)>),
}

/// Where in a record a value is: keys, parted by `.`. What is a list is gone into; `[]` says
/// so for a reader, and goes into the values of what has keys.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, serde::Deserialize)]
#[cfg_attr(any(test, feature = "schemas"), derive(schemars::JsonSchema))]
#[cfg_attr(any(test, feature = "schemas"), schemars(with = "String"))]
#[serde(try_from = "String")]
pub struct Path {
    written: String,
    pub(super) steps: Vec<Step>,
}

/// A step of a [`Path`].
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Step {
    /// To the value of a key.
    Key(String),
    /// To each of several values.
    Each,
}

impl TryFrom<String> for Path {
    type Error = String;

    fn try_from(written: String) -> Result<Path, String> {
        let mut steps = Vec::new();
        for (at, part) in written.split('.').enumerate() {
            let key = part.trim_end_matches("[]");
            let each = (part.len() - key.len()) / 2;
            let wrong = key.contains(['[', ']']) || key.trim() != key;
            if wrong || (key.is_empty() && (at > 0 || each == 0)) {
                return Err(format!(
                    "`{written}` is not a path: put one `.` between keys, as in `data[]` or `legalities.commander`"
                ));
            }
            steps.extend((!key.is_empty()).then(|| Step::Key(key.to_owned())));
            steps.extend((0..each).map(|_| Step::Each));
        }
        Ok(Path { written, steps })
    }
}

impl fmt::Display for Path {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.written)
    }
}

impl Path {
    /// The path of the value itself.
    pub(super) fn here() -> Path {
        Path { written: String::new(), steps: Vec::new() }
    }

    /// The key of the record that it begins with.
    pub(super) fn first(&self) -> Option<&str> {
        match self.steps.first() {
            Some(Step::Key(key)) => Some(key),
            Some(Step::Each) | None => None,
        }
    }

    /// The texts at a path of a record, in the order of the record.
    ///
    /// # Errors
    /// That something is no text.
    pub(super) fn texts<'t>(&self, record: &'t Tree) -> Result<Vec<&'t str>, String> {
        let mut found = Vec::new();
        if find(record, &self.steps, &mut found) {
            Ok(found)
        } else {
            Err(format!(
                "the value at `{self}` has several parts; name one of them, as in `{self}.name`"
            ))
        }
    }
}

/// Gathers the texts below a value; `false`: one of them is none.
fn find<'t>(tree: &'t Tree, steps: &[Step], found: &mut Vec<&'t str>) -> bool {
    match (tree, steps) {
        (Tree::Nothing, _) => true,
        (Tree::List(values), steps) => {
            let steps = steps.strip_prefix(&[Step::Each]).unwrap_or(steps);
            values.iter().all(|value| find(value, steps, found))
        }
        (Tree::Parts(parts), [Step::Key(key), rest @ ..]) => {
            let mut parts = parts.iter().filter(|(name, _)| name == key);
            parts.all(|(_, value)| find(value, rest, found))
        }
        (Tree::Parts(parts), [Step::Each, rest @ ..]) => {
            parts.iter().all(|(_, value)| find(value, rest, found))
        }
        (Tree::Parts(_), []) => false,
        // A word has no parts.
        (Tree::Text(_), [Step::Key(_), ..]) => true,
        (Tree::Text(text), [] | [Step::Each, ..]) => {
            found.extend((!text.trim().is_empty()).then(|| text.trim()));
            true
        }
    }
}

/// Reads a value of JSON, with a budget of further values.
pub(super) struct BoundedTree<'c>(pub(super) &'c Cell<usize>);

impl BoundedTree<'_> {
    /// As many values as one record may have.
    pub(super) fn record() -> Cell<usize> {
        Cell::new(MOST_VALUES)
    }
}

impl<'de> DeserializeSeed<'de> for BoundedTree<'_> {
    type Value = Tree;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Tree, D::Error> {
        let Some(left) = self.0.get().checked_sub(1) else {
            return Err(D::Error::custom(format!("a record has more than {MOST_VALUES} values")));
        };
        self.0.set(left);
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for BoundedTree<'_> {
    type Value = Tree;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("a value")
    }

    fn visit_unit<E>(self) -> Result<Tree, E> {
        Ok(Tree::Nothing)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Tree, E> {
        Ok(Tree::Text(value.to_string()))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Tree, E> {
        Ok(Tree::Text(value.to_string()))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Tree, E> {
        Ok(Tree::Text(value.to_string()))
    }

    /// `2.0` is the whole number, as JSON has it.
    fn visit_f64<E: Error>(self, value: f64) -> Result<Tree, E> {
        /// Whole numbers below are distinguished.
        const EXACT: f64 = 9_007_199_254_740_992.0;
        if value.abs() < EXACT {
            Ok(Tree::Text(value.to_string()))
        } else {
            Err(E::custom("a number is too large to be read exactly; write it as a text"))
        }
    }

    fn visit_str<E>(self, value: &str) -> Result<Tree, E> {
        Ok(Tree::Text(value.to_owned()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Tree, A::Error> {
        let mut values = Vec::new();
        while let Some(value) = list.next_element_seed(BoundedTree(self.0))? {
            values.push(value);
        }
        Ok(Tree::List(values))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Tree, A::Error> {
        let mut parts: Vec<(String, Tree)> = Vec::new();
        let mut seen = rustc_hash::FxHashSet::default();
        while let Some(key) = map.next_key::<Cow<'de, str>>()? {
            if !seen.insert(key.to_string()) {
                return Err(A::Error::custom(format!("the key `{key}` is here twice")));
            }
            let value = map.next_value_seed(BoundedTree(self.0))?;
            parts.push((key.into_owned(), value));
        }
        Ok(Tree::Parts(parts))
    }
}
