//! The tables that a browser sits at, found again.

use super::acts::{Ended, called};
use super::kept::Short;
use crate::guard::Who;
use crate::trouble::Trouble;
use crate::{Shared, page as frame};
use axum::extract::{Extension, State};
use axum::response::{IntoResponse, Response};
use decklaw_core::text::listed;
use decklaw_play::matches::SeatId;
use maud::{Markup, html};
use rusqlite::params;

/// The most tables of a list.
const TABLES: i64 = 200;

/// A place at a table.
pub(in super::super) struct Found {
    id: String,
    seat: String,
    title: String,
    pub(in super::super) format: String,
    at: String,
    stage: String,
    /// `None`: what is kept of it is damaged.
    short: Option<Short>,
    ended: Option<Ended>,
}

/// The places at which whoever asks sits: those first that are not over, and of these where something
/// was done last.
///
/// # Errors
/// Data that cannot be reached.
pub(in super::super) async fn of(
    app: &Shared,
    who: &Who,
    most: i64,
) -> Result<Vec<Found>, Trouble> {
    let browser = who.browser;
    app.store
        .read(move |data| {
            let mut found = data.prepare(
                "select s.id, c.seat, s.title, s.format, s.at, s.stage, s.told, s.ended
                 from chair c join sitting s on s.id = c.sitting
                 where c.browser = ?1 order by s.ended is not null, s.at desc, c.seat limit ?2",
            )?;
            let mut rows = found.query(params![&browser[..], most])?;
            let mut each = Vec::new();
            while let Some(row) = rows.next()? {
                let (told, ended): (String, Option<String>) = (row.get(6)?, row.get(7)?);
                each.push(Found {
                    id: row.get(0)?,
                    seat: row.get(1)?,
                    title: row.get(2)?,
                    format: row.get(3)?,
                    at: row.get(4)?,
                    stage: row.get(5)?,
                    short: serde_json::from_str(&told).ok(),
                    ended: ended.and_then(|ended| serde_json::from_str(&ended).ok()),
                });
            }
            Ok(each)
        })
        .await
}

impl Found {
    /// Where it is.
    pub(in super::super) fn path(&self) -> String {
        format!("/t/{}/{}", self.id, self.seat)
    }

    /// Whether a deck of this place is waited for.
    pub(in super::super) fn wants_deck(&self) -> bool {
        self.stage == "gathering" && self.is_waited_for()
    }

    fn is_waited_for(&self) -> bool {
        let own = SeatId::parse(&self.seat).zip(self.short.as_ref());
        own.is_some_and(|(own, short)| short.waits.contains(&own))
    }

    /// What whoever sits there is called, where they have a name.
    pub(super) fn name(&self) -> Option<&str> {
        let own = SeatId::parse(&self.seat)?;
        let name = self.short.as_ref()?.names.get(&own)?;
        (name != own.letter()).then_some(name)
    }

    /// How it stands, in words.
    fn told(&self) -> String {
        let Some(short) = &self.short else {
            return "what is kept of it is damaged".to_owned();
        };
        let name = |seat: &SeatId| {
            let known = short.names.get(seat);
            called(*seat, known.map_or(seat.letter(), |name| name))
        };
        if let Some(ended) = &self.ended {
            return format!("ended: {}", ended.told(|seat| name(&seat)));
        }
        let others: Vec<String> = short.waits.iter().map(name).collect();
        let others = listed(&others, "and");
        match (self.stage.as_str(), self.is_waited_for()) {
            ("gathering", true) => "waits for your deck".to_owned(),
            ("gathering", false) => format!("waits for the deck of {others}"),
            ("setup", true) => "setup: you decide".to_owned(),
            ("setup", false) => format!("setup: waits for {others}"),
            (_, true) => "your turn".to_owned(),
            (_, false) => format!("{others} to act"),
        }
    }
}

/// Which place at which table it is.
pub(super) fn about(found: &Found) -> Markup {
    let seat = match SeatId::parse(&found.seat) {
        Some(seat) => format!("seat {seat}"),
        None => "onlooker".to_owned(),
    };
    let others = found.short.iter().flat_map(|short| &short.names);
    let others = others
        .filter(|(other, name)| found.seat != other.letter() && name.as_str() != other.letter());
    let others: Vec<&str> = others.map(|(_, name)| name.as_str()).collect();
    html! {
        span {
            bdi { (found.title) } " "
            span.quiet {
                (found.format) " · " (seat)
                @if !others.is_empty() { " · with " bdi { (listed(&others, "and")) } }
            }
        }
    }
}

/// The link to a place.
pub(in super::super) fn link(found: &Found) -> Markup {
    html! {
        a href=(found.path()) {
            (about(found))
            span { (found.told()) " " time.quiet datetime=(found.at) { (found.at.get(..10).unwrap_or_default()) } }
        }
    }
}

/// `GET /tables`
pub(in super::super) async fn page(
    State(app): State<Shared>,
    Extension(who): Extension<Who>,
) -> Result<Response, Trouble> {
    let tables = of(&app, &who, TABLES).await?;
    let body = html! {
        (frame::top())
        main.narrow {
            h1 { "Your tables" }
            p { a.button.primary href="/play" { "Play a deck" } }
            @if tables.is_empty() {
                p { "This browser sits at no table. Open one, or follow the link that somebody sent you." }
            } @else {
                ul.decks { @for table in &tables { li { (link(table)) } } }
                p.quiet { "They belong to this browser, and go with its cookies. " (super::opening::lasting()) }
            }
        }
    };
    Ok(frame::page(&who, "Your tables", &[], body).into_response())
}
