//! Match files at an organiser's desk and at the table, from the outside: what is shown to
//! whom, what is kept, and what is refused.
#![allow(clippy::unwrap_used)]

mod calls;
mod decks;
mod games;
mod moves;
mod outputs;
mod proof;
mod swap;
mod together;
