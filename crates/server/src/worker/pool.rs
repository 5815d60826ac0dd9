//! Where questions are answered: on threads of their own, a few at a time.
//!
//! Each question carries what it may take: how much work, in its own limits, and whether it stands
//! with the quick or with the slow ones, so that nobody's click waits for somebody else's search. An
//! address has a few at a time.

use super::Question;
use crate::clock;
use crate::trouble::Trouble;
use decklaw_ask::{Library, MakeJudge};
use decklaw_event::Event;
use std::collections::{BTreeMap, HashMap};
use std::net::IpAddr;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::Duration;
use tokio::sync::{OwnedMutexGuard, OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;

/// How long anybody waits for the answer of a question.
const ANSWERED: Duration = Duration::from_secs(20);
/// How long a question may wait for its turn.
const PATIENCE: Duration = Duration::from_secs(10);
/// The fewest quick questions that are answered at once.
const FEWEST: usize = 4;
/// The most questions of one address that are answered at once: behind one may be a whole room.
const OF_ONE: usize = 4;
/// The most events that are kept open.
const EVENTS: usize = 16;

/// What questions are answered from.
#[derive(Debug)]
pub(crate) struct Bench {
    pub(crate) library: Library,
    /// The events that were asked about, by their folders.
    events: Mutex<BTreeMap<PathBuf, Arc<tokio::sync::Mutex<Event>>>>,
}

impl Bench {
    /// One with these judges.
    pub(crate) fn new(judges: Box<MakeJudge>) -> Bench {
        Bench {
            library: Library::new(judges, clock::today),
            events: Mutex::default(),
        }
    }

    /// An event as it is now, for one question at a time.
    ///
    /// # Errors
    /// A folder that is none, or that was changed.
    pub(crate) fn event(&self, folder: &Path) -> Result<OwnedMutexGuard<Event>, Trouble> {
        let event = {
            let mut events = self.events.lock().unwrap_or_else(PoisonError::into_inner);
            if let Some(event) = events.get(folder) {
                Arc::clone(event)
            } else {
                if events.len() >= EVENTS {
                    events.clear();
                }
                let event = Event::open(folder)?;
                let event = Arc::new(tokio::sync::Mutex::new(event));
                events.insert(folder.to_owned(), Arc::clone(&event));
                event
            }
        };
        let mut event = event.blocking_lock_owned();
        event.refresh()?;
        Ok(event)
    }
}

/// The answering of a server.
#[derive(Debug)]
pub(crate) struct Workers {
    bench: Arc<Bench>,
    quick: Arc<Semaphore>,
    slow: Arc<Semaphore>,
    clients: Mutex<HashMap<IpAddr, Weak<Semaphore>>>,
}

impl Workers {
    /// The answering on a machine with so many processors.
    pub(crate) fn new(bench: Arc<Bench>, processors: usize) -> Workers {
        Workers {
            bench,
            quick: Arc::new(Semaphore::new(processors.max(FEWEST))),
            slow: Arc::new(Semaphore::new(processors.max(2))),
            clients: Mutex::default(),
        }
    }

    /// The line in which a client's questions stand.
    fn line(&self, client: IpAddr) -> Arc<Semaphore> {
        let mut clients = self.clients.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = clients.get(&client).and_then(Weak::upgrade) {
            return known;
        }
        clients.retain(|_, known| known.strong_count() > 0);
        let made = Arc::new(Semaphore::new(OF_ONE));
        clients.insert(client, Arc::downgrade(&made));
        made
    }

    /// The turn of a client, among the slow or the quick.
    async fn turn(&self, client: IpAddr, slow: bool) -> Option<[OwnedSemaphorePermit; 2]> {
        let own = self.line(client).acquire_owned().await.ok()?;
        let all = if slow { &self.slow } else { &self.quick };
        let all = Arc::clone(all).acquire_owned().await.ok()?;
        Some([own, all])
    }

    /// Asks a question and waits for its answer. It is answered to its end, whether or not anybody
    /// waits. A defect that it meets is its own error.
    ///
    /// # Errors
    /// What is wrong with the question; that it takes too long, or that there is more to do than can
    /// be done.
    pub(crate) async fn ask<Q>(&self, client: IpAddr, question: Q) -> Result<Q::Answer, Trouble>
    where
        Q: Question + Send + 'static,
        Q::Answer: Send + 'static,
    {
        // Who leaves before it is their turn leaves nothing behind.
        let turn = timeout(PATIENCE, self.turn(client, question.is_slow())).await;
        let Ok(Some(turn)) = turn else {
            return Err(Trouble::busy());
        };
        let bench = Arc::clone(&self.bench);
        let answering = tokio::task::spawn_blocking(move || {
            let _turn = turn;
            question.answer(&bench)
        });
        match timeout(ANSWERED, answering).await {
            Ok(Ok(answer)) => answer,
            Ok(Err(_)) => Err(Trouble::defect()),
            Err(_) => Err(Trouble::too_much()),
        }
    }
}
