//! What is promised to users who trust a verdict: nothing hostile takes time or memory without
//! bound, no file is lost to a fault, what is shown does nothing, and readers stand what nobody
//! vouches for.

mod bounds;
mod faults;
pub(crate) mod fuzz;
mod shown;
#[path = "../../fuzz/targets/mod.rs"]
mod targets;
mod workbooks;

use crate::common::{command, decklaw, text};

/// A file of the repository.
fn root(inside: &str) -> std::path::PathBuf {
    crate::common::root().join(inside)
}
