//! Repair and building, from outside: everything that comes out is judged legal, and on small
//! pools brute force agrees that it is smallest.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod boundless;
mod bounds;
#[path = "../common/brute_rooms.rs"]
mod brute_rooms;
mod builds;
mod cases;
#[path = "../common/checker.rs"]
mod checker;
mod command;
mod conflicts;
mod corpus;
#[path = "../common/cases.rs"]
mod decks;
mod edited;
mod effort;
mod files;
mod hard;
mod known;
mod liking;
mod lists;
mod oracle;
mod printings;
mod reasons;
mod rename;
mod rooms;
mod solver;
mod support;
mod swaps;
mod tuning;
mod worlds;
