//! `check AFTER --registered BEFORE`: is it the deck that was handed in?

use crate::cli::files::Readers;
use crate::cli::inputs::{self, InputKind};
use crate::cli::{Answer, Options, Outcome, Refusal, output, terminal};
use crate::report::registered::Registered;
use crate::solve::{Played, played};
use std::path::{Path, PathBuf};

pub(super) fn run(
    paths: &[PathBuf],
    registered: &Path,
    told: Option<InputKind>,
    options: &Options,
) -> Answer {
    let [path] = paths else {
        return Err(Refusal(
            "`--registered BEFORE` is about one deck: `decklaw check AFTER --registered BEFORE`"
                .to_owned(),
        ));
    };
    let outputs = output::asked(
        options,
        &[("human", false), ("json", true)],
        Readers::Anyone,
    )?;
    let judge = inputs::judge(options)?;
    let mut decks = Vec::new();
    for path in [registered, path] {
        let bytes = inputs::deck_bytes(path)?;
        match inputs::deck(&judge, options, path, told, &bytes)? {
            Ok(resolved) => decks.push(resolved.into_list()),
            Err(message) => {
                terminal::complain("error", &message);
                return Ok(Outcome::No);
            }
        }
    }
    let [before, after] = decks.as_slice() else {
        return Ok(Outcome::No);
    };
    let formats = [before, after].map(|deck| deck.rulebook().format().id().to_owned());
    if formats[0] != formats[1] {
        let message = format!(
            "{} is a deck of {}, and {} of {}",
            registered.display(),
            formats[0],
            path.display(),
            formats[1]
        );
        terminal::complain("error", &message);
        return Ok(Outcome::No);
    }
    let played = played(before, after);
    let answer = Registered {
        deck: &path.display().to_string(),
        registered: &registered.display().to_string(),
        hashes: [after.hash(), before.hash()],
        played: &played,
    };
    for mut output in outputs {
        let text = if output.kind {
            answer.to_json(&judge)?
        } else {
            answer.to_human() + &output::foot(&judge.given_so_far())
        };
        output.write(text.as_bytes())?;
        output.finish()?;
    }
    Ok(match played {
        Played::Same | Played::Swapped(_) => Outcome::Yes,
        Played::BadSwap(..) | Played::Other(_) => Outcome::No,
    })
}
