//! The program from outside: its commands, what they say and what they leave behind.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod cases;
#[path = "../common/checker.rs"]
mod checker;
mod command;
#[path = "../common/mod.rs"]
mod common;
mod contract;
mod desk;
mod finishing;
mod games;
mod library;
mod maker;
mod odds_command;
mod overwriting;
mod page;
mod progress;
mod proofs;
mod published;
mod readme;
mod stream;
