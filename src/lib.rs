//! decklaw judges decks of card games by each game's own rules.
//!
//! Games are data: a format file composes rule kinds, and no Rust file names a game. The
//! library never prints, exits or reads the environment; the command line does.

pub mod banlist;
pub mod chart;
#[cfg(feature = "cli")]
pub mod cli;
pub mod cockatrice;
pub mod deck;
pub mod digest;
pub mod format;
pub mod judge;
pub mod matches;
pub mod name;
pub mod odds;
pub mod pool;
pub mod query;
pub mod report;
pub mod resolve;
pub mod rules;
#[cfg(feature = "serve")]
pub mod serve;
pub mod solve;
pub mod spreadsheet;
pub mod stats;
pub mod submissions;
pub mod table;
pub mod text;
pub mod yaml;
