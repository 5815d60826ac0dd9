//! The judge: from a deck's bytes to its report.
//!
//! A [`Judge`] holds the inputs of a run and the rulebooks made of them. It [reads](Judge::read) a
//! deck once. Odds, repairs and statistics work on that deck, and [`report`](Judge::report) judges
//! it.

mod deck;
mod finding;
mod inputs;
mod judging;
mod locking;
mod lookalike;
mod notes;
mod open;
mod report;
mod rulebooks;

pub use decklaw_rules::rules::Verdict;
pub use finding::{Finding, Fix};
pub use judging::ReadDeck;
pub use notes::Note;
pub use report::Report;
pub use rulebooks::{Judge, WhichList};

#[cfg(test)]
mod unknown;
