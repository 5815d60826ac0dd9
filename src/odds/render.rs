//! A report as people, spreadsheets and programs read it.

mod csv;
mod human;
mod json;
mod svg;

pub use csv::to_csv;
pub use human::{HumanOptions, to_human};
pub use json::to_json;
pub use svg::to_svg;
