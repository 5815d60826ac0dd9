//! A start position on paper, and card faces to print.

#[cfg(feature = "paper")]
pub(super) mod proxies;
pub(super) mod sheet;
