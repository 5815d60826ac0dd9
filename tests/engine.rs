//! The library: rules, repairs, odds and matches, against slow judges and second implementations.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "a test stops at the first surprise"
)]

mod common;
mod oracle;

/// Match files: the published vector, a second implementation, what must always hold, and what must
/// be refused.
mod matches {
    mod deals;
    mod export;
    mod games;
    mod independent;
    mod script;
    mod tampered;
    mod views;
    mod worlds;
}

/// The odds of hands that have been known for a long time, and questions that are refused.
/// `tests/oracle` deals random hands.
mod odds {
    mod canonical;
    mod refusals;
}

/// Fixes and builds of known games and by the program. `tests/oracle` has the random ones.
mod repair {
    mod boundless;
    mod bounds;
    mod builds;
    mod calls;
    mod corpus;
    mod edited;
    mod effort;
    mod files;
    mod proofs;
    mod worlds;
}
