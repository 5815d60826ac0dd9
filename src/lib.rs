//! decklaw judges decks of card games by each game's own rules. It counts how likely a hand
//! is, finds the smallest change that makes a deck legal, and deals matches that anyone can
//! check.
//!
//! Games are data: a format file composes rule kinds, and no Rust file names a game. The
//! library never prints or exits, and asks nothing of its environment but the day.
//!
//! ```
//! use decklaw::{Fix, Game, Odds, Seed, Table, Verdict};
//!
//! let game = Game::built_in("shell")?; // or Game::from_dir("formats/shell")
//!
//! // Is the deck legal, and what is wrong with it, where?
//! let deck = game.read(std::fs::read("decks/shell/too-many-copies.txt")?)?;
//! let report = deck.check();
//! assert_eq!(report.verdict, Verdict::Illegal);
//! assert_eq!(report.findings[0].code.to_string(), "copies.too-many");
//!
//! // What is the smallest change that makes it legal?
//! let fixed = deck.ask(Fix::default())?;
//! let found = fixed.outcome.found()?;
//! assert_eq!((found.distance, found.optimal), (5, true));
//! let legal = game.read(fixed.text().ok_or("no such deck")?)?;
//!
//! // How likely is a cheap card in the opening hand, with the game's own hand and mulligan?
//! let odds = legal.ask(Odds::of("1+ [mana<=2]"))?;
//! assert!(odds.probability() > Some(0.9));
//!
//! // Only a legal deck is dealt.
//! let legal = legal.legal()?;
//! let table = Table::deal(&[legal.clone(), legal], Seed::text("spring"))?;
//! assert!(!table.awaited().is_empty());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! | to | use |
//! |---|---|
//! | judge decks | [`Game::check`], [`Game::check_many`], [`Deck::check`]: a [`Report`] with [`Finding`]s |
//! | ask about a deck | [`Deck::ask`] with [`Odds`], [`Fix`], [`Build`], [`Tune`], [`Room`], [`Swap`] or [`Stats`] |
//! | build a deck | [`Game::ask`] with [`Build`] |
//! | ask in JSON | [`ask`] with a [`Library`] and a [`Question`]: an [`Answer`] |
//! | deal matches | [`Deck::legal`], [`Table::deal`], [`Table::verify`] |
//!
//! A question has the options and the defaults of the command of the same name, and its answer
//! serialises to the JSON of that command. The only error is a [`Problem`]. `examples/` has short
//! programs, and `docs/library.md` shows everything.
//!
//! # Features
//! `program`, `paper` (PDF of cards) and `server` (pages in the browser) are the program, and on by
//! default. The library alone is
//! `decklaw = { version = "0.1", default-features = false }`.

#![warn(missing_docs)]

pub use decklaw_ask::{
    AboutDeck, Action, After, Answer, Ask, Build, BuildAnswer, BuiltDeck, CardChoice, CardField,
    CardsAnswer, Change, Check, CheckAnswer, Decision, Deck, DeckAnswer, DeckFile, DeckText, Entry,
    Fix, FixAnswer, FixedDeck, Game, JudgeOptions, LegalDeck, Library, ListChoice, NoDeck, Notes,
    Odds, OddsAnswer, Outcome, Owned, Pending, Prompt, PromptOption, Question, Reader, Room,
    RoomAnswer, SeatId, Seed, Stats, StatsAnswer, Step, Swap, Table, TableOptions, Tune,
    TuneAnswer, ask,
};
pub use decklaw_decks::deck::Input;
pub use decklaw_judge::judge::{Finding, Note, Report};
pub use decklaw_rules::rules::{Severity, Verdict};
pub use decklaw_text::{Place, Problem, ProblemKind};

#[cfg(feature = "program")]
#[doc(hidden)]
pub mod cli;

// The packages beneath under one name, as the program takes them.
#[doc(hidden)]
pub use decklaw_ask::{ENGINE, card_columns, position};
#[doc(hidden)]
pub use decklaw_cards::{cockatrice, pool, query};
#[doc(hidden)]
pub use decklaw_decks::{deck, submissions};
#[doc(hidden)]
pub use decklaw_engine::chart;
#[doc(hidden)]
pub use decklaw_engine::{game_files, odds, solve, stats};
#[cfg(feature = "program")]
#[doc(hidden)]
pub use decklaw_event as event;
#[doc(hidden)]
pub use decklaw_judge::{judge, render, report, resolve};
#[doc(hidden)]
pub use decklaw_play::{look, matches, paper};
#[doc(hidden)]
pub use decklaw_rules::{banlist, format, game, origin, rules};
#[cfg(feature = "server")]
#[doc(hidden)]
pub use decklaw_server as serve;
#[doc(hidden)]
pub use decklaw_text::{digest, name, spreadsheet, table, text, yaml};

/// The examples of `docs/library.md`, run.
#[cfg(doctest)]
#[doc = include_str!("../docs/library.md")]
struct Guide;
