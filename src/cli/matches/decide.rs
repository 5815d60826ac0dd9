//! `match decide`: a match goes on.

use super::files::MatchFile;
use super::{CliError, Output, Rules, Run, files, kinds, warn};
use crate::matches::{Action, Entry, Match, Randomness, SealedChoice, SeatId, Setup};
use crate::text::{escape_control, listed};
use std::path::PathBuf;

/// Record pending decisions and moves: all of them or none
#[derive(Debug, clap::Args)]
#[command(mut_arg("output", kinds::<MatchFile>), after_help = "Example:\n  decklaw match decide match.json '{\"step\":\"first-player\",\"by\":\"random\"}' --to match.json")]
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
    pub(super) fn run(&self, run: &Run) -> Result<(), CliError> {
        let entries: Result<Vec<_>, _> =
            self.entries.iter().map(|text| Entry::read(text)).collect();
        let mut entries = entries?;
        // Two who decide at once do so one after the other: neither decision is lost.
        let _claim = files::claim(&self.file);
        let outputs = files::outputs::<MatchFile>(&self.output, Some(&self.file))?;
        let (before, format) = files::read_match(&self.file, run, &self.rules.clone().into())?;
        let mut opens = None;
        if let [seat, choice] = self.seal.as_slice() {
            let sealed = sealed(&before, &format.rules.setup, seat, choice)?;
            entries.insert(0, Entry::Decision(sealed.commits));
            opens = Some(crate::digest::whole(serde_json::to_string(&sealed.opens)));
        }
        let format = format.judging(&before.inputs.settings, run)?;
        let after = before.go_on(&format.game(), entries, Some(&format.swaps()))?;
        after.remarks.iter().for_each(|remark| warn(run, remark));
        let kept = files::kept_in(&outputs);
        if let Some(opens) = opens {
            let advice = format!("keep to yourself until all have sealed theirs: {opens}");
            match kept {
                Some(_) => files::print(&format!("{advice}\n"))?,
                None => run.complain("note", &advice),
            }
        }
        files::finish(run, outputs, |_| after.to_json())?;
        kept.map_or(Ok(()), |file| files::print_awaited(&after, &file))
    }
}

/// The two decisions of a secret choice that is awaited.
fn sealed(
    before: &Match,
    setup: &Setup,
    seat: &str,
    choice: &str,
) -> Result<SealedChoice, CliError> {
    let Some(seat) = SeatId::parse(seat) else {
        return Err(CliError::call(format!("--seal {seat}: a seat is A, B, C or D")));
    };
    let prompts = before.prompts(setup)?;
    let own = prompts.iter().filter(|prompt| prompt.seat == Some(seat));
    let options = own.flat_map(|prompt| &prompt.options);
    let choices = options.filter_map(|option| match &option.action {
        Action::Seal(choice) => Some(choice.as_str()),
        Action::Decision(_) => None,
    });
    let choices: Vec<&str> = choices.collect();
    if choices.is_empty() {
        return Err(CliError::refused(format!("no secret choice is awaited of seat {seat}")));
    }
    if !choices.contains(&choice) {
        let choice = escape_control(choice, false);
        let choices = listed(&choices, "and");
        return Err(CliError::call(format!("`{choice}` is none of {choices}")));
    }
    let nonce = Randomness::from_system()?.seed()?;
    Ok(SealedChoice::of(seat, nonce.bytes(), choice))
}
