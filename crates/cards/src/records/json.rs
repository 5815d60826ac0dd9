//! Records in JSON: read one by one, wherever in the document they lie, so that a database of any
//! size is never held whole.

use super::tree::{BoundedTree, Path, Step, Tree};
use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};
use std::borrow::Cow;
use std::fmt;

/// What is done with each record; an error ends the reading.
pub(super) type Sink<'s> = &'s mut dyn FnMut(Tree) -> Result<(), String>;

/// A JSON text that cannot be read: the line, and what is wrong there.
pub(super) type JsonFault = (u64, String);

/// Reads the records at a path of a document, or without one those of a list, or the only one.
pub(super) fn document(text: &str, rows: Option<&Path>, sink: Sink<'_>) -> Result<(), JsonFault> {
    let mut json = serde_json::Deserializer::from_str(text);
    let steps = rows.map(|path| path.steps.as_slice());
    let read = Descent { steps, sink }.deserialize(&mut json);
    read.and_then(|()| json.end()).map_err(|error| wrong(&error))
}

fn wrong(error: &serde_json::Error) -> JsonFault {
    let message = error.to_string();
    let place = format!(" at line {} column {}", error.line(), error.column());
    let message = message.strip_suffix(&place).unwrap_or(&message);
    let message = match error.classify() {
        serde_json::error::Category::Data => message.to_owned(),
        _ => format!("not JSON: {message} (column {})", error.column()),
    };
    (error.line() as u64, message)
}

/// The way from the outermost value down to the records; without steps that are given, into a list
/// if there is one.
struct Descent<'p, 's> {
    steps: Option<&'p [Step]>,
    sink: Sink<'s>,
}

impl<'de> DeserializeSeed<'de> for Descent<'_, '_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        if self.steps != Some(&[]) {
            return deserializer.deserialize_any(self);
        }
        let left = BoundedTree::record();
        let record = BoundedTree(&left).deserialize(deserializer)?;
        (self.sink)(record).map_err(D::Error::custom)
    }
}

impl<'de> Visitor<'de> for Descent<'_, '_> {
    type Value = ();

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.steps {
            Some([Step::Key(key), ..]) => write!(out, "something with the key `{key}`"),
            _ => out.write_str("a list of records"),
        }
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<(), A::Error> {
        let steps = self.steps.unwrap_or(&[Step::Each]);
        let steps = Some(steps.strip_prefix(&[Step::Each]).unwrap_or(steps));
        let sink = self.sink;
        while let Some(()) = list.next_element_seed(Descent { steps, sink: &mut *sink })? {}
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        let sink = self.sink;
        let (wanted, rest) = match self.steps {
            Some([Step::Key(key), rest @ ..]) => (Some(key), Some(rest)),
            Some([Step::Each, rest @ ..]) => (None, Some(rest)),
            // One record alone.
            Some([]) | None => {
                let left = BoundedTree::record();
                let record = BoundedTree(&left).visit_map(map)?;
                return sink(record).map_err(A::Error::custom);
            }
        };
        let mut others: Vec<String> = Vec::new();
        let mut found = false;
        while let Some(key) = map.next_key::<Cow<'de, str>>()? {
            if wanted.is_none_or(|wanted| *wanted == key) {
                if found && wanted.is_some() {
                    return Err(A::Error::custom(format!("the key `{key}` is here twice")));
                }
                found = true;
                let descent = Descent { steps: rest, sink: &mut *sink };
                map.next_value_seed(descent)?;
            } else {
                map.next_value::<IgnoredAny>()?;
                if others.len() < super::MOST_TOLD {
                    others.push(key.into_owned());
                }
            }
        }
        match wanted {
            Some(wanted) if !found => Err(A::Error::custom(format!(
                "no records at `{wanted}`; the keys here are {}",
                super::listed(&others)
            ))),
            _ => Ok(()),
        }
    }
}
