//! Repair and building, from outside: everything that comes out is judged legal, and on small
//! pools brute force agrees that it is smallest.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod boundless;
mod bounds;
mod builds;
mod cases;
mod command;
mod conflicts;
mod edited;
mod effort;
mod files;
mod hard;
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
mod ways;
mod worlds;
