//! Decks of card games, judged by each game's own rules: what a deck is, and whether it is legal.
//!
//! Games are data: a format file composes rule kinds, and no Rust file names a game. The
//! library never prints, exits or reads the environment.
//!
//! ```
//! use decklaw_core::{Input, Judge};
//!
//! let judge = Judge::built_in("2026-06-01".parse()?);
//! let deck = b"Format: vastrix\n\nMain\n3 Nobody\n";
//! let report = judge.judge("my deck", deck, Input::Text)?;
//! assert_eq!(report.verdict.word(), "illegal");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! | to | ask |
//! |---|---|
//! | judge decks | [`Judge`], [`Input`], [`Report`], [`Finding`], [`Verdict`], [`Severity`] |
//!
//! The modules hold the rest: each begins with what it is for.
//!
//! # Features
//! `human` reports for people, `xlsx` workbooks, `fetch` downloads banlists. Without them the
//! library asks nothing of an operating system but files whose names it is given.

pub mod banlist;
pub mod chart;
pub mod cockatrice;
pub mod deck;
pub mod digest;
pub mod format;
pub mod game;
pub mod judge;
pub mod limits;
pub mod name;
pub mod origin;
pub mod pool;
pub mod problem;
pub mod query;
pub mod records;
pub mod render;
pub mod report;
pub mod resolve;
pub mod rules;
pub mod spreadsheet;
pub mod submissions;
pub mod table;
pub mod text;
pub mod yaml;

pub use deck::Input;
pub use judge::{Finding, Judge, Note, Report};
pub use problem::{Place, Problem, ProblemKind};
pub use query::HandQuery;
pub use resolve::{Decklist, Resolved};
pub use rules::{Severity, Verdict};
