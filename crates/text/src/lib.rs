//! What a file says, before anybody knows of cards: bytes as text, names, YAML, tables, digests, and
//! what is wrong with it all.
//!
//! It uses no other package of decklaw. Its main call reads a file that people write:
//!
//! ```
//! let sheet = decklaw_text::table::read(b"count,name\n3,Moss Sprite\n", None)?;
//! assert_eq!(sheet.rows.len(), 1);
//! # Ok::<(), decklaw_text::ReadError>(())
//! ```

pub mod digest;
pub mod fault;
pub mod limits;
pub mod name;
pub mod problem;
pub mod spreadsheet;
pub mod table;
pub mod text;
pub mod yaml;

pub use problem::{Place, Problem, ProblemKind};
pub use text::ReadError;
