//! The organiser's desk.

use super::super::answers;
use super::super::builder::sheet_page;
use super::super::guard::{Fields, Who, set_cookie};
use super::super::site::{ListTerm, Terms};
use super::super::trouble::Trouble;
use super::super::work::Weight;
use super::super::{Shared, keys, page as frame};
use super::record::{self, HandIn, Player, Version};
use super::{Event, Opened, archive, hand_in, now, organiser_cookie, views};
use crate::spreadsheet::Flavour;
use axum::extract::{Extension, Path, Query, State};
use axum::http::header;
use axum::response::{IntoResponse, Redirect, Response};
use fast_qr::convert::svg::SvgBuilder;
use fast_qr::qr::QRBuilder;
use jiff::Zoned;
use jiff::civil::DateTime;
use jiff::tz::{Offset, TimeZone};
use maud::{Markup, html};
use rusqlite::params;
use serde_json::{Value, json};
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

/// The most players of a list.
const PLAYERS: usize = 5000;

/// `GET /desk/new`
pub(in super::super) async fn new(
    State(app): State<Shared>,
    Extension(who): Extension<Who>,
    Query(query): Query<HashMap<String, String>>,
) -> Result<Response, Trouble> {
    let chosen = query.get("format").cloned().unwrap_or_default();
    let state = Arc::clone(&app);
    let asked = chosen.clone();
    let work = move || {
        let judge = state.site.own()?;
        let games = answers::games(&judge);
        if asked.is_empty() {
            return Ok((games, None));
        }
        let settings = answers::settings(&judge, &asked)?;
        let lists = answers::lists(&judge, &asked)?;
        let force = answers::list_in_force(&judge, &asked)?;
        Ok((
            games,
            Some((settings, lists, force, judge.day().to_string())),
        ))
    };
    let (games, about) = app.work.out(who.address, Weight::Light, work).await?;
    let zone = TimeZone::system();
    let zone = zone.iana_name().unwrap_or("UTC").to_owned();
    let body = html! {
        (frame::top())
        main.narrow {
            h1 { "New event" }
            @match about {
                None => {
                    form method="get" {
                        label for="format" { "Format" }
                        select #format name="format" {
                            @for game in games.iter().filter(|game| game.wrong.is_none()) {
                                optgroup label=(game.name) {
                                    @for (id, name, _) in &game.formats { option value=(id) { (name) } }
                                }
                            }
                        }
                        button.primary { "Go on" }
                    }
                }
                Some((settings, lists, force, day)) => {
                    form method="post" action="/desk/new" {
                        (frame::token(&who))
                        input type="hidden" name="format" value=(chosen);
                        p { "Format: " b { (chosen) } " · " a href="/desk/new" { "another one" } }
                        label for="title" { "Name of the event" }
                        input #title name="title" required maxlength="200";
                        label for="day" { "Decks are judged as of" }
                        input #day name="day" type="date" value=(day) required;
                        label for="list" { "Banlist" }
                        select #list name="list" {
                            option value="" { "the one in force on that day" @if let Some((id, _)) = &force { " (today: " (id) ")" } }
                            option value="none" { "none" }
                            @for (id, _, name) in &lists { option value=(id) { (name) } }
                        }
                        @if !settings.is_empty() {
                            fieldset {
                                legend { "What the rules leave open" }
                                @for (name, about, choices, now) in &settings {
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
                            label { input type="radio" name="late" value="mark" checked; " What is late is taken and marked" }
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

/// A deadline from its fields; empty: there is none.
fn deadline(due: &str, zone: &str) -> Result<Option<Zoned>, Trouble> {
    if due.is_empty() {
        return Ok(None);
    }
    let at: DateTime = due
        .parse()
        .map_err(|_| Trouble::wrong(format!("`{due}` is no time such as 2026-03-01T18:00.")))?;
    let hours = || -> Option<TimeZone> {
        let (sign, rest) = match zone.split_at_checked(1)? {
            ("+", rest) => (1, rest),
            ("-", rest) => (-1, rest),
            _ => return None,
        };
        let (hours, minutes) = rest.split_once(':').unwrap_or((rest, "0"));
        let seconds = hours.parse::<i32>().ok()? * 3600 + minutes.parse::<i32>().ok()? * 60;
        Some(TimeZone::fixed(Offset::from_seconds(sign * seconds).ok()?))
    };
    let found = match zone {
        "" | "UTC" | "Z" => Some(TimeZone::UTC),
        zone => hours().or_else(|| TimeZone::get(zone).ok()),
    };
    let Some(zone) = found else {
        return Err(Trouble::wrong(format!(
            "There is no time zone `{zone}`; it is a name such as Europe/Berlin, or hours such as +01:00."
        )));
    };
    let due = at
        .to_zoned(zone)
        .map_err(|error| Trouble::wrong(error.to_string()))?;
    Ok(Some(due))
}

/// A zone's name as it is shown; hours from UTC have none.
fn named_zone(zone: &str) -> String {
    let named = zone.starts_with(|first: char| first.is_ascii_alphabetic());
    let plain = |next: char| next.is_ascii_alphanumeric() || "/_+-".contains(next);
    match named && zone.chars().all(plain) && zone != "Z" {
        true => zone.to_owned(),
        false => String::new(),
    }
}

fn names(list: &str) -> Result<Vec<String>, Trouble> {
    let names: Vec<String> = list
        .lines()
        .map(|line| crate::name::tidy(line.trim().trim_matches('"')).into_owned())
        .filter(|name| !name.is_empty())
        .collect();
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
    let title = crate::name::tidy(fields.text("title")).into_owned();
    if title.is_empty() || title.chars().count() > 200 {
        return Err(Trouble::wrong(
            "An event needs a name, of at most 200 letters.",
        ));
    }
    let format = fields.text("format").to_owned();
    let due = deadline(fields.text("due"), fields.text("zone"))?;
    let late = if fields.text("late") == "refuse" {
        "refuse"
    } else {
        "mark"
    };
    let players = names(fields.get("players").unwrap_or_default())?;
    let day = fields
        .text("day")
        .parse()
        .map_err(|_| Trouble::wrong("The day is no day such as 2026-03-01."))?;
    let settings: BTreeMap<String, String> = fields
        .beginning("set-")
        .filter(|(_, value)| !value.trim().is_empty())
        .map(|(name, value)| (name.to_owned(), value.trim().to_owned()))
        .collect();
    let (state, list) = (Arc::clone(&app), fields.text("list").to_owned());
    let work = move || {
        let open = Terms {
            settings,
            day: Some(day),
            list: ListTerm::InForce,
        };
        let terms = locked(&state, &format, open, &list)?;
        let judge = state.site.judge(&terms)?;
        let format = answers::format(&judge, &format)?.id().to_owned();
        // Settings that do not fit are said now, and not to the first player.
        judge
            .rulebook(&format)
            .map_err(|error| Trouble::wrong(error.to_string()))?;
        Ok((terms, format))
    };
    let (terms, format) = app.work.out(who.address, Weight::Light, work).await?;
    let id = keys::name(6)?;
    let (key, kept) = record::new_key()?;
    let (event, terms_text) = (
        id.clone(),
        serde_json::to_string(&terms).map_err(|_| Trouble::defect())?,
    );
    let zone = named_zone(fields.text("zone"));
    let due_text = due.as_ref().map(|due| super::kept_due(due, &zone));
    app.store
        .write(move |data| {
            data.execute(
                "insert into event (id, at, title, format, terms, deadline, late, key) values (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
                params![event, now(), title, format, terms_text, due_text, late, &kept[..]],
            )?;
            let mut known = 0;
            for name in &players {
                if record::named(data, &event, &answers::folded(name))?.is_none() {
                    record::add_player(data, &event, name, true)?;
                    known += 1;
                }
            }
            record::audit(data, &event, "organiser", "open", &json!({
                "title": title, "format": format, "terms": terms, "deadline": due_text, "late": late, "players": known,
            }))
        })
        .await?;
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

/// Terms with the list that somebody chose, kept to the byte.
fn locked(app: &Shared, format: &str, terms: Terms, chosen: &str) -> Result<Terms, Trouble> {
    let judge = app.site.judge(&Terms {
        list: ListTerm::InForce,
        ..terms.clone()
    })?;
    let named = |(id, sha256): (String, String)| ListTerm::Named { id, sha256 };
    let list = match chosen {
        "none" => ListTerm::Nothing,
        "" => answers::list_in_force(&judge, format)?.map_or(ListTerm::Nothing, named),
        id => {
            let lists = answers::lists(&judge, format)?;
            let found = lists.into_iter().find(|(known, ..)| known == id);
            let (id, sha256, _) = found.ok_or_else(|| {
                Trouble::wrong(format!("There is no banlist `{id}` of this game."))
            })?;
            named((id, sha256))
        }
    };
    Ok(Terms { list, ..terms })
}

/// Which players a desk shows.
fn shows(filter: &str, player: &Player) -> bool {
    match (filter, &player.last) {
        ("missing", last) => last.is_none(),
        ("late", Some(last)) => last.late,
        ("locked", _) => player.locked,
        ("legal" | "illegal" | "incomplete", Some(last)) => last.verdict == filter,
        ("legal" | "illegal" | "incomplete" | "late", None) => false,
        _ => true,
    }
}

/// `GET /e/ID/desk`
pub(in super::super) async fn desk(
    State(app): State<Shared>,
    Extension(who): Extension<Who>,
    Extension(opened): Extension<Opened>,
    Query(query): Query<HashMap<String, String>>,
) -> Result<Response, Trouble> {
    let event = Arc::clone(&opened.event);
    let id = event.id.clone();
    let players = app
        .store
        .read(move |data| record::players(data, &id))
        .await?;
    let state = Arc::clone(&app);
    let asked = Arc::clone(&event);
    let lists = app
        .work
        .out(who.address, Weight::Light, move || {
            answers::lists(&*state.site.own()?, &asked.format)
        })
        .await?;
    let filter = query.get("show").map_or("", String::as_str);
    let path = format!("/e/{}", event.id);
    let count = |filter: &str| {
        players
            .iter()
            .filter(|player| shows(filter, player))
            .count()
    };
    let body = html! {
        (frame::top())
        main.wide {
            h1 { bdi { (event.title) } }
            (views::about(&event))
            p.row {
                a.button href={ (path) "/desk/code.svg" } { "QR code" }
                a.button href={ (path) "/desk/sheets" } { "All sheets" }
                a.button href={ (path) "/desk/export/decks.csv" } { "CSV" }
                a.button href={ (path) "/desk/export/decks.xlsx" } { "XLSX" }
                a.button href={ (path) "/desk/export/submissions.csv" } { "Submissions" }
                a.button href={ (path) "/desk/audit" } { "What was done" }
                a href=(path) { "The players' page" }
            }
            nav.filters aria-label="Which players" {
                @for (word, name) in [("", "all"), ("legal", "legal"), ("illegal", "illegal"), ("incomplete", "incomplete"), ("late", "late"), ("locked", "locked"), ("missing", "missing")] {
                    a.chip href={ (path) "/desk?show=" (word) } aria-current=[(filter == word).then_some("page")] { (name) " " b { (count(word)) } }
                }
            }
            (table(&event, &players, filter))
            form.row method="post" action={ (path) "/desk/all" } {
                (frame::token(&who))
                button name="do" value="lock" { "Lock all" }
                button name="do" value="unlock" { "Unlock all" }
                @if event.closed { button name="do" value="reopen" { "Take decks again" } }
                @else { button name="do" value="close" { "Take no more decks" } }
                @if event.published { button name="do" value="unpublish" { "Withdraw the decks" } }
                @else { button name="do" value="publish" { "Publish all decks" } }
            }
            details {
                summary { "Players and banlist" }
                form method="post" action={ (path) "/desk/players" } {
                    (frame::token(&who))
                    label for="players" { "More players: a name a line" }
                    textarea #players name="players" rows="5" {}
                    button { "Add them" }
                }
                form method="post" action={ (path) "/desk/list" } {
                    (frame::token(&who))
                    label for="list" { "Another banlist: first it is shown whose verdict it changes" }
                    div.row {
                        select #list name="list" {
                            option value="none" { "none" }
                            @for (id, _, name) in &lists { option value=(id) { (name) } }
                        }
                        button name="do" value="show" { "Show what changes" }
                    }
                }
            }
        }
    };
    Ok(frame::page(&who, &event.title, &["desk.js"], body).into_response())
}

fn table(event: &Event, players: &[Player], filter: &str) -> Markup {
    html! {
        div.scroll tabindex="0" role="region" aria-label="Players" {
            table.players {
                thead { tr { th scope="col" { "Player" } th scope="col" { "Verdict" } th scope="col" { "Handed in" } th.number scope="col" { "Version" } th scope="col" { "Hash" } } }
                tbody {
                    @for player in players.iter().filter(|player| shows(filter, player)) {
                        tr {
                            th scope="row" { a href={ "/e/" (event.id) "/desk/player/" (player.id) } { bdi { (player.name) } } @if player.locked { " " span.quiet { "locked" } } @if !player.expected && players.iter().any(|known| known.expected) { " " span.quiet { "not on the list" } } }
                            @match &player.last {
                                Some(last) => {
                                    td { (views::state(last)) }
                                    td { (views::time(&last.at)) }
                                    td.number { (last.number) }
                                    td { code.hash { (last.hash.as_deref().unwrap_or_default().get(..12).unwrap_or_default()) } }
                                }
                                None => { td colspan="4" { span.quiet { "nothing yet" } } }
                            }
                        }
                    }
                }
            }
        }
    }
}

/// `GET /e/ID/desk/code.svg`: the players' address, for the wall.
pub(in super::super) async fn code(
    State(app): State<Shared>,
    Extension(opened): Extension<Opened>,
    headers: axum::http::HeaderMap,
) -> Result<Response, Trouble> {
    let host = headers
        .get(header::HOST)
        .and_then(|host| host.to_str().ok())
        .unwrap_or_default();
    let origin = match &app.public_url {
        Some(url) => url.trim_end_matches('/').to_owned(),
        None => format!("http://{host}"),
    };
    let svg = qr(&format!("{origin}/e/{}", opened.event.id))?;
    Ok(([(header::CONTENT_TYPE, "image/svg+xml")], svg).into_response())
}

/// A QR code as a picture.
pub(in super::super) fn qr(text: &str) -> Result<String, Trouble> {
    let code = QRBuilder::new(text).build();
    let code = code.map_err(|_| Trouble::wrong("The address is too long for a QR code."))?;
    Ok(SvgBuilder::default().to_str(&code))
}

async fn known(
    app: &Shared,
    event: &Event,
    player: i64,
) -> Result<(Player, Vec<Version>), Trouble> {
    let id = event.id.clone();
    let found = app
        .store
        .read(move |data| {
            Ok(match record::player(data, &id, player)? {
                Some(known) => Some((known, record::versions(data, player)?)),
                None => None,
            })
        })
        .await?;
    found.ok_or_else(|| Trouble::none("such player"))
}

/// `GET /e/ID/desk/player/N`
pub(in super::super) async fn player(
    State(app): State<Shared>,
    Extension(who): Extension<Who>,
    Extension(opened): Extension<Opened>,
    Path((_, player)): Path<(String, i64)>,
) -> Result<Response, Trouble> {
    player_page(&app, &who, &opened.event, player, None).await
}

async fn player_page(
    app: &Shared,
    who: &Who,
    event: &Arc<Event>,
    player: i64,
    told: Option<Markup>,
) -> Result<Response, Trouble> {
    let (player, versions) = known(app, event, player).await?;
    let (state, of, decks) = (Arc::clone(app), Arc::clone(event), versions.clone());
    // What each version changed of the one before it.
    let work = move || {
        let judge = state.site.judge(&of.terms)?;
        let pairs = decks.windows(2);
        pairs
            .map(|pair| {
                answers::deck_check(&judge, &of.format, &pair[1].deck, pair[0].deck.as_bytes())
            })
            .collect::<Result<Vec<Value>, _>>()
    };
    let differences = app.work.out(who.address, Weight::Light, work).await?;
    let path = format!("/e/{}/desk", event.id);
    let act = format!("{path}/player/{}", player.id);
    let body = html! {
        (frame::top())
        main.narrow {
            p { a href=(path) { "← " bdi { (event.title) } } }
            h1 { bdi { (player.name) } @if player.locked { " " span.quiet { "locked" } } }
            @if let Some(told) = told { section.note role="status" { (told) } }
            form.row method="post" action=(act) {
                (frame::token(who))
                @if player.locked { button name="do" value="unlock" { "Unlock" } } @else { button name="do" value="lock" { "Lock" } }
                button name="do" value="key" { "New private link" }
            }
            @for (at, version) in versions.iter().enumerate() {
                section.version {
                    h2 { "Version " (version.number) " " (views::state(version)) }
                    p { (views::time(&version.at)) " by the " (version.who) @if let Some(hash) = &version.hash { " · " code.hash { (hash) } } }
                    (views::findings(&version.report))
                    @if let Some(difference) = differences.get(at) { (changes(difference)) }
                    details open[at == 0] { summary { "The deck" } pre { (version.deck) } }
                }
            }
            @if !versions.is_empty() {
                form method="post" action=(act) {
                    h2 { "Deck check" }
                    (frame::token(who))
                    label for="played" { "The deck as it was found at the table" }
                    textarea #played name="deck" rows="8" spellcheck="false" {}
                    button name="do" value="check" { "Compare with the last version" }
                }
            }
            form method="post" action=(act) {
                h2 { "Enter a deck for this player" }
                (frame::token(who))
                label for="entered" { "The deck" }
                textarea #entered name="deck" rows="8" spellcheck="false" {}
                button name="do" value="enter" { "Enter it as a new version" }
            }
        }
    };
    Ok(frame::page(who, &player.name, &[], body).into_response())
}

fn changes(difference: &Value) -> Markup {
    let text = |value: &Value, key: &str| value[key].as_str().unwrap_or_default().to_owned();
    html! {
        @match difference["changes"].as_array() {
            Some(changes) if !changes.is_empty() => {
                ul.changes {
                    @for change in changes {
                        li { span.quiet { (text(change, "section")) } " " bdi { (text(change, "card")) } ": " (change["from"].as_i64().unwrap_or(0)) " → " (change["to"].as_i64().unwrap_or(0)) }
                    }
                }
            }
            _ => {}
        }
    }
}

/// `POST /e/ID/desk/player/N`
pub(in super::super) async fn act(
    State(app): State<Shared>,
    Extension(who): Extension<Who>,
    Extension(opened): Extension<Opened>,
    Path((_, player)): Path<(String, i64)>,
    Extension(fields): Extension<Fields>,
) -> Result<Response, Trouble> {
    let event = &opened.event;
    let (named, versions) = known(&app, event, player).await?;
    let id = event.id.clone();
    let here = || Redirect::to(&format!("/e/{}/desk/player/{player}", event.id)).into_response();
    let name = named.name.clone();
    match fields.text("do") {
        action @ ("lock" | "unlock") => {
            let lock = action == "lock";
            let what = if lock { "lock" } else { "unlock" };
            app.store
                .write(move |data| {
                    data.execute(
                        "update player set locked = ?2 where id = ?1",
                        params![player, lock],
                    )?;
                    record::audit(data, &id, "organiser", what, &json!({"player": name}))
                })
                .await?;
            Ok(here())
        }
        "key" => {
            let (key, kept) = record::new_key()?;
            app.store
                .write(move |data| {
                    record::give_key(data, player, &kept)?;
                    record::audit(data, &id, "organiser", "new-key", &json!({"player": name}))
                })
                .await?;
            let link = format!("/e/{}/mine#key={key}", event.id);
            let told = html! { "The new private link of this player; the old one opens nothing any more: " code.private { (link) } };
            player_page(&app, &who, event, player, Some(told)).await
        }
        "check" => {
            let Some(last) = versions.first().cloned() else {
                return Err(Trouble::none("deck of this player"));
            };
            let played = fields.get("deck").unwrap_or_default().as_bytes().to_vec();
            let (state, of) = (Arc::clone(&app), Arc::clone(event));
            let work = move || {
                answers::deck_check(
                    &*state.site.judge(&of.terms)?,
                    &of.format,
                    &last.deck,
                    &played,
                )
            };
            let checked = app.work.out(who.address, Weight::Light, work).await?;
            let (id, answer) = (event.id.clone(), checked["answer"].clone());
            app.store
                .write(move |data| {
                    record::audit(
                        data,
                        &id,
                        "organiser",
                        "deck-check",
                        &json!({"player": name, "answer": answer}),
                    )
                })
                .await?;
            let words = match checked["answer"].as_str() {
                Some("same") => "The same deck as the one that was handed in.",
                Some("swapped") => "The deck that was handed in, after a legal swap.",
                Some("illegal-swap") => {
                    "The deck that was handed in, after a swap that leaves no legal deck."
                }
                Some("other") => "Not the deck that was handed in.",
                _ => "This cannot be read as a deck.",
            };
            let told = html! { b { (words) } (changes(&checked)) @if checked["check"].is_object() { (views::findings(&checked["check"].to_string())) } };
            player_page(&app, &who, event, player, Some(told)).await
        }
        "enter" => {
            let deck = fields.get("deck").unwrap_or_default().to_owned();
            let (state, of, called, bytes) = (
                Arc::clone(&app),
                Arc::clone(event),
                name.clone(),
                deck.clone().into_bytes(),
            );
            let work = move || {
                answers::hand_in(
                    &*state.site.judge(&of.terms)?,
                    &of.format,
                    &called,
                    &bytes,
                    None,
                )
            };
            let handed = app.work.out(who.address, Weight::Light, work).await?;
            if handed.hash.is_none() {
                let told = html! { b { "Not entered: this is no deck." } (views::findings(&handed.report)) };
                return player_page(&app, &who, event, player, Some(told)).await;
            }
            let entered = HandIn {
                bytes: deck.into_bytes(),
                input: String::new(),
                handed,
                who: "organiser",
            };
            app.store
                .write(move |data| record::add_version(data, &id, player, &entered))
                .await?;
            Ok(here())
        }
        _ => Err(Trouble::wrong("There is no such action.")),
    }
}

/// `POST /e/ID/desk/all`
pub(in super::super) async fn act_on_all(
    State(app): State<Shared>,
    Extension(opened): Extension<Opened>,
    Extension(fields): Extension<Fields>,
) -> Result<Response, Trouble> {
    let sql = match fields.text("do") {
        "lock" => "update player set locked = 1 where event = ?1",
        "unlock" => "update player set locked = 0 where event = ?1",
        "close" => "update event set closed = 1 where id = ?1",
        "reopen" => "update event set closed = 0 where id = ?1",
        "publish" => "update event set published = 1 where id = ?1",
        "unpublish" => "update event set published = 0 where id = ?1",
        _ => return Err(Trouble::wrong("There is no such action.")),
    };
    let (id, action) = (opened.event.id.clone(), fields.text("do").to_owned());
    app.store
        .write(move |data| {
            data.execute(sql, [&id])?;
            record::audit(data, &id, "organiser", &format!("{action}-all"), &json!({}))
        })
        .await?;
    Ok(back(&opened))
}

fn back(opened: &Opened) -> Response {
    Redirect::to(&format!("/e/{}/desk", opened.event.id)).into_response()
}

/// `POST /e/ID/desk/players`: players who are expected.
pub(in super::super) async fn players(
    State(app): State<Shared>,
    Extension(opened): Extension<Opened>,
    Extension(fields): Extension<Fields>,
) -> Result<Response, Trouble> {
    let names = names(fields.get("players").unwrap_or_default())?;
    let id = opened.event.id.clone();
    app.store
        .write(move |data| {
            let mut added = Vec::new();
            for name in names {
                match record::named(data, &id, &answers::folded(&name))? {
                    Some((player, _)) => {
                        data.execute("update player set expected = 1 where id = ?1", [player])?;
                    }
                    None => {
                        record::add_player(data, &id, &name, true)?;
                        added.push(name);
                    }
                }
            }
            record::audit(data, &id, "organiser", "expect", &json!({"players": added}))
        })
        .await?;
    Ok(back(&opened))
}

/// `POST /e/ID/desk/list`: another list, after it was shown whose verdict it changes.
pub(in super::super) async fn list(
    State(app): State<Shared>,
    Extension(who): Extension<Who>,
    Extension(opened): Extension<Opened>,
    Extension(fields): Extension<Fields>,
) -> Result<Response, Trouble> {
    let event = Arc::clone(&opened.event);
    let id = event.id.clone();
    let players = app
        .store
        .read(move |data| record::players(data, &id))
        .await?;
    let (state, of, chosen) = (
        Arc::clone(&app),
        Arc::clone(&event),
        fields.text("list").to_owned(),
    );
    let work = move || {
        let terms = locked(&state, &of.format, of.terms.clone(), &chosen)?;
        let judge = state.site.judge(&terms)?;
        let mut judged = Vec::new();
        for player in players {
            let Some(last) = player.last else { continue };
            let (report, line) = answers::line_of(&judge, &of.format, &player.name, &last.deck)?;
            let rules = report
                .rulebook
                .as_deref()
                .map(|rules| crate::report::json::inputs_digest(rules).to_owned());
            judged.push((
                player.name,
                last.id,
                last.verdict,
                report.verdict.word(),
                line,
                rules,
            ));
        }
        Ok((terms, judged))
    };
    let (terms, judged) = app.work.out(who.address, Weight::Light, work).await?;
    let changed: Vec<_> = judged
        .iter()
        .filter(|(_, _, before, after, ..)| before != after)
        .collect();
    if fields.text("do") == "apply" {
        let names: Vec<Value> = changed
            .iter()
            .map(
                |(name, _, before, after, ..)| json!({"player": name, "from": before, "to": after}),
            )
            .collect();
        let (id, text) = (
            event.id.clone(),
            serde_json::to_string(&terms).map_err(|_| Trouble::defect())?,
        );
        app.store
            .write(move |data| {
                data.execute("update event set terms = ?2 where id = ?1", params![id, text])?;
                for (_, version, _, verdict, line, rules) in &judged {
                    data.execute(
                        "insert into judgement (version, at, verdict, report, rules) values (?1, ?2, ?3, ?4, ?5)",
                        params![version, now(), verdict, line, rules],
                    )?;
                }
                record::audit(data, &id, "organiser", "list", &json!({"terms": terms, "changed": names}))
            })
            .await?;
        return Ok(back(&opened));
    }
    let path = format!("/e/{}/desk", event.id);
    let body = html! {
        (frame::top())
        main.narrow {
            p { a href=(path) { "← " bdi { (event.title) } } }
            h1 { "What another banlist changes" }
            @if changed.is_empty() { p { "No verdict changes." } }
            @else {
                ul { @for (name, _, before, after, line, _) in &changed {
                    li { bdi { (name) } ": " (frame::verdict(before)) " → " (frame::verdict(after)) (views::findings(line)) }
                } }
            }
            form method="post" action={ (path) "/list" } {
                (frame::token(&who))
                input type="hidden" name="list" value=(fields.text("list"));
                button.primary name="do" value="apply" { "Judge all decks by it" }
            }
        }
    };
    Ok(frame::page(&who, "What another banlist changes", &[], body).into_response())
}

/// `GET /e/ID/desk/sheets`
pub(in super::super) async fn sheets(
    State(app): State<Shared>,
    Extension(who): Extension<Who>,
    Extension(opened): Extension<Opened>,
) -> Result<Response, Trouble> {
    let id = opened.event.id.clone();
    let players = app
        .store
        .read(move |data| record::players(data, &id))
        .await?;
    let decks = players
        .into_iter()
        .filter_map(|player| Some((player.name, player.last?.deck)))
        .collect();
    let html = hand_in::sheets_of(&app, &who, &opened.event, decks).await?;
    Ok(sheet_page(html))
}

/// `GET /e/ID/desk/audit`
pub(in super::super) async fn audit(
    State(app): State<Shared>,
    Extension(who): Extension<Who>,
    Extension(opened): Extension<Opened>,
) -> Result<Response, Trouble> {
    let event = &opened.event;
    let id = event.id.clone();
    let entries = app
        .store
        .read(move |data| record::entries(data, &id))
        .await?;
    let broken = record::broken_at(&event.id, &entries);
    let body = html! {
        (frame::top())
        main.narrow {
            p { a href={ "/e/" (event.id) "/desk" } { "← " bdi { (event.title) } } }
            h1 { "What was done" }
            @match broken {
                Some(number) => p.message role="alert" { "Entry " (number) " was changed, or one before it is missing." }
                None => p { "Every entry holds the digest of the one before it, and all of them fit." }
            }
            ol.audit {
                @for (entry, digest) in &entries {
                    li value=(entry.number) { (views::time(&entry.at)) " " b { (entry.what) } " by the " (entry.who) " " span.quiet { (entry.detail.to_string()) } " " code.hash { (digest.get(..12).unwrap_or_default()) } }
                }
            }
        }
    };
    Ok(frame::page(&who, "What was done", &[], body).into_response())
}

/// `GET /e/ID/desk/export/FILE`
pub(in super::super) async fn export(
    State(app): State<Shared>,
    Extension(who): Extension<Who>,
    Extension(opened): Extension<Opened>,
    Path((_, file)): Path<(String, String)>,
) -> Result<Response, Trouble> {
    let event = Arc::clone(&opened.event);
    let id = event.id.clone();
    let whole = app
        .store
        .read(move |data| archive::Archive::of(data, &id))
        .await?;
    let (state, name) = (Arc::clone(&app), file.clone());
    let work = move || {
        let judge = state.site.judge(&event.terms)?;
        match name.as_str() {
            "decks.csv" => whole.table(&judge, Flavour::Excel),
            "decks.xlsx" => whole.workbook(&judge),
            "submissions.csv" => whole.submissions(),
            "verdicts.ndjson" => whole.verdicts(&judge),
            "event.json" => whole.json(),
            _ => Err(archive::ArchiveError::new("there is no such file")),
        }
        .map_err(|error| Trouble::new(404, error.to_string(), ""))
    };
    let bytes = app.work.out(who.address, Weight::Heavy, work).await?;
    let kind = match file.rsplit('.').next() {
        Some("csv") => "text/csv; charset=utf-8",
        Some("xlsx") => "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
        Some("ndjson") => "application/x-ndjson",
        _ => "application/json",
    };
    let about = [
        (header::CONTENT_TYPE, kind.to_owned()),
        (
            header::CONTENT_DISPOSITION,
            format!("attachment; filename=\"{file}\""),
        ),
    ];
    Ok((about, bytes).into_response())
}
