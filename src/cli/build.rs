//! `decklaw build`: a legal deck from wishes, or the reason that there is none.

use super::inputs;
use super::options::{Judging, OfFormat, Output, kinds};
use super::output::Outputs;
use super::proofs::Proving;
use super::question::{About, Subject, proven};
use super::wishes::OwnedCards;
use super::{Answer, CliError, Outcome, Run};
use crate::judge::ReadDeck;
use crate::render::Kind;
use decklaw_ask::{self as ask, BuildAnswer, Library};
use std::path::PathBuf;
use std::sync::Arc;

#[derive(Debug, clap::Args)]
#[command(
    mut_arg("output", kinds::<BuildAnswer>),
    allow_negative_numbers = true,
    after_help = "Examples:\n  decklaw build shell > deck.txt\n  decklaw build versus/fast --wish '12+ [type:character]' --prefer '4+ [element:water]'\n  decklaw build shell --wish 'side: 3+ [colour:blue]'\n  decklaw build --from decks/versus/half-mustered.txt --for '1+ [type:trap]'\n\nHAND counts groups of cards; `decklaw explain queries` explains queries."
)]
pub(super) struct Build {
    /// The format
    #[arg(value_name = "FORMAT", required_unless_present = "from")]
    game: Option<String>,
    /// Finish this deck, keeping its cards where rules and wishes allow
    #[arg(long, value_name = "DECK")]
    from: Option<PathBuf>,
    #[command(flatten)]
    question: ask::Build,
    #[command(flatten)]
    own: OwnedCards,
    #[command(flatten)]
    proving: Proving,
    #[command(flatten)]
    by: OfFormat,
    #[command(flatten)]
    output: Output,
}

impl Build {
    pub(super) fn run(&self, run: &Run) -> Answer {
        let outputs = Outputs::open(&self.output)?;
        let own = self.own.collection(run)?;
        let mut question = ask::Build {
            format: self.game.clone(),
            own: own.as_ref().map(|own| own.owned.clone()),
            ..self.question.clone()
        };
        let judging = Judging::from(self.by.clone()).of(self.game.as_deref());
        let (name, deck, library) = match &self.from {
            None => {
                let judge = inputs::judge(run, &judging)?;
                let name = self.game.clone().unwrap_or_default();
                (name, None, Arc::new(Library::from(judge)))
            }
            Some(file) => {
                let subject = Subject::read(run, &judging, file, None)?;
                self.same_format(&subject)?;
                question = subject.about(question);
                (subject.name().to_owned(), Some(subject.deck), subject.library)
            }
        };
        let proving = (&self.proving, self.output.place.replace);
        let about = About { name: &name, deck: deck.as_ref(), library: &library };
        let Some((mut answer, proven)) = proven(run, about, question, proving, own.as_ref())?
        else {
            return Ok(Outcome::No);
        };
        answer.called = name;
        if outputs.any(|kind| kind == Kind::Human) {
            for (kind, text) in answer.remarks() {
                run.complain(kind, &text);
            }
        }
        Ok(outputs.emit(run, &answer)?.max(proven))
    }

    /// Whether the format of the deck to finish is known, and the one that the call names.
    fn same_format(&self, subject: &Subject) -> Result<(), CliError> {
        let (judge, name) = (subject.judge()?, subject.name());
        let read = judge.read(&subject.deck.opened, None)?;
        let read = match (read, &self.game) {
            (ReadDeck::Deck(read), Some(_)) => read,
            (ReadDeck::Formatless { unknown: None, .. }, None) => {
                return Err(CliError::call(format!(
                    "{name}: the deck names no format; use `decklaw build FORMAT --from {name}`"
                )));
            }
            _ => return Ok(()),
        };
        let own = read.deck().format.as_ref();
        let own = own.and_then(|own| judge.format(&own.value).ok());
        let wanted = read.rulebook().format().id();
        match own.filter(|own| own.id() != wanted) {
            None => Ok(()),
            Some(own) => Err(CliError::call(format!(
                "{name}: the deck is for `{}`, not for `{wanted}`; leave the format out, or correct the line `Format:`",
                own.id()
            ))),
        }
    }
}
