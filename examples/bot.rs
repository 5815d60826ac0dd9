//! A bot of a chat: somebody posts a deck, and it says what is wrong, what to do about it, and how
//! likely a hand is.

use decklaw::{Error, Fixed, Game};

/// What the bot answers to a message: a deck, whose first line may ask for odds.
fn reply(game: &Game, message: &str) -> Result<String, Error> {
    let (query, list) = match message.strip_prefix("!odds ") {
        Some(rest) => rest.split_once('\n').unwrap_or((rest, "")),
        None => ("", message),
    };
    let deck = match game.read(list) {
        Err(Error::Unreadable(report)) => return Ok(report.findings[0].message.clone()),
        deck => deck?,
    };
    if !query.is_empty() {
        let odds = deck.odds(query).ask()?;
        let found = odds.fraction.unwrap_or_else(|| odds.method.to_owned());
        return Ok(format!("{query}: {found}"));
    }
    let report = deck.check();
    let mut lines = vec![report.verdict.to_owned()];
    lines.extend(report.findings.into_iter().map(|found| found.message));
    if let Fixed::Proven(mended) = deck.fix().find()? {
        for change in mended.changes {
            lines.push(format!("{}: {} copies", change.card, change.to));
        }
    }
    Ok(lines.join("\n"))
}

#[allow(clippy::print_stdout)]
pub(crate) fn main() -> Result<(), Box<dyn std::error::Error>> {
    let game = Game::built_in("shell")?;
    let deck = std::fs::read_to_string("decks/shell/too-many-copies.txt")?;
    println!("{}", reply(&game, &deck)?);
    println!("{}", reply(&game, &format!("!odds 1+ [mana<=2]\n{deck}"))?);
    Ok(())
}
