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

use super::OddsReport;
use decklaw_core::render::{FIGURES, Kind, Render, TextStyle, Written};
use decklaw_core::spreadsheet::Cell;

/// Whether to show the atoms, counts and totals from which anyone can count again.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ShowWork(pub bool);

/// The answers of a run as they are shown.
#[derive(Debug)]
pub struct Shown<'a> {
    /// The answers.
    pub report: &'a OddsReport,
    /// Whether with the work.
    pub show: ShowWork,
}

impl Written for Shown<'_> {
    const KINDS: &'static [Kind] = FIGURES;
}

impl Render for Shown<'_> {
    fn human(&self, _: &TextStyle) -> String {
        to_human(self.report, self.show)
    }

    fn json(&self) -> serde_json::Result<serde_json::Value> {
        serde_json::to_value(OddsJson::of(self.report, self.show))
    }

    fn table(&self) -> (Vec<&'static str>, Vec<Vec<Cell>>) {
        (HEADER.to_vec(), rows(self.report))
    }
}
