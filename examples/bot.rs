//! A bot that plays any game: chance decides the setup, then it draws, lays cards and passes. It knows
//! no rule of any game.

use decklaw::{Game, LegalDeck, Problem, Seed, Table};

/// Games with decks, and the numbers that their rules leave open.
type Played = (&'static str, &'static [&'static str], &'static [(&'static str, i64)]);

const GAMES: [Played; 5] = [
    ("shell", &["shell/ebb", "shell/ash-and-acorn"], &[]),
    ("versus/fast", &["versus/low-tide-irregulars", "versus/low-tide-irregulars"], &[]),
    ("vanquishers", &["vanquishers/first-frost", "vanquishers/first-frost"], &[("starting_energy", 10)]),
    ("vainqueur", &["vainqueur/barley-crown", "vainqueur/low-water"], &[("opening_hand", 5)]),
    ("vastrix", &[], &[]),
];

fn play((id, decks, settings): Played) -> Result<Table, Box<dyn std::error::Error>> {
    let game = Game::built_in(id)?;
    let legal = decks.iter().map(|deck| -> Result<LegalDeck, Box<dyn std::error::Error>> {
        let text = std::fs::read(format!("decks/{deck}.txt"))?;
        Ok(game.read(text)?.legal()?)
    });
    let legal: Vec<LegalDeck> = legal.collect::<Result<_, _>>()?;
    let options = settings.iter();
    let options = options.fold(Table::options(), |all, (name, value)| all.setting(name, *value));
    let mut table = options.deal(&game, &legal, Seed::text("bot"))?;
    while let Some(next) = table.decide_by_chance(&game)? {
        table = next;
    }
    // A card is drawn, another one is laid, and the turn ends.
    for step in 0..30 {
        let moves = table.moves();
        let last = moves.len().saturating_sub(1);
        let chosen = moves.get([0, last / 2, last][step % 3]);
        table = table.push(&game, chosen.cloned().ok_or_else(stuck)?)?;
    }
    Ok(Table::verify(&game, table.to_json().as_bytes())?)
}

fn stuck() -> Problem {
    Problem::new(decklaw::ProblemKind::Match, "no move is left")
}

#[allow(clippy::print_stdout)]
pub(crate) fn main() -> Result<(), Box<dyn std::error::Error>> {
    for game in GAMES {
        let table = play(game)?;
        println!("{}: seat {}'s turn", game.0, table.turn());
    }
    Ok(())
}
