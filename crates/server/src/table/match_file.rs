//! `decklaw match play FILE`: a table whose match is kept in a file.

use super::create::{SeatKeys, invite};
use super::stored::TableRow;
use super::{Live, ONLOOKER, Stage, Tables, path, seated};
use crate::actor::Visit;
use crate::error::HttpError;
use crate::{keys, page as frame};
use axum::extract::{Extension, State};
use axum::http::HeaderMap;
use axum::response::{IntoResponse, Redirect, Response};
use decklaw_ask::Library;
use decklaw_play::matches::UnverifiedMatch;
use maud::html;
use rusqlite::Connection;
use std::sync::Arc;

/// A match that is played at a table, and kept in a file.
pub struct ToPlay {
    /// The title of the table.
    pub title: String,
    /// The text of the match file.
    pub file: String,
    /// Writes it.
    pub write: WriteMatch,
}

/// Writes the text of a match file. Errors are for people.
pub type WriteMatch = Box<dyn Fn(&str) -> Result<(), String> + Send + Sync>;

/// The table of a match file.
pub(crate) struct MatchFile {
    /// The table's id.
    pub(super) id: String,
    pub(super) write: WriteMatch,
    title: String,
    /// The key of each place.
    keys: Vec<(String, String)>,
}

impl MatchFile {
    /// Opens the table of a file.
    ///
    /// # Errors
    /// A file that does not verify, and data that cannot be written.
    pub(crate) fn open(
        ToPlay { title, file, write }: ToPlay,
        library: &Library,
        data: &Connection,
        secret: &[u8; 32],
    ) -> Result<MatchFile, HttpError> {
        let judge = library.judge()?;
        let read = UnverifiedMatch::read(file.as_bytes())?;
        let format = read.inputs.format.clone();
        let made = read.verify(&seated(&judge, &format)?.1.game())?;
        let stage = match made.moves() {
            [] => Stage::Setup(Box::new(made)),
            _ => Stage::Game(Box::new(made)),
        };
        let live = Live::new(stage, None);
        let (id, first) = (keys::name(10)?, keys::new()?);
        let SeatKeys { digests, keys } = SeatKeys::of(secret, &id, &first, live.seats().len())?;
        let row = TableRow {
            id: id.clone(),
            format,
            title: title.clone(),
            keys: digests,
            opened_by: None,
            state: live.stored(None)?,
        };
        row.insert(data)?;
        Ok(MatchFile { id, write, title, keys })
    }
}

/// `GET /t/file`: the links of the seats, for the host.
pub(crate) async fn page(
    State(tables): State<Arc<Tables>>,
    Extension(visit): Extension<Visit>,
    headers: HeaderMap,
) -> Result<Response, HttpError> {
    let file = tables.file.as_ref().ok_or_else(|| HttpError::none("match file"))?;
    if let [(_, only)] = file.keys.as_slice() {
        return Ok(Redirect::to(&path(&file.id, only)).into_response());
    }
    let origin = visit.origin(&headers);
    let main = html! {
        main {
            h1 { bdi { (file.title) } }
            p.quiet { "Open the link of each seat. Send each player their own link only: it shows that seat\u{2019}s hand. Every move is saved in the file." }
            ul.seats {
                @for (place, key) in &file.keys {
                    li.panel {
                        h2 { @if place == ONLOOKER { "Spectators" } @else { "Seat " (place) } }
                        (invite(&origin, &file.id, place, key)?)
                    }
                }
            }
        }
    };
    Ok(frame::lobby(&file.title, "", &main))
}
