//! Every question about a deck and its answer. The program, the server's pages, WebAssembly, Python
//! and the library `decklaw` ask them here, in Rust or as JSON.
//!
//! A [`Library`] has the games, cards and lists; a [`Question`] has the deck and the options of the
//! command of the same name; [`ask`] gives the [`Answer`], whose serde form is the JSON of that
//! command, or a [`Problem`](decklaw_text::Problem).

#![warn(missing_docs)]

/// The mark of an engine that answers as this crate does: version and digest of the sources, as a
/// line.
pub const ENGINE: &str =
    concat!("decklaw-engine ", env!("CARGO_PKG_VERSION"), " ", env!("DECKLAW_SOURCE"), "\n");

mod build;
mod bytes;
mod cards;
mod check;
mod deck;
mod door;
mod faces;
mod files;
mod fix;
mod folder;
mod format;
mod game;
mod library;
mod notes;
mod odds;
mod parts;
mod picture;
mod position;
pub mod problem;
mod proof;
mod question;
mod replay;
mod room;
#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::expect_used)]
mod schemas;
mod shown;
mod stats;
mod table;
mod tune;
mod view;

pub use build::{Aim, BuildAnswer, BuiltDeck, HandOdds, Preferred};
pub use bytes::Bytes;
pub use cards::{CardsAnswer, Collection, collection};
pub use check::CheckAnswer;
pub use deck::{DeckText, input};
pub use decklaw_engine::solve::{Instead, Substitute};
pub use decklaw_play::matches::{
    Action, CardChoice, CardField, Decision, Entry, Pending, Prompt, PromptOption, Reader, SeatId,
};
pub use door::{Answer, Question, ask};
pub use faces::{CardFace, CardRenderer, FacesAnswer};
pub use files::{CompareAnswer, ReadAnswer, WRITERS, WriteAnswer, differences, import};
pub use fix::{DECK, DeckFile, FixAnswer, FixedDeck, RenamedCard};
pub use folder::{Applies, Folder};
pub use format::{
    FormatAnswer, FormatEntry, GameEntry, GamesAnswer, ListEntry, Sample, Setting, games,
};
pub use game::{Deck, Game, LegalDeck};
pub use library::{JudgeEntry, JudgeOptions, Library, ListChoice, MakeJudge};
pub use notes::Notes;
pub use odds::OddsAnswer;
pub use parts::{After, Change, DeckAnswer, FoundDeck, NoDeck, OrProblem, Outcome};
pub use picture::picture;
pub use position::position;
pub use proof::{Certified, Prove};
pub use question::{
    AboutDeck, Ask, Build, Cards, Check, Compare, Faces, Fix, Format, Odds, Owned, Read, Replay,
    Room, Search, Stats, Swap, Tune, View, Write,
};
pub use replay::ReplayAnswer;
pub use room::{RoomAnswer, RoomEntry};
pub use stats::{DeckCards, StatsAnswer, card_columns, measured};
pub use table::{Seed, Table, TableOptions};
pub use tune::{Likelihood, QueryOdds, RepairSummary, Step, TuneAnswer, WithoutRule};
pub use view::{CardSearch, ViewAnswer};
