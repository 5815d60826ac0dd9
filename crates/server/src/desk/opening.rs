//! Opening an event: what is asked, and what is kept of it.

use super::super::guard::{Fields, Who, set_cookie};
use super::super::trouble::Trouble;
use super::super::worker::{Lock, Opening, Openings};
use super::super::{Shared, chooser, keys, page as frame};
use super::hall::Hall;
use super::organiser_cookie;
use axum::extract::{Extension, Query, State};
use axum::http::header;
use axum::response::{IntoResponse, Response};
use decklaw_ask::Setting;
use decklaw_core::digest::hex;
use decklaw_event::{About, Decision, Event, Late, Personal};
use jiff::tz::TimeZone;
use maud::html;
use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, PoisonError};

/// The most letters of a player's name.
pub(super) const NAME: usize = 100;

/// The most players of a list.
const PLAYERS: usize = 5000;

/// `GET /desk/new`
pub(in super::super) async fn new(
    State(app): State<Shared>,
    Extension(who): Extension<Who>,
    Query(query): Query<HashMap<String, String>>,
) -> Result<Response, Trouble> {
    let chosen = query.get("format").cloned().unwrap_or_default();
    let opening = Opening {
        format: chosen.clone(),
    };
    let (games, about) = app.workers.ask(who.address, opening).await?;
    let zone = TimeZone::system();
    let zone = zone.iana_name().unwrap_or("UTC").to_owned();
    let body = html! {
        (frame::top())
        main.narrow {
            h1 { "New event" }
            @match about {
                None => {
                    (chooser::formats(&games))
                }
                Some(Openings { settings, lists, force, day }) => {
                    form method="post" action="/desk/new" {
                        (frame::token(&who))
                        (chooser::chosen(&chosen, "/desk/new"))
                        label for="title" { "Name of the event" }
                        input #title name="title" required maxlength="200";
                        label for="day" { "Decks are judged as of" }
                        input #day name="day" type="date" value=(day) required;
                        label for="list" { "Banlist" }
                        select #list name="list" {
                            option value="" { "the one in force on that day" @if let Some(id) = &force { " (today: " (id) ")" } }
                            option value="none" { "none" }
                            @for list in &lists { option value=(list.id) { (list.name) } }
                        }
                        @if !settings.is_empty() {
                            fieldset {
                                legend { "What the rules leave open" }
                                @for Setting { name, about, choices, value: now, .. } in &settings {
                                    label for={ "set-" (name) } { (name) span.quiet { " " (about) } }
                                    @if choices.is_empty() {
                                        input id={ "set-" (name) } name={ "set-" (name) } inputmode="numeric" placeholder=(if now.is_empty() { "not given" } else { now });
                                    } @else {
                                        select id={ "set-" (name) } name={ "set-" (name) } {
                                            option value="" { (if now.is_empty() { "not given" } else { now }) }
                                            @for choice in choices { option { (choice) } }
                                        }
                                    }
                                }
                            }
                        }
                        fieldset {
                            legend { "Deadline" }
                            div.row {
                                label for="due" { "Until" } input #due name="due" type="datetime-local";
                                label for="zone" { "Time zone" } input #zone name="zone" value=(zone);
                            }
                            p.quiet { "Without a time there is no deadline. A zone is a name such as Europe/Berlin, or hours such as +01:00." }
                            label { input type="radio" name="late" value="mark" checked; " What is late waits for your word" }
                            label { input type="radio" name="late" value="refuse"; " What is late is refused" }
                        }
                        label for="players" { "Players, if they are known: a name a line" }
                        textarea #players name="players" rows="6" {}
                        button.primary { "Open the event" }
                    }
                }
            }
        }
    };
    Ok(frame::page(&who, "New event", &[], body).into_response())
}

/// A player's name as it is kept: in one line, without control characters, and with `?` for a letter
/// that another program lost, which no table may have.
pub(super) fn player_name(typed: &str) -> String {
    let plain = typed.replace(char::is_control, " ");
    decklaw_core::name::tidy(&plain.replace('\u{fffd}', "?")).into_owned()
}

