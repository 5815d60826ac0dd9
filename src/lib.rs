//! decklaw judges decks of card games by each game's own rules. It counts how likely a hand
//! is, finds the smallest change that makes a deck legal, and deals matches that anyone can
//! check.
//!
//! Games are data: a format file composes rule kinds, and no Rust file names a game. The
//! library never prints or exits, and asks nothing of its environment but the day.
//!
//! ```
//! use decklaw::{Fixed, Game, Seed, Table};
//!
//! let game = Game::built_in("shell")?; // or Game::from_dir("formats/shell")
//!
//! // Is it legal, and what is wrong with it, where?
//! let deck = game.read(std::fs::read("decks/shell/too-many-copies.txt")?)?;
//! let report = deck.check();
//! assert_eq!(report.verdict, "illegal");
//! assert_eq!(report.findings[0].code, "copies.too-many");
//!
//! // What is the least that mends it?
//! let Fixed::Proven(mended) = deck.fix().find()? else { panic!("there is no proven repair") };
//! assert_eq!(mended.distance, 5);
//!
//! // How likely is a cheap card in the opening hand, with the game's own hand and mulligan?
//! let odds = mended.deck.odds("1+ [mana<=2]").ask()?;
//! assert!(odds.probability.is_some_and(|likely| likely > 0.9));
//!
//! // Only a deck that is legal is dealt.
//! let legal = mended.deck.legal().map_err(|report| format!("{report:?}"))?;
//! let table = Table::deal(&[legal.clone(), legal], Seed::text("spring"))?;
//! assert!(!table.awaited().is_empty());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! | to | ask |
//! |---|---|
//! | judge decks | [`Game::check`], [`Game::check_many`], [`Deck::check`]: a [`Report`] |
//! | count odds | [`Deck::odds`]: [`Odds`]; [`Deck::stats`]: [`Stats`] |
//! | mend and make decks | [`Deck::fix`]: [`Fixed`]; [`Deck::tune`]: [`Tuned`]; [`Game::build`]: [`Built`] |
//! | deal matches | [`Deck::legal`], [`Table::deal`], [`Table::verify`] |
//!
//! What is asked here is what the program asks where its call says nothing more: a test for each
//! command holds it. Types are `non_exhaustive` and serialise to the keys of the program's JSON.
//! `examples/` has programs of a few lines, and `docs/library.md` the whole tour.
//!
//! # Features
//! `program`, `paper` (PDF of cards) and `server` (pages in the browser), all on by default, are the
//! program itself. Who embeds the engine turns it off:
//! `decklaw = { version = "0.1", default-features = false }`. Behind the front are the packages
//! `decklaw-core` (decks, rules, verdicts), `decklaw-engine` (odds, statistics, repairs) and
//! `decklaw-play` (matches, cards on paper).

mod front;

pub use decklaw_core::deck::Input;
pub use decklaw_core::format::Catalogue;
pub use front::*;

#[cfg(feature = "program")]
#[doc(hidden)]
pub mod cli;

// The packages behind the front under one name, as the program takes them.
#[doc(hidden)]
pub use decklaw_core::{
    banlist, chart, cockatrice, deck, digest, format, game, judge, name, origin, pool, query,
    render, report, resolve, rules, spreadsheet, submissions, table, text, yaml,
};
#[doc(hidden)]
pub use decklaw_engine::{odds, solve, stats};
#[cfg(feature = "program")]
#[doc(hidden)]
pub use decklaw_event as event;
#[doc(hidden)]
pub use decklaw_play::{matches, paper};
#[cfg(feature = "server")]
#[doc(hidden)]
pub use decklaw_server as serve;

/// The examples of `docs/library.md`, run.
#[cfg(doctest)]
#[doc = include_str!("../docs/library.md")]
struct Guide;
