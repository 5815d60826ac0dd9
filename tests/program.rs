//! The program and its server from outside: calls, files, pages and an adversary.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "a test stops at the first surprise"
)]

#[path = "program/mod.rs"]
mod commands;
mod common;
mod convert;
mod fetch;
mod forms;
mod lint;
mod reading;
mod serve;
mod trust;
