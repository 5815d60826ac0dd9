//! decklaw
pub mod deck;
pub mod digest;
pub mod matches;
pub mod name;
pub mod pool;
pub mod query;
pub mod text;
