//! What stands on a card.

use decklaw_core::pool::{CardId, FieldKind, Pool};
use serde::Serialize;

/// The field that says what kind of card it is.
const KIND: &str = "type";

/// The most letters of a word that stands in a cell as numbers do, such as a rank.
const RANK: usize = 2;

/// What stands on a card's face: all that is known of it.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Face {
    /// The card's name.
    pub name: String,
    /// The line beneath the name; may be empty.
    pub kind: String,
    /// Paragraphs.
    pub text: Vec<String>,
    /// Labels and numbers, and words as short as these.
    pub numbers: Vec<(String, String)>,
}

impl Face {
    /// The face of a card.
    ///
    /// # Panics
    /// If the card is of another pool.
    pub fn of(pool: &Pool, card: CardId) -> Face {
        let mut face = Face::named(pool.name(card));
        for field in pool.fields() {
            let shown = match field.kind {
                FieldKind::Word { .. } | FieldKind::List { .. } => {
                    let words = pool.words(card, &field.name).iter();
                    let words: Vec<String> = words.map(|word| capital(word)).collect();
                    words.join(", ")
                }
                _ => pool.shown(card, &field.name),
            };
            if shown.trim().is_empty() {
                continue;
            }
            let label = capital(&field.name.replace(['-', '_'], " "));
            match field.kind {
                _ if field.name == KIND => face.kind = shown,
                FieldKind::Text => face.text.push(shown),
                FieldKind::Number { .. } => face.numbers.push((label, shown)),
                FieldKind::Word { .. } if shown.chars().count() <= RANK => {
                    face.numbers.push((label, shown));
                }
                _ => face.text.push(format!("{label}: {shown}")),
            }
        }
        face
    }

    /// The face of a card of which nothing is known but its name.
    pub fn named(name: &str) -> Face {
        Face {
            name: name.to_owned(),
            ..Face::default()
        }
    }

    /// The face of the card of a name, whether a pool knows it or not.
    pub fn find(pool: &Pool, name: &str) -> Face {
        match pool.find(name) {
            Some(card) => Face::of(pool, card),
            None => Face::named(name),
        }
    }
}

/// A word with a capital letter at its beginning.
fn capital(word: &str) -> String {
    let mut letters = word.chars();
    let first = letters.next().map(char::to_uppercase);
    first.into_iter().flatten().chain(letters).collect()
}
