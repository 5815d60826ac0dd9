//! What stands on a card.

use super::entry::{Anchor, Colour};
use serde::Serialize;

/// What stands on a card's face.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Face {
    /// The card's name, for messages.
    pub name: String,
    /// The colour of frame, marks and headings.
    pub colour: Colour,
    /// What stands largest on it; may be empty.
    pub title: String,
    /// Whether title and kind stand in the middle.
    pub centred: bool,
    /// The line beneath the title; may be empty.
    pub kind: String,
    /// Paragraphs.
    pub text: Vec<String>,
    /// Labels and numbers.
    pub numbers: Vec<(String, String)>,
    /// The last line, in small letters; may be empty.
    pub foot: String,
    /// What stands in corners, at edges and in the middle.
    pub marks: Vec<Mark>,
}

/// Something in a corner, at an edge or in the middle.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Mark {
    /// Where.
    pub at: Anchor,
    /// Lines below each other, at least one.
    pub lines: Vec<String>,
    /// The size of the letters in points; longer lines get smaller ones.
    pub size: f32,
    /// Whether it is white on a coloured ground.
    pub badge: bool,
    /// Whether it stands upside down.
    pub turned: bool,
}
