//! `decklaw room`: how many more copies of each card fit, and what limits them.

use super::inputs::InputKind;
use super::options::{Judging, Output, kinds};
use super::output::Outputs;
use super::question::{Effort, NO, Subject};
use super::{Answer, Run};
use crate::RoomAnswer;
use std::path::PathBuf;

#[derive(Debug, clap::Args)]
#[command(mut_arg("output", kinds::<RoomAnswer>), after_help = "Example:\n  decklaw room my-deck.txt")]
pub(super) struct Room {
    /// The deck, or - for standard input
    #[arg(value_name = "DECK")]
    deck: PathBuf,
    /// The kind of the file [default: by its ending]
    #[arg(long, value_name = "KIND")]
    from: Option<InputKind>,
    #[command(flatten)]
    effort: Effort,
    #[command(flatten)]
    judging: Judging,
    #[command(flatten)]
    output: Output,
}

impl Room {
    pub(super) fn run(&self, run: &Run) -> Answer {
        let subject = Subject::read(run, &self.judging, &self.deck, self.from)?;
        let outputs = Outputs::open(run, &self.output)?;
        let answer = subject.ask(crate::Room {
            deck: subject.deck(),
            from: subject.from.clone(),
            effort: Some(self.effort.effort),
            ..crate::Room::default()
        })?;
        let Some(mut answer) = answer else {
            return Ok(NO);
        };
        answer.deck.clone_from(&subject.name);
        outputs.emit(run, &answer, &subject.given(None)?)
    }
}
