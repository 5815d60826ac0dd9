//! Jobs done side by side, and what came of them taken in their order.

use super::jobs::{Batch, Jobs};
use super::{Refusal, Run};
use std::collections::BTreeMap;
use std::num::NonZero;
use std::sync::mpsc::{Receiver, Sender, channel, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};

/// How many finished batches a thread may have waiting for an earlier one: what bounds memory.
const AHEAD: usize = 8;

/// The most threads that share work, whatever the environment asks for.
const MOST_THREADS: usize = 256;

impl Run {
    /// Starts the threads that share work, before any work is shared: where the system gives
    /// none, this thread does it all, and nothing panics.
    pub(super) fn threads(&self) {
        self.threads_started.get_or_init(start);
    }
}

fn start() {
    let asked = std::env::var("RAYON_NUM_THREADS").ok();
    let asked = asked
        .and_then(|number| number.parse().ok())
        .filter(|number| *number > 0);
    let own = std::thread::available_parallelism().map_or(1, NonZero::get);
    let threads = asked.unwrap_or(own).min(MOST_THREADS);
    // What once failed cannot be made again, so the threads are there before their pool is: they
    // wait for what they shall be.
    let (hand, wait) = channel::<rayon::ThreadBuilder>();
    let wait = Arc::new(Mutex::new(wait));
    let started = (0..threads).take_while(|_| {
        let wait = Arc::clone(&wait);
        let work = move || {
            let worker = wait.lock().unwrap_or_else(PoisonError::into_inner).recv();
            if let Ok(worker) = worker {
                worker.run();
            }
        };
        std::thread::Builder::new().spawn(work).is_ok()
    });
    let pool = rayon::ThreadPoolBuilder::new();
    let made = match started.count() {
        0 => pool.num_threads(1).use_current_thread().build_global(),
        started => {
            let hand = |worker| {
                hand.send(worker)
                    .map_err(|_| std::io::ErrorKind::Other.into())
            };
            pool.num_threads(started).spawn_handler(hand).build_global()
        }
    };
    // It was made before, by nobody here.
    drop(made);
}

/// Which batch is the next.
struct Turn {
    at: usize,
    /// One for each batch that may be taken; closed when no more are wanted.
    leave: Receiver<()>,
}

