//! The desk: events, what is handed in for them, and who may see and do what there.

pub(super) mod archive;
pub(super) mod hand_in;
pub(super) mod opening;
pub(super) mod organise;
pub(super) mod outputs;
pub(super) mod player;
mod record;
pub(super) mod relist;
mod replay;
mod views;

pub(super) use super::clock::now;
use super::guard::{Fields, Who, own_path, set_cookie};
use super::site::Terms;
use super::store::Fault;
use super::trouble::Trouble;
use super::who::Needs;
use super::{Shared, keys, page};
use axum::extract::{Extension, Path, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Redirect, Response};
use decklaw_core::submissions::Moment;
use jiff::tz::{Offset, TimeZone};
use jiff::{Timestamp, Zoned};
use maud::html;
use rusqlite::{Connection, OptionalExtension, Row, params};
use std::sync::Arc;

/// An event.
#[derive(Debug, Clone)]
pub(super) struct Event {
    pub(super) id: String,
    pub(super) at: String,
    pub(super) title: String,
    pub(super) format: String,
    pub(super) terms: Terms,
    /// At its hours from UTC; `None`: there is none.
    pub(super) deadline: Option<Zoned>,
    /// The name of the deadline's zone, as it was given.
    pub(super) zone: String,
    /// Whether what is late is marked; otherwise it is refused.
    pub(super) marks_late: bool,
    key: keys::Kept,
    /// Whether nothing is taken in any more.
    pub(super) closed: bool,
    /// Whether all decks are open to all.
    pub(super) published: bool,
}

const EVENT: &str =
    "select id, at, title, format, terms, deadline, late, key, closed, published from event";

impl Event {
    fn of(row: &Row<'_>) -> rusqlite::Result<Event> {
        let terms: String = row.get(4)?;
        let deadline: Option<String> = row.get(5)?;
        let late: String = row.get(6)?;
        let key: Vec<u8> = row.get(7)?;
        let damaged = |column: usize, why: String| {
            rusqlite::Error::FromSqlConversionFailure(
                column,
                rusqlite::types::Type::Text,
                why.into(),
            )
        };
        let terms = serde_json::from_str(&terms).map_err(|error| damaged(4, error.to_string()))?;
        let deadline = deadline.map(|text| read_due(&text).ok_or(text)).transpose();
        let deadline = deadline.map_err(|text| damaged(5, text))?;
        let (deadline, zone) = deadline.unzip();
        Ok(Event {
            id: row.get(0)?,
            at: row.get(1)?,
            title: row.get(2)?,
            format: row.get(3)?,
            terms,
            deadline,
            zone: zone.unwrap_or_default(),
            marks_late: late == "mark",
            key: key
                .try_into()
                .map_err(|_| damaged(7, "the key has another length".to_owned()))?,
            closed: row.get(8)?,
            published: row.get(9)?,
        })
    }

    /// The event of an id.
    pub(super) fn find(data: &Connection, id: &str) -> Result<Option<Event>, Fault> {
        let sql = format!("{EVENT} where id = ?1");
        Ok(data.query_row(&sql, [id], Event::of).optional()?)
    }

    /// Whether a moment is after the deadline, to the second, as forms are compared.
    pub(super) fn is_late(&self, at: &str) -> bool {
        let at: Option<Timestamp> = at.parse().ok();
        let due = self
            .deadline
            .as_ref()
            .map(|due| due.timestamp().as_second());
        at.zip(due).is_some_and(|(at, due)| at.as_second() > due)
    }

    /// The deadline as `check --deadline` takes it.
    pub(super) fn due(&self) -> Option<String> {
        self.deadline.as_ref().map(due_of)
    }

    /// The deadline as people read it.
    pub(super) fn due_in_words(&self) -> Option<String> {
        let due = self.deadline.as_ref()?;
        let text = due.strftime("%A %e %B %Y, %H:%M (%:z").to_string();
        Some(match self.zone.as_str() {
            "" => format!("{text})"),
            zone => format!("{text}, {zone})"),
        })
    }
}

/// A deadline as `check --deadline` takes it.
fn due_of(due: &Zoned) -> String {
    due.strftime("%Y-%m-%dT%H:%M:%S%:z").to_string()
}

/// A deadline as it is kept: with its hours from UTC, so that no table of zones is needed to
/// read it, and the name of its zone in brackets.
pub(super) fn kept_due(due: &Zoned, zone: &str) -> String {
    format!("{}[{zone}]", due_of(due))
}

fn read_due(text: &str) -> Option<(Zoned, String)> {
    let (time, zone) = text.split_once('[')?;
    let moment = Moment::read(time)?;
    let offset = Offset::from_seconds(i32::from(moment.zone?) * 60).ok()?;
    let due = moment.local.to_zoned(TimeZone::fixed(offset)).ok()?;
    Some((due, zone.trim_end_matches(']').to_owned()))
}

/// An event that was let into, and by whom.
#[derive(Debug, Clone)]
pub(super) struct Opened {
    pub(super) event: Arc<Event>,
    /// The player who asks, where a player's key opened it.
    pub(super) player: Option<i64>,
}

