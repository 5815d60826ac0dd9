//! `decklaw room`: how many more copies of each card fit, and what limits them.

use super::inputs::InputKind;
use super::options::{Judging, Output, kinds};
use super::question::Subject;
use super::{Answer, Outcome, Run, output};
use decklaw_ask::{Room, RoomAnswer};
use std::path::PathBuf;

// How many more copies of each card fit.
#[derive(Debug, clap::Args)]
#[command(mut_arg("output", kinds::<RoomAnswer>), after_help = "Example:\n  decklaw room decks/shell/ebb.txt")]
pub(super) struct RoomOf {
    /// The deck, or - for standard input
    #[arg(value_name = "DECK")]
    deck: PathBuf,
    /// The kind of the file [default: by its ending]
    #[arg(long, value_name = "KIND")]
    from: Option<InputKind>,
    #[command(flatten)]
    question: Room,
    #[command(flatten)]
    judging: Judging,
    #[command(flatten)]
    output: Output,
}

impl RoomOf {
    pub(super) fn run(&self, run: &Run) -> Answer {
        let subject = Subject::read(run, &self.judging, &self.deck, self.from)?;
        let Some(mut answer) = subject.ask(run, self.question.clone())? else {
            return Ok(Outcome::No);
        };
        subject.name().clone_into(&mut answer.deck);
        output::emit(run, &self.output, &answer)
    }
}
