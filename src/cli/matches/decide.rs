//! `match decide`, `match seal` and `match next`: a match goes on.

use super::files::MatchFile;
use super::{Chance, Failure, Run, files, warn};
use crate::cli::output::Text;
use crate::matches::{GameResult, Randomness, Sealed, SeatId, read_decision};
use std::path::PathBuf;

/// Record decisions that are pending: all of them, or none
#[derive(Debug, clap::Args)]
pub(crate) struct Decide {
    /// The match file
    file: PathBuf,
    /// Decisions as match files record them
    #[arg(value_name = "JSON", required = true)]
    decisions: Vec<String>,
}

impl Decide {
    pub(super) fn run(&self, run: &Run) -> Result<(), Failure> {
        let decisions: Result<Vec<_>, _> = self
            .decisions
            .iter()
            .map(|text| read_decision(text))
            .collect();
        let decisions = decisions?;
        // Two who decide at once do so one after the other: neither decision is lost.
        let _claim = files::claim(&self.file);
        let outputs = files::outputs_in_place::<MatchFile>(run, &self.file)?;
        let (before, format) = files::read_match(&self.file, run)?;
        let format = format.judging(&before.inputs.settings, run)?;
        let after = before.decide(&format.game(), &decisions, Some(&format))?;
        after.remarks.iter().for_each(|remark| warn(run, remark));
        let kept = files::kept_in(&outputs);
        files::finish(outputs, |_| after.to_json())?;
        kept.map_or(Ok(()), |file| files::tell_awaited(&after, &file))
    }
}

/// Seal a secret choice: the decision that commits to it, and the one that opens it
// The seal is given to the table now. Only who chooses should see the second decision until all are sealed.
#[derive(Debug, clap::Args)]
pub(crate) struct Seal {
    /// The match file
    file: PathBuf,
    /// Who chooses: the seat, A to D
    #[arg(long, value_name = "SEAT", value_parser = seat)]
    seat: SeatId,
    /// What is chosen
    choice: String,
}

fn seat(text: &str) -> Result<SeatId, String> {
    SeatId::parse(text).ok_or_else(|| "it is A, B, C or D".to_owned())
}

impl Seal {
    pub(super) fn run(&self, run: &Run) -> Result<(), Failure> {
        let outputs = files::outputs::<Text>(run)?;
        let (before, format) = files::read_match(&self.file, run)?;
        let Seal { seat, choice, .. } = self;
        let mut asked = before.questions(&format.rules.setup)?.into_iter().flatten();
        let asked = asked.find(|it| {
            it.seat == Some(*seat) && it.answers.iter().any(|answer| answer.sealed.is_some())
        });
        let Some(asked) = asked else {
            return Err(Failure::refused(format!(
                "no secret choice is awaited of seat {seat}"
            )));
        };
        let among = asked.answers.iter().filter_map(|it| it.sealed.as_ref());
        let among: Vec<&String> = among.collect();
        if !among.contains(&choice) {
            let choice = crate::text::harmless(choice, false);
            let among = crate::text::listed(&among, "and");
            return Err(Failure::call(format!("`{choice}` is none of {among}")));
        }
        let nonce = Randomness::from_system()?.seed()?;
        let Sealed {
            commits: now,
            opens: later,
        } = Sealed::of(*seat, nonce.bytes(), choice);
        files::finish(outputs, |_| {
            format!(
                "For the table, now:\n{now}\n\n\
                 Keep to yourself until it is time to reveal:\n{later}\n"
            )
        })
    }
}

/// The next game of the same match
// It has the same players and decks, and its number is one higher.
#[derive(Debug, clap::Args)]
pub(crate) struct Next {
    /// The match file of the game that was played
    file: PathBuf,
    /// Who won that game: the seat, A to D, or draw
    #[arg(long, value_name = "SEAT|draw", value_parser = ended)]
    won: GameResult,
    #[command(flatten)]
    chance: Chance,
}

fn ended(text: &str) -> Result<GameResult, String> {
    GameResult::parse(text).ok_or_else(|| "it is A, B, C, D or draw".to_owned())
}

impl Next {
    pub(super) fn run(&self, run: &Run) -> Result<(), Failure> {
        let _claim = files::claim(&self.file);
        let outputs = files::outputs_in_place::<MatchFile>(run, &self.file)?;
        let kept = files::kept_in(&outputs);
        let (before, format) = files::read_match(&self.file, run)?;
        let next = before.next_game(&format.game(), self.won, self.chance.randomness()?)?;
        self.chance.warn(run);
        files::finish(outputs, |_| next.to_json())?;
        // Where the match goes to standard output, nothing else does.
        let Some(file) = kept else {
            return Ok(());
        };
        if let Some(score) = next.score() {
            files::print(&format!("{score}\n"))?;
        }
        files::tell_awaited(&next, &file)
    }
}
