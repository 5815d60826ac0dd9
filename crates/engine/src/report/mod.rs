//! Answers of the engine as JSON and tables.

pub mod registered;
