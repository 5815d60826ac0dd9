//! Statistics of a deck: curves, types and totals, as the `stats.yaml` of its game declares.

mod measure;
mod render;
mod spec;

pub use measure::{DeckStats, Measure, Value, measure};
pub use render::{COLUMNS, csv_rows, human, to_svg};
pub use spec::{Metric, STATS, Spec};
