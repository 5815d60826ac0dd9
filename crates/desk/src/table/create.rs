//! Laying a table: a form that asks what the format's setup asks, and a link for each seat.

use super::shares::Shares;
use super::{Live, Seated, Stage, Swaps, seats_of};
use crate::clock::now;
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
use decklaw_table::matches::setup::{Decks, Seats, Setup};
use decklaw_table::matches::{Choice, Match, NewMatch, Randomness, Registered, SeatId};
use maud::{Markup, PreEscaped, html};
use rusqlite::params;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

/// How many seats a form of a format can fill.
fn most_seats(setup: &Setup) -> usize {
    match &setup.seats {
        Seats::Between(_, most) => usize::from(*most),
        Seats::Option(option) => {
            let values = setup.options.get(option).map(|choices| &choices.one_of);
            let numbers = values
                .into_iter()
                .flatten()
                .filter_map(|value| match value {
                    Choice::Number(number) => usize::try_from(*number).ok(),
                    Choice::Flag(_) | Choice::Word(_) => None,
                });
            numbers.max().unwrap_or(2)
        }
    }
}

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
            @if !setup.settings.is_empty() {
                fieldset {
                    legend { "What the rules leave open" }
                    @for (name, setting) in &setup.settings {
                        label for={ "set-" (name) } { (name) span.quiet { " " (setting.why) } }
                        input id={ "set-" (name) } name={ "set-" (name) } inputmode="numeric";
                    }
                }
            }
            @if !setup.options.is_empty() {
                fieldset {
                    legend { "Options" }
                    @for (name, choices) in &setup.options {
                        label for={ "option-" (name) } { (name) }
                        select id={ "option-" (name) } name={ "option-" (name) } {
                            @for choice in &choices.one_of {
                                option value=(choice) selected[*choice == choices.default] { (choice) }
                            }
                        }
                    }
                }
            }
            fieldset {
                legend { "How the cards are dealt" }
                label { input #chance-system type="radio" name="chance" value="system" checked; " From a secret that this machine makes. Nobody at the table can foresee the deal or choose it; whoever runs this machine could read it." }
                label { input #chance-text type="radio" name="chance" value="text"; " From a text. Whoever knows the text can deal this again and see every card." }
                label { input #chance-shares type="radio" name="chance" value="shares"; " From shares that the seats bring, each committed to before any is shown. Nobody chose the deal, not even who runs this machine, as long as one share came of chance. The machine brings one, too, that no player sees; whoever runs it could read what is hidden." }
                label for="seed" { "The text" }
                input #seed name="seed" maxlength="200" autocomplete="off";
            }
            button.primary { "Lay the table" }
        }
    }
}

/// A match that a form asks for.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Wanted {
    format: String,
    options: Vec<(String, String)>,
    settings: Vec<(String, String)>,
    randomness: Randomness,
    /// Whether the seats bring shares of the seed.
    together: bool,
    players: Vec<String>,
    decks: Vec<String>,
}

impl Wanted {
    /// What is played.
    pub(crate) fn format(&self) -> &str {
        &self.format
    }

    /// The decks that seats bring, in any reader's words.
    pub(crate) fn decks(&self) -> &[String] {
        &self.decks
    }
}

/// A match that was laid, as it is kept.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Laid {
    file: String,
    shares: Option<String>,
    seats: usize,
}

