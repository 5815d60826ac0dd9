//! The odds engine against slow and obvious ways to find the same numbers.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::print_stdout)]

mod agreement;
mod canonical;
mod oracle;
mod picks;
mod refusals;
mod session;
