//! `match decide` and `match next`: a match goes on.

use super::files::MatchFile;
use super::games::PlayedFormat;
use super::{Chance, Configured, Failure, Output, Rules, Run, files, kinds, warn};
use crate::matches::{Entry, GameResult, Match, Randomness, Sealed, SeatId, read_entry};
use std::path::PathBuf;

/// Record pending decisions and moves: all of them or none
#[derive(Debug, clap::Args)]
#[command(mut_arg("output", kinds::<MatchFile>))]
pub(crate) struct Decide {
    /// The match file
    file: PathBuf,
    /// Decisions and moves as match files record them
    #[arg(value_name = "JSON", required_unless_present = "seal")]
    entries: Vec<String>,
    /// Commit to a secret choice of a seat and print what opens it
    #[arg(long, value_names = ["SEAT", "CHOICE"], num_args = 2)]
    seal: Vec<String>,
    #[command(flatten)]
    rules: Rules,
    #[command(flatten)]
    output: Output,
}

impl Decide {
    pub(super) fn run(&self, run: &Run) -> Result<(), Failure> {
        let entries: Result<Vec<_>, _> = self.entries.iter().map(|text| read_entry(text)).collect();
        let mut entries = entries?;
        // Two who decide at once do so one after the other: neither decision is lost.
        let _claim = files::claim(&self.file);
        let outputs = files::outputs::<MatchFile>(run, &self.output, Some(&self.file))?;
        let (before, format) = files::read_match(&self.file, run, &self.rules.clone().into())?;
        let mut opens = None;
        if let [seat, choice] = self.seal.as_slice() {
            let sealed = sealed(&before, &format, seat, choice)?;
            entries.insert(0, Entry::Decision(sealed.commits));
            opens = Some(sealed.opens);
        }
        let format = format.judging(&before.inputs.settings, run)?;
        let after = before.go_on(&format.game(), &entries, Some(&format))?;
        after.remarks.iter().for_each(|remark| warn(run, remark));
        let kept = files::kept_in(&outputs);
        if let Some(opens) = opens {
            let told = format!("keep to yourself until all have sealed theirs: {opens}");
            match kept {
                Some(_) => files::print(&format!("{told}\n"))?,
                None => run.complain("note", &told),
            }
        }
        files::finish(run, outputs, |_| after.to_json())?;
        kept.map_or(Ok(()), |file| files::tell_awaited(&after, &file))
    }
}

/// The two decisions of a secret choice that is awaited.
fn sealed(
    before: &Match,
    format: &PlayedFormat,
    seat: &str,
    choice: &str,
) -> Result<Sealed, Failure> {
    let Some(seat) = SeatId::parse(seat) else {
        return Err(Failure::call(format!(
            "--seal {seat}: a seat is A, B, C or D"
        )));
    };
    let asked = before.questions(&format.rules.setup)?;
    let mut asked = asked.into_iter().flatten();
    let asked = asked.find(|it| {
        it.seat == Some(seat) && it.answers.iter().any(|answer| answer.sealed.is_some())
    });
    let Some(asked) = asked else {
        return Err(Failure::refused(format!(
            "no secret choice is awaited of seat {seat}"
        )));
    };
    let among = asked.answers.iter().filter_map(|it| it.sealed.as_deref());
    let among: Vec<&str> = among.collect();
    if !among.contains(&choice) {
        let choice = crate::text::harmless(choice, false);
        let among = crate::text::listed(&among, "and");
        return Err(Failure::call(format!("`{choice}` is none of {among}")));
    }
    let nonce = Randomness::from_system()?.seed()?;
    Ok(Sealed::of(seat, nonce.bytes(), choice))
}

/// Start the next game of a match
// It has the same players and decks, and its number is one higher.
#[derive(Debug, clap::Args)]
#[command(mut_arg("output", kinds::<MatchFile>))]
pub(crate) struct Next {
    /// The match file of the last game
    file: PathBuf,
    /// Who won the last game
    #[arg(long, value_name = "SEAT|draw", value_parser = ended)]
    won: GameResult,
    #[command(flatten)]
    chance: Chance,
    #[command(flatten)]
    configured: Configured,
    #[command(flatten)]
    output: Output,
}

fn ended(text: &str) -> Result<GameResult, String> {
    GameResult::parse(text).ok_or_else(|| "it is A, B, C, D or draw".to_owned())
}

impl Next {
    pub(super) fn run(&self, run: &Run) -> Result<(), Failure> {
        let _claim = files::claim(&self.file);
        let outputs = files::outputs::<MatchFile>(run, &self.output, Some(&self.file))?;
        let kept = files::kept_in(&outputs);
        let (before, format) = files::read_match(&self.file, run, &self.configured.clone().into())?;
        let next = before.next_game(&format.game(), self.won, self.chance.randomness()?)?;
        self.chance.warn(run);
        files::finish(run, outputs, |_| next.to_json())?;
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
