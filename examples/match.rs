//! Deals a match of two legal decks, lets chance decide what it may, and verifies the file.

use decklaw::{Game, Seed, Table};

#[allow(clippy::print_stdout)]
pub(crate) fn main() -> Result<(), Box<dyn std::error::Error>> {
    let game = Game::built_in("versus/fast")?;
    let deck = game.read(std::fs::read("decks/versus/low-tide-irregulars.txt")?)?;
    let legal = deck.legal()?;
    let mut table = Table::options().player("Ann").player("Ben").deal(
        &game,
        &[legal.clone(), legal],
        Seed::text("spring"),
    )?;
    while let Some(awaited) = table.awaited().first() {
        let mut decision = awaited.clone();
        decision["by"] = "random".into();
        println!("decided by chance: {decision}");
        table = table.decide(&game, decision)?;
    }
    let file = table.to_json();
    Table::verify(&game, file.as_bytes())?;
    println!("{} bytes that anybody can deal again", file.len());
    Ok(())
}
