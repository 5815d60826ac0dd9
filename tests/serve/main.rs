//! The server from outside: who may do what, what is kept, and what the pages say.
#![allow(clippy::print_stdout, clippy::unwrap_used, clippy::panic)]

mod again;
mod builder;
mod chairs;
mod desk;
mod doors;
mod forgetting;
mod lasting;
mod leaving;
mod live;
mod pasted;
mod played;
mod playroom;
#[cfg(unix)]
mod service;
mod support;
mod tables;
mod worlds;
