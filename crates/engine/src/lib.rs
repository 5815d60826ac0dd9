//! Computations about a deck: exact odds of hands, statistics, the nearest legal decks, and decks
//! with better odds.
//!
//! | to | begin with |
//! |---|---|
//! | count odds | [`Population`], [`HandQuery`](decklaw_cards::query::HandQuery), [`Request`], [`ask`] |
//! | repair decks | [`repair`], [`Wishes`], [`Wish`], [`Repair`] |
//!
//! What a deck is, and whether it is legal, is in `decklaw_judge`.

pub mod chart;
pub mod game_files;
mod lowering;
pub mod odds;
mod partition;
pub mod report;
#[cfg(test)]
mod schemas;
pub mod solve;
pub mod stats;

pub use odds::{Population, Request, ask};
pub use solve::{Repair, Wish, Wishes, repair};
