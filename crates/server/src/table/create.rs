//! Laying a table: its match, and a link for each seat.

use super::deal::Secret;
use super::stored::Standing;
use super::terms::MatchTerms;
use super::{Live, ONLOOKER, Seated, Stage, Swaps, path};
use crate::trouble::Trouble;
use crate::{keys, qr};
use decklaw_play::matches::{Match, NewMatch, Randomness, Registered, SeatId};
use maud::{Markup, PreEscaped, html};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::Arc;

/// A match that is asked for.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Wanted {
    pub(crate) terms: MatchTerms,
    /// The names of its players, in the order of the seats.
    pub(crate) players: Vec<String>,
    /// The decks that seats bring, in any reader's words.
    pub(crate) decks: Vec<String>,
    pub(crate) chance: Randomness,
    /// What the next games of the match are dealt from.
    pub(crate) secret: Option<Secret>,
}

/// A match that was laid, as it is kept.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Laid {
    pub(super) standing: Standing,
    pub(crate) seats: usize,
}

/// Lays a match.
///
/// # Errors
/// Decks that cannot be played, and what else the form has wrong.
pub(crate) fn lay(seated: &Seated, decks: Vec<Registered>, asked: Wanted) -> Result<Laid, Trouble> {
    let mut wanted = asked.terms.wanted()?;
    wanted.decks = decks;
    let swaps = Swaps(Arc::clone(&seated.0));
    let refuse = |error: decklaw_play::matches::MatchError| Trouble::from(&error);
    let start = |wanted: NewMatch| {
        let game = seated.1.game();
        let chance = asked.chance.clone();
        let made = Match::start(&game, wanted, chance, Vec::new(), Some(&swaps));
        match asked.terms.alone() {
            true => made.and_then(|made| made.begin_alone(&game)),
            false => made,
        }
        .map_err(refuse)
    };
    let seats = start(wanted.clone())?.table.seats.len();
    wanted.players = asked.players.into_iter().take(seats).collect();
    let made = start(wanted)?;
    let prompts = made.prompts(&seated.1.setup).map_err(refuse)?;
    if prompts.iter().any(|prompt| prompt.options.is_empty()) {
        return Err(Trouble::new(
            422,
            "This setup begins with a decision that a page does not ask for.",
            "Set it up by `match decide`, where a decision can be written.",
        ));
    }
    let standing = Live::new(Stage::Setup(Box::new(made)), asked.secret)?.kept()?;
    Ok(Laid { standing, seats })
}

/// The keys of a table's places.
pub(super) struct Chairs {
    /// The digest of each, as JSON.
    pub(super) digests: String,
    /// The key of each.
    pub(super) keys: Vec<(String, String)>,
}

/// The places at a table: its seats, and that of onlookers where several play.
pub(super) fn places(seats: usize) -> impl Iterator<Item = String> {
    let letters = SeatId::ALL.into_iter().take(seats);
    let letters = letters.map(|seat| seat.to_string());
    letters.chain((seats > 1).then(|| ONLOOKER.to_owned()))
}

/// The keys of a table. They follow from the first, that of whoever opens it, so that seat A can show
/// the links of the others again and the server keeps digests alone.
///
/// # Errors
/// None in practice.
pub(super) fn chairs(
    app_secret: &[u8; 32],
    id: &str,
    first: &str,
    seats: usize,
) -> Result<Chairs, Trouble> {
    let keys: Vec<(String, String)> = places(seats)
        .map(|place| {
            let key = key_of(app_secret, id, first, &place);
            (place, key)
        })
        .collect();
    let digests = keys.iter().map(|(place, key)| {
        let digest = decklaw_core::digest::hex(&keys::kept(key));
        (place.as_str(), digest)
    });
    let digests: BTreeMap<&str, String> = digests.collect();
    let digests = serde_json::to_string(&digests).map_err(|_| Trouble::defect())?;
    Ok(Chairs { digests, keys })
}

/// The key of a place, which follows from that of seat A.
pub(super) fn key_of(app_secret: &[u8; 32], id: &str, first: &str, place: &str) -> String {
    match place == SeatId::A.letter() {
        true => first.to_owned(),
        false => keys::of_form(
            app_secret,
            &[b"chair", first.as_bytes(), id.as_bytes(), place.as_bytes()],
        ),
    }
}

/// The link of a place, with its code for phones.
///
/// # Errors
/// A link that no QR code can hold.
pub(super) fn link(origin: &str, id: &str, place: &str, key: &str) -> Result<Markup, Trouble> {
    let link = format!("{origin}{}", path(id, key));
    Ok(html! {
        div.invite {
            div.code role="img" aria-label={ "QR code of the link for " @if place == ONLOOKER { "onlookers" } @else { "seat " (place) } } { (PreEscaped(qr::svg(&link)?)) }
            p { a.key href=(link) { (link) } }
        }
    })
}
