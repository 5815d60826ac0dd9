//! Reads a deck, and prints what is wrong with it, the smallest fix, and the odds of a hand.

use decklaw::{Fix, Game, Odds, Problem};

/// What there is to say of a deck.
fn about(game: &Game, text: &str) -> Result<String, Problem> {
    let deck = game.read(text)?;
    let mut out = format!("{}\n", deck.check());

    let fixed = deck.ask(Fix::default())?;
    for change in &fixed.outcome.found()?.changes {
        let (card, from, to) = (&change.card, change.from, change.to);
        out += &format!("fix: {card}: {from} → {to} in {}\n", change.section);
    }

    if let Some(text) = fixed.text() {
        let odds = game.read(text)?.ask(Odds { turns: Some(3), ..Odds::of("1+ [mana<=2]") })?;
        let exact = odds.fraction().unwrap_or("refused".to_owned());
        out += &format!("a cheap card in the opening hand: {exact}\n");
        for turn in &odds.report.answers[0].answer.turns {
            let share = 100.0 * turn.value.probability().unwrap_or_default();
            out += &format!("by turn {}: {share:.1} %\n", turn.turn);
        }
    }
    Ok(out)
}

#[allow(clippy::print_stdout)]
pub(crate) fn main() -> Result<(), Box<dyn std::error::Error>> {
    let game = Game::built_in("shell")?;
    let text = std::fs::read_to_string("decks/shell/too-many-copies.txt")?;
    print!("{}", about(&game, &text)?);
    Ok(())
}
