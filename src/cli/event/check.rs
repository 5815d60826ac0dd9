//! `event check`: is a deck at a table the one that counts?

use super::super::options::{Output, kinds};
use super::super::output::Outputs;
use super::super::{Answer, Outcome, Run, inputs};
use super::{Folder, organiser, player};
use crate::deck::Input;
use crate::event::{Decision, DeckCheck};
use decklaw_engine::report::registered::RegisteredReport;
use std::path::PathBuf;

/// Check that a deck is the registered one
#[derive(Debug, clap::Args)]
#[command(mut_arg("output", kinds::<RegisteredReport<'_>>), after_help = "Example:\n  decklaw event check autumn \"Kim Lee\" deck.txt")]
pub(in super::super) struct Check {
    #[command(flatten)]
    folder: Folder,
    /// The player, by id or name
    #[arg(value_name = "PLAYER")]
    player: String,
    /// The deck at the table, or - for standard input
    #[arg(value_name = "DECK")]
    deck: PathBuf,
    /// Do not record the check
    #[arg(long)]
    dry: bool,
    #[command(flatten)]
    output: Output,
}

impl Check {
    pub(super) fn run(&self, run: &Run) -> Answer {
        let mut event = self.folder.open(run)?;
        let outputs = Outputs::<RegisteredReport<'_>>::open(run, &self.output)?;
        let player = player(&event, &self.player)?;
        let bytes = inputs::deck_bytes(event.judge(), run, &self.deck)?;
        let checked = event.check(player, &bytes)?;
        if !self.dry {
            let decision = Decision::Check(player, checked.word().to_owned());
            event.decide(&organiser(None), decision, None)?;
        }
        let played = match &checked {
            DeckCheck::Compared(played) => played,
            DeckCheck::Unreadable(why) => {
                run.complain("error", why);
                return Ok(Outcome::No);
            }
        };
        let standing = event.standing()?;
        let entry = standing.player(player).counting.counts();
        let entry = entry.and_then(|entry| event.roster().entries.get(&entry));
        let before = match entry {
            Some(entry) => event.report(&standing, entry)?.0,
            None => return Ok(Outcome::No),
        };
        let format = before.format.as_deref();
        let after = event.judge().judge_as("", &bytes, Input::default(), format);
        let after = after.map_err(|error| inputs::refuse(&error))?;
        let name = self.deck.display().to_string();
        let registered = event.roster().name_and_id(player);
        let answer = RegisteredReport {
            deck: &name,
            registered: &registered,
            hashes: [after.hash, before.hash].map(Option::unwrap_or_default),
            played,
            judge: event.judge(),
        };
        outputs.emit(run, &answer, &[])
    }
}
