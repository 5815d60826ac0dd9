//! `check AFTER --registered BEFORE`: is it the deck that was handed in?

use crate::cli::files::Readers;
use crate::cli::inputs::{self, InputKind};
use crate::cli::{Answer, Options, Outcome, Refusal, output, terminal};
use crate::report::json;
use crate::solve::{Difference, Played, played};
use crate::text::harmless;
use std::fmt::Write;
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
    let nothing = Vec::new();
    let (word, differences, wrong) = match &played {
        Played::Same => ("same", &nothing, Vec::new()),
        Played::Swapped(differences) => ("swapped", differences, Vec::new()),
        Played::BadSwap(differences, wrong) => ("illegal-swap", differences, wrong.clone()),
        Played::Other(differences) => ("other", differences, Vec::new()),
    };
    for mut output in outputs {
        let text = if output.kind {
            crate::cli::json_text(&serde_json::json!({
                "schema": "decklaw/registered/1",
                "deck": path.display().to_string(),
                "registered": registered.display().to_string(),
                "answer": word,
                "changes": differences,
                "errors": wrong,
                "hash": after.hash(),
                "registered_hash": before.hash(),
                "as_of": judge.day().to_string(),
                "rules": json::rules(&judge)?,
                "inputs": judge.given_so_far(),
            }))?
        } else {
            shown(path, registered, &played, differences, &wrong)
                + &output::foot(&judge.given_so_far())
        };
        output.write(text.as_bytes())?;
        output.finish()?;
    }
    Ok(match played {
        Played::Same | Played::Swapped(_) => Outcome::Yes,
        Played::BadSwap(..) | Played::Other(_) => Outcome::No,
    })
}

fn shown(
    path: &Path,
    registered: &Path,
    played: &Played,
    differences: &[Difference],
    wrong: &[String],
) -> String {
    let (path, registered) = (path.display(), registered.display());
    let mut out = match played {
        Played::Same => format!("{path}: the same deck as {registered}\n"),
        Played::Swapped(_) => format!("{path}: {registered} after a legal side-swap\n"),
        Played::BadSwap(..) => {
            format!("{path}: {registered} after a swap that leaves no legal deck\n")
        }
        Played::Other(_) => format!("{path}: not the deck of {registered}\n"),
    };
    let mut section = "";
    for difference in differences {
        if difference.section != section {
            section = &difference.section;
            let _ = writeln!(out, "\n{section}");
        }
        let (from, to) = (difference.from, difference.to);
        let sign = if to > from { '+' } else { '-' };
        let _ = writeln!(
            out,
            "  {sign} {} {} ({from} registered, {to} played)",
            (to - from).abs(),
            difference.card
        );
    }
    if !wrong.is_empty() {
        out.push('\n');
    }
    for wrong in wrong {
        let _ = writeln!(out, "error: {wrong}");
    }
    harmless(&out, true).into_owned()
}
