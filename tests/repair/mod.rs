//! Fixes and builds of known games and by the program. `tests/oracle` has the random ones.

mod boundless;
mod bounds;
mod builds;
pub(crate) mod calls;
mod cases;
mod corpus;
mod edited;
mod effort;
mod files;
pub(crate) mod hard;
mod known;
mod proofs;
mod rename;
pub(crate) mod support;
