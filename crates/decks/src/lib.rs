//! Decks as people write and paste them, and the forms that hold them.
//!
//! It uses `decklaw-text` and `decklaw-cards`, and knows no rules.
//!
//! ```
//! use decklaw_decks::deck::{Input, open};
//! let opened = open(b"\xff\xfe3\0 \0A\0n\0t\0", Input::Text)?;
//! assert_eq!(&*opened.source, b"3 Ant");
//! # Ok::<(), decklaw_text::ReadError>(())
//! ```

pub mod deck;
pub mod submissions;

pub use deck::Input;
