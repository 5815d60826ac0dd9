//! What the sources promise of themselves, read from the sources: rooms and files that do not
//! stand in circles, and words that belong to one room alone.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod graph;
mod names;
mod source;
mod state;
mod words;
