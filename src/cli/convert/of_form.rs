//! `convert --submissions`: a form's decks as files, named by their players.

use super::{Convert, Read, tell_of_those_beside};
use crate::cli::files::Readers;
use crate::cli::form::Submitted;
use crate::cli::jobs::{Batch, Jobs, Reading};
use crate::cli::{Answer, Outcome, Refusal, Run, inputs, output};
use crate::deck::Input;
use crate::name::fold;
use std::collections::BTreeMap;
use std::sync::Arc;

impl Convert {
    /// The decks of a form that count, each in a file that is named by its player, in the folder
    /// that `--to` names.
    pub(super) fn files(&self, form: &Submitted, run: &Run) -> Answer {
        if !self.heading.is_empty() {
            let message = "decks of a form know no `--heading`; leave it out";
            return Err(Refusal(message.to_owned()));
        }
        if !run.options.output.is_empty() {
            let message = "convert writes what `--to-format` says; leave `-o` out";
            return Err(Refusal(message.to_owned()));
        }
        let Some(folder) = &run.options.to else {
            return Err(Refusal(
                "a form has many decks, so name the folder for their files: `--to FOLDER`"
                    .to_owned(),
            ));
        };
        if folder.exists() && !folder.is_dir() {
            return Err(Refusal(format!(
                "{}: this is a file, and a form's decks go into a folder",
                folder.display()
            )));
        }
        let judge = inputs::judge(run)?;
        let reading = Reading {
            run: run.clone(),
            told: self.from.map(Input::from),
            table: form.table(),
        };
        let bar = run.progress(run.options.quiet, form.length());
        let (mut bytes, mut decks, mut refused, mut beside) = (Vec::new(), Vec::new(), 0, 0);
        for at in 0..form.batches() {
            Batch { jobs: form, at }.each(|job| {
                bar.add(1);
                let handed = reading.read(&judge, job, &mut bytes);
                let refuse = |error| inputs::refuse(&error);
                let (report, resolved) = handed.judged(&judge).map_err(refuse)?;
                let row = report.submission.as_ref();
                if !report.counts() {
                    beside += 1;
                    return Ok(());
                }
                let why = match resolved {
                    Some(resolved) => {
                        let read = Read {
                            rulebook: Arc::clone(resolved.of_format()),
                            deck: resolved.into_deck(),
                        };
                        let called = report.player.as_deref();
                        match self.written(run, &read, &report.deck, called)? {
                            Ok(text) => {
                                let row = row.map_or(0, |row| row.row);
                                decks.push((report.player.clone(), row, text));
                                return Ok(());
                            }
                            Err(message) => message,
                        }
                    }
                    None => {
                        let first = report.findings.first();
                        let why = first.map_or("no deck", |finding| finding.message.as_str());
                        format!("{}: no deck is written: {why}", report.row_and_player())
                    }
                };
                run.complain("error", &why);
                refused += 1;
                Ok(())
            })?;
        }
        drop(bar);
        std::fs::create_dir_all(folder)
            .map_err(|error| Refusal(format!("{}: {error}", folder.display())))?;
        output::tell_given(run, &judge.given_so_far());
        let names = file_names(&decks);
        for (name, (.., text)) in names.iter().zip(&decks) {
            let path = folder.join(format!("{name}.{}", self.to_format.ending()));
            run.write(&path, text, Readers::Anyone)?;
        }
        let number = i64::try_from(decks.len()).unwrap_or(i64::MAX);
        let written = crate::text::counted(number, "deck");
        run.complain(
            "note",
            &format!("{written} written to {}", folder.display()),
        );
        tell_of_those_beside(run, beside);
        Ok(match refused {
            0 => Outcome::Yes,
            _ => Outcome::No,
        })
    }
}

/// Names for files, all different whatever a folder thinks of case: each the player's in letters
/// and digits, with the row behind it where several would be one.
fn file_names(decks: &[(Option<String>, u64, Vec<u8>)]) -> Vec<String> {
    /// Letters of a name that a file has.
    const LONGEST: usize = 60;
    let plain = |player: &Option<String>| {
        let player = player.as_deref().unwrap_or_default();
        let parts = player.split(|next: char| !next.is_alphanumeric());
        let words: Vec<&str> = parts.filter(|part| !part.is_empty()).collect();
        let name: String = words.join("-").chars().take(LONGEST).collect();
        match name.is_empty() || is_device(&name) {
            true => format!("player-{name}").trim_end_matches('-').to_owned(),
            false => name,
        }
    };
    let names: Vec<String> = decks.iter().map(|(player, ..)| plain(player)).collect();
    let mut taken: BTreeMap<String, usize> = BTreeMap::new();
    for name in &names {
        *taken.entry(fold(name).into_owned()).or_default() += 1;
    }
    let alone = |name: &String| taken.get(&*fold(name)) == Some(&1);
    let each = names.iter().zip(decks);
    each.map(|(name, (_, row, _))| match alone(name) {
        true => name.clone(),
        // No player's name has a sign of its own before a number.
        false => format!("{name}.row{row}"),
    })
    .collect()
}

/// Whether a name is one that Windows keeps for its devices.
fn is_device(name: &str) -> bool {
    let lower = name.to_ascii_lowercase();
    let numbered = |word: &str| {
        let number = lower.strip_prefix(word);
        number.is_some_and(|number| number.len() == 1 && number.parse::<u8>().is_ok())
    };
    ["con", "prn", "aux", "nul"].contains(&lower.as_str()) || numbered("com") || numbered("lpt")
}
