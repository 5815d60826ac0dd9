//! Reports of decks as output: for terminals, programs and spreadsheets, and to print.

pub mod github;
#[cfg(feature = "human")]
pub mod human;
pub mod json;
pub mod junit;
pub mod overview;
pub mod sheet;
pub mod table;
#[cfg(feature = "xlsx")]
pub mod workbook;
