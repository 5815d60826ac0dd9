//! How much memory the program takes for files and questions that say they are vast: the corpus of
//! the tests, with the most memory and the time of each call. Words of the command line choose among
//! the calls by their names: `cargo bench --bench hostile -- odds`.
#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    missing_docs,
    clippy::expect_used,
    reason = "a bench prints"
)]

#[path = "../tests/common/mod.rs"]
mod common;

use common::hostile::{calls, peak};
use std::time::Instant;

/// Rows of each form.
const ROWS: usize = 10_000;

/// How many times the usual effort odds may take.
const EFFORT: &str = "60";

fn main() {
    let chosen: Vec<String> =
        std::env::args().skip(1).filter(|word| !word.starts_with('-')).collect();
    let folder = tempfile::tempdir().unwrap();
    let mut largest = (0, String::new());
    println!("   MiB      s  status");
    for call in calls(folder.path(), ROWS, EFFORT) {
        let all = format!("{} {}", call.words[0], call.name);
        if !chosen.is_empty() && !chosen.iter().any(|word| all.contains(word.as_str())) {
            continue;
        }
        let words: Vec<&str> = call.words.iter().map(String::as_str).collect();
        let start = Instant::now();
        let (status, most) = peak(&mut common::command(folder.path(), &words));
        let (seconds, status) = (start.elapsed().as_secs_f64(), status.unwrap_or(-1));
        println!("{:6.1} {seconds:6.2}  {status:6}  {all}", most as f64 / 1024.0);
        largest = largest.max((most, all));
    }
    println!("{:6.1} MiB at most: {}", largest.0 as f64 / 1024.0, largest.1);
}
