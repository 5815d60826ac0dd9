//! A bot that plays any game from the deal to the last turn, without knowing its rules.

use decklaw::{Game, Seed, Table};

// Games, each with a deck and a number that its rules leave open.
const GAMES: [(&str, &str, &str); 5] = [
    ("shell", "shell/ebb", ""),
    ("versus/fast", "versus/low-tide-irregulars", ""),
    ("vanquishers", "vanquishers/first-frost", "starting_energy"),
    ("vainqueur", "vainqueur/barley-crown", "opening_hand"),
    ("vastrix", "", ""),
];

#[allow(clippy::print_stdout)]
pub(crate) fn main() -> Result<(), Box<dyn std::error::Error>> {
    for (id, path, setting) in GAMES {
        let game = Game::built_in(id)?;
        let mut decks = Vec::new();
        if !path.is_empty() {
            let deck = game.read(std::fs::read(format!("decks/{path}.txt"))?)?;
            decks = vec![deck.clone().legal()?, deck.legal()?];
        }
        let settings = Some(setting).filter(|name| !name.is_empty()).into_iter();
        let options = settings.fold(Table::options(), |all, name| all.setting(name, 5));
        let mut table = options.deal(&game, &decks, Seed::text("bot"))?;
        while let Some(next) = table.decide_by_chance(&game)? {
            table = next;
        }
        // In each turn it draws a card, lays another one, and passes.
        for step in 0..30 {
            let moves = table.moves();
            let at = [0, moves.len() / 2, moves.len() - 1][step % 3];
            table = table.push(&game, moves[at].clone())?;
        }
        println!("{id}: {} bytes", table.to_json().len());
    }
    Ok(())
}