/// The names of a list of players, a line each.
pub(super) fn names(list: &str) -> Result<Vec<String>, Trouble> {
    let names: Vec<String> = list
        .lines()
        .map(|line| player_name(line.trim().trim_matches('"')))
        .filter(|name| !name.is_empty())
        .collect();
    if let Some(long) = names.iter().find(|name| name.chars().count() > NAME) {
        let start: String = long.chars().take(30).collect();
        return Err(Trouble::wrong(format!(
            "The name that begins with {start} is longer than {NAME} letters."
        )));
    }
    match names.len() {
        many if many > PLAYERS => Err(Trouble::wrong(format!(
            "These are {many} players; at most {PLAYERS} are taken."
        ))),
        _ => Ok(names),
    }
}

/// `POST /desk/new`
pub(in super::super) async fn create(
    State(app): State<Shared>,
    Extension(who): Extension<Who>,
    Extension(fields): Extension<Fields>,
) -> Result<Response, Trouble> {
    let title = decklaw_core::name::tidy(fields.text("title")).into_owned();
    if title.is_empty() || title.chars().count() > 200 {
        return Err(Trouble::wrong(
            "An event needs a name, of at most 200 letters.",
        ));
    }
    let format = fields.text("format").to_owned();
    let players = names(fields.get("players").unwrap_or_default())?;
    let text =
        |name: &str| Some(fields.text(name).trim().to_owned()).filter(|text| !text.is_empty());
    let mut about = About {
        name: title,
        format: None,
        day: Some(fields.text("day").to_owned()),
        deadline: text("due"),
        zone: text("zone").unwrap_or_else(|| "UTC".to_owned()),
        late: match fields.text("late") {
            "refuse" => Late::Refuse,
            _ => Late::Beside,
        },
    };
    about
        .check()
        .map_err(|error| Trouble::wrong(error.to_string()))?;
    let settings: BTreeMap<String, String> = fields
        .beginning("set-")
        .filter(|(_, value)| !value.trim().is_empty())
        .map(|(name, value)| (name.to_owned(), value.trim().to_owned()))
        .collect();
    let lock = Lock {
        format,
        settings,
        day: fields.text("day").to_owned(),
        list: fields.text("list").to_owned(),
    };
    let (lock, format) = app.workers.ask(who.address, lock).await?;
    about.format = Some(format);
    // The same form opens the same event, whose key is shown again.
    let key = who.key(&app, "organiser")?;
    let id: String = who.key(&app, "event")?.chars().take(6).collect();
    let kept = hex(&keys::kept(&key));
    let (state, name) = (Arc::clone(&app), id.clone());
    let people: Vec<Personal> = players
        .into_iter()
        .map(|name| Personal {
            name: Some(name),
            ..Personal::default()
        })
        .collect();
    let made = tokio::task::spawn_blocking(move || {
        let _one = state.opening.lock().unwrap_or_else(PoisonError::into_inner);
        if state.halls.find(&name).is_some() {
            return Ok(());
        }
        let failed = |error: std::io::Error| Trouble::new(500, error.to_string(), "");
        let folder = state.halls_folder.join(&name);
        // What is begun here and not ended is no event, and begun anew.
        let begun = state.halls_folder.join(format!(".{name}"));
        if begun.exists() {
            std::fs::remove_dir_all(&begun).map_err(failed)?;
        }
        let mut event = Event::create(&begun, &about, &lock)?;
        event.expect(&people)?;
        let key = Decision::Key {
            player: None,
            key: kept,
        };
        event.decide("host", key, Personal::default(), None)?;
        drop(event);
        std::fs::rename(&begun, &folder).map_err(failed)?;
        let hall = Hall::open(&folder, &name, &state.address);
        state
            .halls
            .add(hall.map_err(|why| Trouble::new(500, why, ""))?);
        Ok::<_, Trouble>(())
    });
    made.await.unwrap_or_else(|_| Err(Trouble::defect()))?;
    let path = format!("/e/{id}");
    let cookie = set_cookie(&app, &organiser_cookie(&id), &key, &path, 30);
    let body = html! {
        (frame::top())
        main.narrow {
            h1 { "The event is open" }
            p { "For players:" }
            p { a.private href=(path) { (path) } }
            p { "For you, and for whom you trust with the desk. It is shown only now:" }
            @let link = format!("{path}/desk#key={key}");
            p { a.private href=(link) { (link) } }
            p { a.button.primary href={ (path) "/desk" } { "To the desk" } }
        }
    };
    let page = frame::page(&who, "The event is open", &["desk.js"], body);
    Ok(([(header::SET_COOKIE, cookie)], page).into_response())
}
