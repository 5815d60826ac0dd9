//! Counts how likely an opening hand is, exactly, with the game's own hand and mulligan.

use decklaw::{HandQuery, Input, Judge, Population, Request, ask};

#[allow(clippy::print_stdout)]
pub(crate) fn main() -> Result<(), Box<dyn std::error::Error>> {
    let judge = Judge::built_in("2026-06-01".parse()?);
    let text = std::fs::read("decks/shell/ebb.txt")?;
    let deck = judge.deck(&text, Input::Text)?;
    let cards = Population::of_section(&deck, "main")?;
    let request = Request::of_game(&judge, &deck)?;
    for query in ["1+ [mana<=2]", "1+ [mana<=2] and no [mana>=5]"] {
        let answer = ask(&cards, &HandQuery::parse(query)?, &request)?;
        println!("{query}: {:.4}", answer.likelihood.nearest());
    }
    Ok(())
}
