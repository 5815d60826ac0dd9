//! Layouts as they are written: a `paper.yaml` beside a game's format file.

use decklaw_core::yaml::Spanned;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// How a game's cards look on paper: a `paper.yaml` beside its format file.
///
/// Texts name fields of the cards in braces, such as `{name}`. A text of which every field is
/// empty is left out.
#[derive(Debug, Clone, Default, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct LayoutFile {
    /// What is written in the place of a field's words. Other words begin with a capital.
    #[serde(default)]
    pub words: Vec<WordsEntry>,
    /// The faces. A card has the first that is of it, or else its name and every field.
    #[serde(default)]
    pub faces: Vec<FaceEntry>,
    /// The back of every card.
    #[serde(default)]
    pub back: BackEntry,
}

/// What is written in the place of a field's words.
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct WordsEntry {
    /// The field.
    #[cfg_attr(test, schemars(with = "String"))]
    pub field: Spanned<String>,
    /// Its words, each with what stands on the card; an empty text is nothing.
    pub shown: BTreeMap<String, String>,
}

/// The face of some cards.
#[derive(Debug, Clone, Default, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct FaceEntry {
    /// A card query: the cards that have it; empty is all.
    #[serde(default)]
    #[cfg_attr(test, schemars(with = "Option<String>"))]
    pub of: Option<Spanned<String>>,
    /// The colour of frame, marks and headings.
    #[serde(default)]
    pub colour: HueEntry,
    /// What stands largest on it (`{name}` without one); an empty text is nothing.
    #[serde(default)]
    #[cfg_attr(test, schemars(with = "Option<String>"))]
    pub title: Option<Spanned<String>>,
    /// Whether title and kind stand in the middle, and not to the left.
    #[serde(default)]
    pub centred: bool,
    /// What kind of card it is: texts on one line beneath the title.
    #[serde(default)]
    #[cfg_attr(test, schemars(with = "Vec<String>"))]
    pub kind: Vec<Spanned<String>>,
    /// What it says: paragraphs.
    #[serde(default)]
    #[cfg_attr(test, schemars(with = "Vec<String>"))]
    pub text: Vec<Spanned<String>>,
    /// Its numbers, each in a cell with its label, along the bottom.
    #[serde(default)]
    pub numbers: Vec<NumberEntry>,
    /// Texts in small letters on the last line.
    #[serde(default)]
    #[cfg_attr(test, schemars(with = "Vec<String>"))]
    pub foot: Vec<Spanned<String>>,
    /// What stands large in corners, at edges and in the middle.
    #[serde(default)]
    pub marks: Vec<MarkEntry>,
}

/// A number of a card.
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct NumberEntry {
    /// What it is called.
    pub label: String,
    /// The number, such as `{cost}`.
    #[cfg_attr(test, schemars(with = "String"))]
    pub show: Spanned<String>,
}

/// Something large in a corner, at an edge or in the middle.
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct MarkEntry {
    /// Where.
    pub at: Anchor,
    /// What: texts below each other.
    #[cfg_attr(test, schemars(with = "Vec<String>"))]
    pub show: Vec<Spanned<String>>,
    /// The size of its letters in points, from 4 to 150 (14 without one).
    #[serde(default)]
    #[cfg_attr(test, schemars(with = "Option<i64>"))]
    pub size: Option<Spanned<i64>>,
    /// Whether it stands in white on a coloured ground.
    #[serde(default)]
    pub badge: bool,
    /// Whether it stands upside down, as the second corner of playing cards does.
    #[serde(default)]
    pub turned: bool,
}

/// Where a mark stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Anchor {
    /// The upper left corner.
    TopLeft,
    /// The middle of the upper edge.
    Top,
    /// The upper right corner.
    TopRight,
    /// The middle of the left edge.
    Left,
    /// The middle of the card.
    Middle,
    /// The middle of the right edge.
    Right,
    /// The lower left corner.
    BottomLeft,
    /// The middle of the lower edge.
    Bottom,
    /// The lower right corner.
    BottomRight,
}

/// A colour that may be that of a field's word.
#[derive(Debug, Clone, Default, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct HueEntry {
    /// The field whose word says which colour it is.
    #[serde(default)]
    #[cfg_attr(test, schemars(with = "Option<String>"))]
    pub by: Option<Spanned<String>>,
    /// The colour of each word.
    #[serde(default)]
    pub of: BTreeMap<String, Colour>,
    /// The colour of any other card (a dark grey without one).
    #[serde(default)]
    pub otherwise: Colour,
}

/// The back of every card.
#[derive(Debug, Clone, Default, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct BackEntry {
    /// What stands on it; the game's name without one.
    #[serde(default)]
    pub text: Option<String>,
    /// Its colour (a dark grey without one).
    #[serde(default)]
    pub colour: Colour,
}

/// A colour: red, green and blue from 0 to 255, written `#rrggbb`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(try_from = "String", into = "String")]
#[cfg_attr(test, schemars(with = "String"))]
pub struct Colour(
    /// Red.
    pub u8,
    /// Green.
    pub u8,
    /// Blue.
    pub u8,
);

impl Default for Colour {
    fn default() -> Colour {
        Colour(0x3a, 0x3f, 0x4b)
    }
}

impl From<Colour> for String {
    fn from(Colour(red, green, blue): Colour) -> String {
        format!("#{red:02x}{green:02x}{blue:02x}")
    }
}

impl TryFrom<String> for Colour {
    type Error = String;

    fn try_from(text: String) -> Result<Colour, String> {
        let digits = text.strip_prefix('#').filter(|digits| {
            digits.len() == 6 && digits.bytes().all(|digit| digit.is_ascii_hexdigit())
        });
        let number = digits.and_then(|digits| u32::from_str_radix(digits, 16).ok());
        match number.map(u32::to_be_bytes) {
            Some([_, red, green, blue]) => Ok(Colour(red, green, blue)),
            None => Err(format!(
                "a colour is six digits such as `#1d4f91`, not `{text}`"
            )),
        }
    }
}
