//! The cards of a game: a pool, the way from a name to a card, and queries.
//!
//! It uses `decklaw-text`.
//!
//! ```
//! use decklaw_cards::pool::{NameField, Pool};
//! let pool = Pool::of_names(["Moss Sprite", "Rain Caller"]);
//! assert!(pool.look_up("moss  sprite", NameField::Name).card().is_some());
//! ```

pub mod cockatrice;
pub mod pasted;
pub mod pool;
pub mod query;
pub mod records;
pub mod sections;

pub use query::HandQuery;
