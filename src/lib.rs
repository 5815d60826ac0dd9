//! decklaw judges decks of card games by each game's own rules. It counts how likely a hand
//! is, finds the smallest change that makes a deck legal, and deals matches that anyone can
//! check.
//!
//! Games are data: a format file composes rule kinds, and no Rust file names a game. The
//! library never prints, exits or reads the environment.
//!
//! A [`Judge`] knows games and their cards. It reads a deck once, and every question is asked
//! of what was read:
//!
//! ```
//! use decklaw::{HandQuery, Input, Judge, Population, Repair, Request, Wishes, ask, repair};
//!
//! let judge = Judge::built_in("2026-06-01".parse()?);
//! let text = std::fs::read("decks/shell/too-many-copies.txt")?;
//!
//! // Is it legal, and what is wrong with it?
//! let report = judge.judge("my deck", &text, Input::Text)?;
//! assert_eq!(report.verdict.word(), "illegal");
//! assert!(report.findings.iter().any(|found| found.code.to_string() == "copies.too-many"));
//!
//! // What would mend it?
//! let deck = judge.deck(&text, Input::Text)?;
//! let Repair::Found(mended) = repair(deck.list(), &Wishes::default()) else {
//!     return Err("there is no repair".into());
//! };
//! assert!(mended.optimal() && mended.deck.is_legal());
//!
//! // How likely is an opening hand with a cheap card, with the game's own hand and mulligan?
//! let cards = Population::of_section(&deck, "main")?;
//! let answer = ask(&cards, &HandQuery::parse("1+ [mana<=2]")?, &Request::of_game(&judge, &deck)?)?;
//! assert!(answer.likelihood.nearest() > 0.9);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! | to | ask |
//! |---|---|
//! | judge decks | [`Judge`], [`Input`], [`DeckReport`], [`Finding`], [`Verdict`], [`Severity`] |
//! | count odds | [`Judge::deck`], [`Population`], [`HandQuery`], [`Request`], [`ask`] |
//! | mend decks | [`Judge::deck`], [`repair`], [`Wishes`], [`Wish`], [`Repair`], [`Decklist`] |
//! | deal matches | [`MatchRules`], [`NewMatch`], [`Randomness`], [`Match`] |
//!
//! `examples/` has a program of a few lines for each. The modules hold the rest: each begins
//! with what it is for.
//!
//! # Packages
//! This is the program, and the packages that it is made of under one name: `decklaw-core` (decks,
//! rules, odds, repairs), `decklaw-table` (matches, cards on paper), `decklaw-event` (forms, rosters,
//! papers) and `decklaw-desk` (the pages of a browser). Who embeds the engine takes `decklaw-core` alone: it asks nothing of an operating
//! system but files whose names it is given.

pub mod cli;

pub use decklaw_core::{
    banlist, chart, cockatrice, deck, digest, format, game, judge, name, odds, origin, pool, query,
    remedy, render, report, resolve, rules, solve, spreadsheet, stats, submissions, table, text,
    yaml,
};
pub use decklaw_desk as serve;
pub use decklaw_event as event;
pub use decklaw_table::{matches, paper};

pub use deck::Input;
pub use judge::{DeckReport, Finding, Judge};
pub use matches::{Match, MatchRules, NewMatch, Randomness};
pub use odds::{HandQuery, Population, Request, ask};
pub use resolve::{Decklist, Resolved};
pub use rules::{Severity, Verdict};
pub use solve::{Repair, Wish, Wishes, repair};

/// The examples of `docs/library.md`, run.
#[cfg(doctest)]
#[doc = include_str!("../docs/library.md")]
struct Guide;
