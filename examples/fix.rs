//! Finds the smallest change that makes a deck legal, or says why there is none.

use decklaw::{Input, Judge, Repair, Wishes, repair};

#[allow(clippy::print_stdout)]
pub(crate) fn main() -> Result<(), Box<dyn std::error::Error>> {
    let judge = Judge::built_in("2026-06-01".parse()?);
    let text = std::fs::read("decks/shell/too-many-copies.txt")?;
    let deck = judge.deck(&text, Input::Text)?;
    let (before, wishes) = (deck.list(), Wishes::default());
    match repair(before, &wishes) {
        Repair::Found(found) => {
            for change in before.changes_to(&found.deck) {
                let name = before.name(change.card);
                println!("{name}: {} instead of {}", change.to, change.from);
            }
        }
        Repair::Impossible(conflict) => println!("{:?}", conflict.sentences(before, &wishes)),
        Repair::Unknown => println!("nothing was found in the steps allowed"),
    }
    Ok(())
}
