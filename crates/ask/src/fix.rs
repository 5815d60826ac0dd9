//! The smallest repair of a deck, and what two decks differ in.

use super::{Answer, Owned, document, read};
use crate::refusal::Refusal;
use decklaw_core::deck::{self, Input};
use decklaw_core::judge::{Judge, ReadDeck};
use decklaw_core::pool::Pool;
use decklaw_engine::report::repair;
use decklaw_engine::solve::{self, Advice, Difference, Repair, Taste, Wish, Wishes};
use decklaw_play::matches::Setup;
use serde_json::json;
use serde_json::value::RawValue;
use std::sync::Arc;

/// The effort of a repair, well below what a person at a terminal may wait for.
const EFFORT: u64 = 4_000;

/// The smallest edit that makes a deck legal, as `decklaw/fix/1`, with the rules that each
/// change serves.
///
/// # Errors
/// A deck that cannot be read, or a collection that leaves nothing.
pub(crate) fn fix(judge: &Judge, format: &str, deck: &RawValue, owned: Option<&Owned>) -> Answer {
    let Some(read) = read(judge, format, deck.get().as_bytes(), Input::Json)? else {
        return Err(Refusal::wrong(
            "The deck cannot be read, so there is nothing to mend yet.",
        ));
    };
    let before = read.into_list();
    let taste = taste(judge, before.rulebook().format().game().id())?.unwrap_or_default();
    let mut wishes = Wishes {
        effort: EFFORT,
        advice: Advice::AtNoCost,
        taste: Some(Arc::clone(&taste)),
        ..Wishes::default()
    };
    wishes
        .must
        .extend(owned.map(|owned| at_most(owned, before.pool())));
    let solved = solve::repair(&before, &wishes);
    let no = |reasons: Vec<String>| {
        document(repair::no_fix("-", (&solved).into(), &reasons, &[]), judge)
    };
    let found = match &solved {
        Repair::Found(found) => found,
        Repair::Impossible(conflict) => return no(conflict.sentences(&before, &wishes)),
        Repair::Unknown => {
            let reason = "The work limit of this page was reached before any repair was found; `decklaw fix` at a command line may look longer.";
            return no(vec![reason.to_owned()]);
        }
    };
    let reasons = solve::reasons(&before, &found.deck, &wishes);
    let text = deck::to_text(&found.deck.listing());
    let report = judge
        .judge_as("-", text.as_bytes(), Input::Text, Some(format))
        .map_err(|error| Refusal::from(&error))?;
    let document_of = repair::fix(
        "-",
        &before,
        (found, &reasons),
        &[],
        &report,
        &solve::substitutes(&before, &found.deck, &taste),
        &[],
    );
    document(document_of, judge)
}

/// No more cards than somebody owns.
pub(crate) fn at_most(owned: &Owned, pool: &Pool) -> Wish {
    let copies = pool
        .ids()
        .map(|card| i64::from(owned.get(pool.folded(card)).copied().unwrap_or(0)));
    Wish::own(copies.collect(), "what you own")
}

/// What a player of a game would choose among equals.
pub(crate) fn taste(judge: &Judge, game: &str) -> Result<Option<Arc<Taste>>, Refusal> {
    let Some((name, bytes)) = judge.game_file(game, "taste", solve::TASTE) else {
        return Ok(None);
    };
    let read = Taste::of_file(&name, bytes);
    let read = read.map_err(|error| Refusal::wrong(error.to_string()))?;
    Ok(Some(Arc::new(read)))
}

/// What two decks differ in, as `decklaw/registered/1` has it.
///
/// # Errors
/// Decks that cannot be read.
pub(crate) fn compare(judge: &Judge, format: &str, one: &RawValue, other: &RawValue) -> Answer {
    let mut lists = Vec::new();
    for deck in [one, other] {
        let Some(read) = read(judge, format, deck.get().as_bytes(), Input::Json)? else {
            return Err(Refusal::wrong("One of the decks cannot be read."));
        };
        lists.push(read.into_list());
    }
    let [before, after] = lists.as_slice() else {
        return Err(Refusal::defect());
    };
    let exchange = Setup::exchange_of(before.rulebook().format());
    let exchange = exchange.ok().flatten();
    let played = solve::played(before, after, exchange.as_ref());
    let (word, changes) = (played.word(), played.differences());
    Ok(
        json!({"schema": "decklaw/registered/1", "answer": word, "changes": changes, "hash": after.hash(), "registered_hash": before.hash(), "inputs": judge.given_so_far()}),
    )
}

/// What one deck has otherwise than another; nothing where one of them is none.
pub fn differences(judge: &Judge, format: &str, (before, after): (&str, &str)) -> Vec<Difference> {
    let list = |text: &str| {
        let opened = judge.open(text.as_bytes(), Input::default(), Some(format));
        let opened = opened.ok()?;
        let read = judge
            .read(&opened.source, opened.input, Some(format))
            .ok()?;
        match read {
            ReadDeck::Deck(resolved) => Some(resolved.into_list()),
            _ => None,
        }
    };
    match (list(before), list(after)) {
        (Some(before), Some(after)) => solve::played(&before, &after, None).differences().to_vec(),
        _ => Vec::new(),
    }
}
