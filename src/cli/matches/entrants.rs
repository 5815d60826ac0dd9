//! Whose deck is which: the files of a folder, matched with the players of a round.

use super::games::PlayedFormat;
use super::{Failure, Run, files};
use crate::deck::{self, Input};
use crate::matches::Registered;
use crate::name::fold;
use crate::text::{harmless, listed};
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// A file of the folder, and whom it could be of; both names are folded.
struct Found {
    path: PathBuf,
    /// The `Player` header.
    header: Option<String>,
    /// The file's name without its ending.
    stem: String,
}

impl Found {
    /// What a file says of its player. One that cannot be read as a deck says nothing, and
    /// goes by its name: what is wrong with it is told when it is judged.
    fn of(run: &Run, path: PathBuf) -> Found {
        let header = files::read_met(run, &path).ok().and_then(|bytes| {
            let opened = deck::open_file(&bytes, Input::of_path(&path)).ok()?;
            let deck = deck::read(&opened.source, opened.input, &mut |_| None).ok()?;
            let player = deck.player?;
            Some(fold(&player.value).into_owned())
        });
        let stem = path.file_stem().map(|stem| stem.to_string_lossy());
        let stem = fold(&stem.unwrap_or_default()).into_owned();
        Found { path, header, stem }
    }

    fn shown(&self) -> String {
        harmless(&self.path.display().to_string(), false).into_owned()
    }
}

/// The decks of these players, by folded name: of each the file with their name as `Player`,
/// or the one that is called after them. No other deck of the folder is judged.
///
/// # Errors
/// A player with two such files, or none; a deck that is not legal.
pub(super) fn decks(
    run: &Run,
    format: &PlayedFormat,
    folder: &Path,
    players: &[&str],
    allow_illegal: bool,
) -> Result<BTreeMap<String, Registered>, Failure> {
    let cannot = |error: std::io::Error| {
        Failure::call(format!("{}: cannot be read: {error}", folder.display()))
    };
    let mut paths = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(cannot)? {
        let path = entry.map_err(cannot)?.path();
        let ending = path.extension().and_then(|ending| ending.to_str());
        if matches!(ending, Some("txt" | "yaml" | "yml" | "json")) && path.is_file() {
            paths.push(path);
        }
    }
    paths.sort();
    run.threads();
    let found: Vec<Found> = paths
        .into_par_iter()
        .map(|path| Found::of(run, path))
        .collect();
    let mut by_header: BTreeMap<&str, Vec<&Found>> = BTreeMap::new();
    let mut by_stem: BTreeMap<&str, Vec<&Found>> = BTreeMap::new();
    for file in &found {
        by_stem.entry(&file.stem).or_default().push(file);
        if let Some(header) = &file.header {
            by_header.entry(header).or_default().push(file);
        }
    }
    let paired: Vec<String> = players.iter().map(|name| fold(name).into_owned()).collect();
    let theirs = |(player, folded): (&&str, &String)| -> Result<&Found, Failure> {
        let named = by_header.get(folded.as_str()).into_iter().flatten();
        let called = by_stem.get(folded.as_str()).into_iter().flatten();
        // A file called after one player that names another one is a last resort.
        let (plain, of_others): (Vec<&Found>, Vec<&Found>) = called
            .copied()
            .filter(|file| file.header.as_ref() != Some(folded))
            .partition(|file| file.header.is_none());
        let mut candidates: Vec<&Found> = named.copied().chain(plain).collect();
        if candidates.is_empty() {
            let free = |file: &&Found| file.header.as_ref().is_none_or(|it| !paired.contains(it));
            candidates = of_others.into_iter().filter(free).collect();
        }
        let player = harmless(player, false);
        match candidates.as_slice() {
            [one] => Ok(one),
            [] => Err(Failure::call(format!(
                "no deck of {player} is in the folder {}: a deck says `Player: {player}`, \
                 or its file is called {player}.txt",
                harmless(&folder.display().to_string(), false)
            ))),
            several => {
                let several: Vec<String> = several.iter().map(|file| file.shown()).collect();
                Err(Failure::call(format!(
                    "{player} has several decks in the folder: {}; keep one of them there",
                    listed(&several, "and")
                )))
            }
        }
    };
    let chosen: Result<Vec<&Found>, Failure> = players.iter().zip(&paired).map(theirs).collect();
    let judged = chosen?.into_par_iter().zip(&paired).map(|(file, player)| {
        let bytes = files::read_met(run, &file.path)?;
        let (_, deck) = format.registered(&file.path, &bytes, allow_illegal)?;
        Ok((player.clone(), deck))
    });
    // The first refusal in the order of the pairings is told, whichever came first.
    let judged: Vec<Result<(String, Registered), Failure>> = judged.collect();
    judged.into_iter().collect()
}
