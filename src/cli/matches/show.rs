//! `match view`, `verify`, `show` and `sheet`: looking at a match.

use super::{Failure, Options, files, terminal};
use crate::matches::{Reader, SeatId, UnprovedPlay};
use crate::text::counted;
use rayon::prelude::*;
use std::path::{Path, PathBuf};

/// What one seat, or the public, may see.
#[derive(Debug, clap::Args)]
pub(crate) struct ViewOf {
    /// The match file
    file: PathBuf,
    /// The seat that looks: A, B, C, D, or public
    #[arg(long, value_name = "SEAT", required_unless_present = "public")]
    seat: Option<String>,
    /// The same as --seat public
    #[arg(long, conflicts_with = "seat")]
    public: bool,
}

impl ViewOf {
    pub(super) fn run(&self, options: &Options) -> Result<(), Failure> {
        let reader = match self.seat.as_deref() {
            None | Some("public") => Reader::Public,
            Some(letter) => Reader::Seat(SeatId::parse(letter).ok_or_else(|| {
                Failure::call(format!("--seat {letter}: a seat is A, B, C, D or public"))
            })?),
        };
        let (made, _) = files::read_match(&self.file, options)?;
        let view = made.view(reader)?;
        let (kind, to) = files::output(options, &["human", "json"])?;
        let text = match kind {
            "json" => view.to_json(),
            _ => view.to_text(),
        };
        files::write(to, &text)
    }
}

/// Builds matches again and compares; a transcript of play is played again too.
#[derive(Debug, clap::Args)]
pub(crate) struct Verify {
    /// The match files, or play files
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
}

impl Verify {
    pub(super) fn run(&self, options: &Options) -> Result<(), Failure> {
        let verified: Vec<Result<String, Failure>> = self
            .files
            .par_iter()
            .map(|path| verified(path, options))
            .collect();
        let mut wrong = 0;
        for told in verified {
            match (told, self.files.len()) {
                (Ok(told), _) => files::print(&told)?,
                (Err(failure), 1) => return Err(failure),
                (Err(Failure::Call(told) | Failure::Refused(told)), _) => {
                    terminal::complain("refused", &told);
                    wrong += 1;
                }
            }
        }
        match wrong {
            0 => Ok(()),
            _ => {
                let all = counted(self.files.len() as i64, "file");
                Err(Failure::refused(format!("{wrong} of {all} did not verify")))
            }
        }
    }
}

fn verified(path: &Path, options: &Options) -> Result<String, Failure> {
    let text = files::read(path)?;
    let file = crate::text::harmless(&path.display().to_string(), false).into_owned();
    if UnprovedPlay::is_one(&text) {
        let (play, _) = files::prove_play(&text, path, options)?;
        let moves = counted(play.entries.len() as i64, "move");
        return Ok(format!("{file}: verified, {moves} included\n"));
    }
    let (made, _) = files::prove_match(&text, path, options)?;
    Ok(format!("{file}: verified ({})\n", made.phase()))
}

/// The whole match, for a judge to read.
#[derive(Debug, clap::Args)]
pub(crate) struct Show {
    /// The match file
    file: PathBuf,
}

impl Show {
    pub(super) fn run(&self, options: &Options) -> Result<(), Failure> {
        let (made, _) = files::read_match(&self.file, options)?;
        files::print(&made.sheet().to_text().replace('\u{c}', "\n"))
    }
}

/// A start position on paper: HTML, or with `-o text` text, a form feed between pages.
#[derive(Debug, clap::Args)]
pub(crate) struct SheetOf {
    /// The match file
    file: PathBuf,
}

impl SheetOf {
    pub(super) fn run(&self, options: &Options) -> Result<(), Failure> {
        let (made, _) = files::read_match(&self.file, options)?;
        let sheet = made.sheet();
        let (kind, to) = files::output(options, &["html", "text"])?;
        let text = match kind {
            "text" => sheet.to_text(),
            _ => sheet.to_html(),
        };
        files::write(to, &text)
    }
}
