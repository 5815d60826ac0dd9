//! Canonical JSON (RFC 8785), composed: what many matches share is written once.

use super::deck::Registered;
use super::inputs::{Inputs, Seat};
use serde::Serialize;

/// A value's canonical JSON.
pub(super) fn canonical(value: &impl Serialize) -> Vec<u8> {
    // Writing strings and whole numbers to memory cannot fail.
    serde_json_canonicalizer::to_vec(value).unwrap_or_default()
}

/// An object whose values are canonical already. Its keys are plain letters, and are given in
/// their order.
struct Object(Vec<u8>);

impl Object {
    fn new() -> Object {
        Object(b"{".to_vec())
    }

    fn with(mut self, key: &str, value: &[u8]) -> Object {
        if self.0.len() > 1 {
            self.0.push(b',');
        }
        self.0.push(b'"');
        self.0.extend_from_slice(key.as_bytes());
        self.0.extend_from_slice(b"\":");
        self.0.extend_from_slice(value);
        self
    }

    fn maybe(self, key: &str, value: Option<impl AsRef<[u8]>>) -> Object {
        match value {
            Some(value) => self.with(key, value.as_ref()),
            None => self,
        }
    }

    fn done(mut self) -> Vec<u8> {
        self.0.push(b'}');
        self.0
    }
}

impl Inputs {
    /// The canonical JSON of the inputs. Decks know theirs.
    pub(super) fn canonical(&self) -> Vec<u8> {
        // Every field is named: a new one cannot be forgotten here.
        let Inputs {
            format,
            rules_sha256,
            options,
            settings,
            shared,
            seats,
            randomness,
            results,
            decisions,
            assumed,
        } = self;
        let shared = shared
            .as_ref()
            .map(|shared| Object::new().with("deck", shared.deck.canonical()).done());
        Object::new()
            .with("assumed", &canonical(assumed))
            .with("decisions", &canonical(decisions))
            .with("format", &canonical(format))
            .with("options", &canonical(options))
            .with("randomness", &canonical(randomness))
            .maybe("results", results.as_ref().map(canonical))
            .with("rules_sha256", &canonical(rules_sha256))
            .with("seats", &list(seats.iter().map(Seat::canonical)))
            .with("settings", &canonical(settings))
            .maybe("shared", shared)
            .done()
    }
}

impl Seat {
    fn canonical(&self) -> Vec<u8> {
        let Seat { seat, name, deck } = self;
        Object::new()
            .maybe("deck", deck.as_ref().map(Registered::canonical))
            .with("name", &canonical(name))
            .with("seat", &canonical(seat))
            .done()
    }
}

fn list(values: impl Iterator<Item = Vec<u8>>) -> Vec<u8> {
    let mut text = b"[".to_vec();
    for value in values {
        if text.len() > 1 {
            text.push(b',');
        }
        text.extend(value);
    }
    text.push(b']');
    text
}
