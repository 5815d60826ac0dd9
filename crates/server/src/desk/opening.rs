//! Creating an event.

use super::organiser_cookie;
use crate::actor::{Visit, set_cookie};
use crate::answering::{Speed, blocking};
use crate::error::HttpError;
use crate::events::EventHandle;
use crate::guard::Fields;
use crate::{keys, page as frame};
use axum::extract::{Extension, Query};
use axum::http::HeaderMap;
use axum::response::{IntoResponse, Response};
use decklaw_ask::{JudgeOptions, Library, ListChoice, ListEntry, Setting, games};
use decklaw_event::{About, Decision, Event, LONGEST_NAME, Late, Person, read_people};
use decklaw_text::digest::hex;
use jiff::tz::TimeZone;
use maud::{Markup, html};
use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, PoisonError};

/// The most letters of a player's name.
pub(super) const NAME: usize = LONGEST_NAME;

/// The most players of a list.
const PLAYERS: usize = 5000;

/// What an event of a format may be created with.
struct Choices {
    settings: Vec<Setting>,
    lists: Vec<ListEntry>,
    /// The id of the list in force.
    in_force: Option<String>,
    day: String,
}

/// `GET /desk/new`
pub(crate) async fn new(
    Extension(visit): Extension<Visit>,
    Query(query): Query<HashMap<String, String>>,
) -> Result<Response, HttpError> {
    let format = query.get("format").cloned().unwrap_or_default();
    let asked = visit.judged(move |judge| {
        if format.is_empty() {
            return Ok(
                html! { section.panel.box { (frame::choose_format(&games(&judge.judge))) } },
            );
        }
        let choices = Choices {
            settings: judge.settings_of(&format)?,
            lists: judge.lists_of(&format)?,
            in_force: judge.list_in_force(&format)?.map(|(id, _)| id),
            day: judge.day().to_string(),
        };
        let zone = TimeZone::system();
        Ok(form(&format, &choices, zone.iana_name().unwrap_or("UTC")))
    });
    let main = html! { main.desk.narrow { h1 { "New event" } (asked.await?) } };
    Ok(frame::desk("New event", &["opening.js"], &main))
}

