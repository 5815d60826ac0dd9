//! `decklaw tune`: the exchange of cards that makes a hand likeliest.

use super::inputs::InputKind;
use super::options::{Judging, Output, kinds};
use super::output::Outputs;
use super::proofs::Proving;
use super::question::{Subject, proven};
use super::wishes::OwnedCards;
use super::{Answer, Outcome, Run};
use decklaw_ask::{self as ask, TuneAnswer};
use std::path::PathBuf;

#[derive(Debug, clap::Args)]
#[command(
    mut_arg("output", kinds::<TuneAnswer>),
    allow_negative_numbers = true,
    after_help = "Examples:\n  decklaw tune decks/versus/two-rivers.txt '1+ [type:trap]'\n  decklaw tune decks/shell/ebb.txt '2+ [colour:red]' --turn 4 --keep '\"Red Thread\"'\n\n`decklaw explain queries` explains HAND and CARDS."
)]
pub(super) struct Tune {
    /// The deck, or - for standard input
    #[arg(value_name = "DECK")]
    deck: PathBuf,
    /// The kind of the file [default: by its ending]
    #[arg(long, value_name = "KIND")]
    from: Option<InputKind>,
    #[command(flatten)]
    question: ask::Tune,
    #[command(flatten)]
    own: OwnedCards,
    #[command(flatten)]
    proving: Proving,
    #[command(flatten)]
    judging: Judging,
    #[command(flatten)]
    output: Output,
}

impl Tune {
    pub(super) fn run(&self, run: &Run) -> Answer {
        let outputs = Outputs::open(&self.output)?;
        let subject = Subject::read(run, &self.judging, &self.deck, self.from)?;
        let own = self.own.collection(run)?;
        let question = subject.about(ask::Tune {
            own: own.as_ref().map(|own| own.owned.clone()),
            ..self.question.clone()
        });
        super::run::start_threads()?;
        let proving = (&self.proving, self.output.place.replace);
        let Some((mut answer, proven)) =
            proven(run, subject.named(), question, proving, own.as_ref())?
        else {
            return Ok(Outcome::No);
        };
        subject.name().clone_into(&mut answer.deck);
        Ok(outputs.emit(run, &answer)?.max(proven))
    }
}
