//! A deck meets a rulebook: names become cards, rules become findings, findings become reports.
//!
//! It uses `decklaw-text`, `decklaw-cards`, `decklaw-decks` and `decklaw-rules`.
//!
//! ```
//! use decklaw_judge::{Input, Judge};
//!
//! let judge = Judge::built_in("2026-06-01".parse()?);
//! let deck = b"Format: vastrix\n\nMain\n3 Nobody\n";
//! let report = judge.judge("my deck", deck, Input::Text)?;
//! assert_eq!(report.verdict.word(), "illegal");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Features
//! `human` reports for people, `xlsx` workbooks. Without them the library asks nothing of an operating
//! system but files whose names it is given.

pub mod judge;
pub mod render;
pub mod report;
pub mod resolve;

pub use decklaw_decks::deck::Input;
pub use judge::{Finding, Judge, Note, Report};
pub use resolve::{Decklist, Resolved};
