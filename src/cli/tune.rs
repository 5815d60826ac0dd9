//! `decklaw tune`: the exchange of cards that makes a hand likeliest.

use super::inputs::InputKind;
use super::options::{Judging, Output, hand_size, kinds};
use super::output::Outputs;
use super::proofs::Proving;
use super::question::{Subject, proven};
use super::wishes::WishOptions;
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
    /// What the hand should hold
    #[arg(value_name = "HAND", required = true)]
    queries: Vec<String>,
    /// The kind of the file [default: by its ending]
    #[arg(long, value_name = "KIND")]
    from: Option<InputKind>,
    /// Exchange at most N cards, 1 to 60
    ///
    /// Each number of exchanges up to N has its best deck.
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
    asked: WishOptions,
    #[command(flatten)]
    proving: Proving,
    /// Improve the odds by this turn [default: the opening hand]
    #[arg(long, value_name = "N")]
    turn: Option<u32>,
    /// Keep opening hands that match [default: those that match the query]
    #[arg(long, value_name = "HAND|best", allow_hyphen_values = true)]
    keep_hand: Option<String>,
    /// Cards in the opening hand [default: the game's]
    #[arg(long, value_name = "N", value_parser = hand_size)]
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
        let subject = Subject::read(run, &self.judging, &self.deck, self.from)?;
        let own = self.asked.collection(run)?;
        let question = subject.about(ask::Tune {
            queries: self.queries.clone(),
            changes: Some(self.changes),
            keep: self.keep.clone(),
            only: self.only.clone(),
            wish: self.wish.clone(),
            own: own.as_ref().map(|own| own.owned.clone()),
            turn: self.turn,
            keep_hand: self.keep_hand.clone(),
            hand: self.hand,
            policy: self.policy.clone(),
            effort: Some(self.asked.seconds()),
            ..ask::Tune::default()
        });
        super::jobs::start_threads()?;
        let proving = (&self.proving, self.output.place.replace);
        let about = (subject.name(), question);
        let of = |answer| match answer {
            ask::Answer::Tune(answer) => Some(answer),
            _ => None,
        };
        let Some((mut answer, proven)) =
            proven(run, &subject.library, about, proving, own.as_ref(), of)?
        else {
            return Ok(Outcome::No);
        };
        subject.name().clone_into(&mut answer.deck);
        Ok(outputs.emit(run, &answer)?.max(proven))
    }
}
