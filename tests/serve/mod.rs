//! The server from outside: who may do what, what is kept, what reaches whom, and what an adversary
//! achieves. `DECKLAW_ADVERSARY=20` attacks twenty times as long.

#[cfg(unix)]
mod attacks;
mod desk;
mod forgives;
mod pages;
mod routes;
#[cfg(unix)]
mod service;
mod support;
mod table;
