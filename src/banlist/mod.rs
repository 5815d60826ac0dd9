//! Stand-in.
#![allow(missing_docs)]
pub use jiff::civil::Date;
use std::sync::Arc;
#[derive(Debug, Clone)]
pub struct Banlist {
    pub id: String,
    pub game: String,
    pub name: String,
    pub file: String,
    pub effective: Date,
    pub entries: Vec<Entry>,
    pub points_limit: Option<i64>,
    pub sha256: String,
}
#[derive(Debug, Clone)]
pub enum Status {
    Banned,
    Restricted(u32),
    Points(i64),
}
#[derive(Debug, Clone)]
pub struct Entry {
    pub name: String,
    pub status: Status,
    pub sections: Vec<String>,
    pub line: u32,
}
impl Banlist {
    pub fn outside(&self, _day: Date) -> Option<String> {
        None
    }
}
pub fn in_force(_l: &[Arc<Banlist>], _g: &str, _d: Date) -> Result<Option<Arc<Banlist>>, String> {
    Ok(None)
}
