//! A start position on paper, and card faces to print.

pub(super) mod proxies;
pub(super) mod sheet;
