//! The decks of a run, one by one: files, standard input, and the rows of a form.

use super::walk::Source;
use super::{Refusal, files};
use crate::deck::Input;
use crate::report::{DeckReport, Finding, Judge, JudgeError};
use crate::submissions::{Cell, Row, Submission};
use std::path::PathBuf;

/// A deck to judge.
#[derive(Debug)]
pub(super) enum Job {
    /// One that a path names.
    Deck(Source),
    /// One of a form.
    Row(Box<(Row, Submission)>),
}

/// Where jobs come from.
pub(super) trait Jobs: Send {
    /// The next jobs, at most `most`; none: that was all.
    fn next(&mut self, most: usize) -> Result<Vec<Job>, Refusal>;

    /// How many jobs there are still to come.
    fn length(&self) -> usize;

    /// The form's table of which they are rows.
    fn table(&self) -> Option<Table> {
        None
    }
}

impl Jobs for std::vec::IntoIter<Source> {
    fn next(&mut self, most: usize) -> Result<Vec<Job>, Refusal> {
        Ok(self.take(most).map(Job::Deck).collect())
    }

    fn length(&self) -> usize {
        self.len()
    }
}

/// A form's table.
#[derive(Debug)]
pub(super) struct Table {
    /// As it was named.
    pub(super) name: String,
    /// Where files that rows name are.
    pub(super) folder: PathBuf,
}

/// How jobs are read.
#[derive(Debug)]
pub(super) struct Reading {
    /// What decks are written in, where the call says it.
    pub(super) told: Option<Input>,
    /// The table of jobs that are rows.
    pub(super) table: Option<Table>,
}

/// A deck that was read, not yet understood.
#[derive(Debug)]
pub(super) struct Handed<'j> {
    /// How reports name it.
    pub(super) name: String,
    /// What it is written in, or why it is unreadable and what would mend it.
    pub(super) input: Result<Input, (String, String)>,
    job: &'j Job,
}

impl Reading {
    /// Reads a job's deck into the buffer; what is unreadable leaves it empty.
    pub(super) fn read<'j>(&self, job: &'j Job, buffer: &mut Vec<u8>) -> Handed<'j> {
        buffer.clear();
        let (name, input) = match job {
            Job::Deck(source) => (source.name(), self.source(source, buffer)),
            Job::Row(row) => {
                let table = self.table.as_ref();
                let table = table.map_or("", |table| table.name.as_str());
                let name = format!("{table} row {}", row.0.number);
                (name, self.row(&row.0, buffer))
            }
        };
        if input.is_err() {
            buffer.clear();
        }
        Handed { name, input, job }
    }

    fn source(&self, source: &Source, buffer: &mut Vec<u8>) -> Result<Input, (String, String)> {
        source.read(buffer).map(|()| source.input(self.told))
    }

    fn row(&self, row: &Row, buffer: &mut Vec<u8>) -> Result<Input, (String, String)> {
        let folder = self.table.as_ref().map(|table| table.folder.as_path());
        match row.cell(folder.unwrap_or("".as_ref())) {
            Cell::Empty => Err((
                "the row has no deck".to_owned(),
                "ask for the deck".to_owned(),
            )),
            Cell::Refused(message) => Err((message, "ask for the deck itself".to_owned())),
            Cell::Deck => {
                buffer.extend_from_slice(&row.deck);
                Ok(self.told.unwrap_or_default())
            }
            Cell::File(path) => {
                files::meets(&path);
                self.source(&Source::Named(path), buffer)
            }
        }
    }
}

impl Handed<'_> {
    /// Judges it. `bytes` are those that were read.
    ///
    /// # Errors
    /// When the run's own inputs are wrong.
    pub(super) fn judge(&self, judge: &Judge, bytes: &[u8]) -> Result<DeckReport, JudgeError> {
        let row = match self.job {
            Job::Deck(_) => None,
            Job::Row(row) => Some(&**row),
        };
        let told = row.and_then(|(row, _)| row.format.as_deref());
        let mut report = match &self.input {
            Ok(input) => judge.judge_as(&self.name, bytes, *input, told)?,
            Err((message, mend)) => {
                let finding = Finding::of_file(message.clone(), mend.clone());
                DeckReport::unreadable(self.name.clone(), finding)
            }
        };
        if let Some((row, submission)) = row {
            if row.player.is_some() {
                report.player.clone_from(&row.player);
            }
            report.submission = Some(submission.clone());
        }
        Ok(report)
    }
}
