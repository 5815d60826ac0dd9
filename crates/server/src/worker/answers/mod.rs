//! What is answered of matches and files, and nowhere else.

mod rewrite;
mod seated;

pub(super) use rewrite::with_cards;
pub(super) use seated::{decks, tried};
