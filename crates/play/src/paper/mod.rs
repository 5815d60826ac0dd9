//! Cards on paper: faces of all that is known of them, nine to a page, as a PDF.
//!
//! A card of a pool becomes a [`Face`], which says what stands on it; [`print()`] places that on
//! cards of 63 × 88 mm and cuts nothing in silence: what does not fit, or is written in letters
//! that no font has, is told as a [`Flaw`].
//!
//! ```
//! use decklaw_play::paper::{Card, Face, Fonts, Front, Sheets, print};
//! use decklaw_core::pool::Pool;
//!
//! let pool = Pool::of_names(["Moss Sprite"]);
//! let faces = pool.ids().map(|card| Front::Drawn(Face::of(&pool, card)));
//! let cards: Vec<Card> = faces.map(|front| Card { front, copies: 3, back: 0 }).collect();
//! let printed = print(&cards, &Fonts::built_in(), &Sheets::default())?;
//! assert!(printed.pdf.starts_with(b"%PDF-"));
//! assert_eq!((printed.cards, printed.pages, printed.flaws.len()), (3, 1, 0));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod canvas;
mod face;
mod fit;
mod fonts;
mod pictures;
mod place;
mod sheets;
#[cfg(test)]
mod tests;

pub use face::Face;
pub use fonts::Fonts;
pub(crate) use fonts::{Edge, Shaper, Weight};
pub use pictures::{FOLDER as PICTURES, MOST_PIXELS, Picture, Pictures, TwoPictures};
pub use sheets::{
    Behind, Card, Flaw, Front, MOST_CARDS, Paper, PrintError, Printed, Sheets, Wrong, print,
};

/// A millimetre in points, of which an inch has 72.
const MM: f32 = 72.0 / 25.4;
/// A card's width, in points.
const WIDTH: f32 = 63.0 * MM;
/// A card's height, in points.
const HEIGHT: f32 = 88.0 * MM;
