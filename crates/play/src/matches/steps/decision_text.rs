//! What is pending, in words.

pub use crate::matches::log::pending_told;
