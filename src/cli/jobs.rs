//! The decks of a run, one by one: files, standard input, and the rows of a form.

use super::Refusal;
use super::walk::DeckSource;
use crate::deck::{Input, LARGEST_FILE, Opened};
use crate::event::Handed as OfForm;
use crate::judge::{Finding, Judge, JudgeError, ReadDeck, Report};
use crate::resolve::Resolved;

/// A deck to judge.
#[derive(Debug, Clone, Copy)]
pub(super) enum Job<'j> {
    /// One that a path names.
    Deck(&'j DeckSource),
    /// One of a form.
    Handed(&'j OfForm),
}

/// What is done with a job.
pub(super) type Work<'w> = dyn FnMut(Job<'_>) -> Result<(), Refusal> + 'w;

/// Jobs in batches, so that threads can take a batch each. A batch is small, however many jobs
/// there are.
pub(super) trait Jobs: Sync {
    /// How many jobs there are.
    fn length(&self) -> usize;

    /// How many batches there are.
    fn batches(&self) -> usize;

    /// Does the jobs of a batch in their order.
    ///
    /// # Errors
    /// A table that cannot be read on, and those of the work.
    fn batch(&self, at: usize, work: &mut Work<'_>) -> Result<(), Refusal>;
}

/// Jobs that follow each other.
#[derive(Clone, Copy)]
pub(super) struct Batch<'j> {
    pub(super) jobs: &'j dyn Jobs,
    pub(super) at: usize,
}

impl Batch<'_> {
    /// Does them in their order.
    ///
    /// # Errors
    /// A table that cannot be read on, and those of the work.
    pub(super) fn each(
        self,
        mut work: impl FnMut(Job<'_>) -> Result<(), Refusal>,
    ) -> Result<(), Refusal> {
        self.jobs.batch(self.at, &mut work)
    }
}

/// The most decks of a batch.
pub(super) const BATCH: usize = 64;

impl Jobs for Vec<DeckSource> {
    fn length(&self) -> usize {
        self.len()
    }

    fn batches(&self) -> usize {
        self.len().div_ceil(size(self.len()))
    }

    fn batch(&self, at: usize, work: &mut Work<'_>) -> Result<(), Refusal> {
        let batch = self.chunks(size(self.len())).nth(at);
        let mut decks = batch.unwrap_or_default().iter().map(Job::Deck);
        decks.try_for_each(work)
    }
}

/// How many of so many decks make a batch: where there are few, every thread gets some.
fn size(number: usize) -> usize {
    const SHARES: usize = 64;
    (number / SHARES).clamp(1, BATCH)
}

/// How jobs are read.
#[derive(Debug)]
pub(super) struct Reading {
    /// What decks are written in, where the call says it.
    pub(super) told: Option<Input>,
}

/// Why a deck is unreadable, and what to do about it.
type Unreadable = (String, String);

/// A deck that was read, not yet understood.
#[derive(Debug)]
pub(super) struct Handed<'j> {
    /// Its bytes; none of what is unreadable.
    pub(super) bytes: &'j [u8],
    /// How reports name it.
    pub(super) name: String,
    /// The same as text.
    pub(super) opened: Result<Opened<'j>, Unreadable>,
    job: Job<'j>,
}

impl Reading {
    /// Reads a job's deck, into the buffer if it is in a file.
    pub(super) fn read<'j>(
        &self,
        judge: &Judge,
        job: Job<'j>,
        buffer: &'j mut Vec<u8>,
    ) -> Handed<'j> {
        buffer.clear();
        let (name, told, read) = match job {
            Job::Deck(source) => (source.name(), None, self.source(source, buffer)),
            Job::Handed(deck) => {
                let read = match &deck.unfit {
                    Some(unfit) => Err(unfit.clone()),
                    None if deck.text.len() as u64 > LARGEST_FILE => Err((
                        format!(
                            "the cell is larger than {} MiB, so it is no deck",
                            LARGEST_FILE >> 20
                        ),
                        "look for a quotation mark before it that is not closed".to_owned(),
                    )),
                    None => Ok((deck.text.as_slice(), deck.input)),
                };
                (deck.place.clone(), deck.format.as_deref(), read)
            }
        };
        let (bytes, opened) = match read {
            Ok((bytes, input)) => {
                let opened = judge.open_file(bytes, input, told);
                (bytes, opened.map_err(|error| (error.message, error.help)))
            }
            Err(unreadable) => (&[][..], Err(unreadable)),
        };
        Handed {
            bytes,
            name,
            opened,
            job,
        }
    }

    fn source<'j>(
        &self,
        source: &DeckSource,
        buffer: &'j mut Vec<u8>,
    ) -> Result<(&'j [u8], Input), Unreadable> {
        source.read(buffer)?;
        Ok((buffer, source.input(self.told)))
    }
}

impl Handed<'_> {
    /// Judges it.
    ///
    /// # Errors
    /// When the run's own inputs are wrong.
    pub(super) fn judge(&self, judge: &Judge) -> Result<Report, JudgeError> {
        Ok(self.judged(judge)?.0)
    }

    /// The same, with the deck itself where it is one.
    ///
    /// # Errors
    /// When the run's own inputs are wrong.
    pub(super) fn judged(
        &self,
        judge: &Judge,
    ) -> Result<(Report, Option<Box<Resolved<'_>>>), JudgeError> {
        let of_form = match self.job {
            Job::Deck(_) => None,
            Job::Handed(deck) => Some(deck),
        };
        let told = of_form.and_then(|deck| deck.format.as_deref());
        let (mut report, resolved) = match &self.opened {
            Ok(opened) => {
                let read = judge.read(&opened.source, opened.input, told)?;
                let mut report = judge.report(&self.name, &read, told);
                report.note(opened.clone());
                match read {
                    ReadDeck::Deck(resolved) => (report, Some(resolved)),
                    ReadDeck::Formatless { .. } | ReadDeck::Unreadable { .. } => (report, None),
                }
            }
            Err((message, help)) => {
                let finding = Finding::unreadable(message.clone(), help);
                (Report::unreadable(self.name.clone(), finding), None)
            }
        };
        if let Some(deck) = of_form {
            report.player = deck.player.clone().or(report.player);
            report.submission = Some(deck.submission.clone());
        }
        Ok((report, resolved))
    }
}
