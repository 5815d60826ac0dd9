//! Fixes and builds of known games and by the program. `tests/oracle` has the random ones.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod boundless;
mod bounds;
mod builds;
mod calls;
mod cases;
#[path = "../common/checker.rs"]
mod checker;
mod corpus;
#[path = "../common/cases.rs"]
mod decks;
mod edited;
mod effort;
mod files;
mod hard;
mod known;
mod liking;
mod rename;
mod support;
