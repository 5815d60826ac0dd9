//! The file of a deck that is edited.

use crate::trouble::Trouble;
use decklaw_core::deck::{self, Input, Listing};
use decklaw_core::judge::Judge;
use decklaw_core::resolve::Decklist;
use decklaw_engine::solve;
use serde_json::value::RawValue;
use std::sync::Arc;

/// The file's bytes with the cards of another deck: changed in place where that can be, else
/// written anew. A new name or player is a new file, since only cards are changed in place.
///
/// # Errors
/// A deck that cannot be read, or a file that is none any more.
pub(crate) fn with_cards(
    judge: &Judge,
    (format, input): (&str, Input),
    there: Option<&[u8]>,
    deck: &RawValue,
) -> Result<Vec<u8>, Trouble> {
    let rules = judge
        .rulebook(format)
        .map_err(|error| Trouble::wrong(error.to_string()))?;
    let names = rules.section_names();
    let wrong = |errors: Vec<deck::SyntaxError>| {
        Trouble::wrong(errors.first().map_or_else(String::new, ToString::to_string))
    };
    let wanted =
        deck::read(deck.get().as_bytes(), Input::Json, &mut |_| Some(names)).map_err(wrong)?;
    let listing = Listing {
        format: Some(format.to_owned()),
        ..Listing::from(&wanted)
    };
    let anew = || match input {
        Input::Yaml => deck::to_yaml(&listing).into_bytes(),
        Input::Json => deck::to_json(&listing).into_bytes(),
        _ => deck::to_text(&listing).into_bytes(),
    };
    let Some(there) = there else {
        return Ok(anew());
    };
    let Ok(before) = deck::read(there, input, &mut |_| Some(names)) else {
        return Err(Trouble::new(
            409,
            "The file is no deck any more.",
            "Mend it, and load the page again.",
        ));
    };
    let head = |listing: &Listing| {
        (
            listing.name.clone(),
            listing.player.clone(),
            listing.remarks.clone(),
        )
    };
    if head(&Listing::from(&before)) != head(&listing) {
        return Ok(anew());
    }
    let list = Decklist::of(&before, Arc::clone(&rules));
    // Where the deck's own names are the pool, the new deck's are looked up among the old one's.
    let after = Decklist::of(&wanted, Arc::clone(list.rulebook()));
    // Cards that only the new deck has and no pool knows have no place in the old one's list.
    match solve::rewrite(there, input, &before, &list, &after) {
        Ok(bytes) if bytes == there && list.hash() != after.hash() => Ok(anew()),
        Ok(bytes) => Ok(bytes),
        Err(_) => Ok(anew()),
    }
}
