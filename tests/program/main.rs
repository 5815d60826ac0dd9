//! The program from outside: its commands, what they answer and the files that they write.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod calls;
mod cases;
#[path = "../common/checker.rs"]
mod checker;
#[path = "../common/mod.rs"]
mod common;
#[path = "../common/console.rs"]
mod console;
mod finishing;
mod games;
mod interruption;
mod library;
mod options;
mod page;
mod progress;
mod proofs;
mod published;
mod readme;
mod stream;
