//! Judges a deck by the rules of its game, and says what is wrong where.

use decklaw::{Input, Judge};

#[allow(clippy::print_stdout)]
pub(crate) fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = "decks/shell/too-many-copies.txt";
    let judge = Judge::built_in("2026-06-01".parse()?);
    let report = judge.judge(path, &std::fs::read(path)?, Input::Text)?;
    println!("{path}: {}", report.verdict.word());
    for finding in &report.findings {
        let line = finding.place.map_or(0, |place| place.line);
        println!("line {line}: {}: {}", finding.code, finding.message);
    }
    Ok(())
}
