//! Match files: start positions that can be played, dealt again and checked.
//!
//! A match keeps its [`Inputs`] and the [`Table`](table::Table) that they make. A format's
//! [`Setup`] is a list of [`steps`]; a step whose decision is missing stops the build, and
//! what it awaits is pending. [`Unproved::verify`] builds a file again and compares.
//!
//! Each room knows those before it: [`seat`](SeatId), choices and chance · `table` · `inputs` ·
//! [`steps`] · [`setup`] · `file` · `view` · `play` · `paper` · `export`.

mod choice;
mod error;
mod export;
mod file;
mod inputs;
mod paper;
mod play;
mod random;
mod rules;
mod seat;
pub mod setup;
pub mod steps;
mod strict;
mod swaps;
pub mod table;
mod view;
mod written;

pub use choice::{Choice, Options, Settings};
pub use error::{ErrorDetail, MatchError, MatchErrorKind};
pub use export::tabletop::{Unfinished, tabletop_save};
pub use file::{Entry, LARGEST_FILE, Match, MatchFormat, NewMatch, SCHEMA, Turn, Unproved};
pub use inputs::deck::{Line, MOST_CARDS, MatchDeck, Registered};
pub use inputs::result::GameResult;
pub use inputs::{Assumption, Inputs, Randomness, Seat, SeedSource, SharedDeck};
pub use paper::proxies::{Proxies, SHEET_SLOTS};
pub use paper::sheet::{Block, Page, Sheet};
pub use play::moves::Move;
pub use play::position::Position;
pub use play::typed::help as moves_help;
pub use play::{MOST_MOVES, Play};
pub use random::{Scheme, Seed, Stream, below, bytes_of_hex, shuffle};
pub use rules::MatchRules;
pub use seat::SeatId;
pub use setup::Setup;
pub use steps::asked::{Answer, Named, Question};
pub use steps::build::{Sections, SwapJudge};
pub use steps::decision_text::{pending_told, read_decision, read_entry};
pub use steps::spec::{Sealed, spec_commitment};
pub use strict::read_json;
pub use swaps::Swaps;
pub use view::{CardView, LyingView, Reader, SeatView, SharedView, VIEW_SCHEMA, View, ZoneView};
