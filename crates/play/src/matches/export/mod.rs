//! A start position for other programs.

mod layout;
pub(super) mod tabletop;
