//! Deals a match of two decks, and asks for the first decision.

use decklaw::{Input, Judge, Match, MatchRules, NewMatch, Randomness};

#[allow(clippy::print_stdout)]
pub(crate) fn main() -> Result<(), Box<dyn std::error::Error>> {
    let judge = Judge::built_in("2026-06-01".parse()?);
    let text = std::fs::read("decks/shell/ebb.txt")?;
    let deck = judge.deck(&text, Input::Text)?;
    let format = deck.rulebook().format();
    let rules = MatchRules::of_format(format)?.ok_or("the format has no setup")?;
    let registered = rules.register(&deck)?;
    let wanted = NewMatch {
        decks: vec![registered.clone(), registered],
        ..NewMatch::default()
    };
    let chance = Randomness::from_text("a seed that anyone can repeat");
    let dealt = Match::start(&rules.game(), wanted, chance, Vec::new(), None)?;
    for awaited in &dealt.pending {
        println!("{awaited}");
    }
    Ok(())
}
