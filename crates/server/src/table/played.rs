//! `decklaw match play FILE`: a table whose match is kept in a file.

use super::create::{Chairs, chairs, link};
use super::stored::New;
use super::{Live, ONLOOKER, Stage, path, seated};
use crate::trouble::Trouble;
use crate::{Shared, chooser, page as frame};
use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::{IntoResponse, Redirect, Response};
use decklaw_ask::Library;
use decklaw_play::matches::Unproved;
use maud::html;
use rusqlite::Connection;

/// A match that is played at a table, and kept in a file.
pub struct ToPlay {
    /// What the table is called.
    pub title: String,
    /// The text of the match file.
    pub file: String,
    /// Keeps it.
    pub write: WriteMatch,
}

/// Keeps the text of a match file. Errors are for people.
pub type WriteMatch = Box<dyn Fn(&str) -> Result<(), String> + Send + Sync>;

/// The table of a file, as it was laid.
pub(crate) struct Played {
    /// The table's id.
    pub(super) id: String,
    pub(super) write: WriteMatch,
    title: String,
    /// The key of each chair.
    keys: Vec<(String, String)>,
}

impl Played {
    /// Lays the table of a file.
    ///
    /// # Errors
    /// A file that does not verify, or data that cannot be written, for people.
    pub(crate) fn lay(
        to_play: ToPlay,
        library: &Library,
        data: &Connection,
        secret: &[u8; 32],
    ) -> Result<Played, Trouble> {
        let ToPlay { title, file, write } = to_play;
        let refuse = |error: decklaw_play::matches::MatchError| Trouble::from(&error);
        let judge = library.judge()?;
        let read = Unproved::read(file.as_bytes()).map_err(refuse)?;
        let format = read.inputs.format.clone();
        let rules = seated(&judge, &format)?.1;
        let made = read.verify(&rules.game()).map_err(refuse)?;
        let stage = match made.moves() {
            [] => Stage::Setup(Box::new(made)),
            _ => Stage::Game(Box::new(made)),
        };
        let live = Live::new(stage, None)?;
        let id = crate::keys::name(10).map_err(Trouble::from)?;
        let first = crate::keys::new().map_err(Trouble::from)?;
        let Chairs { digests, keys } = chairs(secret, &id, &first, live.seats().len())?;
        let new = New {
            id: id.clone(),
            format,
            title: title.clone(),
            keys: digests,
            by: None,
            standing: live.kept()?,
        };
        new.write(data).map_err(crate::store::Fault::from)?;
        Ok(Played {
            id,
            write,
            title,
            keys,
        })
    }
}

/// `GET /t/file`: the links of the seats, for whoever runs the table.
pub(in super::super) async fn page(
    State(app): State<Shared>,
    headers: HeaderMap,
) -> Result<Response, Trouble> {
    let played = app.played.as_deref();
    let played = played.ok_or_else(|| Trouble::none("match that is played from a file"))?;
    if let [(_, only)] = played.keys.as_slice() {
        return Ok(Redirect::to(&path(&played.id, only)).into_response());
    }
    let origin = chooser::origin(&app, &headers);
    let body = html! {
        body.lobby {
            header.bar { (frame::logo()) }
            main {
                h1 { bdi { (played.title) } }
                p.quiet { "Open the link of each seat. Send each player their own link only: it shows that seat's hand. Every move is saved in the file." }
                ul.seats {
                    @for (place, key) in &played.keys {
                        li.panel {
                            h2 { @if place == ONLOOKER { "Onlookers" } @else { "Seat " (place) } }
                            (link(&origin, &played.id, place, key)?)
                        }
                    }
                }
            }
        }
    };
    let page = frame::styled(
        &played.title,
        &["base.css", "table.css"],
        &["gather.js"],
        body,
    );
    Ok(page.into_response())
}