/// Lays a match.
///
/// # Errors
/// Decks that cannot be played, and what else the form has wrong.
pub(crate) fn lay(seated: &Seated, decks: Vec<Registered>, asked: Wanted) -> Result<Laid, Trouble> {
    let mut wanted = NewMatch::default();
    for (name, value) in asked.options {
        wanted.options.insert(name, Choice::parse(value.trim()));
    }
    for (name, value) in asked.settings {
        let value = value.trim();
        if value.is_empty() {
            continue;
        }
        let number = value.parse().map_err(|_| {
            Trouble::wrong(format!(
                "`{name}` is a whole number, and `{value}` is none."
            ))
        })?;
        wanted.settings.insert(name, number);
    }
    wanted.decks = decks;
    let swaps = Swaps(Arc::clone(&seated.0));
    let refuse = |error: decklaw_table::matches::MatchError| Trouble::from(&error);
    let start = |wanted: NewMatch| {
        let game = seated.1.game();
        let randomness = asked.randomness.clone();
        Match::start(&game, wanted, randomness, Vec::new(), Some(&swaps)).map_err(refuse)
    };
    let seats = start(wanted.clone())?.table.seats.len();
    wanted.players = asked.players.into_iter().take(seats).collect();
    let made = start(wanted)?;
    let questions = made.questions(&seated.1.setup).map_err(refuse)?;
    if questions.iter().any(Option::is_none) {
        return Err(Trouble::new(
            422,
            "This setup begins with a decision that a page does not ask for.",
            "Set it up at a keyboard, where a decision can be written.",
        ));
    }
    let (stage, shares) = if asked.together {
        let shares = Shares::begin(&made)?;
        (Stage::Shares(Box::new(made)), Some(shares))
    } else {
        (Stage::Setup(Box::new(made)), None)
    };
    let mut live = Live {
        rev: 1,
        stage,
        sealed: BTreeMap::new(),
        asked: None,
        shares,
        ended: None,
        done: BTreeMap::new(),
        said: super::Said::default(),
    };
    live.begin()?;
    let shares = live.shares.as_ref().map(serde_json::to_string);
    Ok(Laid {
        file: live.file(),
        shares: shares.transpose().map_err(|_| Trouble::defect())?,
        seats,
    })
}

/// Where the chance of a match comes from, as a form says it.
fn chance(fields: &Fields) -> Result<Randomness, Trouble> {
    let seed = fields.text("seed");
    match (fields.text("chance"), seed) {
        ("text", "") => Err(Trouble::new(
            400,
            "The text that the deal should follow from is empty.",
            "Give a text, or let this machine make a secret.",
        )),
        ("text", seed) => Ok(Randomness::from_text(seed)),
        _ => Randomness::from_system().map_err(|error| Trouble::from(&error)),
    }
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
    let pairs = |start: &'static str| -> Vec<(String, String)> {
        let all = fields.beginning(start);
        all.map(|(name, value)| (name.to_owned(), value.to_owned()))
            .collect()
    };
    let wanted = Wanted {
        format: format.clone(),
        options: pairs("option-"),
        settings: pairs("set-"),
        randomness: chance(&fields)?,
        together: fields.text("chance") == "shares",
        players,
        decks: brought,
    };
    let laid = app.workers.ask(who.client(), Lay(wanted)).await?;
    let Laid {
        file,
        shares,
        seats,
    } = laid;
    // The same form lays the same table, whose links are shown again.
    let (id, kept, brought) = chairs(seats, |chair| who.key(&app, chair))?;
    let (row, called) = (id.clone(), title.clone());
    app.store
        .write(move |data| {
            data.execute(
                "insert into sitting (id, at, format, title, keys, file, rev, sealed, shares) values (?1, ?2, ?3, ?4, ?5, ?6, 1, '{}', ?7) on conflict do nothing",
                params![row, now(), format, called, kept, file, shares],
            )?;
            Ok::<_, Fault>(())
        })
        .await?;
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
            @for (chair, key) in keys {
                @let link = format!("{origin}/t/{id}/{chair}#key={key}");
                section.receipt {
                    h2 { @if chair == "onlooker" { "For onlookers" } @else { "Seat " (chair) } }
                    p.private { a href=(link) { (link) } }
                    div.code role="img" aria-label={ "QR code of the link for " (chair) } { (PreEscaped(qr::svg(&link)?)) }
                }
            }
        }
    };
    Ok(frame::page(who, title, &[], body).into_response())
}
