//! A start position for other programs.

pub(super) mod tabletop;
