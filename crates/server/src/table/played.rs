//! `decklaw match play FILE`: a table whose match is kept in a file.

use super::create::{chairs, links};
use super::kept::New;
use super::{Live, Stage, seated};
use crate::trouble::Trouble;
use crate::who::Who;
use crate::{Shared, chooser};
use axum::extract::{Extension, State};
use axum::http::HeaderMap;
use axum::response::Response;
use decklaw_ask::Library;
use decklaw_play::matches::Unproved;
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
            _ => Stage::Game(Box::new(made.play_on(&rules.game()).map_err(refuse)?)),
        };
        let live = Live::new(stage, None)?;
        let (id, kept, keys) = chairs(live.seats().len(), |_| crate::keys::new())?;
        let new = New {
            id: id.clone(),
            format,
            title: title.clone(),
            keys: kept,
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

/// `GET /t/file`: the links of the seats, for whoever laid the table.
pub(in super::super) async fn page(
    State(app): State<Shared>,
    Extension(who): Extension<Who>,
    headers: HeaderMap,
) -> Result<Response, Trouble> {
    let played = app.played.as_deref();
    let played = played.ok_or_else(|| Trouble::none("match that is played from a file"))?;
    let origin = chooser::origin(&app, &headers);
    let told = "Open the link of each seat; a player apart is sent theirs, and nobody another's: it shows that seat's hand. Every move is kept in the file.";
    links(&who, &played.title, told, &origin, &played.id, &played.keys)
}
