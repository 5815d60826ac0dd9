//! Fixes and builds of known games and by the program. `tests/oracle` has the random ones.

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
