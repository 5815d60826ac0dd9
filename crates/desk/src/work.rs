//! Where the library works: off the threads that talk to clients, a bounded number of answers
//! at a time. An address has a place for each processor, a quarter of all, and one for what takes
//! long: its questions keep nobody else from an answer, since they never hold the last place, and
//! few of them stand between another's and a processor. Exports of events have a line of their own.

use super::health::Used;
use super::trouble::Trouble;
use serde::Serialize;
use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::Duration;
use tokio::sync::Semaphore;

/// How long a question may wait for its turn.
const PATIENCE: Duration = Duration::from_secs(10);

/// How much a question takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Weight {
    /// Judging and looking up: a millisecond.
    Light,
    /// Odds and repairs: up to their work limits, a second or so.
    Heavy,
    /// All of an event for its organiser. What visitors ask for stands in another line.
    Export,
}

/// How much is worked on, for whoever watches the server.
#[derive(Debug, Clone, Serialize)]
pub(super) struct Load {
    /// Questions at the places for short answers. What else works answers out has a field of its
    /// own beside this one.
    pub(super) answers: Used,
}

/// The places at which answers are worked out.
#[derive(Debug)]
pub(super) struct Work {
    light: Arc<Semaphore>,
    heavy: Arc<Semaphore>,
    exports: Arc<Semaphore>,
    /// The light questions of one address that are worked on at a time.
    share: usize,
    lines: Mutex<HashMap<(IpAddr, Weight), Weak<Semaphore>>>,
}

impl Work {
    /// Places for a machine with so many processors.
    pub(super) fn new(processors: usize) -> Work {
        Work {
            light: Arc::new(Semaphore::new(processors * 4)),
            heavy: Arc::new(Semaphore::new(processors.max(2))),
            exports: Arc::new(Semaphore::new(2)),
            share: processors,
            lines: Mutex::default(),
        }
    }

    /// How much is worked on now.
    pub(super) fn load(&self) -> Load {
        let most = self.share * 4;
        let taken = most.saturating_sub(self.light.available_permits());
        Load {
            answers: Used::counted(taken, most),
        }
    }

    /// The line in which the questions of an address stand.
    fn line(&self, address: IpAddr, weight: Weight) -> Arc<Semaphore> {
        let key = (address, weight);
        let mut lines = self.lines.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(line) = lines.get(&key).and_then(Weak::upgrade) {
            return line;
        }
        lines.retain(|_, line| line.strong_count() > 0);
        let line = Arc::new(Semaphore::new(match weight {
            Weight::Light => self.share,
            Weight::Heavy | Weight::Export => 1,
        }));
        lines.insert(key, Arc::downgrade(&line));
        line
    }

    /// Works something out.
    ///
    /// # Errors
    /// That the machine is busy, and those of the work.
    pub(super) async fn out<T: Send + 'static>(
        &self,
        address: IpAddr,
        weight: Weight,
        work: impl FnOnce() -> Result<T, Trouble> + Send + 'static,
    ) -> Result<T, Trouble> {
        let line = self.line(address, weight);
        let all = match weight {
            Weight::Light => &self.light,
            Weight::Heavy => &self.heavy,
            Weight::Export => &self.exports,
        };
        let turn = async {
            let mine = line.acquire_owned().await;
            let place = Arc::clone(all).acquire_owned().await;
            (mine, place)
        };
        let Ok(turn) = tokio::time::timeout(PATIENCE, turn).await else {
            return Err(Trouble::busy());
        };
        let done = tokio::task::spawn_blocking(move || {
            // The places are given back when the work is done, even if nobody waits for it.
            let _turn = turn;
            work()
        });
        done.await.unwrap_or_else(|_| Err(Trouble::defect()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::net::Ipv4Addr;

    #[tokio::test]
    async fn a_defect_spoils_one_answer_and_no_other() {
        let work = Work::new(1);
        let here = IpAddr::V4(Ipv4Addr::LOCALHOST);
        for weight in [Weight::Light, Weight::Heavy, Weight::Export] {
            // More often than there are places: each is given back.
            for _ in 0..20 {
                let spoilt = work.out::<()>(here, weight, || panic!("a defect")).await;
                assert!(spoilt.is_err());
            }
            assert!(matches!(work.out(here, weight, || Ok(7)).await, Ok(7)));
        }
    }

    /// However many visitors have a machine work for as long as it takes, an organiser's export
    /// is worked on at once, even behind the same address.
    #[tokio::test]
    async fn no_visitor_keeps_an_export_waiting() {
        let work = Arc::new(Work::new(1));
        let (open, gate) = std::sync::mpsc::channel::<()>();
        let gate = Arc::new(Mutex::new(gate));
        for address in 0..20 {
            let (work, gate) = (Arc::clone(&work), Arc::clone(&gate));
            tokio::spawn(async move {
                let wait = move || {
                    let gate = gate.lock().unwrap_or_else(PoisonError::into_inner);
                    let _ = gate.recv();
                    Ok(())
                };
                let visitor = IpAddr::V4(Ipv4Addr::new(10, 0, 0, address));
                work.out(visitor, Weight::Heavy, wait).await
            });
        }
        while work.heavy.available_permits() > 0 {
            tokio::task::yield_now().await;
        }
        let organiser = IpAddr::V4(Ipv4Addr::new(10, 0, 0, 1));
        let export = work.out(organiser, Weight::Export, || Ok(7));
        let export = tokio::time::timeout(Duration::from_secs(5), export).await;
        assert!(matches!(export, Ok(Ok(7))));
        drop(open);
    }

    #[tokio::test]
    async fn one_address_never_keeps_another_waiting() {
        for weight in [Weight::Light, Weight::Heavy, Weight::Export] {
            let work = Arc::new(Work::new(1));
            let (open, gate) = std::sync::mpsc::channel::<()>();
            let gate = Arc::new(Mutex::new(gate));
            let asked: Vec<_> = (0..20)
                .map(|_| {
                    let (work, gate) = (Arc::clone(&work), Arc::clone(&gate));
                    tokio::spawn(async move {
                        let hostile = IpAddr::V4(Ipv4Addr::new(10, 0, 0, 1));
                        let wait = move || {
                            let gate = gate.lock().unwrap_or_else(PoisonError::into_inner);
                            // It ends when the gate is gone.
                            let _ = gate.recv();
                            Ok(())
                        };
                        work.out(hostile, weight, wait).await
                    })
                })
                .collect();
            while work.lines.lock().map_or(true, |lines| lines.is_empty()) {
                tokio::task::yield_now().await;
            }
            let player = IpAddr::V4(Ipv4Addr::new(10, 0, 0, 2));
            for _ in 0..5 {
                assert!(matches!(work.out(player, weight, || Ok(7)).await, Ok(7)));
            }
            assert!(asked.iter().all(|task| !task.is_finished()));
            drop(open);
        }
    }
}
