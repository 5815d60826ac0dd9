//! What the games demand: their folders, formats, rules and dated lists, over a pool of cards.
//!
//! It uses `decklaw-text` and `decklaw-cards`, and knows no decks: a rule judges counted cards.
//!
//! ```
//! use decklaw_rules::format::Catalogue;
//! let format = Catalogue::built_in().format("vastrix")?;
//! assert_eq!(format.game().sections().len(), 1);
//! # Ok::<(), decklaw_text::Problem>(())
//! ```

pub mod banlist;
pub mod format;
pub mod game;
pub mod origin;
pub mod rules;

pub use rules::Verdict;
