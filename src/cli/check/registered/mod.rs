//! `check AFTER --registered BEFORE`: is it the deck that was handed in? Of one deck, or of all
//! that were looked at in an evening: those of a folder or a form, each matched by its player with
//! one of another folder or form.

mod evening;

use crate::cli::form::Form;
use crate::cli::inputs::{self, InputKind};
use crate::cli::output::Outputs;
use crate::cli::{Answer, Outcome, Refusal, Run, walk};
use crate::judge::Judge;
use crate::matches::Setup;
use crate::report::registered::Registered;
use crate::resolve::Decklist;
use crate::solve::{Played, played};
use std::path::{Path, PathBuf};

/// What the call says.
#[derive(Debug, Clone, Copy)]
pub(super) struct Call<'c> {
    pub(super) paths: &'c [PathBuf],
    pub(super) form: &'c Form,
    pub(super) registered: &'c Path,
    pub(super) told: Option<InputKind>,
}

pub(super) fn run(call: &Call<'_>, run: &Run) -> Answer {
    let judge = inputs::judge_quietly(run)?;
    run.caution(&judge);
    let is_table = walk::is_form(run, call.registered);
    let several = call.registered.is_dir() || is_table || call.form.is_given();
    if several {
        return evening::evening(call, is_table, &judge, run);
    }
    let [path] = call.paths else {
        return Err(Refusal(
            "`--registered BEFORE` with one file is about one deck: `decklaw check AFTER --registered BEFORE`; for many decks BEFORE is a folder or a form"
                .to_owned(),
        ));
    };
    call.form.refuse_given()?;
    if path.is_dir() {
        return Err(Refusal(format!(
            "{}: this is a folder, so `--registered` must be one, too, or a form",
            path.display()
        )));
    }
    one(path, call, &judge, run)
}

/// Compares one deck with another.
fn one(path: &Path, call: &Call<'_>, judge: &Judge, run: &Run) -> Answer {
    let registered = call.registered;
    let outputs = Outputs::open(run)?;
    let mut decks = Vec::new();
    for path in [registered, path] {
        let bytes = inputs::deck_bytes(judge, run, path)?;
        match inputs::deck(judge, run, path, call.told, &bytes)? {
            Ok(resolved) => decks.push(resolved.into_list()),
            Err(message) => {
                run.complain("error", &message);
                return Ok(Outcome::No);
            }
        }
    }
    let [before, after] = decks.as_slice() else {
        return Ok(Outcome::No);
    };
    let (name, registered) = (path.display().to_string(), registered.display().to_string());
    let found = match compared(before, after) {
        Ok(found) => found,
        Err([from, to]) => {
            let message = format!("{registered} is a deck of {from}, and {name} of {to}");
            run.complain("error", &message);
            return Ok(Outcome::No);
        }
    };
    let answer = Registered {
        deck: &name,
        registered: &registered,
        hashes: [after.hash(), before.hash()],
        played: &found,
        judge,
    };
    outputs.emit(run, &answer, &judge.given_so_far())
}

/// How a deck that was played and the registered one compare. `Err`: they are decks of two formats.
fn compared(before: &Decklist, after: &Decklist) -> Result<Played, [String; 2]> {
    let formats = [before, after].map(|deck| deck.rulebook().format().id().to_owned());
    if formats[0] != formats[1] {
        return Err(formats);
    }
    // A setup that cannot be read lets nothing be swapped.
    let exchange = Setup::exchange_of(before.rulebook().format());
    Ok(played(before, after, exchange.ok().flatten().as_ref()))
}
