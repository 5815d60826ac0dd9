//! `decklaw tune`: the best change for a hand's odds.

use super::collection::{Collection, Own};
use super::inputs::InputKind;
use super::options::{Judging, Output, kinds};
use super::output::Outputs;
use super::proofs::Proving;
use super::question::{Effort, NO, Subject};
use super::{Answer, Run};
use crate::TuneAnswer;
use decklaw_ask::Answer as Any;
use std::path::PathBuf;

#[derive(Debug, clap::Args)]
#[command(
    mut_arg("output", kinds::<TuneAnswer>),
    allow_negative_numbers = true,
    after_help = "Examples:\n  decklaw tune deck.txt '1+ [type:monster]'\n  decklaw tune deck.txt '2+ [colour:red]' --turn 4 --keep '\"Rain Caller\"' --own collection.csv"
)]
pub(super) struct Tune {
    /// The deck, or - for standard input
    #[arg(value_name = "DECK")]
    deck: PathBuf,
    /// What the hand should hold
    #[arg(value_name = "HAND", required = true)]
    queries: Vec<String>,
    /// The kind of the file [default: by its ending]
    #[arg(long, value_name = "KIND")]
    from: Option<InputKind>,
    /// Exchange at most N cards, 1 to 60
    #[arg(long, value_name = "N", default_value_t = 5)]
    changes: u32,
    /// Keep these cards
    #[arg(long, value_name = "CARDS", allow_hyphen_values = true)]
    keep: Vec<String>,
    /// Add only these cards
    #[arg(long, value_name = "CARDS", allow_hyphen_values = true)]
    only: Option<String>,
    /// What the deck must hold, as HAND or 'SECTION: HAND'
    #[arg(long, value_name = "HAND", allow_hyphen_values = true)]
    wish: Vec<String>,
    #[command(flatten)]
    own: Own,
    #[command(flatten)]
    effort: Effort,
    #[command(flatten)]
    proving: Proving,
    /// Improve the odds by this turn [default: the opening hand]
    #[arg(long, value_name = "N")]
    turn: Option<u32>,
    /// Keep opening hands that match [default: those that match the query]
    #[arg(long, value_name = "HAND|best", allow_hyphen_values = true)]
    keep_hand: Option<String>,
    /// Cards in the opening hand [default: the game's]
    #[arg(long, value_name = "N")]
    hand: Option<u32>,
    /// Mulligan, such as 'shuffle, at most 2, bottom 0 1 2' [default: the game's]
    #[arg(long, value_name = "POLICY")]
    policy: Option<String>,
    #[command(flatten)]
    judging: Judging,
    #[command(flatten)]
    output: Output,
}

impl Tune {
    pub(super) fn run(&self, run: &Run) -> Answer {
        let outputs = Outputs::open(run, &self.output)?;
        let collection = self.own.read(run)?;
        let subject = Subject::read(run, &self.judging, &self.deck, self.from)?;
        let question = crate::Tune {
            deck: subject.deck(),
            from: subject.from.clone(),
            queries: self.queries.clone(),
            changes: Some(self.changes),
            keep: self.keep.clone(),
            only: self.only.clone(),
            wish: self.wish.clone(),
            own: collection.as_ref().map(Collection::owned),
            turn: self.turn,
            keep_hand: self.keep_hand.clone(),
            hand: self.hand,
            policy: self.policy.clone(),
            effort: Some(self.effort.effort),
            ..crate::Tune::default()
        };
        run.threads();
        let own = |answer| match answer {
            Any::Tune(answer) => Some(answer),
            _ => None,
        };
        let answer = subject.prove(question, self.proving.is_wanted(), own)?;
        let Some((mut answer, proof)) = answer else {
            return Ok(NO);
        };
        answer.deck.clone_from(&subject.name);
        for note in &answer.notes {
            run.complain("notice", note);
        }
        let given = subject.given(collection.as_ref())?;
        let proven = self.proving.write(run, self.output.place.replace, proof)?;
        Ok(outputs.emit(run, &answer, &given)?.max(proven))
    }
}
