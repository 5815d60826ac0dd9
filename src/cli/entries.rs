//! The decks of a run, whichever way they come: by their paths, or as the rows of a form. Every
//! command that asks something of many decks asks it of these.

use super::form::{Form, Submitted};
use super::jobs::{Job, Reading};
use super::walk::{self, DeckSource};
use super::{Refusal, Run};
use crate::deck::Input;
use crate::judge::Judge;
use std::path::PathBuf;

/// The decks of a run.
#[derive(Debug)]
pub(super) struct Entries {
    decks: Decks,
    /// How they are read.
    pub(super) reading: Reading,
}

#[derive(Debug)]
enum Decks {
    Paths(Vec<DeckSource>),
    Form(Box<Submitted>),
}

impl Entries {
    /// The decks that a call names: a form's, or else those of the paths. `told` is what decks
    /// are written in, where the call says it.
    ///
    /// # Errors
    /// Paths beside a form, or neither; a path that is not there, and a form that cannot be read.
    pub(super) fn of(
        run: &Run,
        paths: &[PathBuf],
        (form, format): (&Form, Option<&str>),
        judge: &Judge,
        told: Option<Input>,
    ) -> Result<Entries, Refusal> {
        if form.is_given() && !paths.is_empty() {
            return Err(Refusal(
                "give decks by their paths or a form with `--submissions`, not both".to_owned(),
            ));
        }
        match form.open(run, judge, told, format)? {
            Some(form) => Ok(Entries {
                decks: Decks::Form(Box::new(form)),
                reading: Reading {
                    told,
                },
            }),
            None if paths.is_empty() => Err(Refusal(
                "name the decks: files, folders, or `-` for standard input; or a form with `--submissions FILE`"
                    .to_owned(),
            )),
            None => Entries::of_paths(run, paths, told),
        }
    }

    /// The decks of paths.
    ///
    /// # Errors
    /// A path that is not there.
    pub(super) fn of_paths(
        run: &Run,
        paths: &[PathBuf],
        told: Option<Input>,
    ) -> Result<Entries, Refusal> {
        if paths.is_empty() {
            let message = "name the decks: files, folders, or `-` for standard input";
            return Err(Refusal(message.to_owned()));
        }
        Ok(Entries {
            decks: Decks::Paths(walk::decks(run, paths)?),
            reading: Reading { told },
        })
    }

    /// The decks one by one.
    pub(super) fn jobs(&self) -> Vec<Job<'_>> {
        match &self.decks {
            Decks::Paths(sources) => sources.iter().map(Job::Deck).collect(),
            Decks::Form(form) => form.decks.iter().map(Job::Handed).collect(),
        }
    }

    /// The form of which they are rows.
    pub(super) fn form(&self) -> Option<&Submitted> {
        match &self.decks {
            Decks::Paths(_) => None,
            Decks::Form(form) => Some(form),
        }
    }
}
