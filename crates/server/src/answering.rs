//! Where answers are computed: off the threads that serve, a few at a time.
//!
//! A question is quick or slow, and each kind has places of its own, so that nobody's click waits
//! for somebody else's search. One address has a few places of each kind at a time. How much work a question may
//! do is bounded by the question itself.

use crate::error::HttpError;
use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::Duration;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;

/// How long a client waits for an answer.
const ANSWERED: Duration = Duration::from_secs(20);
/// How long a question waits for a place.
const WAITS: Duration = Duration::from_secs(10);
/// The fewest quick questions that are answered at once.
const FEWEST_QUICK: usize = 4;
/// The fewest slow questions that are answered at once.
const FEWEST_SLOW: usize = 2;
/// The most questions of one address that are answered at once: it may be a whole room's.
const OF_ONE_ADDRESS: usize = 4;

/// How long a question takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Speed {
    /// A few milliseconds: reading and judging a deck.
    Quick,
    /// More than that.
    Slow,
}

/// The places of a server.
#[derive(Debug)]
pub(crate) struct WorkerSlots {
    quick: Arc<Semaphore>,
    slow: Arc<Semaphore>,
    clients: Mutex<HashMap<(IpAddr, Speed), Weak<Semaphore>>>,
}

impl WorkerSlots {
    /// The places on a machine with this number of processors.
    pub(crate) fn new(processors: usize) -> WorkerSlots {
        WorkerSlots {
            quick: Arc::new(Semaphore::new(processors.max(FEWEST_QUICK))),
            slow: Arc::new(Semaphore::new(processors.max(FEWEST_SLOW))),
            clients: Mutex::default(),
        }
    }

    /// The places of one address for questions of a kind.
    fn places_of(&self, client: (IpAddr, Speed)) -> Arc<Semaphore> {
        let mut clients = self.clients.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = clients.get(&client).and_then(Weak::upgrade) {
            return known;
        }
        clients.retain(|_, known| known.strong_count() > 0);
        let places = Arc::new(Semaphore::new(OF_ONE_ADDRESS));
        clients.insert(client, Arc::downgrade(&places));
        places
    }

    async fn place(&self, client: IpAddr, speed: Speed) -> Option<[OwnedSemaphorePermit; 2]> {
        let own = self.places_of((client, speed)).acquire_owned().await.ok()?;
        let all = match speed {
            Speed::Quick => &self.quick,
            Speed::Slow => &self.slow,
        };
        Some([own, Arc::clone(all).acquire_owned().await.ok()?])
    }

    /// Computes an answer. Work that began goes on to its end, whether or not the client waits.
    ///
    /// # Errors
    /// The work's own, no place in time, an answer that takes too long, and a panic in the work.
    pub(crate) async fn answer<T: Send + 'static>(
        &self,
        client: IpAddr,
        speed: Speed,
        work: impl FnOnce() -> Result<T, HttpError> + Send + 'static,
    ) -> Result<T, HttpError> {
        let place = timeout(WAITS, self.place(client, speed)).await;
        let Ok(Some(place)) = place else {
            return Err(HttpError::busy());
        };
        let work = tokio::task::spawn_blocking(move || {
            let _place = place;
            work()
        });
        match timeout(ANSWERED, work).await {
            Ok(Ok(answer)) => answer,
            Ok(Err(_)) => Err(HttpError::defect()),
            Err(_) => Err(HttpError::too_much()),
        }
    }
}

/// Does something that the server needs itself, off the threads that serve.
///
/// # Errors
/// The work's own, and a panic in it.
pub(crate) async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, HttpError> + Send + 'static,
) -> Result<T, HttpError> {
    let done = tokio::task::spawn_blocking(work).await;
    done.unwrap_or_else(|_| Err(HttpError::defect()))
}
