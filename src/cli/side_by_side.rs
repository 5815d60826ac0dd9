//! Jobs done side by side, and what came of them taken in their order.

use super::Refusal;
use super::jobs::{Job, Jobs};
use std::collections::BTreeMap;
use std::num::NonZero;
use std::sync::mpsc::{Receiver, Sender, channel, sync_channel};
use std::sync::{Mutex, PoisonError};

/// The most jobs that a thread does before it hands over what came of them.
const CHUNK: usize = 64;
/// The most chunks a thread that are done and wait for an earlier one: what bounds memory.
const AHEAD: usize = 16;

/// Where threads get their jobs from.
struct Source<'j> {
    jobs: &'j mut dyn Jobs,
    /// How many chunks were taken.
    taken: usize,
    /// One for each chunk that may be taken; closed when no more are wanted.
    leave: Receiver<()>,
}

/// Does all jobs. `work` does a few that follow each other, on any thread; `take` gets what
/// came of them in the order of the jobs, while later ones are under way. However many jobs
/// there are, few are in memory.
///
/// # Errors
/// The first of the jobs, of `work` or of `take`; what comes after it is left.
pub(super) fn in_order<T: Send>(
    jobs: &mut dyn Jobs,
    work: impl Fn(&[Job]) -> Result<T, Refusal> + Sync,
    mut take: impl FnMut(T) -> Result<(), Refusal>,
) -> Result<(), Refusal> {
    let number = jobs.length();
    let threads = match number {
        // For one deck no thread is worth its start.
        0 | 1 => 1,
        _ => std::thread::available_parallelism().map_or(1, NonZero::get),
    };
    let chunk = (number / (4 * threads)).clamp(1, CHUNK);
    if threads == 1 {
        loop {
            let some = jobs.next(chunk)?;
            if some.is_empty() {
                return Ok(());
            }
            take(work(&some)?)?;
        }
    }
    let (more, leave) = sync_channel(threads * AHEAD);
    for _ in 0..threads * AHEAD {
        let _ = more.send(());
    }
    let source = Mutex::new(Source {
        jobs,
        taken: 0,
        leave,
    });
    let next = || {
        let mut source = source.lock().unwrap_or_else(PoisonError::into_inner);
        source.leave.recv().ok()?;
        let at = source.taken;
        source.taken += 1;
        match source.jobs.next(chunk) {
            Ok(jobs) if jobs.is_empty() => None,
            jobs => Some((at, jobs)),
        }
    };
    let labour = |hand_over: Sender<(usize, Result<T, Refusal>)>| {
        while let Some((at, jobs)) = next() {
            let done = jobs.and_then(|jobs| work(&jobs));
            if hand_over.send((at, done)).is_err() {
                break;
            }
        }
    };
    std::thread::scope(|scope| {
        let (hand_over, done) = channel();
        for _ in 0..threads {
            let hand_over = hand_over.clone();
            scope.spawn(|| labour(hand_over));
        }
        drop(hand_over);
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
    use crate::cli::walk::Source as Deck;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::time::Duration;

    fn jobs(number: usize) -> std::vec::IntoIter<Deck> {
        let name = |at: usize| Deck::Named(at.to_string().into());
        (0..number).map(name).collect::<Vec<_>>().into_iter()
    }

    fn names(jobs: &[Job]) -> Vec<usize> {
        let name = |job: &Job| match job {
            Job::Deck(deck) => deck.name().parse().unwrap(),
            Job::Row(_) => unreachable!(),
        };
        jobs.iter().map(name).collect()
    }

    #[test]
    fn results_come_in_order_and_few_wait() {
        for number in [0, 1, 2, 63, 64, 65, 1000, 40_000] {
            let (begun, mut seen, mut most) = (AtomicUsize::new(0), Vec::new(), 0);
            let work = |jobs: &[Job]| {
                begun.fetch_add(jobs.len(), Ordering::Relaxed);
                let all = names(jobs);
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
            in_order(&mut jobs(number), work, take).unwrap();
            assert_eq!(seen, (0..number).collect::<Vec<_>>());
            let threads = std::thread::available_parallelism().unwrap().get();
            assert!(most <= threads * AHEAD * CHUNK, "{most}");
        }
    }

    #[test]
    fn a_refusal_ends_the_work() {
        for bad in [0, 70, 9_999] {
            let (begun, mut seen) = (AtomicUsize::new(0), 0);
            let work = |jobs: &[Job]| {
                begun.fetch_add(jobs.len(), Ordering::Relaxed);
                match names(jobs).contains(&bad) {
                    true => Err(Refusal("bad".to_owned())),
                    false => Ok(jobs.len()),
                }
            };
            let take = |some: usize| {
                seen += some;
                Ok(())
            };
            let refused = in_order(&mut jobs(10_000), work, take).unwrap_err();
            assert_eq!(refused.0, "bad");
            assert!(seen <= bad, "what comes before it, and nothing after it");
            let threads = std::thread::available_parallelism().unwrap().get();
            let begun = begun.load(Ordering::Relaxed);
            assert!(
                begun <= bad + (threads * AHEAD + threads) * CHUNK,
                "{begun}"
            );
        }
        let mut first = true;
        let refused = in_order(
            &mut jobs(500),
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
