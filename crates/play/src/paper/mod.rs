//! Cards as pictures: faces as SVG, sheets of them as a PDF and as PNG.
//!
//! [`Face::of`] returns the content of a card, as its game's `look.yaml` has it under `face`, and
//! [`Face::draw`] draws it. Pages show that picture, `print` sets it on cards of 63 × 88 mm, and
//! `png` makes sheets for other programs of it. What does not fit, or is written in letters that no
//! font has, is reported.
//!
//! PDF and PNG need the feature `paper`.
//!
//! ```
//! # #[cfg(feature = "paper")] {
//! use decklaw_play::paper::{Card, Face, Fonts, Front, Sheets, print};
//!
//! let front = Front { face: Face::named("Moss Sprite"), picture: None };
//! let cards = [Card { front, copies: 3, back: 0 }];
//! let printed = print(&cards, &mut Fonts::built_in(), &Sheets::default())?;
//! assert!(printed.pdf.starts_with(b"%PDF-"));
//! assert_eq!((printed.cards, printed.pages, printed.flaws.len()), (3, 1, 0));
//! # }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod art;
mod colour;
mod draw;
mod face;
#[cfg(feature = "paper")]
mod fonts;
mod letters;
#[cfg(feature = "paper")]
mod pdf;
#[cfg(feature = "paper")]
mod picture;
mod pictures;
mod poster;
#[cfg(feature = "paper")]
mod sheets;
#[cfg(all(test, feature = "paper"))]
mod tests;

pub use crate::look::PICTURES;
pub use art::{Motif, Motifs};
pub use draw::{Drawing, HEIGHT, Size, WIDTH, back};
pub use face::Face;
#[cfg(feature = "paper")]
pub use fonts::Fonts;
#[cfg(feature = "paper")]
pub use picture::{MOST_PIXELS, Picture};
pub use pictures::{Pictures, TwoPictures, picture_kind};
pub use poster::{Poster, PosterCard, PosterColumn};
#[cfg(feature = "paper")]
pub use sheets::{
    Behind, Card, Flaw, Front, MOST_CARDS, Paper, PrintedCards, Sheets, Wrong, png, print,
};

/// The colour of the backs of a game's cards: that of the first value of the field that decides.
pub fn back_colour(game: &decklaw_rules::format::Game, look: &crate::look::Look) -> Option<String> {
    let colours = look.face()?.colour.as_ref()?;
    let first = game.file.fields.iter().find(|field| field.name.value == colours.by.value)?;
    let colour = first.values.iter().find_map(|word| colours.of.get(word))?;
    Some(colour.value.clone())
}
