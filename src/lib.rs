//! decklaw
pub mod digest;
pub mod name;
pub mod pool;
pub mod query;
pub mod text;
pub mod yaml;
