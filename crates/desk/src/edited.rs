//! `decklaw edit FILE`: the builder on that very file. Comments, order and
//! headings stay, and a file that somebody else changed is never overwritten.

use super::builder::{Json, JsonResult, body};
use super::guard::Who;
use super::own_file::{Edited, bytes_of};
use super::trouble::Trouble;
use super::work::Weight;
use super::{Shared, answers};
use axum::body::Bytes;
use axum::extract::{Extension, State};
use decklaw_core::deck::{self, Input, Listing};
use decklaw_core::resolve::Decklist;
use decklaw_core::solve;
use serde::Deserialize;
use serde_json::{Value, json};
use std::sync::{Arc, PoisonError};

fn edited(app: &Shared) -> Result<&Edited, Trouble> {
    app.edited
        .as_ref()
        .ok_or_else(|| Trouble::none("file that is edited"))
}

/// `GET /api/file`
pub(super) async fn read(State(app): State<Shared>, Extension(who): Extension<Who>) -> JsonResult {
    let state = Arc::clone(&app);
    let work = move || {
        let file = edited(&state)?;
        let now = bytes_of(&file.path).ok();
        let name = file.path.display().to_string();
        let deck = match &now {
            None => json!({"format": file.format, "sections": {}}),
            Some(bytes) => {
                let judge = state.site.own()?;
                let import = answers::import(&judge, Some(&file.format), bytes, Some(file.input))?;
                let deck = import.deck.ok_or_else(|| {
                    Trouble::new(
                        409,
                        format!("{name} is no deck any more."),
                        "Mend the file, and load the page again.",
                    )
                })?;
                serde_json::from_str(deck.get()).map_err(|_| Trouble::defect())?
            }
        };
        let rev = rev(now.as_deref());
        *file.known.lock().unwrap_or_else(PoisonError::into_inner) = now;
        Ok(json!({"file": name, "format": file.format, "deck": deck, "rev": rev}))
    };
    Ok(Json(app.work.out(who.address, Weight::Light, work).await?))
}

/// What tells the states of the file apart.
fn rev(bytes: Option<&[u8]>) -> String {
    bytes.map_or_else(String::new, |bytes| {
        decklaw_core::digest::sha256(bytes)[..16].to_owned()
    })
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct SaveAsk {
    rev: String,
    deck: Value,
    #[serde(default, rename = "note")]
    _note: String,
}

/// `PUT /api/file`
pub(super) async fn save(
    State(app): State<Shared>,
    Extension(who): Extension<Who>,
    bytes: Bytes,
) -> Result<axum::response::Response, super::builder::Refused> {
    use axum::response::IntoResponse;
    let ask: SaveAsk = body(&bytes)?;
    let state = Arc::clone(&app);
    let work = move || {
        let file = edited(&state)?;
        let mut known = file.known.lock().unwrap_or_else(PoisonError::into_inner);
        let there = bytes_of(&file.path).ok();
        let changed = |there: Option<Vec<u8>>| -> Result<Result<Value, Value>, Trouble> {
            let deck = there.as_deref().map(|bytes| {
                let judge = state.site.own()?;
                answers::import(&judge, Some(&file.format), bytes, Some(file.input))
            });
            let deck = deck.transpose()?.and_then(|import| import.deck);
            let told = json!({"error": "The file was changed by somebody else meanwhile.", "rev": rev(there.as_deref()), "deck": deck});
            Ok(Err(told))
        };
        if rev(there.as_deref()) != ask.rev {
            return changed(there);
        }
        let written = with_cards(&state, file, there.as_deref(), &ask.deck)?;
        let saved = (file.write)(&file.path, there.as_deref(), &written);
        let saved = saved.map_err(|error| Trouble::new(507, format!("Not saved: {error}"), ""))?;
        if !saved {
            return changed(bytes_of(&file.path).ok());
        }
        let rev = rev(Some(&written));
        *known = Some(written);
        Ok(Ok(json!({"rev": rev})))
    };
    Ok(
        match app.work.out(who.address, Weight::Light, work).await? {
            Ok(saved) => Json(saved).into_response(),
            Err(conflict) => (axum::http::StatusCode::CONFLICT, Json(conflict)).into_response(),
        },
    )
}

/// The file's bytes with the cards of another deck: changed in place where that can be, else
/// written anew. A new name or player is a new file, since only cards are changed in place.
fn with_cards(
    app: &Shared,
    file: &Edited,
    there: Option<&[u8]>,
    deck: &Value,
) -> Result<Vec<u8>, Trouble> {
    let judge = app.site.own()?;
    let rules = judge
        .rulebook(&file.format)
        .map_err(|error| Trouble::wrong(error.to_string()))?;
    let text = deck.to_string();
    let names = rules.section_names();
    let wrong = |errors: Vec<deck::SyntaxError>| {
        Trouble::wrong(errors.first().map_or_else(String::new, ToString::to_string))
    };
    let wanted = deck::read(text.as_bytes(), Input::Json, &mut |_| Some(names)).map_err(wrong)?;
    let listing = Listing {
        format: Some(file.format.clone()),
        ..Listing::from(&wanted)
    };
    let anew = || match file.input {
        Input::Yaml => deck::to_yaml(&listing).into_bytes(),
        Input::Json => deck::to_json(&listing).into_bytes(),
        _ => deck::to_text(&listing).into_bytes(),
    };
    let Some(there) = there else {
        return Ok(anew());
    };
    let Ok(before) = deck::read(there, file.input, &mut |_| Some(names)) else {
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
    match solve::rewrite(there, file.input, &before, &list, &after) {
        Ok(bytes) if bytes == there && list.hash() != after.hash() => Ok(anew()),
        Ok(bytes) => Ok(bytes),
        Err(_) => Ok(anew()),
    }
}
