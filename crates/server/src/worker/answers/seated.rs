//! What people bring to a match that they play here.

use crate::table::Seated;
use crate::table::create::{Wanted, lay};
use crate::trouble::Trouble;
use crate::worker::questions::{Bring, Tried};
use decklaw_ask::{JudgeEntry, import};
use decklaw_core::deck::Input;
use decklaw_core::judge::ReadDeck;
use decklaw_play::matches::setup::Decks;
use decklaw_play::matches::{MatchDeck, MatchError, Randomness, Registered};

/// The decks that seats bring, in any reader's words; the whole pool where the format plays it.
///
/// # Errors
/// A deck that cannot be read or is not legal, and why.
pub(crate) fn decks(
    judge: &JudgeEntry,
    (book, rules): &Seated,
    asked: &Wanted,
) -> Result<Vec<Registered>, Trouble> {
    if let Decks::WholePool(name) = &rules.setup.decks {
        let deck = MatchDeck::of_pool(&rules.format, name, &rules.setup, book.pool());
        return Ok(vec![Registered::unjudged(deck.map_err(refuse)?)]);
    }
    // Who tries a deck alone may have it unfinished; the file says that it is not legal.
    let any = asked.terms.alone();
    let each = (1..).zip(&asked.decks).map(|(number, text)| {
        let imported = import(judge, Some(&rules.format), text.as_bytes(), None)?;
        let errors = imported.errors().map(|finding| finding.message.clone());
        let errors: Vec<String> = errors.take(5).collect();
        let (true, Some(deck)) = (any || errors.is_empty(), &imported.deck) else {
            return Err(Trouble::new(
                422,
                format!("Deck {number} cannot be played: {}", errors.join("; ")),
                "Fix it in the builder, and bring it again.",
            ));
        };
        let read = judge.read(deck.get().as_bytes(), Input::Json, Some(&rules.format));
        let ReadDeck::Deck(resolved) = read.map_err(|error| Trouble::from(&error))? else {
            return Err(Trouble::defect());
        };
        match any {
            true => rules.register_even_illegal(&resolved),
            false => rules.register(&resolved),
        }
        .map_err(refuse)
    });
    each.collect()
}

fn refuse(error: MatchError) -> Trouble {
    Trouble::from(&error)
}

/// Whether a match can be played with a deck: it is laid with that deck at every seat, so that what
/// is said of it is said of nobody else's. Decks that each fit so fit together, since a setup asks
/// the same of every seat's deck, and a setting may be no larger than the smallest of them allows.
///
/// # Errors
/// Inputs of the server that are wrong.
pub(crate) fn tried(judge: &JudgeEntry, seated: &Seated, asked: Bring) -> Result<Tried, Trouble> {
    let imported = asked.deck.as_deref();
    let imported =
        imported.map(|text| import(judge, Some(&seated.1.format), text.as_bytes(), None));
    let deck = match imported.transpose()? {
        Some(imported) if imported.deck.is_none() || imported.errors().next().is_some() => {
            return Ok(Tried::Unfit(Box::new(imported)));
        }
        Some(imported) => imported.deck,
        None => None,
    };
    let setup = &seated.1.setup;
    let laid = asked.terms.seats(setup, asked.seats).and_then(|seats| {
        let copies = match &setup.decks {
            Decks::Own => seats,
            Decks::Shared => 1,
            Decks::WholePool(_) => 0,
        };
        let brought = deck.iter().map(|deck| deck.get().to_owned());
        let brought: Vec<String> = brought.cycle().take(copies).collect();
        let wanted = Wanted {
            terms: asked.terms,
            players: Vec::new(),
            decks: brought,
            chance: Randomness::from_system().map_err(refuse)?,
            secret: None,
        };
        lay(seated, decks(judge, seated, &wanted)?, wanted)
    });
    Ok(match laid {
        Ok(laid) => Tried::Fits {
            seats: laid.seats,
            deck,
        },
        Err(why) => Tried::Refused(why),
    })
}
