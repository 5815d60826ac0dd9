//! A report as people, spreadsheets and programs read it.

mod csv;
mod human;
mod json;
mod svg;
mod text;

pub use csv::{HEADER, rows};
pub use human::to_human;
pub use json::{
    AnswerJson, AtomJson, BestJson, DealJson, Number, OddsJson, PolicyJson, ShareJson, TurnJson,
    WorkJson, policy,
};
pub use svg::to_svg;
pub use text::percent;

/// Whether to show the atoms, counts and totals from which anyone can count again.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ShowWork(pub bool);
