//! Match files: start positions that can be played, dealt again and checked.
//!
//! A [`Match`] is its [`Inputs`], its log and the [`State`] to which they fold: a setup is a list of
//! [`steps`], and a step whose [`Decision`] is missing is pending. Then the log goes on with
//! [moves](Move). A [`View`] is a projection of the state, and [`UnverifiedMatch::verify`] a replay.
//!
//! Each room knows those before it: [`seat`](SeatId), choices and chance · `table` · `log` ·
//! `inputs` · `state` · [`steps`] · [`setup`] · `fold` · `file` · `view` · `play` · `paper` · `export`.

mod choice;
mod error;
#[cfg(feature = "paper")]
mod export;
mod file;
mod fold;
mod inputs;
mod log;
mod paper;
mod play;
mod random;
mod rules;
mod seat;
pub mod setup;
mod state;
pub mod steps;
mod strict;
mod swaps;
pub mod table;
mod view;
mod written;

pub use choice::{Choice, Options, Settings};
pub use error::MatchError;
#[cfg(feature = "paper")]
pub use export::tabletop::{UnfinishedMatch, tabletop_save};
pub use file::{LARGEST_FILE, SCHEMA, UnverifiedMatch};
pub use fold::{MOST_MOVES, Match, MatchFormat, NewMatch, Turn};
pub use inputs::deck::{Line, MOST_CARDS, MatchDeck, RegisteredDeck};
pub use inputs::result::GameResult;
pub use inputs::{Assumption, Inputs, Randomness, Seat, SeedSource, SharedDeck};
pub use log::decision::{
    Decision, Dice, FirstPlayer, HandChoice, Pending, PickedCard, PoolSlot, Random, SwappedCards,
};
pub use log::moves::{Move, SeatMove};
pub use log::{Entry, pending_words};
#[cfg(feature = "paper")]
pub use paper::proxies::{Proxies, SHEET_SLOTS};
pub use paper::sheet::{Block, Page, Sheet};
pub use play::ZoneSum;
pub use play::words::{LogEntry, LogLine, MatchLog, zone_name};
pub use random::{Scheme, Seed, Stream, below, bytes_of_hex, shuffle};
pub use rules::MatchRules;
pub use seat::{Reader, SeatId};
pub use setup::Setup;
pub use state::State;
pub use steps::prompt::{Action, CardChoice, CardField, Prompt, PromptOption};
pub use steps::spec::{SealedChoice, spec_commitment};
pub use strict::read_json;
pub use swaps::{Sections, SwapJudge, Swaps};
pub use view::{CardView, LyingView, SeatView, SharedView, VIEW_SCHEMA, View, ZoneView};
