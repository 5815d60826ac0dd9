//! `match view`: what one seat or the public may see.

use super::{CliError, ConfigurationOptions, Output, Run, files, kinds};
use crate::matches::{MOST_MOVES, Reader, SeatId};
use crate::render::Kind;
use std::path::PathBuf;

/// Show what one seat or the public may see
#[derive(Debug, clap::Args)]
#[command(mut_arg("output", kinds::<files::View>), after_help = "Example:\n  decklaw match view match.json --seat A")]
pub(crate) struct ViewOf {
    /// The match file
    file: PathBuf,
    /// A, B, C, D or public
    #[arg(long, value_name = "SEAT")]
    seat: String,
    /// The match as it was after N moves [default: after all]
    #[arg(long, value_name = "N", allow_negative_numbers = true,
        value_parser = clap::value_parser!(u16).range(..=MOST_MOVES as i64))]
    at: Option<u16>,
    #[command(flatten)]
    configured: ConfigurationOptions,
    #[command(flatten)]
    output: Output,
}

impl ViewOf {
    pub(super) fn run(&self, run: &Run) -> Result<(), CliError> {
        let reader = reader(&self.seat)?;
        let outputs = files::outputs::<files::View>(&self.output, None)?;
        let (made, format) = files::read_match(&self.file, run, &self.configured.clone().into())?;
        let made = match self.at {
            Some(moves) => made.at(&format.rules.setup, usize::from(moves))?,
            None => made,
        };
        let view = made.view(reader)?;
        let swaps = match reader {
            Reader::Seat(seat) => made.text_for(&format.rules.setup, seat)?,
            Reader::Public | Reader::Open => String::new(),
        };
        files::finish(run, outputs, |kind| match kind {
            Kind::Json => view.to_json(),
            _ => view.to_text() + &swaps,
        })
    }
}

/// Who looks: a seat, or the public.
fn reader(seat: &str) -> Result<Reader, CliError> {
    if seat == "public" {
        return Ok(Reader::Public);
    }
    let refuse = || CliError::call(format!("--seat {seat}: a seat is A, B, C, D or public"));
    SeatId::parse(seat).map(Reader::Seat).ok_or_else(refuse)
}
