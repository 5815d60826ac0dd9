//! Events: hand-ins of players, decisions of organisers.

mod answers;
pub(super) mod hand_in;
pub(super) mod opening;
pub(super) mod organise;
pub(super) mod public;
mod views;

use crate::actor::{Actor, Visit};
use crate::answering::Speed;
use crate::app::Shared;
use crate::error::HttpError;
use crate::events::{EventHandle, View};
use decklaw_event::{Author, Decision, Event, PlayerId};
use std::ops::Deref;
use std::sync::Arc;

/// A request to an event.
#[derive(Clone)]
pub(crate) struct AtEvent {
    pub(crate) visit: Visit,
    pub(crate) handle: Arc<EventHandle>,
    /// The event as it was when the request came.
    pub(crate) event: Arc<View>,
}

impl Deref for AtEvent {
    type Target = Visit;
    fn deref(&self) -> &Visit {
        &self.visit
    }
}

impl AtEvent {
    /// The author of a decision.
    fn author(&self) -> Author {
        let name = if self.is_host() { "host" } else { "organiser" };
        Author { name: name.to_owned(), form: self.form.clone(), seen: None }
    }

    /// Records a decision.
    async fn decide(&self, author: Author, decision: Decision) -> Result<(), HttpError> {
        let done = self.handle.with(move |event| Ok(event.decide(author, decision, None)?));
        done.await.map(drop)
    }

    /// The player whose link was opened.
    fn player(&self) -> Option<PlayerId> {
        match self.actor {
            Actor::Entry(player) => Some(player),
            _ => None,
        }
    }

    /// Computes something of the event as it is now, in this client's turn. Writers do not wait for
    /// it.
    ///
    /// # Errors
    /// As [`Visit::answer`], and a folder that cannot be used.
    async fn read<T: Send + 'static>(
        &self,
        speed: Speed,
        work: impl FnOnce(&Event) -> Result<T, HttpError> + Send + 'static,
    ) -> Result<T, HttpError> {
        let handle = Arc::clone(&self.handle);
        self.answer(speed, move || handle.read(work)).await
    }
}

/// Every event, by its title.
///
/// # Errors
/// A folder that cannot be used.
pub(crate) async fn all(app: &Shared) -> Result<Vec<View>, HttpError> {
    let mut views = Vec::new();
    for handle in app.events.all() {
        let id = handle.id.clone();
        views.push(handle.with(move |event| View::of(&id, event)).await?);
    }
    views.sort_by(|one, other| one.title.cmp(&other.title));
    Ok(views)
}

/// The cookie of an event's organiser.
pub(crate) fn organiser_cookie(app: &Shared, event: &str) -> String {
    app.cookie(&format!("decklaw-desk-{event}"))
}

/// The cookie of a player of an event.
pub(crate) fn player_cookie(app: &Shared, event: &str) -> String {
    app.cookie(&format!("decklaw-mine-{event}"))
}
