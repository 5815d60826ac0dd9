//! Laying a table: its match, and a link for each seat.

use super::deal::Secret;
use super::kept::Standing;
use super::terms::MatchTerms;
use super::{Live, Seated, Stage, Swaps};
use crate::page as frame;
use crate::trouble::Trouble;
use crate::who::Who;
use crate::{keys, qr};
use axum::response::{IntoResponse, Response};
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

/// A table's id, the digests of its keys as JSON, and the key of each chair.
type Chairs = (String, String, Vec<(String, String)>);

/// Makes the keys of a table, each by what it is for.
///
/// # Errors
/// A system that gives no random numbers.
pub(super) fn chairs(
    seats: usize,
    key: impl Fn(&str) -> Result<String, getrandom::Error>,
) -> Result<Chairs, Trouble> {
    let mut each = Vec::new();
    let mut kept = BTreeMap::new();
    let chairs = SeatId::ALL.into_iter().take(seats);
    let chairs = chairs.map(|seat| seat.to_string());
    for chair in chairs.chain(["onlooker".to_owned()]) {
        let key = key(&chair)?;
        kept.insert(chair.clone(), decklaw_core::digest::hex(&keys::kept(&key)));
        each.push((chair, key));
    }
    let kept = serde_json::to_string(&kept).map_err(|_| Trouble::defect())?;
    let id = key("table")?.chars().take(10).collect();
    Ok((id, kept, each))
}

/// A page with the link of each chair.
///
/// # Errors
/// A link that no QR code can hold.
pub(super) fn links(
    who: &Who,
    title: &str,
    told: &str,
    origin: &str,
    id: &str,
    keys: &[(String, String)],
) -> Result<Response, Trouble> {
    let body = html! {
        (frame::top())
        main.narrow {
            h1 { bdi { (title) } }
            p { (told) }
            @for (chair, key) in keys { (link(origin, id, chair, key)?) }
        }
    };
    Ok(frame::page(who, title, &[], body).into_response())
}

/// The link of a chair, and its code for phones.
///
/// # Errors
/// A link that no QR code can hold.
pub(super) fn link(origin: &str, id: &str, chair: &str, key: &str) -> Result<Markup, Trouble> {
    let link = format!("{origin}/t/{id}/{chair}#key={key}");
    Ok(html! {
        section.receipt {
            h2 { @if chair == "onlooker" { "For onlookers" } @else { "Seat " (chair) } }
            p.private { a href=(link) { (link) } }
            div.code role="img" aria-label={ "QR code of the link for " (chair) } { (PreEscaped(qr::svg(&link)?)) }
        }
    })
}
