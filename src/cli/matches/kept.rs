//! The file in which a game is kept while it is played. Two tables may write to one file: a
//! move is kept only where nothing happened meanwhile, and what happened is told.

use super::{Failure, Run, files};
use crate::cli::files::{Draft, Readers, claim};
use crate::digest::sha256;
use crate::matches::{Entry, Play, Reader, SeatId};
use crate::text::{counted, harmless};
use std::path::{Path, PathBuf};

/// The file of a game, and what it held when this table last looked.
pub(super) struct Kept<'a> {
    path: PathBuf,
    /// The digest of its bytes; `None` where there was no file, or one that may be replaced.
    seen: Option<String>,
    replace: bool,
    run: &'a Run,
}

/// What became of a move.
pub(super) enum Written {
    /// It is kept.
    Kept,
    /// Others made moves meanwhile: the game as it is kept, with their moves at the end.
    /// The move was not kept.
    Meanwhile(Box<Play>),
}

impl<'a> Kept<'a> {
    /// A file from which the game was read: these bytes.
    pub(super) fn read(path: &Path, bytes: &[u8], run: &'a Run) -> Kept<'a> {
        Kept {
            path: path.to_owned(),
            seen: Some(sha256(bytes)),
            replace: false,
            run,
        }
    }

    /// A file that is not there yet, or one to be replaced.
    pub(super) fn new(path: &Path, replace: bool, run: &'a Run) -> Kept<'a> {
        Kept {
            path: path.to_owned(),
            seen: None,
            replace,
            run,
        }
    }

    /// The file, for people to read.
    pub(super) fn shown(&self) -> String {
        harmless(&self.path.display().to_string(), false).into_owned()
    }

    /// Keeps a game whose last moves, from the number `before` on, are new.
    ///
    /// # Errors
    /// A file that cannot be written, or that holds something else by now.
    pub(super) fn write(&mut self, play: &Play, before: usize) -> Result<Written, Failure> {
        let text = play.to_json();
        loop {
            let _claim = claim(&self.path);
            let there = std::fs::metadata(&self.path);
            let there = there.is_ok_and(|found| found.is_file());
            if !there {
                // Who is first there is not written over: a second one looks again.
                let draft = Draft::fresh(self.run, &self.path, Readers::Owner, false);
                match draft.and_then(|draft| draft.whole(text.as_bytes())) {
                    Err(_) if self.path.is_file() => continue,
                    done => done?,
                }
                break;
            }
            let found = files::bytes_of(&self.path)?;
            let changed = !found.is_empty() && self.seen != Some(sha256(&found));
            if changed && !self.replace {
                let ours = &play.entries[..before.min(play.entries.len())];
                let newer = self.gone_on(&found, ours)?;
                self.seen = Some(sha256(&found));
                return Ok(Written::Meanwhile(Box::new(newer)));
            }
            Draft::in_place(self.run, &self.path, Readers::Owner)?.whole(text.as_bytes())?;
            break;
        }
        self.replace = false;
        self.seen = Some(sha256(text.as_bytes()));
        Ok(Written::Kept)
    }

    /// The game that the file holds by now: the one that is played here, further on.
    fn gone_on(&self, bytes: &[u8], ours: &[Entry]) -> Result<Play, Failure> {
        let shown = self.shown();
        let other = || {
            Failure::refused(format!(
                "{shown} was changed meanwhile and does not hold this game any more; \
                 your last move was not kept"
            ))
        };
        let (play, _, _) = files::prove_play(bytes, &self.path, self.run).map_err(|_| other())?;
        match play.entries.starts_with(ours) {
            true => Ok(play),
            false => Err(other()),
        }
    }
}

/// What happened at another table meanwhile, in words for who sits at this one.
pub(super) fn moves_meanwhile(newer: &Play, before: usize, by: SeatId) -> Result<String, Failure> {
    let lines = newer.log(Reader::Seat(by), before)?;
    let mut text = format!(
        "Meanwhile {} came from another table; your move was left out:\n",
        counted(lines.len() as i64, "move")
    );
    for line in lines {
        text.push_str(&format!("  {}\n", harmless(&line, false)));
    }
    Ok(text)
}