fn form(format: &str, choices: &Choices, zone: &str) -> Markup {
    let Choices { settings, lists, in_force, day } = choices;
    html! {
        form.panel.box method="post" action="/desk/new" {
            (frame::token())
            input type="hidden" name="format" value=(format);
            p { "Format: " b { (format) } " · " a href="/desk/new" { "another one" } }
            label for="title" { "Name of the event" }
            input.input #title name="title" required maxlength="200";
            label for="day" { "Day on which it is played" }
            input.input #day name="day" type="date" value=(day) required;
            label for="list" { "Banlist" }
            select.input #list name="list" {
                option value="" { "The one in force on that day" @if let Some(id) = in_force { " (today: " (id) ")" } }
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
            input.input #zone name="zone" value=(zone) list="zones";
            datalist #zones {}
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

/// A player's name as it is stored: in one line, without control characters, and with `?` for a
/// letter that another program lost.
pub(super) fn player_name(typed: &str) -> String {
    let plain = typed.replace(char::is_control, " ");
    decklaw_text::name::tidy(&plain.replace('\u{fffd}', "?")).into_owned()
}

/// The players of a list: one name per line, or a table with a header.
fn people(list: &str) -> Result<Vec<Person>, HttpError> {
    let plain: Vec<&str> = list.lines().map(str::trim).collect();
    let plain = plain.join("\n").replace('\u{fffd}', "?");
    if plain.trim().is_empty() {
        return Ok(Vec::new());
    }
    let mut people = read_people(plain.as_bytes(), None, &[])
        .map_err(|error| HttpError::wrong(format!("The list of players is not clear: {error}.")))?;
    for person in &mut people {
        person.name = person.name.as_deref().map(player_name);
        let name = person.name.as_deref().unwrap_or_default();
        if name.chars().count() > NAME {
            let start: String = name.chars().take(30).collect();
            return Err(HttpError::wrong(format!(
                "The name that begins with {start} is longer than {NAME} letters."
            )));
        }
    }
    match people.len() {
        many if many > PLAYERS => {
            Err(HttpError::wrong(format!("These are {many} players; at most {PLAYERS} are taken.")))
        }
        _ => Ok(people),
    }
}

/// The text of the lock of a new event, and the format's id. `list` is the chosen banlist: empty
/// for the one in force, `none`, or an id.
fn lock(
    library: &Library,
    format: &str,
    settings: BTreeMap<String, String>,
    (day, list): (&str, &str),
) -> Result<(String, String), HttpError> {
    let day = day.parse();
    let day = day.map_err(|_| HttpError::wrong("The day must be a date such as 2026-03-01."))?;
    let open = JudgeOptions { settings, day: Some(day), list: ListChoice::InForce };
    let judge = library.judge_for(&open)?;
    let chosen = match list {
        "none" => None,
        "" => judge.list_in_force(format)?,
        id => {
            let mut lists = judge.lists_of(format)?.into_iter();
            let found = lists
                .find(|list| list.id == id)
                .ok_or_else(|| HttpError::wrong(format!("This game has no banlist `{id}`.")))?;
            Some((found.id, found.sha256))
        }
    };
    let list = chosen
        .map_or(ListChoice::Nothing, |(id, sha256)| ListChoice::Named { id, sha256: Some(sha256) });
    let judge = library.judge_for(&JudgeOptions { list, ..open })?;
    let chosen = judge.format(format)?;
    let (format, game) = (chosen.id().to_owned(), chosen.game().id().to_owned());
    // Settings that do not fit are an error here, and not for the first player.
    judge.rules(&format)?;
    let lock = judge.lock_of(&[game], |_| None);
    let lock = lock.map_err(|error| HttpError::new(500, error.to_string(), ""))?;
    Ok((lock.text(), format))
}

/// `POST /desk/new`
pub(crate) async fn create(
    Extension(visit): Extension<Visit>,
    Extension(fields): Extension<Fields>,
    headers: HeaderMap,
) -> Result<Response, HttpError> {
    let title = decklaw_text::name::tidy(fields.text("title")).into_owned();
    if title.is_empty() || title.chars().count() > 200 {
        return Err(HttpError::wrong("An event needs a name, of at most 200 letters."));
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
    about.check().map_err(|error| HttpError::wrong(error.to_string()))?;
    let settings: BTreeMap<String, String> = fields
        .beginning("set-")
        .filter(|(_, value)| !value.trim().is_empty())
        .map(|(name, value)| (name.to_owned(), value.trim().to_owned()))
        .collect();
    let (library, list) = (Arc::clone(&visit.app.library), fields.text("list").to_owned());
    let day = fields.text("day").to_owned();
    let lock = visit.answer(Speed::Slow, move || lock(&library, &format, settings, (&day, &list)));
    let (lock, format) = lock.await?;
    about.format = Some(format);
    // The same form opens the same event, whose key is shown again.
    let key = visit.key("organiser")?;
    let id: String = visit.key("event")?.chars().take(6).collect();
    let kept = hex(&keys::digest(&key));
    let (state, name) = (Arc::clone(&visit.app), id.clone());
    let made = blocking(move || {
        let _one = state.creating.lock().unwrap_or_else(PoisonError::into_inner);
        if state.events.find(&name).is_some() {
            return Ok(Vec::new());
        }
        let failed = |error: std::io::Error| HttpError::new(500, error.to_string(), "");
        let folder = state.events_folder.join(&name);
        // A folder of an attempt that did not end is no event.
        let begun = state.events_folder.join(format!(".{name}"));
        if begun.exists() {
            std::fs::remove_dir_all(&begun).map_err(failed)?;
        }
        let mut event = Event::create(&begun, &about, &lock)?;
        event.expect("host", "The list", &players)?;
        event.decide("host", Decision::Key(None, kept), None)?;
        let warnings = event.lock_warnings()?;
        drop(event);
        std::fs::rename(&begun, &folder).map_err(failed)?;
        let handle = EventHandle::open(&folder, &name, &state.address);
        state.events.add(handle.map_err(|why| HttpError::new(500, why, ""))?);
        Ok::<_, HttpError>(warnings)
    });
    let warnings = made.await?;
    let path = format!("/e/{id}");
    let prefix = visit.prefix(&headers);
    let cookie = set_cookie(&visit.app, &organiser_cookie(&visit.app, &id), &key, &path);
    let main = html! {
        main.desk.narrow {
            h1 { "The event is open" }
            @for warning in warnings { p.message { (decklaw_text::text::sentence(&warning)) } }
            section.panel.box {
                h2 { "Link for players" }
                p { a.private href={ (prefix) (path) } { (prefix) (path) } }
                h2 { "Your link" }
                p { "For you and your co-organisers. It is shown only once." }
                @let link = format!("{prefix}{path}/desk#key={key}");
                p { a.private href=(link) { (link) } }
                p { a.btn.main.big href={ (path) "/desk" } { "Open the event" } }
            }
        }
    };
    let page = frame::desk("The event is open", &["handin.js"], &main);
    Ok((cookie, page).into_response())
}