/// Does all jobs. `work` does those of a batch, on any thread; `take` gets what came of them
/// in the order of the jobs, while later ones are under way. However many jobs there are, few
/// are in memory.
///
/// # Errors
/// The first of the jobs, of `work` or of `take`; what comes after it is left.
pub(super) fn in_order<T: Send>(
    jobs: &dyn Jobs,
    work: impl Fn(Batch<'_>) -> Result<T, Refusal> + Sync,
    mut take: impl FnMut(T) -> Result<(), Refusal>,
) -> Result<(), Refusal> {
    let batches = jobs.batches();
    let done = |at| work(Batch { jobs, at });
    // For one batch no thread is worth its start.
    let threads = match batches {
        0 | 1 => 1,
        _ => std::thread::available_parallelism()
            .map_or(1, NonZero::get)
            .min(batches),
    };
    if threads == 1 {
        return (0..batches).try_for_each(|at| take(done(at)?));
    }
    let (more, leave) = sync_channel(threads * AHEAD);
    for _ in 0..threads * AHEAD {
        let _ = more.send(());
    }
    let turn = Mutex::new(Turn { at: 0, leave });
    let next = || {
        let mut turn = turn.lock().unwrap_or_else(PoisonError::into_inner);
        let at = Some(turn.at).filter(|at| *at < batches)?;
        turn.leave.recv().ok()?;
        turn.at += 1;
        Some(at)
    };
    let labour = |hand_over: Sender<(usize, Result<T, Refusal>)>| {
        while let Some(at) = next() {
            if hand_over.send((at, done(at))).is_err() {
                break;
            }
        }
    };
    std::thread::scope(|scope| {
        let (hand_over, done) = channel();
        let mut started = Err(std::io::ErrorKind::WouldBlock.into());
        for _ in 0..threads {
            let hand_over = hand_over.clone();
            let labour = || labour(hand_over);
            // Fewer threads than there are processors do the work, too.
            match std::thread::Builder::new().spawn_scoped(scope, labour) {
                Ok(_) => started = Ok(()),
                Err(error) if started.is_err() => started = Err(error),
                Err(_) => break,
            }
        }
        drop(hand_over);
        started.map_err(|error: std::io::Error| {
            Refusal(format!("the system gives no thread to work in: {error}"))
        })?;
        // Dropped when this returns, which ends the threads.
        let more = more;
        let mut early = BTreeMap::new();
        let mut awaited = 0;
        for (at, result) in done {
            early.insert(at, result);
            while let Some(result) = early.remove(&awaited) {
                take(result?)?;
                awaited += 1;
                // When nobody waits for leave all is taken already.
                let _ = more.try_send(());
            }
        }
        Ok(())
    })
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::cli::jobs::{BATCH, Job};
    use crate::cli::walk::DeckSource as Deck;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::time::Duration;

    fn jobs(number: usize) -> Vec<Deck> {
        let name = |at: usize| Deck::Named(at.to_string().into());
        (0..number).map(name).collect()
    }

    fn names(batch: Batch<'_>) -> Vec<usize> {
        let mut names = Vec::new();
        let each = batch.each(|job| {
            match job {
                Job::Deck(deck) => names.push(deck.name().parse().unwrap()),
                Job::Handed(_) => unreachable!(),
            }
            Ok(())
        });
        each.unwrap();
        names
    }

    #[test]
    fn results_come_in_order_and_few_wait() {
        for number in [0, 1, 2, 63, 64, 65, 1000, 40_000] {
            let (begun, mut seen, mut most) = (AtomicUsize::new(0), Vec::new(), 0);
            let work = |batch: Batch<'_>| {
                let all = names(batch);
                begun.fetch_add(all.len(), Ordering::Relaxed);
                if all.contains(&0) {
                    // Those behind it are ready sooner, and must not pile up.
                    std::thread::sleep(Duration::from_millis(50));
                }
                Ok(all)
            };
            let take = |some: Vec<usize>| {
                most = most.max(begun.load(Ordering::Relaxed) - seen.len());
                seen.extend(some);
                Ok(())
            };
            in_order(&jobs(number), work, take).unwrap();
            assert_eq!(seen, (0..number).collect::<Vec<_>>());
            let threads = std::thread::available_parallelism().unwrap().get();
            assert!(most <= threads * AHEAD * BATCH, "{most}");
        }
    }

    #[test]
    fn a_refusal_ends_the_work() {
        for bad in [0, 70, 9_999] {
            let (begun, mut seen) = (AtomicUsize::new(0), 0);
            let work = |batch: Batch<'_>| {
                let all = names(batch);
                begun.fetch_add(all.len(), Ordering::Relaxed);
                match all.contains(&bad) {
                    true => Err(Refusal("bad".to_owned())),
                    false => Ok(all.len()),
                }
            };
            let take = |some: usize| {
                seen += some;
                Ok(())
            };
            let refused = in_order(&jobs(10_000), work, take).unwrap_err();
            assert_eq!(refused.0, "bad");
            assert!(seen <= bad, "what comes before it, and nothing after it");
            let threads = std::thread::available_parallelism().unwrap().get();
            let begun = begun.load(Ordering::Relaxed);
            assert!(
                begun <= bad + (threads * AHEAD + threads) * BATCH,
                "{begun}"
            );
        }
        let mut first = true;
        let refused = in_order(
            &jobs(500),
            |_| Ok(()),
            |()| match first {
                true => {
                    first = false;
                    Ok(())
                }
                false => Err(Refusal("enough".to_owned())),
            },
        );
        assert_eq!(refused.unwrap_err().0, "enough");
    }
}
