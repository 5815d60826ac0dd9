//! Match files at an organiser's desk and at the table, from the outside: what is shown to
//! whom, what is kept, and what is refused.
#![allow(clippy::unwrap_used)]

#[path = "../common/terminal.rs"]
mod terminal;

mod acts;
mod asking;
mod calls;
mod outputs;
mod play;
mod proof;
mod questions;
mod round;
mod screens;
mod script;
mod seeds;
mod share;
mod swap;
mod together;
mod whole;
