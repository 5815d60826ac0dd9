//! `match view`, `verify`, `show` and `sheet`: looking at a match.

use super::{Failure, Target, files};
use decklaw::matches::{Reader, SeatId, UnprovedPlay};
use std::path::PathBuf;

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
    /// The kind of output
    #[arg(short, long, value_name = "KIND", default_value = "human", value_parser = ["human", "json"])]
    output: String,
    #[command(flatten)]
    target: Target,
}

impl ViewOf {
    pub(super) fn run(&self) -> Result<(), Failure> {
        let reader = match self.seat.as_deref() {
            None | Some("public") => Reader::Public,
            Some(letter) => Reader::Seat(SeatId::parse(letter).ok_or_else(|| {
                Failure::call(format!("--seat {letter}: a seat is A, B, C, D or public"))
            })?),
        };
        let (made, _) = files::read_match(&self.file)?;
        let view = made.view(reader)?;
        let text = match self.output.as_str() {
            "json" => view.to_json(),
            _ => view.to_text(),
        };
        files::write(self.target.to.as_deref(), &text)
    }
}

/// Builds the match again and compares; a transcript of play is played again too.
#[derive(Debug, clap::Args)]
pub(crate) struct Verify {
    /// The match file, or a play file
    file: PathBuf,
}

impl Verify {
    pub(super) fn run(&self) -> Result<(), Failure> {
        let text = files::read(&self.file)?;
        let file = decklaw::text::harmless(&self.file.display().to_string(), false).into_owned();
        if UnprovedPlay::is_one(&text) {
            let (play, _) = files::prove_play(&text, &self.file)?;
            let moves = decklaw::text::counted(play.entries.len() as i64, "move");
            return files::print(&format!("{file}: verified, {moves} included\n"));
        }
        let (made, _) = files::prove_match(&text, &self.file)?;
        files::print(&format!("{file}: verified ({})\n", made.phase()))
    }
}

/// The whole match, for a judge to read.
#[derive(Debug, clap::Args)]
pub(crate) struct Show {
    /// The match file
    file: PathBuf,
}

impl Show {
    pub(super) fn run(&self) -> Result<(), Failure> {
        let (made, _) = files::read_match(&self.file)?;
        files::print(&made.sheet().to_text().replace('\u{c}', "\n"))
    }
}

/// A start position on paper.
#[derive(Debug, clap::Args)]
pub(crate) struct SheetOf {
    /// The match file
    file: PathBuf,
    /// Text, a form feed between pages, or an HTML document
    #[arg(short, long, value_name = "KIND", default_value = "html", value_parser = ["html", "text"])]
    output: String,
    #[command(flatten)]
    target: Target,
}

impl SheetOf {
    pub(super) fn run(&self) -> Result<(), Failure> {
        let (made, _) = files::read_match(&self.file)?;
        let sheet = made.sheet();
        let text = match self.output.as_str() {
            "text" => sheet.to_text(),
            _ => sheet.to_html(),
        };
        files::write(self.target.to.as_deref(), &text)
    }
}
