//! A report as people, spreadsheets and programs read it.

mod csv;
mod human;
mod json;
mod svg;
mod words;

pub use csv::{HEADER, rows, to_csv};
pub use human::to_human;
pub(crate) use json::policy;
pub use json::to_json;
pub use svg::to_svg;
pub(crate) use words::percent;

/// Whether to show the atoms, counts and totals from which anyone can count again.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ShowWork(pub bool);
