//! What was found of decks, rendered: for people, for programs, for spreadsheets and on paper.

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
