//! How the server does: for machines that watch it, and in more words for whoever runs it.

use super::builder::Json;
use super::connection::Peer;
use super::desk::budget::Budget;
use super::guard::Who;
use super::trouble::Trouble;
use super::worker::Load;
use super::{Shared, page};
use axum::extract::{ConnectInfo, Extension, State};
use axum::response::{IntoResponse, Response};
use maud::{Markup, html};
use serde::Serialize;

/// The name and version of what machines are told.
const SCHEMA: &str = "decklaw/health/1";

/// How much of something is taken.
#[derive(Debug, Clone, Copy, Serialize)]
pub(super) struct Used {
    pub(super) taken: u64,
    pub(super) most: u64,
}

impl Used {
    /// That of things that are counted.
    pub(super) fn counted(taken: usize, most: usize) -> Used {
        let wide = |number| u64::try_from(number).unwrap_or(u64::MAX);
        Used {
            taken: wide(taken),
            most: wide(most),
        }
    }

    fn is_full(self) -> bool {
        self.taken >= self.most
    }

    /// In MiB, for people.
    fn room(self) -> String {
        let tenths = |bytes: u64| {
            let tenths = bytes.saturating_mul(10) >> 20;
            format!("{}.{}", tenths / 10, tenths % 10)
        };
        format!("{} of {} MiB", tenths(self.taken), tenths(self.most))
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
enum Status {
    /// Whoever comes is answered.
    Ok,
    /// Some who come must wait, or try again.
    Busy,
    /// Something takes no more: what visitors keep, or an event.
    Full,
}

impl Status {
    fn in_words(self) -> &'static str {
        match self {
            Status::Ok => "All is well.",
            Status::Busy => "Busy: some who come must wait, or try again.",
            Status::Full => {
                "Full: something takes no more. Make room, or start with a larger --most."
            }
        }
    }
}

/// What everybody may know.
#[derive(Debug, Serialize)]
struct Health {
    schema: &'static str,
    status: Status,
    connections: Used,
    /// Bytes of what visitors keep.
    kept: Used,
    events: usize,
    /// Those of the events that take no more.
    full_events: usize,
    /// What the workers are at.
    workers: Load,
}

impl Health {
    async fn of(app: &Shared, peer: &Peer) -> Result<Health, Trouble> {
        let (open, places) = peer.crowd();
        let connections = Used::counted(open, places);
        let kept = app.store.kept().await?;
        let halls = app.halls.all();
        let full = halls.iter().filter(|hall| hall.is_full()).count();
        let workers = app.workers.load();
        let status = if kept.is_full() || full > 0 {
            Status::Full
        } else if connections.is_full() || workers.quick.is_full() {
            Status::Busy
        } else {
            Status::Ok
        };
        Ok(Health {
            schema: SCHEMA,
            status,
            connections,
            kept,
            events: halls.len(),
            full_events: full,
            workers,
        })
    }
}

/// What the host is told of an event.
struct Told {
    id: String,
    title: String,
    listed: usize,
    unlisted: Used,
    room: Used,
    /// Players whose decks take all the room that is theirs.
    spent: Vec<String>,
}

async fn events(app: &Shared) -> Result<Vec<Told>, Trouble> {
    let mut all = Vec::new();
    for hall in app.halls.all() {
        let (id, room, budget) = (hall.id.clone(), hall.room(), hall.budget);
        let told = hall.with(move |event| {
            let roster = event.roster();
            let listed = roster.present().filter(|player| player.expected).count();
            Ok(Told {
                id,
                title: event.about.name.clone(),
                listed,
                unlisted: Used::counted(Budget::unlisted(roster), budget.names),
                room,
                spent: budget.spent(roster),
            })
        });
        all.push(told.await?);
    }
    Ok(all)
}

/// `GET /health`: JSON, and a page for the host.
pub(super) async fn health(
    State(app): State<Shared>,
    Extension(who): Extension<Who>,
    ConnectInfo(peer): ConnectInfo<Peer>,
) -> Result<Response, Trouble> {
    let health = match Health::of(&app, &peer).await {
        Ok(health) => health,
        Err(trouble) if who.host => return Err(trouble),
        Err(trouble) => return Ok(trouble.json()),
    };
    if !who.host {
        let told = serde_json::to_value(health).map_err(|_| Trouble::defect())?;
        return Ok(Json(told).into_response());
    }
    let body = html! {
        (page::top())
        main.narrow {
            h1 { "How the server does" }
            p.message role="status" { (health.status.in_words()) }
            table {
                tr { th scope="row" { "Connections" } td { (health.connections.taken) " of " (health.connections.most) } }
                @let workers = &health.workers;
                tr { th scope="row" { "Workers that judge" } td { (workers.quick.taken) " of " (workers.quick.most) } }
                tr { th scope="row" { "Workers at odds and repairs" } td { (workers.slow.taken) " of " (workers.slow.most) } }
                tr { th scope="row" { "Workers for organisers" } td { (workers.organisers.taken) " of " (workers.organisers.most) } }
                tr { th scope="row" { "Questions that are asked" } td { (workers.asked.taken) " of " (workers.asked.most) } }
                tr { th scope="row" { "Questions that took too long, since the start" } td { (workers.late) } }
                tr { th scope="row" { "Workers that a question ended" } td { (workers.broken) } }
                tr { th scope="row" { "Room for what visitors keep" } td { (health.kept.room()) } }
            }
            (of_events(&events(&app).await?))
            (held_back(&app))
            p.quiet { "Other programs, without the key, are told the figures above as JSON at this address." }
        }
    };
    Ok(page::page(&who, "How the server does", &[], body).into_response())
}

fn of_events(events: &[Told]) -> Markup {
    html! {
        @if !events.is_empty() {
            h2 { "Events" }
            table {
                tr { th { "Event" } th { "Names on its list" } th { "Other names" } th { "Room" } }
                @for event in events {
                    tr {
                        th scope="row" { a href={ "/e/" (event.id) "/desk" } { bdi { (event.title) } } }
                        td { (event.listed) }
                        td { (event.unlisted.taken) " of " (event.unlisted.most) }
                        td { (event.room.room()) }
                    }
                }
            }
        }
        @for event in events.iter().filter(|event| !event.spent.is_empty()) {
            p {
                bdi { (event.title) } " takes no more decks of "
                @for (at, name) in event.spent.iter().enumerate() { @if at > 0 { ", " } bdi { (name) } }
                ": theirs take all the room that one player has."
            }
        }
    }
}

/// Which addresses are held back now, and from what.
fn held_back(app: &Shared) -> Markup {
    let events = app.events.held().into_iter();
    let events = events.map(|(address, event)| (address, format!("the pages of event {event}")));
    let of = |held: Vec<std::net::IpAddr>, what: &'static str| {
        held.into_iter()
            .map(move |address| (address, what.to_owned()))
    };
    let held: Vec<_> = of(app.pages.held(), "pages and questions")
        .chain(of(app.tried.held(), "trying keys"))
        .chain(of(app.made.held(), "beginning and sharing decks"))
        .chain(events)
        .collect();
    html! {
        h2 { "Held back now" }
        @if held.is_empty() { p { "Nobody." } }
        ul { @for (address, what) in &held { li { code { (address) } ": " (what) } } }
    }
}
