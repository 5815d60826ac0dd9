//! An adversary of `decklaw serve`: it starts the program as people do, attacks it over loopback,
//! and looks at what it answers, keeps and takes. `DECKLAW_ADVERSARY=20` tries twenty times as
//! much as a run of the tests.
#![cfg(unix)]
#![allow(
    clippy::print_stdout,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic
)]

mod floods;
mod posts;
#[allow(dead_code)]
#[path = "../serve/support.rs"]
mod support;
mod world;
