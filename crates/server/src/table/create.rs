//! Laying a table: a form that asks what the format's setup asks, and a link for each seat.

use super::kept::{New, Standing};
use super::terms::{self, MatchTerms, most_seats};
use super::{Live, Seated, Swaps, seats_of};
use crate::guard::Fields;
use crate::page as frame;
use crate::store::Fault;
use crate::trouble::Trouble;
use crate::who::Who;
use crate::worker::{Games, Lay};
use crate::{Shared, chooser, keys, qr};
use axum::extract::{Extension, Query, State};
use axum::http::HeaderMap;
use axum::response::{IntoResponse, Response};
use decklaw_play::matches::setup::{Decks, Setup};
use decklaw_play::matches::{Match, NewMatch, Registered, SeatId};
use maud::{Markup, PreEscaped, html};
use rusqlite::Connection;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

/// `GET /t/new`
pub(in super::super) async fn new(
    State(app): State<Shared>,
    Extension(who): Extension<Who>,
    Query(query): Query<HashMap<String, String>>,
) -> Result<Response, Trouble> {
    let chosen = query.get("format").cloned().unwrap_or_default();
    let games = app.workers.ask(who.client(), Games).await?;
    let setup = if chosen.is_empty() {
        None
    } else {
        Some(seats_of(&app, &chosen).await?.1.setup)
    };
    let body = html! {
        (frame::top())
        main.narrow {
            h1 { "New table" }
            @match setup {
                None => {
                    (chooser::formats(&games))
                }
                Some(setup) => { (form(&who, &chosen, &setup)) }
            }
        }
    };
    Ok(frame::page(&who, "New table", &[], body).into_response())
}

fn form(who: &Who, format: &str, setup: &Setup) -> Markup {
    let decks = match setup.decks {
        Decks::Own => most_seats(setup),
        Decks::Shared => 1,
        Decks::WholePool(_) => 0,
    };
    html! {
        form method="post" action="/t/new" {
            (frame::token(who))
            (chooser::chosen(format, "/t/new"))
            label for="title" { "What the table is called" }
            input #title name="title" maxlength="200" placeholder=(format);
            @for seat in SeatId::ALL.into_iter().take(most_seats(setup)) {
                label for={ "player-" (seat) } { "Player at seat " (seat) }
                input id={ "player-" (seat) } name={ "player-" (seat) } maxlength="80";
            }
            @for number in 1..=decks {
                label for={ "deck-" (number) } { "Deck " (number) @if decks > 2 && number > 2 { span.quiet { " (if somebody sits there)" } } }
                textarea id={ "deck-" (number) } name={ "deck-" (number) } rows="6" spellcheck="false" {}
            }
            (terms::asked(setup, None, &Fields::default()))
            (terms::chance(&["system", "text", "shares"], &Fields::default()))
            button.primary { "Lay the table" }
        }
    }
}

/// A match that is asked for.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Wanted {
    pub(crate) terms: MatchTerms,
    /// The names of its players, in the order of the seats.
    pub(crate) players: Vec<String>,
    /// The decks that seats bring, in any reader's words.
    pub(crate) decks: Vec<String>,
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
        let randomness = asked.terms.randomness.clone();
        let made = Match::start(&game, wanted, randomness, Vec::new(), Some(&swaps));
        match asked.terms.alone {
            true => made.and_then(|made| made.begin_alone(&game)),
            false => made,
        }
        .map_err(refuse)
    };
    let seats = start(wanted.clone())?.table.seats.len();
    wanted.players = asked.players.into_iter().take(seats).collect();
    let made = start(wanted)?;
    let questions = made.questions(&seated.1.setup).map_err(refuse)?;
    if questions.iter().any(Option::is_none) {
        return Err(Trouble::new(
            422,
            "This setup begins with a decision that a page does not ask for.",
            "Set it up by `match decide`, where a decision can be written.",
        ));
    }
    let standing = Live::of_match(made, asked.terms.together)?.kept()?;
    Ok(Laid { standing, seats })
}

/// `POST /t/new`
pub(in super::super) async fn create(
    State(app): State<Shared>,
    Extension(who): Extension<Who>,
    Extension(fields): Extension<Fields>,
    headers: HeaderMap,
) -> Result<Response, Trouble> {
    let format = fields.text("format").to_owned();
    let title = decklaw_core::name::tidy(fields.text("title")).into_owned();
    let title = if title.is_empty() {
        format.clone()
    } else {
        title
    };
    let seats = SeatId::ALL.into_iter();
    let players = seats.map(|seat| {
        let name = decklaw_core::name::tidy(fields.text(&format!("player-{seat}"))).into_owned();
        if name.is_empty() {
            seat.to_string()
        } else {
            name
        }
    });
    let players: Vec<String> = players.collect();
    let brought: Vec<String> = fields
        .beginning("deck-")
        .map(|(_, text)| text.to_owned())
        .filter(|text| !text.trim().is_empty())
        .collect();
    let wanted = Wanted {
        terms: MatchTerms::of(&format, &fields)?,
        players,
        decks: brought,
    };
    let laid = app.workers.ask(who.client(), Lay(wanted)).await?;
    // The same form lays the same table, whose links are shown again.
    let (id, keys, brought) = chairs(laid.seats, |chair| who.key(&app, chair))?;
    let new = New {
        id: id.clone(),
        format,
        title: title.clone(),
        keys,
        by: None,
        standing: laid.standing,
    };
    let write = move |data: &Connection| Ok::<_, Fault>(new.write(data)?);
    app.store.write(write).await?;
    let origin = chooser::origin(&app, &headers);
    let told = "Send each player the link of their seat, and nobody another's: it shows that seat's hand. These links are shown once.";
    links(&who, &title, told, &origin, &id, &brought)
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
