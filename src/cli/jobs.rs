//! The decks of a run, one by one (files, standard input, and the rows of a form), and how threads
//! share the work on them.

use super::CliError;
use super::run::start_threads;
use super::walk::DeckSource;
use crate::Problem;
use crate::deck::{Input, LARGEST_FILE, OpenedDeck};
use crate::event::EntryDeck;
use crate::judge::{Judge, ReadDeck, Report};
use crate::resolve::Resolved;
use crate::text::ReadError;
use rayon::prelude::*;

/// A deck to judge.
#[derive(Debug, Clone, Copy)]
pub(super) enum Job<'j> {
    /// One that a path names.
    Deck(&'j DeckSource),
    /// One of a form.
    Submitted(&'j EntryDeck),
}

/// The most jobs of a batch: what is written of them mostly fits the room of a batch, and all that
/// waits is small enough that its memory is used again and again.
const BATCH: usize = 32;
/// How many batches for each thread are done before their results are taken: what bounds memory.
const AHEAD: usize = 8;

/// Does all jobs. `work` does those of a batch, on any thread; `take` gets the results in the
/// order of the jobs, while later ones are under way. However many jobs there are, few are in
/// memory.
///
/// # Errors
/// The first of `work` or of `take`; what comes after it is left.
pub(super) fn in_order<T: Send>(
    jobs: &[Job<'_>],
    work: impl Fn(&[Job<'_>]) -> Result<T, CliError> + Sync,
    mut take: impl FnMut(T) -> Result<(), CliError> + Send,
) -> Result<(), CliError> {
    // Where there are few, every thread gets some.
    let size = (jobs.len() / BATCH).clamp(1, BATCH);
    // For one batch no thread is worth its start.
    if jobs.len() <= size {
        return jobs.chunks(size).try_for_each(|batch| take(work(batch)?));
    }
    start_threads()?;
    let mut windows = jobs.chunks(size * rayon::current_num_threads() * AHEAD);
    let mut done: Vec<Result<T, CliError>> = Vec::new();
    loop {
        let window = windows.next();
        let all = |window: &[Job<'_>]| window.par_chunks(size).map(&work).collect();
        let (taken, next) = rayon::join(
            || done.into_iter().try_for_each(|result| take(result?)),
            || window.map_or_else(Vec::new, all),
        );
        taken?;
        if window.is_none() {
            return Ok(());
        }
        done = next;
    }
}

/// How jobs are read.
#[derive(Debug)]
pub(super) struct Reading {
    /// What decks are written in, where the call says it.
    pub(super) input: Option<Input>,
}

/// A deck that was read, not yet understood.
#[derive(Debug)]
pub(super) struct OpenedJob<'j> {
    /// Its bytes; none of what is unreadable.
    pub(super) bytes: &'j [u8],
    /// How reports name it.
    pub(super) name: String,
    /// The same as text.
    pub(super) opened: Result<OpenedDeck<'j>, ReadError>,
    job: Job<'j>,
}

impl Reading {
    /// Reads a job's deck, into the buffer if it is in a file.
    pub(super) fn read<'j>(
        &self,
        judge: &Judge,
        job: Job<'j>,
        buffer: &'j mut Vec<u8>,
    ) -> OpenedJob<'j> {
        buffer.clear();
        let (name, stated, read) = match job {
            Job::Deck(source) => (source.name(), None, self.source(source, buffer)),
            Job::Submitted(deck) => {
                let read = match &deck.unfit {
                    Some(unfit) => Err(unfit.clone()),
                    None if deck.text.len() as u64 > LARGEST_FILE => Err(ReadError::new(
                        format!(
                            "the cell is larger than {} MiB, the limit of a deck",
                            LARGEST_FILE >> 20
                        ),
                        "look for a quotation mark before it that is not closed",
                    )),
                    None => Ok((deck.text.as_slice(), deck.input)),
                };
                (deck.place.clone(), deck.format.as_deref(), read)
            }
        };
        let (bytes, opened) = match read {
            Ok((bytes, input)) => (bytes, judge.open_file(bytes, input, stated)),
            Err(unreadable) => (&[][..], Err(unreadable)),
        };
        OpenedJob { bytes, name, opened, job }
    }

    fn source<'j>(
        &self,
        source: &DeckSource,
        buffer: &'j mut Vec<u8>,
    ) -> Result<(&'j [u8], Input), ReadError> {
        source.read(buffer)?;
        Ok((buffer, source.input(self.input)))
    }
}

impl OpenedJob<'_> {
    /// Judges it.
    ///
    /// # Errors
    /// When the run's own inputs are wrong.
    pub(super) fn judge(&self, judge: &Judge) -> Result<Report, Problem> {
        Ok(self.judged(judge)?.0)
    }

    /// The same, with the deck itself where it is one.
    ///
    /// # Errors
    /// When the run's own inputs are wrong.
    pub(super) fn judged(
        &self,
        judge: &Judge,
    ) -> Result<(Report, Option<Box<Resolved<'_>>>), Problem> {
        let of_form = match self.job {
            Job::Deck(_) => None,
            Job::Submitted(deck) => Some(deck),
        };
        let stated = of_form.and_then(|deck| deck.format.as_deref());
        let (mut report, resolved) = match &self.opened {
            Ok(opened) => {
                let read = judge.read(opened, stated)?;
                let mut report = judge.report(&self.name, &read, stated);
                report.keep_text(opened.clone());
                match read {
                    ReadDeck::Deck(resolved) => (report, Some(resolved)),
                    ReadDeck::Formatless { .. } | ReadDeck::Unreadable { .. } => (report, None),
                }
            }
            Err(error) => (Report::unreadable(self.name.clone(), error.clone().into()), None),
        };
        if let Some(deck) = of_form {
            report.player = deck.player.clone().or(report.player);
            report.submission = Some(deck.submission.clone());
        }
        Ok((report, resolved))
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::cli::walk::DeckSource as Deck;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::time::Duration;

    fn decks(number: usize) -> Vec<Deck> {
        let name = |at: usize| Deck::named(at.to_string());
        (0..number).map(name).collect()
    }

    fn jobs(decks: &[Deck]) -> Vec<Job<'_>> {
        decks.iter().map(Job::Deck).collect()
    }

    fn names(batch: &[Job<'_>]) -> Vec<usize> {
        let name = |job: &Job<'_>| match job {
            Job::Deck(deck) => deck.name().parse().unwrap(),
            Job::Submitted(_) => unreachable!(),
        };
        batch.iter().map(name).collect()
    }

    #[test]
    fn results_come_in_order_and_few_wait() {
        for number in [0, 1, 2, 63, 64, 65, 1000, 40_000] {
            let (begun, mut seen, mut most) = (AtomicUsize::new(0), Vec::new(), 0);
            let work = |batch: &[Job<'_>]| {
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
            in_order(&jobs(&decks(number)), work, take).unwrap();
            assert_eq!(seen, (0..number).collect::<Vec<_>>());
            let threads = std::thread::available_parallelism().unwrap().get();
            assert!(most <= 2 * threads * AHEAD * BATCH, "{most}");
        }
    }

    #[test]
    fn a_refusal_ends_the_work() {
        for bad in [0, 70, 9_999] {
            let (begun, mut seen) = (AtomicUsize::new(0), 0);
            let work = |batch: &[Job<'_>]| {
                let all = names(batch);
                begun.fetch_add(all.len(), Ordering::Relaxed);
                match all.contains(&bad) {
                    true => Err(CliError::call("bad")),
                    false => Ok(all.len()),
                }
            };
            let take = |some: usize| {
                seen += some;
                Ok(())
            };
            let refused = in_order(&jobs(&decks(10_000)), work, take).unwrap_err();
            assert_eq!(refused.message, "bad");
            assert!(seen <= bad, "what comes before it, and nothing after it");
            let threads = std::thread::available_parallelism().unwrap().get();
            let begun = begun.load(Ordering::Relaxed);
            assert!(begun <= bad + 2 * threads * AHEAD * BATCH, "{begun}");
        }
        let mut first = true;
        let refused = in_order(
            &jobs(&decks(500)),
            |_| Ok(()),
            |()| match first {
                true => {
                    first = false;
                    Ok(())
                }
                false => Err(CliError::call("enough")),
            },
        );
        assert_eq!(refused.unwrap_err().message, "enough");
    }
}
