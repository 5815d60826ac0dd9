//! Match files: start positions that can be played, dealt again and checked.
//!
//! A match keeps its [`Inputs`] and the [`Table`](table::Table) that they make. A format's
//! [`Setup`] is a list of [`steps`]; a step whose decision is missing stops the build, and
//! what it awaits is pending. [`Unproved::verify`] builds a file again and compares.

mod alone;
mod build;
mod canonical;
mod decision;
mod deck;
mod error;
mod file;
mod inputs;
mod lint;
mod moves;
mod options;
mod play;
mod position;
mod proxies;
mod random;
mod register;
mod round;
mod series;
pub mod setup;
mod sheet;
pub mod steps;
mod strict;
pub mod table;
mod tabletop;
mod view;

pub use build::{Sections, SwapJudge};
pub use decision::{KNOWN as DECISIONS, pending_told, read_decision};
pub use deck::{Line, MOST_CARDS, MatchDeck, Registered};
pub use error::MatchError;
pub use file::{Game, LARGEST_FILE, Match, NewMatch, SCHEMA, Unproved};
pub use inputs::{Assumption, Inputs, Randomness, Seat, SeatId, SeedSource, SharedDeck};
pub use moves::{HELP as MOVES_HELP, Move};
pub use options::{Choice, Options, Settings};
pub use play::{Entry, GOLDFISH_SCHEMA, MOST_MOVES, PLAY_SCHEMA, Play, UnprovedPlay};
pub use position::Position;
pub use proxies::{Proxies, SHEET_SLOTS};
pub use random::{SCHEME, Seed, Stream, below, bytes_of_hex, shuffle};
pub use round::{Pairing, Secret, read_pairings};
pub use series::GameResult;
pub use setup::Setup;
pub use sheet::{Block, Page, Sheet};
pub use steps::spec::spec_commitment;
pub use strict::read_json;
pub use tabletop::tabletop_save;
pub use view::{CardView, Reader, SeatView, SharedView, VIEW_SCHEMA, View, ZoneView};
