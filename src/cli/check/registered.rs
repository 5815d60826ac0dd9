//! `check AFTER --registered BEFORE`: is it the deck that was handed in? `event check` asks it of
//! an event.

use crate::cli::inputs::{self, InputKind};
use crate::cli::output::Outputs;
use crate::cli::{Answer, Outcome, Refusal, Run};
use crate::judge::Judge;
use crate::matches::Setup;
use crate::resolve::Decklist;
use crate::solve::{Played, played};
use decklaw_engine::report::registered::Registered;
use std::path::{Path, PathBuf};

pub(super) fn run(
    paths: &[PathBuf],
    registered: &Path,
    told: Option<InputKind>,
    run: &Run,
) -> Answer {
    let [path] = paths else {
        return Err(Refusal(
            "`--registered BEFORE` is about one deck: `decklaw check AFTER --registered BEFORE`; `decklaw event check` holds decks against those of an event"
                .to_owned(),
        ));
    };
    if let Some(folder) = [path, registered].iter().find(|path| path.is_dir()) {
        return Err(Refusal(format!(
            "{}: this is a folder, and `--registered` is about one deck",
            folder.display()
        )));
    }
    let judge = inputs::judge_quietly(run)?;
    run.caution(&judge);
    one(path, registered, told, &judge, run)
}

/// Compares one deck with another.
fn one(
    path: &Path,
    registered: &Path,
    told: Option<InputKind>,
    judge: &Judge,
    run: &Run,
) -> Answer {
    let outputs = Outputs::open(run)?;
    let mut decks = Vec::new();
    for path in [registered, path] {
        let bytes = inputs::deck_bytes(judge, run, path)?;
        match inputs::deck(judge, run, path, told, &bytes)? {
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
