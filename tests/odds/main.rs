//! The odds of hands that have been known for a long time, and questions that are refused.
//! `tests/oracle` deals random hands.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::print_stdout)]

mod canonical;
mod refusals;
mod session;
