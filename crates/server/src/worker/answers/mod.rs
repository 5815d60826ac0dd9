//! What is answered of matches, files and events, and nowhere else.

mod exports;
mod rewrite;
mod seated;

pub(super) use exports::export;
pub(super) use rewrite::with_cards;
pub(super) use seated::{decks, tried};
