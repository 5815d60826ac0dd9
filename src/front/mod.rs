//! The front of the library: a game, its decks, and what is asked of them.
//!
//! Every question that is asked here is the one that the program asks where its call says nothing
//! more: the same hand and mulligan, the same advice, the same limits of work.

mod deck;
mod error;
mod fix;
mod game;
mod odds;
mod report;
mod room;
mod stats;
mod table;
mod tune;

pub use deck::{Deck, LegalDeck};
pub use error::Error;
pub use fix::{BuildQuestion, Built, Change, FixQuestion, Fixed, Mended, Renamed};
pub use game::{Game, GameOptions};
pub use odds::{Odds, OddsQuestion, TurnOdds};
pub use report::{Finding, Report};
pub use room::Room;
pub use stats::{Count, Metric, Stats};
pub use table::{Seed, Table, TableOptions};
pub use tune::{Exchange, TuneQuestion, Tuned};
