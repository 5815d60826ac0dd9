//! Opening an event: what is asked, and what is kept of it.

use super::super::guard::{Fields, Who, set_cookie};
use super::super::trouble::Trouble;
use super::super::worker::{Lock, Opening, Openings};
use super::super::{Shared, chooser, keys, page as frame};
use super::handle::EventHandle;
use super::{organiser_cookie, views};
use axum::extract::{Extension, Query, State};
use axum::http::header;
use axum::response::{IntoResponse, Response};
use decklaw_ask::Setting;
use decklaw_core::digest::hex;
use decklaw_event::{About, Decision, Event, Late, Person, read_people};
use jiff::tz::TimeZone;
use maud::{Markup, html};
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
    let main = html! {
        main.desk.narrow {
            h1 { "New event" }
            @match about {
                None => { section.panel.box { (chooser::formats(&games)) } }
                Some(about) => { (form(&who, &chosen, &about, &zone)) }
            }
        }
    };
    Ok(views::page("New event", &[], main).into_response())
}

fn form(who: &Who, chosen: &str, about: &Openings, zone: &str) -> Markup {
    let Openings {
        settings,
        lists,
        force,
        day,
    } = about;
    html! {
        form.panel.box method="post" action="/desk/new" {
            (frame::token(who))
            (chooser::chosen(chosen, "/desk/new"))
            label for="title" { "Name of the event" }
            input.input #title name="title" required maxlength="200";
            label for="day" { "Day on which it is played" }
            input.input #day name="day" type="date" value=(day) required;
            label for="list" { "Banlist" }
            select.input #list name="list" {
                option value="" { "The one in force on that day" @if let Some(id) = force { " (today: " (id) ")" } }
                option value="none" { "None" }
                @for list in lists { option value=(list.id) { (list.name) } }
            }
            @for Setting { name, about, choices, value: now, .. } in settings {
                label for={ "set-" (name) } { (name) span.quiet { " " (about) } }
                @if choices.is_empty() {
                    input.input id={ "set-" (name) } name={ "set-" (name) } inputmode="numeric" placeholder=(if now.is_empty() { "not given" } else { now });
                } @else {
                    select.input id={ "set-" (name) } name={ "set-" (name) } {
                        option value="" { (if now.is_empty() { "not given" } else { now }) }
                        @for choice in choices { option { (choice) } }
                    }
                }
            }
            label for="due" { "Hand-in closes" }
            input.input #due name="due" type="datetime-local";
            label for="zone" { "Time zone" }
            input.input #zone name="zone" value=(zone);
            p.quiet { "Leave the time empty for no deadline. A zone is a name such as Europe/Berlin, or hours such as +01:00." }
            label for="late" { "Late decks" }
            select.input #late name="late" {
                option value="mark" { "I decide about each" }
                option value="last" { "The last deck counts" }
                option value="refuse" { "Refuse" }
            }
            label for="players" { "Players, if you know them" }
            textarea.input #players name="players" rows="6" placeholder="Ada Birch\nBen Cole" {}
            p.quiet { "One name per line, or a table with a header." }
            p { button.btn.main.big { "Create the event" } }
        }
    }
}

/// A player's name as it is kept: in one line, without control characters, and with `?` for a letter
/// that another program lost, which no table may have.
pub(super) fn player_name(typed: &str) -> String {
    let plain = typed.replace(char::is_control, " ");
    decklaw_core::name::tidy(&plain.replace('\u{fffd}', "?")).into_owned()
}

/// The players of a list: one name per line, or a table with a header.
fn people(list: &str) -> Result<Vec<Person>, Trouble> {
    let plain: Vec<&str> = list.lines().map(str::trim).collect();
    let plain = plain.join("\n").replace('\u{fffd}', "?");
    if plain.trim().is_empty() {
        return Ok(Vec::new());
    }
    let mut people = read_people(plain.as_bytes(), None)
        .map_err(|error| Trouble::wrong(format!("The list of players is not clear: {error}.")))?;
    for person in &mut people {
        person.name = person.name.as_deref().map(player_name);
        let name = person.name.as_deref().unwrap_or_default();
        if name.chars().count() > NAME {
            let start: String = name.chars().take(30).collect();
            return Err(Trouble::wrong(format!(
                "The name that begins with {start} is longer than {NAME} letters."
            )));
        }
    }
    match people.len() {
        many if many > PLAYERS => Err(Trouble::wrong(format!(
            "These are {many} players; at most {PLAYERS} are taken."
        ))),
        _ => Ok(people),
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
    let players = people(fields.get("players").unwrap_or_default())?;
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
            "last" => Late::Last,
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
    let made = tokio::task::spawn_blocking(move || {
        let _one = state.opening.lock().unwrap_or_else(PoisonError::into_inner);
        if state.events.find(&name).is_some() {
            return Ok(Vec::new());
        }
        let failed = |error: std::io::Error| Trouble::new(500, error.to_string(), "");
        let folder = state.events_folder.join(&name);
        // What is begun here and not ended is no event, and begun anew.
        let begun = state.events_folder.join(format!(".{name}"));
        if begun.exists() {
            std::fs::remove_dir_all(&begun).map_err(failed)?;
        }
        let mut event = Event::create(&begun, &about, &lock)?;
        event.expect(&players)?;
        event.decide("host", Decision::Key(None, kept), None)?;
        let warnings = event.lock_warnings()?;
        drop(event);
        std::fs::rename(&begun, &folder).map_err(failed)?;
        let handle = EventHandle::open(&folder, &name, &state.address);
        state
            .events
            .add(handle.map_err(|why| Trouble::new(500, why, ""))?);
        Ok::<_, Trouble>(warnings)
    });
    let warnings = made.await.unwrap_or_else(|_| Err(Trouble::defect()))?;
    let path = format!("/e/{id}");
    let cookie = set_cookie(&app, &organiser_cookie(&id), &key, &path, 30);
    let main = html! {
        main.desk.narrow {
            h1 { "The event is open" }
            @for warning in warnings { p.message { (decklaw_core::text::sentence(&warning)) } }
            section.panel.box {
                h2 { "Link for players" }
                p { a.private href=(path) { (path) } }
                h2 { "Your link" }
                p { "For you and whom you trust with the event. It is shown only now." }
                @let link = format!("{path}/desk#key={key}");
                p { a.private href=(link) { (link) } }
                p { a.btn.main.big href={ (path) "/desk" } { "Open the event" } }
            }
        }
    };
    let page = views::page("The event is open", &["handin.js"], main);
    Ok(([(header::SET_COOKIE, cookie)], page).into_response())
}
