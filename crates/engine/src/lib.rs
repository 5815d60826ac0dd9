//! What can be computed of a deck: exact odds of hands, statistics, and the decks that are nearest
//! to it, legal, or likelier to draw well.
//!
//! | to | begin with |
//! |---|---|
//! | count odds | [`Population`], [`HandQuery`](decklaw_core::query::HandQuery), [`Request`], [`ask`] |
//! | repair decks | [`repair`], [`Wishes`], [`Wish`], [`Repair`] |
//!
//! What a deck is, and whether it is legal, is in `decklaw_core`.

pub mod game_files;
pub mod odds;
pub mod report;
#[cfg(test)]
mod schemas;
pub mod solve;
pub mod stats;

pub use odds::{Population, Request, ask};
pub use solve::{Repair, Wish, Wishes, repair};
