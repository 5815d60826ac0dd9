//! decklaw
pub mod digest;
pub mod name;
pub mod odds;
pub mod pool;
pub mod query;
pub mod text;
