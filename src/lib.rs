//! decklaw
pub mod deck;
pub mod name;
pub mod text;
