//! `event check`: is a deck at a table the one that counts?

use super::super::options::{Output, kinds};
use super::super::output::Outputs;
use super::super::{Answer, Outcome, Run, inputs};
use super::{Folder, organiser, player};
use crate::event::{Decision, DeckCheck};
use decklaw_engine::report::registered::RegisteredReport;
use std::path::PathBuf;

/// Check that a deck is the registered one
#[derive(Debug, clap::Args)]
#[command(mut_arg("output", kinds::<RegisteredReport<'_>>), after_help = "Example:\n  decklaw event check autumn \"Ben Cole\" docs/evening/ben-cole.txt")]
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
        let mut event = self.folder.open()?;
        let outputs = Outputs::<RegisteredReport<'_>>::open(&self.output)?;
        let player = player(&event, &self.player)?;
        let deck = inputs::DeckBytes::open(run, &self.deck, None)?;
        let checked = event.check(player, (&deck.bytes, deck.input))?;
        if !self.dry {
            let decision = Decision::Check(player, checked.word().to_owned());
            event.decide(&organiser(None), decision, None)?;
        }
        let compared = match &checked {
            DeckCheck::Compared(compared) => compared,
            DeckCheck::Unreadable(why) => {
                run.complain("error", why);
                return Ok(Outcome::No);
            }
        };
        let registered = event.roster().name_and_id(player);
        let answer = RegisteredReport {
            deck: &deck.name,
            registered: &registered,
            hashes: &compared.hashes,
            played: &compared.played,
            notes: &compared.notes,
            label: &compared.label,
            judge: event.judge(),
        };
        outputs.emit(run, &answer)
    }
}
