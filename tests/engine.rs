//! The library: rules, repairs, odds and matches, against slow judges and second implementations.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "a test stops at the first surprise"
)]

mod common;
mod matches;
mod odds;
mod oracle;
mod repair;
