//! The server from outside: who may do what, what is kept, and what the pages say.
#![allow(clippy::print_stdout, clippy::unwrap_used, clippy::panic)]

mod again;
mod backup;
mod budgets;
mod builder;
mod chairs;
mod crowds;
mod desk;
mod doors;
mod elsewhere;
mod evening;
mod faults;
mod finish;
mod forgetting;
mod known;
mod lasting;
mod leaving;
mod live;
mod maker;
mod mine;
mod played;
mod playroom;
#[cfg(unix)]
mod service;
mod support;
mod tables;
mod tuned;
mod worlds;