/// Every event, the newest first.
///
/// # Errors
/// Data that cannot be reached.
pub(super) async fn all(app: &Shared) -> Result<Vec<Event>, Trouble> {
    app.store
        .read(|data| {
            let mut found = data.prepare(&format!("{EVENT} order by at desc limit 200"))?;
            let rows = found.query_map([], Event::of)?;
            Ok(rows.collect::<Result<_, _>>()?)
        })
        .await
}

fn organiser_cookie(event: &str) -> String {
    format!("decklaw-desk-{event}")
}

fn player_cookie(event: &str) -> String {
    format!("decklaw-mine-{event}")
}

/// Lets into an event who may; or says with a page what is needed.
pub(super) async fn open(
    app: &Shared,
    who: &Who,
    id: &str,
    needs: Needs,
) -> Result<Opened, Response> {
    let told = player_cookie(id);
    let mine = who.cookie(&told).map(keys::kept);
    let asked = id.to_owned();
    let found = app
        .store
        .read(move |data| {
            let Some(event) = Event::find(data, &asked)? else {
                return Ok(None);
            };
            let player = match mine {
                Some(key) => player_of(data, &asked, &key)?,
                None => None,
            };
            Ok(Some((event, player)))
        })
        .await;
    let (event, player) = match found {
        Ok(Some(found)) => found,
        Ok(None) => return Err(Trouble::none("such event").into_response()),
        Err(trouble) => return Err(trouble.into_response()),
    };
    let organises = || {
        let key = who.cookie(&organiser_cookie(id)).map(keys::kept);
        who.host || key.is_some_and(|key| keys::same(&key, &event.key))
    };
    let enter = format!("/e/{id}/enter");
    match needs {
        Needs::Organiser if !organises() => Err(closed(
            &enter,
            "The desk opens with the organiser's key.",
            who,
        )),
        Needs::Player if player.is_none() => Err(closed(
            &enter,
            "A deck that was handed in opens with the private link of its receipt.",
            who,
        )),
        Needs::Host if !who.host => Err(closed(
            "/enter",
            "This is for whoever runs this server.",
            who,
        )),
        _ => Ok(Opened {
            event: Arc::new(event),
            player,
        }),
    }
}

fn player_of(data: &Connection, event: &str, key: &keys::Kept) -> Result<Option<i64>, Fault> {
    let sql = "select id from player where event = ?1 and key = ?2";
    Ok(data
        .query_row(sql, params![event, &key[..]], |row| row.get(0))
        .optional()?)
}

/// The page of a door that is closed: it takes the key, typed or from the link that led here.
pub(super) fn closed(enter: &str, why: &str, who: &Who) -> Response {
    let body = html! {
        (page::top())
        main.narrow {
            h1 { "A key is needed" }
            p.message { (why) }
            form #key-form method="post" action=(enter) {
                (page::token(who))
                input type="hidden" name="next" value="";
                label for="key" { "Key" }
                input #key name="key" autocomplete="off" autocapitalize="none" spellcheck="false" required;
                button.primary { "Open" }
            }
            p.quiet { "The key is the part behind " code { "#key=" } " of your link. Capitals, spaces and dashes do not matter." }
        }
    };
    let mut response = page::page(who, "A key is needed", &["key.js"], body).into_response();
    *response.status_mut() = StatusCode::FORBIDDEN;
    let mend = "Open your link again in another window, and then send this once more.";
    let trouble = Trouble::new(403, why, mend);
    response.extensions_mut().insert(trouble);
    response
}

/// `POST /e/ID/enter`: an organiser's or a player's key, kept as a cookie.
pub(super) async fn enter(
    State(app): State<Shared>,
    Extension(who): Extension<Who>,
    Extension(opened): Extension<Opened>,
    Extension(fields): Extension<Fields>,
    Path(id): Path<String>,
) -> Result<Response, Trouble> {
    if !who.address.is_loopback() && !app.tried.permits(who.address) {
        return Err(Trouble::new(
            429,
            "Too many keys were tried from this address.",
            "Wait a minute.",
        ));
    }
    let typed: String = fields
        .text("key")
        .chars()
        .filter(char::is_ascii_alphanumeric)
        .collect();
    let key = keys::kept(&typed);
    let path = format!("/e/{id}");
    let (name, to) = match keys::same(&key, &opened.event.key) {
        true => (organiser_cookie(&id), format!("{path}/desk")),
        false => {
            let event = id.clone();
            let player = app
                .store
                .read(move |data| player_of(data, &event, &key))
                .await?;
            if player.is_none() {
                return Err(Trouble::new(
                    403,
                    "That is no key of this event.",
                    "Look at the link again; the organiser can give a player a new one.",
                ));
            }
            (player_cookie(&id), format!("{path}/mine"))
        }
    };
    let cookie = set_cookie(&app, &name, &typed, &path, 30);
    let next = fields.text("next");
    let to = match next.starts_with(&path) {
        true => own_path(next),
        false => to,
    };
    Ok(([(header::SET_COOKIE, cookie)], Redirect::to(&to)).into_response())
}
