//! `decklaw build`: a legal deck from wishes, or the reason that there is none.

use super::collection::{Collection, Own};
use super::options::{Judging, OfFormat, Output, kinds};
use super::output::Outputs;
use super::proofs::Proving;
use super::question::{Effort, NO, Subject};
use super::{Answer, Run};
use crate::BuildAnswer;
use crate::render::Kind;
use decklaw_ask::Answer as Any;
use std::path::PathBuf;

#[derive(Debug, clap::Args)]
#[command(
    mut_arg("output", kinds::<BuildAnswer>),
    allow_negative_numbers = true,
    after_help = "Examples:\n  decklaw build shell > deck.txt\n  decklaw build versus/fast --wish '12+ [type:character]' --prefer '4+ [element:water]'\n  decklaw build shell --wish 'side: 3+ [colour:blue]'\n  decklaw build vanquishers --own collection.csv\n  decklaw build --from my.txt --for '1+ [type:trap]'\n\nHAND counts groups of cards; `decklaw explain queries` explains queries."
)]
pub(super) struct Build {
    /// The format
    #[arg(value_name = "FORMAT", required_unless_present = "from")]
    game: Option<String>,
    /// What the deck must hold, as HAND or 'SECTION: HAND'
    #[arg(long, value_name = "HAND", allow_hyphen_values = true)]
    wish: Vec<String>,
    /// What the deck should hold; earlier ones count more
    #[arg(long, value_name = "HAND", allow_hyphen_values = true)]
    prefer: Vec<String>,
    /// Finish this deck, keeping its cards where rules and wishes allow
    #[arg(long, value_name = "DECK")]
    from: Option<PathBuf>,
    /// Then improve the odds of this hand
    #[arg(long = "for", value_name = "HAND", allow_hyphen_values = true)]
    goal: Option<String>,
    /// Improve the odds by this turn [default: the opening hand]
    #[arg(long, value_name = "N", requires = "goal")]
    turn: Option<u32>,
    /// Choose differently among similar cards
    #[arg(long, value_name = "TEXT")]
    seed: Option<String>,
    #[command(flatten)]
    own: Own,
    #[command(flatten)]
    effort: Effort,
    #[command(flatten)]
    proving: Proving,
    #[command(flatten)]
    by: OfFormat,
    #[command(flatten)]
    output: Output,
}

impl Build {
    pub(super) fn run(&self, run: &Run) -> Answer {
        let outputs = Outputs::open(run, &self.output)?;
        let collection = self.own.read(run)?;
        let judging = Judging::from(self.by.clone()).of(self.game.as_deref());
        let subject = match &self.from {
            Some(file) => Subject::read(run, &judging, file, None)?,
            None => Subject::new(run, &judging)?,
        };
        let question = crate::Build {
            deck: subject.deck(),
            from: subject.from.clone(),
            format: self.game.clone(),
            wish: self.wish.clone(),
            prefer: self.prefer.clone(),
            own: collection.as_ref().map(Collection::owned),
            goal: self.goal.clone(),
            turn: self.turn,
            seed: self.seed.clone(),
            effort: Some(self.effort.effort),
            ..crate::Build::default()
        };
        let own = |answer| match answer {
            Any::Build(answer) => Some(answer),
            _ => None,
        };
        let answer = subject.prove(question, self.proving.is_wanted(), own)?;
        let Some((answer, proof)) = answer else {
            return Ok(NO);
        };
        if outputs.any(|kind| kind == Kind::Human) {
            for (kind, message) in answer.told() {
                run.complain(kind, &message);
            }
        }
        let given = subject.given(collection.as_ref())?;
        let proven = self.proving.write(run, self.output.place.replace, proof)?;
        Ok(outputs.emit(run, &answer, &given)?.max(proven))
    }
}
